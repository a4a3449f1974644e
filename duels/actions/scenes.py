"""Writing scenes: opening one, posting in it, keeping a draft."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import TYPE_CHECKING

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from duels import clock, markup
from duels.errors import Invalid, NotAllowed
from duels.models import Duellist, Post, PostBody, Scene, SceneDraft, Thread
from duels.vault import seal, unseal
from rules.words import count_words

from .filing import LONGEST
from .sendings import done, once

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@transaction.atomic(durable=True)
def open_scene(*, user: User, duellist: Duellist, title: str, text: str, sending: uuid.UUID | None = None) -> Scene:
    """Open a scene with its first post. Raises NotAllowed, Invalid, AlreadySent."""
    now = clock.now()
    _check_writer(user, duellist)
    _check_text(text)
    if not title.strip():
        raise Invalid(_("Give the scene a title: the place, the hour, what it is about."), "title")
    sent = once(user, sending, duellist.pk, title, text, at=now)
    thread = Thread.objects.create()
    scene = Scene.objects.create(
        thread=thread, title=title.strip(), opened_by=duellist, opened_at=now, last_post_at=now
    )
    _post(thread, 1, duellist, text, at=now)
    done(sent, scene.get_absolute_url())
    return scene


@transaction.atomic(durable=True)
def write_in_scene(
    *, user: User, scene_id: int, duellist: Duellist, text: str, sending: uuid.UUID | None = None
) -> Post:
    """Add a post to a scene; the member's draft for it is done with.

    Raises Scene.DoesNotExist, NotAllowed, Invalid, AlreadySent.
    """
    now = clock.now()
    _check_writer(user, duellist)
    _check_text(text)
    Scene.objects.hold(scene_id)
    scene = Scene.objects.select_related("thread").get(pk=scene_id)
    sent = once(user, sending, duellist.pk, text, at=now)
    made = _post(scene.thread, scene.thread.post_count + 1, duellist, text, at=now)
    scene.last_post_at = now
    scene.save(update_fields=["last_post_at"])
    SceneDraft.objects.filter(scene=scene, user=user).delete()
    done(sent, reverse("duels:scene_post", args=[scene.pk, made.position]))
    return made


def save_scene_draft(*, user: User, scene_id: int, text: str) -> None:
    """Keep what a member has typed for a scene, sealed. Raises Scene.DoesNotExist, NotAllowed."""
    if len(text) > LONGEST:
        raise NotAllowed(_("This draft is too long to be kept."))
    scene = Scene.objects.get(pk=scene_id)
    sealed = seal(text.encode(), "scene draft", scene.pk, user.pk)
    SceneDraft.objects.update_or_create(scene=scene, user=user, defaults={"sealed": sealed, "saved_at": clock.now()})


def opened_draft(draft: SceneDraft) -> str:
    """Return the text of a draft, for who wrote it."""
    return unseal(draft.sealed, "scene draft", draft.scene_id, draft.user_id).decode()


def _check_writer(user: User, duellist: Duellist) -> None:
    if duellist.user_id != user.pk:
        raise NotAllowed(_("Choose one of your own duellists."))


def _check_text(text: str) -> None:
    if not count_words(text):
        raise Invalid(_("Write something: a post needs a text."), "text")
    if len(text) > LONGEST:
        raise Invalid(_("This text is too long: %(most)d characters at most.") % {"most": LONGEST}, "text")


def _post(thread: Thread, position: int, duellist: Duellist, text: str, *, at: dt.datetime) -> Post:
    """Add a post at a position that is given while the thread is held."""
    made = Post.objects.create(
        thread=thread, position=position, kind=Post.Kind.RP, duellist=duellist, posted_at=at,
        text_sha256=markup.digest(text), words=count_words(text),
    )  # fmt: skip
    PostBody.objects.create(post=made, text=text, html=markup.render(text))
    return made
