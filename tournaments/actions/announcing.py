"""Announcing a tournament, and calling it off."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.actions.arranged import call_off
from duels.actions.sendings import done, once
from duels.errors import Invalid, TooLate
from duels.models import Duel
from duels.people import is_referee
from duels.queries.books import current_book
from rules.spells.terms import HOURS
from tournaments import lots
from tournaments.models import FEWEST, LONGEST, MOST, SHORTEST, Tournament

from .holding import duel_of, end, everybody, held, require_organiser, tell

if TYPE_CHECKING:
    from django.contrib.auth.models import User

RESERVED = ("nouveau",)  # addresses
NAME_TAKEN = _("Another tournament already bears this name.")


@dataclass(frozen=True, kw_only=True)
class Announcement:
    """What an organiser announces. `mode` is of spell duels; `round_days` in days, `turn_hours` in hours."""

    name: str
    ruleset: str
    kind: str
    seeding: str
    starts_at: dt.datetime
    mode: str = ""
    description: str = ""
    third_place: bool = False
    capacity: int = 16
    turn_hours: int = 48
    round_days: int = 14
    referees: Sequence[User] = ()


@transaction.atomic(durable=True)
def announce_tournament(*, user: User, announcement: Announcement, sending: uuid.UUID | None = None) -> Tournament:
    """Announce a tournament: registration is open, and the seed of its draws is committed to.

    `sending`: the key of the form. Raises NotAllowed, Invalid (naming the field), AlreadySent.
    """
    require_organiser(user, "add")
    now = clock.now()
    sent = once(user, sending, at=now)
    tournament = check_announcement(user=user, announcement=announcement)
    tournament.sealed_seed, tournament.commitment = lots.draw_seed(tournament.uid)
    tournament.announced_at = now
    tournament.wake_at = tournament.next_wake()
    _insert(tournament)
    tournament.referees.set(announcement.referees)
    done(sent, tournament.get_absolute_url())
    return tournament


def check_announcement(*, user: User, announcement: Announcement) -> Tournament:
    """Return the tournament that an announcement would make; nothing is stored.

    Raises NotAllowed, Invalid (naming the field).
    """
    require_organiser(user, "add")
    terms = {one.name: getattr(announcement, one.name) for one in fields(announcement) if one.name != "referees"}
    tournament = Tournament(**terms, slug=slugify(announcement.name), announced_by=user)
    if tournament.is_spells:
        tournament.book = current_book()
    _check_name(tournament)
    _check_what_applies(tournament)
    _check_bounds(tournament)
    for judge in announcement.referees:
        if not is_referee(judge):
            raise Invalid(_("%(name)s is not a referee.") % {"name": judge}, "referees")
    return tournament


def _insert(tournament: Tournament) -> None:
    try:
        with transaction.atomic():
            tournament.save(force_insert=True)
    except IntegrityError:  # one of that name was announced at that instant
        raise Invalid(NAME_TAKEN, "name") from None


def _check_name(tournament: Tournament) -> None:
    name, slug = tournament.name, tournament.slug
    if not slug or slug in RESERVED:
        raise Invalid(_("This name makes no address: choose one with letters."), "name")
    if Tournament.objects.filter(Q(slug=slug) | Q(name=name)).exists():
        raise Invalid(NAME_TAKEN, "name")


def _check_what_applies(tournament: Tournament) -> None:
    """Refuse what the rules or the format chosen have not got."""
    if tournament.is_spells and tournament.mode not in Duel.Mode.values:
        raise Invalid(_("Choose one of the two modes: role play, or free."), "mode")
    if tournament.mode and not tournament.is_spells:
        raise Invalid(_("Arena duels have no mode: choose “none” here, or spell duels above."), "mode")
    if tournament.third_place and tournament.kind != Tournament.Kind.SINGLE:
        message = _("Only a single elimination has a match for the third place: untick it, or choose that format.")
        raise Invalid(message, "third_place")
    if tournament.is_spells and tournament.turn_hours != HOURS:
        raise Invalid(_("Turns of a spell duel always last 48 hours (B1.4): choose 48 hours."), "turn_hours")


def _check_bounds(tournament: Tournament) -> None:
    if not FEWEST <= tournament.capacity <= MOST:
        message = _("A tournament has %(fewest)d to %(most)d places.") % {"fewest": FEWEST, "most": MOST}
        raise Invalid(message, "capacity")
    if not SHORTEST <= tournament.round_days <= LONGEST:
        message = _("A round lasts %(shortest)d to %(longest)d days.") % {"shortest": SHORTEST, "longest": LONGEST}
        raise Invalid(message, "round_days")
    if tournament.starts_at <= clock.now():
        raise Invalid(_("The start must lie in the future."), "starts_at")


def cancel_tournament(*, user: User, tournament_id: int, reason: str) -> Tournament:
    """Call a tournament off, with a reason that is published. Duels that have not started do not take place; those that
    run go on for themselves. Raises NotAllowed, TooLate, Invalid."""
    require_organiser(user, "change")
    now = clock.now()
    if not reason.strip():
        raise Invalid(_("Say why: it is published."), "reason")
    with held(tournament_id) as tournament:
        if not (tournament.is_open or tournament.is_running):
            raise TooLate(_("This tournament is over already."))
        waiting: dict[str, Any] = {"decided_at": None, "duel__status": Duel.Status.ANNOUNCED}
        for duel_id in tournament.matches.filter(**waiting).values_list("duel_id", flat=True):
            with duel_of(duel_id) as duel:
                if duel.status == Duel.Status.ANNOUNCED:
                    call_off(duel, at=now)
        tournament.reason = reason.strip()
        end(tournament, Tournament.Status.CANCELLED, at=now, seed=lots.seed_of(tournament))
        tell(tournament, "tournament_cancelled", at=now, concerns=everybody(tournament))
    return tournament
