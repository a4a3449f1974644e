"""Who sees what. The only place where secrets are masked."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rules.arena.state import Effect, Event, Puppet, State, zones_held
from rules.arena.terms import MOST_ALCHEMY, SEATS, OptionName, SeatName
from rules.core import Audience

_UNTOLD: tuple[OptionName, ...] = ("cancel_option", "pin_receptacle")
_REFUSALS = ("A10.7a", "A11.0")


def redact(events: tuple[Event, ...], audience: Audience) -> tuple[Event, ...]:
    """Return the events as `audience` may read them while the duel runs. Once it is over, ask for the referee's.

    Masked from the public and the opponent: the arming of `cancel_option` and `pin_receptacle`, whatever A10.7a or
    A11.0 refuses, the zones of options, and the name of an option repeated (or of those two, when insufficient).
    """
    if audience == "referee":
        return events
    seen = (event if event.seat == audience else _masked(event) for event in events)
    return tuple(event for event in seen if event is not None)


# What nothing secret decides: infractions, what the arena does to all zones alike, the referee's points.
_OPEN = frozenset({"infraction", "swapped_zones", "shifted", "adjusted"})


def redact_difference(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return which events of a difference between two computations of a turn may be read while the duel runs.

    A thrust that meets a receptacle, a skin or a decoy in one of them alone would tell where it is.
    """
    return tuple(event for event in events if event.code in _OPEN)


def _masked(event: Event) -> Event | None:
    if event.option is None:
        return event
    if event.code == "option_used" and event.option in _UNTOLD:
        return None
    if event.code == "failed_option" and (event.rule in _REFUSALS or event.option in _UNTOLD):
        return None
    if event.code == "repetition":
        return replace(event, option=None, rule="A5.1")  # A10.8 or A11.4 would tell its kind
    if event.code == "insufficient" and event.option in _UNTOLD:
        return replace(event, option=None)
    return replace(event, zones=()) if event.zones else event


def view(state: State, audience: Audience) -> dict[str, Any]:
    """Return what `audience` may know of the state, as a JSON object: everything, once the duel is over."""
    outcome = state.outcome
    return {
        "edition": state.edition,
        "kind": state.kind,
        "turn": state.turn,
        "turn_hours": state.turn_hours,
        "capsule_turns": state.capsule,
        "arena": state.arena,
        "neutralised": state.neutralised,
        "protected_until": state.protected if state.neutralised else None,
        "void_zone": state.void_zone,
        "extra_turn": state.extra_turn,
        "technique_limit": state.technique_limit,
        "outcome": None if outcome is None else {"winner": outcome.winner, "by": outcome.by},
        "seats": {seat: _seen(state, seat, audience) for seat in SEATS},
    }


def _seen(state: State, seat: SeatName, audience: Audience) -> dict[str, Any]:
    puppet = state.puppet(seat)
    seen = _public(state, puppet)
    if state.outcome is not None or audience in ("referee", seat):
        seen |= _secrets(state, puppet)
    elif puppet.known:
        seen["receptacle"] = puppet.receptacle
    return seen


def _public(state: State, puppet: Puppet) -> dict[str, Any]:
    return {
        "age": puppet.age,
        "year": puppet.year,
        "link": puppet.link,
        "link_max": puppet.link_max,
        "alchemy": puppet.alchemy,
        "alchemy_max": MOST_ALCHEMY,
        "infractions": puppet.infractions,
        "pierced": puppet.pierced,
        "owes_choice": puppet.choice == "owed",
        "disabled": _running(puppet.disabled, state.turn),
        "last_thrust": puppet.thrust,
        "last_parry": puppet.parry,
    }


def _secrets(state: State, puppet: Puppet) -> dict[str, Any]:
    return {
        "receptacle": puppet.receptacle,
        "rough_skin": _running(puppet.rough_skin, state.turn),
        "decoys": _running(puppet.decoys, state.turn),
        "cancel_armed": puppet.cancel_armed,
        "pin_armed": puppet.pin_armed,
        "last_option": puppet.last_option,
        "techniques_used": puppet.techniques_used,
        "stealth_ready": puppet.stealth,
    }


def _running(effects: tuple[Effect, ...], turn: int) -> list[dict[str, Any]]:
    """The zones on which effects are in force, in zone order, each with the last turn of it."""
    held = [effect for effect in effects if effect.holds(turn)]
    return [
        {"zone": zone, "last": max(effect.last for effect in held if effect.zone == zone)}
        for zone in zones_held(held, turn)
    ]


def summary(state: State) -> dict[str, Any]:
    """Return the state in the shape of a conformance case's `expect`, every key present."""
    outcome = state.outcome
    return {
        **{seat: _summed(state.puppet(seat), state.turn) for seat in SEATS},
        "arena": state.arena,
        "neutralised": state.neutralised,
        "void_zone": state.void_zone,
        "turn": state.turn,
        "turn_hours": state.turn_hours,
        "extra_turn": state.extra_turn,
        "outcome": None if outcome is None else {"winner": outcome.winner, "by": outcome.by},
    }


def _summed(puppet: Puppet, turn: int) -> dict[str, Any]:
    return {
        "link": puppet.link,
        "alchemy": puppet.alchemy,
        "receptacle": puppet.receptacle,
        "pierced": puppet.pierced,
        "infractions": puppet.infractions,
        "techniques_used": puppet.techniques_used,
        "cancel_armed": puppet.cancel_armed,
        "pin_armed": puppet.pin_armed,
        "owes_choice": puppet.choice is not None,
        "rough_skin": zones_held(puppet.rough_skin, turn),
        "decoys": zones_held(puppet.decoys, turn),
        "disabled": zones_held(puppet.disabled, turn),
        "last_option": puppet.last_option,
    }
