"""Making a duellist, and changing one: what running duels have pinned does not follow."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from typing import TYPE_CHECKING, get_args

from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from duels.clock import school_date
from duels.errors import Invalid, NotAllowed
from duels.models import Duel, Duellist
from duels.models.people import MINIMUM_AGE, age_on
from duels.queries.books import current_book
from rules.spells.terms import TWO_TYPES_FROM, Trait, types_at

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST_TYPES = types_at(TWO_TYPES_FROM)

Portrait = ContentFile[bytes] | bool | None  # a new one; False: take it away; None: leave it


def create_duellist(
    *, user: User, name: str, birth_date: dt.date, year: int | None, wand_hand: str, portrait: Portrait = None
) -> Duellist:
    """Make a duellist of the user's. Raises Invalid (under 11, A2.1; name taken)."""
    duellist = Duellist(user=user)
    _write(duellist, name, birth_date, year, wand_hand, portrait)
    return duellist


def edit_duellist(
    *,
    user: User,
    duellist: Duellist,
    name: str,
    birth_date: dt.date,
    year: int | None,
    wand_hand: str,
    portrait: Portrait = None,
) -> Duellist:
    """Change a duellist of the user's; lists of duels that are not over show the new name.

    Age and year of announced duels stay as they were announced. Raises NotAllowed, Invalid.
    """
    if duellist.user_id != user.pk:
        raise NotAllowed(_("Only who plays a duellist can change it."))
    _write(duellist, name, birth_date, year, wand_hand, portrait)
    return duellist


def edit_register(
    *, user: User, duellist: Duellist, types: Collection[str], traits: Collection[str], prodigium: bool
) -> Duellist:
    """Change a duellist's magic register: types of magic, traits, the Prodigium club (B2.5, section 7).

    A trait that is new has no rank, and counts once staff have given it one; one that stays keeps its own.
    What was agreed before stays as it was. Raises NotAllowed, Invalid.
    """
    if duellist.user_id != user.pk:
        raise NotAllowed(_("Only who plays a duellist can change it."))
    if len(set(types)) != len(types) or len(types) > MOST_TYPES:
        raise Invalid(_("A register names one type of magic, or two different ones (B2.5)."), "types")
    if unknown := sorted({*types} - {*current_book().types}):
        raise Invalid(_("The spell book has no type of magic %(types)s.") % {"types": ", ".join(unknown)}, "types")
    if strange := sorted({*traits} - {*get_args(Trait)}):
        raise Invalid(_("There is no trait %(traits)s.") % {"traits": ", ".join(strange)}, "traits")
    duellist.types = list(types)
    duellist.traits = {trait: duellist.traits.get(trait, 0) for trait in sorted(traits)}
    duellist.prodigium = prodigium
    duellist.save(update_fields=["types", "traits", "prodigium"])
    return duellist


def check_birth_date(birth_date: dt.date) -> None:
    """Raise Invalid unless a duellist born that day may duel, on the school's own date (A2.1)."""
    today = school_date()
    if birth_date > today:
        raise Invalid(_("This date lies in the future."), "birth_date")
    age = age_on(birth_date, today)
    if age < MINIMUM_AGE:
        raise Invalid(
            _("A duellist is at least %(minimum)d years old (A2.1): this one would be %(age)d.")
            % {"minimum": MINIMUM_AGE, "age": age},
            "birth_date",
        )


def _write(
    duellist: Duellist, name: str, birth_date: dt.date, year: int | None, wand_hand: str, portrait: Portrait
) -> None:
    check_birth_date(birth_date)
    replaced = duellist.portrait.name if portrait is not None else ""
    duellist.name, duellist.birth_date, duellist.year, duellist.wand_hand = name, birth_date, year, wand_hand
    if portrait is not None:
        duellist.portrait = portrait or ""
    try:
        with transaction.atomic(durable=True):
            rewrite(duellist)
    except IntegrityError:
        raise Invalid(_("Another duellist already bears this name."), "name") from None
    if replaced:
        duellist.portrait.storage.delete(replaced)


def rewrite(duellist: Duellist) -> None:
    """Save a duellist, and copy its name into the duels that are not over; what lists show too, until the announcement.

    The locks come first: whoever publishes in one of these duels holds it, and goes on to read the duellist's row.
    """
    duels = _held_duels(duellist) if duellist.pk else []
    duellist.save()
    for duel in duels:
        recast_duel(duel)
        duel.save(update_fields=["cast"])


def _held_duels(duellist: Duellist) -> list[Duel]:
    """Hold the duels, then the duellist, as everybody does; a duel that was made in between is among them."""
    ended = (Duel.Status.OVER, Duel.Status.DECLINED, Duel.Status.EXPIRED, Duel.Status.CANCELLED)
    duels = Duel.objects.locked().filter(seats__duellist=duellist).exclude(status__in=ended).order_by("pk")
    list(duels.values_list("pk"))
    Duellist.objects.hold(duellist)
    return list(duels)


def recast_duel(duel: Duel) -> None:
    """Bring a duel's `cast` up to date: what the announcement has frozen (year, wand hand) stays as it was."""
    before = duel.cast
    duel.recast()
    if duel.announced_at is not None:
        for letter, player in before.items():
            frozen = {key: player[key] for key in ("year", "wand_hand") if key in player}
            duel.cast[letter].update(frozen)
