"""The record of a spell duel: two phases a turn, several who surrender, and an export that verifies."""

from __future__ import annotations

import msgspec
import pytest

import rules
from rules import record
from rules.dice import SealedDice
from rules.verify import verify
from tests.rules.spells.bout import BOOK, SPELLS, act, cast, duel, entrant
from tests.rules.spells_recording import Recorder, export


@pytest.mark.parametrize("number", range(6))
def test_the_export_of_a_spell_duel_verifies(number):
    written = record.decode(record.encode(export(number)))
    report = verify(written)
    assert report.failures == ()


def test_each_entry_of_a_turn_says_of_which_phase_it_is():
    phases = {entry.phase_name for entry in export(0).entries if entry.phase and entry.kind != "verdict"}
    assert phases == {"action", "defence"}


def test_a_post_put_into_the_other_phase_is_found_out():
    written = export(0)
    place, filing = next(
        (place, entry) for place, entry in enumerate(written.entries) if entry.kind == "filing" and entry.content
    )
    moved = msgspec.structs.replace(filing, public={"phase": "defence"})
    entries = (*written.entries[:place], moved, *written.entries[place + 1 :])
    report = verify(msgspec.structs.replace(written, entries=entries))
    assert not report.ok


def test_inputs_are_those_of_the_open_phase():
    recorder = Recorder(1)
    recorder.add("filing", 1, "action", seat="a", version=1, content={"steps": []})
    recorder.add("filing", 1, "action", seat="b", version=1, content={"steps": []}, public={"fault": "short_post"})
    recorder.add("filing", 1, "defence", seat="b", version=1, content={"do": "nothing"})
    recorder.add("surrender", 1, "defence", seat="b")
    recorder.add("surrender", 1, "defence", seat="d")
    status = SPELLS.status(duel(*(entrant() for _ in "abcd")))
    action = record.inputs(recorder.entries, 0, 1, status)
    assert [filed.seat for filed in action.filings] == ["a", "b"]
    assert action.infractions == {"b": "short_post"}
    assert action.surrender is None
    defence = record.inputs(recorder.entries, 0, 1, msgspec.structs.replace(status, phase="defence"))
    assert defence.filings[0].content == {"do": "nothing"}
    assert (defence.infractions, defence.surrender, defence.surrenders) == ({}, "b", ("b", "d"))


def test_a_correction_lifts_the_fault_and_keeps_its_place():
    recorder = Recorder(1)
    for seat, version, public in (("a", 1, {"fault": "short_post"}), ("b", 1, {}), ("a", 2, {})):
        recorder.add("filing", 1, "action", seat=seat, version=version, content={"steps": []}, public=public)
    given = record.inputs(recorder.entries, 0, 1, SPELLS.status(duel(entrant(), entrant())))
    assert [filed.seat for filed in given.filings] == ["a", "b"]
    assert given.infractions == {}


def test_a_draw_needs_all_who_are_still_in():
    recorder = Recorder(1)
    state = act(duel(*(entrant() for _ in "abcd")), {"a": [], "c": [], "d": []}, surrender="b").state
    for seat in "ac":
        recorder.add("draw_offer", 2, "action", seat=seat)
    assert not record.inputs(recorder.entries, 0, 2, SPELLS.status(state)).agreed_draw
    recorder.add("draw_offer", 2, "action", seat="d")
    assert record.inputs(recorder.entries, 0, 2, SPELLS.status(state)).agreed_draw


@pytest.mark.parametrize(
    ("said", "agreed"),
    [
        ("offer b, offer c, offer d, surrender a", True),
        ("offer b, offer c, surrender a", False),
        ("offer b, offer d, refused a, offer c, surrender a", False),
        ("offer b, offer d, surrender a, surrender c", False),  # nobody is left to agree: b and d have won
        ("offer d, surrender a, surrender b, offer c", True),
    ],
)
def test_who_surrenders_need_not_agree_to_a_draw_any_more(said, agreed):
    recorder = Recorder(1)
    kinds = {"offer": "draw_offer", "refused": "draw_refused", "surrender": "surrender"}
    for word, seat in (words.split() for words in said.split(", ")):
        recorder.add(kinds[word], 1, "action", seat=seat)
    status = SPELLS.status(duel(*(entrant() for _ in "abcd")))
    assert record.inputs(recorder.entries, 0, 1, status).agreed_draw is agreed


