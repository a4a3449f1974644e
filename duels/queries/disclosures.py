"""Who opened whose filings: told to their author."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from itertools import groupby
from typing import Any, NamedTuple

from duels.models import Disclosure, Duel, Phase


class Readings(NamedTuple):
    """When one person was shown what a seat had filed in a phase. `name`: a duellist's in a duel, else a user's."""

    phase: Phase
    name: str
    plays: bool
    times: list[dt.datetime]


def disclosures_of(duel: Duel, letter: str) -> list[Readings]:
    """Return who was shown what that seat had filed while the duel ran, turn by turn, each with every hour of it."""
    players = {player["user"]: player["name"] for player in duel.cast.values()}
    return [
        Readings(first.phase, players.get(first.by_id, first.by.get_username()), first.by_id in players, times)
        for first, times in _grouped(_of(duel, letter), lambda one: (one.phase_id, one.by_id))
    ]


def receptacle_readings(duel: Duel, letter: str) -> list[Readings]:
    """Return who was shown where that seat's receptacle is while the duel ran (A4.1), since which turn, at which hours.

    Whoever opens a turn as its referee does reads it there. Nothing where none is hidden.
    """
    if not duel.rules.prepares(duel.setup, letter).parts:
        return []
    players = {player["user"] for player in duel.cast.values()}
    rows = [one for one in _of(duel, letter) if one.by_id not in players]
    return [
        Readings(first.phase, first.by.get_username(), False, times)
        for first, times in _grouped(rows, lambda one: one.by_id)
    ]


def _of(duel: Duel, letter: str) -> list[Disclosure]:
    opened = Disclosure.objects.filter(phase__duel=duel, seats__contains=letter)
    return list(opened.select_related("phase", "by").order_by("pk"))


def _grouped(rows: list[Disclosure], by: Callable[[Disclosure], Any]) -> list[tuple[Disclosure, list[dt.datetime]]]:
    groups = [list(group) for _key, group in groupby(sorted(rows, key=by), key=by)]
    return [(group[0], [one.at for one in group]) for group in groups]
