"""What the pages of a spell duel's phases show: who has posted, in which order."""

from __future__ import annotations

from collections.abc import Iterable

from duels.models import Phase, Post, Seat


def posts_of_phase(phase: Phase) -> list[Post]:
    """Return what was published in a phase, in its order: what is filed is in the open (B2.6); each with what corrected
    it, if something did (B6.4)."""
    kinds = (Post.Kind.RP, Post.Kind.CORRECTION)
    published = Post.objects.filter(entry__phase_row=phase, kind__in=kinds).order_by("position")
    corrections = {post.seat: post for post in published if post.kind == Post.Kind.CORRECTION}
    posts = [post for post in published if post.kind == Post.Kind.RP]
    for post in posts:
        post.correction = corrections.get(post.seat)
    return posts


def may_be_corrected(posts: Iterable[Post]) -> list[Post]:
    """Return those that were published with what they lacked (B6.4)."""
    return [post for post in posts if post.details.get("correctable_until")]


def note_corrections(posts: Iterable[Post], corrections: Iterable[Post]) -> None:
    """Note on those posts of a thread that could be corrected which of its `corrections` did it, or None; and until
    when they can be: an outage or an appeal has perhaps moved the hour that the post says (B6.4).

    All are read `with_phase`.
    """
    made = {(post.seat, post.in_phase): post for post in corrections}
    for post in may_be_corrected(posts):
        running = post.correctable_now or {}
        post.correction = made.get((post.seat, post.in_phase))
        post.correctable_until = running.get(post.seat, post.details["correctable_until"])


def has_corrected(phase: Phase, letter: str) -> bool:
    """Say whether that seat's right to correct is used up (B6.4)."""
    return Seat.objects.filter(duel=phase.duel_id, letter=letter, corrected=True).exists()
