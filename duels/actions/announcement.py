"""The announcement (A4.1, A12.1): a referee takes the duel, the arena is drawn, the commitments are shown."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from duels import clock, secrets, training
from duels.errors import TooLate
from duels.models import Duel, Post, Seat
from rules import record
from rules.hours import NOTICE

from . import books
from .availability import check_room
from .ledger import append, held, post, tell
from .referees import check_may_referee

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def take_duel(*, user: User, duel_id: int) -> Duel:
    """Take an agreed duel as its referee; it is announced at once. Raises NotAllowed, TooLate,
    Invalid (away or full)."""
    now = clock.now()
    with held(duel_id) as duel:
        check_may_referee(duel, user)
        if duel.status != Duel.Status.AGREED or duel.referee_id is not None:
            raise TooLate(_("This duel already has a referee, or is no longer looking for one."))
        check_room(user)
        duel.referee = user
        announce(duel, at=now, by=user)
    return duel


def announce(duel: Duel, *, at: dt.datetime, by: User | None = None) -> None:
    """Announce a duel that is held: ages and years are frozen, the arena is drawn, the seed committed to."""
    if duel.kind == Duel.Kind.CLANDESTINE and not all(seat.duellist.is_student for seat in _seats(duel)):
        raise TooLate(_("One of the two is no longer a student: this clandestine duel cannot take place (A3.1)."))
    secrets.draw_seed(duel)
    duel.starts_at = earliest_start(duel, at)
    terms = terms_of(duel)
    setup = duel.rules.announce(terms, secrets.dice(duel, "announcement"))
    duel.setup = {key: part for key, part in setup.items() if key != "spells"}  # they are in the log, and heavy
    duel.arena = setup.get("arena", "")
    duel.status = Duel.Status.ANNOUNCED
    duel.announced_at = at
    duel.due_at = duel.starts_at
    starts_at = record.stamp(duel.starts_at)
    public = {
        "format": record.FORMAT,
        "ruleset": duel.ruleset,
        "version": duel.ruleset_version,
        "kind": duel.kind,
        "terms": terms,
        "setup": setup,
        "commitment": duel.commitment,
        "starts_at": starts_at,
    }
    append(duel, "announcement", at=at, public=public, by=by)
    details = {"arena": duel.arena, "commitment": duel.commitment, "starts_at": starts_at}
    post(duel, Post.Kind.ANNOUNCEMENT, at=at, details=details)
    tell(duel, "announced", at=at)


def _seats(duel: Duel) -> QuerySet[Seat]:
    return duel.seats.select_related("duellist")


def earliest_start(duel: Duel, at: dt.datetime) -> dt.datetime:
    """Return when a duel starts that is announced at that instant: as agreed; where there is something to prepare,
    48 hours later at least (A4.1b). Students who train start in training hours, the next ones if need be.
    """
    prepares = any(duel.rules.prepares({}, letter).awaited for letter in duel.cast)
    return allowed_start(duel, max(duel.starts_at, at + NOTICE if prepares else at))


def agreed_start(duel: Duel, at: dt.datetime) -> dt.datetime:
    """Return when a duel starts that is agreed on at that instant: as proposed, or as soon as it could start if it were
    announced then. Where its hour has passed, there are 48 hours to find a referee.
    """
    is_late = duel.refereed and duel.starts_at <= at
    return allowed_start(duel, at + NOTICE) if is_late else earliest_start(duel, at)


def start_as_it_stands(duel: Duel, at: dt.datetime) -> dt.datetime:
    """Return when a duel starts that is agreed on at that instant, or announced then if it is agreed on already."""
    return agreed_start(duel, at) if duel.status == Duel.Status.CHALLENGED else earliest_start(duel, at)


def allowed_start(duel: Duel, earliest: dt.datetime) -> dt.datetime:
    """Return the first instant from that one on at which a duel may start (article 3)."""
    return training.next_opening(earliest) if duel.trains_students else earliest


def terms_of(duel: Duel) -> dict[str, Any]:
    """Return what the two have agreed on, as the rules read it."""
    seats = _seats(duel)
    if duel.book is not None:
        return {
            "mode": duel.mode,
            "format": duel.format,
            "turn_hours": duel.turn_hours,
            "duellists": {seat.letter: seat.terms for seat in seats},
            "spells": books.for_the_rules(duel.book),
        }
    return {
        "edition": duel.edition,
        "kind": duel.kind,
        "turn_hours": duel.turn_hours,
        "duellists": {seat.letter: seat.duellist.terms() for seat in seats},
    }
