"""Correcting a published turn while the duel runs: which turn, what that does, and why."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from duels.actions.framing import NOTHING, kept
from duels.actions.revisions import correct_turn, correctable_turn, superseded_by_correcting
from duels.errors import Invalid, TooLate
from duels.models import Duel, Phase
from duels.queries.waiting import review_of
from duels.views.access import PlayersRequest, add_refusal

from . import queries
from .access import access, referees_only
from .forms import CorrectionForm
from .views import WHOLE


@referees_only
@require_GET
def published(request: PlayersRequest, duel_id: int) -> HttpResponse:
    """The published turns that count, the last first, each with the way to correct it. For the duel's referee."""
    duel = access(request, duel_id)
    return render(request, "referee/published.html", {"duel": duel, "phases": queries.published(duel)})


@referees_only
@require_http_methods(["GET", "POST"])
def correct(request: PlayersRequest, duel_id: int, turn: int, name: str = WHOLE) -> HttpResponse:
    """Take a published turn up again, once it is read what that does. For the duel's referee."""
    duel = access(request, duel_id)
    form = CorrectionForm(request.POST or None)
    try:
        if request.method == "POST" and form.is_valid():
            correct_turn(user=request.user, duel_id=duel.pk, turn=turn, name=name, **form.cleaned_data)
            messages.success(request, _("The turn is yours to rule on again: the players have been told."))
            return redirect(review_of(access(request, duel_id).current))
        return _recap(request, duel, correctable_turn(duel, request.user, turn, name), form)
    except Invalid as refusal:
        add_refusal(form, refusal)
        return _recap(request, duel, correctable_turn(duel, request.user, turn, name), form)
    except TooLate as refusal:
        messages.error(request, str(refusal))
        context = {"duel": duel, "phases": queries.published(duel), "kept": request.POST.get("reason", "")}
        return render(request, "referee/published.html", context, status=409)


def _recap(request: PlayersRequest, duel: Duel, phase: Phase, form: CorrectionForm) -> HttpResponse:
    context = {
        "duel": duel,
        "phase": phase,
        "later": superseded_by_correcting(duel, phase),
        "is_written": kept(duel.current) != NOTHING,
        "form": form if form.is_bound else CorrectionForm(initial={"seen": duel.phase_id}),
    }
    return render(request, "referee/correct.html", context, status=422 if form.is_bound else 200)
