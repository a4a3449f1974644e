"""Playing many duels between simple strategies, to see whether a ruleset is fair: `python -m rules simulate`.

The only place in `rules/` that draws at random, from a given seed: the same seed prints the same tables.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from rules.core import RulesError
from rules.simulation import arena, spells
from rules.simulation.tables import Duel, report

_CHUNK = 50


def simulate(
    name: str, *, duels: int, seed: int, level: int | None = None, each_type: bool = False, workers: int | None = None
) -> Iterator[str]:
    """Play `duels` duels, and return the lines of the tables. With `each_type`, as many for each type of magic.

    Raises RulesError if the ruleset has no levels, or no such level.
    """
    if name == "arena" and (level is not None or each_type):
        raise RulesError("the arena has no levels and no types of magic")
    if level is not None and level not in range(1, 9):
        raise RulesError(f"a level is 1 to 8, not {level}")
    kinds: tuple[str | None, ...] = spells.types() if each_type else (None,)
    play = partial(_play, name, seed, level)
    played = list(_spread(play, [(kind, number) for kind in kinds for number in range(duels)], workers))
    return report(played)


def _play(name: str, seed: int, level: int | None, asked: list[tuple[str | None, int]]) -> list[Duel]:
    if name == "arena":
        return [arena.play(f"{seed}:{number}") for _, number in asked]
    return [spells.play(f"{seed}:{kind}:{number}", own=kind, level=level) for kind, number in asked]


def _spread(
    play: Callable[[list[tuple[str | None, int]]], list[Duel]],
    asked: list[tuple[str | None, int]],
    workers: int | None,
) -> Iterator[Duel]:
    """Play on every core, in order, and say how far it is."""
    chunks = [asked[start : start + _CHUNK] for start in range(0, len(asked), _CHUNK)]
    begun, done = time.monotonic(), 0
    with ProcessPoolExecutor(workers or os.cpu_count()) as pool:
        for played in pool.map(play, chunks):
            yield from played
            done += len(played)
            _progress(done, len(asked), time.monotonic() - begun)


def _progress(done: int, total: int, seconds: float) -> None:
    if sys.stderr.isatty() or done == total:
        end = "\n" if done == total else ""
        print(f"\r{done:,} of {total:,} duels, {seconds:.0f} s", end=end, file=sys.stderr, flush=True)
