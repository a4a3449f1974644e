"""Announcing a tournament, and calling it off."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.actions.arranged import call_off
from duels.actions.sendings import done, once
from duels.errors import Invalid, TooLate
from duels.models import Duel
from duels.people import is_referee
from duels.queries.books import current_book
from tournaments import lots
from tournaments.models import FEWEST, LONGEST, MOST, SHORTEST, Tournament

from .holding import duel_of, end, everybody, held, require_organiser, tell

if TYPE_CHECKING:
    from django.contrib.auth.models import User

RESERVED = ("nouveau",)  # addresses
NAME_TAKEN = _("Another tournament already bears this name.")


@transaction.atomic(durable=True)
def announce_tournament(
    *,
    user: User,
    name: str,
    ruleset: str,
    kind: str,
    seeding: str,
    starts_at: dt.datetime,
    mode: str = "",
    description: str = "",
    third_place: bool = False,
    capacity: int = 16,
    turn_hours: int = 48,
    round_days: int = 14,
    referees: Iterable[User] = (),
    sending: uuid.UUID | None = None,
) -> Tournament:
    """Announce a tournament: registration is open, and the seed of its draws is committed to.

    `sending`: the key of the form. Raises NotAllowed, Invalid (naming the field), AlreadySent.
    """
    require_organiser(user, "add")
    now = clock.now()
    sent = once(user, sending, at=now)
    slug = slugify(name)
    _check(name, slug, ruleset, mode, starts_at, now)
    _check_bounds(capacity, round_days)
    judges = list(referees)
    for judge in judges:
        if not is_referee(judge):
            raise Invalid(_("%(name)s is not a referee.") % {"name": judge}, "referees")
    uid = uuid.uuid4()
    sealed, commitment = lots.draw_seed(uid)
    is_spells = ruleset == Tournament.Ruleset.SPELLS
    tournament = Tournament(
        uid=uid, name=name, slug=slug, description=description, ruleset=ruleset, kind=kind, seeding=seeding,
        mode=mode if is_spells else "", book=current_book() if is_spells else None,
        third_place=third_place and kind == Tournament.Kind.SINGLE, capacity=capacity,
        turn_hours=48 if is_spells else turn_hours, round_days=round_days, starts_at=starts_at, announced_by=user,
        announced_at=now, commitment=commitment, sealed_seed=sealed,
    )  # fmt: skip
    tournament.wake_at = tournament.next_wake()
    _insert(tournament)
    tournament.referees.set(judges)
    done(sent, tournament.get_absolute_url())
    return tournament


def _insert(tournament: Tournament) -> None:
    try:
        with transaction.atomic():
            tournament.save(force_insert=True)
    except IntegrityError:  # one of that name was announced at that instant
        raise Invalid(NAME_TAKEN, "name") from None


def _check(name: str, slug: str, ruleset: str, mode: str, starts_at: dt.datetime, now: dt.datetime) -> None:
    if not slug or slug in RESERVED:
        raise Invalid(_("This name makes no address: choose one with letters."), "name")
    if Tournament.objects.filter(slug=slug).exists() or Tournament.objects.filter(name=name).exists():
        raise Invalid(NAME_TAKEN, "name")
    if ruleset == Tournament.Ruleset.SPELLS and mode not in Duel.Mode.values:
        raise Invalid(_("Choose one of the two modes: role play, or free."), "mode")
    if starts_at <= now:
        raise Invalid(_("The start must lie in the future."), "starts_at")


def _check_bounds(capacity: int, round_days: int) -> None:
    if not FEWEST <= capacity <= MOST:
        message = _("A tournament has %(fewest)d to %(most)d places.") % {"fewest": FEWEST, "most": MOST}
        raise Invalid(message, "capacity")
    if not SHORTEST <= round_days <= LONGEST:
        message = _("A round lasts %(shortest)d to %(longest)d days.") % {"shortest": SHORTEST, "longest": LONGEST}
        raise Invalid(message, "round_days")


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
