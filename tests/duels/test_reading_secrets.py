"""Nothing that anyone reads tells what a duellist keeps secret."""

import pytest
from django.urls import reverse

from duels import export
from tests import play
from tests.duels.readers import as_user
from tests.secrets import ONE, ONE_ARMED, OTHER, STAGES, School, assert_kept, differences, naming

pytestmark = pytest.mark.django_db


def page(name, query=""):
    return lambda duel: reverse(f"duels:{name}", args=[duel.pk]) + query


def of_the_site(name, query=""):
    return lambda _duel: reverse(f"duels:{name}") + query


PAGES = [
    of_the_site("home"),
    of_the_site("duels"),
    of_the_site("duels", "?etat=announced"),
    page("duel"),
    page("proof"),
    page("export"),
    page("picture"),
    lambda duel: reverse("duels:post", args=[duel.pk, 1]),
]


@pytest.mark.parametrize("stage", STAGES)
def test_two_duels_that_differ_in_secrets_look_alike(monkeypatch, stage):
    assert_kept(monkeypatch, stage, PAGES)


@pytest.mark.parametrize("stage", ["filed", "locked"])
def test_an_option_declared_is_named_nowhere_before_its_turn_is_published(monkeypatch, stage):
    school = School(monkeypatch)
    told = school.shown(ONE, stage, PAGES, school.ignorant(stage))
    assert naming(school, told, "gaping_hole") == []


def test_what_is_armed_is_named_nowhere_even_when_its_turn_is_published(monkeypatch):
    school = School(monkeypatch)
    told = school.shown(ONE_ARMED, "armed", PAGES, school.ignorant("armed"))
    assert naming(school, told, "cancel_option", "pin_receptacle") == []
    assert naming(school, told, "gaping_hole") != []  # which the first turn published


def test_public_pages_show_a_player_no_secret_of_their_own_either(monkeypatch):
    """What is on the page of a duel may be shown around: secrets have pages of their own."""
    assert differences(School(monkeypatch), (ONE, OTHER), "filed", PAGES, ["the player"]) == []


def test_the_checker_sees_a_secret_that_is_shown(monkeypatch):
    """A player's own preparation differs, as it must: if it did not, this file would prove nothing."""
    found = differences(School(monkeypatch), (ONE, OTHER), "hidden", [page("preparation")], ["the player"])
    assert found == ["/duels/DUEL/preparation/, the player"]


def test_everything_is_open_once_the_duel_is_over():
    duel = play.over()
    said = as_user().get(reverse("duels:proof", args=[duel.pk])).content.decode()
    sealed = [entry for entry in export.so_far(duel).entries if entry.nonce]
    assert len(sealed) > 4
    assert all(entry.receipt in said and entry.nonce in said for entry in sealed)
