"""Outages: what players lost of a turn's last hours while the application was down is given back, and of those before
the start of a duel in which something is still to be hidden."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q

from duels.models import Duel, Phase, Post
from duels.models.heartbeat import SILENCE
from duels.wakes import answer_until
from rules import record
from rules.hours import AFTER_A_CHOICE, GIVEN_BACK, NOTICE, TO_CHOOSE, TO_CORRECT

from .announcement import allowed_start
from .heartbeat import Silence, beat, last_beat, silences
from .ledger import append, post, tell
from .preparation import to_hide
from .turns import held_open_until

LATELY = dt.timedelta(days=14)  # longer ago than any deadline not yet closed


def hear(now: dt.datetime) -> list[Silence]:
    """Note that the clock works, and return the silences that may touch a deadline not yet closed.

    The first sweep after a silence has the clock look at once at the turns that it cut into, so that their players are
    told now and not at a deadline which they take for past. Where that is cut off, the deadline finds it all the same.
    """
    with transaction.atomic(durable=True):
        heard = last_beat()
        beat(at=now)
        if heard is not None and now - heard > SILENCE:
            Duel.objects.wake_those_cut_into(heard, now, last_hours=GIVEN_BACK, before_start=NOTICE)
    return silences(now - LATELY, now)


class _Lost:
    """What silences took of deadlines, and gives back: once, from the deadline or the end of the silence, whichever
    came last; from now, where that would be past as well. A day is the most in all, `before` counted."""

    def __init__(self, silent: Sequence[Silence], *, before: dt.timedelta, at: dt.datetime) -> None:
        self.silent, self.at = silent, at
        self.left = GIVEN_BACK - before
        self.most = dt.timedelta()

    def given_back(
        self, ends: dt.datetime, lasts: dt.timedelta, *, waits_until: dt.datetime | None = None
    ) -> dt.datetime:
        """Return a deadline with what was lost of its last hours (`lasts`), and until it closes, if that is later."""
        begins, closes = ends - lasts, waits_until or ends
        touched = [one for one in self.silent if one.since < closes and one.until > begins]
        lost = sum((min(one.until, closes) - max(one.since, begins) for one in touched), dt.timedelta())
        lost = min(lost, self.left)
        if not lost:
            return ends
        self.most = max(self.most, lost)
        later = max(ends, *(one.until for one in touched)) + lost
        return later if later > self.at else self.at + lost


def make_good(duel: Duel, silent: Sequence[Silence], *, at: dt.datetime) -> bool:
    """Extend what silences cut into of the open phase of a duel that is held, or of the time before its start; False if
    nothing was lost.

    In a phase that is: the last 24 hours of its deadline, and the answer to a time-out that it waits for (A7); the 24
    hours of a choice (A10.2), the 12 to file again (A10.2d), the 30 minutes to correct (B6.4).
    """
    if duel.status == Duel.Status.ANNOUNCED:
        return _put_start_off(duel, silent, at=at)
    phase = duel.phase
    if not duel.is_running or phase is None or not phase.is_open:
        return False
    heard = phase.heard_until or phase.opened_at
    lost = _Lost([one for one in silent if one.until > heard], before=phase.given_back, at=at)
    _extend(duel, phase, lost)
    if not lost.most:
        return False
    phase.given_back += lost.most
    phase.heard_until = max(one.until for one in lost.silent)
    duel.due_at = phase.due_at if duel.awaited else held_open_until(phase) or phase.due_at
    minutes = round(lost.most.total_seconds() / 60)
    append(duel, "deadline", at=at, phase=phase, public={"why": "outage", **_deadlines(phase)})
    details = {"note": "outage", "minutes": minutes, "due_at": duel.due_at.isoformat()}
    post(duel, Post.Kind.NOTE, at=at, turn=phase.number, details=details)
    tell(duel, "outage", at=at, turn=phase.number)
    return True


def _deadlines(phase: Phase) -> dict[str, Any]:
    """Return every deadline of the phase, as the record has it."""
    running = {"due_at": phase.due_at, "choice_until": phase.choice_until, "holds_until": phase.holds_until}
    said: dict[str, Any] = {name: record.stamp(until) for name, until in running.items() if until is not None}
    if phase.correctable:
        until = {letter: dt.datetime.fromisoformat(one) for letter, one in phase.correctable.items()}
        said["correctable"] = {letter: record.stamp(one) for letter, one in until.items()}
    return said


def _put_start_off(duel: Duel, silent: Sequence[Silence], *, at: dt.datetime) -> bool:
    """Put the start off by what silences took of the last 48 hours before it, while a receptacle waits to be hidden:
    the hour from which that is late moves with it (A4.1). What was given back is told by `woken_at`."""
    heard = duel.woken_at or duel.announced_at or at
    lost = _Lost([one for one in silent if one.until > heard], before=duel.given_back, at=at)
    if not to_hide(duel) or not duel.seats.filter(Q(hidden_version=0) | Q(hidden_late=True)).exists():
        return False
    later = lost.given_back(duel.starts_at, NOTICE)
    if not lost.most:
        return False
    duel.given_back += lost.most
    duel.starts_at = duel.due_at = allowed_start(duel, later)
    minutes = round(lost.most.total_seconds() / 60)
    append(duel, "deadline", at=at, public={"why": "outage", "due_at": record.stamp(duel.starts_at)})
    details = {"note": "outage", "minutes": minutes, "starts_at": duel.starts_at.isoformat()}
    post(duel, Post.Kind.NOTE, at=at, details=details)
    tell(duel, "start_put_off", at=at)
    return True


def _extend(duel: Duel, phase: Phase, lost: _Lost) -> None:
    """Move every deadline of the phase that somebody can still miss."""
    if duel.awaited:
        lasts = min(GIVEN_BACK, phase.due_at - phase.opened_at)
        waits_until = answer_until(phase) if phase.pleas else None
        phase.extend(lost.given_back(phase.due_at, lasts, waits_until=waits_until), at=lost.at)
    if duel.owing and phase.choice_until:
        phase.choice_until = lost.given_back(phase.choice_until, TO_CHOOSE)
        phase.due_at = max(phase.due_at, phase.choice_until)
    if phase.holds_until:
        phase.holds_until = lost.given_back(phase.holds_until, AFTER_A_CHOICE)
        phase.due_at = max(phase.due_at, phase.holds_until)
    phase.correctable = {
        letter: lost.given_back(dt.datetime.fromisoformat(until), TO_CORRECT).isoformat()
        for letter, until in phase.correctable.items()
    }
