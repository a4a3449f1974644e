"""Who may apply to become a referee (A14): what is missing, if something is."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from duels.models import Duel, Phase
from referee.models import Candidacy

if TYPE_CHECKING:
    from django.contrib.auth.models import User

DUELS = 5  # A14
TURNS = 3  # A14, as A3.3
AGAIN_AFTER = dt.timedelta(days=30)  # after a refusal


class Missing(NamedTuple):
    """What somebody lacks to apply, and when it ends by itself (None: it does not)."""

    message: object
    until: dt.datetime | None = None


class Played(NamedTuple):
    """How many duels somebody has finished that count, and how many that were too short."""

    counted: int
    short: int

    @property
    def lacking(self) -> int:
        return max(0, DUELS - self.counted)


def played(user: User) -> Played:
    """Return the finished duels of a user's duellists; those of three resolved turns at least count."""
    resolved = Count("phases__number", filter=Q(phases__status=Phase.Status.PUBLISHED), distinct=True)
    over = Duel.objects.of(user).filter(status=Duel.Status.OVER).order_by().annotate(resolved=resolved)
    turns = list(over.values_list("resolved", flat=True))
    counted = sum(count >= TURNS for count in turns)
    return Played(counted, len(turns) - counted)


def missing(user: User, *, now: dt.datetime) -> Missing | None:
    """Return what keeps a player from applying now; None: they may."""
    lacking = played(user).lacking
    if lacking:
        message = ngettext_lazy(
            "%(count)d finished duel of at least three resolved turns is missing.",
            "%(count)d finished duels of at least three resolved turns are missing.",
            lacking,
        )
        return Missing(message % {"count": lacking})
    declined = Candidacy.objects.filter(user=user, answer=Candidacy.Answer.DECLINED).order_by("-answered_at").first()
    if declined is None or declined.answered_at is None or declined.answered_at + AGAIN_AFTER <= now:
        return None
    return Missing(_("Your last candidacy was declined less than 30 days ago."), declined.answered_at + AGAIN_AFTER)
