"""Who has won how much: what a tournament seeds by, and the champions' ranking of the spell duels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Count, F, Q, QuerySet

from duels.models import Currency, Duel, Duellist, Seat

WON = Q(duel__winner=F("letter")) | Q(duel__winner="1", letter__in="ac") | Q(duel__winner="2", letter__in="bd")


class Won(NamedTuple):
    """Duels won, then as few lost as can be: more is better."""

    won: int
    not_lost: int


def by_duels_won(ruleset: str, duellists: Iterable[int]) -> dict[int, Won]:
    """Return what each duellist has won and lost in finished duels of these rules."""
    asked = list(duellists)
    over = Seat.objects.filter(duellist__in=asked, duel__ruleset=ruleset, duel__status=Duel.Status.OVER)
    counted = over.values_list("duellist").annotate(
        won=Count("pk", filter=WON), lost=Count("pk", filter=~WON & ~Q(duel__winner=""))
    )
    found = {duellist: Won(won, -lost) for duellist, won, lost in counted}
    return {duellist: found.get(duellist, Won(0, 0)) for duellist in asked}


def spell_champions() -> QuerySet[Duellist]:
    """Return the duellists with champion's points, the most first; `points` counts them (B3.3.2).

    They are what purses hold of them: the ledger alone counts, what duels have brought and what the staff have given.
    """
    holding = Duellist.objects.filter(accounts__currency=Currency.POINTS, accounts__balance__gt=0)
    return holding.annotate(points=F("accounts__balance")).order_by("-points", "name", "pk")
