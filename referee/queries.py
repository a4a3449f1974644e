"""The referee's queue: what waits for them, what runs, what looks for a referee."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from duels.actions.announcement import earliest_start
from duels.actions.availability import IN_HAND
from duels.models import Availability, Duel, Phase, TimeOut
from duels.wakes import answer_until

from .models import Candidacy, HandOver
from .paging import PAGE


@dataclass(frozen=True)
class Offer:
    """A duel that looks for a referee. `player`: the reader's own duellist in it, for whom it is not to be taken."""

    duel: Duel
    starts_at: dt.datetime
    player: str | None


class Waiting(NamedTuple):
    """One thing that waits for a referee: `what` names the template that shows it, `row` is what it is about."""

    what: str
    since: dt.datetime
    row: Duel | TimeOut | HandOver | Candidacy
    until: dt.datetime | None = None


def waiting(user: User) -> list[Waiting]:
    """Return all that waits for a referee: time-outs by their deadline, then turns to review, duels that another hands
    over and candidacies, the longest waiting first."""
    found = [
        *(Waiting("review", duel.current.locked_at or duel.created_at, duel) for duel in to_review(user)),
        *(Waiting("time_out", asked.asked_at, asked, answer_until(asked.phase)) for asked in time_outs(user)),
        *(Waiting("hand_over", asked.asked_at, asked) for asked in hand_overs(user)),
        *(Waiting("candidacy", sent.sent_at, sent) for sent in candidacies()),
    ]
    return sorted(found, key=lambda one: (one.until is None, one.until or one.since))


_WAITS = Q(phase__status=Phase.Status.LOCKED, phase__publish_at=None)  # for its referee to read it


def to_review(user: User) -> QuerySet[Duel]:
    """Return the duels of which a turn waits for this referee."""
    return _mine(user).filter(_WAITS)


def time_outs(user: User) -> QuerySet[TimeOut]:
    """Return the time-outs that wait for an answer of this referee, the soonest deadline first."""
    asked = TimeOut.objects.filter(answer="", phase__status=Phase.Status.OPEN)
    mine = asked.filter(phase__duel__referee=user, phase__duel__status=Duel.Status.RUNNING)
    return mine.select_related("phase__duel", "seat").order_by("phase__due_at", "pk")


def hand_overs(user: User) -> QuerySet[HandOver]:
    """Return the duels that their referees ask this one to go on with."""
    asked = HandOver.objects.filter(to=user, answer="", asked_by=F("duel__referee"), duel__status__in=IN_HAND)
    return asked.select_related("duel__phase", "asked_by")


def candidacies() -> QuerySet[Candidacy]:
    """Return the candidacies that have waited longest for an answer; all of them have a page of their own."""
    return Candidacy.objects.filter(answer="").select_related("user").order_by("sent_at")[:PAGE]


def contested(user: User) -> QuerySet[Duel]:
    """Return the duels in which an appeal waits that this referee may answer, the first to lapse first."""
    return Duel.objects.contested_for(user).select_related("phase", "referee").order_by("stopped_until", "pk")


def offered(user: User) -> QuerySet[Duel]:
    """Return the duels of which this referee may take a turn over, the longest waiting first."""
    return Duel.objects.offered_to(user).select_related("phase", "referee").order_by("phase__locked_at", "pk")


def under_way(user: User) -> QuerySet[Duel]:
    """Return the referee's duels in which others are to act, or whose turn is published at an announced hour, by their
    next deadline."""
    return _mine(user).exclude(_WAITS).order_by(Coalesce("phase__publish_at", "due_at"), "pk")


def _mine(user: User) -> QuerySet[Duel]:
    """A referee's duels; `asked` names the referee whom they have asked to go on with one, if they have."""
    asked = HandOver.objects.filter(duel=OuterRef("pk"), asked_by=user, answer="").values("to__username")[:1]
    mine = Duel.objects.filter(referee=user, status__in=IN_HAND)
    return mine.select_related("phase").annotate(asked=Subquery(asked))


def published(duel: Duel) -> QuerySet[Phase]:
    """Return the published phases of a duel that count, the last one first."""
    return duel.phases.filter(status=Phase.Status.PUBLISHED).order_by("-number", "-pk")


def seeking() -> QuerySet[Duel]:
    """Return the duels that look for a referee, by the start that was agreed on."""
    wanted = Duel.objects.filter(status=Duel.Status.AGREED, refereed=True, referee=None)
    return wanted.order_by("starts_at", "pk")


def offers(duels: Iterable[Duel], user: User, at: dt.datetime) -> Iterator[Offer]:
    """Say of each duel when it would start, taken at that instant, and whether the reader may take it."""
    for duel in duels:
        own = (player["name"] for player in duel.cast.values() if player["user"] == user.pk)
        yield Offer(duel, earliest_start(duel, at), next(own, None))


@dataclass(frozen=True)
class Standing:
    """How many duels a referee holds, and what they have said of their availability, if they have."""

    in_hand: int
    availability: Availability | None

    @property
    def has_room(self) -> bool:
        said = self.availability
        return said is None or (said.is_available and self.in_hand < said.at_once)


def standing(user: User) -> Standing:
    """Return where a referee stands: what the list of referees says of them."""
    return Standing(in_hand(user), Availability.objects.filter(user=user).first())


def in_hand(user: User) -> int:
    """Return how many duels a referee holds."""
    return Duel.objects.filter(referee=user, status__in=IN_HAND).count()
