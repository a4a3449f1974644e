"""A10.2: the zone named for a decoy, and what becomes of a disabled zone."""

import pytest

from rules.core import RulesError
from tests.rules.arena.bout import ARENA, Bout, option

HOLE = option("gaping_hole", "left_arm", "right_arm")


def owed(**terms):
    """A duel before turn 3, in which a owes a choice for its decoy."""
    bout = Bout(**terms).turn(a=HOLE, b=("torso", "left_leg")).turn(b=("left_arm", "right_leg"))
    assert bout["a"]["owes_choice"]
    return bout


def test_the_zone_is_disabled_in_the_two_turns_after_the_hit():
    bout = owed().turn(choices={"a": "head"}, b=("torso", "left_leg"))
    assert bout.codes[0] == "zone_disabled:b"
    assert (bout.events[0].zone, bout.events[0].last_turn) == ("head", 4)
    assert (bout["b"]["disabled"], bout["a"]["owes_choice"]) == (["head"], False)
    assert bout.turn()["b"]["disabled"] == []


def test_it_is_disabled_before_the_first_step_of_the_turn():
    bout = owed().turn(a=("head", "torso"), b=("right_leg", "head"), choices={"a": "head"})
    assert "hit:b" in bout.codes


def test_named_before_the_lock_or_with_it_the_turn_is_the_same():
    at_once, at_the_lock = owed(), owed()
    step = ARENA.choose(at_once.state, "a", "head")
    assert [(event.code, event.seat) for event in step.events] == [("zone_disabled", "b")]
    assert ARENA.status(step.state).owing == ()
    assert ARENA.view(step.state, "public")["seats"]["b"]["disabled"] == [{"zone": "head", "last": 4}]
    at_once.state = step.state
    at_once.turn(choices={"a": "head"})
    at_the_lock.turn(choices={"a": "head"})
    assert (at_once.state, at_once.events) == (at_the_lock.state, at_the_lock.events)


@pytest.mark.parametrize("choices", [{}, {"a": None}])
def test_nothing_named_is_forfeited(choices):
    bout = owed().turn(choices=choices)
    assert bout.codes[0] == "choice_forfeited:a"
    assert bout["b"]["disabled"] == []


def test_forfeited_before_the_lock_the_seat_may_file_and_the_turn_is_the_same():
    early, late = owed(), owed()
    early.state = ARENA.choose(early.state, "a", None).state
    assert ARENA.awaits(early.state, "a").parts
    early.turn(choices={"a": None})
    late.turn(choices={"a": None})
    assert (early.state, early.events) == (late.state, late.events)


def test_one_at_fault_may_choose():
    assert owed().turn(choices={"a": "head"}, late="a").codes[:2] == ["zone_disabled:b", "infraction:a"]


def test_a_choice_that_nobody_owes_is_passed_over():
    bout = owed().turn(choices={"a": "head", "b": "torso"})
    assert bout["a"]["disabled"] == []


def test_a_choice_is_named_once():
    step = ARENA.choose(owed().state, "a", "head")
    with pytest.raises(RulesError, match="owes no choice"):
        ARENA.choose(step.state, "a", "torso")


def test_a_zone_that_does_not_exist_is_refused():
    with pytest.raises(RulesError, match="tail"):
        ARENA.choose(owed().state, "a", "tail")


def test_neither_parry_nor_skin_protects_a_disabled_zone_and_the_receptacle_is_pierced_there():
    bout = Bout(b={"receptacle": "head"}).turn(a=("right_arm", "torso", HOLE), b=("torso", "left_leg"))
    bout.turn(b=("left_arm", "right_leg", option("rough_skin", "head")))
    bout.turn(a=("head", "torso"), b=("right_leg", "head"), choices={"a": "head"})
    assert [code for code in bout.codes if code.endswith(":b")] == ["zone_disabled:b", "hit:b", "pierced:b"]


