"""What the pages of tournaments show."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, Prefetch, Q, QuerySet

from duels.models import Duel
from duels.queries.reading import UNUSED
from tournaments import drawing
from tournaments.formats import Course, Standing
from tournaments.formats.elimination import Bracket
from tournaments.models import Entrant, Match, Tournament

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

    Reader = User | AnonymousUser


class Round(NamedTuple):
    """A round: its number, its end, its matches, and who sits it out (in a table of an odd number)."""

    number: int
    wall: dt.datetime
    matches: list[Match]

    @property
    def is_decided(self) -> bool:
        return all(match.decided_at for match in self.matches)


class Row(NamedTuple):
    """A line of the standings."""

    standing: Standing
    entrant: Entrant


class GridRow(NamedTuple):
    """A line of the cross table: what a place won against each, in the order of the standings.

    Points in halves; None where the two have not met yet, or are the same.
    """

    rank: int
    entrant: Entrant
    points: list[int | None]


class Shown(NamedTuple):
    """Everything that the page of a tournament shows of it."""

    entrants: list[Entrant]
    reserves: list[Entrant]
    left: list[Entrant]
    rounds: list[Round]
    rows: list[Row]
    drawings: list[drawing.Drawing]
    coming: list[drawing.Coming]
    grid: list[GridRow]
    has_points: bool
    champion: Entrant | None
    next_matches: list[Match]


def listed() -> QuerySet[Tournament]:
    """Return the tournaments, the newest first, with how many have entered."""
    entered = Count("entrants", filter=Q(entrants__status__in=("registered", "in")) | Q(entrants__place__gt=0))
    return Tournament.objects.annotate(entered=entered).select_related("reign__duellist").order_by("-pk")


def shown(tournament: Tournament) -> Shown:
    """Return what there is to show of a tournament: three queries, however large it is."""
    entrants = list(tournament.entrants.select_related("duellist"))
    duels = Duel.objects.defer(*UNUSED)
    joined = tournament.matches.select_related("first__duellist", "second__duellist")
    matches = list(joined.prefetch_related(Prefetch("duel", duels)).order_by("round", "pk"))
    sitting = _sitting(entrants)
    course = _course(tournament, sitting, matches)
    form = tournament.format
    standings = form.standings(course) if sitting else []
    rows = [Row(standing, sitting[standing.place]) for standing in standings]
    trees, coming = [], []
    if isinstance(form, Bracket) and sitting:
        names = {place: str(entrant.duellist) for place, entrant in sitting.items()}
        plan = drawing.Plan(form.seen(course), names)
        trees = plan.drawings()
        coming = plan.coming({match.key for match in matches}) if tournament.is_running else []
    return Shown(
        entrants=[entrant for entrant in entrants if entrant.status in ("registered", "in")],
        reserves=[entrant for entrant in entrants if entrant.status == "reserve"],
        left=[entrant for entrant in entrants if entrant.has_left],
        rounds=list(_rounds(tournament, matches)),
        rows=rows,
        drawings=trees,
        coming=coming,
        grid=_grid(course, rows) if tournament.kind == Tournament.Kind.ROUND_ROBIN else [],
        has_points=not form.needs_winner,
        champion=_champion(tournament, rows),
        next_matches=[match for match in matches if tournament.is_running and match.decided_at is None],
    )


def _champion(tournament: Tournament, rows: list[Row]) -> Entrant | None:
    """Return who was crowned; None while it is not over, or where nobody has won it."""
    reign = getattr(tournament, "reign", None)
    return next((row.entrant for row in rows if reign and row.entrant.duellist_id == reign.duellist_id), None)


def _sitting(entrants: list[Entrant]) -> dict[int, Entrant]:
    """Return who sits in each place, or sat there last."""
    placed = [entrant for entrant in entrants if entrant.place is not None]
    placed.sort(key=lambda entrant: (entrant.status == "in", entrant.pk))
    return {entrant.place: entrant for entrant in placed if entrant.place is not None}


def _course(tournament: Tournament, sitting: dict[int, Entrant], matches: list[Match]) -> Course:
    gone = frozenset(place for place, entrant in sitting.items() if entrant.has_left)
    results = tuple(result for match in matches if (result := match.result))
    return Course(len(sitting), results, gone, tournament.third_place)


def _grid(course: Course, rows: list[Row]) -> list[GridRow]:
    won: dict[tuple[int, int | None], int] = {}
    for result in course.results:
        pairing = result.pairing
        won[pairing.a, pairing.b] = result.a
        if pairing.b is not None:
            won[pairing.b, pairing.a] = result.b
    places = [row.standing.place for row in rows]
    return [
        GridRow(row.standing.rank, row.entrant, [won.get((row.standing.place, foe)) for foe in places]) for row in rows
    ]


def _rounds(tournament: Tournament, matches: list[Match]) -> Iterator[Round]:
    for number in sorted({match.round for match in matches}, reverse=True):
        here = [match for match in matches if match.round == number]
        yield Round(number, tournament.wall_of(number), here)


def entry_of(tournament: Tournament, reader: Reader) -> Entrant | None:
    """Return the reader's duellist in the tournament, if one is registered and has not left."""
    if reader.pk is None:
        return None
    return tournament.entrants.awaited().filter(duellist__user_id=reader.pk).select_related("duellist").first()


def course_of_page(tournament: Tournament) -> Course:
    """Return as much of a tournament's course as says how long it may last: its places."""
    places = tournament.entrants.exclude(place=None).values("place").distinct().count()
    return Course(places or tournament.capacity, third_place=tournament.third_place)
