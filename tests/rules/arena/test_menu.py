"""What a seat is offered, with what it costs and brings, and what is said of a filing."""

import pytest

from tests.rules.arena.bout import ARENA, PUPIL, Bout, option

HOLE = option("gaping_hole", "left_arm", "right_arm")
PLAIN = {"thrust": "head", "parry": "torso", "option": None}


def menu(bout, seat="a"):
    """The parts of a seat's menu, and of each its choices, by name."""
    return {part.field: {one.value: one for one in part.choices} for part in ARENA.awaits(bout.state, seat).parts}


def inner(choice):
    return {one.value: one for one in choice.parts[0].choices}


def said(findings):
    return [(one.level, one.code, one.rule) for one in findings]


def check(bout, used=None, seat="a", **zones):
    return said(ARENA.check(bout.state, seat, {**PLAIN, **zones, "option": used}))


def test_a_menu_asks_for_a_thrust_a_parry_and_perhaps_an_option():
    parts = ARENA.awaits(Bout().state, "a").parts
    assert [(part.field, part.required, len(part.choices)) for part in parts] == [
        ("thrust", True, 6), ("parry", True, 6), ("option", False, 12),
    ]  # fmt: skip


def test_zones_of_the_turn_before_bear_their_sanction():
    parts = menu(Bout().turn(a=("head", "torso")))
    assert said(parts["thrust"]["head"].findings) == [("sanction", "relentlessness", "A8.2")]
    assert said(parts["parry"]["torso"].findings) == [("sanction", "cowardice", "A9.2")]
    assert parts["thrust"]["torso"].findings == parts["parry"]["head"].findings == ()


def test_the_void_zone_bears_a_warning():
    parts = menu(Bout(arena="playful_sand", void_zone="head"))
    assert said(parts["thrust"]["head"].findings) == [("warning", "void_zone", "A12.3")]
    assert said(parts["parry"]["head"].findings) == [("warning", "void_zone", "A12.3")]


def test_a_disabled_zone_bears_a_warning_for_its_owner_unless_the_rocks_will_move_the_parry():
    assert said(_hindered("four_winds")["parry"]["head"].findings) == [("warning", "disabled_zone", "A10.2c")]
    assert _hindered("runic_rocks", shift=1)["parry"]["head"].findings == ()


def _hindered(arena, **dice):
    """The menu of b once the zone head of its puppet is disabled."""
    bout = Bout(arena=arena).turn(a=option("gaping_hole", "head", "torso"), **dice)
    bout.turn(b=("torso", "right_leg"), **dice)
    bout.state = ARENA.choose(bout.state, "a", "head").state
    return menu(bout, "b")


def test_costs_are_those_of_the_edition():
    costs = {
        edition: {name: one.costs for name, one in menu(Bout(edition=edition))["option"].items()}
        for edition in ("beta", "classic")
    }
    assert [(one.gauge, one.points) for one in costs["beta"]["rough_skin"]] == [("alchemy", 1)]
    assert costs["beta"]["pin_receptacle"] == ()
    assert [(one.gauge, one.points) for one in costs["classic"]["pin_receptacle"]] == [("link", 2)]


@pytest.mark.parametrize("edition", ["beta", "classic"])
def test_a_conversion_asks_its_direction_and_says_what_it_takes(edition):
    directions = inner(menu(Bout(edition=edition))["option"]["convert_points"])
    assert {to: [(one.gauge, one.points) for one in choice.costs] for to, choice in directions.items()} == {
        "alchemy": [("link", 2)],
        "link": [("alchemy", 2)],
    }


def test_the_option_last_used_bears_its_sanction():
    assert said(menu(Bout().turn(a=option("time_capsule")))["option"]["time_capsule"].findings) == [
        ("sanction", "repetition", "A10.8")
    ]
    assert ("sanction", "repetition", "A11.4") in said(
        menu(Bout().turn(a=option("pin_receptacle")))["option"]["pin_receptacle"].findings
    )


def test_a_price_out_of_reach_bears_its_sanction():
    options = menu(Bout(edition="classic", a=PUPIL).turn(adjust=(("a", "alchemy", -4), ("a", "link", -4))))["option"]
    assert said(options["pin_receptacle"].findings)[0] == ("sanction", "insufficient", "A11.3")
    assert said(options["neutralise_arena"].findings) == [("sanction", "insufficient", "A11.3")]
    assert options["regenerating_sap"].findings == ()
    assert ("warning", "breaks_link", "A11.5") in said(options["move_receptacle"].findings)


def test_a_technique_above_the_year_is_not_offered():
    options = menu(Bout(a={"age": 13, "year": 3}))["option"]
    refused = {name: one.refused.code for name, one in options.items() if one.refused}
    assert refused == dict.fromkeys(
        ("cancel_option", "pin_receptacle", "neutralise_arena", "convert_points"), "above_year"
    )


def test_past_the_limit_no_technique_is_offered():
    pin, repair = option("pin_receptacle"), option("repair_receptacle")
    options = menu(Bout(technique_limit=3).turn(a=pin).turn(a=repair).turn(a=pin))["option"]
    refused = {name for name, one in options.items() if one.refused}
    assert len(refused) == 7
    assert {options[name].refused.code for name in refused} == {"past_limit"}


