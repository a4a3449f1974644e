"""The rules of the spell duel for players: every rule that the engine, pages and messages quote is there."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

import rules
from duels import example

CODE = re.compile(r"\bB\d+\.\d+(?:\.\d+)?[a-z]?\b")
ROOT = Path(settings.BASE_DIR)
SOURCES = [
    *Path(rules.__file__).parent.glob("spells/*.py"),
    *ROOT.glob("duels/**/*.py"),
    *ROOT.glob("templates/**/*.html"),
]


MARKED = re.compile(r'<dt(?: id="\S+")? class="is-ruling"><a href="#(\S+)"')


def page(client, language):
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    return client.get(reverse("duels:rules_spells")).content.decode()


@pytest.fixture(params=["fr", "en"])
def html(request, client, db):
    return page(client, request.param)


@pytest.fixture
def anchors(html):
    return re.findall(r'\bid="([^"]+)"', html)


def test_every_rule_that_is_quoted_has_its_anchor(anchors):
    quoted = {code for source in SOURCES for code in CODE.findall(source.read_text())}
    assert len(quoted) > 30
    assert quoted <= set(anchors)
    assert "effects" in anchors


def test_no_anchor_stands_twice(anchors):
    assert len(set(anchors)) == len(anchors)


def test_every_ruling_is_listed_in_the_order_of_the_page(html):
    marked = MARKED.findall(html)
    assert len(marked) > 20
    assert re.findall(r'<li><a href="#(\S+)">', html[html.index('class="rulings"') :]) == marked


def test_both_languages_have_the_same_rulings(client, db):
    assert MARKED.findall(page(client, "fr")) == MARKED.findall(page(client, "en"))


def test_every_link_within_the_page_leads_somewhere(html, anchors):
    assert set(re.findall(r'href="(?:/regles/sorts/)?#([^"]+)"', html)) - {"content"} <= set(anchors)


def test_the_rulings_of_the_documentation_are_those_of_the_page(client, db):
    listed = re.search(r"## The list: spells\n(.*?)\n## ", (ROOT / "docs" / "rulings.md").read_text(), re.DOTALL)[1]
    rows = re.findall(r"^\| (B[^|]+?|effects) \|", listed, re.MULTILINE)
    assert rows == MARKED.findall(page(client, "en"))


def test_french_spaces_do_not_break_before_high_punctuation(client, db):
    text = re.sub(r"<[^>]+>|&[#\w]+;", "", re.search(r"<article.*</article>", page(client, "fr"), re.DOTALL)[0])
    assert re.findall(r".{20} [:;!?»]|« .{10}|.{10}'.{10}", text) == []


def test_its_example_is_what_the_rules_play(html):
    phases = example.spells_played()
    assert [(phase.number, phase.name) for phase in phases] == [
        (1, "action"),
        (1, "defence"),
        (2, "action"),
        (2, "defence"),
    ]
    shown = re.split(r'<div class="played-turn">', html)[1:]
    assert [part.split("</ol>")[0].count("<li>") for part in shown] == [len(phase.events) for phase in phases]
    assert html.count('class="bars"') == 2 * len(phases)
    codes = {event["code"] for phase in phases for event in phase.events}
    assert codes >= {"failed", "succeeded", "dodged", "dodge_failed", "shielded", "fatigue_lost", "bound"}


def test_its_example_speaks_the_readers_language(client, db):
    assert "Le dé donne 2\u00a0: Flammula réussit, avec son bonus." in page(client, "fr")
    assert "The die shows 2: Flammula succeeds, with its bonus." in page(client, "en")
