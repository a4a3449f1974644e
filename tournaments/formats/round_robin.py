"""Everyone meets everyone once."""

from __future__ import annotations

from . import table
from .core import Course, Pairing, Place, Standing


class RoundRobin:
    """The circle method (Thomas Kirkman, 1847): one place stands still, the others move on by one each round.

    With an odd number each sits out one round, and gets nothing for it.
    """

    name = "round_robin"
    needs_winner = False

    def rounds(self, course: Course) -> int:
        return course.places - 1 + course.places % 2

    def pair(self, course: Course) -> tuple[Pairing, ...]:
        number = course.round + 1
        if number > self.rounds(course) or course.places < 2:
            return ()
        pairs = _circle(course.places, number)
        return tuple(Pairing(f"{number}.{index}", number, a, b) for index, (a, b) in enumerate(pairs, start=1))

    def plays_on(self, course: Course, place: Place) -> bool:
        return course.round < self.rounds(course)

    def standings(self, course: Course) -> list[Standing]:
        return table.standings(course, _tie_breaks)

    def winner(self, course: Course) -> Place | None:
        return self.standings(course)[0].place


def _circle(places: int, number: int) -> list[tuple[Place, Place]]:
    """Return who meets whom in a round; a place that does not exist is a rest."""
    even = places + places % 2
    moving = list(range(2, even + 1))
    turned = [1, *moving[number - 1 :], *moving[: number - 1]]
    pairs = [(turned[index], turned[even - 1 - index]) for index in range(even // 2)]
    return sorted((min(pair), max(pair)) for pair in pairs if max(pair) <= places)


def _tie_breaks(course: Course, counted: dict[Place, int], place: Place) -> tuple[int, ...]:
    return (
        table.among_equals(course, counted, place),
        table.sonneborn_berger(course, counted, place),
        table.wins(course, place),
    )
