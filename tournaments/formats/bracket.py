"""Brackets as graphs: each match takes its two sides from the seeding or from matches before it.

The same few lines then play any bracket: who is known to come, who passes without a match, who is still awaited.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from .core import Course, Pairing, Place, Result, Standing, tally

Side = Place | None | Literal["awaited"]  # None: nobody will come
AWAITED: Literal["awaited"] = "awaited"


class Source(NamedTuple):
    """Where a side comes from: a `seed`, or the `winner` or `loser` of a match.

    `second_life`: the loser of a match if it was its first side; else nobody.
    """

    what: Literal["seed", "winner", "loser", "second_life"]
    of: Place | str


class Node(NamedTuple):
    """A match of a bracket. `level`: how far who is beaten there has come; `column`: where it is drawn."""

    key: str
    a: Source
    b: Source
    level: int
    column: int
    branch: Literal["winners", "losers", "final", "third"]


class Seen(NamedTuple):
    """A match as it stands: its sides, and the `winner` and the `loser` as far as they are known."""

    node: Node
    a: Side
    b: Side
    winner: Side
    loser: Side
    result: Result | None

    @property
    def is_met(self) -> bool:
        """Whether two meet there, or may yet."""
        return self.a is not None and self.b is not None


def seed_order(size: int) -> list[Place]:
    """Return the places from the top of a bracket to its bottom: the first two meet in the final, if they get there.

    The usual fold: each bracket twice as large pairs place p with size + 1 - p. `size` is a power of 2.
    """
    order = [1]
    while len(order) < size:
        order = [place for one in order for place in (one, 2 * len(order) + 1 - one)]
    return order


def size_for(places: int) -> int:
    """Return the smallest power of 2 that holds so many places, 2 at least."""
    return 1 << max(1, (places - 1).bit_length())


def winners_bracket(places: int, *, branch: Literal["winners"] = "winners") -> list[list[Node]]:
    """Return the rounds of a knock-out: the first by the seeding, byes against places that do not exist."""
    size = size_for(places)
    sources = [Source("seed", place) for place in seed_order(size)]
    rounds: list[list[Node]] = []
    while len(sources) > 1:
        number = len(rounds) + 1
        nodes = [
            Node(f"W{number}.{index + 1}", a, b, number, number, branch)
            for index, (a, b) in enumerate(zip(sources[::2], sources[1::2], strict=True))
        ]
        sources = [Source("winner", node.key) for node in nodes]
        rounds.append(nodes)
    return rounds


def see(nodes: Sequence[Node], course: Course) -> list[Seen]:
    """Return every match as it stands. `nodes` stand in an order in which each comes after those it takes from."""
    results = {result.pairing.key: result for result in course.results}
    seen: dict[str, Seen] = {}
    for node in nodes:
        a, b = _side(node.a, seen, course), _side(node.b, seen, course)
        seen[node.key] = Seen(node, a, b, *_outcome(a, b, results.get(node.key)), results.get(node.key))
    return list(seen.values())


def _side(source: Source, seen: dict[str, Seen], course: Course) -> Side:
    if isinstance(source.of, int):
        return source.of if source.of <= course.places else None
    before = seen[source.of]
    if source.what == "winner":
        return before.winner
    if source.what == "second_life" and before.loser not in (before.a, AWAITED):
        return None
    return before.loser


def _outcome(a: Side, b: Side, result: Result | None) -> tuple[Side, Side]:
    """Return the winner and the loser of a match."""
    if a == AWAITED or b == AWAITED:
        return AWAITED, AWAITED
    if a is None or b is None:
        return (b if a is None else a), None
    if result is None:
        return AWAITED, AWAITED
    return result.winner, result.loser


def pair(nodes: Sequence[Node], course: Course) -> tuple[Pairing, ...]:
    """Return the first column that is not decided, as the next round: nobody runs ahead of it through byes."""
    number = course.round + 1
    open_ones = [seen for seen in see(nodes, course) if seen.winner == AWAITED]
    column = min((seen.node.column for seen in open_ones), default=0)
    return tuple(
        Pairing(seen.node.key, number, seen.a, seen.b)
        for seen in open_ones
        if seen.node.column == column and isinstance(seen.a, int) and isinstance(seen.b, int)
    )


def standings(nodes: Sequence[Node], course: Course) -> list[Standing]:
    """Return the places by how far they have come: further up the bracket, then whether they won there.

    Those who came equally far share a rank, and stand in the order of the seeding.
    """
    reached = dict.fromkeys(range(1, course.places + 1), (0, 0))
    for seen in see(nodes, course):
        for side in (seen.a, seen.b):
            if isinstance(side, int):
                reached[side] = max(reached[side], (seen.node.level, _success(seen, side)))
    order = sorted(reached, key=lambda place: ([-part for part in reached[place]], place))
    ranks: dict[tuple[int, int], int] = {}
    for number, place in enumerate(order, start=1):
        ranks.setdefault(reached[place], number)
    return [Standing(ranks[reached[place]], place, *tally(course, place)) for place in order]


def _success(seen: Seen, side: Place) -> int:
    if seen.winner == side:
        return 2
    return 1 if seen.winner == AWAITED else 0
