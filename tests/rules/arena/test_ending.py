"""Articles 3, 6 and 13: how a duel ends, and what stays as it was."""

import pytest

from rules.core import Inputs, RulesError
from rules.dice import ScriptedDice
from tests.rules.arena.bout import ARENA, PUPIL, Bout, option


def broken(*seats, **terms):
    """A duel in whose first turn the link of those seats breaks."""
    return Bout(a=PUPIL, b=PUPIL, **terms).turn(adjust=tuple((seat, "link", -6) for seat in seats))


def extra_turn(**terms):
    """A duel of pupils before its extra turn: link 0 and alchemy 5 for both."""
    return broken("a", "b", **terms)


def test_a_link_below_zero_becomes_zero_in_the_end_check():
    bout = broken("a")
    assert bout["a"]["link"] == 0
    assert bout["outcome"] == {"winner": "b", "by": "link_broken"}
    assert bout.codes[-1] == "duel_over:b"


def test_both_broken_the_higher_alchemy_wins():
    bout = Bout(a=PUPIL, b=PUPIL).turn(
        adjust=(("a", "link", -6), ("b", "link", -6), ("a", "alchemy", -1)),
    )
    assert bout["outcome"] == {"winner": "b", "by": "alchemy"}


def test_in_the_extra_turn_nobody_is_broken_and_the_higher_link_wins():
    bout = extra_turn().turn(a=("torso", "left_leg"), b=("left_leg", "head"))
    assert (bout["a"]["link"], bout["b"]["link"]) == (0, -1)
    assert (bout["outcome"], bout["extra_turn"], bout["turn"]) == ({"winner": "a", "by": "extra_turn"}, True, 2)


def test_in_the_extra_turn_equal_link_leaves_it_to_alchemy():
    bout = extra_turn().turn(adjust=(("b", "alchemy", 1),))
    assert bout["outcome"] == {"winner": "b", "by": "extra_turn"}


@pytest.mark.parametrize(("posted", "winner"), [("ab", "a"), ("ba", "b")])
def test_all_equal_the_first_to_have_published_in_it_wins(posted, winner):
    assert extra_turn().turn(posted=posted)["outcome"] == {"winner": winner, "by": "first_post"}


def test_all_equal_and_nobody_published_it_is_a_draw():
    bout = extra_turn().turn(late="ab")
    assert bout["outcome"] == {"winner": None, "by": "draw"}
    assert bout.codes[-1] == "duel_over"


def test_infractions_end_the_extra_turn_too():
    bout = Bout(a=PUPIL, b=PUPIL).turn(late="a").turn(late="a", adjust=(("a", "link", -9), ("b", "link", -9)))
    assert bout["extra_turn"]
    bout.turn(late="a", adjust=(("b", "link", -5),))
    assert bout["outcome"] == {"winner": "b", "by": "infractions"}
    assert bout["b"]["link"] == -5


def test_the_third_infraction_of_both_is_a_draw_even_when_links_break():
    bout = Bout(a=PUPIL).turn(late="ab").turn(late="ab").turn(late="ab", adjust=(("a", "link", -6),))
    assert bout["outcome"] == {"winner": None, "by": "draw"}
    assert bout["a"]["link"] == 0


def test_what_would_have_come_next_turn_does_not_come():
    bout = Bout(a=PUPIL).turn(a=option("rough_skin", "head"), b=option("time_capsule"), adjust=(("a", "link", -6),))
    assert bout["outcome"] is not None
    assert (bout["turn"], bout["turn_hours"], bout["a"]["rough_skin"]) == (1, 48, [])


def test_what_held_in_the_last_turn_is_shown_to_hold():
    bout = Bout(a=PUPIL).turn(a=option("rough_skin", "head"), b=option("time_capsule"))
    bout.turn().turn(adjust=(("a", "link", -6),))
    assert bout["outcome"] is not None
    assert (bout["turn"], bout["turn_hours"], bout["a"]["rough_skin"]) == (3, 24, ["head"])


def test_a_capsule_used_again_in_the_last_turn_changes_nothing_of_it():
    capsule = option("time_capsule")
    bout = Bout(a=PUPIL).turn(b=capsule).turn().turn().turn(a=capsule)
    assert bout["turn_hours"] == 24
    bout = Bout(a=PUPIL).turn(a=capsule, adjust=(("a", "link", -6),))
    assert bout["turn_hours"] == 48


def test_a_decoy_hit_in_the_last_turn_still_shows():
    bout = Bout(a=PUPIL).turn(a=option("gaping_hole", "left_arm", "right_arm"))
    bout.turn(b=("right_arm", "head"), adjust=(("a", "link", -6),))
    assert (bout["outcome"]["winner"], bout["a"]["owes_choice"]) == ("b", True)
    assert ARENA.status(bout.state).owing == ()


@pytest.mark.parametrize(("how", "outcome"), [
    ({"surrender": "a"}, {"winner": "b", "by": "surrender"}),
    ({"agreed_draw": True}, {"winner": None, "by": "draw"}),
    ({"agreed_draw": True, "surrender": "a"}, {"winner": None, "by": "draw"}),
])  # fmt: skip
def test_who_stops_plays_nothing_of_the_turn(how, outcome):
    bout = Bout().turn()
    before = {key: bout[key] for key in ("a", "b", "turn", "arena", "turn_hours")}
    bout.stop(**how, infractions={"b": "late"})
    assert bout["outcome"] == outcome
    assert {key: bout[key] for key in before} == before
    assert [event.code for event in bout.events] == ["duel_over"]


