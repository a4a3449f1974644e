"""Brackets as drawings: where each match and each line stands, in the units of an SVG."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from .formats.bracket import AWAITED, Seen, Side, Source

WIDTH, HEIGHT = 240, 44  # of a box
STEP_X, STEP_Y = 272, 56
NARROWEST = 324  # what a phone shows without scrolling
MARGIN = 8
LONGEST = 21  # characters of a name

Places = dict[str, tuple[float, float]]  # of the boxes, by the key of their match
Path = Callable[[tuple[float, float], tuple[float, float]], str]  # from one box to another


class Line(NamedTuple):
    """One of the two of a match: `is_winner`, `is_loser`, or neither yet; `is_known`: else `name` says what it waits
    for."""

    y: float
    name: str
    is_known: bool
    is_winner: bool
    is_loser: bool


class Box(NamedTuple):
    """A match, drawn; `is_met`: two meet there, or may yet (else somebody passes without a match, and it has no
    `number`)."""

    x: float
    y: float
    number: int
    lines: tuple[Line, Line]
    is_met: bool


@dataclass(frozen=True)
class Layout:
    """Boxes, and the lines between them."""

    width: float
    height: float
    boxes: list[Box]
    paths: list[str]


@dataclass(frozen=True)
class Drawing:
    """One tree of a bracket. `branch` names it. `wide` has a column for each round; `narrow` a line for each match."""

    branch: str
    wide: Layout
    narrow: Layout


class Plan:
    """A bracket as it stands: its matches by their keys, the names of the places, the numbers of the matches that are
    met, in the order in which they can be played."""

    def __init__(self, seen: Iterable[Seen], names: Mapping[int, str]) -> None:
        self.nodes = {one.node.key: one for one in seen}
        self.names = names
        met = [key for key, one in self.nodes.items() if one.is_met]
        self.numbers = {key: number for number, key in enumerate(met, start=1)}

    def drawings(self) -> list[Drawing]:
        """Return its trees: the winners', the losers' if there is one, and the last matches."""
        branches: dict[str, list[Seen]] = {}
        for one in self.nodes.values():
            branches.setdefault(one.node.branch, []).append(one)
        final = branches.pop("final", [])
        third = branches.pop("third", [])
        if "losers" in branches:
            branches["final"] = final
        else:  # the final crowns the tree that leads to it
            branches.setdefault("winners", []).extend(final)
        if any(one.is_met for one in third):
            branches["third"] = third
        return [self._tree(branch, nodes) for branch, nodes in branches.items() if nodes]

    def _tree(self, branch: str, nodes: list[Seen]) -> Drawing:
        met = [one for one in nodes if one.is_met]
        return Drawing(
            branch, self._layout(nodes, _in_columns(nodes), _across), self._layout(met, _in_lines(met), _around)
        )

    def _layout(self, nodes: list[Seen], places: Places, path: Path) -> Layout:
        return Layout(
            width=max((x for x, _y in places.values()), default=0) + WIDTH + MARGIN,
            height=max((y for _x, y in places.values()), default=0) + HEIGHT + MARGIN,
            boxes=[self._box(one, places[one.node.key]) for one in nodes],
            paths=[path(places[key], places[one.node.key]) for one in nodes for key in _leading_to(one, nodes)],
        )

    def _box(self, one: Seen, place: tuple[float, float]) -> Box:
        lines = (
            self._line(18.0, one.a, one.node.a, one),
            self._line(37.0, one.b, one.node.b, one),
        )
        return Box(*place, self.numbers.get(one.node.key, 0), lines, one.is_met)

    def _line(self, y: float, side: Side, source: Source, one: Seen) -> Line:
        if not isinstance(side, int):
            return Line(y, self.awaited(source) if side == AWAITED else "", False, False, False)
        name = f"{side}. {self.names[side]}"
        short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        return Line(y, short, True, one.winner == side, one.loser == side)

    def awaited(self, source: Source) -> str:
        """Say which match a side waits for; where somebody passes without one, the match before it."""
        before = self.nodes[str(source.of)]
        if not before.is_met:
            return self.awaited(before.node.a if before.a == AWAITED else before.node.b)
        said = _("the winner of match %(number)d") if source.what == "winner" else _("the loser of match %(number)d")
        return said % {"number": self.numbers[before.node.key]}

    def coming(self, paired: Collection[str]) -> list[Coming]:
        """Return, in words and in their order, the matches that are not among those `paired` (by their keys)."""
        return [
            Coming(
                self.numbers[key],
                one.node.branch,
                (self._expected(one.a, one.node.a), self._expected(one.b, one.node.b)),
                one.node.b.what != "second_life",
            )
            for key, one in self.nodes.items()
            if one.is_met and one.winner == AWAITED and key not in paired
        ]

    def _expected(self, side: Side, source: Source) -> str:
        """Who comes there: by name, or as who wins or loses a match, by its two sides where they are known."""
        if isinstance(side, int):
            return self.names[side]
        before = self.nodes[str(source.of)]
        if not (isinstance(before.a, int) and isinstance(before.b, int)):
            return self.awaited(source)
        named = {"one": self.names[before.a], "other": self.names[before.b]}
        if source.what == "winner":
            return _("the winner of %(one)s – %(other)s") % named
        return _("the loser of %(one)s – %(other)s") % named


class Coming(NamedTuple):
    """A match of a bracket that has no sides yet, or one: who is to meet there, in words."""

    number: int
    branch: str
    sides: tuple[str, str]
    is_certain: bool  # else the final, once more, if it is needed


def _leading_to(one: Seen, nodes: Sequence[Seen]) -> Iterator[str]:
    """Yield the matches of a tree that are met, and whose winner comes to this one."""
    met = {other.node.key for other in nodes if other.is_met}
    for source in (one.node.a, one.node.b):
        if one.is_met and source.what == "winner" and source.of in met:
            yield str(source.of)


def _in_columns(nodes: Iterable[Seen]) -> Places:
    """Place each round in a column, each match at the height of the two before it."""
    columns: dict[int, list[str]] = {}
    for one in nodes:
        columns.setdefault(one.node.column, []).append(one.node.key)
    tallest = max(map(len, columns.values()))
    places: Places = {}
    for number, column in enumerate(sorted(columns)):
        share = tallest * STEP_Y / len(columns[column])
        for index, key in enumerate(columns[column]):
            places[key] = MARGIN + number * STEP_X, MARGIN + share * (index + 0.5) - HEIGHT / 2
    return places


def _in_lines(nodes: Sequence[Seen]) -> Places:
    """Place each match on a line of its own, between those that lead to it, and further in than they are."""
    columns = sorted({one.node.column for one in nodes})
    step = (NARROWEST - 2 * MARGIN - WIDTH) / max(1, len(columns) - 1)
    return {
        one.node.key: (MARGIN + columns.index(one.node.column) * step, MARGIN + number * STEP_Y)
        for number, one in enumerate(_in_order(nodes))
    }


def _in_order(nodes: Sequence[Seen]) -> Iterator[Seen]:
    by_key = {one.node.key: one for one in nodes}
    before = {key: list(_leading_to(one, nodes)) for key, one in by_key.items()}

    def up_to(key: str) -> Iterator[Seen]:
        first, rest = before[key][:1], before[key][1:]
        for other in first:
            yield from up_to(other)
        yield by_key[key]
        for other in rest:
            yield from up_to(other)

    led_on = {key for keys in before.values() for key in keys}
    for key in by_key:
        if key not in led_on:
            yield from up_to(key)


def _across(one: tuple[float, float], other: tuple[float, float]) -> str:
    """Return the line from a box to one in a later column."""
    half = (one[0] + WIDTH + other[0]) / 2
    return f"M{one[0] + WIDTH:g} {one[1] + HEIGHT / 2:g}H{half:g}V{other[1] + HEIGHT / 2:g}H{other[0]:g}"


def _around(one: tuple[float, float], other: tuple[float, float]) -> str:
    """Return the line from a box to one above or below it that stands further in."""
    half = one[0] + WIDTH + (other[0] - one[0]) / 2
    edge = other[1] if one[1] < other[1] else other[1] + HEIGHT
    return f"M{one[0] + WIDTH:g} {one[1] + HEIGHT / 2:g}H{half:g}V{edge:g}"
