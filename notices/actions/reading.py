"""What a member does with their notices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duels import clock
from notices.models import Notice

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def mark_read(*, user: User, notice_id: int) -> Notice:
    """Mark one of one's notices as read. Raises Notice.DoesNotExist."""
    notice = Notice.objects.get(pk=notice_id, user=user)
    Notice.objects.filter(pk=notice.pk, read_at=None).update(read_at=clock.now())
    return notice


def mark_all_read(*, user: User, up_to: int) -> int:
    """Mark as read one's notices up to the newest that was shown; return how many there were."""
    return Notice.objects.filter(user=user, read_at=None, pk__lte=up_to).update(read_at=clock.now())
