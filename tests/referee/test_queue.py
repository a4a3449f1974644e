"""The referee's queue, and taking a duel."""

import datetime as dt

import pytest
from django.urls import reverse

from duels import clock
from duels.models import Duel, Phase
from referee.actions.hand_overs import ask_hand_over
from referee.models import Candidacy, HandOver
from rules.hours import NOTICE
from tests import play
from tests.duels.readers import as_player, as_user, english
from tests.factories import DuellistFactory, RefereeFactory, StaffFactory, UserFactory
from tests.lifting import lifted

pytestmark = pytest.mark.django_db

QUEUE = reverse("referee:queue")


def take(duel):
    return reverse("referee:take", args=[duel.pk])


def test_the_queue_is_for_referees():
    assert as_user().get(QUEUE).url.startswith("/compte/login/")
    for person in (UserFactory(), StaffFactory()):
        assert as_user(person).get(QUEUE).status_code == 403
    answer = as_user(RefereeFactory()).get(QUEUE)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]


def test_an_empty_queue_says_what_would_stand_there():
    said = as_user(RefereeFactory()).get(QUEUE).content.decode()
    assert said.count('<li class="muted">') == 5


def test_what_waits_stands_first_the_longest_waiting_before(django_assert_max_num_queries):
    referee = RefereeFactory()
    later, sooner = (play.locked(referee=referee) for _turn in "12")
    Phase.objects.filter(duel=sooner).update(locked_at=clock.now() - dt.timedelta(hours=5))
    others = [play.running(referee=referee), play.announced(referee=referee)]
    applicant = Candidacy.objects.create(
        user=UserFactory(), message="Moi.", sent_at=clock.now() - dt.timedelta(hours=2)
    )
    handed = play.running()
    asked = ask_hand_over(user=handed.referee, duel_id=handed.pk, to_id=referee.pk)
    with lifted():
        HandOver.objects.update(asked_at=clock.now() - dt.timedelta(hours=1))
    play.locked()  # somebody else's
    client = as_user(referee)
    with django_assert_max_num_queries(13):
        context = client.get(QUEUE).context
    assert [one.row for one in context["waiting"].rows] == [sooner, applicant, asked, later]
    assert set(context["under_way"].rows) == set(others)


def test_whom_one_has_asked_to_go_on_with_a_duel_is_said_beside_it():
    waits, other = play.locked(), RefereeFactory(username="tancrede")
    runs = play.running(referee=waits.referee)
    client = english(as_user(waits.referee))
    assert "You have asked" not in client.get(QUEUE).content.decode()
    for duel in (waits, runs):
        ask_hand_over(user=duel.referee, duel_id=duel.pk, to_id=other.pk)
    assert client.get(QUEUE).content.decode().count("You have asked tancrede to referee it in your place") == 2


def test_the_queue_asks_as_much_for_many_as_for_few_and_pages_what_waits(django_assert_max_num_queries):
    referee = RefereeFactory()
    for _turn in range(21):
        play.locked(referee=referee)
    client = as_user(referee)
    with django_assert_max_num_queries(13):
        first = client.get(QUEUE).context["waiting"].rows
    second = client.get(QUEUE, {"attente": "2"}).context["waiting"]
    assert (len(first), len(second.rows), second.next) == (20, 1, 0)
    assert first[0].since <= first[-1].since <= second.rows[0].since
    assert client.get(QUEUE, {"attente": "9"}).context["waiting"].rows == []


def test_a_duel_that_is_over_waits_for_nobody():
    duel = play.over()
    context = as_user(duel.referee).get(QUEUE).context
    assert not context["waiting"].rows
    assert not context["under_way"].rows


def test_the_queue_says_how_long_a_turn_has_waited():
    duel = play.locked()
    Phase.objects.filter(duel=duel).update(locked_at=clock.now() - dt.timedelta(hours=5))
    said = as_user(duel.referee).get(QUEUE).content.decode()
    assert reverse("referee:review", args=[duel.pk, 1]) in said
    assert "il y a 5 heures" in said.replace("\xa0", " ")


def test_a_duel_without_a_referee_is_offered_but_not_to_who_plays_in_it():
    referee = RefereeFactory()
    own = DuellistFactory(user=referee)
    theirs, mine = play.agreed(), play.agreed(a=own)
    play.agreed(refereed=False)
    said = as_user(referee).get(QUEUE)
    assert {(offer.duel, offer.player) for offer in said.context["offers"]} == {(theirs, None), (mine, own.name)}
    assert take(theirs) in said.content.decode()
    assert take(mine) not in said.content.decode()


def test_many_duels_without_a_referee_are_paged():
    first, *_others = (play.agreed() for _one in range(21))
    client = as_user(RefereeFactory())
    assert len(client.get(QUEUE).context["offers"]) == 20
    assert len(client.get(QUEUE, {"page": "2"}).context["offers"]) == 1
    assert client.get(QUEUE, {"page": "nine"}).context["offers"][0].duel == first


def test_taking_a_duel_asks_first_and_says_when_it_starts():
    duel = play.agreed(starts_at=clock.now() + dt.timedelta(hours=1))
    client = as_user(RefereeFactory())
    answer = client.get(take(duel))
    assert answer.status_code == 200
    assert play.fresh(duel).status == Duel.Status.AGREED
    assert answer.context["offer"].starts_at - clock.now() == pytest.approx(NOTICE, abs=dt.timedelta(minutes=1))


def test_a_referee_takes_a_duel_and_it_is_announced():
    duel, referee = play.agreed(), RefereeFactory()
    answer = as_user(referee).post(take(duel))
    taken = play.fresh(duel)
    assert answer.url == taken.get_absolute_url()
    assert (taken.referee, taken.status) == (referee, Duel.Status.ANNOUNCED)
    assert taken.arena
    assert taken.commitment


def test_nobody_but_a_referee_who_does_not_play_in_it_takes_a_duel():
    referee = RefereeFactory()
    duel = play.agreed(a=DuellistFactory(user=referee))
    clients = [as_user(referee), as_player(duel, "b"), as_user(StaffFactory()), as_user(UserFactory())]
    for client in clients:
        assert client.get(take(duel)).status_code == 403
        assert client.post(take(duel)).status_code == 403
    assert as_user().post(take(duel)).url.startswith("/compte/login/")
    assert play.fresh(duel).referee is None


def test_the_second_to_take_a_duel_is_told_that_it_is_taken():
    duel = play.announced()
    client = as_user(RefereeFactory())
    for answer in (client.post(take(duel), follow=True), client.get(take(duel), follow=True)):
        assert answer.redirect_chain == [(QUEUE, 302)]
        assert [str(message) for message in answer.context["messages"]]
    assert play.fresh(duel).referee == duel.referee


def test_there_is_no_such_duel():
    client = as_user(RefereeFactory())
    assert client.get(reverse("referee:take", args=[999_999])).status_code == 404
    assert client.post(reverse("referee:take", args=[999_999])).status_code == 404
