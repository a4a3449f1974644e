"""Who referees, for everybody to read; and what a referee says of their own availability (A14)."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from duels.actions.availability import set_availability
from duels.errors import Invalid
from duels.models import Availability
from duels.queries.referees import referees as all_referees
from duels.views.access import PlayersRequest, add_refusal

from . import queries
from .access import referees_only
from .forms import AvailabilityForm

PAGE = 20


@require_safe
def referees(request: HttpRequest) -> HttpResponse:
    """The referees, who of them takes duels, and how many each holds. For anyone."""
    page = Paginator(all_referees(), PAGE).get_page(request.GET.get("page"))
    return render(request, "referee/referees.html", {"page": page})


@referees_only
@require_http_methods(["GET", "POST"])
def availability(request: PlayersRequest) -> HttpResponse:
    """Say whether one takes duels, how many at once, and when one is there. For each referee, of themselves."""
    known = Availability.objects.filter(user=request.user).first()
    form = AvailabilityForm(request.POST or None, instance=known)
    context = {"form": form, "is_known": known is not None, "in_hand": queries.in_hand(request.user)}
    if request.method == "POST" and form.is_valid():
        try:
            set_availability(user=request.user, **form.cleaned_data)
        except Invalid as refusal:
            add_refusal(form, refusal)
        else:
            messages.success(request, _("Your availability is published."))
            return redirect("referee:queue")
    return render(request, "referee/availability.html", context, status=422 if form.errors else 200)
