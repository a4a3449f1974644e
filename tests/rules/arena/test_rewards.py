"""What an arena duel brings and costs (A3.2, A3.3)."""

import pytest

from rules.core import Reward
from rules.dice import ScriptedDice

from .bout import ADULT, ARENA, PUPIL, Bout


def rewards(bout):
    return ARENA.rewards(bout.state, bout.events)


def students(**setup):
    return Bout(a=PUPIL, b=PUPIL, **setup)


def broken(bout, turn):
    """Play so many turns; in the last of them b's link breaks."""
    for _turn in range(turn - 1):
        bout.turn(adjust=(("a", "link", 1), ("b", "link", 1)))
    return bout.turn(adjust=(("b", "link", -6),))


def test_the_winner_of_a_students_training_duel_receives_ten_of_dust_after_three_turns():
    assert rewards(broken(students(), 3)) == (Reward("a", "dust", 10, "A3.3"),)


def test_two_turns_are_too_few():
    assert rewards(broken(students(), 2)) == ()


@pytest.mark.parametrize("stop", [{"surrender": "b"}, {"agreed_draw": True}])
def test_a_turn_that_a_surrender_or_a_draw_ends_does_not_count(stop):
    assert rewards(students().turn().turn().stop(**stop)) == ()


def test_a_surrender_in_the_fourth_turn_leaves_three_that_were_resolved():
    assert rewards(students().turn().turn().turn().stop(surrender="a")) == (Reward("b", "dust", 10, "A3.3"),)


@pytest.mark.parametrize("setup", [{"a": ADULT}, {"b": ADULT}, {"kind": "tournament"}])
def test_adults_and_tournaments_have_no_dust(setup):
    bout = Bout(**{"a": PUPIL, "b": PUPIL, **setup})
    for _turn in range(3):
        bout.turn(adjust=(("a", "link", 1), ("b", "link", 1)))
    assert rewards(bout.stop(surrender="b")) == ()


def test_a_draw_brings_nothing():
    bout = students().turn(late="ab").turn(late="ab").turn(late="ab")
    assert bout["outcome"] == {"winner": None, "by": "draw"}
    assert rewards(bout) == ()


def test_discovered_both_lose_dust_and_more_each_time():
    bout = students(kind="clandestine").turn()
    step = ARENA.open(bout.state, ScriptedDice({"discovery": 99}))
    assert ARENA.rewards(step.state, step.events) == tuple(
        Reward(seat, "dust", -5, "A3.2", more_each_time=-5) for seat in "ab"
    )


def test_a_clandestine_duel_that_was_not_discovered_brings_no_dust():
    bout = students(kind="clandestine").turn().turn(discovery=1).turn(discovery=1).stop(surrender="b")
    assert rewards(bout) == ()


def test_while_a_duel_runs_there_is_nothing():
    assert rewards(students().turn()) == ()
