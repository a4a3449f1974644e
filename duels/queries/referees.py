"""Who referees, who of them can take a duel, and how many each holds (A14): for everybody to read."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from duels.actions.availability import IN_HAND
from duels.models import Duel
from duels.models.duel import HAS_ROOM
from duels.people import REFEREES

CAN, UNSAID, CANNOT = range(3)  # take one more duel


def referees() -> QuerySet[User]:
    """Return all referees with their `availability` and `in_hand`, those first who can take one more, then by name.

    `place` is one of CAN, UNSAID (they have not said), CANNOT.
    """
    held = Count("refereed_duels", filter=Q(refereed_duels__status__in=IN_HAND))
    can = Q(availability__is_available=True, in_hand__lt=F("availability__at_once"))
    unsaid = Q(availability=None)
    place = Case(
        When(can, then=Value(CAN)), When(unsaid, then=Value(UNSAID)), default=Value(CANNOT), output_field=IntegerField()
    )
    named = User.objects.filter(groups__name=REFEREES, is_active=True).select_related("availability")
    return named.annotate(in_hand=held).annotate(place=place).order_by("place", Lower("username"))


class Capacity(NamedTuple):
    """Which `referees` can take one more duel; how many all of them together can (`places`; None: any number, for one
    of them has not said), and how many duels wait for a referee already (`awaited`)."""

    referees: list[User]
    places: int | None
    awaited: int

    @property
    def is_enough(self) -> bool:
        """Whether a referee is left for one more duel."""
        return self.places is None or self.places > self.awaited

    @property
    def why_not(self) -> str:
        """Why no referee is left; empty where one is."""
        if self.is_enough:
            return ""
        if not self.referees:
            return _("No referee has room for another duel at present (nobody referees a duel of their own).")
        message = _("Referees have room for so many more duels: %(places)d. So many wait for one already: %(awaited)d.")
        return message % {"places": self.places, "awaited": self.awaited}


def capacity(*, besides: Collection[int]) -> Capacity:
    """Return what room is left, among the referees who do not play in it (`besides`), for one more duel (A14).

    Each duel that is agreed, or may be by a pairing, needs a referee already.
    """
    able: list[Any] = list(referees().filter(HAS_ROOM, ~Q(pk__in=besides)))
    has_unsaid = any(referee.place == UNSAID for referee in able)
    places = None if has_unsaid else sum(referee.availability.at_once - referee.in_hand for referee in able)
    agreed = Q(status=Duel.Status.AGREED) | Q(status=Duel.Status.CHALLENGED, paired=True)
    return Capacity(able, places, Duel.objects.filter(agreed, refereed=True, referee=None).count())
