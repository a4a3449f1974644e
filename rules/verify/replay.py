"""Playing a duel again from what was filed, and comparing on the way with what was recorded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

import rules
from rules import record, seal
from rules.core import Inputs, RulesError, Ruleset, State, Step
from rules.dice import SealedDice
from rules.record import Entry, Export, Place

from .course import Course
from .reasons import Reason
from .report import Die, Findings

MOST_FAILURES = 100  # nobody reads more, and a forger's file is not worth hours of work


def replay(export: Export, said: list[Any], findings: Findings) -> int:
    """Play the duel again; return how many turns were. `said`: the public part of each entry, where it was read."""
    with findings.trial("ruleset", None):
        ruleset = rules.get(export.ruleset, export.version)
        played = _Replay(export, ruleset, findings)
        course = Course(export, ruleset, played.rolled, findings)
        for entry, part in zip(export.entries, said, strict=True):
            if len(findings.failures) >= MOST_FAILURES:
                findings.fail("replay", entry, Reason("too_many"))
                return len(played.resolved)
            with findings.trial("replay", entry):
                played.play(entry)
            if part is not None and said[0] is not None:
                with findings.trial("order", entry):
                    course.take(entry, part, played.state)
            played.log[entry.branch, entry.place].append(entry)
        for kind in ("announcement", "start", "verdict"):
            count = sum(entry.kind == kind for entry in export.entries)
            findings.expect("replay", None, count == 1, Reason("count", {"kind": kind, "count": count}))
        return len(played.resolved)
    return 0


class _Replay:
    """The duel as the rules play it from what was filed, compared on the way with what was recorded."""

    def __init__(self, export: Export, ruleset: Ruleset, findings: Findings) -> None:
        self.export = export
        self.ruleset = ruleset
        self.findings = findings
        self.seed = bytes.fromhex(export.seed)
        self.setup: Any = None
        self.state: State | None = None  # where the duel stands
        self.before: dict[Place, State] = {}  # before it opened
        self.opened: dict[tuple[int, Place], State] = {}  # by branch
        self.published: dict[tuple[int, Place], int] = {}  # the last revision, by branch
        self.resolved: set[int] = set()  # turns; the one that a surrender, a draw or a wall stopped is none
        self.is_stopped = False
        self.last_rolled: tuple[Any, dict[str, tuple[int, int]]] = (None, {})
        self.log: defaultdict[tuple[int, Place], list[Entry]] = defaultdict(list)  # what was played, by phase

    def play(self, entry: Entry) -> None:
        """Replay one entry; kinds that only are inputs are read when their turn closes."""
        played = {
            "announcement": self._announce,
            "start": self._start,
            "opening": self._open,
            "publication": self._publish,
            "ruling": self._rule,
            "correction": self._take_up_again,
            "verdict": self._conclude,
        }.get(entry.kind)
        if played is not None:
            played(entry)

    def _announce(self, entry: Entry) -> None:
        said = record.read(record.Announcement, entry)
        self.findings.same("commitment", entry, said.commitment, seal.commitment(self.seed))
        with self._dice(entry.branch, "announcement") as dice:
            self.setup = self.ruleset.announce(said.terms, dice)
        self.findings.same("setup", entry, said.setup, _json(self.setup))

    def _start(self, entry: Entry) -> None:
        setup = self._prepared(entry)
        with self._dice(entry.branch, "start") as dice:
            state = self.ruleset.start(setup, dice)
        self._come_to(state, record.place(0, record.WHOLE_TURN))
        shown = self.ruleset.view(state, "public")
        if self.export.format == 1:  # it may have left out what was drawn
            said, drawn = entry.public, [key for key in entry.public if key not in ("early", "late")]
        else:
            said = {key: entry.public[key] for key in ("early", "kind") if key in entry.public}
            drawn = [key for key in record.DRAWN if key in shown]
        truth = {**said, **{key: shown.get(key) for key in drawn}, "late": record.late_seats(setup)}
        self.findings.same("start", entry, entry.public, truth)
        self.findings.same("state", entry, _part(entry, "state"), self._told(state))

    def _prepared(self, entry: Entry) -> dict[str, Any]:
        """The setup with what was hidden; both must have hidden for an early start (A4.1b)."""
        if self.setup is None:
            raise RulesError("the duel starts without having been announced")
        if not any(self.ruleset.prepares(self.setup, seat).awaited for seat in self.setup["duellists"]):
            return dict(self.setup)
        before = self.export.entries[: entry.index]
        early = entry.public.get("early") is True
        in_secret = "kind" in entry.public
        setup = record.prepared(self.setup, before, early=early, in_secret=in_secret)
        if in_secret and not (early and self.setup["kind"] == "training"):
            self.findings.fail("start", entry, Reason("in_secret"))
        hidden = {other.seat for other in before if other.kind == "receptacle"}
        if early and hidden != set(setup["duellists"]):
            self.findings.fail("start", entry, Reason("early"))
        return setup

    def _open(self, entry: Entry) -> None:
        state = self._opening(entry.branch, entry.place)
        outcome = self.ruleset.status(state).outcome
        truth: dict[str, Any] = {"turn": entry.phase, "discovered": outcome is not None}
        name = self.ruleset.status(state).phase
        if "phase" in entry.public or (self.export.format > 1 and name != record.WHOLE_TURN):
            truth |= {"phase": name}
        said = {key: part for key, part in entry.public.items() if key not in ("due_at", "choice_until")}
        self.findings.same("opening", entry, said, truth)

    def _publish(self, entry: Entry) -> None:
        phase = entry.place
        step = self._resolve(entry, phase)
        self._compute(entry, phase)
        self._come_to(step.state, phase)
        truth = {"state": self._told(step.state), "events": self._told(step.events)}
        for part in ("state", "events"):
            self.findings.same(part, entry, _part(entry, part), truth[part])
        view = _json(self.ruleset.view(step.state, "public"))
        self.findings.same("public view", entry, entry.public.get("view"), view)
        over = self.ruleset.status(step.state).outcome is not None
        if not (over and self.is_stopped):
            self.resolved.add(entry.phase)
        shown = self._told(self.ruleset.redact(step.events, "referee" if over else "public"))
        self.findings.same("public events", entry, entry.public.get("events"), shown)
        self._revise(entry)

    def _compute(self, entry: Entry, phase: Place) -> None:
        """A turn that the referee has amended says what was computed before: the same, without the rulings."""
        if (recorded := _part(entry, "computed")) is None:
            return
        state = self._opening(entry.branch, phase)
        given = self._inputs(entry, phase, state, as_amended=False)
        step = self.ruleset.resolve(state, given, self._sealed_dice(entry.branch, phase[0]))
        self.findings.same("computed", entry, recorded, self._told(step.events))

    def _revise(self, entry: Entry) -> None:
        revision = entry.public.get("revision")
        phase = entry.branch, entry.place
        rising = isinstance(revision, int) and revision > self.published.get(phase, 0)
        self.findings.expect("revision", entry, rising, Reason("revision", {"revision": revision}))
        self.published[phase] = revision if isinstance(revision, int) else 0

    def _rule(self, entry: Entry) -> None:
        """A ruling is an input of its turn; that it can be read is all there is to see here."""
        record.read(record.Ruling, entry)
        self.findings.count("ruling", entry)

    def _take_up_again(self, entry: Entry) -> None:
        """What was played from that turn on is to be played again."""
        self.findings.count("correction", entry)
        self.resolved = {turn for turn in self.resolved if turn < entry.phase}

    def _conclude(self, entry: Entry) -> None:
        state = self._standing()
        status = self.ruleset.status(state)
        if status.outcome is None:  # surrender, agreed draw, wall: the turn is not published
            state = self._resolve(entry, record.place(status.turn, status.phase)).state
        outcome = self.ruleset.status(state).outcome
        truth = {} if outcome is None else {"winner": outcome.winner, "by": outcome.by}
        if "phase" in entry.public:
            truth |= {"phase": entry.phase_name}
        self.findings.same("verdict", entry, entry.public, truth)

    def _resolve(self, entry: Entry, phase: Place) -> Step:
        """Close a phase with all that was recorded of it before `entry`."""
        state = self._opening(entry.branch, phase)
        given = self._inputs(entry, phase, state)
        self.is_stopped = given.agreed_draw or bool(given.surrender) or given.wall
        with self._dice(entry.branch, phase[0], given.dice) as dice:
            step = self.ruleset.resolve(state, given, dice)
        self._check_drawn(entry, dice)
        return step

    def rolled(self, entry: Entry) -> dict[str, tuple[int, int]]:
        """Return the dice of the phase that is ruled on, as far as it is recorded before `entry`."""
        before = self.log[entry.branch, entry.place]
        in_force = tuple(ruling.index for ruling in record.in_force(before))
        asked = entry.branch, entry.place, in_force, sum(one.kind != "ruling" for one in before)
        if asked != self.last_rolled[0]:  # a die that is taken back and replaced again need not be rolled each time
            state = self._opening(entry.branch, entry.place)
            dice = self._sealed_dice(entry.branch, entry.phase)
            self.ruleset.resolve(state, self._inputs(entry, entry.place, state), dice)
            self.last_rolled = asked, dice.rolled
        return self.last_rolled[1]

    def _check_drawn(self, entry: Entry, dice: SealedDice) -> None:
        """What a ruling says of the die that it replaces is what the seed gives."""
        for ruling in record.in_force(self.log[entry.branch, entry.place]):
            said = record.read(record.Ruling, ruling)
            if said.drawn is not None and said.label in dice.rolled:
                self.findings.same("die", ruling, [said.faces, said.drawn], list(dice.rolled[said.label]))

    def _inputs(self, entry: Entry, phase: Place, state: State, *, as_amended: bool = True) -> Inputs:
        before = self.log[entry.branch, phase]
        return record.inputs(before, entry.branch, phase[0], self.ruleset.status(state), as_amended=as_amended)

    def _opening(self, branch: int, phase: Place) -> State:
        """The state in which a phase opens, whether or not the record says that it did (A3.2)."""
        if (branch, phase) not in self.opened:
            if phase not in self.before:
                raise RulesError(f"turn {phase[0]} cannot come yet")
            with self._dice(branch, phase[0]) as dice:
                self.opened[branch, phase] = self.ruleset.open(self.before[phase], dice).state
        self.state = self.opened[branch, phase]
        return self.state

    def _come_to(self, state: State, phase: Place) -> None:
        """Stand at the end of `phase`: what had been opened after it is no more, and the next one may open."""
        self.state = state
        self.opened = {key: opened for key, opened in self.opened.items() if key[1] <= phase}
        self.before = {key: before for key, before in self.before.items() if key <= phase}
        status = self.ruleset.status(state)
        if status.outcome is None:
            self.before[record.place(status.turn, status.phase)] = state

    def _standing(self) -> State:
        if self.state is None:
            raise RulesError("the duel has not started")
        return self.state

    @contextmanager
    def _dice(self, branch: int, phase: str | int, replaced: Mapping[str, int] | None = None) -> Iterator[SealedDice]:
        dice = self._sealed_dice(branch, phase)
        yield dice
        self.findings.checked["dice"] += len(dice.rolled)
        elsewhere = replaced or {}
        for label, (faces, face) in dice.rolled.items():
            self.findings.dice[Die(branch, phase, label, faces, face, elsewhere.get(label))] = None

    def _sealed_dice(self, branch: int, phase: str | int) -> SealedDice:
        return SealedDice(self.seed, self.export.duel, branch, phase)

    def _told(self, value: Any) -> Any:
        return msgspec.json.decode(self.ruleset.encode(value))


def _json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _part(entry: Entry, part: str) -> Any:
    return entry.content.get(part) if isinstance(entry.content, dict) else None
