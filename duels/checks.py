"""What was checked of a record, turn by turn: each entry with its seals, each die, and what does not hold."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.record import Entry, Export
    from rules.verify import Die, Failure, Report

Key = tuple[int, int]  # branch and number of a turn; number 0: all that comes before the first


@dataclass(frozen=True)
class Step:
    """An entry of the record, the names of the checks that were made of it, and what does not hold."""

    entry: Entry
    made: list[str]
    failures: list[Failure]


@dataclass(frozen=True)
class Turn:
    """A turn as the record has it. `branch` counts how often a correction let the duel go on anew before it."""

    branch: int
    number: int
    steps: list[Step] = field(default_factory=list)
    dice: list[Die] = field(default_factory=list)

    @property
    def failures(self) -> list[Failure]:
        return [failure for step in self.steps for failure in step.failures]

    @property
    def sealed(self) -> int:
        """How many of its entries were sealed."""
        return sum(step.entry.receipt is not None for step in self.steps)


def by_turn(export: Export, report: Report) -> list[Turn]:
    """Return the turns of a record, those first in which something does not hold, then in their order."""
    made: defaultdict[int, list[str]] = defaultdict(list)
    for one in report.made:
        made[one.entry].append(one.check)
    failed: defaultdict[int | None, list[Failure]] = defaultdict(list)
    for failure in report.failures:
        failed[failure.entry].append(failure)
    turns: dict[Key, Turn] = {}
    for entry in export.entries:
        step = Step(entry, made[entry.index], failed[entry.index])
        _turn(turns, entry.branch, entry.phase).steps.append(step)
    for die in report.dice:
        _turn(turns, die.branch, die.phase if isinstance(die.phase, int) else 0).dice.append(die)
    return sorted(turns.values(), key=lambda turn: not turn.failures)


def _turn(turns: dict[Key, Turn], branch: int, number: int) -> Turn:
    return turns.setdefault((branch, number), Turn(branch, number))
