"""Playing a conformance case of the spell duel."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec

from rules.core import Adjustment, Filed, Inputs, RulesError
from rules.dice import ScriptedDice
from rules.spells.filing import Step
from rules.spells.preparation import start
from rules.spells.resolution import resolve
from rules.spells.state import Event, State
from rules.spells.terms import Fault, Gauge, PhaseName, SeatName

T = TypeVar("T")

Code = Literal[
    "cast", "failed", "out_of_range", "succeeded", "dodged", "dodge_failed", "shielded", "fatigue_lost", "magic_lost",
    "healed", "moved", "fell", "climbed", "disarmed", "retrieved", "bound", "silenced", "jinxed", "cleansed",
    "hazard_set", "summoned", "revealed", "reveal_blocked", "blocked", "absence", "action_fault", "sanction", "out",
    "adjusted", "duel_over",
]  # fmt: skip
CODES: frozenset[str] = frozenset(get_args(Code))
FaultKey = Annotated[str, msgspec.Meta(pattern="^(action|defence):[abcd]$")]


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A post of the action phase."""

    by: SeatName
    steps: tuple[Step, ...]

    @property
    def content(self) -> Any:
        return {"steps": msgspec.to_builtins(self.steps)}


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points of the referee's."""

    seat: SeatName
    gauge: Gauge
    points: int


class CaseTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A turn as a case tells it. Whatever is left out is nothing."""

    action: tuple[Action, ...] = ()
    defence: tuple[dict[str, Any], ...] = ()
    faults: dict[FaultKey, Fault] = {}
    surrender: SeatName | None = None
    agreed_draw: bool = False
    adjustments: tuple[Given, ...] = ()
    dice: dict[str, int] = {}

    def actions(self, state: State) -> Inputs:
        """Return what closes the action phase."""
        return Inputs(
            filings=_counted(state, ((post.by, post.content) for post in self.action)),
            infractions=self._faults("action"),
            surrender=self.surrender,
            agreed_draw=self.agreed_draw,
            adjustments=tuple(Adjustment(given.seat, given.gauge, given.points) for given in self.adjustments),
        )

    def defences(self, state: State) -> Inputs:
        """Return what closes the defence phase."""
        return Inputs(filings=_counted(state, map(_answer, self.defence)), infractions=self._faults("defence"))

    def _faults(self, phase: PhaseName) -> dict[str, str]:
        return {key[-1]: fault for key, fault in self.faults.items() if key.startswith(phase)}


def play(setup: Any, turns: Any) -> tuple[State, tuple[Event, ...]]:
    """Return where the `setup` and the `turns` of a case lead, and all that happened. Raises RulesError."""
    state = start(setup)
    events: list[Event] = []
    for number, content in enumerate(_read(turns, "turns", list[Any]), 1):
        turn = _read(content, f"turn {number}", CaseTurn)
        for entry in turn.defence:
            _answer(entry)
        if state.outcome is None:
            state, happened = _play(state, turn)
            events += happened
    return state, tuple(events)


def _play(state: State, turn: CaseTurn) -> tuple[State, tuple[Event, ...]]:
    dice = ScriptedDice(turn.dice)
    try:
        acted, events = resolve(state, turn.actions(state), dice)
        if acted.phase == "action":
            return acted, events
        defended, more = resolve(acted, turn.defences(acted), dice)
    except RulesError as error:
        raise RulesError(f"turn {state.turn}: {error}") from error
    return defended, events + more


def _counted(state: State, posts: Any) -> tuple[Filed, ...]:
    """The first post of each seat that is called; others are passed over."""
    counted: dict[str, Any] = {}
    for seat, content in posts:
        if seat in state.awaited:
            counted.setdefault(seat, content)
    return tuple(Filed(seat, content) for seat, content in counted.items())


def _answer(entry: dict[str, Any]) -> tuple[str, Any]:
    """Who answers in the defence phase, and what."""
    seat = _read(entry.get("by"), "defence: by", SeatName)
    content = {key: value for key, value in entry.items() if key != "by"}
    _read(content, f"defence of {seat}", Step)
    return seat, content


def _read(content: Any, name: str, shape: Any) -> Any:
    try:
        return msgspec.convert(content, shape)
    except (msgspec.ValidationError, RecursionError) as error:
        raise RulesError(f"{name}: {error}") from error
