"""The Legilimens' sight (B7.1): whose post is sealed for whom, who waits for it and until when, and its publication.

Who sees what is said by the menus as a phase opens, and kept in `Phase.sealed_for`.
"""

from __future__ import annotations

import datetime as dt
import json
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from duels.errors import Invalid
from duels.models import Duel, Entry, Phase, Post, SealedPost
from duels.vault import seal as encrypt
from duels.vault import unseal
from rules.core import State

from .ledger import named, post, tell

BEFORE, AFTER = "before", "after"


class Page(NamedTuple):
    """What is published of a filing: `text` as it was written, `details` of its post; `entry` is its entry's index."""

    letter: str
    entry: int
    kind: str
    text: str
    details: dict[str, Any]

    @property
    def order(self) -> str | None:
        """Whether a Legilimens wants it played before or after the post that they have seen."""
        declaration = self.details.get("declaration")
        return declaration.get("order") if isinstance(declaration, dict) else None


def foresee(duel: Duel, phase: Phase, state: State) -> None:
    """Note, as a phase opens, whose post is sealed in it, for whom, and for what part of its time."""
    menus = [duel.rules.awaits(state, letter) for letter in duel.rules.status(state).awaited]
    phase.sealed_for = {menu.seat: list(menu.seen_by) for menu in menus if menu.seen_by}
    phase.sealed_share = min((menu.share for menu in menus), default=1.0)
    if phase.sealed_for:
        phase.sealed_until = phase.opened_at + (phase.due_at - phase.opened_at) * phase.sealed_share


def is_sealed(phase: Phase, letter: str) -> bool:
    """Say whether a post of that seat is (still) for the eyes of a Legilimens alone: one has not filed yet."""
    return bool(seers_of(phase, letter))


def seers_of(phase: Phase, letter: str) -> list[str]:
    """Return the seats that (still) have to see a post of that seat before it is published."""
    gone = {*phase.filed, *phase.left}
    return [seer for seer in phase.sealed_for.get(letter, ()) if seer not in gone]


def foreseen(phase: Phase, letter: str) -> list[str]:
    """Return the seats whose posts that seat sees first."""
    return [target for target, seers in sorted(phase.sealed_for.items()) if letter in seers]


def waits_for(phase: Phase, letter: str, *, at: dt.datetime) -> list[str]:
    """Return the seats that have to file before that one may: the targets of its Legilimens, in their half of the time.

    The rules let nobody wait in a circle.
    """
    if phase.sealed_until is None or at > phase.sealed_until:
        return []
    gone = {*phase.filed, *phase.left}
    return [seat for seat in foreseen(phase, letter) if seat not in gone]


def require_turn_to_file(duel: Duel, phase: Phase, letter: str, declaration: Any, *, at: dt.datetime) -> None:
    """Raise Invalid unless it is that seat's turn to post, and it says before or after just when it has to."""
    if waiting := waits_for(phase, letter, at=at):
        names = ", ".join(duel.name_of(seat) for seat in waiting)
        raise Invalid(
            _("You will see the post of %(names)s before you write yours: wait for it (B7.1).") % {"names": names}
        )
    order = declaration.get("order") if isinstance(declaration, dict) else None
    seen = [seat for seat in foreseen(phase, letter) if seat in phase.filed]
    if seen and order not in (BEFORE, AFTER):
        raise Invalid(_("Say whether your post is played before or after the one that you have seen (B7.1)."), "order")
    if order is not None and not seen:
        raise Invalid(_("You have seen no post that yours could come before or after (B7.1)."), "order")


def tell_free(duel: Duel, *, at: dt.datetime) -> None:
    """Tell those who waited for a post that did not come in its half of the time that they are free (the clock's)."""
    phase = duel.current
    missing = [seat for seat in phase.sealed_for if seat in duel.awaited]
    free = {seer for seat in missing for seer in phase.sealed_for[seat] if seer in duel.awaited}
    if free:
        concerns = [duel.cast[letter]["user"] for letter in sorted(free)]
        tell(duel, "sight_lapsed", at=at, concerns=concerns, turn=phase.number)


def seal(duel: Duel, phase: Phase, page: Page, *, at: dt.datetime) -> None:
    """Keep a page from all but who sees it first; the thread shows its receipt."""
    pages = [*_pages(duel, phase, page.letter), page]
    sealed = encrypt(json.dumps(pages).encode(), duel.uid, "sealed post", phase.pk, page.letter)
    SealedPost.objects.update_or_create(
        phase=phase, seat=page.letter, defaults={"entry_index": pages[0].entry, "sealed": sealed}
    )
    details = {"note": "sealed_post", "receipt": page.details["receipt"], **named(phase)}
    post(duel, Post.Kind.NOTE, at=at, turn=phase.number, seat=page.letter, details=details)


def _pages(duel: Duel, phase: Phase, letter: str) -> list[Page]:
    return [page for one in SealedPost.objects.filter(phase=phase, seat=letter) for page in opened(duel, one)]


def opened(duel: Duel, sealed: SealedPost) -> list[Page]:
    """Return what a sealed post says: its publication, then its correction if there is one.

    Whoever calls it has made sure that the reader may see it: `queries.legilimens` does.
    """
    packed = unseal(sealed.sealed, duel.uid, "sealed post", sealed.phase_id, sealed.seat)
    return [Page(*page) for page in json.loads(packed)]


def release(duel: Duel, phase: Phase, *, at: dt.datetime, along_with: Page | None = None) -> None:
    """Publish the sealed posts that nobody has to see first any more, along with the page that freed them.

    A Legilimens' own comes before them only if they have said so. At the lock, all are published.
    """
    freed: list[Page] = []
    for one in SealedPost.objects.filter(phase=phase) if phase.sealed_for else ():
        if not phase.is_open or not is_sealed(phase, one.seat):
            freed += opened(duel, one)
            one.delete()
    if along_with is not None:
        freed.insert(0 if along_with.order == BEFORE else len(freed), along_with)
    for page in freed:
        _publish(duel, phase, page, at=at)


def _publish(duel: Duel, phase: Phase, page: Page, *, at: dt.datetime) -> None:
    post(
        duel, Post.Kind(page.kind), at=at, turn=phase.number, seat=page.letter, text=page.text,
        entry=_entry(phase, page.entry), details=page.details,
    )  # fmt: skip


def _entry(phase: Phase, index: int) -> Entry:
    return next(entry for entry in phase.log if entry.index == index)
