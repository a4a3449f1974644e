"""The posts that some see before the others (B7.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duels import markup
from duels.actions.disclosures import note_disclosure
from duels.actions.legilimens import Page, foreseen, opened
from duels.models import Duel, Phase, Post, PostBody, SealedPost

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def sealed_pages(duel: Duel, phase: Phase, user: User) -> list[Page]:
    """Return the sealed posts of a phase that this user may read: one's own, and those that one's Legilimens sees;
    nothing to anybody else, the duel's referee included, for whom they open as the phase locks. Their authors learn
    that they were shown.
    """
    if not phase.sealed_for:
        return []
    mine = [letter for letter, player in duel.cast.items() if player["user"] == user.pk]
    theirs = [*mine, *(seat for letter in mine for seat in foreseen(phase, letter))]
    shown = list(SealedPost.objects.filter(phase=phase, seat__in=theirs))
    note_disclosure(user=user, duel=duel, phase=phase, seats=[one.seat for one in shown if one.seat not in mine])
    return [_with_its_hour(page, phase) for one in shown for page in opened(duel, one)]


def own_text(duel: Duel, phase: Phase, letter: str) -> str:
    """Return the text that a seat has published in a phase, sealed or not, as it is read. Only for its own eyes."""
    if sealed := SealedPost.objects.filter(phase=phase, seat=letter).first():
        return markup.render(opened(duel, sealed)[0].text)
    body = PostBody.objects.filter(post__entry__phase_row=phase, post__kind=Post.Kind.RP, post__seat=letter).first()
    return body.html if body else ""


def _with_its_hour(page: Page, phase: Phase) -> Page:
    """Return a page with the hour until which it can be corrected, as an outage or an appeal has moved it (B6.4)."""
    if "correctable_until" not in page.details:
        return page
    until = phase.correctable.get(page.letter, page.details["correctable_until"])
    return page._replace(details={**page.details, "correctable_until": until})
