"""Where a duellist stands before the start: what is hidden, what is still to do, until when (A4.1)."""

from __future__ import annotations

import datetime as dt
from typing import Any

from duels import secrets
from duels.actions.preparation import scene_if_clandestine
from duels.errors import Invalid
from duels.models import Duel, Entry
from duels.wakes import hide_by


def costs_a_point(duel: Duel, letter: str, at: dt.datetime) -> bool:
    """Say whether hiding at that instant costs a point that this seat has not lost already (A4.1)."""
    return at > hide_by(duel) and not duel.seats.get(letter=letter).hidden_late


def preparation_of(duel: Duel, letter: str, at: dt.datetime) -> dict[str, Any]:
    """Return what the preparation page shows to the seat `letter`, its own secret included, and to nobody else."""
    seats = {seat.letter: seat for seat in duel.seats.all()}
    mine = seats.pop(letter)
    foe = next(iter(seats.values()))
    versions = _versions(duel, letter)
    return {
        "mine": mine,
        "foe": foe,
        "foe_name": duel.name_of(foe.letter),
        "choices": duel.rules.prepares(duel.setup, letter).parts[0].choices,
        "versions": versions,
        "hidden_in": secrets.opened(versions[-1], duel.uid).content["zone"] if versions else None,
        "hide_by": hide_by(duel),
        "is_late": at > hide_by(duel),
        "costs_a_point": at > hide_by(duel) and not mine.hidden_late,
        **starting_now(duel, at),
    }


def starting_now(duel: Duel, at: dt.datetime) -> dict[str, Any]:
    """Return whether the duel would be clandestine if it began at that instant, or why it cannot begin (article 3)."""
    try:
        return {"in_secret": scene_if_clandestine(duel, at) is not None, "not_now": None}
    except Invalid as refusal:
        return {"in_secret": False, "not_now": refusal}


def _versions(duel: Duel, letter: str) -> list[Entry]:
    return list(duel.entries.filter(kind="receptacle", seat=letter).order_by("version"))
