"""A referee's availability and number of duels at once (A14), and that nobody takes more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.errors import Invalid, NotAllowed
from duels.models import Availability, Duel
from duels.models.availability import MOST_AT_ONCE
from duels.people import is_referee

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import QuerySet

IN_HAND = (Duel.Status.ANNOUNCED, Duel.Status.RUNNING)


@transaction.atomic(durable=True)
def set_availability(*, user: User, is_available: bool, at_once: int, note: str = "") -> Availability:
    """Say whether one takes duels, and how many at once (1 to 20); `note`: when one is there. Raises NotAllowed,
    Invalid. Fewer than one holds is no fault: those stay."""
    if not is_referee(user):
        raise NotAllowed(_("Only referees say when they are available."))
    return write_availability(user, is_available=is_available, at_once=at_once, note=note)


def write_availability(user: User, *, is_available: bool, at_once: int, note: str) -> Availability:
    """Store an availability, in a transaction under way. Raises Invalid."""
    check_at_once(at_once)
    said = {"is_available": is_available, "at_once": at_once, "note": note.strip(), "changed_at": clock.now()}
    availability, _is_new = Availability.objects.update_or_create(user=user, defaults=said)
    return availability


def check_at_once(at_once: int) -> None:
    """Raise Invalid unless a referee may follow so many duels at once."""
    if not 1 <= at_once <= MOST_AT_ONCE:
        raise Invalid(_("Between 1 and %(most)d duels at once.") % {"most": MOST_AT_ONCE}, "at_once")


def check_room(user: User) -> None:
    """Raise Invalid unless this referee may take one more duel; one who has said nothing yet may.

    Where a duel is held, their row is held too: of two duels taken at once, the second counts the first.
    """
    said = _held_availability(user)
    if said is None:
        return
    if not said.is_available:
        raise Invalid(_("You have said that you take no duels: say that you are available again to take this one."))
    in_hand = Duel.objects.filter(referee=user, status__in=IN_HAND).count()
    if in_hand >= said.at_once:
        named = {"held": in_hand, "all": said.at_once}
        raise Invalid(
            _("You hold %(held)d duels, and have said %(all)d at once: raise that number to take one more.") % named
        )


def hold_rooms(users: QuerySet[User]) -> None:
    """Hold what these referees have said, in the order of its keys: who then calls `check_room` of several waits for
    nobody who does the same."""
    if connection.features.has_select_for_no_key_update:
        said = Availability.objects.filter(user__in=users).order_by("pk")
        list(said.select_for_update(no_key=True).values_list("pk"))


def _held_availability(user: User) -> Availability | None:
    rows = Availability.objects.filter(user=user)
    if connection.in_atomic_block and connection.features.has_select_for_no_key_update:
        rows = rows.select_for_update(no_key=True)
    return rows.first()
