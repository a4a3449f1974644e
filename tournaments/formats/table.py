"""Standings by points, with what breaks a tie."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .core import Course, Place, Result, Standing, tally

TieBreaks = Callable[[Course, dict[Place, int], Place], tuple[int, ...]]


def points(course: Course) -> dict[Place, int]:
    """Return the points of each place, in halves."""
    counted = dict.fromkeys(range(1, course.places + 1), 0)
    for result in course.results:
        counted[result.pairing.a] += result.a
        if result.pairing.b is not None:
            counted[result.pairing.b] += result.b
    return counted


def standings(course: Course, tie_breaks: TieBreaks) -> list[Standing]:
    """Return the places by points, then tie-breaks, then the seeding; those who have left stand last."""
    counted = points(course)
    broken = {place: tie_breaks(course, counted, place) for place in counted}
    order = sorted(
        counted,
        key=lambda place: (place in course.gone, -counted[place], [-value for value in broken[place]], place),
    )
    return [
        Standing(rank, place, *tally(course, place), points=counted[place], tie_breaks=broken[place])
        for rank, place in enumerate(order, start=1)
    ]


def met(course: Course, place: Place) -> Iterator[tuple[Place, int, Result]]:
    """Yield those whom a place was paired with, its own points, and the result; byes left out."""
    for result in course.results:
        pairing = result.pairing
        if pairing.b is None or place not in (pairing.a, pairing.b):
            continue
        yield (pairing.b, result.a, result) if place == pairing.a else (pairing.a, result.b, result)


def sonneborn_berger(course: Course, counted: dict[Place, int], place: Place) -> int:
    """Return the points of those whom the place beat, and half of those of whom it drew with (in quarters).

    Sonneborn–Berger score, Hermann Sonneborn and Johann Berger, 1886; of duels that were played.
    """
    return sum(mine * counted[foe] for foe, mine, result in met(course, place) if result.is_played)


def buchholz(course: Course, counted: dict[Place, int], place: Place) -> int:
    """Return the points of all whom the place has met (Bruno Buchholz, 1932); of duels that were played."""
    return sum(counted[foe] for foe, _mine, result in met(course, place) if result.is_played)


def among_equals(course: Course, counted: dict[Place, int], place: Place) -> int:
    """Return the points won against those who have as many points."""
    return sum(mine for foe, mine, _result in met(course, place) if counted[foe] == counted[place])


def wins(course: Course, place: Place) -> int:
    """Return how many duels were won by being played."""
    return sum(mine > result.a + result.b - mine for _foe, mine, result in met(course, place) if result.is_played)
