"""The ruleset of the spell duel: the duel of wands, on a stage of eleven zones."""

from __future__ import annotations

from typing import Any

import msgspec

from rules import core
from rules.core import Audience, Dice, Finding, Ground, Inputs, Menu, Reward, RulesError, Seat, Status, Step
from rules.dice import amended
from rules.spells import check, menu, preparation, resolution, rewards, showing
from rules.spells.filing import completes
from rules.spells.state import Event, State
from rules.spells.terms import GAUGES, SEATS, seat_of, team_of

_states = msgspec.json.Decoder(State)
_events = msgspec.json.Decoder(tuple[Event, ...])
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class SpellRules:
    """Version 1 of the façade: `rules.core.Ruleset` says what each method takes and returns."""

    name = "spells"
    version = 1
    seats: tuple[Seat, ...] = SEATS
    in_the_open = True
    correctable = check.CORRECTABLE
    text_rule = "B2.6"
    time_out_rule = "B1.4"
    time_outs_add_up = False
    grounds: tuple[Ground, ...] = (
        Ground("short_post", "short_post", "B2.6"),
        Ground("edited", "edited", "B6.2"),
        Ground("told_result", "referee", "B2.6"),
        Ground("against_rules", "referee", "B6.2"),
    )
    gauges: tuple[str, ...] = GAUGES
    adjustment_rule = "B6.5"

    def announce(self, terms: Any, dice: Dice) -> dict[str, Any]:
        return preparation.announce(terms)

    def start(self, setup: Any, dice: Dice) -> State:
        return preparation.start(setup)

    def open(self, state: core.State, dice: Dice) -> Step:
        return Step(_spells(state), ())

    def prepares(self, setup: Any, seat: Seat) -> Menu:
        return Menu(seat_of(seat), awaited=False)

    def choose(self, state: core.State, seat: Seat, value: str | None) -> Step:
        raise RulesError("a spell duel has no choices to name between phases")

    def awaits(self, state: core.State, seat: Seat) -> Menu:
        return menu.awaits(_spells(state), seat_of(seat))

    def check(self, state: core.State, seat: Seat, filing: Any) -> tuple[Finding, ...]:
        return check.check(_spells(state), seat, filing)

    def needs_text(self, filing: Any) -> bool:
        return bool(filing != {"do": "nothing"})

    def completes(self, state: core.State, before: Any, after: Any) -> bool:
        return completes(before, after, _spells(state).spells)

    def resolve(self, state: core.State, inputs: Inputs, dice: Dice) -> Step:
        return Step(*resolution.resolve(_spells(state), inputs, amended(dice, inputs.dice)))

    def rewards(self, state: core.State, events: tuple[core.Event, ...]) -> tuple[Reward, ...]:
        return rewards.rewards(_spells(state))

    def status(self, state: core.State) -> Status:
        duel = _spells(state)
        return Status(
            phase=duel.phase,
            turn=duel.turn,
            hours=duel.hours,
            awaited=duel.awaited,
            owing=(),
            extra_turn=False,
            outcome=duel.outcome,
            standing=duel.standing,
            sides=tuple(tuple(seat for seat in duel.standing if team_of(seat) == team) for team in (1, 2)),
        )

    def view(self, state: core.State, audience: Audience) -> dict[str, Any]:
        return showing.view(_spells(state))

    def redact(self, events: tuple[core.Event, ...], audience: Audience) -> tuple[core.Event, ...]:
        return tuple(map(_spell_event, events))

    def redact_difference(self, events: tuple[core.Event, ...]) -> tuple[core.Event, ...]:
        return tuple(map(_spell_event, events))

    def summary(self, state: core.State) -> dict[str, Any]:
        return showing.summary(_spells(state))

    def encode(self, value: Any) -> bytes:
        return msgspec.json.encode(value)

    def decode_state(self, raw: bytes) -> State:
        try:
            return _states.decode(raw)
        except _UNREADABLE as error:
            raise RulesError(f"not a state of a spell duel: {error}") from error

    def decode_events(self, raw: bytes) -> tuple[Event, ...]:
        try:
            return _events.decode(raw)
        except _UNREADABLE as error:
            raise RulesError(f"not events of a spell duel: {error}") from error


def _spells(state: core.State) -> State:
    if not isinstance(state, State):
        raise RulesError(f"not a state of a spell duel: {type(state).__name__}")
    return state


def _spell_event(event: core.Event) -> Event:
    if not isinstance(event, Event):
        raise RulesError(f"not an event of a spell duel: {type(event).__name__}")
    return event
