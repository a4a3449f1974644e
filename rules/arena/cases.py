"""Playing a conformance case of the arena."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar, get_args

import msgspec

from rules.arena.ending import discovery
from rules.arena.filing import Declaration
from rules.arena.preparation import start
from rules.arena.resolution import resolve
from rules.arena.state import Event, State
from rules.arena.terms import SEATS, Gauge, Infraction, SeatName, Zone
from rules.core import Adjustment, Filed, Inputs, RulesError
from rules.dice import ScriptedDice

T = TypeVar("T")

Code = Literal[
    "infraction", "relentlessness", "cowardice", "repetition", "insufficient", "failed_option", "option_cancelled",
    "move_pinned", "option_used", "swapped_zones", "shifted", "missed", "hit", "parried", "rough_skin_held",
    "decoy_hit", "stealth_struck", "pierced", "leaked", "gauges_swapped", "arena_changed", "arena_neutralised",
    "zone_void", "zone_disabled", "choice_forfeited", "discovered", "extra_turn", "adjusted", "duel_over",
]  # fmt: skip
CODES: frozenset[str] = frozenset(get_args(Code))


class Sides(msgspec.Struct, Generic[T], frozen=True, forbid_unknown_fields=True):
    """Something for each seat."""

    a: T | None = None
    b: T | None = None

    def by_seat(self) -> dict[str, T]:
        return {seat: value for seat in SEATS if (value := getattr(self, seat)) is not None}


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points of the referee's."""

    seat: SeatName
    gauge: Gauge
    points: int


class CaseTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A turn as a case tells it. Whatever is left out is nothing, but for `posted`: those without an infraction."""

    posted: tuple[SeatName, ...] | None = None
    declarations: Sides[Declaration] = Sides()
    infractions: Sides[Infraction] = Sides()
    choices: Sides[Zone] = Sides()
    surrender: SeatName | None = None
    agreed_draw: bool = False
    adjustments: tuple[Given, ...] = ()
    dice: dict[str, int] = {}

    def inputs(self) -> Inputs:
        """Return what closes the turn: the declarations in the order posted, whoever is at fault left out."""
        infractions = self.infractions.by_seat()
        declared = self.declarations.by_seat()
        posted = SEATS if self.posted is None else self.posted
        return Inputs(
            filings=tuple(
                Filed(seat, declared[seat]) for seat in posted if seat in declared and seat not in infractions
            ),
            infractions=dict(infractions),
            choices=dict(self.choices.by_seat()),
            surrender=self.surrender,
            agreed_draw=self.agreed_draw,
            adjustments=tuple(Adjustment(given.seat, given.gauge, given.points) for given in self.adjustments),
        )


def play(setup: Any, turns: Any) -> tuple[State, tuple[Event, ...]]:
    """Return where the `setup` and the `turns` of a case lead, and all that happened. Raises RulesError."""
    state = start(*_setup(setup))
    events: list[Event] = []
    for turn in _read(turns, "turns", tuple[CaseTurn, ...]):
        if state.outcome is not None:
            break
        try:
            state, happened = _play(state, turn)
        except RulesError as error:
            raise RulesError(f"turn {state.turn}: {error}") from error
        events += happened
    return state, tuple(events)


def _play(state: State, turn: CaseTurn) -> tuple[State, tuple[Event, ...]]:
    dice = ScriptedDice(turn.dice)
    opened, events = discovery(state, dice)
    if opened.outcome is not None:
        return opened, events
    resolved, happened = resolve(opened, turn.inputs(), dice)
    return resolved, events + happened


def _setup(setup: Any) -> tuple[dict[str, Any], ScriptedDice]:
    """Return the setup without its dice, and the dice."""
    bare = dict(_read(setup, "setup", dict[str, Any]))
    return bare, ScriptedDice(_read(bare.pop("dice", {}), "setup.dice", dict[str, int]))


def _read(content: Any, name: str, shape: type[T]) -> T:
    try:
        return msgspec.convert(content, shape)
    except (msgspec.ValidationError, RecursionError) as error:
        raise RulesError(f"{name}: {error}") from error
