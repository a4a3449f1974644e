"""What waits for somebody, and in which order."""

import datetime as dt

import pytest
from django.urls import reverse

from duels import clock
from duels.actions.ending import offer_draw, surrender
from duels.actions.preparation import ask_to_start
from duels.actions.time_outs import ask_time_out
from duels.models import Phase
from duels.queries.waiting import tasks_here, waiting_for
from tests import play, spells_play
from tests.factories import DuellistFactory, RefereeFactory, UserFactory

from .arenas import quiet
from .readers import as_user

pytestmark = pytest.mark.django_db


def tasks(user):
    waiting = waiting_for(user)
    return [(task.what, task.duel) for task in (*waiting.tasks, *waiting.offers)]


def ask(duel, letter="a"):
    return ask_time_out(
        user=play.player(duel, letter), duel_id=duel.pk, hours=24, reason="Des examens.", received_at=clock.now()
    )


def test_whatever_waits_stands_soonest_deadline_first():
    referee = RefereeFactory()
    hours = {"play": 30, "time_out": 10, "late": 40}
    late, played = (play.running(a=DuellistFactory(user=referee)) for _one in range(2))
    asked = play.running(referee=referee)
    ask(asked)
    for duel, left in ((late, hours["late"]), (played, hours["play"]), (asked, hours["time_out"] - 24)):
        Phase.objects.filter(duel=duel).update(due_at=clock.now() + dt.timedelta(hours=left))
    found = waiting_for(referee).tasks
    assert [task.duel for task in found] == [asked, played, late]
    assert [task.until for task in found] == sorted(task.until for task in found)


def test_offers_to_referees_come_after_what_waits_for_one():
    referee = RefereeFactory()
    offered = play.locked()
    Phase.objects.filter(duel=offered).update(offered_at=clock.now())
    to_take = play.agreed()
    asked = play.running(referee=referee)
    ask(asked)
    to_review = [play.locked(referee=referee), play.locked(referee=referee)]
    played = play.running(a=DuellistFactory(user=referee))
    assert tasks(referee) == [
        ("review", to_review[0]),
        ("review", to_review[1]),
        ("play", played),
        ("time_out", asked),
        ("take_over", offered),
        ("take", to_take),
    ]


def test_each_task_leads_where_it_is_done():
    referee = RefereeFactory()
    asked, free = play.running(referee=referee), play.agreed()
    ask(asked)
    client = as_user(referee)
    client.cookies["django_language"] = "en"
    text = client.get("/").text
    assert reverse("referee:time_out", args=[asked.pk]) in text
    assert f'href="{reverse("referee:queue")}"' in text
    assert "See the queue" in text
    assert f"Take {free} as its referee" in text


def test_nobody_else_is_asked_to_answer_a_time_out():
    duel = play.running()
    ask(duel)
    for other in (RefereeFactory(), UserFactory()):
        assert tasks(other) == []
        assert tasks_here(play.fresh(duel), other) == []
    assert [task.what for task in tasks_here(play.fresh(duel), duel.referee)] == ["time_out"]


def test_who_has_left_the_group_of_referees_is_asked_nothing():
    duel = play.locked()
    duel.referee.groups.clear()
    assert tasks(duel.referee) == []
    assert tasks_here(play.fresh(duel), duel.referee) == []


def test_who_owes_a_zone_is_asked_for_it_before_the_turn():
    duel = quiet()
    play.play_turn(duel, a={"option": {"name": "gaping_hole", "zones": ["right_leg", "right_arm"]}})
    duel = play.play_turn(duel, a={"thrust": "torso", "parry": "head"}, b={"thrust": "right_leg", "parry": "head"})
    assert tasks(play.player(duel, "a")) == [("choose", duel)]
    assert tasks(play.player(duel, "b")) == [("play", duel)]


def test_an_offer_of_a_draw_waits_for_those_who_have_not_made_it_and_are_still_in():
    duel = spells_play.running(count=4)
    for letter in "ab":
        offer_draw(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    surrender(user=play.player(duel, "c"), duel_id=duel.pk, received_at=clock.now())
    asked = {letter for letter in "abcd" if ("answer_draw", duel) in tasks(play.player(duel, letter))}
    assert asked == {"d"}


def test_past_the_deadline_nobody_is_asked_to_play():
    duel = play.running()
    ask(duel)
    Phase.objects.filter(duel=duel).update(due_at=clock.now())
    assert tasks(play.player(duel, "a")) == []
    assert waiting_for(play.player(duel, "a")).others == [duel]


def test_many_duels_to_take_never_hide_a_turn_that_waits():
    referee = RefereeFactory()
    for _one in range(21):
        play.agreed()
    duel = play.locked(referee=referee)
    assert tasks(referee)[0] == ("review", duel)
    assert len(tasks(referee)) == 21


@pytest.mark.parametrize("stage", [play.running, play.locked])
def test_an_offer_of_a_draw_waits_for_an_answer_at_any_time(stage):
    duel = stage()
    offer_draw(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
    assert ("answer_draw", duel) in tasks(play.player(duel, "b"))
    assert ("answer_draw", duel) not in tasks(play.player(duel, "a"))


def ask_start(duel, letter):
    ask_to_start(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())


def test_a_start_asked_by_the_other_is_a_task_until_it_is_answered():
    duel = play.announced()
    play.hide(duel)
    assert tasks(play.player(duel, "b")) == []
    ask_start(duel, "a")
    assert tasks(play.player(duel, "b")) == [("start", duel)]
    assert tasks(play.player(duel, "a")) == []
    text = as_user(play.player(duel, "b")).get("/").text
    assert f"Commencer {duel} tout de suite\u00a0? C’est {duel.name_of('a')} qui le demande" in text
    assert f'href="{reverse("duels:preparation", args=[duel.pk])}"' in text


def test_who_has_not_hidden_hides_before_they_answer():
    duel = play.announced()
    play.hide(duel)
    duel.seats.filter(letter="b").update(hidden_version=0)
    ask_start(duel, "a")
    assert tasks(play.player(duel, "b")) == [("prepare", duel)]


def test_a_start_asked_in_a_spell_duel_is_a_task_too():
    duel = spells_play.announced()
    ask_start(duel, "b")
    assert tasks(play.player(duel, "a")) == [("start", duel)]


@pytest.mark.parametrize("announced", [play.announced, spells_play.announced])
def test_the_preparation_stays_within_reach_of_those_who_duel_alone(announced):
    duel = announced()
    if duel.ruleset == "arena":
        play.hide(duel)
    link = f'href="{reverse("duels:preparation", args=[duel.pk])}"'
    for page in ("/", duel.get_absolute_url()):
        assert link in as_user(play.player(duel, "a")).get(page).text
        assert link not in as_user(UserFactory()).get(page).text


def test_the_preparation_says_what_is_hidden_already():
    duel = play.announced()
    play.hide(duel)
    page = reverse("duels:preparation", args=[duel.pk])
    client = as_user(play.player(duel, "a"))
    assert "Les deux réceptacles sont cachés" in client.get(page).text
    ask_start(duel, "a")
    assert f"dès que votre adversaire ({duel.name_of('b')}) le demande aussi" in client.get(page).text
    assert f"{duel.name_of('a')} demande à commencer tout de suite" in as_user(play.player(duel, "b")).get(page).text
