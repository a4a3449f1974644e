"""What came of simulated duels, in tables: rates with their standard error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import sqrt
from statistics import median, quantiles

import msgspec


class Side(msgspec.Struct, frozen=True):
    """One side of a duel: what it was (« level 3 », « fire »), and whether it won, lost or drew (1, 0, ½)."""

    labels: dict[str, tuple[str, ...]]
    score: float


class Duel(msgspec.Struct, frozen=True):
    """One duel played to its end. `used` and `succeeded` count spells or options."""

    turns: int
    by: str
    sides: tuple[Side, ...]
    used: dict[str, int]
    succeeded: dict[str, int]


def report(duels: Iterable[Duel]) -> Iterator[str]:
    """Return the lines of the tables, in Markdown."""
    played = list(duels)
    yield from _lengths(played)
    for title in played[0].sides[0].labels if played else ():
        yield from _rates(title, played)
    yield from _uses(played)


def _lengths(duels: list[Duel]) -> Iterator[str]:
    turns = [duel.turns for duel in duels]
    drawn = sum(duel.by == "draw" for duel in duels)
    yield f"{len(duels):,} duels."
    yield f"Turns: {median(turns):.0f} (median), {_ninety(turns):.0f} (90 %), {max(turns)} (longest)."
    yield f"Ends: {', '.join(f'{by} {count / len(duels):.1%}' for by, count in _common(d.by for d in duels))}."
    yield f"Draws: {_rate(drawn, len(duels))}."
    yield ""


def _ninety(turns: list[int]) -> float:
    return quantiles(turns, n=10, method="inclusive")[-1] if len(turns) > 1 else turns[0]


def _common(values: Iterable[str]) -> list[tuple[str, int]]:
    return Counter(values).most_common()


def _rates(title: str, duels: list[Duel]) -> Iterator[str]:
    """Won, a draw counting half."""
    scores: dict[str, list[float]] = {}
    for side in (side for duel in duels for side in duel.sides):
        for label in side.labels[title]:
            scores.setdefault(label, []).append(side.score)
    yield f"| {title} | duels | won |"
    yield "| --- | ---: | ---: |"
    for label, scored in sorted(scores.items()):
        yield f"| {label} | {len(scored):,} | {_rate(sum(scored), len(scored))} |"
    yield ""


def _rate(count: float, total: int) -> str:
    rate = count / total
    return f"{rate:.1%} ± {sqrt(rate * (1 - rate) / total):.1%}"


def _uses(duels: list[Duel]) -> Iterator[str]:
    used: Counter[str] = Counter()
    succeeded: Counter[str] = Counter()
    for duel in duels:
        used.update(duel.used)
        succeeded.update(duel.succeeded)
    yield "| used | times a duel | succeeded |"
    yield "| --- | ---: | ---: |"
    for code, count in used.most_common():
        yield f"| {code} | {count / len(duels):.2f} | {succeeded[code] / count:.0%} |"
