"""Time-outs (A7), and what has moved the deadline of an open turn, or may yet move it."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from duels.models import Duel, Phase, TimeOut
from duels.wakes import answer_until


def time_outs_of(duel: Duel) -> dict[str, TimeOut]:
    """Return the time-outs asked in a duel, by the letter of their seat."""
    asked = TimeOut.objects.filter(seat__duel=duel).select_related("phase", "seat", "answered_by")
    return {one.seat.letter: one for one in asked}


class Deadline(NamedTuple):
    """The deadline of an open turn: the time-outs that moved it, those not answered yet, whether an outage moved it."""

    phase: Phase
    asked: list[TimeOut]
    granted: list[TimeOut]
    may_file_again: list[str]

    @property
    def answer_until(self) -> dt.datetime:
        """Until when the turn waits for the answer to a time-out."""
        return answer_until(self.phase)

    @property
    def outage(self) -> bool:
        return self.phase.heard_until is not None


def deadline_of(duel: Duel, at: dt.datetime) -> Deadline | None:
    """Return what is to be said of the deadline of the open turn, None if no turn is open."""
    phase = duel.phase
    if not duel.is_running or phase is None or not phase.is_open:
        return None
    asked = list(_asked_in(phase)) if phase.pleas or _has_moved(duel, phase) else []
    return Deadline(
        phase,
        asked=[one for one in asked if not one.answer],
        granted=[one for one in asked if one.answer == TimeOut.Answer.GRANTED],
        may_file_again=_may_file_again(duel, phase, at),
    )


def _asked_in(phase: Phase) -> list[TimeOut]:
    return list(TimeOut.objects.filter(phase=phase).select_related("seat"))


def _has_moved(duel: Duel, phase: Phase) -> bool:
    """Say whether the turn lasts longer than its hours; most do not, and ask nothing more of the database."""
    return phase.due_at - phase.opened_at > dt.timedelta(hours=duel.public_view["turn_hours"])


def _may_file_again(duel: Duel, phase: Phase, at: dt.datetime) -> list[str]:
    """A10.2d: the names of those who had filed when their opponent named a zone for a decoy, and may file again."""
    if phase.holds_until is None or at > phase.holds_until:
        return []
    return [duel.name_of(letter) for letter in sorted(phase.filed) if letter not in phase.choices]
