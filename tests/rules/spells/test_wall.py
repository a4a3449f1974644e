"""B3.3.4: a duel of a tournament that is undecided when its round ends."""

import pytest

from rules.core import Adjustment, Inputs
from rules.dice import ScriptedDice
from tests.rules.spells.bout import SPELLS, act, duel, entrant


def at_the_wall(*points, levels=(1, 1)):
    """The outcome when the round ends after a first turn in which the referee took these points."""
    state = duel(*map(entrant, levels))
    adjustments = tuple(Adjustment(*given) for given in points)
    state = act(state, {seat: [] for seat in state.duellists}, adjustments=adjustments).state
    step = SPELLS.resolve(state, Inputs(wall=True), ScriptedDice({}))
    assert [event.rule for event in step.events] == ["B3.3.4"]
    return step.state.outcome.winner, step.state.outcome.by


@pytest.mark.parametrize(
    ("points", "levels", "outcome"),
    [
        ([("b", "fatigue", -1)], (1, 1), (1, "wall")),
        ([("a", "fatigue", -1), ("b", "magic", -3)], (1, 1), (2, "wall")),
        ([("a", "magic", -1)], (1, 1), (2, "wall")),
        ([("a", "fatigue", -3), ("b", "fatigue", -3)], (1, 8), (2, "wall")),  # shares, not points
        ([], (1, 8), (None, "draw")),
        ([("a", "fatigue", -4), ("b", "fatigue", -2)], (1, 1, 1, 1), (2, "wall")),
        ([("c", "fatigue", -10), ("b", "fatigue", -9)], (1, 1, 1, 1), (2, "wall")),
    ],
)
def test_the_team_that_has_kept_more_of_what_it_had_wins(points, levels, outcome):
    assert at_the_wall(*points, levels=levels) == outcome


def absent_at_the_wall(*absent, levels=(1, 8), turns=0):
    """The step in which the round ends after so many quiet turns."""
    state = duel(*map(entrant, levels))
    for _turn in range(turns):
        state = act(state, {seat: [] for seat in state.duellists}).state
    return SPELLS.resolve(state, Inputs(wall=True, absent=absent), ScriptedDice({}))


@pytest.mark.parametrize("turns", [0, 3])
@pytest.mark.parametrize(("absent", "winner", "team"), [("a", "b", 2), ("b", "a", 1)])
def test_who_is_absent_loses_and_the_other_is_rewarded_in_any_turn(absent, winner, team, turns):
    state, events = (step := absent_at_the_wall(absent, turns=turns)).state, step.events
    assert (state.outcome.winner, state.outcome.by) == (team, "absence")
    assert [(event.code, event.seat) for event in events] == [("out", absent), ("duel_over", None)]
    rewards = SPELLS.rewards(state, events)
    assert [(one.seat, one.currency, one.amount) for one in rewards] == [(winner, "points", 1), (winner, "salary", 4)]


@pytest.mark.parametrize("turns", [0, 3])
def test_two_who_are_absent_win_and_receive_nothing_whatever_they_have_kept(turns):
    step = absent_at_the_wall("a", "b", turns=turns)
    assert (step.state.outcome.winner, step.state.outcome.by) == (None, "draw")
    assert SPELLS.rewards(step.state, step.events) == ()


def test_a_partner_who_is_absent_leaves_it_to_the_gauges():
    step = absent_at_the_wall("a", levels=(1, 1, 1, 1))
    assert (step.state.outcome.winner, step.state.outcome.by) == (2, "wall")
