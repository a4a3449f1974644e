"""Brackets as drawings: where each match and each line stands, in the units of an SVG."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from .formats.bracket import AWAITED, Seen, Side, Source
from .models import Match

WIDTH, HEIGHT = 208, 44  # of a box
STEP_X, STEP_Y = 240, 56
MARGIN = 8
LONGEST = 22  # characters of a name


class Line(NamedTuple):
    """One of the two of a match: `is_winner`, `is_loser`, or neither yet."""

    y: float
    name: str
    is_winner: bool
    is_loser: bool


class Box(NamedTuple):
    """A match, drawn; `is_met`: two meet there, or may yet (else somebody passes without a match)."""

    x: float
    y: float
    lines: tuple[Line, Line]
    is_met: bool


@dataclass(frozen=True)
class Drawing:
    """One tree of a bracket. `branch` names it; `paths` are the lines between the boxes."""

    branch: str
    width: float
    height: float
    boxes: list[Box]
    paths: list[str]


def draw(seen: Iterable[Seen], matches: Mapping[str, Match], names: Mapping[int, str]) -> list[Drawing]:
    """Return the trees of a bracket: the winners', the losers' if there is one, and the last matches."""
    branches: dict[str, list[Seen]] = {}
    for one in seen:
        branches.setdefault(one.node.branch, []).append(one)
    final = branches.pop("final", [])
    third = branches.pop("third", [])
    if "losers" in branches:
        branches["final"] = final
    else:  # the final crowns the tree that leads to it
        branches.setdefault("winners", []).extend(final)
    if any(one.is_met for one in third):
        branches["third"] = third
    return [_tree(branch, nodes, matches, names) for branch, nodes in branches.items() if nodes]


class Coming(NamedTuple):
    """A match of a bracket that has no sides yet, or one: who is to meet there, in words."""

    branch: str
    sides: tuple[str, str]
    is_certain: bool  # else the final, once more, if it is needed


def coming(seen: Iterable[Seen], matches: Mapping[str, Match], names: Mapping[int, str]) -> list[Coming]:
    """Return the matches of a bracket that are still to be paired, in their order: what the drawing shows empty."""
    nodes = {one.node.key: one for one in seen}
    return [
        Coming(
            one.node.branch,
            (_expected(one.a, one.node.a, nodes, names), _expected(one.b, one.node.b, nodes, names)),
            one.node.b.what != "second_life",
        )
        for one in nodes.values()
        if one.is_met and one.winner == AWAITED and one.node.key not in matches
    ]


def _expected(side: Side, source: Source, nodes: Mapping[str, Seen], names: Mapping[int, str]) -> str:
    """Who comes there: by name, or as the winner or the loser of a match whose two sides are known."""
    if isinstance(side, int):
        return names[side]
    before = nodes.get(str(source.of))
    if before is None or not (isinstance(before.a, int) and isinstance(before.b, int)):
        return _("somebody who is not known yet")
    named = {"one": names[before.a], "other": names[before.b]}
    if source.what == "winner":
        return _("the winner of %(one)s – %(other)s") % named
    return _("the loser of %(one)s – %(other)s") % named


def _tree(branch: str, nodes: list[Seen], matches: Mapping[str, Match], names: Mapping[int, str]) -> Drawing:
    columns: dict[int, list[Seen]] = {}
    for one in nodes:
        columns.setdefault(one.node.column, []).append(one)
    tallest = max(map(len, columns.values()))
    places: dict[str, tuple[float, float]] = {}
    for number, column in enumerate(sorted(columns)):
        share = tallest * STEP_Y / len(columns[column])
        for index, one in enumerate(columns[column]):
            middle = share * (index + 0.5)
            places[one.node.key] = MARGIN + number * STEP_X, MARGIN + middle - HEIGHT / 2
    return Drawing(
        branch,
        width=2 * MARGIN + (len(columns) - 1) * STEP_X + WIDTH,
        height=2 * MARGIN + tallest * STEP_Y,
        boxes=[_box(one, places[one.node.key], names) for one in nodes],
        paths=list(_paths(nodes, places)),
    )


def _box(one: Seen, place: tuple[float, float], names: Mapping[int, str]) -> Box:
    lines = tuple(
        Line(offset, _name(side, names), _is(one.winner, side), _is(one.loser, side))
        for offset, side in ((18.0, one.a), (37.0, one.b))
    )
    return Box(*place, (lines[0], lines[1]), one.is_met)


def _is(known: Side, side: Side) -> bool:
    return isinstance(side, int) and known == side


def _name(side: Side, names: Mapping[int, str]) -> str:
    if not isinstance(side, int):
        return ""
    name = f"{side}. {names[side]}"
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _paths(nodes: Iterable[Seen], places: Mapping[str, tuple[float, float]]) -> Iterable[str]:
    """Yield a line from each match that is met to the one its winner comes to, within the tree."""
    met = {one.node.key for one in nodes if one.is_met}
    for one in nodes:
        for source in (one.node.a, one.node.b):
            if one.is_met and source.what == "winner" and source.of in met and source.of in places:
                x, y = places[str(source.of)]
                to_x, to_y = places[one.node.key]
                half = (x + WIDTH + to_x) / 2
                yield f"M{x + WIDTH:g} {y + HEIGHT / 2:g}H{half:g}V{to_y + HEIGHT / 2:g}H{to_x:g}"
