"""The rules for players: every rule that the engine can quote is there, in both languages."""

import re
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation

import rules
from duels import example
from duels.drawing import MARKS

CODE = re.compile(r"\bA\d+\.\d+[a-z]?\b")
SOURCES = sorted(Path(rules.__file__).parent.glob("arena/*.py"))
MESSAGES = Path(settings.BASE_DIR, "locale", "fr", "LC_MESSAGES", "django.po")


def page(client, language):
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    response = client.get(reverse("duels:rules_arena"))
    assert response.status_code == 200
    return response.content.decode()


def anchors(html):
    return Counter(re.findall(r'\bid="([^"]+)"', html))


@pytest.fixture(params=["fr", "en"])
def html(request, client, db):
    return page(client, request.param)


def test_anyone_may_read_the_rules_in_their_language(client, db):
    assert "<h1>Règles de l’arène</h1>" in page(client, "fr")
    assert "<h1>Rules of the arena</h1>" in page(client, "en")


def test_the_navigation_leads_to_both_rulesets_and_the_spell_book(client, db):
    home = client.get(reverse("duels:home")).content.decode()
    index = reverse("duels:rules")
    assert index == "/regles/"
    assert home.count(f'href="{index}"') == 2
    shown = client.get(index).content.decode()
    for page_of in ("rules_arena", "rules_spells", "spell_book"):
        assert f'href="{reverse(f"duels:{page_of}")}"' in shown
        assert client.get(reverse(f"duels:{page_of}")).status_code == 200


def test_nothing_can_be_posted_to_the_rules(client, db):
    assert client.post(reverse("duels:rules_arena")).status_code == 405


def test_every_rule_that_the_engine_quotes_has_its_anchor(html):
    quoted = {code for source in SOURCES for code in CODE.findall(source.read_text())}
    assert len(quoted) > 50
    assert quoted <= set(anchors(html))


def test_every_rule_that_a_message_quotes_has_its_anchor(html):
    assert set(CODE.findall(MESSAGES.read_text())) <= set(anchors(html))


def test_every_article_has_its_anchor_and_none_stands_twice(html):
    found = anchors(html)
    assert {f"A{number}" for number in range(1, 16)} <= set(found)
    assert [name for name, times in found.items() if times > 1] == []


def test_every_link_within_the_page_leads_somewhere(html):
    targets = set(re.findall(r'href="(?:/regles/arene/)?#([^"]+)"', html))
    assert targets <= set(anchors(html))


def test_both_languages_have_the_same_rules_and_the_same_rulings(client, db):
    french, english = page(client, "fr"), page(client, "en")
    assert anchors(french) == anchors(english)
    marked = r'<dt(?: id="\S+")? class="is-ruling"><a href="#(\S+)"'
    assert re.findall(marked, french) == re.findall(marked, english)


def test_every_ruling_is_listed(html):
    marked = re.findall(r'<dt(?: id="\S+")? class="is-ruling"><a href="#(\S+)"', html)
    listed = re.findall(r'<li><a href="#(\S+)">', html[html.index('class="rulings"') :])
    assert len(marked) > 40
    assert listed == marked


def test_french_spaces_do_not_break_before_high_punctuation(client, db):
    text = re.sub(r"<[^>]+>|&[#\w]+;", "", re.search(r"<article.*</article>", page(client, "fr"), re.DOTALL)[0])
    assert re.findall(r".{20} [:;!?»]|« .{10}|.{10}'.{10}", text) == []


def test_the_worked_example_is_what_the_rules_say():
    one, two = example.played()
    assert [event["code"] for event in one.events] == ["option_used", "option_used", "hit", "pierced", "parried"]
    assert [event["code"] for event in two.events] == [
        "relentlessness",
        "option_used",
        "hit",
        "pierced",
        "rough_skin_held",
    ]
    assert [two.view["seats"][seat]["link"] for seat in "ab"] == [5, 4]


def test_every_sign_of_the_worked_example_is_also_said(client, db):
    puppets = re.findall(r'<svg class="puppet .*?</svg>', page(client, "fr"), re.DOTALL)
    assert len(puppets) == 4
    with translation.override("fr"):
        for puppet in puppets:
            described = re.search(r'aria-label="([^"]+)"', puppet)[1]
            for kind in re.findall(r'class="mark mark-(\w+)"', puppet):
                assert str(MARKS[kind]) in described


def test_the_rulings_of_the_documentation_are_those_of_the_page(client, db):
    listed = re.search(
        r"## The list: the arena\n(.*?)\n## ", Path(settings.BASE_DIR, "docs", "rulings.md").read_text(), re.DOTALL
    )[1]
    rows = {code for row in re.findall(r"^\| (A[^|]+?) \|", listed, re.MULTILINE) for code in row.split(", ")}
    shown = set(re.findall(r'<dt(?: id="\S+")? class="is-ruling"><a href="#(\S+)"', page(client, "en")))
    assert rows == shown
