"""The pages of those who play tell nobody what a seat keeps secret."""

import pytest
from django.urls import reverse

from tests.secrets import ONE, STAGES, School, assert_kept, naming

pytestmark = pytest.mark.django_db

PAGES = ["challenge", "preparation", "turn", "choice", "surrender", "draw"]


def address(name):
    return lambda duel: reverse(f"duels:{name}", args=[duel.pk])


@pytest.mark.parametrize("stage", STAGES)
def test_two_duels_that_differ_in_secrets_only_look_the_same(monkeypatch, stage):
    assert_kept(monkeypatch, stage, [address(name) for name in PAGES])


def test_the_player_is_shown_what_nobody_else_is(monkeypatch):
    """The search itself finds what is there: on the page of the one who filed, and on no other."""
    school = School(monkeypatch)
    told = school.shown(ONE, "filed", [address("turn")], list(school.clients))
    mine = {page: said for page, said in told.items() if page.endswith(", the player")}
    assert 'value="gaping_hole" id="id_option-gaping_hole" checked' in next(iter(mine.values()))
    others = [said for page, said in told.items() if page not in mine]
    assert not any('value="gaping_hole" id="id_option-gaping_hole" checked' in said for said in others)


def test_pages_kept_for_players_name_no_option_to_strangers(monkeypatch):
    school = School(monkeypatch)
    strangers = [who for who in school.clients if who not in ("the player", "the opponent")]
    told = school.shown(ONE, "armed", [address(name) for name in PAGES], strangers)
    assert naming(school, told, "gaping_hole", "cancel_option") == []
