"""Who referees, who of them can take a duel, and how many each holds (A14): for everybody to read."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Lower

from duels.actions.availability import IN_HAND
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


def with_room() -> QuerySet[User]:
    """Return the referees who can take one more duel."""
    return referees().filter(Q(place=CAN))
