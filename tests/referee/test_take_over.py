"""Taking over a turn whose referee does not come."""

import pytest
from django.urls import reverse

from duels.actions.sweep import sweep
from duels.models import Post
from tests import play
from tests.duels.readers import as_player, as_user
from tests.factories import DuellistFactory, RefereeFactory, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db

QUEUE = reverse("referee:queue")


def page(duel):
    return reverse("referee:take_over", args=[duel.pk])


def review(duel):
    return reverse("referee:review", args=[duel.pk, duel.turn])


def offered(time, **terms):
    """Return a duel whose turn has waited for its referee for 49 hours."""
    duel = play.locked(**terms)
    time.go_to(duel.phase.locked_at, hours=49)
    sweep()
    return play.fresh(duel)


def test_the_queue_shows_what_may_be_taken_over_and_never_what_one_plays_in(time):
    referee = RefereeFactory()
    duel = offered(time)
    mine = offered(time, a=DuellistFactory(user=referee))
    play.locked()  # not for 48 hours yet
    shown = as_user(referee).get(QUEUE)
    assert shown.context["offered"].rows == [duel]
    assert page(duel) in shown.text
    assert page(mine) not in shown.text
    assert duel not in as_user(duel.referee).get(QUEUE).context["offered"].rows
    assert [one.row for one in as_user(duel.referee).get(QUEUE).context["waiting"].rows] == [duel]


def test_only_referees_who_do_not_play_in_it_take_it_over(time):
    player_too = RefereeFactory()
    duel = offered(time, a=DuellistFactory(user=player_too))
    for client in (as_user(player_too), as_player(duel, "b"), as_user(StaffFactory()), as_user(UserFactory())):
        assert client.get(page(duel)).status_code == 403
        assert client.post(page(duel)).status_code == 403
    assert as_user().post(page(duel)).url.startswith("/compte/login/")
    assert play.fresh(duel).referee == duel.referee


def test_taking_over_says_first_what_is_seen(time):
    duel, referee = offered(time), RefereeFactory()
    client = as_user(referee)
    client.cookies["django_language"] = "en"
    text = client.get(page(duel)).text
    assert "You see all that the referee before you has seen" in text
    assert f"{duel.referee.username} is told, and can no longer publish." in text
    assert play.fresh(duel).referee == duel.referee


def test_taken_over_the_turn_is_the_others_to_review_and_publish(time):
    duel, referee = offered(time), RefereeFactory()
    client = as_user(referee)
    assert client.get(review(duel)).status_code == 403
    assert client.post(page(duel)).url == review(duel)
    assert client.get(review(duel)).status_code == 200
    assert as_user(duel.referee).get(review(duel)).status_code == 403
    assert [one.details["note"] for one in Post.objects.filter(thread__duel=duel, kind="note")] == [
        "offered",
        "taken_over",
    ]
    publish = reverse("referee:publish", args=[duel.pk, duel.turn])
    assert as_user(duel.referee).post(publish, {"revision": 1}).status_code == 403
    assert client.post(publish, {"revision": 1}).url == QUEUE
    assert play.fresh(duel).turn == 2


def test_the_second_to_take_it_over_and_its_own_referee_are_sent_back(time):
    duel = offered(time)
    client = as_user(RefereeFactory())
    assert as_user(duel.referee).get(page(duel)).url == QUEUE
    client.post(page(duel))
    play.publish(duel)
    for answer in (client.post(page(duel), follow=True), client.get(page(duel), follow=True)):
        assert answer.redirect_chain == [(QUEUE, 302)]
        assert [str(message) for message in answer.context["messages"]]


def test_a_turn_that_has_not_waited_long_enough_is_its_referees():
    duel, client = play.locked(), as_user(RefereeFactory())
    assert client.get(page(duel)).url == QUEUE
    assert client.post(page(duel)).url == QUEUE
    assert play.fresh(duel).referee == duel.referee


def test_there_is_no_such_duel():
    client = as_user(RefereeFactory())
    assert client.get(reverse("referee:take_over", args=[999_999])).status_code == 404
    assert client.post(reverse("referee:take_over", args=[999_999])).status_code == 404
