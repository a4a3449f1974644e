"""Threads and posts. A post is append-only; its text can be removed by staff, its hash stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from rules.record import WHOLE_TURN, Part, Place, place
from rules.words import MINIMUM

from .duel import Duel
from .log import Entry, Resolution
from .people import Duellist

PAGE = 20  # posts


class Thread(models.Model):
    """A sequence of posts, numbered from 1 without a gap under the lock of what it belongs to: a duel, or a scene."""

    duel = models.OneToOneField(Duel, models.PROTECT, null=True, related_name="thread")

    def __str__(self) -> str:
        return str(self.duel_id or "–")

    @cached_property
    def post_count(self) -> int:
        """The position of the last post, as the index has it; queries that read a thread bring it along."""
        return self.posts.order_by("-position").values_list("position", flat=True).first() or 0

    @property
    def page_count(self) -> int:
        return max(1, page_of(self.post_count))


def last_position(duel: str) -> models.Subquery:
    """Return, for a query, the position of the last post of a duel, whose key stands at `duel` in the outer query."""
    posts = Post.objects.filter(thread__duel=models.OuterRef(duel)).order_by("-position")
    return models.Subquery(posts.values("position")[:1])


def page_of(position: int) -> int:
    """Return the page (from 1) on which the post at `position` (from 1) stands."""
    return (position + PAGE - 1) // PAGE


class PostQuerySet(models.QuerySet["Post"]):
    def that_count(self) -> Self:
        """Those that count as messages (B1.1) and towards a clandestine duel (A3.1): role play as long as a publication
        (A6.2, B2.6), whose text staff have not removed."""
        return self.filter(kind=Post.Kind.RP, words__gte=MINIMUM, removal=None)

    def with_phase(self) -> Self:
        """With their phase’s key, `in_phase`, and until when its posts can be corrected, `correctable_now` (B6.4)."""
        now = models.F("entry__phase_row__correctable")
        return self.annotate(in_phase=models.F("entry__phase_row"), correctable_now=now)


class Post(models.Model):
    """One post of a thread. `details` holds what its sentences are made of, and nothing secret."""

    class Kind(models.TextChoices):
        ANNOUNCEMENT = "announcement", _("announcement")
        START = "start", _("start")
        RP = "rp", _("role play")
        REPLACEMENT = "replacement", _("declaration replaced")
        CORRECTION = "correction", _("correction")
        CHOICE = "choice", _("zone named")
        PREAMBLE = "preamble", _("the referee’s preamble")
        RESOLUTION = "resolution", _("resolution")
        CLOSING = "closing", _("the referee’s closing words")
        VERDICT = "verdict", _("verdict")
        NOTE = "note", _("note")

        @property
        def part(self) -> Part:
            """Which text it is, of what its entry publishes."""
            return "preamble" if self == "preamble" else "closing" if self == "closing" else "post"

    thread = models.ForeignKey(Thread, models.PROTECT, related_name="posts")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind.choices)
    turn = models.PositiveSmallIntegerField(default=0)
    seat = models.CharField(max_length=1, blank=True)
    duellist = models.ForeignKey(Duellist, models.PROTECT, null=True, related_name="posts")
    posted_at = models.DateTimeField()
    text_sha256 = models.CharField(max_length=64, blank=True)
    words = models.PositiveIntegerField(default=0)
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="posts")
    resolution = models.ForeignKey(Resolution, models.PROTECT, null=True, related_name="posts")
    details = models.JSONField(default=dict)
    correction: Post | None = None  # what added what it lacked (B6.4); noted by `queries.spells.note_corrections`
    in_phase: int | None = None  # where it was read `with_phase`
    correctable_now: dict[str, str] | None = None  # likewise
    correctable_until: str | None = None  # until when it can be added, as outages have moved it; likewise

    objects = PostQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["thread", "position"], name="one_post_a_position")]

    superseded_by: int | None = None  # the position of the note of a correction, once somebody has looked for one

    def __str__(self) -> str:
        return f"{self.thread_id}:{self.position}"

    opened_changes: Sequence[Any] | None = None  # set once the duel is over

    @property
    def is_short(self) -> bool:
        """Whether it has fewer words than a publication, and so counts for nothing else."""
        return self.words < MINIMUM

    @property
    def place(self) -> Place:
        """Where its phase stands in the duel, whatever its branch."""
        return place(self.turn, self.details.get("phase", WHOLE_TURN))

    @property
    def changes(self) -> Sequence[Any] | None:
        """What the referee's amendments changed in a resolution, as far as it is open; None where there are none."""
        return self.details.get("changes") if self.opened_changes is None else self.opened_changes


class PostBody(models.Model):
    """The text of a post as written (CommonMark), and its HTML, made once. Gone when the post is removed."""

    post = models.OneToOneField(Post, models.PROTECT, primary_key=True, related_name="body")
    text = models.TextField()
    html = models.TextField()

    def __str__(self) -> str:
        return str(self.post_id)


class Removal(models.Model):
    """Why staff took a post's text away (illegal content, a person's right); append-only."""

    post = models.OneToOneField(Post, models.PROTECT, related_name="removal")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()
    reason = models.TextField()

    def __str__(self) -> str:
        return str(self.post_id)


class ReadMark(models.Model):
    """How far a member has read a thread: the position of the last post seen."""

    thread = models.ForeignKey(Thread, models.CASCADE, related_name="marks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="read_marks")
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["thread", "user"], name="one_mark_a_reader")]

    def __str__(self) -> str:
        return f"{self.user_id}@{self.thread_id}:{self.position}"