def test_what_costs_alchemy_is_not_offered_while_the_receptacle_is_in_the_void_zone():
    options = menu(Bout(arena="playful_sand", void_zone="right_leg"))["option"]
    assert {name for name, one in options.items() if one.refused} == {
        "rough_skin", "gaping_hole", "regenerating_sap", "stealth_thrust", "time_capsule",
    }  # fmt: skip
    directions = inner(options["convert_points"])
    assert directions["link"].refused.rule == "A10.7a"
    assert directions["alchemy"].refused is None
    assert said(directions["alchemy"].findings) == [("warning", "gain_lost", "A12.3")]


def test_a_move_that_would_fail_is_offered_with_a_warning():
    zones = inner(menu(Bout(arena="playful_sand", void_zone="head"))["option"]["move_receptacle"])
    assert said(zones["right_leg"].findings) == [("warning", "same_zone", "A11.0")]
    assert said(zones["head"].findings) == [("warning", "void_zone", "A12.3a")]
    assert zones["torso"].findings == ()


def test_decoys_ask_for_two_zones_and_a_skin_for_one():
    options = menu(Bout())["option"]
    assert [options[name].parts[0].count for name in ("gaping_hole", "rough_skin", "move_receptacle")] == [2, 1, 1]


def test_an_option_that_would_do_nothing_bears_a_warning():
    bout = Bout().turn(a=option("cancel_option"), b=option("neutralise_arena"))
    options = menu(bout)["option"]
    assert said(options["repair_receptacle"].findings) == [("warning", "no_effect", "A11.0")]
    assert said(options["change_arena"].findings) == [("warning", "no_effect", "A11.6")]
    assert ("warning", "no_effect", "A11.2") in said(options["cancel_option"].findings)
    assert options["regenerating_sap"].findings == ()
    assert said(menu(Bout())["option"]["regenerating_sap"].findings) == [("warning", "no_effect", "A2.2")]


def test_who_owes_a_choice_is_asked_for_it_first_and_the_other_is_not_held_up():
    bout = Bout().turn(a=HOLE).turn(b=("left_arm", "head"))
    asked = ARENA.awaits(bout.state, "a")
    assert (asked.owes.field, len(asked.owes.choices), asked.parts) == ("choice", 6, ())
    assert check(bout) == [("error", "choice_owed", "A10.2d")]
    assert len(ARENA.awaits(bout.state, "b").parts) == 3
    bout.state = ARENA.choose(bout.state, "a", "head").state
    assert ARENA.awaits(bout.state, "a").owes is None
    assert check(bout, thrust="torso", parry="right_leg") == [("sanction", "relentlessness", "A8.2")]


def test_a_zone_disabled_already_is_offered_with_a_warning():
    bout = Bout().turn(a=HOLE).turn(a=("torso", "left_leg", HOLE), b=("left_arm", "head"))
    bout.turn(choices={"a": "head"}, b=("right_arm", "left_leg"))
    owed = {one.value: one for one in ARENA.awaits(bout.state, "a").owes.choices}
    assert said(owed["head"].findings) == [("warning", "disabled_zone", "A10.2")]


def test_once_it_is_over_nothing_is_asked_and_nothing_accepted():
    bout = Bout().stop(surrender="a")
    assert ARENA.awaits(bout.state, "b").awaited is False
    assert check(bout) == [("error", "duel_over", "A13.1")]
    assert ARENA.status(bout.state).awaited == ()


def test_a_plain_filing_has_nothing_to_be_said_of_it():
    assert check(Bout()) == []
    assert ARENA.check(Bout().state, "a", {"thrust": "head", "parry": "head"}) == ()


def test_the_sanctions_of_a_filing_are_those_that_the_turn_will_bring():
    bout = Bout(edition="classic").turn(a=("head", "torso", option("pin_receptacle")), adjust=(("a", "link", -4),))
    given = {"thrust": "head", "parry": "left_leg", "option": option("pin_receptacle")}
    findings = ARENA.check(bout.state, "a", given)
    assert [one.code for one in findings if one.level == "sanction"] == ["relentlessness", "repetition", "insufficient"]
    assert sum(one.points for one in findings if one.level == "sanction") == 3
    bout.turn(a=("head", "left_leg", option("pin_receptacle")), b=("left_leg", "head"))
    assert bout["a"]["link"] == 0


def test_a_sanction_of_the_same_filing_makes_room_for_the_sap():
    bout = Bout().turn(a=("head", "torso"), b=("torso", "left_leg"))
    assert bout["a"]["link"] == 10
    assert check(bout, option("regenerating_sap"), thrust="torso", parry="head") == [("warning", "no_effect", "A2.2")]
    assert check(bout, option("regenerating_sap"), parry="head") == [("sanction", "relentlessness", "A8.2")]


