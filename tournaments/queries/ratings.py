"""Ratings for the curious: a Plackett-Luce model of Weng and Lin (2011), by the library openskill."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import F, QuerySet
from openskill.models import PlackettLuce

from duels.models import Happening
from tournaments.models import Cursor, LeftOut, Rating

_MODEL = PlackettLuce()
TEAMS = (("a", "c"), ("b", "d"))
WINNERS = {"a": 0, "1": 0, "b": 1, "2": 1}
CAUTION = 3  # sigmas below: what somebody is nearly certainly worth, by which a list is sorted


class Rated(NamedTuple):
    """A rating, and the number of duels that it comes from."""

    mu: float
    sigma: float
    duels: int = 0


Key = tuple[int, str]  # duellist, ruleset


def fresh() -> Rated:
    """Return the rating of somebody who has not duelled yet."""
    start = _MODEL.rating()
    return Rated(start.mu, start.sigma)


class Over(NamedTuple):
    """A duel that is over: its rules, its cast (letter → player), and the seat or team that won; empty in a draw."""

    ruleset: str
    cast: dict[str, Any]
    winner: str


def overs(happenings: Iterable[Happening]) -> Iterable[Over]:
    """Yield the duels that are told to be over, in the order of the happenings."""
    for one in happenings:
        if one.what == "over" and one.duel is not None:
            yield Over(one.duel.ruleset, one.duel.cast, one.duel.winner)


def rate(known: dict[Key, Rated], over: Over) -> dict[Key, Rated]:
    """Return the new ratings of those who fought a duel; those who have none yet are fresh."""
    teams = [
        [(over.cast[letter]["duellist"], over.ruleset) for letter in team if letter in over.cast] for team in TEAMS
    ]
    before = [[known.get(key) or fresh() for key in team] for team in teams]
    ranks = [1.0, 1.0]
    if over.winner:
        ranks[1 - WINNERS[over.winner]] = 2.0
    after = _MODEL.rate([[_MODEL.rating(one.mu, one.sigma) for one in team] for team in before], ranks=ranks)
    return {
        key: Rated(new.mu, new.sigma, old.duels + 1)
        for keys, olds, news in zip(teams, before, after, strict=True)
        for key, old, new in zip(keys, olds, news, strict=True)
    }


def from_the_log(up_to: int) -> dict[Key, Rated]:
    """Return all ratings, computed anew from the duels over up to a happening, but for those left out."""
    told = Happening.objects.filter(what="over", pk__lte=up_to).order_by("pk").select_related("duel")
    told = told.exclude(duel__in=LeftOut.objects.of(Cursor.RATINGS))
    known: dict[Key, Rated] = {}
    for over in overs(told.only("what", "duel__ruleset", "duel__cast", "duel__winner").iterator()):
        known |= rate(known, over)
    return known


def listed(ruleset: str) -> QuerySet[Rating]:
    """Return the ratings in one kind of duel, who is surely strongest first."""
    surely = F("mu") - CAUTION * F("sigma")
    return (
        Rating.objects.filter(ruleset=ruleset)
        .select_related("duellist")
        .annotate(surely=surely)
        .order_by("-surely", "duellist__name")
    )
