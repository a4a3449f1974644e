"""Article 11: the seven secret techniques, in both editions."""

import pytest

from tests.rules.arena.bout import ARENA, Bout, option

CANCEL, PIN = option("cancel_option"), option("pin_receptacle")
MOVE, REPAIR = option("move_receptacle", "left_leg"), option("repair_receptacle")
SAP, CAPSULE = option("regenerating_sap"), option("time_capsule")


@pytest.mark.parametrize("used", [
    option("rough_skin", "head"), option("gaping_hole", "head", "torso"), SAP, option("stealth_thrust"), CAPSULE,
])  # fmt: skip
@pytest.mark.parametrize("edition", ["beta", "classic"])
def test_every_transformation_costs_one_alchemy(edition, used):
    assert Bout(edition=edition).turn(a=used)["a"]["alchemy"] == 4


@pytest.mark.parametrize(
    ("used", "link", "alchemy"),
    [(MOVE, 1, 0), (option("change_arena"), 0, 1), (REPAIR, 1, 0), (CANCEL, 0, 1), (PIN, 2, 0),
     (option("neutralise_arena"), 0, 2)],
)  # fmt: skip
def test_what_a_technique_costs(used, link, alchemy):
    dice = {"new_arena": 2} if used["name"] == "change_arena" else {}
    assert Bout(edition="classic").turn(a=used, **dice).gauges("a") == (9 - link, 5 - alchemy)
    assert Bout(edition="beta").turn(a=used, **dice).gauges("a") == (9, 5)


@pytest.mark.parametrize("edition", ["beta", "classic"])
def test_a_conversion_takes_two_and_gives_two(edition):
    assert Bout(edition=edition).turn(a=option("convert_points", to="alchemy")).gauges("a") == (7, 7)
    bout = Bout(edition=edition).turn(adjust=(("a", "link", -3),)).turn(a=option("convert_points", to="link"))
    assert bout.gauges("a") == (10 - 1 - 3 + 2 - 1, 3)


def test_a_conversion_gains_no_more_than_there_is_room_for():
    bout = Bout().turn(a=option("convert_points", to="link"))
    assert (bout.gauges("a"), bout.events[0].points, bout.events[0].gained) == ((9, 3), 2, 0)
    bout = Bout().turn(adjust=(("a", "alchemy", 2),)).turn(a=option("convert_points", to="alchemy"))
    assert (bout.gauges("a"), bout.events[0].gained) == ((6, 8), 1)


def test_a_conversion_to_alchemy_is_lost_in_a_pierced_receptacle():
    bout = Bout(a={"receptacle": "left_arm"}).turn().turn(a=option("convert_points", to="alchemy"))
    assert bout.gauges("a") == (9 - 2 - 1, 5 - 1)


def test_a_move_is_made_before_the_thrusts():
    bout = Bout(b={"receptacle": "head"}).turn(a=("head", "torso"), b=MOVE)
    assert bout.codes == ["option_used:b", "hit:b", "hit:a"]
    assert (bout["b"]["receptacle"], bout["b"]["pierced"]) == ("left_leg", False)


def test_a_pierced_receptacle_stays_pierced_when_it_moves_and_is_hidden_again():
    bout = Bout(b={"receptacle": "head"}).turn(a=("head", "torso"))
    assert ARENA.view(bout.state, "a")["seats"]["b"]["receptacle"] == "head"
    bout.turn(b=MOVE)
    assert bout["b"]["pierced"]
    assert "receptacle" not in ARENA.view(bout.state, "a")["seats"]["b"]


def test_hit_again_a_pierced_receptacle_that_moved_is_not_told():
    bout = Bout(b={"receptacle": "head"}).turn(a=("head", "torso")).turn(b=MOVE)
    bout.turn(a=("left_leg", "torso"), b=("left_arm", "head"))
    assert "hit:b" in bout.codes
    assert "pierced:b" not in bout.codes
    assert "receptacle" not in ARENA.view(bout.state, "public")["seats"]["b"]


@pytest.mark.parametrize("zones", [(), ("right_leg",)])
def test_a_move_to_nowhere_or_to_where_it_is_fails_is_paid_and_counts(zones):
    bout = Bout(edition="classic").turn(a=option("move_receptacle", *zones))
    assert bout.codes[0] == "failed_option:a"
    assert bout.events[0].rule == "A11.0"
    assert (bout["a"]["link"], bout["a"]["techniques_used"], bout["a"]["last_option"]) == (8, 1, "move_receptacle")


def test_a_move_to_the_void_zone_is_made_and_gains_nothing_there():
    bout = Bout(arena="playful_sand", void_zone="left_leg").turn(
        a=("head", "torso", MOVE), b=("torso", "head"), void_zone=1
    )
    assert bout["a"]["receptacle"] == "left_leg"
    assert "parried:a" in bout.codes
    assert bout["a"]["alchemy"] == 5


