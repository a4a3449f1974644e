"""Leaving a tournament: of one's own accord, or sent off; until the second round a substitute takes the place."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.actions.arranged import call_off, give_up
from duels.errors import Invalid, TooLate
from duels.models import Duel
from tournaments.models import ENDED, SHORTEST, Entrant, Match, Tournament

from .holding import duel_of, held, require_organiser, tell
from .rounds import advance, decide, fill, harvest, promote, set_up_duel, substitute

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def withdraw(*, user: User, tournament_id: int) -> Entrant:
    """Withdraw the user's duellist. A duel that has started is lost; others are walkovers, unless a substitute comes.

    Raises TooLate when there is nothing to withdraw from.
    """
    now = clock.now()
    with held(tournament_id) as tournament:
        entrant = tournament.entrants.awaited().filter(duellist__user=user).first()
        if entrant is None or not (tournament.is_open or tournament.is_running):
            raise TooLate(_("You are not registered for this tournament, or it is over."))
        leave(tournament, entrant, Entrant.Status.WITHDRAWN, at=now)
    return entrant


def disqualify(*, user: User, tournament_id: int, entrant_id: int, reason: str) -> Entrant:
    """Send somebody off, with a reason that is published. Raises NotAllowed, Invalid, TooLate."""
    require_organiser(user, "change")
    now = clock.now()
    if not reason.strip():
        raise Invalid(_("Say why: it is published."), "reason")
    with held(tournament_id) as tournament:
        entrant = tournament.entrants.awaited().filter(pk=entrant_id).first()
        if entrant is None or not (tournament.is_open or tournament.is_running):
            raise TooLate(_("This duellist has left already, or the tournament is over."))
        leave(tournament, entrant, Entrant.Status.DISQUALIFIED, at=now, reason=reason.strip())
    return entrant


def leave(
    tournament: Tournament, entrant: Entrant, status: Entrant.Status, *, at: dt.datetime, reason: str = ""
) -> None:
    """Let an entrant of a tournament that is held go, and go on without them."""
    if tournament.is_running:
        harvest(tournament, at=at)
        entrant.refresh_from_db()
        if entrant.has_left:  # by what was only now known of a duel
            return
    was_registered = entrant.status == Entrant.Status.REGISTERED
    entrant.status, entrant.left_at, entrant.reason = status, at, reason
    entrant.save()
    if was_registered:
        promote(tournament, at=at)
    if status == Entrant.Status.DISQUALIFIED:
        tell(tournament, "tournament_sent_off", at=at, concerns=[entrant], name=entrant)
    if entrant.place is not None:
        _vacate(tournament, entrant, at=at)
        advance(tournament, at=at)


def _vacate(tournament: Tournament, entrant: Entrant, *, at: dt.datetime) -> None:
    """Fill the place, or let who was to be met there go on."""
    undecided = tournament.matches.filter(Q(first=entrant) | Q(second=entrant), decided_at=None)
    paired = undecided.select_related("first__duellist", "second__duellist").first()
    if paired is None:
        fill(tournament, entrant, at=at)
        return
    stood = _end_duel(paired, entrant, at=at)
    if stood in ENDED:  # it was decided while its row was waited for
        harvest(tournament, at=at)
        fill(tournament, entrant, at=at)
        return
    successor = substitute(tournament, entrant, at=at) if stood == Duel.Status.ANNOUNCED else None
    if successor is None:
        decide(paired, *((0, 2) if paired.first_id == entrant.pk else (2, 0)), Match.How.WALKOVER, at=at)
    else:
        if paired.first_id == entrant.pk:
            paired.first = successor
        else:
            paired.second = successor
        set_up_duel(tournament, paired, at=at)
        paired.save()
        tournament.put_off_wall(at + dt.timedelta(days=SHORTEST), at=at)


def _end_duel(match: Match, entrant: Entrant, *, at: dt.datetime) -> str:
    """End the duel of an undecided match for who leaves; return the status in which it stood."""
    if match.duel_id is None:
        raise LookupError(f"match {match.key} is undecided and has no duel")
    with duel_of(match.duel_id) as duel:
        stood = duel.status
        letter = "a" if match.first_id == entrant.pk else "b"
        if stood == Duel.Status.ANNOUNCED:
            call_off(duel, at=at, letter=letter)
        elif stood == Duel.Status.RUNNING:
            give_up(duel, at=at, letter=letter)
    return stood
