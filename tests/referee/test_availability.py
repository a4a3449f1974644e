"""Referees say whether they take duels and how many at once (A14); everybody reads it, and nobody takes more."""

import pytest
from django.urls import reverse

from duels import clock
from duels.actions.announcement import take_duel
from duels.actions.availability import set_availability
from duels.actions.referees import take_over
from duels.actions.sweep import sweep
from duels.errors import Invalid, NotAllowed
from duels.models import Availability, Duel
from tests import play
from tests.duels.readers import as_user
from tests.factories import RefereeFactory, UserFactory

pytestmark = pytest.mark.django_db

LIST = reverse("referee:referees")
MINE = reverse("referee:availability")
QUEUE = reverse("referee:queue")


def referee(at_once=None, *, away=False, note=""):
    """Return a referee who has said how many duels they take, or nothing yet."""
    user = RefereeFactory()
    if at_once:
        set_availability(user=user, is_available=not away, at_once=at_once, note=note)
    return user


def names(answer):
    return [user.username for user in answer.context["page"]]


def test_anybody_reads_who_referees_and_those_who_can_take_a_duel_stand_first():
    silent, away, full, free = referee(), referee(2, away=True), referee(1), referee(3, note="Le soir.")
    play.running(referee=full)
    play.announced(referee=free)
    play.over(referee=free)
    answer = as_user().get(LIST)
    assert answer.status_code == 200
    assert names(answer) == [free.username, silent.username, *sorted([away.username, full.username])]
    assert "Le soir." in answer.text
    held = {user.username: user.in_hand for user in answer.context["page"]}
    assert held == {free.username: 1, full.username: 1, silent.username: 0, away.username: 0}


def test_who_is_no_referee_any_more_is_not_listed():
    leaving, closed, staying = referee(2), referee(2), referee(2)
    leaving.groups.clear()
    closed.is_active = False
    closed.save()
    assert names(as_user().get(LIST)) == [staying.username]


def test_an_empty_list_says_what_can_be_done(django_assert_max_num_queries):
    assert as_user().get(LIST).text.count('<li class="muted">') == 1


def test_the_list_is_paged_and_asks_as_much_for_many_as_for_few(django_assert_max_num_queries):
    for _one in range(21):
        play.announced(referee=referee(3))
    with django_assert_max_num_queries(2):
        assert len(names(as_user().get(LIST))) == 20
    assert len(names(as_user().get(LIST, {"page": 2}))) == 1


def test_a_referee_says_it_on_a_page_of_their_own():
    user = referee()
    client = as_user(user)
    assert client.get(MINE).status_code == 200
    assert client.post(MINE, {"is_available": "on", "at_once": "2", "note": " Le soir. "}).url == QUEUE
    said = Availability.objects.get(user=user)
    assert (said.is_available, said.at_once, said.note) == (True, 2, "Le soir.")
    client.post(MINE, {"at_once": "2", "note": ""})
    assert not Availability.objects.get(user=user).is_available


@pytest.mark.parametrize("at_once", ["0", "21", "-1", "many", ""])
def test_a_number_that_makes_no_sense_is_refused_beside_its_field_and_nothing_is_lost(at_once):
    client = as_user(referee())
    answer = client.post(MINE, {"is_available": "on", "at_once": at_once, "note": "Le soir."})
    assert answer.status_code == 422
    assert answer.context["form"].errors["at_once"]
    assert "Le soir." in answer.text
    assert not Availability.objects.exists()


def test_it_is_for_referees():
    member = UserFactory()
    assert as_user().get(MINE).url.startswith("/compte/login/")
    assert as_user(member).get(MINE).status_code == 403
    assert as_user(member).post(MINE, {"at_once": "2"}).status_code == 403
    with pytest.raises(NotAllowed):
        set_availability(user=member, is_available=True, at_once=2)
    with pytest.raises(Invalid):
        set_availability(user=referee(), is_available=True, at_once=21)


def test_a_referee_who_holds_as_many_as_said_takes_no_other_until_they_raise_the_number():
    user = referee(1)
    play.running(referee=user)
    duel = play.agreed()
    client = as_user(user)
    take = reverse("referee:take", args=[duel.pk])
    assert take not in client.get(QUEUE).text
    for answer in (client.get(take, follow=True), client.post(take, follow=True)):
        assert answer.redirect_chain == [(MINE, 302)]
        assert [str(message) for message in answer.context["messages"]]
    assert play.fresh(duel).referee is None
    client.post(MINE, {"is_available": "on", "at_once": "2"})
    assert take in client.get(QUEUE).text
    client.post(take)
    assert play.fresh(duel).referee == user


def test_a_referee_who_is_away_takes_none_and_keeps_what_they_hold():
    user = referee(5)
    held = play.locked(referee=user)
    set_availability(user=user, is_available=False, at_once=5)
    with pytest.raises(Invalid):
        take_duel(user=user, duel_id=play.agreed().pk)
    assert play.publish(held).turn == 2


def test_a_duel_that_is_over_makes_room():
    user = referee(1)
    play.over(referee=user)
    assert play.announced(referee=user).status == Duel.Status.ANNOUNCED


def test_taking_over_asks_for_room_too(time):
    duel = play.locked()
    time.go_to(duel.phase.locked_at, hours=49)
    sweep()
    user = referee(1)
    play.announced(referee=user)
    page = reverse("referee:take_over", args=[duel.pk])
    assert as_user(user).get(page).url == MINE
    assert as_user(user).post(page).url == MINE
    set_availability(user=user, is_available=True, at_once=2)
    assert take_over(user=user, duel_id=duel.pk).referee == user


def test_the_queue_says_where_one_stands():
    user = referee()
    client = as_user(user)
    client.cookies["django_language"] = "en"
    assert "have not said how many you take" in client.get(QUEUE).text
    set_availability(user=user, is_available=True, at_once=1)
    play.announced(referee=user)
    assert "You hold 1 duel of 1 at once. To take another, raise that number." in " ".join(
        client.get(QUEUE).text.split()
    )
    set_availability(user=user, is_available=False, at_once=1)
    assert "You are away" in client.get(QUEUE).text
    assert Availability.objects.get(user=user).changed_at <= clock.now()