def test_a_move_out_of_the_void_zone_gains_in_the_same_turn():
    bout = Bout(a={"receptacle": "left_arm"}, arena="playful_sand", void_zone="left_arm")
    bout.turn(a=("head", "torso", MOVE), b=("torso", "head"), void_zone=1)
    assert bout["a"]["alchemy"] == 6


def test_repaired_in_a_turn_it_gains_in_that_turn():
    bout = Bout(a={"receptacle": "left_arm"}).turn().turn(a=("torso", "left_leg", REPAIR), b=("left_leg", "head"))
    assert (bout["a"]["pierced"], bout["a"]["alchemy"]) == (False, 6)


def test_repaired_without_a_move_its_zone_stays_known():
    bout = Bout(a={"receptacle": "left_arm"}).turn().turn(a=REPAIR)
    assert ARENA.view(bout.state, "public")["seats"]["a"]["receptacle"] == "left_arm"


def test_what_is_cancelled_is_the_next_option_however_late_it_comes():
    bout = Bout().turn(a=CANCEL).turn().turn(b=CAPSULE)
    assert bout.codes[0] == "option_cancelled:b"
    assert (bout["b"]["alchemy"], bout["b"]["last_option"], bout["turn_hours"]) == (4, "time_capsule", 48)
    assert not bout["a"]["cancel_armed"]


def test_the_option_of_the_same_turn_is_not_cancelled():
    bout = Bout().turn(a=CANCEL, b=CAPSULE)
    assert bout["turn_hours"] == 24
    assert bout["a"]["cancel_armed"]


def test_what_was_armed_acts_before_what_is_armed_now():
    bout = Bout().turn(a=CANCEL).turn(a=PIN).turn(a=CANCEL, b=CAPSULE)
    assert "option_cancelled:b" in bout.codes
    assert bout["a"]["cancel_armed"]
    assert "option_cancelled:b" in bout.turn(b=SAP).codes


def test_two_armed_cancellations_cancel_each_other_s_next():
    bout = Bout().turn(a=CANCEL, b=CANCEL).turn(a=PIN, b=PIN)
    assert bout.codes[:2] == ["option_cancelled:a", "option_cancelled:b"]
    for seat in "ab":
        assert not bout[seat]["cancel_armed"]
        assert not bout[seat]["pin_armed"]
        assert bout[seat]["techniques_used"] == 2


def test_a_cancelled_cancellation_arms_nothing():
    bout = Bout().turn(a=CANCEL).turn(b=CANCEL)
    assert bout.codes[0] == "option_cancelled:b"
    assert not bout["b"]["cancel_armed"]


def test_cancelled_in_classic_an_option_loses_its_price():
    bout = Bout(edition="classic").turn(a=CANCEL).turn(b=PIN)
    assert bout.codes[0] == "option_cancelled:b"
    assert (bout.events[0].gauge, bout.events[0].points) == ("link", 2)
    assert (bout["b"]["link"], bout["b"]["pin_armed"]) == (9 - 2 - 1, False)


def test_a_conversion_to_link_cancelled_in_classic_loses_two_alchemy():
    bout = Bout(edition="classic").turn(a=CANCEL).turn(b=option("convert_points", to="link"))
    assert bout.gauges("b") == (8, 3)


def test_zones_missing_do_not_save_an_option_from_its_cancellation():
    bout = Bout().turn(a=CANCEL).turn(b=option("rough_skin"))
    assert bout.codes[0] == "option_cancelled:b"
    assert not bout["a"]["cancel_armed"]


def test_zones_missing_do_not_save_a_move_from_its_pin():
    bout = Bout(edition="classic").turn(a=PIN).turn(b=option("move_receptacle"))
    assert bout.codes[0] == "move_pinned:b"
    assert (bout["b"]["link"], bout["b"]["techniques_used"], bout["a"]["pin_armed"]) == (9 - 1 - 1, 1, False)


def test_a_pin_waits_for_a_move_and_lets_other_options_pass():
    bout = Bout().turn(a=PIN).turn(b=SAP)
    assert "option_used:b" in bout.codes
    assert bout["a"]["pin_armed"]


def test_a_move_pinned_leaves_the_zone_known():
    bout = Bout(b={"receptacle": "head"}).turn(a=("head", "torso", PIN)).turn(b=MOVE)
    assert "move_pinned:b" in bout.codes
    assert ARENA.view(bout.state, "public")["seats"]["b"]["receptacle"] == "head"


def test_a_refused_option_uses_up_no_cancellation():
    bout = Bout(b={"year": 3, "age": 25}).turn(a=CANCEL).turn(b=CANCEL)
    assert bout.codes[0] == "failed_option:b"
    assert bout["a"]["cancel_armed"]
    assert (bout["b"]["techniques_used"], bout["b"]["last_option"]) == (0, None)


def test_a_refused_option_is_no_repetition():
    bout = Bout(technique_limit=3).turn(a=PIN).turn(a=REPAIR).turn(a=PIN).turn(a=PIN)
    assert bout.codes[0] == "failed_option:a"
    assert bout.events[0].rule == "A11.0"
    assert "repetition:a" not in bout.codes


