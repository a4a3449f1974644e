"""Random spell duels written down as the application writes them: the exports that `rules.verify` checks."""

from __future__ import annotations

from random import Random
from typing import Any

import rules
from rules import record
from rules.core import Adjustment, Filed, Inputs
from tests.rules import recording
from tests.rules import spells_play as play

SPELLS = rules.get("spells")
LACKS = ("bet", "target", "to")  # what may be forgotten, and added by a correction (B6.4)


def export(number: int, *, rest: int = 0, corrected: float = 0, eventful: float = 0, **fixed: Any) -> record.Export:
    """Return the export of a whole random duel; the same `number` gives the same duel.

    So much `rest`, which a referee gives to who has less left, makes it last; for the others see `recording.export`.
    """
    recorder = Recorder(number, rest)
    recorder.eventful = eventful
    recorder.start(**fixed)
    while recorder.phase():
        if recorder.random.random() < corrected:
            turn, _order, name = recorder.random.choice(list(recorder.opened))
            if not recorder.correct(turn, name, seat="a", gauge="magic", points=1):
                break
    recorder.annotate()
    return recorder.export()


class Recorder(recording.Record):
    """A spell duel under way, and its record."""

    def __init__(self, number: int, rest: int = 0) -> None:
        super().__init__(Random(number), SPELLS)
        self.rest = rest
        self.kind = ("training", "clandestine", "tournament")[number % 3]
        self.corrected: dict[str, record.Place] = {}  # the seats that used their right to correct, and where (B6.4)

    def add(self, kind: record.Kind, turn: int, name: str | None = None, **parts: Any) -> record.Entry:
        if name is not None:
            parts["public"] = {**parts.get("public", {}), "phase": name}
        return super().add(kind, turn, **parts)

    def start(self, **fixed: Any) -> None:
        self.announced(play.terms(self.random, **fixed), kind=self.kind)
        self.started(self.setup)

    def begin(self) -> bool:
        """Open the coming phase: in a spell duel nothing ends there."""
        status = SPELLS.status(self.state)
        self.opened[record.place(status.turn, status.phase)] = self.branch, self.state
        self.open(status, phase=status.phase)
        return True

    def phase(self) -> bool:
        """Play one phase; return whether the duel goes on."""
        self.begin()
        status = SPELLS.status(self.state)
        if self.contest(status.turn, status.standing, phase=status.phase):
            return SPELLS.status(self.state).outcome is None
        self.write(status.turn, status.phase, play.inputs(self.random, SPELLS, self.state))
        return self.work_out(status.turn, phase=status.phase)

    def correct(self, turn: int, name: str = record.WHOLE_TURN, **parts: Any) -> bool:
        """What was corrected by right in a phase that is superseded gives the right back (B6.4)."""
        this = record.place(turn, name)
        self.corrected = {seat: place for seat, place in self.corrected.items() if place <= this}
        return super().correct(turn, name, **parts)

    def write(self, turn: int, name: str, given: Inputs) -> None:
        status = SPELLS.status(self.state)
        self.fall_silent(turn, phase=name)
        if self.come_to_the_wall(turn, status.standing, phase=name):
            return
        filings = self.sighted(given.filings)
        self.ask_for_time(turn, status.awaited, phase=name)
        for filed in filings:
            self.file(turn, name, filed, given.infractions.get(filed.seat))
        filed_by = {filed.seat for filed in filings}
        self.lock(turn, [seat for seat in status.awaited if seat not in filed_by], phase=name)
        for filed in filings:
            fault = given.infractions.get(filed.seat, "short_post")
            if fault != "short_post":
                self.find_fault(turn, filed.seat, fault, phase=name)
        tired = [seat for seat in status.standing if self.state.duellist(seat).fatigue < self.rest]
        rested = [Adjustment(seat, "fatigue", self.rest) for seat in tired]
        for adjusted in (*given.adjustments, *rested):
            self.adjust(adjusted, turn, phase=name)
        self.replace_a_die(turn, name)
        self.hesitate(turn, status.standing, Adjustment(status.standing[0], "fatigue", 1), phase=name)
        self.stop(turn, given, status.sides, phase=name)

    def replace_a_die(self, turn: int, name: str) -> None:
        """Let a die be rolled elsewhere, sometimes."""
        dice = self.dice(turn, name)
        SPELLS.resolve(self.state, record.inputs(self.entries, self.branch, turn, SPELLS.status(self.state)), dice)
        if not dice.rolled or not self.may():
            return
        label = self.random.choice(sorted(dice.rolled))
        faces, drawn = dice.rolled[label]
        said = {"label": label, "face": 1, "faces": faces, "drawn": drawn, "phase": name}
        self.add("ruling", turn, public={"ruling": "die", "reason": "rolled at the table", **said})

    def sighted(self, filings: tuple[Filed, ...]) -> list[Filed]:
        """Who sees a post first files after it, and says whether theirs is played before or after (B7.1)."""
        ordered = list(filings)
        for insight in self.state.insights if self.state.phase == "action" else ():
            seats = [filed.seat for filed in ordered]
            if not {insight.caster, insight.target} <= set(seats):
                continue
            sees = ordered.pop(seats.index(insight.caster))
            content = {**sees.content, "order": self.random.choice(("before", "after"))}
            place = [filed.seat for filed in ordered].index(insight.target)
            ordered.insert(self.random.randint(place + 1, len(ordered)), Filed(sees.seat, content))
        return ordered

    def file(self, turn: int, name: str, filed: Filed, fault: str | None) -> None:
        """File a post: sometimes with something lacking, and sometimes that is corrected, once a duel (B6.4)."""
        if self.errors(filed.seat, filed.content, {}):
            filed = Filed(filed.seat, {"steps": []} if name == "action" else {"do": "nothing"})
        first = _without_a_part(filed.content) if self.random.random() < 0.1 else filed.content
        if not self.errors(filed.seat, first, {}) <= SPELLS.correctable:
            first = filed.content
        short = fault == "short_post" and SPELLS.needs_text(first)
        self.wait()
        self.post(turn, name, filed.seat, 1, first, 20 if short else 110, {"fault": fault} if short else {})
        flawed = short or bool(self.errors(filed.seat, first, {}))
        if flawed and filed.seat not in self.corrected and self.random.random() < 0.6:
            self.corrected[filed.seat] = record.place(turn, name)
            self.wait(minutes=20)
            whole = filed.content if SPELLS.completes(self.state, first, filed.content) else first
            self.post(turn, name, filed.seat, 2, whole, 90 if short else 0, {})

    def post(
        self, turn: int, name: str, seat: str, version: int, content: Any, words: int, public: dict[str, Any]
    ) -> None:
        if words and SPELLS.needs_text(content):
            text, told = self.text(seat, turn, "lève sa baguette vers l’estrade, encore.", words // 10)
            self.texts.append(record.Text(len(self.entries), seat, text))
            public = {**public, **told}
        self.add("filing", turn, seat=seat, version=version, content=content, public={**public, "phase": name})


def _without_a_part(content: dict[str, Any]) -> dict[str, Any]:
    """Return a post of which one step has forgotten what it has to say, if one has anything to say."""
    steps = content.get("steps", [content])
    for place, step in enumerate(steps):
        lack = next((part for part in LACKS if part in step), None)
        if lack is not None:
            bare = {key: said for key, said in step.items() if key != lack}
            return {**content, "steps": [*steps[:place], bare, *steps[place + 1 :]]} if "steps" in content else bare
    return content
