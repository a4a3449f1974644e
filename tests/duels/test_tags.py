"""The tags that pages share: what they write, and that it is safe."""

import datetime as dt
import re

import pytest
import time_machine
from django.template import Context, Template
from django.utils import timezone, translation

from duels.templatetags import duels_tags
from rules.arena.state import Event
from rules.arena.terms import ZONES
from rules.core import Choice, Finding

CAST = {"a": {"name": "Ana"}, "b": {"name": "<b>Léo</b>"}}
RELENTLESS = Finding("sanction", "relentlessness", "thrust", "A8.2", "link", 1)
UNUSABLE = Finding("error", "receptacle_unusable", "option", "A10.7a")


def written(template, **context):
    return Template("{% load duels_tags %}" + template).render(Context(context))


@pytest.fixture(autouse=True)
def in_french():
    with translation.override("fr"), timezone.override("Europe/Paris"):
        yield


def test_an_instant_has_its_exact_hour_with_the_zone_and_how_far_it_is():
    with time_machine.travel(dt.datetime(2026, 3, 3, 14, 15, tzinfo=dt.UTC), tick=False):
        html = written("{% instant at %}", at=dt.datetime(2026, 3, 3, 19, 15, tzinfo=dt.UTC))
    assert 'datetime="2026-03-03T20:15:00+01:00"' in html
    assert "3 mars 2026 à 20:15 CET" in html
    assert "dans 5\u00a0heures" in html


def test_an_instant_may_be_the_text_of_a_post_or_missing():
    assert 'datetime="2026-07-01T12:00:00+02:00"' in written("{% instant at %}", at="2026-07-01T10:00:00+00:00")
    assert written("{% instant at %}", at=None) == "–"


@pytest.mark.parametrize(("language", "said"), [("fr", "1er mars 2026 à "), ("en", "March 1, 2026 at ")])
def test_the_first_of_a_month_has_its_ordinal_in_french(language, said):
    with translation.override(language):
        assert said in written("{% instant at %}", at=dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC))


def test_ago_keeps_the_exact_hour_as_a_title():
    with time_machine.travel(dt.datetime(2026, 3, 3, 14, 15, tzinfo=dt.UTC), tick=False):
        html = written("{% ago at %}", at=dt.datetime(2026, 3, 3, 13, 15, tzinfo=dt.UTC))
    assert 'title="3 mars 2026 à 14:15 CET"' in html
    assert "il y a une heure" in html


def test_a_sentence_escapes_names_and_links_its_article():
    html = written(
        "{% sentence event cast %}", event=Event("leaked", "b", "A4.2", gauge="alchemy", points=1), cast=CAST
    )
    assert "<b>" not in html
    assert "&lt;b&gt;Léo&lt;/b&gt;" in html
    assert '<a class="rule" href="/regles/arene/#A4.2">A4.2</a>' in html


def test_a_finding_says_its_level_its_price_and_its_rule():
    html = written("{% finding remark %}", remark=RELENTLESS)
    assert 'class="finding finding-sanction"' in html
    assert "Vous perdriez 1 point de liaison." in html
    assert 'href="/regles/arene/#A8.2"' in html


def test_a_verdict_names_the_winner():
    html = written("{% verdict outcome cast %}", outcome={"winner": "a", "by": "surrender"}, cast=CAST)
    assert "Ana remporte le duel." in html


@pytest.mark.parametrize(
    ("template", "french"),
    [
        ('{{ "left_arm"|zone_name }}', "bras gauche"),
        ('{{ "rough_skin"|option_name }}', "Peau rugueuse"),
        ("{{ none|option_name }}", "aucune action optionnelle"),
        ('{{ "verdant_circles"|arena_name }}', "Cercles de verdure"),
        ('{{ "training"|kind_name }}', "duel d’entraînement"),
        ('{{ "beta"|edition_name }}', "version bêta"),
        ('{{ "alchemy"|gauge_name }}', "points d’alchimie"),
        ('{{ "link_broken"|how_name }}', "lien rompu"),
        ('{{ "adult"|year_name }}', "adulte"),
        ("{{ 1|year_name }}", "1re année"),
        ("{{ 4|year_name }}", "4e année"),
        ('{{ 2|points:"link" }}', "2 points de liaison"),
        ('{{ "Ana"|of }}', "d’Ana"),
    ],
)
def test_names_in_french(template, french):
    assert written(template, none=None) == french


def test_a_puppet_is_an_image_with_words():
    view = {"turn": 1, "void_zone": None, "seats": {"a": {"pierced": False, "receptacle": "head", "disabled": []}}}
    html = written('{% puppet view "a" "Ana" "left" %}', view=view)
    assert 'role="img" aria-label="Pantin d’Ana. tête\u00a0: réceptacle."' in html
    assert len(re.findall(r'class="zone zone-', html)) == len(ZONES)
    assert "style=" not in html


def picker(choices=None, extra=""):
    """The picker of zones for an option, the head chosen."""
    offered = choices or [Choice(zone) for zone in ZONES]
    template = f"{{% zone_picker 'option.zones' choices selected legend='Où ?' {extra} %}}"
    return written(template, choices=offered, selected=("head",))


def test_the_picker_is_six_labelled_buttons_that_need_no_script():
    html = picker()
    assert re.findall(r'type="radio" id="(\S+?)" name="option.zones" value="(\w+)"', html) == [
        (f"id_option-zones-{zone}", zone) for zone in ZONES
    ]
    assert re.findall(r'<label for="(\S+?)"', html) == [f"id_option-zones-{zone}" for zone in ZONES]
    assert html.count(" checked") == 1
    assert html.count(" required") == len(ZONES)


def test_two_zones_are_asked_for_with_checkboxes():
    html = picker(extra="count=2")
    assert html.count('type="checkbox"') == len(ZONES)
    assert " required" not in html


def test_each_choice_says_what_it_brings_and_a_refused_one_cannot_be_taken():
    choices = [Choice("head", findings=(RELENTLESS,)), Choice("torso", refused=UNUSABLE)]
    html = picker(choices)
    assert 'aria-describedby="id_option-zones-head-says"' in html
    assert "recommencer serait de l’acharnement" in html
    assert re.search(r'value="torso" disabled', html)
    assert "Votre réceptacle ne peut pas être utilisé" in html
    assert not re.search(r"<label(?:(?!</label>).)*<a ", html, re.DOTALL), "no link inside a label"


def test_an_invalid_picker_points_to_its_error():
    html = picker(extra="error_id='thrust-error'")
    assert '<fieldset class="zone-picker is-invalid" aria-describedby="thrust-error">' in html


def test_every_level_has_a_sign():
    assert set(duels_tags.SIGNS) == {"error", "sanction", "warning"}


def test_the_effects_of_spells_are_named_once_beside_what_they_did():
    html = written("{% rule code %} {{ code|article }}", code="effects")
    assert re.sub(r"<[^>]+>", "", html).strip() == "effets des sorts"
    assert 'href="/regles/sorts/#effects"' in html
