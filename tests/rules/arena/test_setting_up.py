"""Articles 2, 3, 4, 11 and 12: what a duel begins with, and what the rules refuse."""

import pytest

import rules
from rules.core import RulesError
from rules.dice import MissingDie, ScriptedDice
from tests.rules.arena.bout import ADULT, ARENA, PUPIL, SETUP, Bout

TERMS = {
    "edition": "beta",
    "kind": "training",
    "turn_hours": 48,
    "duellists": {"a": {"age": 16, "year": 6}, "b": {"age": 25, "year": "adult"}},
}


@pytest.mark.parametrize(
    ("age", "link"),
    [(11, 6), (20, 6), (21, 10), (30, 10), (31, 14), (40, 14), (41, 18), (50, 18), (51, 22), (60, 22), (61, 18),
     (70, 18), (71, 14), (80, 14), (81, 10), (90, 10), (91, 6), (100, 6), (140, 6)],
)  # fmt: skip
def test_link_goes_by_age(age, link):
    assert Bout(a={"age": age}).gauges("a") == (link, 5)


def test_under_eleven_is_refused():
    with pytest.raises(RulesError, match="10"):
        Bout(a={"age": 10})


def test_an_adult_has_no_place_in_a_clandestine_duel():
    with pytest.raises(RulesError, match="duellist b"):
        Bout(a=PUPIL, b=ADULT, kind="clandestine")


def test_late_or_missing_a_receptacle_costs_one_alchemy_and_no_more():
    late = {"late_preparation": True}
    setup = {**SETUP, "duellists": {"a": {**ADULT, **late}, "b": {**ADULT, **late, "receptacle": None}}}
    state = ARENA.start(setup, ScriptedDice({"receptacle:b": 2}))
    assert (state.a.alchemy, state.b.alchemy, state.b.receptacle) == (4, 4, "left_arm")


def test_the_arena_is_drawn_at_the_announcement():
    setup = ARENA.announce(TERMS, ScriptedDice({"arena": 2}))
    assert setup == {**TERMS, "arena": "runic_rocks"}


def test_limit_and_void_zone_are_drawn_at_the_start():
    setup = ARENA.announce(TERMS, ScriptedDice({"arena": 1}))
    dice = ScriptedDice({"technique_limit": 6, "void_zone": 4, "receptacle:a": 1, "receptacle:b": 6})
    state = ARENA.start(setup, dice)
    assert (state.technique_limit, state.void_zone, state.a.receptacle, state.b.receptacle) == (
        8, "torso", "head", "right_leg",
    )  # fmt: skip
    assert dice.unused() == ()


def test_the_classic_edition_has_no_limit_and_rolls_for_none():
    assert Bout(edition="classic").state.technique_limit is None
    with pytest.raises(RulesError, match="technique_limit"):
        ARENA.start({**SETUP, "edition": "classic", "duellists": {"a": ADULT, "b": ADULT}}, ScriptedDice({}))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"technique_limit": 2}, "technique_limit"),
        ({"technique_limit": 9}, "technique_limit"),
        ({"void_zone": "head"}, "void_zone"),
        ({"arena": "swamp"}, "swamp"),
        ({"turn_hours": 36}, "turn_hours"),
        ({"kind": "duel to the death"}, "kind"),
        ({"edition": "gamma"}, "edition"),
        ({"weather": "rain"}, "weather"),
        ({"a": {"receptacle": "tail"}}, "tail"),
        ({"a": {"year": 8}}, "year"),
        ({"a": {"age": 16.5}}, "age"),
        ({"a": {"age": True}}, "age"),
        ({"a": {"late_preparation": "yes"}}, "late_preparation"),
    ],
)
def test_a_setup_that_makes_no_sense_is_refused_by_name(wrong, told):
    with pytest.raises(RulesError, match=told):
        Bout(**wrong)


def test_a_die_that_nobody_gave_is_named():
    with pytest.raises(MissingDie, match="void_zone"):
        Bout(arena="playful_sand")


def test_a_ruleset_is_found_by_name_and_version():
    assert "arena" in rules.names()
    assert rules.get("arena") is rules.get("arena", 1)
    with pytest.raises(RulesError, match="chess"):
        rules.get("chess")
    with pytest.raises(RulesError, match="no version 7"):
        rules.get("arena", 7)


def test_before_the_start_a_receptacle_may_go_in_any_zone():
    (part,) = ARENA.prepares(SETUP, "a").parts
    assert part.field == "zone"
    assert [choice.value for choice in part.choices] == [
        "head", "left_arm", "right_arm", "torso", "left_leg", "right_leg",
    ]  # fmt: skip
