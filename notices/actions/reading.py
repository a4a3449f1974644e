"""What a member does with their notices."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from duels import clock
from duels.queries.reading import UNUSED
from notices.kinds import ASKING, is_done
from notices.models import Notice
from notices.news import News

if TYPE_CHECKING:
    from django.contrib.auth.models import User

BATCH = 500


def mark_read(*, user: User, notice_id: int) -> Notice:
    """Mark one of one's notices as read. Raises Notice.DoesNotExist."""
    notice = Notice.objects.get(pk=notice_id, user=user)
    Notice.objects.filter(pk=notice.pk, read_at=None).update(read_at=clock.now())
    return notice


def mark_all_read(*, user: User, up_to: int) -> int:
    """Mark as read one's notices up to the newest that was shown; return how many there were."""
    return Notice.objects.filter(user=user, read_at=None, pk__lte=up_to).update(read_at=clock.now())


def settle(duels: Collection[int] | None = None) -> int:
    """Mark as read what asked for something that is done, in these duels (keys), or in all; return how many there were.

    Whatever else is told stays unread until it is read.
    """
    asking = Notice.objects.filter(read_at=None, happening__what__in=ASKING)
    if duels is not None:
        asking = asking.filter(happening__duel__in=duels)
    unused = (f"happening__duel__{field}" for field in UNUSED)
    found = asking.select_related("happening__duel__phase").defer(*unused).order_by("pk")
    now = clock.now()
    done = [
        one.pk for one in found.iterator(BATCH) if is_done(News(one.happening, one.happening.duel, one.user_id, now))
    ]
    return sum(
        Notice.objects.filter(pk__in=done[first : first + BATCH], read_at=None).update(read_at=now)
        for first in range(0, len(done), BATCH)
    )
