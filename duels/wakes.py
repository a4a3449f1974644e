"""When the clock has something to do for a duel, and what: computed from where the duel stands, never remembered apart.

A duel's `wake_at` is the first of these instants; it is stored anew each time the duel is saved.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import NamedTuple

from rules.hours import PUBLISHED, TAKEN_OVER, TO_HIDE

from .clock import GRACE
from .models import Duel, Phase

REMINDERS = {"reminder_24": dt.timedelta(hours=24), "reminder_6": dt.timedelta(hours=6)}  # before the deadline
REFEREE_REMINDED = dt.timedelta(hours=24)  # after the lock
CONFIRMING_REMINDED = dt.timedelta(hours=24)  # before a pairing lapses
ANSWER = dt.timedelta(hours=24)  # how long a turn stays open past its deadline for a time-out not yet answered (A7)

_STANDING = {
    Duel.Status.CHALLENGED: "expire",
    Duel.Status.AGREED: "put_off",
    Duel.Status.ANNOUNCED: "start",
}


def hide_by(duel: Duel) -> dt.datetime:
    """Return the instant after which hiding costs a point of alchemy (A4.1)."""
    return duel.starts_at - TO_HIDE


class Wake(NamedTuple):
    """One thing to do at one instant. What changes the duel is done however late; a reminder has its time."""

    at: dt.datetime
    what: str

    @property
    def reminds(self) -> bool:
        return self.what.startswith("reminder")


def answer_until(phase: Phase) -> dt.datetime:
    """Return until when the turn waits for the answer to a time-out that was asked in it."""
    return phase.due_at + ANSWER


def published_by(phase: Phase) -> dt.datetime:
    """Return when a locked phase is published, whoever has read it. Raises LookupError while it is open."""
    if phase.locked_at is None:
        raise LookupError(f"phase {phase} is not locked")
    return phase.locked_at + PUBLISHED


def wakes(duel: Duel) -> Iterator[Wake]:
    """Yield everything that the clock has to do for a duel as it stands, past instants included."""
    if duel.is_running and duel.phase is not None:
        yield from _of_open(duel, duel.phase) if duel.phase.is_open else _of_locked(duel.phase)
    elif duel.due_at is not None and duel.status in _STANDING:
        yield Wake(duel.due_at + GRACE, _STANDING[Duel.Status(duel.status)])
        if duel.paired and duel.status == Duel.Status.CHALLENGED:
            yield Wake(duel.due_at - CONFIRMING_REMINDED, "reminder_confirming")


def _of_open(duel: Duel, phase: Phase) -> Iterator[Wake]:
    if duel.stopped_until is not None:
        yield Wake(duel.stopped_until + GRACE, "appeal_lapses")
        return
    closes = max(filter(None, (duel.due_at or phase.due_at, phase.corrected_by))) + GRACE
    yield Wake(closes + ANSWER, "lapse") if phase.pleas else Wake(closes, "close")
    if duel.awaited:
        for what, before in REMINDERS.items():
            yield Wake(phase.due_at - before, what)
    if phase.sealed_until and duel.awaited:
        yield Wake(phase.sealed_until + GRACE, "reminder_sight")
    if phase.choice_until and duel.owing:
        yield Wake(phase.choice_until + GRACE, "forfeit")


def _of_locked(phase: Phase) -> Iterator[Wake]:
    if phase.locked_at is None or phase.status != Phase.Status.LOCKED:
        return
    if phase.offered_at is None:
        yield Wake(phase.locked_at + TAKEN_OVER, "offer")
    if phase.publish_at is None:
        yield Wake(phase.locked_at + REFEREE_REMINDED, "reminder_referee")
        yield Wake(published_by(phase), "publish")
    else:  # within the five days, and with the words that were kept for it, however late the clock comes
        yield Wake(phase.publish_at, "publish_announced")


def next_wake(duel: Duel) -> dt.datetime | None:
    """Return the next instant at which the clock has something to do, or None."""
    return min((wake.at for wake in _not_done(duel)), default=None)


def due(duel: Duel, now: dt.datetime) -> list[Wake]:
    """Return what is due by now and not done yet, in order."""
    return sorted(wake for wake in _not_done(duel) if wake.at <= now)


def _not_done(duel: Duel) -> Iterator[Wake]:
    """Once done, what changes the duel is no longer among its wakes; reminders are told apart by `woken_at`."""
    after = duel.woken_at or duel.created_at
    return (wake for wake in wakes(duel) if wake.at > after or not wake.reminds)
