"""Duels played long ago still verify, under the version of the rules that they pinned."""

from pathlib import Path
from typing import get_args

import pytest

import rules
from rules import record, verify
from rules.spells.cases import CODES

CORPUS = sorted((Path(__file__).parent.parent / "corpus").glob("*.json"))


@pytest.mark.parametrize("path", CORPUS, ids=[path.stem for path in CORPUS])
def test_a_frozen_duel_verifies(path):
    report = verify.verify_json(path.read_bytes())
    assert report.failures == ()
    assert report.turns >= 3


def test_every_version_of_every_ruleset_that_a_duel_may_have_pinned_is_in_the_corpus():
    pinned = {(export.ruleset, export.version) for export in exports()}
    assert {("arena", 1), ("spells", 1)} <= pinned
    for name, version in pinned:
        assert rules.get(name, version).version == version


def test_every_format_of_the_record_is_in_the_corpus_for_either_ruleset():
    formats = {(export.ruleset, export.format) for export in exports()}
    assert formats == {(ruleset, each) for ruleset in ("arena", "spells") for each in get_args(record.Format)}


def test_the_duels_of_the_second_format_show_every_kind_of_entry_and_of_ruling():
    entries = [entry for export in exports() if export.format == 2 for entry in export.entries]
    assert {entry.kind for entry in entries} == set(get_args(record.Kind))
    rulings = [entry.public for entry in entries if entry.kind == "ruling"]
    assert {ruling["ruling"] for ruling in rulings} == {"invalid_post", "adjustment", "die", "note"}
    assert any("withdraws" in ruling for ruling in rulings)
    answers = {entry.public["answer"] for entry in entries if entry.kind == "appeal_answer"}
    assert answers == {"granted", "upheld", "lapsed"}
    assert {text.part for export in exports() for text in export.texts} == set(get_args(record.Part))


def exports():
    return [record.decode(path.read_bytes()) for path in CORPUS]


def spell_duels():
    return [export for export in exports() if export.ruleset == "spells"]


def test_the_spell_duels_show_every_event_and_every_end():
    duels = spell_duels()
    events = [event for duel in duels for entry in _of(duel, "publication") for event in entry.content["events"]]
    assert {event["code"] for event in events} == CODES
    assert {event["by"] for event in events if event["code"] == "duel_over"} >= {
        "fatigue", "disqualified", "surrender", "draw",
    }  # fmt: skip
    assert {entry.public["setup"]["format"] for duel in duels for entry in _of(duel, "announcement")} == {"1v1", "2v2"}


def test_the_spell_duels_show_corrections_absences_and_what_a_legilimens_says():
    entries = [entry for duel in spell_duels() for entry in duel.entries]
    filings = [entry for entry in entries if entry.kind == "filing"]
    assert {entry.content.get("order") for entry in filings} == {None, "before", "after"}
    assert {entry.version for entry in filings} == {1, 2}
    assert {"infraction", "ruling", "surrender", "draw_offer"} <= {entry.kind for entry in entries}


def _of(duel, kind):
    return [entry for entry in duel.entries if entry.kind == kind]
