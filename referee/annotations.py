"""Annotating the verdict of a duel that is over."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from duels.actions.annotations import annotate_verdict, check_may_annotate
from duels.errors import Invalid, TooLate
from duels.models import Duel
from duels.views.access import PlayersRequest, add_refusal, private

from .forms import AnnotationForm


@private
@require_http_methods(["GET", "POST"])
def annotate(request: PlayersRequest, duel_id: int) -> HttpResponse:
    """Annotate the verdict, or note a compensation. For the duel's referee and staff."""
    duel = get_object_or_404(Duel, pk=duel_id)
    try:
        check_may_annotate(duel, request.user)
    except TooLate as refusal:
        messages.error(request, str(refusal))
        return redirect(duel)
    form = AnnotationForm(request.POST or None, cast=duel.cast)
    if request.method == "POST" and form.is_valid():
        try:
            annotate_verdict(user=request.user, duel_id=duel.pk, **form.cleaned_data)
        except Invalid as refusal:
            add_refusal(form, refusal)
        else:
            messages.success(request, _("The verdict is annotated: the players have been told."))
            return redirect(f"{duel.get_absolute_url()}#thread")
    context = {"duel": duel, "form": form}
    return render(request, "referee/annotate.html", context, status=422 if form.errors else 200)
