"""How fast the arena is on one core, in processor time: 20,000 turns of random duels."""

from __future__ import annotations

import datetime as dt
import gc
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from random import Random
from time import process_time
from typing import Any

import rules
from rules.core import Inputs, State
from rules.dice import ScriptedDice, SealedDice
from rules.record import Export
from rules.verify import verify
from tests.rules import play, recording

TURNS = 20_000
PART, PASSES = 1_000, 7  # each thousand is timed so many times, and its best counts: others use the machine too
LONG = 30  # turns of the duel that is verified
ARENA = rules.get("arena")

Closing = tuple[State, Inputs, dict[str, int]]


def main() -> None:
    """Print the machine and a table of figures."""
    closings = list(islice(_closings(), TURNS))
    steps = [ARENA.resolve(state, inputs, ScriptedDice(dice)) for state, inputs, dice in closings]
    spelt = [ARENA.encode(step.state) for step in steps]
    told = [ARENA.encode(step.events) for step in steps]
    gc.collect()
    gc.freeze()
    print(f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, {dt.date.today()}\n")
    print("| arena rules | a second | µs each |\n| --- | ---: | ---: |")
    _row("resolve, dice given", closings, lambda c: ARENA.resolve(c[0], c[1], ScriptedDice(c[2])))
    _row("resolve, sealed dice", closings, lambda c: ARENA.resolve(c[0], c[1], SealedDice(bytes(32), "bench", 0, 1)))
    _row("menu (`awaits`)", closings, lambda c: ARENA.awaits(c[0], "a"))
    _row("check of a filing", closings, lambda c: [ARENA.check(c[0], f.seat, f.content) for f in c[1].filings[:1]])
    _row("public view", steps, lambda step: ARENA.view(step.state, "public"))
    _row("encode a state", steps, lambda step: ARENA.encode(step.state))
    _row("decode a state", spelt, ARENA.decode_state)
    _row("encode a turn's events", steps, lambda step: ARENA.encode(step.events))
    _row("decode a turn's events", told, ARENA.decode_events)
    export = _long_duel()
    _row(f"verify a duel of {_turns(export)} turns", [export], verify)


def _closings() -> Iterator[Closing]:
    """What closes the turns of one random duel after another, with the dice that were rolled."""
    for number in count():
        for turn in play.duel(Random(number), ARENA):  # noqa: S311
            if ARENA.status(turn.opened.state).outcome is None:
                yield turn.opened.state, turn.inputs, turn.dice


def _long_duel() -> Export:
    """Return the first random duel that lasts long enough."""
    exports = (recording.export(number, ARENA, play.LASTING, kind="training") for number in count())
    return next(export for export in exports if _turns(export) >= LONG)


def _turns(export: Export) -> int:
    return sum(entry.kind == "publication" for entry in export.entries)


def _row(what: str, values: Sequence[Any], act: Callable[[Any], object]) -> None:
    parts = [values[start : start + PART] for start in range(0, len(values), PART)]
    each = sum(min(_timed(part, act) for _ in range(PASSES)) for part in parts) / len(values)
    print(f"| {what} | {1 / each:,.0f} | {each * 1e6:,.1f} |")


def _timed(values: Sequence[Any], act: Callable[[Any], object]) -> float:
    begun = process_time()
    for value in values:
        act(value)
    return process_time() - begun


if __name__ == "__main__":
    main()
