"""After the verdict nothing is replayed: a referee or staff annotate it, and note what somebody is owed."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Duel, Post
from duels.people import is_referee

from .ledger import append, held, post, tell
from .sendings import done, once

if TYPE_CHECKING:
    from django.contrib.auth.models import User

NOTE, COMPENSATION = "note", "compensation"
LONGEST = 1000  # characters


def annotate_verdict(
    *, user: User, duel_id: int, kind: str, words: str, reason: str, seat: str = "", sending: uuid.UUID | None = None
) -> Duel:
    """Add a note to the verdict of a duel, or what a seat is owed in compensation, with a reason; for everybody to
    read, and never changed. Noting a compensation pays nothing. Raises NotAllowed, TooLate, Invalid,
    AlreadySent.
    """
    now = clock.now()
    with held(duel_id) as duel:
        check_may_annotate(duel, user)
        if kind not in (NOTE, COMPENSATION):
            raise Invalid(_("Say whether it is a note or a compensation."), "kind")
        if (kind == COMPENSATION) is not (seat in duel.cast):
            raise Invalid(_("A compensation says for whom it is; a note is for nobody in particular."), "seat")
        for field, said in (("words", words), ("reason", reason)):
            if not 0 < len(said.strip()) <= LONGEST:
                raise Invalid(_("Between 1 and 1,000 characters."), field)
        sent = once(user, sending, kind, seat, words, reason, at=now)
        public = {"annotation": kind, "words": words.strip(), "reason": reason.strip()}
        append(duel, "annotation", at=now, phase=duel.phase, seat=seat, public=public, by=user)
        details = {"note": "annotation", "by": user.username, **public}
        post(duel, Post.Kind.NOTE, at=now, turn=duel.turn, seat=seat, details=details)
        tell(duel, "annotated", at=now, by=user.username)
        done(sent, f"{duel.get_absolute_url()}#thread")
    return duel


def check_may_annotate(duel: Duel, user: User) -> None:
    """Raise NotAllowed or TooLate unless the user may annotate the verdict of that duel."""
    if any(player["user"] == user.pk for player in duel.cast.values()):
        raise NotAllowed(_("You play in this duel: its referee or staff annotate it."))
    if not ((duel.referee_id == user.pk and is_referee(user)) or (user.is_active and user.is_staff)):
        raise NotAllowed(_("Only the referee of this duel and staff annotate its verdict."))
    if not duel.is_over:
        raise TooLate(_("This duel has no verdict yet: a published turn can be corrected instead."))