def test_a_decoy_in_a_disabled_zone_does_not_work():
    bout = Bout().turn(a=HOLE, b=("torso", "left_leg"))
    bout.turn(b=("left_arm", "right_leg", option("gaping_hole", "head", "torso")))
    bout.turn(a=("head", "torso"), choices={"a": "head"})
    assert "hit:b" in bout.codes
    assert not bout["b"]["owes_choice"]


def test_a_stealth_thrust_into_a_disabled_zone_passes_nothing():
    bout = Bout().turn(a=HOLE, b=("torso", "left_leg"))
    bout.turn(a=option("stealth_thrust"), b=("left_arm", "right_leg"))
    bout.turn(a=("head", "torso"), b=("right_leg", "head"), choices={"a": "head"})
    assert "hit:b" in bout.codes
    assert "stealth_struck:b" not in bout.codes


def test_a_receptacle_cannot_move_into_a_disabled_zone():
    bout = owed(edition="classic").turn(b=option("move_receptacle", "head"), choices={"a": "head"})
    failed = next(event for event in bout.events if event.code == "failed_option")
    assert (failed.rule, failed.points) == ("A11.0", 1)
    assert (bout["b"]["receptacle"], bout["b"]["last_option"]) == ("right_leg", "move_receptacle")


def test_a_receptacle_in_a_disabled_zone_gains_nothing_until_it_moves_away():
    bout = Bout(b={"receptacle": "torso"}).turn(a=HOLE, b=("torso", "left_leg"))
    bout.turn(a=("right_arm", "left_leg"), b=("left_arm", "right_leg"))
    bout.turn(a=("left_leg", "right_arm"), b=("right_leg", "left_leg"), choices={"a": "torso"})
    assert "parried:b" in bout.codes
    assert bout["b"]["alchemy"] == 5
    bout.turn(a=("head", "torso"), b=("left_arm", "head", option("move_receptacle", "left_arm")))
    assert bout["b"]["alchemy"] == 6


def test_a_transformation_naming_a_disabled_zone_takes_effect_for_afterwards():
    bout = owed().turn(b=option("rough_skin", "head"), choices={"a": "head"})
    assert "option_used:b" in bout.codes
    assert bout["b"]["rough_skin"] == ["head"]
    assert "hit:b" in bout.turn(a=("head", "right_arm")).codes
    assert "rough_skin_held:b" in bout.turn(a=("head", "torso")).codes


def test_the_void_zone_stays_void_when_it_is_disabled():
    bout = Bout(arena="playful_sand", void_zone="left_leg").turn(a=HOLE, b=("torso", "left_leg"), void_zone=6)
    bout.turn(b=("left_arm", "right_leg"), void_zone=1)
    bout.turn(a=("head", "torso"), choices={"a": "head"}, void_zone=6)
    assert "missed:a" in bout.codes


def test_both_may_owe_a_choice():
    bout = (
        Bout()
        .turn(a=HOLE, b=option("gaping_hole", "head", "torso"))
        .turn(a=("torso", "left_leg"), b=("left_arm", "head"))
    )
    assert ARENA.status(bout.state).owing == ("a", "b")
    bout.turn(choices={"a": "head", "b": "left_leg"})
    assert bout.codes[:2] == ["zone_disabled:b", "zone_disabled:a"]


def test_a_zone_named_while_an_older_one_is_still_disabled():
    bout = Bout().turn(a=HOLE, b=("torso", "left_leg")).turn(a=("torso", "left_leg", HOLE), b=("left_arm", "right_leg"))
    bout.turn(choices={"a": "head"}, b=("right_arm", "left_leg"))
    bout.state = ARENA.choose(bout.state, "a", "torso").state
    assert ARENA.summary(bout.state)["b"]["disabled"] == ["head", "torso"]
    bout.turn()
    assert (bout.events[0].code, bout.events[0].zone) == ("zone_disabled", "torso")
    assert bout["b"]["disabled"] == ["torso"]
