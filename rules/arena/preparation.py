"""Setting up a duel: its terms, what the announcement draws, and the first state (articles 2, 3, 4, 11, 12)."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from rules.arena.state import Puppet, State
from rules.arena.terms import (
    ARENAS,
    FIRST_ALCHEMY,
    SEATS,
    ZONES,
    Arena,
    Edition,
    Hours,
    Kind,
    SeatName,
    Year,
    Zone,
    face_of,
    starting_link,
)
from rules.core import Dice, RulesError

_LIMITS = range(3, 9)  # A11.1: a d6 and 2

T = TypeVar("T")


class Duellist(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who fights at a seat, and where the receptacle was hidden (None: nowhere in time, A4.1a)."""

    age: int
    year: Year
    receptacle: Zone | None = None
    late_preparation: bool = False


class Duellists(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    a: Duellist
    b: Duellist


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is agreed before the announcement."""

    edition: Edition
    kind: Kind
    turn_hours: Hours
    duellists: Duellists


class Setup(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The terms, the arena drawn, and what the start draws when it is not given."""

    arena: Arena
    technique_limit: int | None = None
    void_zone: Zone | None = None


def announce(terms: Any, dice: Dice) -> dict[str, Any]:
    """Return the setup: the terms and the arena that the die `arena` draws (A12.1). Raises RulesError."""
    agreed = _read(terms, Terms)
    _refuse_duellists(agreed)
    arena = face_of(ARENAS, dice.roll("arena", len(ARENAS)))
    return {**msgspec.to_builtins(agreed), "arena": arena}


def start(setup: Any, dice: Dice) -> State:
    """Return the state before turn 1, having drawn what the setup leaves open (A11.1, A12.2, A4.1a).

    Dice: `technique_limit` d6, `void_zone` d6, `receptacle:a` and `receptacle:b` d6. Raises RulesError.
    """
    agreed = _read(setup, Setup)
    _refuse_duellists(agreed)
    return State(
        edition=agreed.edition,
        kind=agreed.kind,
        hours=agreed.turn_hours,
        arena=agreed.arena,
        technique_limit=_technique_limit(agreed, dice),
        a=_puppet("a", agreed.duellists.a, dice),
        b=_puppet("b", agreed.duellists.b, dice),
        void_zone=_void_zone(agreed, dice),
    )


def _read(content: Any, shape: type[T]) -> T:
    try:
        return msgspec.convert(content, shape)
    except (msgspec.ValidationError, RecursionError) as error:
        raise RulesError(f"setup: {error}") from error


def _refuse_duellists(terms: Terms) -> None:
    for seat in SEATS:
        duellist: Duellist = getattr(terms.duellists, seat)
        starting_link(duellist.age)
        if terms.kind == "clandestine" and duellist.year == "adult":
            raise RulesError(f"setup: duellist {seat} is an adult, and a clandestine duel is for students (A3.1)")


def _technique_limit(setup: Setup, dice: Dice) -> int | None:
    """A11.1"""
    limit = setup.technique_limit
    if setup.edition == "classic":
        if limit is not None:
            raise RulesError("setup: the classic edition has no technique_limit (A11.1)")
        return None
    if limit is None:
        limit = dice.roll("technique_limit", 6) + 2
    if limit not in _LIMITS:
        raise RulesError(f"setup: technique_limit is {limit}, and must be 3 to 8 (A11.1)")
    return limit


def _void_zone(setup: Setup, dice: Dice) -> Zone | None:
    """A12.2"""
    if setup.arena == "playful_sand":
        return setup.void_zone or face_of(ZONES, dice.roll("void_zone", len(ZONES)))
    if setup.void_zone is not None:
        raise RulesError(f"setup: {setup.arena} has no void_zone (A12.2)")
    return None


def _puppet(seat: SeatName, duellist: Duellist, dice: Dice) -> Puppet:
    """A2.1, A2.2, A4.1, A4.1a"""
    link = starting_link(duellist.age)
    is_late = duellist.late_preparation or duellist.receptacle is None
    return Puppet(
        age=duellist.age,
        year=duellist.year,
        link=link,
        link_max=link,
        alchemy=FIRST_ALCHEMY - is_late,
        receptacle=_receptacle(seat, duellist, dice),
    )


def _receptacle(seat: SeatName, duellist: Duellist, dice: Dice) -> Zone:
    """A4.1a: where nobody hid it, the die does."""
    if duellist.receptacle is not None:
        return duellist.receptacle
    return face_of(ZONES, dice.roll(f"receptacle:{seat}", len(ZONES)))
