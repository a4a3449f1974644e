"""Who sees what, on turns played for it. The property tests compare every turn with the table."""

import json

import pytest

from rules import arena
from rules.core import Event, RulesError, State
from tests.rules.arena.bout import ARENA, Bout, option

OTHERS = ("b", "public")


def read(bout, audience):
    """The events of the last turn as an audience reads them: code, option, zones."""
    return [
        (event.code, event.option, event.zones)
        for event in ARENA.redact(bout.events, audience)
        if event.seat == "a" and event.code not in ("hit", "missed")
    ]


@pytest.mark.parametrize("name", ["cancel_option", "pin_receptacle"])
def test_what_lies_in_wait_is_told_to_its_owner_only(name):
    bout = Bout().turn(a=option(name))
    assert read(bout, "a") == read(bout, "referee") == [("option_used", name, ())]
    for audience in OTHERS:
        assert read(bout, audience) == []


def test_the_zones_of_an_option_are_not_told_and_the_option_is():
    bout = Bout().turn(a=option("rough_skin", "head"))
    assert read(bout, "a") == [("option_used", "rough_skin", ("head",))]
    for audience in OTHERS:
        assert read(bout, audience) == [("option_used", "rough_skin", ())]


def test_a_refused_option_is_not_told_at_all():
    for bout in (
        Bout(arena="playful_sand", void_zone="right_leg").turn(a=option("time_capsule"), void_zone=1),
        Bout(a={"age": 12, "year": 1}).turn(a=option("repair_receptacle")),
        Bout().turn(a=option("move_receptacle", "right_leg")),
    ):
        assert [code for code, _, _ in read(bout, "a")] == ["failed_option"]
        for audience in OTHERS:
            assert read(bout, audience) == []


def test_a_transformation_that_fails_for_its_zones_is_told_without_them():
    bout = Bout().turn(a=option("gaping_hole", "head"))
    for audience in OTHERS:
        assert read(bout, audience) == [("failed_option", "gaping_hole", ())]


def test_a_repetition_is_told_without_name_or_kind():
    bout = Bout().turn(a=option("cancel_option")).turn(a=option("cancel_option"))
    for audience in OTHERS:
        (event,) = (event for event in ARENA.redact(bout.events, audience) if event.code == "repetition")
        assert (event.option, event.rule, event.points) == (None, "A5.1", 1)


def test_an_insufficient_pin_is_told_without_its_name():
    bout = Bout(edition="classic").turn(adjust=(("a", "link", -8),)).turn(a=option("pin_receptacle"))
    assert read(bout, "a") == [("insufficient", "pin_receptacle", ())]
    assert read(bout, "b") == [("insufficient", None, ())]
    bout = Bout(edition="classic").turn(adjust=(("a", "alchemy", -5),)).turn(a=option("time_capsule"))
    assert read(bout, "b") == [("insufficient", "time_capsule", ())]


def test_what_is_cancelled_is_told_by_name_and_without_zones():
    bout = Bout().turn(b=option("cancel_option")).turn(a=option("rough_skin", "head"))
    for audience in OTHERS:
        assert read(bout, audience) == [("option_cancelled", "rough_skin", ())]


def test_a_seat_sees_all_of_its_own_and_nothing_hidden_of_the_other():
    bout = Bout().turn(a=option("rough_skin", "head")).turn(a=option("cancel_option"))
    own, others = (ARENA.view(bout.state, seat)["seats"]["a"] for seat in "ab")
    assert own.keys() - others.keys() == {
        "receptacle", "rough_skin", "decoys", "cancel_armed", "pin_armed", "last_option", "techniques_used",
        "stealth_ready",
    }  # fmt: skip
    assert (own["receptacle"], own["rough_skin"], own["cancel_armed"], own["last_option"]) == (
        "right_leg", [{"zone": "head", "last": 3}], True, "cancel_option",
    )  # fmt: skip
    assert others == ARENA.view(bout.state, "public")["seats"]["a"]
    assert ARENA.view(bout.state, "referee")["seats"]["a"] == own


def test_a_receptacle_is_known_once_pierced():
    bout = Bout(b={"receptacle": "head"}).turn()
    assert ARENA.view(bout.state, "public")["seats"]["b"]["receptacle"] == "head"
    assert "receptacle" not in ARENA.view(bout.state, "public")["seats"]["a"]


def test_once_over_everything_is_open():
    bout = Bout().turn(a=option("cancel_option")).stop(surrender="a")
    assert ARENA.view(bout.state, "public") == ARENA.view(bout.state, "referee")
    assert ARENA.view(bout.state, "public")["seats"]["a"]["cancel_armed"]


def test_a_view_tells_what_the_last_turn_declared_and_what_the_next_will_be():
    bout = Bout(arena="playful_sand", void_zone="head").turn(a=("torso", "left_leg"), void_zone=3)
    view = ARENA.view(bout.state, "public")
    assert (view["turn"], view["void_zone"], view["technique_limit"]) == (2, "right_arm", 8)
    assert (view["seats"]["a"]["last_thrust"], view["seats"]["a"]["last_parry"]) == ("torso", "left_leg")
    assert json.loads(ARENA.encode(view)) == view


def test_states_and_events_come_back_from_their_json():
    bout = Bout().turn(a=option("gaping_hole", "left_arm", "head")).turn(b=("left_arm", "head"), late="a")
    assert ARENA.decode_state(ARENA.encode(bout.state)) == bout.state
    assert ARENA.decode_events(ARENA.encode(bout.events)) == bout.events


@pytest.mark.parametrize("raw", [b"", b"{", b"{}", b"[]", b"null", b"\xff", b'{"edition": "gamma"}', b"[" * 100_000])
def test_what_is_no_state_is_refused_in_one_line(raw):
    with pytest.raises(RulesError) as refused:
        ARENA.decode_state(raw)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("raw", [b"", b"{}", b"[1]", b'[{"code": "hit"}]'])
def test_what_are_no_events_is_refused(raw):
    with pytest.raises(RulesError):
        ARENA.decode_events(raw)


def test_states_and_events_of_another_ruleset_are_refused():
    with pytest.raises(RulesError, match="not a state of the arena"):
        ARENA.status(State())
    with pytest.raises(RulesError, match="not an event of the arena"):
        ARENA.redact((Event("hit", "a", "A8.1"),), "public")


def test_of_what_amendments_changed_only_what_no_secret_decides_is_told_at_once():
    codes = ("infraction", "shifted", "hit", "pierced", "decoy_hit", "parried", "option_used", "adjusted", "duel_over")
    events = tuple(arena.Event(code, "a", "A14.0") for code in codes)
    assert [event.code for event in ARENA.redact_difference(events)] == ["infraction", "shifted", "adjusted"]
