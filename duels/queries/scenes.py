"""Scenes: which, one page of one, and whether two have written enough together for a clandestine duel (A3.1)."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, Subquery

from duels.models import Duellist, Post, ReadMark, Scene, SceneDraft, Thread
from duels.models.thread import PAGE, page_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User

POSTS_OF_EACH = 3  # A3.1
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
LAST = Subquery(
    Post.objects.filter(thread=OuterRef("thread")).order_by("-position").values("position")[:1]
)  # of the thread, as the index has it


class Place(NamedTuple):
    """Where a scene stands in the list: the instant of its last post, and its key where several share one."""

    microseconds: int
    pk: int


class Listed(NamedTuple):
    """A page of a list: scenes, and the place (`place_of`) that the next page starts after (None: this is the last)."""

    scenes: Sequence[Scene]
    after: str | None


def listed(*, of: User | None = None, before: Place | None = None, size: int = PAGE) -> Listed:
    """Return the scenes written in last, those of a member only (`of`), those after a place in the list: paged without
    counting. Each bears its `last_position`."""
    scenes = Scene.objects.select_related("opened_by").annotate(last_position=LAST)
    if of is not None:
        scenes = scenes.filter(Exists(Post.objects.filter(thread=OuterRef("thread"), duellist__user=of)))
    if before is not None:
        at, pk = EPOCH + dt.timedelta(microseconds=before.microseconds), before.pk
        scenes = scenes.filter(Q(last_post_at__lt=at) | Q(last_post_at=at, pk__lt=pk))
    found = list(scenes.order_by("-last_post_at", "-pk")[: size + 1])
    shown = found[:size]
    return Listed(shown, _place_of(shown[-1]) if len(found) > size else None)


def _place_of(scene: Scene) -> str:
    return f"{(scene.last_post_at - EPOCH) // dt.timedelta(microseconds=1)}-{scene.pk}"


def place(said: str) -> Place | None:
    """Read the place at which a page of the list begins; None for what is none."""
    found = re.fullmatch(r"([0-9]{1,16})-([0-9]{1,16})", said)
    return Place(*map(int, found.groups())) if found else None


def scene_to_read(pk: int, reader: User) -> Scene:
    """Return a scene with its thread; `read_up_to` is the position that the member has marked, or None.

    Raises Scene.DoesNotExist.
    """
    marks = ReadMark.objects.filter(thread=OuterRef("thread"), user=reader)
    scenes = Scene.objects.select_related("thread", "opened_by")
    scene = scenes.annotate(last_position=LAST, read_up_to=Subquery(marks.values("position")[:1])).get(pk=pk)
    scene.thread.post_count = scene.last_position or 0
    return scene


def posts_of_page(thread: Thread, number: int) -> list[Post]:
    """Return the posts of a page (from 1) with their authors and texts."""
    last = number * PAGE
    shown = thread.posts.filter(position__gt=last - PAGE, position__lte=last)
    return list(shown.select_related("duellist", "body", "removal").defer("body__text").order_by("position"))


def page_with(pk: int, position: int) -> int | None:
    """Return the page on which a post of a scene stands, None if there is no such post."""
    found = Post.objects.filter(thread__scene__pk=pk, position=position).exists()
    return page_of(position) if found else None


def draft_of(scene: Scene, user: User) -> SceneDraft | None:
    return SceneDraft.objects.filter(scene=scene, user=user).first()


def leading_to(a: Duellist, b: Duellist) -> Scene | None:
    """Return the last scene in which both have written three posts that count at least, or None (A3.1)."""
    posts = Post.objects.that_count().filter(thread__scene__isnull=False, duellist__in=(a, b))
    counted = posts.values("thread").annotate(
        mine=Count("pk", filter=Q(duellist=a)), theirs=Count("pk", filter=Q(duellist=b))
    )
    threads = counted.filter(mine__gte=POSTS_OF_EACH, theirs__gte=POSTS_OF_EACH).values("thread")
    return Scene.objects.filter(thread__in=threads).order_by("-last_post_at").first()


def written_together(duellists: Collection[int]) -> frozenset[frozenset[int]]:
    """Return which two of these duellists have written three posts each at least in one scene (A3.1): one query."""
    if not duellists:
        return frozenset()
    posts = Post.objects.that_count().filter(thread__scene__isnull=False, duellist__in=duellists)
    counted = posts.values_list("thread", "duellist").annotate(posts=Count("pk")).filter(posts__gte=POSTS_OF_EACH)
    writers: defaultdict[int, set[int]] = defaultdict(set)
    for thread, duellist, _posts in counted:
        writers[thread].add(duellist)
    return frozenset(frozenset(two) for those in writers.values() for two in combinations(those, 2))


def has_companion(duellist: Duellist) -> bool:
    """Say whether somebody else's student has three posts at least in a scene where this one has (A3.1)."""
    posts = Post.objects.that_count().filter(thread__scene__isnull=False)
    enough = posts.values("thread", "duellist").annotate(posts=Count("pk")).filter(posts__gte=POSTS_OF_EACH)
    mine = enough.filter(duellist=duellist).values("thread")
    others = enough.filter(thread__in=mine, duellist__year__isnull=False)
    return others.exclude(duellist__user=duellist.user_id).exists()
