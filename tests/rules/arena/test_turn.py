"""Articles 4 to 9: infractions, thrusts, parries, leaks, and the order of the steps."""

import pytest

from rules.core import Filed, Inputs, RulesError
from rules.dice import ScriptedDice
from tests.rules.arena.bout import ARENA, PUPIL, Bout, option


def test_an_infraction_takes_thrust_parry_and_option_away():
    bout = Bout().turn(a=("head", "torso", option("regenerating_sap")), b=("torso", "head"), late="a")
    assert bout.codes == ["infraction:a", "hit:a"]
    assert bout.gauges("a") == (8, 5)
    assert bout["a"]["last_option"] is None


def test_what_an_offender_has_filed_is_not_even_read():
    bout = Bout()
    given = Inputs((Filed("a", {"thrust": "nowhere"}), Filed("b", bout.declaration("b", None))), {"a": "invalid_post"})
    step = ARENA.resolve(bout.state, given, ScriptedDice({"wind": 2}))
    assert [event.code for event in step.events] == ["infraction", "hit"]
    assert step.events[0].infraction == "invalid_post"


def test_a_turn_without_a_thrust_or_parry_resets_what_is_compared():
    bout = Bout().turn(a=("head", "torso")).turn(late="a").turn(a=("head", "torso"))
    assert not {"relentlessness:a", "cowardice:a"} & set(bout.codes)


def test_both_sanctions_of_one_declaration_add_up_and_name_their_zone():
    bout = Bout().turn(a=("head", "torso")).turn(a=("head", "torso"), b=("left_leg", "right_arm"))
    assert bout.codes == ["relentlessness:a", "cowardice:a", "hit:b", "hit:a"]
    assert [event.zone for event in bout.events[:2]] == ["head", "torso"]
    assert bout.gauges("a") == (10 - 1 - 2 - 1, 5)


def test_a_parry_that_holds_gives_one_alchemy_even_when_it_is_cowardly():
    bout = (
        Bout().turn(a=("head", "torso"), b=("left_arm", "left_leg")).turn(a=("left_leg", "torso"), b=("torso", "head"))
    )
    assert "parried:a" in bout.codes
    assert bout.gauges("a") == (8, 6)


def test_a_pierced_receptacle_leaks_from_the_next_turn_on_and_gains_nothing():
    bout = Bout(b={"receptacle": "head"}).turn(a=("head", "torso"))
    assert bout.codes == ["hit:b", "pierced:b", "hit:a"]
    assert bout["b"]["alchemy"] == 5
    bout.turn(a=("torso", "left_leg"), b=("right_arm", "torso"))
    assert bout.codes == ["parried:b", "hit:a", "leaked:b"]
    assert bout.events[0].gained == 0
    assert bout["b"]["alchemy"] == 4


def test_a_leak_stops_at_zero_without_a_word():
    bout = Bout(b={"receptacle": "head"}).turn(a=("head", "torso")).turn(adjust=(("b", "alchemy", -4),))
    assert bout["b"]["alchemy"] == 0
    assert "leaked:b" not in bout.turn().codes
    assert bout["b"]["alchemy"] == 0


def test_a_parried_thrust_does_not_pierce():
    bout = Bout(b={"receptacle": "head"}).turn(a=("head", "torso"), b=("left_arm", "head"))
    assert bout.codes == ["parried:b", "hit:a"]
    assert not bout["b"]["pierced"]


def test_no_gauge_goes_above_its_bound():
    bout = Bout(a=PUPIL).turn(a=option("regenerating_sap"), adjust=(("a", "link", 9), ("a", "alchemy", 9)))
    assert bout.gauges("a") == (6, 8)
    assert bout.turn(a=("torso", "right_arm"), b=("right_arm", "head")).gauges("a") == (6, 8)


def test_the_referee_may_bring_link_back_before_the_end_is_checked():
    bout = Bout(a=PUPIL).turn(adjust=(("a", "link", -6), ("a", "link", 3)))
    assert bout["a"]["link"] == 2
    assert bout["outcome"] is None
    assert [(event.code, event.gauge, event.points) for event in bout.events[2:]] == [
        ("adjusted", "link", -6), ("adjusted", "link", 3),
    ]  # fmt: skip


def test_the_referees_alchemy_never_goes_below_zero():
    assert Bout().turn(adjust=(("a", "alchemy", -9), ("a", "alchemy", 2)))["a"]["alchemy"] == 2


def test_the_order_of_the_seats_changes_nothing_of_a_plain_turn():
    one = Bout().turn(a=("head", "torso"), b=("torso", "left_leg"), posted="ab")
    two = Bout().turn(a=("head", "torso"), b=("torso", "left_leg"), posted="ba")
    assert one.codes == two.codes
    assert one["a"] == two["a"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (Inputs(), "seat a has neither filed"),
        (Inputs((Filed("a", {"thrust": "head", "parry": "head"}),)), "seat b has neither filed"),
        (Inputs(infractions={"a": "late", "c": "late"}), "'c'"),
        (Inputs(infractions={"a": "late", "b": "yawned"}), "yawned"),
        (Inputs((Filed("a", {"thrust": "head"}),), {"b": "late"}), "declaration of a: a declaration without a parry"),
        (Inputs((Filed("a", {"parry": "head"}),), {"b": "late"}), "without a thrust"),
        (Inputs((Filed("a", {"thrust": "tail", "parry": "head"}),), {"b": "late"}), "tail"),
        (Inputs((Filed("a", {"thrust": "head", "parry": "head"}),) * 2, {"b": "late"}), "twice"),
        (Inputs(surrender="z"), "'z'"),
    ],
)
def test_what_cannot_be_played_is_refused_by_name(given, told):
    with pytest.raises(RulesError, match=told):
        ARENA.resolve(Bout().state, given, ScriptedDice({"wind": 2}))


@pytest.mark.parametrize(
    ("used", "told"),
    [
        (option("rough_skin", "head", "torso"), "rough_skin takes 1 zone"),
        (option("regenerating_sap", "head"), "regenerating_sap takes no zones"),
        (option("convert_points"), "convert_points needs its `to`"),
        (option("regenerating_sap", to="link"), "takes no `to`"),
        ({"name": "nap"}, "nap"),
        ({"name": "rough_skin", "zone": "head"}, "zone"),
    ],
)
def test_an_option_with_too_much_is_refused_by_name(used, told):
    with pytest.raises(RulesError, match=told):
        Bout().turn(a=used)


@pytest.mark.parametrize("adjust", [(("c", "link", 1),), (("a", "mood", 1),)])
def test_points_for_nobody_or_of_nothing_are_refused(adjust):
    with pytest.raises(RulesError, match="unknown"):
        Bout().turn(adjust=adjust)
