"""Duels that the registration desk proposes: made as challenges are, and confirmed by all within 48 hours (B1.3)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from duels.models import Duel, Duellist, Seat, SpellBook
from rules.spells.terms import SEATS

from .challenges import arena_duel, check_kind, propose
from .spell_challenges import Registration, spell_duel, terms_of

CONFIRM_WITHIN = dt.timedelta(hours=48)


def pair_for_arena(*, duellists: Sequence[Duellist], at: dt.datetime, **terms: Any) -> Duel:
    """Propose an arena duel to two, a clandestine one after a scene of theirs.

    `terms`: kind, turn_hours, refereed, starts_at, stake and its currency. In the caller's transaction. Raises Invalid,
    if these may not fight such a duel then.
    """
    scene = check_kind(kind=terms["kind"], duellists=duellists, starts_at=terms["starts_at"])
    duel = arena_duel(created_at=at, scene=scene, **terms)
    return _pair(duel, [Seat(duellist=duellist) for duellist in duellists])


def pair_for_spells(
    *,
    duellists: Sequence[Duellist],
    mode: str,
    book: SpellBook,
    registrations: Sequence[Registration | None],
    refereed: bool,
    starts_at: dt.datetime,
    at: dt.datetime,
) -> Duel:
    """Propose a spell duel to two or four, the first and third against the others, each as registered (B2.5).

    In the caller's transaction. Raises Invalid, if a registration is no longer in order.
    """
    duel = spell_duel(
        mode=mode, book=book, seats=len(duellists), refereed=refereed, starts_at=starts_at, created_at=at
    )  # fmt: skip
    seats = [
        Seat(duellist=duellist, terms=terms_of(duellist, mode, registration, book))
        for duellist, registration in zip(duellists, registrations, strict=True)
    ]
    return _pair(duel, seats)


def _pair(duel: Duel, seats: Sequence[Seat]) -> Duel:
    duel.paired = True
    for letter, seat in zip(SEATS, seats, strict=False):
        seat.letter = letter
    propose(duel, seats, "paired", within=CONFIRM_WITHIN)
    return duel
