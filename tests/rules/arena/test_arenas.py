"""Article 12: what each arena does to the turn."""

import pytest

from tests.rules.arena.bout import PUPIL, Bout, option

SAND = {"arena": "playful_sand"}


def test_a_thrust_into_the_void_zone_misses_whatever_is_there():
    hole = option("gaping_hole", "torso", "left_leg")
    bout = Bout(b={"receptacle": "torso"}, **SAND, void_zone="head").turn(b=hole, void_zone=4)
    bout.turn(a=("torso", "left_leg"), b=("right_arm", "torso"), void_zone=1)
    assert bout.codes[:2] == ["missed:a", "hit:a"]
    assert (bout["b"]["pierced"], bout["b"]["owes_choice"], bout["b"]["alchemy"]) == (False, False, 4)


def test_a_receptacle_in_the_void_zone_still_leaks():
    bout = Bout(b={"receptacle": "head"}, **SAND, void_zone="torso").turn(a=("head", "torso"), void_zone=1)
    assert bout["b"]["pierced"]
    assert "leaked:b" in bout.turn(void_zone=2).codes


@pytest.mark.parametrize("used", ["regenerating_sap", "time_capsule", "stealth_thrust", "rough_skin"])
def test_an_option_that_costs_alchemy_is_refused_in_the_void_zone_even_without_alchemy_or_zones(used):
    bout = Bout(**SAND, void_zone="right_leg").turn(a=option(used), adjust=(("a", "alchemy", -5),), void_zone=6)
    assert bout.codes[0] == "failed_option:a"
    bout.turn(a=option(used), void_zone=1)
    assert bout.codes[0] == "failed_option:a"
    assert bout.events[0].rule == "A10.7a"
    assert not {"insufficient:a", "repetition:a"} & set(bout.codes)


def test_a_free_technique_is_not_refused_in_the_void_zone():
    bout = Bout(**SAND, void_zone="right_leg").turn(a=option("cancel_option"), void_zone=1)
    assert bout["a"]["cancel_armed"]
    bout = Bout(edition="classic", **SAND, void_zone="right_leg").turn(a=option("cancel_option"), void_zone=1)
    assert not bout["a"]["cancel_armed"]


def test_the_referees_alchemy_reaches_a_receptacle_in_the_void_zone():
    bout = Bout(**SAND, void_zone="right_leg").turn(adjust=(("a", "alchemy", 1),), void_zone=1)
    assert bout["a"]["alchemy"] == 6


def test_the_sand_draws_no_zone_once_the_duel_is_over():
    bout = Bout(a=PUPIL, **SAND, void_zone="right_leg").turn(adjust=(("a", "link", -6),))
    assert bout["outcome"] == {"winner": "b", "by": "link_broken"}
    assert bout["void_zone"] == "right_leg"


MOVES = {
    1: {"torso": "head", "left_leg": "left_arm", "right_leg": "right_arm"},
    2: {"head": "torso", "left_arm": "left_leg", "right_arm": "right_leg"},
    3: {"right_arm": "torso", "torso": "left_arm", "right_leg": "left_leg"},
    4: {"left_arm": "torso", "torso": "right_arm", "left_leg": "right_leg"},
}


@pytest.mark.parametrize("face", [1, 2, 3, 4])
@pytest.mark.parametrize("zone", ["head", "left_arm", "right_arm", "torso", "left_leg", "right_leg"])
def test_the_rocks_move_a_thrust_by_one_zone_or_off_the_puppet(face, zone):
    bout = Bout(arena="runic_rocks").turn(a=(zone, "torso"), late="b", shift=face)
    landed = MOVES[face].get(zone)
    event = next(event for event in bout.events if event.code in ("hit", "missed"))
    assert (event.code, event.zone) == (("hit", landed) if landed else ("missed", zone))


def test_a_parry_moved_off_the_puppet_protects_nothing():
    bout = Bout(arena="runic_rocks").turn(a=("left_arm", "head"), b=("torso", "right_leg"), shift=1)
    assert bout.codes == ["shifted", "missed:a", "hit:a"]


def test_a_parry_moved_where_the_thrust_lands_holds():
    bout = Bout(arena="runic_rocks").turn(a=("torso", "left_leg"), b=("left_leg", "torso"), shift=1)
    assert bout.codes == ["shifted", "parried:b", "parried:a"]


def test_the_swap_takes_place_in_turns_two_four_six():
    bout = Bout(arena="verdant_circles")
    assert ["gauges_swapped" in bout.turn().codes for _ in range(4)] == [False, True, False, True]


def test_the_swap_counts_turns_from_the_start_of_the_duel():
    bout = Bout().turn(a=option("change_arena"), new_arena=3)
    assert bout["arena"] == "verdant_circles"
    assert "gauges_swapped" in bout.turn().codes


def test_the_circles_still_swap_in_the_turn_that_changes_them():
    bout = Bout(arena="verdant_circles").turn().turn(a=option("change_arena"), new_arena=3)
    assert "gauges_swapped" in bout.codes


def test_a_pierced_receptacle_does_not_prevent_the_swap():
    bout = Bout(b={"receptacle": "head"}, arena="verdant_circles").turn(adjust=(("a", "alchemy", 2),)).turn()
    assert (bout["a"]["alchemy"], bout["b"]["alchemy"]) == (5 - 1, 7)


def test_costs_of_the_turn_stay_with_their_author():
    bout = Bout(arena="verdant_circles").turn(a=("head", "torso"), adjust=(("b", "link", -3),))
    assert (bout["a"]["link"], bout["b"]["link"]) == (9, 6)
    bout.turn(a=("head", "torso"), late="b")
    assert bout["a"]["link"] == (6 - 1 - 1) + 1 - 2
    assert bout["b"]["link"] == (9 - 2) + 2 - 1


def test_a_price_in_link_is_swapped_like_any_other_loss():
    bout = Bout(edition="classic", arena="verdant_circles").turn().turn(a=option("pin_receptacle"))
    assert (bout["a"]["link"], bout["b"]["link"]) == (8, 6)


def test_no_swap_in_a_turn_whose_end_calls_an_extra_turn():
    bout = Bout(a=PUPIL, b=PUPIL, arena="verdant_circles").turn()
    bout.turn(adjust=(("a", "link", -6), ("b", "link", -6)))
    assert bout.codes[-1] == "extra_turn"
    assert "gauges_swapped" not in bout.codes


def test_the_wind_swaps_on_a_one_only():
    for face in (2, 3, 4):
        assert "swapped_zones" not in Bout().turn(wind=face).codes
    bout = Bout().turn(a=("head", "torso"), b=("left_arm", "left_leg"), wind=1)
    assert [(event.code, event.zone) for event in bout.events[1:]] == [("hit", "torso"), ("hit", "left_leg")]


def test_what_the_wind_did_is_not_what_is_compared():
    bout = Bout().turn(a=("head", "torso"), wind=1)
    assert "relentlessness:a" not in bout.turn(a=("torso", "head")).codes
