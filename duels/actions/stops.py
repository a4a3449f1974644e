"""The clock of a duel, stopped while an appeal waits for its answer, and going on.

It stops for 48 hours at most: past that instant it goes on from there, however late somebody looks.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from duels.models import Appeal, Duel, Phase, Post
from rules import record
from rules.hours import STOPPED

from .ledger import append, named, post, tell

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def stop(duel: Duel, *, at: dt.datetime) -> dt.datetime:
    """Stop the clock of a duel that is held, in its open phase; return until when at most.

    What was to come is put off by as long as it may stand still, so that every deadline shown is the latest possible.
    """
    until = at + STOPPED
    duel.stopped_until = until
    _put_off(duel, STOPPED, from_=at)
    return until


def is_past(duel: Duel, at: dt.datetime) -> bool:
    """Say whether the clock of a duel has stood as long as it may."""
    return duel.stopped_until is not None and at > duel.stopped_until


def go_on(duel: Duel, *, at: dt.datetime) -> None:
    """Let the clock of a duel that is held go on: what was put off comes sooner by what it did not stand still."""
    until = duel.stopped_until
    duel.stopped_until = None
    if until is not None and at < until and duel.current.is_open:
        _put_off(duel, at - until, from_=until)


def _put_off(duel: Duel, by: dt.timedelta, *, from_: dt.datetime) -> None:
    """Move what is to come from an instant on; what had passed by then stays where it was."""

    def later(instant: dt.datetime | None) -> dt.datetime | None:
        return instant + by if instant is not None and instant >= from_ else instant

    phase = duel.current
    phase.stopped_for += by
    phase.due_at += by
    phase.sealed_until = later(phase.sealed_until)
    phase.choice_until = later(phase.choice_until)
    phase.holds_until = later(phase.holds_until)
    correctable = {letter: later(dt.datetime.fromisoformat(stamp)) for letter, stamp in phase.correctable.items()}
    phase.correctable = {letter: instant.isoformat() for letter, instant in correctable.items() if instant}
    duel.due_at = later(duel.due_at)


def lapse_if_past(duel: Duel, *, at: dt.datetime) -> None:
    """Let an appeal lapse whose 48 hours have passed, if there is one: whoever comes first sees to it."""
    if is_past(duel, at):
        lapse(duel, at=at)


def lapse(duel: Duel, *, at: dt.datetime) -> None:
    """Let the appeal that waits in a duel that is held lapse, and the clock go on; the thread says so."""
    appeal = Appeal.objects.select_related("resolution__phase", "seat").get(duel=duel, answer="")
    answer(duel, appeal, Appeal.Answer.LAPSED, at=at)


def answer(
    duel: Duel, appeal: Appeal, said: Appeal.Answer, *, at: dt.datetime, reason: str = "", by: User | None = None
) -> None:
    """Note the answer to an appeal, its reason sealed until the verdict, and let the clock go on."""
    contested: Phase = appeal.resolution.phase
    letter = appeal.seat.letter
    go_on(duel, at=at)
    due_at = record.stamp(duel.current.due_at) if duel.current.is_open else None
    public: dict[str, Any] = {"answer": said.value, "due_at": due_at}
    entry = append(
        duel, "appeal_answer", at=at, phase=contested, seat=letter, public=public, content={"reason": reason}, by=by
    )  # fmt: skip
    appeal.answer, appeal.answered_at, appeal.answered_by = said, at, by
    appeal.answer_index = entry.index
    appeal.save()
    details = {
        "note": "appeal_answer", "referee": by.username if by else "", "receipt": entry.receipt, **public,
        **named(contested),
    }  # fmt: skip
    post(duel, Post.Kind.NOTE, at=at, turn=contested.number, seat=letter, details=details)
    concerns = [player["user"] for player in duel.cast.values()] + ([duel.referee_id] if duel.referee_id else [])
    tell(duel, f"appeal_{said.value}", at=at, concerns=concerns, turn=contested.number, seat=letter)
