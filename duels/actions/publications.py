"""What a referee does about the publication of a turn: words of their own around it, and the hour at which it comes."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.errors import Invalid
from duels.models import Duel, Phase, Post
from duels.wakes import published_by
from rules import record

from .announced import call_off
from .filing import LONGEST
from .framing import Words, keep
from .granted import require_decision
from .ledger import append, held, post, tell
from .turns import require_review, require_revision, require_unannounced

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SOON = dt.timedelta(minutes=5)  # what is announced for sooner is as well published now


def keep_words(*, user: User, duel_id: int, turn: int, preamble: str, closing: str, name: str = "turn") -> Duel:
    """Keep what the referee writes around the result of a turn. Raises NotAllowed, TooLate, Invalid."""
    now = clock.now()
    with held(duel_id) as duel:
        phase = require_review(duel, user, turn, name)
        require_unannounced(phase)
        words = Words(preamble.strip(), closing.strip())
        for field, text in words._asdict().items():
            if len(text) > LONGEST:
                raise Invalid(_("This text is too long: 50,000 characters at most."), field)
        keep(phase, words, by=user, at=now)
    return duel


def announce_publication(
    *, user: User, duel_id: int, turn: int, revision: int, publish_at: dt.datetime, name: str = "turn"
) -> Duel:
    """Announce the hour at which a turn will be published as its referee has read it, with the words kept for it.

    Nothing of it changes until then, unless it is called off. Raises NotAllowed, TooLate, Invalid.
    """
    now = clock.now()
    with held(duel_id) as duel:
        phase = require_review(duel, user, turn, name)
        require_unannounced(phase)
        require_decision(phase)
        require_revision(phase, revision)
        _check_hour(phase, publish_at, now)
        phase.publish_at = publish_at
        append(duel, "hour", at=now, phase=phase, public={"publish_at": record.stamp(publish_at)}, by=user)
        details = {"note": "publication_announced", "publish_at": publish_at.isoformat(), "referee": user.username}
        post(duel, Post.Kind.NOTE, at=now, turn=turn, details=details)
        tell(duel, "publication_announced", at=now, turn=turn, phase=phase.name)
    return duel


def _check_hour(phase: Phase, publish_at: dt.datetime, now: dt.datetime) -> None:
    if publish_at < now + SOON:
        raise Invalid(_("Choose an hour at least five minutes from now, or publish at once."), "publish_at")
    if publish_at > published_by(phase):
        message = _("A turn is published within five days of its lock: choose an earlier hour.")
        raise Invalid(message, "publish_at")


def call_off_publication(*, user: User, duel_id: int, turn: int, name: str = "turn") -> Duel:
    """Call off the publication that was announced for an hour. Raises NotAllowed, TooLate, Invalid."""
    now = clock.now()
    with held(duel_id) as duel:
        phase = require_review(duel, user, turn, name)
        if phase.publish_at is None:
            raise Invalid(_("No publication of this turn is announced."))
        call_off(duel, phase, at=now, by=user)
    return duel
