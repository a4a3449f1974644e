"""The hour announced for the publication of a turn, which may stand no longer."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Literal

from duels.models import Duel, Phase, Post

from .ledger import append, post, tell

if TYPE_CHECKING:
    from django.contrib.auth.models import User

HANDS = ("taken_over", "handed_over")  # notes of a change of referee


def call_off(
    duel: Duel,
    phase: Phase,
    *,
    at: dt.datetime,
    by: User | None = None,
    why: Literal["changed", "referee", "correction"] = "changed",
) -> None:
    """Call off what was announced, if anything was; the duel is held, and its players are told. Without `by`, what has
    happened does it.

    `why`: the turn is taken up again by who announced it, or is another than they had read; the duel has another
    referee, who has not read it; a turn before it is corrected.
    """
    if phase.publish_at is None:
        return
    phase.publish_at = None
    append(duel, "hour", at=at, phase=phase, public={"publish_at": None}, by=by)
    post(duel, Post.Kind.NOTE, at=at, turn=phase.number, details={"note": "publication_called_off", "why": why})
    tell(duel, "publication_called_off", at=at, turn=phase.number, phase=phase.name)


def announced_by_another(duel: Duel) -> bool:
    """Say whether a duel has changed hands since an hour was last announced in it. Its notes tell: they are older than
    the entries of the log that say the same."""
    told = Post.objects.filter(
        thread=duel.thread, kind=Post.Kind.NOTE, details__note__in=("publication_announced", *HANDS)
    )
    last = told.order_by("position").last()
    return last is not None and last.details["note"] in HANDS
