"""Time-outs (A7, B1.4): asked by a player before the deadline, granted or refused by the referee, once a duel."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.errors import Invalid, NotAllowed, TooLate
from duels.markup import digest
from duels.models import Duel, Phase, Post, TimeOut
from rules import record
from rules.parts import MOST_HOURS

from .ledger import append, held, open_phase, post, seat_of, tell
from .referees import check_referee

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def ask_time_out(*, user: User, duel_id: int, hours: int, reason: str, received_at: dt.datetime) -> TimeOut:
    """Ask the referee for so many hours more in this turn (1 to 120), once a duel.

    Asking moves nothing; past the deadline the turn waits 24 hours for the answer. Raises NotAllowed, TooLate, Invalid.
    """
    with held(duel_id) as duel:
        seat = seat_of(duel, user)
        phase = check_may_ask(duel, seat.letter, received_at=received_at)
        if not 1 <= hours <= MOST_HOURS:
            message = _("A time-out lasts 1 to 120 hours, five days at most (%(rule)s).")
            raise Invalid(message % {"rule": duel.rules.time_out_rule}, "hours")
        if not reason.strip():
            raise Invalid(_("Say why: your referee, and the thread, will read it."), "reason")
        asked = TimeOut.objects.create(phase=phase, seat=seat, hours=hours, reason=reason.strip(), asked_at=received_at)
        phase.pleas += 1
        public = {"hours": hours, "text_sha256": digest(asked.reason)}
        entry = append(duel, "time_out", at=received_at, phase=phase, seat=seat.letter, public=public, by=user)
        post(
            duel, Post.Kind.NOTE, at=received_at, turn=phase.number, seat=seat.letter, text=asked.reason, entry=entry,
            details={"note": "time_out", "hours": hours},
        )  # fmt: skip
        concerns = [duel.referee_id] if duel.referee_id else []
        tell(duel, "time_out_asked", at=received_at, concerns=concerns, turn=phase.number, seat=seat.letter)
    return asked


def check_may_ask(duel: Duel, letter: str, *, received_at: dt.datetime) -> Phase:
    """Return the open phase for which a seat may ask for its time-out. Raises NotAllowed, TooLate, Invalid."""
    if not duel.refereed:
        raise NotAllowed(_("This duel has no referee: there is nobody to grant a time-out."))
    if TimeOut.objects.filter(seat__duel=duel, seat__letter=letter).exists():
        message = _("You have already asked for a time-out in this duel: one is all there is (%(rule)s).")
        raise Invalid(message % {"rule": duel.rules.time_out_rule})
    phase = open_phase(duel, received_at=received_at)
    if not duel.rules.time_outs_add_up and received_at > _original(duel, phase):
        raise TooLate(_("A time-out is asked for before the first deadline of the phase, which has passed (B1.4)."))
    if letter not in duel.awaited:
        raise Invalid(_("You have filed already in this turn: you need no time-out."))
    return phase


def answer_time_out(*, user: User, time_out_id: int, granted: bool, reason: str) -> TimeOut:
    """Grant or refuse a time-out, with a reason; granted, the turn's deadline moves by it.

    Raises NotAllowed, TooLate, Invalid.
    """
    now = clock.now()
    asked = TimeOut.objects.select_related("phase", "seat").get(pk=time_out_id)
    with held(asked.phase.duel_id) as duel:
        asked.refresh_from_db()
        phase = duel.current
        check_referee(duel, user)
        if asked.answer or phase.pk != asked.phase_id or not phase.is_open:
            raise TooLate(_("This time-out has been answered already, or its turn is closed."))
        if not reason.strip():
            raise Invalid(_("Say why: both players, and the thread, will read it."), "reason")
        if granted:
            phase.extend(would_end_at(duel, phase, asked.hours), at=now)
            duel.due_at = phase.due_at
        answer = TimeOut.Answer.GRANTED if granted else TimeOut.Answer.REFUSED
        _answer(duel, phase, asked, answer, at=now, reason=reason.strip(), by=user)
    return asked


def _original(duel: Duel, phase: Phase) -> dt.datetime:
    """The deadline that a phase had as it opened."""
    return phase.opened_at + phase.stopped_for + dt.timedelta(hours=duel.turn_hours)


def would_end_at(duel: Duel, phase: Phase, hours: int) -> dt.datetime:
    """Return the deadline of the open phase with so many hours more.

    In a spell duel it is never later than five days after the first one (B1.4).
    """
    later = phase.due_at + dt.timedelta(hours=hours)
    if duel.rules.time_outs_add_up:
        return later
    return max(phase.due_at, min(later, _original(duel, phase) + dt.timedelta(hours=MOST_HOURS)))


def lapse(duel: Duel, *, at: dt.datetime, letter: str | None = None) -> None:
    """Note that time-outs of the open phase (of one seat, if named) had no answer in time; the duel is held."""
    waiting = TimeOut.objects.filter(phase=duel.current, answer="")
    for asked in (waiting.filter(seat__letter=letter) if letter else waiting).select_related("seat"):
        _answer(duel, duel.current, asked, TimeOut.Answer.LAPSED, at=at)


def _answer(
    duel: Duel,
    phase: Phase,
    asked: TimeOut,
    answer: TimeOut.Answer,
    *,
    at: dt.datetime,
    reason: str = "",
    by: User | None = None,
) -> None:
    asked.answer, asked.answered_at, asked.answered_by, asked.answer_reason = answer, at, by, reason
    asked.save()
    phase.pleas -= 1
    letter = asked.seat.letter
    public = {"answer": answer.value, "reason": reason, "due_at": record.stamp(phase.due_at)}
    append(duel, "time_out_answer", at=at, phase=phase, seat=letter, public=public, by=by)
    details = {"note": "time_out_answer", "hours": asked.hours, "referee": by.username if by else "", **public}
    post(duel, Post.Kind.NOTE, at=at, turn=phase.number, seat=letter, details=details)
    tell(duel, f"time_out_{answer.value}", at=at, turn=phase.number, seat=letter, due_at=public["due_at"])
