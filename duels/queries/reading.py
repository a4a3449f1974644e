"""What readers see: which duels, one page of a thread, how far somebody has read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Case, F, OuterRef, Q, Subquery, TextField, When

from duels import secrets
from duels.difference import difference
from duels.models import Duel, Entry, Phase, Post, ReadMark, Resolution, Scene, Seat, Thread
from duels.models.thread import PAGE, last_position, page_of
from duels.people import is_referee

from .spells import may_be_corrected, note_corrections

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

    from duels.models.duel import DuelQuerySet

    Reader = User | AnonymousUser

# No page that everybody reads has any use for these columns, sealed or long.
UNUSED = ("sealed_seed", "sealed_state", "setup", "message", "chain_head", "officials")
TABS = {
    "running": (Duel.Status.RUNNING,),
    "announced": (Duel.Status.ANNOUNCED,),
    "over": (Duel.Status.OVER, Duel.Status.CANCELLED),
}


def may_read(duel: Duel, reader: Reader) -> bool:
    """Say whether somebody may know of a duel: anyone once it is announced; before, its players, and the referees
    while one is looked for."""
    if duel.announced_at is not None:
        return True
    if letter_of(duel, reader):
        return True
    return duel.status == Duel.Status.AGREED and is_referee(reader)


def letter_of(duel: Duel, reader: Reader) -> str:
    """Return the letter of the reader's seat, empty for those who do not play."""
    seats = (letter for letter, player in duel.cast.items() if player["user"] == reader.pk)
    return next(seats, "") if reader.is_authenticated else ""


def duel_to_read(pk: int, reader: Reader) -> Duel:
    """Return a duel with its phase, thread and referee; `read_up_to` is the position that a member has marked, or None;
    `newest_events` are those of `last_events`.

    Raises Duel.DoesNotExist, also when the reader may not know of it.
    """
    duels = Duel.objects.select_related("phase", "thread", "referee").defer(*UNUSED, "referee__password")
    duels = duels.annotate(last_position=last_position("pk"), published_events=Subquery(_events_of(OuterRef("pk"))[:1]))
    if reader.is_authenticated:
        marks = ReadMark.objects.filter(thread__duel=OuterRef("pk"), user=reader)
        duels = duels.annotate(read_up_to=Subquery(marks.values("position")[:1]))
    duel = duels.get(pk=pk)
    if not may_read(duel, reader):
        raise Duel.DoesNotExist
    if hasattr(duel, "thread"):
        duel.thread.post_count = duel.last_position or 0
    duel.newest_events = duel.published_events or []
    return duel


def posts_of_page(thread: Thread, number: int) -> list[Post]:
    """Return the posts of a page (from 1) with what they show: text, removal, resolution, hash of their entry."""
    last = number * PAGE
    shown = thread.posts.filter(position__gt=last - PAGE, position__lte=last)
    joined = shown.select_related("body", "removal", "resolution", "entry")
    unused = "body__text", "resolution__sealed", "entry__sealed", "entry__public"
    said = Case(When(kind=Post.Kind.NOTE, then=F("body__text")), output_field=TextField())  # what a note quotes
    return list(joined.defer(*unused).with_phase().annotate(said=said).order_by("position"))


REPLAYED = {  # what a correction replaces; the notes on the way stay true
    Post.Kind.RP,
    Post.Kind.REPLACEMENT,
    Post.Kind.CORRECTION,
    Post.Kind.CHOICE,
    *(RESULT := (Post.Kind.PREAMBLE, Post.Kind.RESOLUTION, Post.Kind.CLOSING)),
}


def note_what_came_later(duel: Duel, posts: list[Post]) -> None:
    """Let posts say what came of them: which post added what they lacked (B6.4), and, where a turn was taken up again,
    the position of the last note of it that replaced them (`superseded_by`)."""
    if not duel.branch and not may_be_corrected(posts):
        return
    taken_up = Q(kind=Post.Kind.NOTE, details__note="correction")
    later = Post.objects.filter(taken_up | Q(kind=Post.Kind.CORRECTION), thread__duel=duel).with_phase()
    by_kind: dict[str, list[Post]] = {Post.Kind.NOTE: [], Post.Kind.CORRECTION: []}
    for one in later.order_by("position"):
        by_kind[one.kind].append(one)
    note_corrections(posts, by_kind[Post.Kind.CORRECTION])
    for post in posts:
        after = [one.position for one in by_kind[Post.Kind.NOTE] if _replaces(one, post)]
        post.superseded_by = after[-1] if after else None


def _replaces(correction: Post, post: Post) -> bool:
    """Say whether a turn taken up again replaces a post: what came after the turn, and its own result."""
    if post.position > correction.position or post.kind not in REPLAYED:
        return False
    return post.place > correction.place or (post.kind in RESULT and post.place == correction.place)


