"""Hiding the receptacle, and starting at once."""

import datetime as dt

import pytest
from django.urls import reverse

from duels.secrets import opened
from tests import play

from .readers import as_player, as_user, assert_kept_for_players, strangers

pytestmark = pytest.mark.django_db


def page(duel):
    return reverse("duels:preparation", args=[duel.pk])


def hide(duel, letter, zone="torso", **sure):
    return as_player(duel, letter).post(page(duel), {"action": "hide", "zone": zone, **sure})


def hidden(duel, letter="a"):
    """Return the zones that a seat has hidden its receptacle in, version by version."""
    return [opened(entry, duel.uid).content["zone"] for entry in duel.entries.filter(kind="receptacle", seat=letter)]


@pytest.fixture
def duel():
    return play.announced()


def test_the_preparation_is_for_the_two_who_duel(duel):
    assert_kept_for_players(duel, page(duel))
    for kind, client in strangers(duel).items():
        assert client.post(page(duel), {"action": "hide", "zone": "head"}).status_code == 403, kind
    assert not duel.entries.filter(kind="receptacle").exists()


def test_the_page_says_what_is_mine_to_do_and_until_when(duel):
    answer = as_player(duel, "a").get(page(duel))
    assert answer.context["hide_by"] == duel.starts_at - dt.timedelta(hours=24)
    assert [choice.value for choice in answer.context["choices"]] == [
        "head", "left_arm", "right_arm", "torso", "left_leg", "right_leg",
    ]  # fmt: skip
    assert answer.text.count('type="radio"') == 6


def test_hiding_shows_the_receipt_and_the_zone_to_its_owner_alone(duel):
    assert hide(duel, "a").url == page(duel)
    assert hidden(duel) == ["torso"]
    entry = duel.entries.get(kind="receptacle")
    mine, theirs = (as_player(duel, letter).get(page(duel)) for letter in "ab")
    assert mine.context["hidden_in"] == "torso"
    assert entry.receipt in mine.text
    assert theirs.context["hidden_in"] is None
    assert theirs.context["versions"] == []
    assert entry.receipt not in theirs.text
    assert theirs.text.count(" checked") == 0


def test_what_the_other_hid_changes_nothing_on_my_page(duel):
    hide(duel, "a", "torso")
    before = as_player(duel, "b").get(page(duel))
    hide(duel, "a", "left_leg")
    after = as_player(duel, "b").get(page(duel))
    for private in ("hidden_in", "versions", "choices", "costs_a_point"):
        assert before.context[private] == after.context[private]


def test_the_receptacle_can_be_moved_until_the_start(duel):
    for zone in ("torso", "head"):
        hide(duel, "a", zone)
    assert hidden(duel) == ["torso", "head"]
    assert len(as_player(duel, "a").get(page(duel)).context["versions"]) == 2


@pytest.mark.parametrize("zone", ["", "tail", "Torso"])
def test_what_is_no_zone_is_refused(duel, zone):
    answer = hide(duel, "a", zone)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert hidden(duel) == []


def test_hiding_late_says_what_it_costs_before_it_is_done(duel, time):
    time.go_to(duel.starts_at - dt.timedelta(hours=24), seconds=1)
    asked = hide(duel, "a")
    assert asked.status_code == 200
    assert asked.context["confirm"] == "hide"
    assert 'name="zone" value="torso"' in asked.text
    assert hidden(duel) == []
    hide(duel, "a", sure="yes")
    assert hidden(duel) == ["torso"]
    assert duel.entries.get(kind="receptacle").public == {"late": True}
    assert duel.seats.get(letter="a").hidden_late


def test_a_point_is_lost_once_so_that_the_second_late_move_is_not_confirmed(duel, time):
    time.go_to(duel.starts_at - dt.timedelta(hours=24), seconds=1)
    hide(duel, "a", sure="yes")
    hide(duel, "a", "head")
    assert hidden(duel) == ["torso", "head"]


def test_hiding_in_the_last_minute_that_is_free_is_free(duel, time):
    time.go_to(duel.starts_at - dt.timedelta(hours=24), seconds=-1)
    hide(duel, "a")
    assert not duel.seats.get(letter="a").hidden_late


def test_after_the_start_nothing_can_be_hidden(duel, time):
    time.go_to(duel.starts_at)
    answer = hide(duel, "a", sure="yes")
    assert answer.status_code == 409
    assert hidden(duel) == []


def test_starting_at_once_needs_a_hidden_receptacle_and_a_confirmation(duel):
    client = as_player(duel, "a")
    refused = client.post(page(duel), {"action": "start", "sure": "yes"})
    assert refused.status_code == 422
    hide(duel, "a")
    asked = client.post(page(duel), {"action": "start"})
    assert asked.context["confirm"] == "start"
    assert not duel.seats.get(letter="a").wants_start
    assert client.post(page(duel), {"action": "start", "sure": "yes"}).url == page(duel)
    assert duel.seats.get(letter="a").wants_start
    assert play.fresh(duel).status == "announced"


def test_the_duel_starts_when_both_ask_and_nobody_is_late(duel, time):
    time.go_to(duel.starts_at - dt.timedelta(hours=2))
    for letter in "ab":
        hide(duel, letter, sure="yes")
        answer = as_player(duel, letter).post(page(duel), {"action": "start", "sure": "yes"})
    assert answer.url == reverse("duels:turn", args=[duel.pk])
    started = play.fresh(duel)
    assert started.is_running
    assert [started.public_view["seats"][letter]["alchemy"] for letter in "ab"] == [5, 5]


def test_the_page_leads_on_when_there_is_nothing_to_prepare(duel):
    agreed, running = play.agreed(), play.running()
    assert as_player(agreed, "a").get(page(agreed)).url == reverse("duels:challenge", args=[agreed.pk])
    assert as_player(running, "a").get(page(running)).url == reverse("duels:turn", args=[running.pk])


def test_looking_hides_nothing(duel):
    as_player(duel, "a").get(page(duel), {"action": "hide", "zone": "head", "sure": "yes"})
    assert hidden(duel) == []


@pytest.mark.parametrize("arena", ["playful_sand", "runic_rocks", "verdant_circles", "four_winds"])
def test_the_arena_is_explained(duel, arena):
    duel.arena = arena
    duel.save()
    answer = as_player(duel, "a").get(page(duel))
    number = {"playful_sand": 3, "runic_rocks": 4, "verdant_circles": 5, "four_winds": 6}[arena]
    assert f"#A12.{number}" in answer.text


def test_the_start_shows_everybody_the_receipt_of_each_receptacle_and_not_its_zone(duel):
    duel.arena = duel.setup["arena"] = "verdant_circles"  # where no zone is void, and named for that
    duel.save()
    hide(duel, "a", "torso")
    hide(duel, "b", "left_leg")
    hide(duel, "b", "right_leg")
    for letter in "ab":
        as_player(duel, letter).post(page(duel), {"action": "start", "sure": "yes"})
    first, replaced, last = (entry.receipt for entry in duel.entries.filter(kind="receptacle"))
    thread = as_user().get(duel.get_absolute_url()).text
    started = thread[thread.index("post-start") :]
    assert first in started
    assert last in started
    assert replaced not in started
    assert "jambe droite" not in started
