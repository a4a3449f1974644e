"""Naming the zone that a decoy disables (A10.2)."""

import pytest
from django.urls import reverse

from duels.models import Post
from tests import play

from .arenas import quiet
from .readers import as_player, assert_kept_for_players, strangers

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel():
    """The third turn: a decoy of a was hit in the second."""
    duel = quiet()
    play.play_turn(duel, a={"option": {"name": "gaping_hole", "zones": ["right_leg", "right_arm"]}})
    return play.play_turn(duel, a={"thrust": "torso", "parry": "head"}, b={"thrust": "right_leg", "parry": "head"})


def page(duel):
    return reverse("duels:choice", args=[duel.pk])


def turn(duel):
    return reverse("duels:turn", args=[duel.pk])


def name(duel, zone="torso", letter="a", **sure):
    number = sure.pop("turn", "3")
    return as_player(duel, letter).post(page(duel), {"turn": number, "zone": zone, **sure})


def named(duel):
    return play.fresh(duel).phase.choices


def test_the_choice_is_for_the_two_who_duel(duel):
    assert_kept_for_players(duel, page(duel))
    for kind, client in strangers(duel).items():
        assert client.post(page(duel), {"turn": "3", "zone": "head", "sure": "yes"}).status_code == 403, kind
    assert named(duel) == {}


def test_who_owes_a_choice_names_it_before_declaring(duel):
    assert as_player(duel, "a").get(turn(duel)).url == page(duel)
    assert as_player(duel, "b").get(turn(duel)).status_code == 200
    assert as_player(duel, "b").get(page(duel)).url == turn(duel)


def test_naming_is_confirmed_first(duel):
    asked = name(duel)
    assert asked.status_code == 200
    assert asked.context["asked"] == "torso"
    assert named(duel) == {}
    assert name(duel, sure="yes").url == turn(duel)
    assert named(duel) == {"a": "torso"}
    assert Post.objects.get(thread__duel=duel, kind="choice").details == {"zone": "torso"}
    assert as_player(duel, "a").get(turn(duel)).status_code == 200


@pytest.mark.parametrize("zone", ["", "tail"])
def test_what_is_no_zone_is_refused(duel, zone):
    assert name(duel, zone, sure="yes").status_code == 422
    assert named(duel) == {}


def test_only_its_owner_names_the_zone_and_once(duel):
    assert name(duel, letter="b", sure="yes").url == turn(duel)
    assert named(duel) == {}
    name(duel, sure="yes")
    assert name(duel, "head", sure="yes").url == turn(duel)
    assert named(duel) == {"a": "torso"}


def test_a_page_of_an_earlier_turn_names_nothing(duel):
    assert name(duel, turn="1", sure="yes").url == turn(duel)
    assert named(duel) == {}


def test_after_24_hours_the_choice_is_lost_and_the_turn_can_be_played(duel, time):
    time.go_to(play.fresh(duel).phase.choice_until, seconds=1)
    assert as_player(duel, "a").get(page(duel)).url == turn(duel)
    assert as_player(duel, "a").get(turn(duel)).status_code == 200
    name(duel, sure="yes")
    assert named(duel) == {}


def test_the_opponent_who_has_filed_is_told_to_file_again(duel):
    play.file(duel, "b", thrust="head", parry="left_arm")
    name(duel, sure="yes")
    told = as_player(duel, "b").get(turn(duel))
    assert "#A10.2d" in told.text
    assert [one["zone"] for one in told.context["me"]["disabled"]] == ["torso"]
    play.file(duel, "a", thrust="head", parry="left_arm")
    assert play.fresh(duel).phase.is_open  # twelve hours for the opponent


def test_looking_names_nothing(duel):
    as_player(duel, "a").get(page(duel), {"turn": "3", "zone": "torso", "sure": "yes"})
    assert named(duel) == {}
