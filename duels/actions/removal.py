"""Taking the text of a post away, or the reason of a time-out: illegal content, or a person's right. The post and its
hash stay."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Post, PostBody, Removal, Scene, TimeOut

from .ledger import append, held, tell

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def remove_post(*, user: User, post_id: int, reason: str) -> Removal:
    """Take a post's text away, as staff, and record why: the reason first, since the database demands it.

    Raises NotAllowed, Invalid (no reason, or a post without a text), TooLate (already taken away).
    """
    now = clock.now()
    if not may_remove(user):
        raise NotAllowed(_("Only staff who may remove texts can do this."))
    if not reason.strip():
        raise Invalid(_("Say why the text is removed: the reason is kept."), "reason")
    post = Post.objects.select_related("thread", "entry").get(pk=post_id)
    if post.thread.duel_id is None:
        with transaction.atomic(durable=True):
            Scene.objects.hold(post.thread.scene.pk)
            return _remove(post, user, reason, at=now)
    with held(post.thread.duel_id) as duel:
        removal = _remove(post, user, reason, at=now)
        if post.entry is not None:
            public = {"entry": post.entry.index, "part": Post.Kind(post.kind).part, "sha256": post.text_sha256}
            append(duel, "removal", at=now, phase=duel.phase, public=public, by=user)
        concerns = [duel.cast[post.seat]["user"]] if post.seat else []
        tell(duel, "text_removed", at=now, concerns=concerns, position=post.position)
    return removal


def _remove(post: Post, user: User, reason: str, *, at: dt.datetime) -> Removal:
    _require_text(post)
    removal = Removal.objects.create(post=post, by=user, at=at, reason=reason.strip())
    PostBody.objects.filter(post=post).delete()
    if post.entry is not None and post.entry.kind == "time_out":
        TimeOut.objects.filter(seat__duel=post.entry.duel_id, seat__letter=post.seat).update(reason="")
    return removal


def may_remove(user: User) -> bool:
    """Say whether the user is staff who may take texts away."""
    return user.is_active and user.is_staff and user.has_perm("duels.add_removal")


def _require_text(post: Post) -> None:
    if Removal.objects.filter(post=post).exists():
        raise TooLate(_("The text of this post has already been removed."))
    if not PostBody.objects.filter(post=post).exists():
        raise Invalid(_("This post has no text to remove."))
