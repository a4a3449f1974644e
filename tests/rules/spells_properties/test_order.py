"""A post that was seen first is played beside that of who saw it, and nobody else changes places (B7.1, B4.3)."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import rules
from rules.spells.state import Insight
from tests.rules.spells.bout import act, duel, entrant

SPELLS = rules.get("spells")
START = duel(*(entrant(8, "fire", "air", legilimens=2) for _ in "abcd"))
ZONES = {"a": 5, "b": 7, "c": 3, "d": 9}
pairs = st.sampled_from([(caster, target) for caster in "abcd" for target in ("bd" if caster in "ac" else "ac")])


def played(insight, order, filed):
    """Who moves in which order, when the seats have filed as they stand in `filed`."""
    caster, target = insight
    state = replace(START, insights=(Insight(caster, target, START.turn),))
    posts = {seat: {"steps": [{"do": "move", "to": ZONES[seat]}]} for seat in filed}
    posts[caster]["order"] = order
    return [event.seat for event in act(state, posts).events if event.code == "moved"]


@given(pairs, st.sampled_from(("before", "after")), st.permutations("abcd"))
def test_the_two_stand_side_by_side_where_the_legilimens_posted(insight, order, filed):
    caster, target = insight
    if filed.index(caster) < filed.index(target):  # past half of the time: nothing was seen
        return
    done = played(insight, order, filed)
    assert sorted(done) == sorted(filed)
    assert done.index(caster) - done.index(target) == (-1 if order == "before" else 1)
    assert [seat for seat in done if seat != target] == [seat for seat in filed if seat != target]


@given(pairs, st.permutations("abcd"))
def test_who_says_nothing_leaves_every_post_in_its_place(insight, filed):
    assert played(insight, None, filed) == list(filed)
