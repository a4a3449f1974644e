"""What the clock does: one duel at a time, checked again under its lock, as a person's action would be."""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Callable, Sequence

from django.db import transaction

from duels import clock
from duels.models import Duel, Phase, Post
from duels.wakes import REMINDERS, Wake, due
from rules.hours import NOTICE

from . import appeals, outage, stops, time_outs
from .announced import announced_by_another, call_off
from .challenges import expire_challenge, remind_of_confirming
from .failing import count_failure
from .granted import post_unread
from .heartbeat import Silence
from .ledger import changing, held, post, tell
from .legilimens import tell_free
from .preparation import start
from .referees import offer_turn, remind_referee
from .turns import lock, lock_if_complete, publish

logger = logging.getLogger(__name__)

PUT_OFF = 2  # times
LASTS = 8.0  # seconds: longer than until the next is sent, so that the more is due, the more workers share it


def sweep(*, limit: int = 10_000, seconds: float = LASTS) -> dict[str, int]:
    """Do what is due, at most `limit` duels and for so many `seconds`; return how many were `done`, and `failed`.

    Several sweeps at once share the work: each duel is claimed under its lock, in a transaction of its own, and what
    was due is looked at again there. Running it twice, late, or ten times at once changes nothing more.
    """
    done = 0
    failed: set[int] = set()
    now = clock.now()
    silences = outage.hear(now)
    appeals.tell_anew(now)
    until = time.monotonic() + seconds
    while done + len(failed) < limit and time.monotonic() < until:
        try:
            claimed = _wake_one(silences, besides=failed)
        except _Failed as failure:
            failed.add(failure.duel_id)
            count_failure(Duel.objects.filter(pk=failure.duel_id), failure.__cause__)
            continue
        if not claimed:
            break
        done += 1
    return {"done": done, "failed": len(failed)}


class _Failed(Exception):  # noqa: N818 - carries which duel it was
    def __init__(self, duel_id: int) -> None:
        super().__init__()
        self.duel_id = duel_id


def _wake_one(silences: Sequence[Silence], *, besides: set[int]) -> bool:
    """Claim one duel that is due, and do what is; False when none is left. Raises _Failed, and nothing was done."""
    with transaction.atomic(durable=True):
        now = clock.now()
        duel_id = Duel.objects.claim(now, besides=besides)
        if duel_id is None:
            return False
        try:
            with changing(duel_id) as duel:
                _do_what_is_due(duel, now, silences)
        except Exception as error:
            # whatever is wrong with one duel, the others go on; it is set aside after three times
            logger.exception("sweep: duel %s failed", duel_id)
            raise _Failed(duel_id) from error
    return True


def wake(duel_id: int) -> bool:
    """Do what is due for one duel; False when there was nothing to do (any more)."""
    with held(duel_id) as duel:
        return _do_what_is_due(duel, clock.now(), ())


def _do_what_is_due(duel: Duel, now: dt.datetime, silences: Sequence[Silence]) -> bool:
    """Do it in order; the last that changes the duel's life stands alone: what came before it is stale by then."""
    given_back = outage.make_good(duel, silences, at=now)
    waiting = due(duel, now)
    duel.woken_at = now
    decisive = [wake for wake in waiting if wake.what in _DECISIVE]
    for one in decisive[-1:] or _without_stale(waiting):
        _TO_DO[one.what](duel, now)
    duel.failures = 0
    return given_back or bool(waiting)


def _without_stale(waiting: list[Wake]) -> list[Wake]:
    """Of several reminders of one deadline that a late sweep finds, the last is true; those of other things go too."""
    of_the_deadline = [wake for wake in waiting if wake.what in REMINDERS]
    return [wake for wake in waiting if wake not in of_the_deadline[:-1]]


def _lapse(duel: Duel, now: dt.datetime) -> None:
    time_outs.lapse(duel, at=now)
    lock(duel, at=now)


def _let_appeal_lapse(duel: Duel, now: dt.datetime) -> None:
    """Nobody has answered an appeal in its 48 hours: the clock goes on, and what has come since then is done next."""
    duel.woken_at = duel.stopped_until
    stops.lapse(duel, at=now)
    lock_if_complete(duel, duel.current, at=now)


def _forfeit(duel: Duel, now: dt.datetime) -> None:
    """A10.2: nothing was named in the 24 hours; the thread says so, and the seat may file without it."""
    for letter in duel.owing:
        post(duel, Post.Kind.CHOICE, at=now, turn=duel.turn, seat=letter, details={"zone": None})
    tell(duel, "choice_forfeited", at=now, turn=duel.turn)
    duel.owing = ""


def _remind(what: str) -> Callable[[Duel, dt.datetime], None]:
    def remind(duel: Duel, now: dt.datetime) -> None:
        if now > duel.current.due_at:  # the turn is open still, for a time-out that waits for its answer
            return
        concerns = [duel.cast[letter]["user"] for letter in duel.awaited]
        tell(duel, what, at=now, concerns=concerns, turn=duel.turn, phase=duel.current.name)

    return remind


def _publish(duel: Duel, now: dt.datetime) -> None:
    """Nobody has published for five days: it is published as computed, and the thread says so."""
    if duel.phase is not None and duel.phase.status == Phase.Status.LOCKED:
        post_unread(duel, "unread", at=now)
        publish(duel, at=now)


def _publish_announced(duel: Duel, now: dt.datetime) -> None:
    """The hour has come that the referee announced: it is published as it was read, with the words kept for it. Not if
    another announced it, before hours were called off as a duel changed hands: nobody signs what another has read."""
    if announced_by_another(duel):
        call_off(duel, duel.current, at=now, why="referee")
    else:
        publish(duel, at=now, by=duel.referee, framed=True)


def put_off_or_cancel(duel: Duel, *, at: dt.datetime) -> None:
    """Put the start of a duel without a referee off by 48 hours, twice; then cancel it."""
    if duel.put_off < PUT_OFF:
        duel.put_off += 1
        later = duel.starts_at + NOTICE
        duel.starts_at = duel.due_at = later if later > at else at + NOTICE  # a sweep that comes late skips no chance
        tell(duel, "put_off", at=at)
    else:
        duel.status = Duel.Status.CANCELLED
        duel.due_at = None
        tell(duel, "pairing_unrefereed" if duel.paired else "cancelled", at=at)


_TO_DO: dict[str, Callable[[Duel, dt.datetime], None]] = {
    "expire": lambda duel, now: expire_challenge(duel, at=now),
    "put_off": lambda duel, now: put_off_or_cancel(duel, at=now),
    "start": lambda duel, now: start(duel, at=now),
    "close": lambda duel, now: lock(duel, at=now),
    "lapse": _lapse,
    "appeal_lapses": _let_appeal_lapse,
    "forfeit": _forfeit,
    "reminder_24": _remind("reminder_24"),
    "reminder_6": _remind("reminder_6"),
    "reminder_sight": lambda duel, now: tell_free(duel, at=now),
    "reminder_confirming": lambda duel, now: remind_of_confirming(duel, at=now),
    "reminder_referee": lambda duel, now: remind_referee(duel, at=now),
    "offer": lambda duel, now: offer_turn(duel, at=now),
    "publish": _publish,
    "publish_announced": _publish_announced,
}
_DECISIVE = {"expire", "put_off", "start", "close", "lapse", "appeal_lapses", "publish", "publish_announced"}


def take_up_again(*, duel_id: int) -> None:
    """Let the clock try again a duel that it has set aside (staff has seen to what was wrong)."""
    with held(duel_id) as duel:
        duel.failures = 0
