"""Every event and every finding of the arena is said in plain French and English."""

import json
import re
from itertools import chain
from pathlib import Path
from typing import get_args

import pytest
from django.utils import translation

import rules
from duels.sentences import finding_brief, finding_sentence, names, sentence, verdict
from duels.sentences.events import SENTENCES
from duels.sentences.findings import FINDINGS
from rules.arena.cases import CODES, play
from rules.arena.state import Event
from rules.arena.terms import ARENAS, OPTIONS, ZONES, Kind
from rules.core import Finding

CAST = {"a": {"name": "Ana"}, "b": {"name": "Léo"}}
CASES = json.loads((Path(__file__).parents[1] / "conformance" / "arena.json").read_text())


def said(language, event, cast=CAST):
    with translation.override(language):
        return sentence(event, cast)


def typeset(french):
    """The text on one line, with unbreakable spaces before colons."""
    return re.sub(r"\s+", " ", french).replace(" :", "\u00a0:")


def assert_is_a_sentence(text):
    assert re.search(r"[.!?]$", text), text
    assert not re.search(r"%\(|\{\{|None|_|  | \.| ,|: \.", text), text
    assert text[0].isupper(), text


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_sentence_even_without_parameters(code, language):
    text = said(language, Event(code, "a", ""))
    assert_is_a_sentence(text)


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_event_of_the_conformance_cases_is_said_to_every_audience(case, language):
    _state, events = play(case["setup"], case["turns"])
    told = [rules.get("arena").redact(events, audience) for audience in ("referee", "public", "a", "b")]
    for event in chain(events, *told):
        assert_is_a_sentence(said(language, event))


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("code", ["option_used", "failed_option", "option_cancelled", "repetition", "insufficient"])
def test_a_masked_option_is_said_without_what_is_masked(code, option):
    full = Event(code, "a", "A10.6", option=option, zones=("head",), to="link", gauge="alchemy", points=1)
    masked = Event(code, "a", "A10.6", option=option, gauge="alchemy", points=1)
    assert "tête" not in said("fr", masked)
    assert_is_a_sentence(said("fr", full))
    assert_is_a_sentence(said("fr", masked))


FRENCH = [
    (
        Event("hit", "a", "A8.1", zone="head", gauge="link", points=1),
        "L’estoc de Léo a touché la tête du pantin d’Ana, qui perd 1 point de liaison.",
    ),
    (
        Event("parried", "b", "A9.1", zone="left_arm", gauge="alchemy", gained=1),
        "Léo a paré l’estoc au bras gauche et gagné 1 point d’alchimie.",
    ),
    (
        Event("parried", "b", "A9.1", zone="torso", gauge="alchemy"),
        "Léo a paré l’estoc au torse, sans rien y gagner.",
    ),
    (
        Event("relentlessness", "a", "A8.2", zone="right_leg", gauge="link", points=1),
        "Acharnement : Ana a porté l’estoc à la jambe droite deux tours de suite, ce qui coûte 1 point de liaison.",
    ),
    (
        Event("repetition", "a", "A5.1", gauge="link", points=1),
        "Récidive : Ana a eu recours deux fois de suite à la même action optionnelle, ce qui coûte 1 point de liaison.",
    ),
    (
        Event("option_used", "a", "A10.1", option="rough_skin", gauge="alchemy", points=1),
        """Ana a couvert de peau rugueuse une zone tenue secrète, pour les deux prochains tours.
        Coût : 1 point d’alchimie.""",
    ),
    (
        Event("option_used", "b", "A10.2", option="gaping_hole", zones=("head", "torso"), gauge="alchemy", points=1),
        """Léo a ouvert des trous béants : la tête et le torse de son pantin sont des leurres pour les deux prochains
        tours. Coût : 1 point d’alchimie.""",
    ),
    (
        Event("option_used", "a", "A11.5", option="convert_points", to="alchemy", gauge="link", points=2, gained=2),
        "Ana a converti 2 points de liaison en 2 points d’alchimie.",
    ),
    (
        Event("option_cancelled", "a", "A11.2", option="convert_points", to="alchemy", gauge="link", points=2),
        """Léo avait vu venir le coup : la botte secrète de 7e année (conversion de points) que tentait Ana reste
        sans effet. Coût : 2 points de liaison.""",
    ),
    (
        Event("zone_disabled", "b", "A10.2", zone="torso", last_turn=4),
        "Ana a désigné le torse du pantin de Léo : cette zone est inutilisable jusqu’au tour 4 inclus.",
    ),
    (
        Event("arena_neutralised", "a", "A11.6", arena="four_winds", last_turn=5),
        "Ana a neutralisé l’arène : elle est sans effet dès le prochain tour, et au moins jusqu’au tour 5 inclus.",
    ),
    (
        Event("adjusted", "a", "A14.1", gauge="alchemy", points=-2),
        "L’arbitre a retiré 2 points d’alchimie à Ana.",
    ),
    (
        Event("duel_over", "a", "A13.1", by="link_broken"),
        "Le lien de Léo avec son pantin est rompu : Ana remporte le duel.",
    ),
    (
        Event("duel_over", None, "A13.4", by="draw"),
        "Les duellistes sont convenus d’une égalité : le duel est terminé.",
    ),
]


