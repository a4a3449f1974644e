"""What checking an export finds: failures, counts, and every die rolled again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from rules.core import RulesError
from rules.record import Entry

from .reasons import Reason


class Failure(msgspec.Struct, frozen=True):
    """Something that is not as the record says: at which entry and turn (None: the whole), and why."""

    check: str
    reason: Reason
    entry: int | None = None
    turn: int | None = None

    @property
    def why(self) -> str:
        """The reason in one English sentence."""
        return str(self.reason)

    def __str__(self) -> str:
        where = "" if self.entry is None else f"entry {self.entry}, turn {self.turn}: "
        return f"{where}{self.check}: {self.why}"


class Made(msgspec.Struct, frozen=True):
    """One check that was made of an entry, whatever it found."""

    check: str
    entry: int


class Die(msgspec.Struct, frozen=True):
    """A die that the seed decided: in which phase, under what label, and how it fell.

    `elsewhere`: the face of the die that was rolled elsewhere, and counted in its place; None: this one counted.
    """

    branch: int
    phase: str | int
    label: str
    faces: int
    face: int
    elsewhere: int | None = None


class Report(msgspec.Struct, frozen=True):
    """What was checked (how many of each), what failed, what could not be checked, every die rolled again, and each
    check of an entry."""

    turns: int
    checked: dict[str, int]
    failures: tuple[Failure, ...]
    notices: tuple[Reason, ...] = ()
    dice: tuple[Die, ...] = ()
    made: tuple[Made, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    def lines(self) -> Iterator[str]:
        """Return the report as it is read, its conclusion last."""
        for check, count in self.checked.items():
            yield f"checked: {check} ({count})"
        for notice in self.notices:
            yield f"not checked: {notice}"
        for failure in self.failures:
            yield f"FAILED: {failure}"
        yield f"verified: {self.turns} turns" if self.ok else f"not verified: {len(self.failures)} failed"


class Findings:
    """What the checks have found so far."""

    def __init__(self) -> None:
        self.checked: Counter[str] = Counter()
        self.failures: list[Failure] = []
        self.notices: list[Reason] = []
        self.dice: dict[Die, None] = {}  # in the order rolled, each once
        self.made: dict[tuple[str, int], None] = {}  # checks of entries, in the order made, each once

    def fail(self, check: str, entry: Entry | None, why: Reason) -> None:
        """Note that something is not as the record says, at `entry` (None: in the whole)."""
        place = (None, None) if entry is None else (entry.index, entry.phase)
        self.failures.append(Failure(check, why, *place))

    def count(self, check: str, entry: Entry | None) -> None:
        """Count one thing checked."""
        self.checked[check] += 1
        if entry is not None:
            self.made[check, entry.index] = None

    def expect(self, check: str, entry: Entry | None, holds: bool, why: Reason) -> None:
        """Count one thing checked; unless it `holds`, it failed."""
        self.count(check, entry)
        if not holds:
            self.fail(check, entry, why)

    def same(self, check: str, entry: Entry, recorded: Any, truth: Any) -> None:
        """Count one value checked; unless it is the true one, it failed, and the first difference is said."""
        self.count(check, entry)
        if recorded != truth:
            self.fail(check, entry, difference(recorded, truth))

    @contextmanager
    def trial(self, check: str, entry: Entry | None) -> Iterator[None]:
        """Take a RulesError raised within for a failure of `check`; what is nested too deep to be read is one."""
        try:
            yield
        except RulesError as error:
            self.fail(check, entry, Reason("refused", {"said": str(error)}))
        except OverflowError:
            self.fail(check, entry, Reason("hour"))
        except RecursionError:
            self.fail(check, entry, Reason("too_deep"))


def difference(recorded: Any, truth: Any, path: str = "") -> Reason:
    """Say where two JSON values first differ."""
    if isinstance(recorded, dict) and isinstance(truth, dict):
        for key in sorted({*recorded, *truth}):
            if key not in recorded or key not in truth:
                return Reason("missing" if key in truth else "unknown", {"path": f"{path}{key}"})
            if recorded[key] != truth[key]:
                return difference(recorded[key], truth[key], f"{path}{key}.")
    if isinstance(recorded, list) and isinstance(truth, list) and len(recorded) == len(truth):
        for place, (one, other) in enumerate(zip(recorded, truth, strict=True)):
            if one != other:
                return difference(one, other, f"{path}{place}.")
    return Reason("other", {"path": path.rstrip(".") or "it", "recorded": recorded, "truth": truth})
