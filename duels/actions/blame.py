"""Who is to blame that a pairing was not confirmed by all in time, and who keeps their place at the desk (B1.3)."""

from __future__ import annotations

import datetime as dt

from duels.models import Duel, Seat
from duels.queries.eligibility import RULESET as SPELLS
from duels.queries.eligibility import missing

from .stakes import free_to_stake


def not_to_blame(duel: Duel, *, at: dt.datetime) -> set[str]:
    """Return the seats that have confirmed, or could not: for another duel (B2.1), or hindered by another's condition.

    Whose own condition is in the way is to blame, confirmed or not.
    """
    seats = list(duel.seats.select_related("duellist__user"))
    confirmed = {seat.letter for seat in seats if seat.accepted_at is not None}
    unable = {seat.letter: is_excused for seat in seats if (is_excused := _is_excused(duel, seat, at)) is not None}
    in_the_way = set(unable) & confirmed or _left_school(duel, seats)
    kept = {*duel.cast} if in_the_way else confirmed | set(unable)
    return {letter for letter in kept if unable.get(letter, True)}


def _is_excused(duel: Duel, seat: Seat, at: dt.datetime) -> bool | None:
    """Say whether what keeps that duellist from the duel is nothing that they could see to; None: nothing does."""
    if duel.ruleset == SPELLS:
        lacking = missing(seat.duellist, duel.mode, now=at, besides=duel)
        return any(one.passes for one in lacking) if lacking else None
    is_short = duel.stake and free_to_stake(seat.duellist, duel.stake_currency, besides=duel) < duel.stake
    return False if is_short or _has_left_school(duel, seat) else None


def _left_school(duel: Duel, seats: list[Seat]) -> set[str]:
    """A3.1: unlike all else, it is asked of both whoever confirms."""
    return {seat.letter for seat in seats if _has_left_school(duel, seat)}


def _has_left_school(duel: Duel, seat: Seat) -> bool:
    return duel.kind == Duel.Kind.CLANDESTINE and not seat.duellist.is_student
