"""Every event and every finding of a spell duel is said in plain French and English."""

import json
import re
from pathlib import Path

import pytest
from django.utils import translation

import rules
from duels.sentences import finding_sentence, names, sentence, verdict
from duels.sentences.findings import FINDINGS
from duels.sentences.spells import FAULTS, declared
from rules.core import Finding
from rules.spells.cases import play
from rules.spells.state import Event

CAST = {letter: {"name": name} for letter, name in zip("abcd", ("Ana", "Léo", "Eva", "Noé"), strict=True)}
CASES = json.loads((Path(__file__).parents[1] / "conformance" / "spells.json").read_text())
SOURCES = sorted(Path(rules.__file__).parent.glob("spells/*.py"))
TOLD = re.compile(r'\.tell\(\s*"(\w+)"')
FOUND = re.compile(r'_error\("(\w+)"')


def said(language, event):
    with translation.override(language):
        return re.sub(r"\s+", " ", sentence(event, CAST, {"repulso": "Repulso"}))


def assert_is_a_sentence(text):
    assert re.search(r"[.!?]$", text), text
    assert not re.search(r"%\(|None|_|  |somebody|quelqu’un| \.| ,", text), text
    assert text[0].isupper(), text


EVENTS = [event for case in CASES for event in play(case["setup"], case["turns"])[1]]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_everything_that_happens_in_the_cases_is_a_sentence(language):
    assert len(EVENTS) > 200
    for event in EVENTS:
        assert_is_a_sentence(said(language, event))


def test_every_code_that_the_rules_tell_is_said():
    codes = {code for source in SOURCES for code in TOLD.findall(source.read_text())}
    assert len(codes) > 20
    for code in codes:
        said("en", Event(code, "a", "B4.1", by="surrender"))


def test_every_finding_of_the_rules_is_said_and_named_as_a_fault():
    codes = {code for source in SOURCES for code in FOUND.findall(source.read_text())}
    assert len(codes) > 25
    assert codes <= set(FINDINGS)
    assert codes <= set(FAULTS)


FRENCH = [
    (
        Event("cast", "a", "B4.1", spell="repulso", target="b", bet="1-2-3", bonus=True),
        "Ana lance Repulso sur Léo (pari sur 1-2-3, avec son bonus).",
    ),
    (Event("cast", "a", "B4.1", spell="repulso", zone=4), "Ana lance Repulso sur la zone 4."),
    (Event("moved", "b", "effects", spell="repulso", zone=10), "Repulso emporte Léo jusqu’à la zone 10."),
    (Event("moved", "b", "B4.2", step="move", zone=7), "Léo marche jusqu’à la zone 7."),
    (
        Event("fatigue_lost", "b", "effects", gauge="fatigue", points=3, spell="repulso", by="a"),
        "Repulso coûte 3 points de fatigue à Léo.",
    ),
    (
        Event("fatigue_lost", "b", "effects", gauge="fatigue", points=1, zone=8, by="summon"),
        "La créature en zone 8 attaque Léo : 1 point de fatigue en moins.",
    ),
    (Event("dodged", "b", "B4.2.1", bet="4-5-6", face=5), "Léo parie sur 4-5-6 et tire 5 : esquive réussie."),
    (Event("adjusted", "a", "B6.5", gauge="magic", points=-2), "L’arbitre a retiré 2 points de magie à Ana."),
    (
        Event("duel_over", None, "B3.3.1", by="fatigue", winner=1),
        "Le duel est fini par épuisement ; victoire : Ana et Eva.",
    ),
    (Event("absence", "a", "B6.1"), "Ana n’a pas répondu à temps, pour la troisième fois : disqualification."),
]


@pytest.mark.parametrize(("event", "french"), FRENCH, ids=lambda value: getattr(value, "code", ""))
def test_french_sentences(event, french):
    assert said("fr", event) == french


def test_the_verdict_names_the_team_that_has_won():
    with translation.override("en"):
        won = verdict({"winner": 2, "by": "disqualified"}, CAST)
        assert "Léo and Noé" in won
        assert verdict({"winner": None, "by": "draw"}, CAST) == "The duel is over: it is a draw."


def test_what_a_post_lacks_shows_in_what_it_declares():
    with translation.override("en"):
        assert declared({"do": "move"}, CAST, {}) == "Moves to zone ?"
        assert declared({"do": "cast", "spell": "protego_duo"}, CAST, {}) == "Casts Protego Duo"


def test_what_a_partner_may_lift_is_said_so():
    with translation.override("en"):
        told = finding_sentence(Finding("sanction", "silenced", "spell", "effects"))
        assert "partner" in told
        assert names.points("fatigue", 2) == "2 fatigue points"
