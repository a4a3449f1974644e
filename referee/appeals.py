"""Deciding on an appeal: for another referee than the duel's, for staff where there is none."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from duels import clock
from duels.actions.appeals import check_may_decide, decide_appeal
from duels.errors import Invalid, TooLate
from duels.models import Appeal, Duel
from duels.people import is_referee
from duels.queries.appeals import reason_of, waiting_in
from duels.views.access import PlayersRequest, add_refusal, private

from .forms import AppealAnswerForm


@private
@require_http_methods(["GET", "POST"])
def appeal(request: PlayersRequest, duel_id: int) -> HttpResponse:
    """The appeal that waits in a duel, and its answer. For those who may decide."""
    duel = get_object_or_404(Duel.objects.select_related("phase", "referee"), pk=duel_id)
    waiting = waiting_in(duel)
    if waiting is None or clock.now() > waiting.until:
        messages.info(request, _("No appeal waits in this duel: it has been answered, or its 48 hours have passed."))
        return redirect(duel)
    check_may_decide(duel, waiting, request.user)
    form = AppealAnswerForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            decide_appeal(user=request.user, appeal_id=waiting.pk, **form.cleaned_data)
        except Invalid as refusal:
            add_refusal(form, refusal)
        except TooLate as refusal:
            messages.error(request, str(refusal))
            return redirect(duel)
        else:
            messages.success(request, _("The appeal is answered: the players and their referee have been told."))
            return redirect("referee:queue" if is_referee(request.user) else duel)
    return _page(request, duel, waiting, form)


def _page(request: PlayersRequest, duel: Duel, waiting: Appeal, form: AppealAnswerForm) -> HttpResponse:
    context = {
        "duel": duel,
        "appeal": waiting,
        "contested": waiting.resolution.phase,
        "name": duel.name_of(waiting.seat.letter),
        "reason": reason_of(duel, waiting),
        "form": form,
    }
    return render(request, "referee/appeal.html", context, status=422 if form.errors else 200)