def test_a_cancelled_technique_counts_against_the_limit():
    bout = Bout(technique_limit=3).turn(a=PIN).turn(a=REPAIR, b=CANCEL).turn(a=PIN).turn(a=REPAIR)
    assert bout.codes[0] == "failed_option:a"


def test_sanctions_come_before_the_price_is_judged():
    bout = Bout(edition="classic").turn(a=("head", "torso", PIN), adjust=(("a", "link", -4),))
    assert bout["a"]["link"] == 3
    bout.turn(a=("head", "left_leg", PIN), b=("left_leg", "head"))
    assert bout.codes[:3] == ["relentlessness:a", "repetition:a", "insufficient:a"]
    assert bout.events[2].rule == "A11.3"
    assert bout["outcome"] == {"winner": "b", "by": "link_broken"}


def test_the_last_link_spent_on_a_technique_breaks_the_link():
    bout = (
        Bout(edition="classic")
        .turn(a=PIN, adjust=(("a", "link", -6),))
        .turn(a=("torso", "left_leg", REPAIR), b=("left_leg", "head"))
    )
    assert "option_used:a" in bout.codes
    assert bout["outcome"] == {"winner": "b", "by": "link_broken"}


def test_a_year_one_student_repeats_techniques_but_not_transformations():
    pupil = {"age": 12, "year": 1}
    assert "repetition:a" not in Bout(a=pupil).turn(a=MOVE).turn(a=option("move_receptacle", "head")).codes
    assert "repetition:a" in Bout(a=pupil).turn(a=CAPSULE).turn(a=CAPSULE).codes


def test_an_option_of_either_kind_in_between_clears_the_repetition():
    assert "repetition:a" not in Bout().turn(a=PIN).turn(a=CAPSULE).turn(a=PIN).codes
    assert "repetition:a" not in Bout().turn(a=CAPSULE).turn(a=PIN).turn(a=CAPSULE).codes


def test_repeated_with_other_zones_or_another_direction_is_a_repetition_all_the_same():
    convert = [option("convert_points", to=to) for to in ("alchemy", "link")]
    assert "repetition:a" in Bout().turn(a=convert[0]).turn(a=convert[1]).codes


def test_both_change_the_arena_by_one_draw():
    change = option("change_arena")
    bout = Bout().turn(a=change, b=change, new_arena=2)
    assert bout.codes[:4] == ["option_used:a", "option_used:b", "arena_changed:a", "arena_changed:b"]
    assert bout["arena"] == "runic_rocks"


def test_the_new_arena_acts_from_the_next_turn_on():
    bout = Bout(arena="runic_rocks").turn(a=option("change_arena"), new_arena=3, shift=1)
    assert "shifted" in bout.codes
    assert bout["arena"] == "four_winds"
    assert "swapped_zones" in bout.turn(wind=1).codes


def test_the_sand_that_comes_draws_its_void_zone_at_once():
    bout = Bout().turn(a=option("change_arena"), new_arena=1, void_zone=6)
    assert (bout["arena"], bout["void_zone"]) == ("playful_sand", "right_leg")
    assert bout.codes[-1] == "zone_void"


def test_a_neutralised_arena_still_acts_in_the_turn_of_the_technique():
    bout = Bout().turn(a=option("neutralise_arena"), wind=1)
    assert "swapped_zones" in bout.codes
    assert "swapped_zones" not in bout.turn().codes


def test_neutralised_again_its_two_turns_start_afresh():
    neutralise, change = option("neutralise_arena"), option("change_arena")
    bout = Bout().turn(a=neutralise).turn(b=neutralise).turn(a=change).turn(b=change)
    assert "arena_changed:b" not in bout.codes
    assert bout["neutralised"]
    bout.turn(a=change, new_arena=1, void_zone=1)
    assert (bout["arena"], bout["neutralised"]) == ("playful_sand", False)


def test_changed_and_neutralised_while_protected_the_change_has_no_effect():
    bout = Bout().turn(a=option("neutralise_arena")).turn(a=option("change_arena"), b=option("neutralise_arena"))
    assert "arena_changed:a" not in bout.codes
    assert (bout["arena"], bout["neutralised"]) == ("four_winds", True)


def test_changed_and_neutralised_once_unprotected_the_new_arena_is_neutralised():
    bout = Bout().turn(a=option("neutralise_arena")).turn().turn()
    bout.turn(a=option("change_arena"), b=option("neutralise_arena"), new_arena=1)
    assert (bout["arena"], bout["neutralised"], bout["void_zone"]) == ("playful_sand", True, None)


def test_an_arena_neutralised_stays_so_when_its_two_turns_are_over():
    bout = Bout().turn(a=option("neutralise_arena")).turn().turn().turn()
    assert bout["neutralised"]
    assert "swapped_zones" not in bout.codes


def test_a_technique_with_nothing_to_act_on_is_used_and_counts():
    bout = Bout().turn(a=REPAIR)
    assert bout.codes[0] == "option_used:a"
    assert bout["a"]["techniques_used"] == 1