@pytest.mark.parametrize("named_before", [True, False])
def test_who_stops_takes_back_the_zone_named_in_this_turn_and_not_an_older_one(named_before):
    hole = option("gaping_hole", "left_arm", "right_arm")
    bout = Bout().turn(a=hole).turn(b=("left_arm", "head")).turn(choices={"a": "head"}, b=("right_arm", "left_leg"))
    assert bout["b"]["disabled"] == ["head"]
    bout.turn(a=("torso", "left_leg", hole)).turn(b=("left_arm", "left_leg"))
    assert bout["a"]["owes_choice"]
    if named_before:
        bout.state = ARENA.choose(bout.state, "a", "torso").state
    bout.stop(surrender="b", choices={"a": "torso"})
    assert (bout["b"]["disabled"], bout["a"]["owes_choice"]) == ([], True)


def test_a_clandestine_duel_is_found_out_one_turn_in_fifty_more_each_turn():
    bout = Bout(a=PUPIL, b=PUPIL, kind="clandestine").turn().turn(discovery=98).turn(discovery=96)
    assert bout["outcome"] is None
    step = ARENA.open(bout.state, ScriptedDice({"discovery": 95}))
    assert [event.code for event in step.events] == ["discovered", "duel_over"]
    assert ARENA.status(step.state).turn == 4


@pytest.mark.parametrize(
    ("adjust", "posted", "outcome"),
    [
        ((("a", "link", -1),), "ab", {"winner": "b", "by": "discovered"}),
        ((("b", "alchemy", -1),), "ba", {"winner": "a", "by": "discovered"}),
        ((), "ba", {"winner": "b", "by": "discovered"}),
    ],
)
def test_found_out_the_winner_is_who_has_more_then_who_published_first(adjust, posted, outcome):
    bout = Bout(a=PUPIL, b=PUPIL, kind="clandestine").turn(posted=posted, adjust=adjust)
    bout.state = ARENA.open(bout.state, ScriptedDice({"discovery": 99})).state
    assert bout["outcome"] == outcome


def test_found_out_all_equal_and_nobody_published_it_is_a_draw():
    bout = Bout(a=PUPIL, b=PUPIL, kind="clandestine").turn(late="ab")
    bout.state = ARENA.open(bout.state, ScriptedDice({"discovery": 99})).state
    assert bout["outcome"] == {"winner": None, "by": "draw"}


@pytest.mark.parametrize("kind", ["training", "tournament"])
def test_only_clandestine_duels_are_found_out(kind):
    bout = Bout(kind=kind).turn()
    assert ARENA.open(bout.state, ScriptedDice({})).events == ()


def test_neither_the_first_turn_nor_an_extra_turn_is_rolled_for():
    bout = Bout(a=PUPIL, b=PUPIL, kind="clandestine")
    assert ARENA.open(bout.state, ScriptedDice({})).events == ()
    assert ARENA.open(extra_turn(kind="clandestine").state, ScriptedDice({})).events == ()


def test_once_it_is_over_nothing_is_played_any_more():
    state = broken("a").state
    assert ARENA.open(state, ScriptedDice({})).state is state
    with pytest.raises(RulesError, match="over"):
        ARENA.resolve(state, Inputs(surrender="b"), ScriptedDice({}))
    with pytest.raises(RulesError, match="owes no choice"):
        ARENA.choose(state, "a", "head")


def at_the_wall(*adjust, late=""):
    """A tournament duel whose round ends in its second turn."""
    return Bout(kind="tournament").turn(adjust=adjust, late=late).stop(wall=True)


@pytest.mark.parametrize(
    ("adjust", "winner"),
    [
        ([("b", "link", -1)], "a"),
        ([("a", "link", -1), ("a", "alchemy", 2)], "b"),
        ([("a", "alchemy", -1)], "b"),
        ([], "a"),  # the first to have published in the last turn played
    ],
)
def test_at_the_wall_of_a_round_the_gauges_decide_then_the_first_publication(adjust, winner):
    bout = at_the_wall(*adjust)
    assert bout["outcome"] == {"winner": winner, "by": "wall"}
    assert [event.rule for event in bout.events] == ["A15.1"]
    assert bout["turn"] == 2


def test_at_the_wall_two_who_never_published_draw():
    assert at_the_wall(late="ab")["outcome"] == {"winner": None, "by": "draw"}


@pytest.mark.parametrize(
    ("absent", "outcome"),
    [
        (("a",), {"winner": "b", "by": "absence"}),
        (("b",), {"winner": "a", "by": "absence"}),
        (("a", "b"), {"winner": None, "by": "draw"}),
    ],
)
@pytest.mark.parametrize("stronger", ["a", "b"])
def test_at_the_wall_who_is_absent_loses_whatever_the_gauges(absent, outcome, stronger):
    bout = Bout(kind="tournament").turn(adjust=[(stronger, "alchemy", 2)]).stop(wall=True, absent=absent)
    assert bout["outcome"] == outcome


def test_only_a_tournament_has_rounds_that_end():
    with pytest.raises(RulesError, match="training"):
        Bout(kind="training").turn().stop(wall=True)
