"""Resolving a turn: its steps, in the order of A14.0."""

from __future__ import annotations

from collections.abc import Callable

from rules.arena.choices import settle
from rules.arena.ending import draw_void_zone, end_check, stopped, swap_gauges
from rules.arena.options import options
from rules.arena.sanctions import infractions, sanctions
from rules.arena.state import Event, State
from rules.arena.thrusts import adjustments, leaks, shift, thrusts, wind
from rules.arena.turn import Turn, begin
from rules.core import Dice, Inputs, RulesError

STEPS: tuple[Callable[[Turn], None], ...] = (
    infractions,  # 1
    sanctions,  # 2
    options,  # 3
    wind,  # 4; the void zone acts where thrusts land
    shift,
    thrusts,  # 5
    leaks,  # 6
    adjustments,
    end_check,  # 7
    swap_gauges,  # 8
    draw_void_zone,
)  # 9, the durations, is the making of the next state


def resolve(state: State, inputs: Inputs, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """Return the state after the turn, and what happened in it. No step takes place once the duel is over.

    Raises RulesError if the duel is over already or the inputs cannot be played.
    """
    if state.outcome is not None:
        raise RulesError("the duel is over: nothing more is resolved")
    end = stopped(state, inputs)
    if end is not None:
        return end
    chosen, announced = settle(state, inputs.choices)
    turn = begin(chosen, inputs, dice, announced)
    for step in STEPS:
        step(turn)
        if turn.outcome is not None:
            break
    return turn.settle(), tuple(turn.events)
