"""What a spell duel brings (B3.3.2)."""

from msgspec.structs import replace

from rules.core import Reward

from .bout import SPELLS, act, duel, entrant

WON = (Reward("a", "points", 1, "B3.3.2"), Reward("a", "salary", 4, "B3.3.2"))
LOST = (Reward("b", "frogs", 1, "B3.3.2"),)


def begun(turn, *, seats="ab", **fatigue):
    """Return a duel at the beginning of that turn, some of its duellists tired."""
    state = duel(*(entrant() for _seat in seats))
    tired = {seat: replace(state.duellists[seat], fatigue=left) for seat, left in fatigue.items()}
    return replace(state, turn=turn, duellists={**state.duellists, **tired})


def rewards(step):
    return SPELLS.rewards(step.state, step.events)


def test_a_victory_brings_a_point_and_four_days_salary_a_defeat_a_frog():
    assert rewards(act(begun(3), {"a": []}, surrender="b", surrenders=("b",))) == WON + LOST


def test_who_falls_of_exhaustion_in_the_first_turn_has_a_frog_all_the_same():
    step = act(begun(1, b=1), {"a": []}, infractions={"b": "absence"})
    assert step.state.outcome.by == "fatigue"
    assert rewards(step) == WON + LOST


def test_a_surrender_before_the_third_turn_brings_nobody_anything():
    assert rewards(act(begun(2), {"a": []}, surrender="b", surrenders=("b",))) == ()


def test_an_agreed_draw_brings_two_days_each_from_the_third_turn_on():
    drawn = tuple(Reward(seat, "salary", 2, "B3.3.2") for seat in "ab")
    assert rewards(act(begun(3), {}, agreed_draw=True)) == drawn
    assert rewards(act(begun(2), {}, agreed_draw=True)) == ()


def test_a_draw_by_exhaustion_brings_two_days_each_even_in_the_first_turn():
    step = act(begun(1, a=1, b=1), {}, infractions={"a": "absence", "b": "absence"})
    assert step.state.outcome.winner is None
    assert rewards(step) == tuple(Reward(seat, "salary", 2, "B3.3.2") for seat in "ab")


def absent_for_the_third_time(state, seats):
    gone = {seat: replace(state.duellists[seat], absences=2) for seat in seats}
    state = replace(state, duellists={**state.duellists, **gone})
    return act(
        state, {seat: [] for seat in state.duellists if seat not in seats}, infractions=dict.fromkeys(seats, "absence")
    )


def test_who_is_disqualified_has_nothing_and_the_winner_all():
    assert rewards(absent_for_the_third_time(begun(4), "b")) == WON


def test_both_disqualified_it_is_a_draw_without_reward():
    step = absent_for_the_third_time(begun(4), "ab")
    assert step.state.outcome.winner is None
    assert rewards(step) == ()


def test_of_two_partners_only_the_one_who_was_not_disqualified_is_rewarded():
    state = begun(4, seats="abcd")
    step = absent_for_the_third_time(state, "b")
    assert rewards(step) == ()  # it goes on
    step = act(replace(step.state, phase="action"), {"a": [], "c": []}, surrender="d", surrenders=("d",))
    assert [(one.seat, one.currency) for one in rewards(step)] == [
        ("a", "points"), ("a", "salary"), ("c", "points"), ("c", "salary"), ("d", "frogs"),
    ]  # fmt: skip
