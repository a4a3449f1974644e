"""Challenges to a spell duel: terms of mode, format, level and types of magic (B1.2, B1.3, B2.5)."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

import rules
from duels import clock
from duels.errors import Invalid, NotAllowed, check_all
from duels.models import Duel, Duellist, Seat, SpellBook
from duels.queries.books import current_book
from duels.queries.eligibility import RULESET, missing
from rules.spells.terms import HOURS, SEATS, types_at

from .challenges import check_start, propose, require_answerable, seal_agreement, wait_for_others
from .ledger import held
from .sendings import done, once

if TYPE_CHECKING:
    from django.contrib.auth.models import User


ONE_EACH = 2  # seats
FIELDS = ("challenger", "opponents", "partner", "second")  # of a form, by seat


class Registration(NamedTuple):
    """What is chosen in mode `free`: a level up to the homework year, and types of magic (B1.2, B2.5)."""

    level: int
    types: tuple[str, ...]


@transaction.atomic(durable=True)
def send_spell_challenge(
    *,
    user: User,
    challenger: Duellist,
    opponents: Sequence[Duellist],
    mode: str,
    starts_at: dt.datetime,
    partner: Duellist | None = None,
    registration: Registration | None = None,
    refereed: bool = True,
    message: str = "",
    sending: uuid.UUID | None = None,
) -> Duel:
    """Challenge one duellist, or with a `partner` two: a and c against b and d; each of the others has to accept.

    `registration` in mode `free` only; in mode `rp` the register decides. Raises NotAllowed, Invalid, AlreadySent.
    """
    now = clock.now()
    sides = [challenger, opponents[0], *([partner] if partner else []), *opponents[1:]]
    Duellist.objects.hold(*sides)  # so that a challenge sent twice at once is one
    sent = once(user, sending, *(one.pk for one in sides), at=now)
    book = current_book()
    if len(sides) != (4 if partner else 2):
        raise Invalid(_("A duel is one against one, or two against two (B1.3)."), "opponents")
    by_field = dict(zip(FIELDS, sides, strict=False))
    check_all(
        lambda: check_spell_challenge(user=user, sides=by_field, mode=mode, starts_at=starts_at, now=now),
        lambda: _refuse_pending(sides),
    )
    duel = spell_duel(mode=mode, book=book, seats=len(sides), refereed=refereed, starts_at=starts_at, created_at=now)
    duel.message = message
    seats = [Seat(letter=letter, duellist=duellist) for letter, duellist in zip(SEATS, sides, strict=False)]
    seats[0].terms = terms_of(challenger, mode, registration, book)
    seats[0].accepted_at = now
    propose(duel, seats, "challenged", concerns=[one.user_id for one in sides[1:]])
    done(sent, reverse("duels:challenge", args=[duel.pk]))
    return duel


def spell_duel(*, seats: int, **terms: Any) -> Duel:
    """Return a spell duel of two or four on these terms, under the rules of today, not stored yet."""
    ruleset = rules.get(RULESET)
    return Duel(
        ruleset=ruleset.name,
        ruleset_version=ruleset.version,
        kind=Duel.Kind.TRAINING,
        format=Duel.Format.ONE if seats == ONE_EACH else Duel.Format.TWO,
        turn_hours=HOURS,
        **terms,
    )


def check_spell_challenge(
    *,
    user: User,
    sides: Mapping[str, Duellist],
    now: dt.datetime,
    mode: str | None = None,
    starts_at: dt.datetime | None = None,
) -> None:
    """Raise NotAllowed, or Invalid with everything that is wrong by field, unless this challenge may be sent.

    `sides`: by field, in the order of seats. What is None or not there is not known yet, and not looked at.
    """
    challenger = sides.get("challenger")
    if challenger is not None and challenger.user_id != user.pk:
        raise NotAllowed(_("Choose one of your own duellists."))
    checks: list[Callable[[], object]] = [
        lambda: _check_mode(mode),
        *(partial(_check_player, sides, field) for field in sides),
        lambda: check_start(starts_at, now),
    ]
    if challenger is not None and mode is not None:
        checks.append(lambda: require_eligible(challenger, mode, now=now))
    check_all(*checks)


def _check_mode(mode: str | None) -> None:
    if mode is not None and mode not in Duel.Mode.values:
        raise Invalid(_("Choose one of the two modes: role play, or free."), "mode")


def _check_player(sides: Mapping[str, Duellist], field: str) -> None:
    """Each duellist of a duel is played by somebody else: of two who are not, the later is refused, by name."""
    one, first = sides[field], next(iter(sides.values()))
    before = [sides[other] for other in takewhile(lambda other: other != field, sides)]
    same = next((other for other in before if other.user_id == one.user_id), None)
    if same is None:
        return
    if same == one:
        message = _("%(name)s stands in this duel already: choose somebody else.")
    elif same == first and "challenger" in sides:
        message = _("%(name)s is played by you, as %(other)s is: choose somebody else’s duellist.")
    else:
        message = _("%(name)s and %(other)s are played by the same member: choose somebody else.")
    raise Invalid(message % {"name": one, "other": same}, field)


def _refuse_pending(sides: Sequence[Duellist]) -> None:
    """Two who are asked to a duel of four may still challenge one another, and the other way round."""
    format = Duel.Format.TWO if len(sides) > ONE_EACH else Duel.Format.ONE
    waiting = Duel.objects.filter(ruleset=RULESET, format=format, status=Duel.Status.CHALLENGED)
    pending = waiting.filter(seats__duellist=sides[0])
    for other in sides[1:]:
        pending = pending.filter(seats__in=Seat.objects.filter(duellist=other))
    if pending.exists():
        raise Invalid(_("A challenge between the same duellists already awaits an answer."), "opponents")


def require_eligible(duellist: Duellist, mode: str, *, now: dt.datetime, besides: Duel | None = None) -> None:
    """Raise Invalid, with all that is missing, unless the duellist may fight now."""
    lacking = missing(duellist, mode, now=now, besides=besides)
    if lacking:
        raise Invalid(" ".join(f"{one.message} ({one.rule})" for one in lacking), "challenger")


def accept_spell_challenge(*, user: User, duel_id: int, registration: Registration | None = None) -> Duel:
    """Accept, with one's level and types of magic in mode `free` (a pairing has them from the desk); agreed once
    everybody has.

    Raises NotAllowed, TooLate, Invalid (something is missing, or the registration is not in order).
    """
    now = clock.now()
    with held(duel_id) as duel:
        seat = require_answerable(duel, user, now)
        Duellist.objects.hold(*(one.duellist for one in duel.seats.select_related("duellist")))  # B2.1: one at a time
        require_eligible(seat.duellist, duel.mode, now=now, besides=duel)
        registration = _as_registered(duel, seat) if duel.paired else registration
        seat.terms = terms_of(seat.duellist, duel.mode, registration, _book_of(duel))
        seat.accepted_at = now
        seat.save(update_fields=["terms", "accepted_at"])
        if not wait_for_others(duel, at=now, seat=seat.letter):
            _require_all_free(duel, now)
            seal_agreement(duel, at=now, seat=seat.letter)
    return duel


def _as_registered(duel: Duel, seat: Seat) -> Registration | None:
    """What was chosen at the desk in mode `free`."""
    return Registration(seat.terms["level"], tuple(seat.terms["types"])) if duel.mode == Duel.Mode.FREE else None


def _book_of(duel: Duel) -> SpellBook:
    if duel.book is None:
        raise LookupError(f"spell duel {duel.pk} has no book")
    return duel.book


def _require_all_free(duel: Duel, now: dt.datetime) -> None:
    """B2.1: whoever accepted first may have begun another duel meanwhile."""
    for seat in duel.seats.select_related("duellist__user"):
        require_eligible(seat.duellist, duel.mode, now=now, besides=duel)


def terms_of(duellist: Duellist, mode: str, registration: Registration | None, book: SpellBook) -> dict[str, Any]:
    """Return what a duel keeps of a duellist: level, types, and the traits that have a rank. Raises Invalid.

    In mode `rp` as registered, in mode `free` as chosen, the level up to the homework year (B1.2, B2.5).
    """
    check_chosen(duellist, mode, registration, book)
    if registration is None:
        registration = Registration(duellist.level, tuple(duellist.types))
        check_types(registration.types, registration.level, book)
    return {
        "level": registration.level,
        "types": list(registration.types),
        "traits": duellist.ranks,
        "prodigium": duellist.prodigium,
    }


def check_chosen(duellist: Duellist, mode: str, registration: Registration | None, book: SpellBook) -> None:
    """Raise Invalid, naming the field, unless that may be chosen: nothing in mode `rp`; in mode `free` a level up to
    the homework year, and its types (B1.2, B2.5)."""
    if mode == Duel.Mode.RP:
        if registration is not None:
            raise Invalid(
                _("In the mode role play, level and types of magic are those of the register (B2.5)."), "types"
            )
        return
    if registration is None:
        raise Invalid(_("Choose the level and the types of magic (B1.2, B2.5)."), "level")
    if not 1 <= registration.level <= duellist.highest_level:
        message = _("%(name)s can fight at the levels 1 to %(highest)d, their homework year (B1.2).")
        raise Invalid(message % {"name": duellist, "highest": duellist.highest_level}, "level")
    check_types(registration.types, registration.level, book)


def check_types(types: Collection[str], level: int, book: SpellBook) -> None:
    """Raise Invalid unless these are as many types of magic of the book as that level has (B2.5)."""
    due = types_at(level)
    if len(set(types)) != due or len(types) != due:
        if due == 1:
            raise Invalid(_("At this level one has one type of magic (B2.5)."), "types")
        raise Invalid(_("At this level one has two different types of magic (B2.5)."), "types")
    if unknown := sorted(set(types) - set(book.types)):
        message = _("The spell book has no type of magic %(types)s.")
        raise Invalid(message % {"types": ", ".join(unknown)}, "types")


def level_gap(duel: Duel) -> int:
    """Return by how many years the duellists of a duel differ at most; more than one is warned about in `rp` (B1.2)."""
    levels = [seat.terms.get("level") or seat.duellist.level for seat in duel.seats.select_related("duellist")]
    return max(levels) - min(levels)
