"""From the happenings to what each person is told: a notice on their page, a mail to be sent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable
from typing import TypeVar

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet

from duels import clock
from duels.models import Happening
from duels.queries.reading import UNUSED
from notices.kinds import readers
from notices.models import Cursor, Delivery, Notice, Preference

from .reading import settle

BATCH = 500  # happenings a transaction
ROUNDS = 20  # transactions a drain
SETTLED = dt.timedelta(minutes=5)  # longer than any transaction lasts
TOO_OLD = dt.timedelta(days=3)  # to be mailed

Told = TypeVar("Told", Notice, Delivery)


def drain(*, mailed: bool = True) -> int:
    """Tell what happened since the last time, by mail too if `mailed`; return how many happenings were read.

    What earlier ones asked for, and is done by now, is marked as read.

    Each is told to each person once, however many drain at once and whenever one is cut off: the cursor is held, it
    moves with what was told, and a second notice or mail for the same pair is refused by the database.
    """
    read, after = 0, 0
    for _round in range(ROUNDS):
        happenings = _read_on(after, mailed)
        read += len(happenings)
        settle({happening.duel_id for happening in happenings if happening.duel_id})
        if len(happenings) < BATCH:
            break
        after = happenings[-1].pk
    return read


@transaction.atomic(durable=True)
def _read_on(after: int, mailed: bool) -> list[Happening]:
    Cursor.objects.get_or_create(name="notices")
    cursor = Cursor.objects.select_for_update(no_key=True).get(name="notices")
    unread = Happening.objects.filter(pk__gt=max(cursor.position, after)).order_by("pk")
    happenings = list(unread.select_related("duel").defer(*(f"duel__{field}" for field in UNUSED))[:BATCH])
    now = clock.now()
    _tell(happenings, mail_since=now - TOO_OLD if mailed else now, now=now)
    if after <= cursor.position:
        cursor.position = settled(cursor.position, happenings, now)
        cursor.save(update_fields=["position"])
    return happenings


def settled(position: int, happenings: Iterable[Happening], now: dt.datetime) -> int:
    """Return how far the cursor may move: not past a fresh gap in the keys, which a transaction under way may fill."""
    for happening in happenings:
        if happening.pk != position + 1 and happening.at > now - SETTLED:
            break
        position = happening.pk
    return position


def _tell(happenings: Collection[Happening], *, mail_since: dt.datetime, now: dt.datetime) -> None:
    told = [(happening, reader) for happening in happenings for reader in readers(happening)]
    wishes = _wishes({reader for _happening, reader in told})
    notices, mails = [], []
    for happening, reader in told:
        wish = wishes.get(reader)
        if wish and wish.wants(happening.what, "page"):
            notices.append(Notice(happening=happening, user_id=reader))
        if wish and wish.wants(happening.what, "mail") and happening.at > mail_since:
            mails.append(Delivery(happening=happening, user_id=reader, due_at=now, changed_at=now))
    Notice.objects.bulk_create(_untold(notices, Notice.objects.filter(happening__in=happenings)))
    Delivery.objects.bulk_create(_untold(mails, Delivery.objects.filter(happening__in=happenings)))


def _wishes(readers: Collection[int]) -> dict[int, Preference]:
    """Return what each wants to be told, but for accounts that are closed."""
    users = get_user_model().objects.filter(pk__in=readers, is_active=True).select_related("preference")
    return {user.pk: getattr(user, "preference", None) or Preference(user=user) for user in users}


def _untold(made: list[Told], stored: QuerySet[Told]) -> list[Told]:
    """Leave out what was told already: it stands past a gap at which the cursor waits."""
    known = set(stored.values_list("happening_id", "user_id"))
    return [one for one in made if (one.happening_id, one.user_id) not in known]
