"""How fast the spell duel is on one core: the shipped book, random duels; processor time, best of three."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice
from random import Random
from time import process_time
from typing import Any

import rules
from rules.dice import ScriptedDice
from rules.record import Export
from rules.verify import verify
from tests.rules import spells_play as play
from tests.rules import spells_recording

PHASES = 2_000
PASSES = 3
LONG = 30  # turns of the duel that is verified
SPELLS = rules.get("spells")


def main() -> None:
    """Print a table of figures."""
    phases = list(islice(_phases(), PHASES))
    states = [phase.closed.state for phase in phases]
    spelt = [SPELLS.encode(state) for state in states]
    told = [SPELLS.encode(phase.closed.events) for phase in phases]
    called = [(phase.opened, SPELLS.status(phase.opened).awaited[0]) for phase in phases]
    posted = [(phase.opened, filed) for phase in phases for filed in phase.inputs.filings[:1]]
    gc.collect()
    gc.freeze()
    print("| spell rules | a second | µs each |\n| --- | ---: | ---: |")
    _row("resolve a phase", phases, lambda p: SPELLS.resolve(p.opened, p.inputs, ScriptedDice(p.dice)))
    _row("menu (`awaits`)", called, lambda call: SPELLS.awaits(*call))
    _row("check of a post", posted, lambda post: SPELLS.check(post[0], post[1].seat, post[1].content))
    _row("public view", states, lambda state: SPELLS.view(state, "public"))
    _row("encode a state, its book included", states, SPELLS.encode)
    _row("decode a state, its book included", spelt, SPELLS.decode_state)
    _row("decode a phase's events", told, SPELLS.decode_events)
    export = next(made for made in _lasting() if _turns(made) >= LONG)
    _row(f"verify a duel of {_turns(export)} turns", [export] * PASSES, verify)


def _phases() -> Iterator[play.Phase]:
    for number in count():
        yield from play.duel(Random(number), SPELLS)  # noqa: S311


def _lasting() -> Iterator[Export]:
    return (spells_recording.export(number, rest=10) for number in count())


def _turns(export: Export) -> int:
    return max(entry.phase for entry in export.entries)


def _row(what: str, values: Iterable[Any], act: Callable[[Any], object]) -> None:
    best, number = min(_timed(values, act) for _ in range(PASSES))
    print(f"| {what} | {number / best:,.0f} | {best / number * 1e6:,.1f} |")


def _timed(values: Iterable[Any], act: Callable[[Any], object]) -> tuple[float, int]:
    number = 0
    begun = process_time()
    for value in values:
        act(value)
        number += 1
    return process_time() - begun, number


if __name__ == "__main__":
    main()
