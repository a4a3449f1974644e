"""The ruleset of the arena: the duel of puppets."""

from __future__ import annotations

from typing import Any

import msgspec

from rules import core
from rules.arena import check, choices, ending, menu, preparation, resolution, rewards, secrecy
from rules.arena.state import Event, State
from rules.arena.terms import GAUGES, SEATS, seat_of
from rules.core import Audience, Dice, Finding, Ground, Inputs, Menu, Reward, RulesError, Seat, Status, Step
from rules.dice import amended

_states = msgspec.json.Decoder(State)
_events = msgspec.json.Decoder(tuple[Event, ...])
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class ArenaRules:
    """Version 1 of the façade: `rules.core.Ruleset` says what each method takes and returns."""

    name = "arena"
    version = 1
    seats: tuple[Seat, ...] = SEATS
    in_the_open = False
    correctable: frozenset[str] = frozenset()
    text_rule = "A6.2"
    time_out_rule = "A7"
    time_outs_add_up = True
    grounds: tuple[Ground, ...] = tuple(
        Ground(code, "invalid_post", "A6.2") for code in ("short_post", "edited", "no_reaction", "clue")
    )
    gauges: tuple[str, ...] = GAUGES
    adjustment_rule = "A14.1"

    def announce(self, terms: Any, dice: Dice) -> dict[str, Any]:
        return preparation.announce(terms, dice)

    def start(self, setup: Any, dice: Dice) -> State:
        return preparation.start(setup, dice)

    def open(self, state: core.State, dice: Dice) -> Step:
        return Step(*ending.discovery(_arena(state), dice))

    def prepares(self, setup: Any, seat: Seat) -> Menu:
        return menu.prepares(seat_of(seat))

    def choose(self, state: core.State, seat: Seat, value: str | None) -> Step:
        chosen, event = choices.choose(_arena(state), seat_of(seat), value)
        return Step(chosen, (event,))

    def awaits(self, state: core.State, seat: Seat) -> Menu:
        return menu.awaits(_arena(state), seat_of(seat))

    def check(self, state: core.State, seat: Seat, filing: Any) -> tuple[Finding, ...]:
        return check.check(_arena(state), seat_of(seat), filing)

    def needs_text(self, filing: Any) -> bool:
        return True

    def completes(self, state: core.State, before: Any, after: Any) -> bool:
        return False

    def resolve(self, state: core.State, inputs: Inputs, dice: Dice) -> Step:
        return Step(*resolution.resolve(_arena(state), inputs, amended(dice, inputs.dice)))

    def rewards(self, state: core.State, events: tuple[core.Event, ...]) -> tuple[Reward, ...]:
        return rewards.rewards(_arena(state), tuple(map(_arena_event, events)))

    def status(self, state: core.State) -> Status:
        arena = _arena(state)
        is_over = arena.outcome is not None
        return Status(
            phase="turn",
            turn=arena.turn,
            hours=arena.turn_hours,
            awaited=() if is_over else self.seats,
            owing=() if is_over else tuple(seat for seat in SEATS if arena.puppet(seat).choice == "owed"),
            extra_turn=arena.extra_turn,
            outcome=arena.outcome,
        )

    def view(self, state: core.State, audience: Audience) -> dict[str, Any]:
        return secrecy.view(_arena(state), audience)

    def redact(self, events: tuple[core.Event, ...], audience: Audience) -> tuple[core.Event, ...]:
        return secrecy.redact(tuple(map(_arena_event, events)), audience)

    def redact_difference(self, events: tuple[core.Event, ...]) -> tuple[core.Event, ...]:
        return secrecy.redact_difference(tuple(map(_arena_event, events)))

    def summary(self, state: core.State) -> dict[str, Any]:
        return secrecy.summary(_arena(state))

    def encode(self, value: Any) -> bytes:
        return msgspec.json.encode(value)

    def decode_state(self, raw: bytes) -> State:
        try:
            return _states.decode(raw)
        except _UNREADABLE as error:
            raise RulesError(f"not a state of the arena: {error}") from error

    def decode_events(self, raw: bytes) -> tuple[Event, ...]:
        try:
            return _events.decode(raw)
        except _UNREADABLE as error:
            raise RulesError(f"not events of the arena: {error}") from error


def _arena(state: core.State) -> State:
    if not isinstance(state, State):
        raise RulesError(f"not a state of the arena: {type(state).__name__}")
    return state


def _arena_event(event: core.Event) -> Event:
    if not isinstance(event, Event):
        raise RulesError(f"not an event of the arena: {type(event).__name__}")
    return event
