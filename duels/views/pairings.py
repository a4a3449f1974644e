"""A duel that the registration desk proposes: everybody confirms it, or declines."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from duels import clock
from duels.actions.announcement import start_as_it_stands
from duels.actions.blame import not_to_blame
from duels.actions.challenges import accept_challenge, decline_challenge
from duels.actions.spell_challenges import accept_spell_challenge, level_gap
from duels.errors import Invalid, Refused, TooLate
from duels.models import Duel
from duels.queries.eligibility import missing

from .access import PlayersRequest

MUCH = 1  # years of difference, above which role-players are warned (B1.2)
CONFIRM = {"arena": accept_challenge, "spells": accept_spell_challenge}


def answer(request: PlayersRequest, duel: Duel, letter: str) -> HttpResponse:
    """Confirm or decline, or read what there is to confirm; for those who are paired."""
    said = request.POST.get("action")
    if said not in ("accept", "decline"):
        return _page(request, duel, letter)
    try:
        if said == "decline":
            decline_challenge(user=request.user, duel_id=duel.pk)
            messages.success(request, _("You have declined: your registration has ended."))
            return redirect("desk:desk")
        duel = CONFIRM[duel.ruleset](user=request.user, duel_id=duel.pk)
    except (Invalid, TooLate) as refusal:
        duel.refresh_from_db()
        return _page(request, duel, letter, refusal)
    messages.success(request, _("You have confirmed."))
    return redirect("duels:preparation" if duel.announced_at else "duels:challenge", duel.pk)


def _page(request: PlayersRequest, duel: Duel, letter: str, refusal: Refused | None = None) -> HttpResponse:
    seats = sorted(duel.seats.select_related("duellist__user"), key=lambda seat: (seat.letter in "bd", seat.letter))
    mine = next(seat for seat in seats if seat.letter == letter)
    is_pending = duel.status == Duel.Status.CHALLENGED
    is_mine = is_pending and mine.accepted_at is None
    is_spells = duel.ruleset == "spells"
    lacking = missing(mine.duellist, duel.mode, now=clock.now(), besides=duel) if is_mine and is_spells else []
    gap = level_gap(duel)
    context = {
        "duel": duel,
        "seats": seats,
        "is_pending": is_pending,
        "is_mine_to_confirm": is_mine,
        "lacking": lacking,
        "is_kept": is_pending and letter in not_to_blame(duel, at=clock.now()),
        "gap": gap,
        "is_wide": duel.mode == Duel.Mode.RP and gap > MUCH,
        "earliest_start": start_as_it_stands(duel, clock.now()),
        "refusal": refusal,
    }
    status = 422 if isinstance(refusal, Invalid) else 409 if refusal else 200
    return render(request, "duels/pairing.html", context, status=status)
