"""Article 10: the five transformations."""

from tests.rules.arena.bout import Bout, option

SKIN = option("rough_skin", "left_arm")
HOLE = option("gaping_hole", "left_arm", "right_arm")
STEALTH = option("stealth_thrust")


def test_a_rough_skin_and_a_parry_on_one_zone_both_give_their_point():
    bout = Bout().turn(a=("head", "torso", SKIN)).turn(a=("torso", "left_arm"), b=("left_arm", "head"))
    assert [code for code in bout.codes if code.endswith(":a")] == ["parried:a", "rough_skin_held:a"]
    assert bout["a"]["alchemy"] == 5 - 1 + 2


def test_two_rough_skins_on_one_zone_give_one_point():
    bout = Bout().turn(a=SKIN).turn(a=SKIN, b=("torso", "head")).turn(a=("head", "torso"), b=("left_arm", "left_leg"))
    assert bout.codes.count("rough_skin_held:a") == 1
    assert bout["a"]["rough_skin"] == ["left_arm"]
    assert bout["a"]["alchemy"] == 5 - 2 + 1


def test_a_rough_skin_does_nothing_in_the_turn_that_it_is_used():
    assert "hit:a" in Bout().turn(a=SKIN, b=("left_arm", "left_leg")).codes


def test_a_decoy_costs_nothing_pierces_nothing_and_owes_a_choice():
    bout = Bout(a={"receptacle": "left_arm"}).turn(a=HOLE, b=("right_leg", "left_leg")).turn(b=("left_arm", "head"))
    assert bout.codes == ["hit:b", "decoy_hit:a"]
    assert bout["a"]["owes_choice"]
    assert not bout["a"]["pierced"]
    assert bout["a"]["link"] == 9


def test_a_skin_in_a_decoy_still_gives_its_point():
    bout = Bout().turn(a=HOLE).turn(a=SKIN, b=("head", "torso")).turn(b=("left_arm", "left_leg"))
    assert {"decoy_hit:a", "rough_skin_held:a"} <= set(bout.codes)
    assert bout["a"]["alchemy"] == 5 - 2 + 1


def test_decoys_do_nothing_in_the_turn_that_they_are_made_nor_in_the_third_after():
    bout = Bout().turn(a=HOLE, b=("left_arm", "left_leg"))
    assert "hit:a" in bout.codes
    assert bout["a"]["decoys"] == ["left_arm", "right_arm"]
    bout.turn(b=("head", "left_arm")).turn(b=("torso", "left_leg"))
    assert bout["a"]["decoys"] == []
    assert "hit:a" in bout.turn(b=("left_arm", "head")).codes


def test_sap_gives_one_link_before_the_thrusts_and_not_above_the_start():
    bout = Bout().turn(a=option("regenerating_sap"))
    assert bout["a"]["link"] == 9
    assert bout.events[0].gained == 0
    bout.turn(a=option("time_capsule"))
    assert bout.turn(a=option("regenerating_sap")).events[0].gained == 1
    assert bout["a"]["link"] == 8


def test_sap_fills_what_a_sanction_of_the_same_turn_took():
    bout = (
        Bout()
        .turn(a=option("regenerating_sap"), b=("head", "torso"))
        .turn(a=("torso", "left_leg", option("regenerating_sap")), b=("left_leg", "head"))
    )
    assert bout.codes[:2] == ["repetition:a", "option_used:a"]
    assert bout["a"]["link"] == 9 - 1 + 1


def test_a_stealth_thrust_passes_a_parry_and_pierces():
    bout = Bout(b={"receptacle": "torso"}).turn(a=STEALTH).turn(a=("torso", "left_leg"), b=("right_arm", "torso"))
    assert bout.codes[:3] == ["hit:b", "stealth_struck:b", "pierced:b"]
    assert "parried:b" not in bout.codes


def test_a_stealth_thrust_on_an_unprotected_zone_is_a_plain_hit():
    assert "stealth_struck:b" not in Bout().turn(a=STEALTH).turn(a=("torso", "left_leg")).codes


def test_a_stealth_thrust_is_lost_when_it_is_not_first():
    bout = Bout().turn(a=STEALTH).turn(a=("torso", "left_leg"), b=("right_arm", "torso"), posted="ba")
    assert "parried:b" in bout.codes
    bout.turn(a=("head", "torso"), b=("left_arm", "head"))
    assert "parried:b" in bout.codes


def test_whoever_is_at_fault_does_not_count_as_first():
    bout = Bout().turn(a=STEALTH).turn(a=("torso", "left_leg"), posted="ba", late="b")
    assert bout.state.first_post == "a"