@pytest.mark.parametrize(("event", "french"), FRENCH, ids=lambda value: getattr(value, "code", ""))
def test_representative_sentences_in_french(event, french):
    assert said("fr", event) == typeset(french)


ENGLISH = [
    (
        Event("hit", "a", "A8.1", zone="head", gauge="link", points=1),
        "Léo’s thrust hit the head of Ana’s puppet, which costs 1 link point.",
    ),
    (
        Event("failed_option", "a", "A10.6", option="gaping_hole", gauge="alchemy", points=1),
        "Ana tried the gaping hole without naming the zones it needs: it has failed. Cost: 1 alchemy point.",
    ),
    (
        Event("duel_over", "b", "A13.4", by="surrender"),
        "Ana has surrendered: Léo has won the duel.",
    ),
]


@pytest.mark.parametrize(("event", "english"), ENGLISH, ids=lambda value: getattr(value, "code", ""))
def test_representative_sentences_in_english(event, english):
    assert said("en", event) == english


def test_an_event_may_be_the_json_of_a_resolution():
    event = Event("pierced", "a", "A4.2", zone="left_leg")
    as_json = {"code": "pierced", "seat": "a", "rule": "A4.2", "zone": "left_leg"}
    assert said("fr", as_json) == said("fr", event)


def test_no_sentence_is_out_of_reach():
    stems = {re.split(r"[ +]", key)[0] for key in SENTENCES}
    assert stems == CODES


def test_an_unknown_code_is_an_error():
    with pytest.raises(KeyError, match="dance"):
        said("fr", {"code": "dance", "seat": "a"})


@pytest.mark.parametrize(
    ("name", "genitive"),
    [
        ("Ana", "d’Ana"),
        ("Éloïse", "d’Éloïse"),
        ("Œdipe", "d’Œdipe"),
        ("Hector", "d’Hector"),
        ("Yvonne", "d’Yvonne"),
        ("Yann", "de Yann"),
        ("Léo", "de Léo"),
        ("de Brissac", "de de Brissac"),
        ("Y", "d’Y"),
    ],
)
def test_french_elides_before_a_vowel_a_mute_h_or_a_vocalic_y(name, genitive):
    with translation.override("fr"):
        assert names.of(name) == genitive


def test_english_adds_an_s():
    with translation.override("en"):
        assert names.of("Marcus") == "Marcus’s"


@pytest.mark.parametrize("words", [names.ZONES, names.THE_ZONE, names.AT_ZONE])
def test_every_zone_has_its_forms(words):
    assert tuple(words) == ZONES


@pytest.mark.parametrize("words", [names.OPTIONS, names.THE_OPTION])
def test_every_option_is_named(words):
    assert tuple(words) == tuple(OPTIONS)


def test_arenas_and_kinds_are_named():
    assert tuple(names.ARENAS) == tuple(names.THE_ARENA) == ARENAS
    assert set(names.KINDS) == set(get_args(Kind))


@pytest.mark.parametrize("by", names.ENDINGS)
def test_every_verdict_is_a_sentence_that_names_its_winner(by):
    winner = None if by == "draw" else "a"
    with translation.override("fr"):
        text = verdict({"winner": winner, "by": by}, CAST)
    assert_is_a_sentence(text)
    assert ("Ana" in text) == bool(winner)


SOURCES = sorted(Path(rules.__file__).parent.glob("arena/*.py"))
MADE = re.compile(r'(?:Finding\("(?:error|sanction|warning)", |_warning\()"(\w+)"')


def test_every_finding_that_the_rules_make_is_said():
    made = {code for source in SOURCES for code in MADE.findall(source.read_text())}
    assert {"relentlessness", "above_year", "void_zone", "choice_owed"} <= made
    assert made <= set(FINDINGS)


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("key", FINDINGS)
def test_every_finding_is_a_sentence_that_says_its_price(key, language):
    code, *rest = key.split()
    field = next((part for part in rest if not part.startswith(("A", "B"))), "elsewhere")
    rule = next((part for part in rest if part.startswith(("A", "B"))), "A8.2")
    with translation.override(language):
        text = finding_sentence(Finding("sanction", code, field, rule, "link", 1))
        assert_is_a_sentence(text)
        assert str(FINDINGS[key]) in text
        assert names.points("link", 1) in text
        assert finding_brief(Finding("sanction", code, field, rule))
