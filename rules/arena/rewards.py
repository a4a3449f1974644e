"""What an arena duel brings and costs besides the stakes (A3.2, A3.3)."""

from __future__ import annotations

from rules.arena.state import Event, State
from rules.arena.terms import SEATS
from rules.core import Reward

DUST = 10  # A3.3
RESOLVED_TURNS = 3  # A3.3
CAUGHT = -5  # A3.2
UNRESOLVED = ("A3.2", "A13.4")  # discovered, surrendered or agreed: the turn under way is not resolved


def rewards(state: State, events: tuple[Event, ...]) -> tuple[Reward, ...]:
    """Return the dust won and lost; `events` are of the step that ended the duel."""
    if any(event.code == "discovered" for event in events):
        return tuple(Reward(seat, "dust", CAUGHT, "A3.2", more_each_time=CAUGHT) for seat in SEATS)
    winner = state.outcome.winner if state.outcome else None
    if winner is None or not _is_rewarded(state) or _resolved(state, events) < RESOLVED_TURNS:
        return ()
    return (Reward(winner, "dust", DUST, "A3.3"),)


def _is_rewarded(state: State) -> bool:
    """A students' training duel (A3.1a, A3.3)"""
    return state.kind == "training" and "adult" not in (state.a.year, state.b.year)


def _resolved(state: State, events: tuple[Event, ...]) -> int:
    stopped = any(event.code == "duel_over" and event.rule in UNRESOLVED for event in events)
    return state.turn - stopped