def test_a_stealth_thrust_waits_for_no_later_turn():
    bout = Bout().turn(a=STEALTH).turn(late="a").turn(a=("torso", "left_leg"), b=("right_arm", "torso"))
    assert "parried:b" in bout.codes


def test_a_stealth_thrust_passes_a_new_skin_and_the_parry_with_it():
    bout = Bout().turn(a=STEALTH, b=option("rough_skin", "torso"))
    bout.turn(a=("torso", "left_leg"), b=("right_arm", "torso"))
    assert [code for code in bout.codes if code.endswith(":b")] == ["hit:b", "stealth_struck:b"]
    assert bout["b"]["alchemy"] == 4


def test_a_seasoned_skin_stops_a_stealth_thrust_and_the_parry_gives_nothing():
    bout = Bout().turn(b=option("rough_skin", "head")).turn(a=STEALTH, b=("right_arm", "right_leg"))
    bout.turn(a=("head", "torso"), b=("left_arm", "head"))
    assert [code for code in bout.codes if code.endswith(":b")] == ["rough_skin_held:b"]
    assert bout["b"]["alchemy"] == 4 + 1


def test_of_two_skins_the_seasoned_one_stops_a_stealth_thrust():
    skin = option("rough_skin", "head")
    bout = Bout().turn(b=skin).turn(a=STEALTH, b=skin).turn(a=("head", "torso"))
    assert bout.codes.count("rough_skin_held:b") == 1


def test_a_decoy_under_a_stealth_thrust_gives_no_point_for_parry_or_new_skin():
    skin = ("right_arm", "right_leg", option("rough_skin", "head"))
    bout = Bout().turn(b=option("gaping_hole", "head", "left_leg")).turn(a=STEALTH, b=skin)
    bout.turn(a=("head", "torso"), b=("left_arm", "head"))
    assert [code for code in bout.codes if code.endswith(":b")] == ["decoy_hit:b"]
    assert bout["b"]["link"] == 8


def test_a_decoy_under_a_stealth_thrust_gives_the_point_of_a_seasoned_skin():
    hole = ("right_arm", "right_leg", option("gaping_hole", "head", "torso"))
    bout = Bout().turn(b=option("rough_skin", "head")).turn(a=STEALTH, b=hole)
    bout.turn(a=("head", "torso"), b=("left_arm", "head"))
    assert [code for code in bout.codes if code.endswith(":b")] == ["decoy_hit:b", "rough_skin_held:b"]


def test_a_capsule_changes_the_next_three_turns():
    bout = Bout(turn_hours=24).turn(a=option("time_capsule"))
    hours = [bout["turn_hours"], *(bout.turn()["turn_hours"] for _ in range(3))]
    assert hours == [48, 48, 48, 24]


def test_two_capsules_in_one_turn_do_not_cancel_each_other():
    bout = Bout().turn(a=option("time_capsule"), b=option("time_capsule"))
    assert [bout["turn_hours"], *(bout.turn()["turn_hours"] for _ in range(3))] == [24, 24, 24, 48]


def test_without_its_zone_a_transformation_is_paid_and_remembered():
    bout = Bout().turn(a=option("rough_skin"))
    assert bout.codes[0] == "failed_option:a"
    assert bout.events[0].rule == "A10.6"
    assert (bout["a"]["alchemy"], bout["a"]["last_option"]) == (4, "rough_skin")
    assert "repetition:a" in bout.turn(a=SKIN).codes


def test_two_equal_zones_make_no_decoy():
    bout = Bout().turn(a=option("gaping_hole", "head", "head"))
    assert bout.codes[0] == "failed_option:a"
    assert bout["a"]["decoys"] == []


def test_a_skin_in_the_void_zone_takes_effect_for_when_that_is_over():
    bout = Bout(arena="playful_sand", void_zone="left_arm").turn(a=SKIN, b=("torso", "left_leg"), void_zone=5)
    assert "option_used:a" in bout.codes
    assert "rough_skin_held:a" in bout.turn(b=("left_arm", "head"), void_zone=5).codes


def test_without_alchemy_a_transformation_costs_link_only_and_is_not_remembered():
    bout = Bout().turn(a=option("regenerating_sap"), adjust=(("a", "alchemy", -4),)).turn(a=option("time_capsule"))
    assert bout.codes[0] == "insufficient:a"
    assert (bout.events[0].rule, bout["a"]["last_option"], bout["turn_hours"]) == ("A10.7", "regenerating_sap", 48)


def test_insufficient_and_repeated_are_both_fined():
    bout = Bout().turn(a=option("regenerating_sap"), adjust=(("a", "alchemy", -4),)).turn(a=option("regenerating_sap"))
    assert bout.codes[:2] == ["repetition:a", "insufficient:a"]
    assert "option_used:a" not in bout.codes