@pytest.mark.parametrize(
    ("filing", "errors"),
    [
        (None, [("malformed", "declaration")]),
        ([], [("malformed", "declaration")]),
        ("head", [("malformed", "declaration")]),
        ({}, [("missing", "thrust"), ("missing", "parry")]),
        ({**PLAIN, "thrust": "tail"}, [("unknown", "thrust")]),
        ({**PLAIN, "parry": ["head"]}, [("unknown", "parry")]),
        ({**PLAIN, "thrust": None, "parry": 7}, [("missing", "thrust"), ("unknown", "parry")]),
        ({**PLAIN, "feint": "head"}, [("unexpected", "feint")]),
        ({**PLAIN, "": 1}, [("unexpected", "?")]),
        ({**PLAIN, "x" * 99: 1}, [("unexpected", "x" * 40)]),
        ({**PLAIN, "option": "rough_skin"}, [("malformed", "option")]),
        ({**PLAIN, "option": {}}, [("missing", "option")]),
        ({**PLAIN, "option": {"name": "nap"}}, [("unknown", "option")]),
        ({**PLAIN, "option": {"name": ["rough_skin"]}}, [("unknown", "option")]),
        ({**PLAIN, "option": {"name": "time_capsule", "hours": 1}}, [("unexpected", "option.hours")]),
        ({**PLAIN, "option": option("rough_skin")}, [("missing", "option.zones")]),
        ({**PLAIN, "option": option("rough_skin", "head", "torso")}, [("unexpected", "option.zones")]),
        ({**PLAIN, "option": option("rough_skin", "tail")}, [("unknown", "option.zones")]),
        ({**PLAIN, "option": {"name": "rough_skin", "zones": "head"}}, [("malformed", "option.zones")]),
        ({**PLAIN, "option": {"name": "rough_skin", "zones": [{}]}}, [("unknown", "option.zones")]),
        ({**PLAIN, "option": option("gaping_hole", "head")}, [("missing", "option.zones")]),
        ({**PLAIN, "option": option("gaping_hole", "head", "head")}, [("equal", "option.zones")]),
        ({**PLAIN, "option": option("regenerating_sap", "head")}, [("unexpected", "option.zones")]),
        ({**PLAIN, "option": option("regenerating_sap", to="link")}, [("unexpected", "option.to")]),
        ({**PLAIN, "option": option("convert_points")}, [("missing", "option.to")]),
        ({**PLAIN, "option": option("convert_points", to="dust")}, [("unknown", "option.to")]),
        ({**PLAIN, "option": option("move_receptacle")}, [("missing", "option.zones")]),
    ],
)
def test_what_is_wrong_with_a_filing_is_said_of_its_part(filing, errors):
    findings = ARENA.check(Bout().state, "a", filing)
    assert [(one.code, one.field) for one in findings] == errors
    assert all(one.level == "error" and one.rule for one in findings)


def test_of_a_thousand_unexpected_parts_a_few_are_named():
    findings = ARENA.check(Bout().state, "a", {**PLAIN, **{f"part{n}": n for n in range(1000)}})
    assert 0 < len(findings) < 10


@pytest.mark.parametrize(
    ("used", "code"),
    [(option("cancel_option"), "above_year"), (option("convert_points", to="link"), "above_year")],
)
def test_what_is_not_offered_is_refused(used, code):
    assert check(Bout(a={"age": 13, "year": 3}), used) == [("error", code, "A11.0")]


def test_a_conversion_to_link_is_refused_in_the_void_zone_and_its_direction_named():
    bout = Bout(arena="playful_sand", void_zone="right_leg")
    (finding,) = ARENA.check(bout.state, "a", {**PLAIN, "option": option("convert_points", to="link")})
    assert (finding.level, finding.field, finding.rule) == ("error", "option.to", "A10.7a")


def test_a_filing_is_told_what_its_zones_and_direction_are_worth():
    sand = Bout(arena="playful_sand", void_zone="head")
    assert check(sand, option("move_receptacle", "head"), thrust="torso", parry="head") == [
        ("warning", "void_zone", "A12.3"),
        ("warning", "void_zone", "A12.3a"),
    ]
    assert check(Bout(), option("convert_points", to="link")) == [("warning", "gain_lost", "A2.2")]
    full = Bout().turn(adjust=(("a", "alchemy", 2),))
    assert ("warning", "gain_lost", "A2.2") in check(full, option("convert_points", to="alchemy"))
    pierced = Bout(a={"receptacle": "left_arm"}).turn()
    assert ("warning", "gain_lost", "A4.2") in check(pierced, option("convert_points", to="alchemy"))


def test_a_skin_where_the_zone_will_be_disabled_bears_a_warning():
    bout = Bout().turn(a=option("gaping_hole", "left_arm", "right_arm")).turn(b=("left_arm", "head"))
    bout.state = ARENA.choose(bout.state, "a", "head").state
    assert said(inner(menu(bout, "b")["option"]["rough_skin"])["head"].findings) == [
        ("warning", "disabled_zone", "A10.6")
    ]
    assert said(inner(menu(bout, "b")["option"]["move_receptacle"])["head"].findings) == [
        ("warning", "disabled_zone", "A11.0")
    ]
