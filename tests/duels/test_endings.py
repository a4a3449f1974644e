"""Surrender and draw (A13.4)."""

import pytest
from django.urls import reverse

from duels.models import Happening, Post
from tests import play

from .readers import as_player, as_user, assert_kept_for_players, strangers

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel():
    return play.running()


def give_up(duel):
    return reverse("duels:surrender", args=[duel.pk])


def draw(duel):
    return reverse("duels:draw", args=[duel.pk])


def say(duel, letter, action):
    return as_player(duel, letter).post(draw(duel), {"action": action})


@pytest.mark.parametrize("address", [give_up, draw])
def test_ending_a_duel_is_for_the_two_who_duel(duel, address):
    assert_kept_for_players(duel, address(duel))
    for kind, client in strangers(duel).items():
        assert client.post(address(duel), {"action": "offer"}).status_code == 403, kind
    assert as_user().post(address(duel), {"action": "offer"}).status_code == 302
    assert play.fresh(duel).is_running
    assert play.fresh(duel).phase.draw_offers == []


def test_surrendering_says_what_it_does_first(duel):
    play.file(duel, "a")
    page = as_player(duel, "b").get(give_up(duel))
    assert duel.name_of("a") in page.text
    assert play.fresh(duel).is_running
    assert as_player(duel, "b").post(give_up(duel)).url == duel.get_absolute_url()
    over = play.fresh(duel)
    assert (over.status, over.winner, over.ended_by) == ("over", "a", "surrender")


def test_one_can_surrender_while_the_referee_reads():
    duel = play.locked()
    as_player(duel, "a").post(give_up(duel))
    assert play.fresh(duel).winner == "b"


def test_a_turn_that_a_surrender_ends_is_not_said_to_be_published(duel):
    as_player(duel, "b").post(give_up(duel))
    assert not Happening.objects.filter(what="turn_published").exists()
    assert not Post.objects.filter(kind="resolution").exists()


def test_what_is_over_cannot_be_ended_again(duel):
    as_player(duel, "b").post(give_up(duel))
    for address in (give_up(duel), draw(duel)):
        assert as_player(duel, "a").get(address).url == duel.get_absolute_url()
        assert as_player(duel, "a").post(address, {"action": "offer"}).status_code == 409
    assert play.fresh(duel).winner == "a"


def test_what_has_not_begun_cannot_be_ended():
    duel = play.announced()
    for address in (give_up(duel), draw(duel)):
        assert 'name="action"' not in as_player(duel, "a").get(address).text
        assert as_player(duel, "a").post(address, {"action": "offer"}).status_code == 409
    assert play.fresh(duel).status == "announced"


def test_a_draw_is_offered_and_accepted(duel):
    assert say(duel, "a", "offer").url == draw(duel)
    assert play.fresh(duel).phase.draw_offers == ["a"]
    assert 'value="accept"' in as_player(duel, "b").get(draw(duel)).text
    assert 'name="action"' not in as_player(duel, "a").get(draw(duel)).text
    assert draw(duel) in as_player(duel, "b").get(reverse("duels:turn", args=[duel.pk])).text
    assert say(duel, "b", "accept").url == duel.get_absolute_url()
    over = play.fresh(duel)
    assert (over.status, over.winner, over.ended_by) == ("over", "", "draw")


def test_an_offer_is_refused_and_the_duel_goes_on(duel):
    say(duel, "a", "offer")
    assert say(duel, "b", "refuse").url == draw(duel)
    running = play.fresh(duel)
    assert running.is_running
    assert running.phase.draw_offers == []


@pytest.mark.parametrize(("action", "before"), [("accept", None), ("refuse", None), ("offer", "offer")])
def test_an_answer_to_nothing_is_refused_with_the_reason(duel, action, before):
    if before:
        say(duel, "a", before)
    answer = say(duel, "a", action)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert play.fresh(duel).is_running


def test_an_offer_of_an_earlier_turn_is_not_accepted_unawares(duel):
    say(duel, "a", "offer")
    play.play_turn(duel)
    assert say(duel, "b", "accept").status_code == 422
    assert play.fresh(duel).phase.draw_offers == []


def test_looking_ends_nothing(duel):
    as_player(duel, "a").get(draw(duel), {"action": "offer"})
    assert play.fresh(duel).phase.draw_offers == []
