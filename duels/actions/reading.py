"""How far a member has read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from duels.models import ReadMark, Thread

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@transaction.atomic(durable=True)
def mark_read(*, user: User, thread: Thread, position: int) -> None:
    """Remember that the user has read a thread up to a position; a mark never goes back, nor beyond the last post."""
    position = min(position, thread.post_count)
    mark, is_new = ReadMark.objects.get_or_create(thread=thread, user=user, defaults={"position": position})
    if not is_new:
        ReadMark.objects.filter(pk=mark.pk, position__lt=position).update(position=position)
