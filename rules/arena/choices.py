"""The zone that the owner of a decoy names for the opponent's puppet (A10.2)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from rules.arena.state import Effect, Event, State, other
from rules.arena.terms import EFFECT_TURNS, SEATS, ZONES, SeatName, named
from rules.core import RulesError


def choose(state: State, seat: SeatName, value: str | None) -> tuple[State, Event]:
    """Return the state once `seat` has named the zone that it owes, or forfeited it (None).

    The zone is disabled at once, in this turn and the next (A10.2b, A10.2d). Raises RulesError if nothing is owed.
    """
    if state.outcome is not None or state.puppet(seat).choice != "owed":
        raise RulesError(f"seat {seat} owes no choice")
    settled = replace(state.puppet(seat), choice="settled")
    if value is None:
        return replace(state, **{seat: settled}), _forfeited(seat)
    foe = other(seat)
    effect = Effect(named("zone", value, ZONES), _last_turn(state))
    hindered = replace(state.puppet(foe), disabled=(*state.puppet(foe).disabled, effect))
    return replace(state, **{seat: settled, foe: hindered}), _disabled(foe, effect)


def settle(state: State, choices: Mapping[str, str | None]) -> tuple[State, list[Event]]:
    """Return the state in which the turn is resolved, and what became of each choice owed in it.

    A seat that owes one and names none forfeits it; what was named before the lock stands, and is told again.
    """
    events: list[Event] = []
    if not _concerns(state):
        return state, events
    for seat in SEATS:
        choice = state.puppet(seat).choice
        if choice == "owed":
            state, event = choose(state, seat, choices.get(seat))
            events.append(event)
        elif choice == "settled":
            events.append(_settled(state, seat))
    return state, events


def without_choices(state: State) -> State:
    """Return the state as it was before the choices named in this turn (A13.4)."""
    if not _concerns(state):
        return state
    last = _last_turn(state)
    before = {}
    for seat in SEATS:
        puppet = state.puppet(seat)
        disabled = tuple(effect for effect in puppet.disabled if effect.last < last)
        before[seat] = replace(puppet, choice=puppet.choice and "owed", disabled=disabled)
    return replace(state, **before)


def _concerns(state: State) -> bool:
    return state.a.choice is not None or state.b.choice is not None


def _last_turn(state: State) -> int:
    return state.turn + EFFECT_TURNS - 1


def _settled(state: State, seat: SeatName) -> Event:
    foe = other(seat)
    for effect in state.puppet(foe).disabled:
        if effect.last == _last_turn(state):
            return _disabled(foe, effect)
    return _forfeited(seat)


def _disabled(seat: SeatName, effect: Effect) -> Event:
    return Event("zone_disabled", seat, "A10.2", zone=effect.zone, last_turn=effect.last)


def _forfeited(seat: SeatName) -> Event:
    return Event("choice_forfeited", seat, "A10.2")
