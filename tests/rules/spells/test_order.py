"""In which order posts are played when a Legilimens has seen one of them first (B7.1, B4.3)."""

import pytest

from tests.rules.spells.bout import act, cast, duel, entrant


def adult(**traits):
    return entrant(8, "mind", "fire", **traits)


def read_in_turn_one(*casters):
    """Four adults, of whom the casters have cast Legilimens on the seats named."""
    readers = dict(casters)
    start = duel(*(adult(**({"legilimens": 2} if seat in readers else {})) for seat in "abcd"))
    posts = {seat: [cast("legilimens", readers[seat])] if seat in readers else [] for seat in "abcd"}
    return act(start, posts).state


def moved(state, **posts):
    """Who moves in which order, each post being `(order, zone)` or a zone, published as they are named."""
    contents = {}
    for seat, said in posts.items():
        order, zone = said if isinstance(said, tuple) else (None, said)
        contents[seat] = {"steps": [{"do": "move", "to": zone}], **({"order": order} if order else {})}
    step = act(state, contents)
    return "".join(event.seat for event in step.events if event.code == "moved")


@pytest.mark.parametrize(("order", "played"), [("before", "dcab"), ("after", "dcba")])
def test_a_sealed_post_is_played_beside_that_of_its_legilimens(order, played):
    state = read_in_turn_one(("a", "b"))
    assert moved(state, d=9, b=7, c=3, a=(order, 6)) == played


def test_a_sealed_post_that_its_legilimens_never_answers_keeps_its_place():
    state = read_in_turn_one(("a", "b"))
    assert moved(state, d=9, b=7, c=3) == "dbc"


def test_two_who_see_the_same_post_stand_on_either_side_of_it():
    state = read_in_turn_one(("a", "b"), ("c", "b"))
    assert moved(state, b=7, d=9, a=("after", 6), c=("before", 3)) == "dcba"
    assert moved(state, b=7, d=9, a=("before", 6), c=("after", 3)) == "dabc"


def test_a_sealed_post_that_saw_another_takes_it_along():
    state = read_in_turn_one(("a", "b"), ("b", "c"))
    assert moved(state, c=3, b=("before", 7), d=9, a=("after", 6)) == "dbca"
