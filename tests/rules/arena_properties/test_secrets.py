"""What a seat may not know changes nothing of what it is shown, nor of what it may file."""

import json
from random import Random

from hypothesis import given
from hypothesis import strategies as st

import rules
from rules.core import RulesError
from tests.rules import play
from tests.rules.arena_properties.knowledge import OTHER, told, with_other_secrets

ARENA = rules.get("arena")
DUELS = st.integers(0, 2**32)
SECRET = ("rough_skin", "decoys", "cancel_armed", "pin_armed", "last_option", "techniques_used")


def plain(value):
    return json.loads(ARENA.encode(value))


def opened_turns(number):
    """The states in which the turns of one random duel opened, while it ran."""
    turns = play.duel(Random(number), ARENA)
    states = [turn.opened.state for turn in turns]
    return [state for state in states if ARENA.status(state).outcome is None]


def altered(random, state, *seats):
    """The same state with other secrets of those seats."""
    spelt = plain(state)
    for seat in seats:
        spelt = with_other_secrets(random, spelt, seat)
    return ARENA.decode_state(json.dumps(spelt).encode())


def zones_alone(shown):
    return [effect["zone"] for effect in shown] if isinstance(shown, list) else shown


@given(DUELS, st.integers(0, 2**32))
def test_the_opponents_secrets_change_neither_menu_nor_view(number, secret):
    for state in opened_turns(number):
        for seat in "ab":
            other = altered(Random(secret), state, OTHER[seat])
            assert ARENA.awaits(other, seat) == ARENA.awaits(state, seat)
            assert ARENA.view(other, seat) == ARENA.view(state, seat)


@given(DUELS, st.integers(0, 2**32))
def test_the_opponents_secrets_change_nothing_said_of_a_filing(number, secret):
    random = Random(secret)
    for state in opened_turns(number):
        for seat in "ab":
            filing = play.filing(random, ARENA.awaits(state, seat))
            assert ARENA.check(altered(random, state, OTHER[seat]), seat, filing) == ARENA.check(state, seat, filing)


@given(DUELS, st.integers(0, 2**32))
def test_the_public_is_shown_nobodys_secrets(number, secret):
    for state in opened_turns(number):
        assert ARENA.view(altered(Random(secret), state, "a", "b"), "public") == ARENA.view(state, "public")


@given(DUELS)
def test_each_audience_is_shown_what_the_table_grants(number):
    for state in opened_turns(number):
        truth = ARENA.summary(state)
        views = {audience: ARENA.view(state, audience) for audience in ("a", "b", "public", "referee")}
        for audience, view in views.items():
            for seat in "ab":
                shown = view["seats"][seat]
                assert (shown["link"], shown["alchemy"]) == (truth[seat]["link"], truth[seat]["alchemy"])
                assert shown["pierced"] == truth[seat]["pierced"]
                if audience in (seat, "referee"):
                    assert {key: zones_alone(shown[key]) for key in SECRET} == {key: truth[seat][key] for key in SECRET}
                    assert shown["receptacle"] == truth[seat]["receptacle"]
                else:
                    assert not shown.keys() & set(SECRET)
            assert view["arena"] == truth["arena"]
            assert view["void_zone"] == truth["void_zone"]


@given(DUELS)
def test_once_it_is_over_everything_is_open_to_everyone(number):
    *_, last = play.duel(Random(number), ARENA)
    assert ARENA.status(last.closed.state).outcome is not None
    shown = ARENA.view(last.closed.state, "referee")
    for audience in ("a", "b", "public"):
        assert ARENA.view(last.closed.state, audience) == shown


@given(DUELS)
def test_each_audience_reads_the_events_that_the_table_grants(number):
    for turn in play.duel(Random(number), ARENA):
        for audience in ("a", "b", "public", "referee"):
            events = plain(turn.closed.events)
            granted = [event for event in (told(one, audience) for one in events) if event is not None]
            assert plain(ARENA.redact(turn.closed.events, audience)) == granted


@given(DUELS)
def test_a_zone_hidden_is_nowhere_in_what_the_public_reads(number):
    """Zones of options: no event that the public reads carries any, whatever its name."""
    for turn in play.duel(Random(number), ARENA):
        for event in plain(ARENA.redact(turn.closed.events, "public")):
            assert "zones" not in event
            assert event["code"] != "option_used" or "zone" not in event


def test_an_audience_that_does_not_exist_is_refused_or_sees_as_the_public():
    state = play.started(Random(1), ARENA)
    try:
        shown = ARENA.view(state, "c")
    except RulesError:
        return
    assert shown == ARENA.view(state, "public")
