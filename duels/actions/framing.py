"""The referee's own words around a result: kept while it is not published, then posts before it and after it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from duels import secrets
from duels.markup import digest
from duels.models import Duel, Entry, Framing, Phase, Post

from .ledger import named, post

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class Words(NamedTuple):
    """What a referee writes around a result (CommonMark); empty where there is nothing."""

    preamble: str = ""
    closing: str = ""


NOTHING = Words()


def kept(phase: Phase) -> Words:
    """Return what the referee has written around a phase, not published yet."""
    framing = Framing.objects.filter(phase=phase).first()
    return Words(**secrets.open_framing(framing)) if framing else NOTHING


class Unpublished(NamedTuple):
    """What somebody wrote around a phase that was not published with it; `author` is a user's name, "" if unknown."""

    phase: Phase
    author: str
    words: Words


def unpublished(phase: Phase) -> list[Unpublished]:
    """Return what was written around a phase, or around the same one before a correction, and did not appear: it was
    superseded, ended unresolved, or was published by the clock."""
    here = Framing.objects.filter(phase__duel=phase.duel_id, phase__number=phase.number, phase__name=phase.name)
    found = here.exclude(phase__status=Phase.Status.LOCKED).select_related("phase", "author").order_by("-phase__branch")
    return [
        Unpublished(one.phase, one.author.get_username() if one.author else "", Words(**secrets.open_framing(one)))
        for one in found
    ]


def author_of(phase: Phase) -> str:
    """Return the name of who wrote what is kept for a phase; "" where nothing is, or nobody is known."""
    framing = Framing.objects.filter(phase=phase).select_related("author").first()
    return framing.author.get_username() if framing and framing.author else ""


def keep(phase: Phase, words: Words, *, by: User, at: dt.datetime) -> None:
    """Keep what is written around a phase of a duel that is held, sealed; nothing written leaves nothing."""
    if words == NOTHING:
        Framing.objects.filter(phase=phase).delete()
        return
    sealed = secrets.seal_framing(phase.pk, words._asdict())
    Framing.objects.update_or_create(phase=phase, defaults={"sealed": sealed, "saved_at": at, "author": by})


def taken(phase: Phase) -> Words:
    """Return what was kept for a phase that is being published, and keep it no more."""
    words = kept(phase)
    if words != NOTHING:
        Framing.objects.filter(phase=phase).delete()
    return words


def digests(words: Words) -> dict[str, str]:
    """Return what the record holds of the words: a SHA-256 for each text."""
    return {f"{name}_sha256": digest(text) for name, text in words._asdict().items() if text}


@contextmanager
def around(duel: Duel, publication: Entry, words: Words, *, at: dt.datetime) -> Iterator[None]:
    """Post the preamble, then what is posted within, then the closing, around what an entry of a duel that is held
    publishes."""
    if words.preamble:
        _post(duel, Post.Kind.PREAMBLE, publication, words.preamble, at=at)
    yield
    if words.closing:
        _post(duel, Post.Kind.CLOSING, publication, words.closing, at=at)


def _post(duel: Duel, kind: Post.Kind, publication: Entry, text: str, *, at: dt.datetime) -> None:
    details = {"referee": duel.referee.username if duel.referee else "", **named(duel.current)}
    post(duel, kind, at=at, turn=publication.phase, text=text, entry=publication, details=details)
