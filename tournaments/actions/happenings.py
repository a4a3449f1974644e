"""Reading on in what happened: each happening once, in its order, however many read at once."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable

from django.db import transaction

from duels import clock
from duels.actions.failing import CUT_OFF
from duels.models import Duel, Happening
from tournaments.models import Cursor, LeftOut

logger = logging.getLogger(__name__)

BATCH = 500  # happenings a transaction
SETTLED = dt.timedelta(minutes=5)  # longer than any transaction lasts
COLUMNS = ("what", "at", "duel__ruleset", "duel__cast", "duel__winner")

TakeIn = Callable[[list[Happening]], None]
TakeInLate = Callable[[Duel], None]


def read_on(name: str, take_in: TakeIn, take_in_late: TakeInLate) -> int:
    """Have `take_in` read what happened since the last time; return how many happenings were read.

    The cursor called `name` is held, and moves in the transaction of what is taken in. A duel with which something is
    wrong is left out, the others go on; once staff asks, `take_in_late` tries it again.
    """
    for key in LeftOut.objects.filter(name=name, is_tried_again=True).values_list("pk", flat=True):
        _try_again(name, key, take_in_late)
    read = 0
    while (taken := _read_batch(name, take_in)) == BATCH:
        read += taken
    return read + taken


@transaction.atomic(durable=True)
def _read_batch(name: str, take_in: TakeIn) -> int:
    cursor = held_cursor(name)
    unread = Happening.objects.filter(pk__gt=cursor.position).order_by("pk").select_related("duel")
    happenings = settled(cursor.position, list(unread.only(*COLUMNS)[:BATCH]), clock.now())
    if happenings:
        _take_in(name, happenings, take_in)
        cursor.position = happenings[-1].pk
        cursor.save(update_fields=["position"])
    return len(happenings)


def _take_in(name: str, happenings: list[Happening], take_in: TakeIn) -> None:
    """Take in a batch; if that fails, each of it alone, and leave out those with which something is wrong."""
    try:
        with transaction.atomic():
            take_in(happenings)
    except CUT_OFF:
        raise
    except Exception as error:
        if len(happenings) > 1:
            for one in happenings:
                _take_in(name, [one], take_in)
        elif happenings[0].duel_id is None:
            raise
        else:
            logger.exception("%s: duel %s is left out", name, happenings[0].duel_id)
            _leave_out(name, happenings[0].duel_id, error)


def _leave_out(name: str, duel_id: int, error: Exception) -> None:
    wrong = {"at": clock.now(), "why": type(error).__name__, "is_tried_again": False}
    LeftOut.objects.update_or_create(name=name, duel_id=duel_id, defaults=wrong)


@transaction.atomic(durable=True)
def _try_again(name: str, key: int, take_in_late: TakeInLate) -> None:
    held_cursor(name)
    left_out = LeftOut.objects.filter(pk=key, is_tried_again=True).select_related("duel").first()
    if left_out is None:
        return
    duel = left_out.duel
    try:
        with transaction.atomic():
            left_out.delete()
            take_in_late(duel)
    except CUT_OFF:
        raise
    except Exception as error:
        logger.exception("%s: duel %s is still left out", name, duel.pk)
        _leave_out(name, duel.pk, error)


def try_again(*, left_out_id: int) -> None:
    """Have a duel that was left out tried again, the next time that is read (staff has seen to what was wrong)."""
    LeftOut.objects.filter(pk=left_out_id).update(is_tried_again=True)


def held_cursor(name: str) -> Cursor:
    """Return the cursor, made if need be, and held until the transaction ends."""
    Cursor.objects.get_or_create(name=name)
    return Cursor.objects.select_for_update().get(name=name)


def settled(position: int, happenings: list[Happening], now: dt.datetime) -> list[Happening]:
    """Return those before a fresh gap in the keys, which a transaction under way may fill."""
    for index, happening in enumerate(happenings):
        if happening.pk != position + 1 and happening.at > now - SETTLED:
            return happenings[:index]
        position = happening.pk
    return happenings
