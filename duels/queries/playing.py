"""What players ask for: opponents, a duellist's record, where their turn stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, F, Q, QuerySet

from duels.models import Duel, Duellist

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User


class Record(NamedTuple):
    """How a duellist's duels ended."""

    won: int
    lost: int
    drawn: int


def duellists_named(asked: str) -> QuerySet[Duellist]:
    """Return the duellists whose name holds `asked` (all, when it is empty), by name."""
    return Duellist.objects.filter(name__icontains=asked.replace("\0", "").strip()).order_by("name")


def opponents_named(asked: str, user: User) -> QuerySet[Duellist]:
    """Return other users' duellists whose name holds `asked`."""
    return duellists_named(asked).exclude(user=user)


def duellists_of(user: User | AnonymousUser) -> QuerySet[Duellist]:
    """Return the user's own duellists."""
    own = Duellist.objects.filter(user=user) if user.is_authenticated else Duellist.objects.none()
    return own.order_by("name")


def record_of(duellist: Duellist) -> Record:
    """Return how many duels the duellist has won, lost and drawn."""
    over = duellist.seats.filter(duel__status=Duel.Status.OVER)
    first, second = Q(duel__winner="1", letter__in="ac"), Q(duel__winner="2", letter__in="bd")  # teams of a spell duel
    won = Count("pk", filter=Q(duel__winner=F("letter")) | first | second)
    drawn = Count("pk", filter=Q(duel__winner=""))
    counted = over.aggregate(won=won, drawn=drawn, all=Count("pk"))
    return Record(counted["won"], counted["all"] - counted["won"] - counted["drawn"], counted["drawn"])


def duels_under_way(duellist: Duellist) -> QuerySet[Duel]:
    """Return the duels of the duellist that were announced and are not over, the soonest deadline first."""
    under_way = (Duel.Status.ANNOUNCED, Duel.Status.RUNNING)
    return Duel.objects.filter(seats__duellist=duellist, status__in=under_way).order_by("due_at", "pk")


def last_duels(duellist: Duellist, number: int = 10) -> QuerySet[Duel]:
    """Return the duellist's last duels that are over, the latest first; `letter` is the seat."""
    over = Duel.objects.filter(seats__duellist=duellist, status=Duel.Status.OVER)
    return over.annotate(letter=F("seats__letter")).order_by("-ended_at")[:number]
