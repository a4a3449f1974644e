"""Swiss: a few rounds, each against somebody who has done as well so far, never the same twice if it can be helped."""

from __future__ import annotations

import networkx

from . import table
from .core import Course, Pairing, Place, Standing

# What is worst in a pairing, in this order: the same two again, unequal points, too near within a group of equals.
_AGAIN, _UNEQUAL = 10**9, 10**4
_MOST = 10**12
_BYE = 0  # in the graph


class Swiss:
    """Each round is a matching of least cost in the graph of all who are left: Edmonds' blossom algorithm (1965), as
    networkx has it after Galil (1986).

    As many rounds as a knock-out would take. An odd one out has a bye, worth a win: the last who has not had one.
    Ties are broken by Buchholz, then Sonneborn–Berger, then wins, then the seeding.
    """

    name = "swiss"
    needs_winner = False

    def rounds(self, course: Course) -> int:
        return max(1, (course.places - 1).bit_length())

    def pair(self, course: Course) -> tuple[Pairing, ...]:
        number = course.round + 1
        if number > self.rounds(course) or len(course.still_in) < 2:
            return ()
        order = [standing for standing in self.standings(course) if standing.place not in course.gone]
        pairs = _matching(course, order)
        return tuple(Pairing(f"{number}.{index}", number, a, b) for index, (a, b) in enumerate(pairs, start=1))

    def plays_on(self, course: Course, place: Place) -> bool:
        return course.round < self.rounds(course)

    def standings(self, course: Course) -> list[Standing]:
        return table.standings(course, _tie_breaks)

    def winner(self, course: Course) -> Place | None:
        return self.standings(course)[0].place


def _tie_breaks(course: Course, counted: dict[Place, int], place: Place) -> tuple[int, ...]:
    return (
        table.buchholz(course, counted, place),
        table.sonneborn_berger(course, counted, place),
        table.wins(course, place),
    )


def _matching(course: Course, order: list[Standing]) -> list[tuple[Place, Place | None]]:
    """Return who meets whom, the best first and the bye last."""
    graph = networkx.Graph()
    times = _times_met(course)
    groups = _groups(order)
    for index, one in enumerate(order):
        for other in order[index + 1 :]:
            cost = _AGAIN * times.get(frozenset((one.place, other.place)), 0) + _cost(one, other, groups)
            graph.add_edge(one.place, other.place, weight=_MOST - cost)
        if len(order) % 2:
            graph.add_edge(one.place, _BYE, weight=_MOST - _cost_of_bye(one, index, order, times))
    rank = {standing.place: index for index, standing in enumerate(order)}
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    pairs = [sorted(pair, key=lambda place: rank.get(place, len(order))) for pair in matched]
    pairs.sort(key=lambda pair: (pair[1] == _BYE, rank[pair[0]]))
    return [(a, b or None) for a, b in pairs]


def _times_met(course: Course) -> dict[frozenset[Place], int]:
    """How often two have been paired."""
    times: dict[frozenset[Place], int] = {}
    for result in course.results:
        both = frozenset((result.pairing.a, result.pairing.b or _BYE))
        times[both] = times.get(both, 0) + 1
    return times


def _groups(order: list[Standing]) -> dict[int, list[Place]]:
    groups: dict[int, list[Place]] = {}
    for standing in order:
        groups.setdefault(standing.points, []).append(standing.place)
    return groups


def _cost(one: Standing, other: Standing, groups: dict[int, list[Place]]) -> int:
    """Equal points first; among equals the upper half meets the lower, in order."""
    if one.points != other.points:
        return _UNEQUAL * (one.points - other.points) ** 2
    group = groups[one.points]
    return abs(abs(group.index(one.place) - group.index(other.place)) - len(group) // 2)


def _cost_of_bye(one: Standing, index: int, order: list[Standing], times: dict[frozenset[Place], int]) -> int:
    above_last = one.points - order[-1].points
    again = _AGAIN * times.get(frozenset((one.place, _BYE)), 0)
    return again + _UNEQUAL * above_last**2 + len(order) - index