def test_both_of_a_team_may_surrender_in_one_phase():
    step = act(duel(*(entrant() for _ in "abcd")), {"a": [], "c": []}, surrenders=("b", "d"))
    outcome = SPELLS.status(step.state).outcome
    assert (outcome.winner, outcome.by) == (1, "surrender")


class TestFacade:
    def test_the_announcement_keeps_the_book_that_is_shipped(self):
        terms = {"mode": "free", "format": "1v1", "duellists": {"a": entrant(), "b": entrant()}}
        setup = SPELLS.announce(terms, SealedDice(bytes(32), "d", 0, "announcement"))
        assert {"protego", "legilimens"} <= {spell["code"] for spell in setup["spells"]}
        assert setup["spells"][0]["names"]["fr"]
        assert SPELLS.view(SPELLS.start(setup, SealedDice(bytes(32), "d", 0, "start")), "public")["turn"] == 1

    @pytest.mark.parametrize(
        ("changed", "why"),
        [
            ({"format": "2v2"}, "a, b, c, d"),
            ({"mode": "ranked"}, "mode"),
            ({"duellists": {"a": entrant(6, "fire"), "b": entrant()}}, "two different types"),
            ({"duellists": {"a": entrant(6, "fire", "fire"), "b": entrant()}}, "two different types"),
            ({"duellists": {"a": entrant(1, "fire", "air"), "b": entrant()}}, "one type"),
            ({"duellists": {"a": {**entrant(), "level": 9}, "b": entrant()}}, "level"),
            ({"duellists": {"a": entrant(1, animagus=1), "b": entrant()}}, "animagus"),
            ({"spells": []}, "list of spells"),
            ({"spells": [{"code": "x"}]}, "x: level: missing"),
        ],
    )
    def test_terms_that_the_rules_refuse(self, changed, why):
        terms = {"mode": "free", "format": "1v1", "duellists": {"a": entrant(), "b": entrant()}, "spells": BOOK}
        with pytest.raises(rules.RulesError, match=why):
            SPELLS.announce({**terms, **changed}, SealedDice(bytes(32), "d", 0, "announcement"))

    @pytest.mark.parametrize(
        ("filings", "why"),
        [
            ({"c": []}, "no seat|not called"),
            ({"a": {"steps": [{"do": "fly"}]}}, "post of a"),
            ({"a": [cast("unheard_of", "b", "1-2-3")]}, "the book has no spell"),
        ],
    )
    def test_what_cannot_be_played_is_an_error(self, filings, why):
        with pytest.raises(rules.RulesError, match=why):
            act(duel(entrant(), entrant()), filings)

    def test_unknown_faults_and_gauges_are_errors(self):
        state = duel(entrant(), entrant())
        with pytest.raises(rules.RulesError, match="unknown fault 'rude'"):
            act(state, {"a": [], "b": []}, infractions={"a": "rude"})
        with pytest.raises(rules.RulesError, match="unknown gauge"):
            act(state, {"a": [], "b": []}, adjustments=(rules.core.Adjustment("a", "link", 1),))

    def test_nothing_is_resolved_once_it_is_over(self):
        over = act(duel(entrant(), entrant()), {}, agreed_draw=True).state
        with pytest.raises(rules.RulesError, match="over"):
            act(over, {})
        assert SPELLS.check(over, "a", {"steps": []})[0].code == "duel_over"

    def test_other_states_are_refused(self):
        with pytest.raises(rules.RulesError, match="not a state of a spell duel"):
            SPELLS.decode_state(b"{}")
        with pytest.raises(rules.RulesError, match="not events"):
            SPELLS.decode_events(b"{}")
        with pytest.raises(rules.RulesError, match="no choices"):
            SPELLS.choose(duel(entrant(), entrant()), "a", "x")
