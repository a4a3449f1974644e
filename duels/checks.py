"""What was checked of a record, turn by turn: each entry with its seals, each die, and what does not hold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.record import SEALED, Entry, Export
from rules.verify import Die, Failure, Report

Key = tuple[int, int]  # branch and number of a turn; number 0: all that comes before the first


@dataclass(frozen=True)
class Step:
    """An entry of the record, the names of the checks that were made of it and of those that could not be, and what
    does not hold."""

    entry: Entry
    made: list[str]
    failures: list[Failure]
    missed: list[str] = field(default_factory=list)

    @property
    def held(self) -> list[str]:
        """The checks that were made of it and found nothing."""
        return [check for check in self.made if check not in self.failed]

    @property
    def failed(self) -> set[str]:
        """The checks by which it does not hold."""
        return {failure.check for failure in self.failures}


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
    def missed(self) -> bool:
        """Whether something of it could not be checked."""
        return any(step.missed for step in self.steps)

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
        step.missed.extend(_missed(step, export.format))
        _turn(turns, entry.branch, entry.phase).steps.append(step)
    for die in report.dice:
        _turn(turns, die.branch, die.phase if isinstance(die.phase, int) else 0).dice.append(die)
    return sorted(turns.values(), key=lambda turn: not turn.failures)


def _missed(step: Step, format_: int) -> list[str]:
    """The checks that an entry of its kind calls for and that were not made: what they need did not hold before."""
    called_for = [*CALLED_FOR.get(step.entry.kind, ()), *(["receipt"] if step.entry.kind in SEALED else [])]
    called_for += ["parts", "deadline"] if format_ > 1 else []
    return [check for check in called_for if check not in step.made and check not in step.failed]


CALLED_FOR: dict[str, tuple[str, ...]] = {
    "announcement": ("commitment", "setup"),
    "receptacle": ("version",),
    "start": ("start", "state"),
    "opening": ("opening",),
    "filing": ("version",),
    "ruling": ("ruling",),
    "publication": ("version", "state", "events", "public view", "public events", "revision"),
    "correction": ("correction",),
    "verdict": ("verdict",),
    "removal": ("removal",),
}


@dataclass(frozen=True)
class Tally:
    """Of one kind of check, in how many entries it holds before the first that fails, and in how many after; in how
    many it does not, and in how many it could not be made."""

    check: str
    before: int
    after: int
    failed: int
    missed: int

    @property
    def made(self) -> int:
        return self.before + self.after + self.failed + self.missed


def first_failing(turns: Iterable[Turn]) -> Entry | None:
    """Return the first entry that does not hold; None where that is true of none, but of the whole."""
    failing = [step.entry for turn in turns for step in turn.steps if step.failures]
    return min(failing, key=lambda entry: entry.index, default=None)


def tallied(turns: list[Turn], check: str) -> Tally:
    """Count what was checked of a record that does not hold."""
    first = first_failing(turns)
    tally = Counter[str]()
    for turn in turns:
        for step in turn.steps:
            is_before = first is None or step.entry.index < first.index
            tally["before" if is_before else "after"] += check in step.held
            tally["failed"] += check in step.failed
            tally["missed"] += check in step.missed
        if check == "dice":
            is_before = first is None or all(step.entry.index < first.index for step in turn.steps)
            tally["before" if is_before else "after"] += len(turn.dice)
    return Tally(check, *(tally[which] for which in ("before", "after", "failed", "missed")))


def _turn(turns: dict[Key, Turn], branch: int, number: int) -> Turn:
    return turns.setdefault((branch, number), Turn(branch, number))
