"""Knock-outs: who loses once is out, or who loses twice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache

from . import bracket
from .bracket import AWAITED, Node, Seen, Source
from .core import Course, Pairing, Place, Standing


class Bracket(ABC):
    """What both have in common: the graph of their matches."""

    needs_winner = True

    @abstractmethod
    def nodes(self, course: Course) -> tuple[Node, ...]:
        """Return the graph of the matches of a tournament of so many places."""

    def seen(self, course: Course) -> list[Seen]:
        """Return every match of the bracket as it stands, to be drawn."""
        return bracket.see(self.nodes(course), course)

    def pair(self, course: Course) -> tuple[Pairing, ...]:
        return bracket.pair(self.nodes(course), course)

    def plays_on(self, course: Course, place: Place) -> bool:
        return any(seen.winner == AWAITED and place in (seen.a, seen.b) for seen in self.seen(course))

    def standings(self, course: Course) -> list[Standing]:
        return bracket.standings(self.nodes(course), course)

    def winner(self, course: Course) -> Place | None:
        """Who has won the last match, or passed there without one: never who was beaten before it."""
        last = self.seen(course)[-1].winner
        return last if isinstance(last, int) else None


class SingleElimination(Bracket):
    """Who loses is out. The best seeded have the byes of the first round; with `third_place`, those who lose the two
    matches before the final meet too."""

    name = "single"

    def rounds(self, course: Course) -> int:
        return bracket.size_for(course.places).bit_length() - 1

    def nodes(self, course: Course) -> tuple[Node, ...]:
        return _single(course.places, course.third_place)


class DoubleElimination(Bracket):
    """Who loses twice is out: who loses first goes down to a bracket of their own, whose winner meets that of the first
    in the final, and must win it twice."""

    name = "double"

    def rounds(self, course: Course) -> int:
        """The losers' bracket has two rounds for each of the winners' but the first; then the final, twice at most."""
        first = bracket.size_for(course.places).bit_length() - 1
        return 2 * first + 1

    def nodes(self, course: Course) -> tuple[Node, ...]:
        return _double(course.places)


@lru_cache(maxsize=256)
def _single(places: int, third_place: bool) -> tuple[Node, ...]:
    *earlier, last = bracket.winners_bracket(places)
    depth = len(earlier) + 1
    third = []
    if third_place and earlier:
        a, b = earlier[-1]
        third.append(Node("3", Source("loser", a.key), Source("loser", b.key), depth, depth, "third"))
    final = last[0]._replace(level=depth + 1, branch="final")
    return (*(node for nodes in earlier for node in nodes), *third, final)


@lru_cache(maxsize=256)
def _double(places: int) -> tuple[Node, ...]:
    """The bracket of losers takes in who loses above, the order turned round each second time, so that those who have
    met do not meet again at once."""
    winners = bracket.winners_bracket(places)
    nodes = list(winners[0])
    waiting = [Source("loser", node.key) for node in winners[0]]
    number = 0
    if len(waiting) > 1:
        number = 1
        waiting = _losers_round(number, waiting[::2], waiting[1::2], nodes)
    for round_number, round_nodes in enumerate(winners[1:], start=2):
        nodes += [node._replace(level=2 * round_number - 2) for node in round_nodes]
        fallen = [Source("loser", node.key) for node in round_nodes]
        number += 1
        waiting = _losers_round(number, waiting, fallen[::-1] if round_number % 2 == 0 else fallen, nodes)
        if len(waiting) > 1:
            number += 1
            waiting = _losers_round(number, waiting[::2], waiting[1::2], nodes)
    first = Node("F1", Source("winner", winners[-1][0].key), waiting[0], number + 1, number + 2, "final")
    again = Node("F2", Source("winner", "F1"), Source("second_life", "F1"), number + 2, number + 3, "final")
    return (*nodes, first, again)


def _losers_round(number: int, one: list[Source], other: list[Source], nodes: list[Node]) -> list[Source]:
    """Add a round of the losers' bracket; return its winners."""
    made = [
        Node(f"L{number}.{index + 1}", a, b, number, number + 1, "losers")
        for index, (a, b) in enumerate(zip(one, other, strict=True))
    ]
    nodes += made
    return [Source("winner", node.key) for node in made]