class Resolved(NamedTuple):
    """The post of a resolution, and those of the referee's words around it, if there are any."""

    resolution: Post
    preamble: Post | None
    closing: Post | None


def resolution_at(duel: Duel, position: int) -> Resolved | None:
    """Return the resolution posted at a position of a duel's thread, and the words around it; None if it is no such."""
    around = Post.objects.filter(thread__duel=duel, position__range=(position - 1, position + 1))
    posts = {post.position: post for post in around.select_related("body", "resolution").defer("resolution__sealed")}
    found = posts.get(position)
    if found is None or found.kind != Post.Kind.RESOLUTION:
        return None
    note_what_came_later(duel, [found])
    before, after = posts.get(position - 1), posts.get(position + 1)
    return Resolved(
        found,
        before if before is not None and before.kind == Post.Kind.PREAMBLE else None,
        after if after is not None and after.kind == Post.Kind.CLOSING else None,
    )


def open_differences(duel: Duel, posts: list[Post]) -> None:
    """Give the amended resolutions among the posts of a duel that is over their `opened_changes`: from what was
    computed first, all of it (what was published while the duel ran tells no secret)."""
    resolved = [(post.resolution, post) for post in posts if post.resolution and post.changes is not None]
    amended = {(resolution.phase_id, resolution.revision): post for resolution, post in resolved}
    if not amended:
        return
    for entry in Entry.objects.filter(kind="publication", phase_row__in={phase for phase, _revision in amended}):
        if post := amended.get((entry.phase_row_id or 0, entry.public["revision"])):
            content = secrets.opened(entry, duel.uid).content
            post.opened_changes = difference(content["computed"], content["events"])


def last_events(duel: Duel) -> list[dict[str, Any]]:
    """Return the public events of the last turn published, none before the first."""
    return _events_of(duel).first() or []


def _events_of(duel: Duel | OuterRef) -> Any:
    published = Resolution.objects.filter(phase__duel=duel, phase__status=Phase.Status.PUBLISHED)
    return published.order_by("-pk").values_list("public_events", flat=True)


class Unread(NamedTuple):
    """The first post that a member has not read, and its page."""

    position: int
    page: int


def first_unread(read: Duel | Scene, thread: Thread) -> Unread | None:
    """Return where the member's reading stopped; None when there is nothing new, or nothing was ever read."""
    read_up_to: int | None = getattr(read, "read_up_to", None)
    if read_up_to is None or read_up_to >= thread.post_count:
        return None
    return Unread(read_up_to + 1, page_of(read_up_to + 1))


def has_post(duel_id: int, position: int) -> bool:
    """Say whether a post stands there. Anybody may know: before the announcement there are none."""
    return Post.objects.filter(thread__duel__pk=duel_id, position=position).exists()


class Listed(NamedTuple):
    """A page of a list: its duels, and the key that the next page starts after (None: this is the last)."""

    duels: list[Duel]
    after: int | None


def listed(duels: DuelQuerySet, *, before: int | None, size: int = PAGE) -> Listed:
    """Return the newest duels of a query, those before a key: paged without counting."""
    if before is not None:
        duels = duels.filter(pk__lt=before)
    found = list(duels.select_related("phase").defer(*UNUSED).order_by("-pk")[: size + 1])
    shown = found[:size]
    return Listed(shown, shown[-1].pk if len(found) > size else None)


def filtered(
    duels: DuelQuerySet, *, tab: str, ruleset: str = "", kind: str = "", arena: str = "", duellist: str = ""
) -> DuelQuerySet:
    """Return the public duels of a tab, by the rules of one of both, of a kind, in an arena, with a duellist (part of
    the name)."""
    chosen = {"ruleset": ruleset, "kind": kind, "arena": arena}
    found = duels.public().filter(status__in=TABS[tab], **{name: value for name, value in chosen.items() if value})
    if kind == Duel.Kind.TRAINING:
        found = found.exclude(ruleset="spells")  # kept as such, but told apart by mode and format
    if duellist:
        seats = Seat.objects.filter(duellist__name__icontains=duellist)
        found = found.filter(pk__in=seats.values("duel"))
    return found


def featured() -> Duel | None:
    """Return the running duel whose turn opened last."""
    running = Duel.objects.filter(status=Duel.Status.RUNNING)
    return running.select_related("phase").defer(*UNUSED).order_by("-phase__opened_at").first()


def latest(size: int = 6) -> list[Duel]:
    """Return the newest duels that anybody may read."""
    return listed(Duel.objects.public(), before=None, size=size).duels


def last_turn(posts: list[Post]) -> int | None:
    """Return the position, on the last page, at which the last turn begins: its resolution, else the page itself."""
    resolved = [place for place, post in enumerate(posts) if post.kind == Post.Kind.RESOLUTION]
    if not resolved:
        return next((post.position for post in posts), None)
    place = resolved[-1]
    if place and posts[place - 1].kind == Post.Kind.PREAMBLE:
        place -= 1
    return posts[place].position
