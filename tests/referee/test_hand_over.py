"""Handing a duel over: another referee is asked, accepts or declines, and everybody knows who referees (A14)."""

import pytest
from django.urls import reverse

from duels import clock
from duels.actions.availability import set_availability
from duels.actions.referees import take_over
from duels.actions.sweep import sweep
from duels.actions.time_outs import ask_time_out
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Happening, Post
from notices.actions.telling import drain
from referee.actions.hand_overs import answer_hand_over, ask_hand_over, withdraw_hand_over
from referee.models import HandOver
from tests import play
from tests.duels.readers import as_player, as_user, strangers
from tests.factories import DuellistFactory, RefereeFactory, StaffFactory, UserFactory
from tests.notices.told import noticed

pytestmark = pytest.mark.django_db

QUEUE = reverse("referee:queue")


def page(duel, name="hand_over"):
    return reverse(f"referee:{name}", args=[duel.pk])


def review(duel):
    return reverse("referee:review", args=[duel.pk, duel.turn])


def ask(duel, to, **more):
    return ask_hand_over(user=play.fresh(duel).referee, duel_id=duel.pk, to_id=to.pk, **more)


def test_a_referee_asks_another_and_the_duel_stays_theirs_until_the_answer():
    duel, other = play.locked(), RefereeFactory()
    client = as_user(duel.referee)
    assert page(duel) in client.get(QUEUE).text
    assert page(play.running(referee=duel.referee)) in client.get(QUEUE).text
    assert client.get(page(duel)).status_code == 200
    assert client.post(page(duel), {"to": other.pk, "message": "Je pars en voyage."}).url == QUEUE
    assert play.fresh(duel).referee == duel.referee
    asked = HandOver.objects.get()
    assert (asked.to, asked.message, asked.answer) == (other, "Je pars en voyage.", "")
    assert page(duel, "answer_hand_over") in as_user(other).get(QUEUE).text
    assert "Je pars en voyage." in as_user(other).get(page(duel, "answer_hand_over")).text
    drain()
    assert "hand_over_asked" in noticed(other)


def test_accepted_the_other_sees_everything_that_the_first_saw_and_everybody_knows():
    duel, other = play.publish(play.locked()), RefereeFactory()
    play.file(duel, "a")
    play.file(duel, "b", thrust="torso", parry="right_arm")
    duel = play.fresh(duel)
    first, second = as_user(duel.referee), as_user(other)
    ask(duel, other)
    assert second.get(review(duel)).status_code == 403
    assert second.post(page(duel, "answer_hand_over"), {"answer": "accept"}).url == duel.get_absolute_url()
    assert play.fresh(duel).referee == other
    for turn in (1, 2):
        assert second.get(reverse("referee:review", args=[duel.pk, turn])).status_code == 200
        assert first.get(reverse("referee:review", args=[duel.pk, turn])).status_code == 403
    note = Post.objects.filter(thread__duel=duel, kind="note").latest("position")
    assert note.details == {"note": "handed_over", "referee": other.username}
    assert other.username in as_user().get(duel.get_absolute_url() + f"?page=1#m{note.position}").text
    drain()
    for person in (play.player(duel, "a"), play.player(duel, "b"), duel.referee):
        assert "taken_over" in noticed(person)
    assert HandOver.objects.get().answer == "accepted"
    publish = reverse("referee:publish", args=[duel.pk, 2])
    assert first.post(publish, {"revision": 1}).status_code == 403
    assert second.post(publish, {"revision": 1}).url == QUEUE


def test_declined_it_stays_and_who_asked_is_told():
    duel, other = play.running(), RefereeFactory()
    ask(duel, other)
    assert as_user(other).post(page(duel, "answer_hand_over"), {"answer": "decline"}).url == QUEUE
    assert play.fresh(duel).referee == duel.referee
    drain()
    assert noticed(duel.referee)[-1] == "hand_over_declined"
    assert not Post.objects.filter(thread__duel=duel, details__note="handed_over").exists()
    ask(duel, other)  # and may be asked again


def test_a_duel_is_never_handed_over_to_one_who_plays_in_it_nor_to_no_referee():
    player_too, member, self_too = RefereeFactory(), UserFactory(), RefereeFactory()
    duel = play.running(a=DuellistFactory(user=player_too), referee=self_too)
    client = as_user(self_too)
    for to in (player_too, member, self_too, StaffFactory()):
        with pytest.raises(Invalid):
            ask(duel, to)
        assert client.post(page(duel), {"to": to.pk, "message": "Un mot."}).status_code == 422
    assert "Un mot." in client.post(page(duel), {"to": "", "message": "Un mot."}).text
    assert not HandOver.objects.exists()


def test_who_has_become_its_player_or_no_referee_any_more_cannot_accept():
    duel, other = play.running(), RefereeFactory()
    ask(duel, other)
    other.groups.clear()
    other = type(other).objects.get(pk=other.pk)
    with pytest.raises(NotAllowed):
        answer_hand_over(user=other, duel_id=duel.pk, accepted=True)
    assert play.fresh(duel).referee == duel.referee


def test_only_its_referee_hands_it_over_and_only_who_was_asked_answers():
    duel, other = play.running(), RefereeFactory()
    for kind, client in strangers(duel).items():
        assert client.get(page(duel)).status_code == (200 if kind == "its referee" else 403), kind
    assert as_player(duel, "a").get(page(duel)).status_code == 403
    ask(duel, other)
    for kind, client in strangers(duel).items():
        for send in (client.get, client.post):
            assert send(page(duel, "answer_hand_over")).status_code == 403, kind
    assert play.fresh(duel).referee == duel.referee


def test_one_is_asked_at_a_time_and_it_can_be_taken_back():
    duel, other, third = play.running(), RefereeFactory(), RefereeFactory()
    ask(duel, other)
    with pytest.raises(TooLate):
        ask(duel, third)
    client = as_user(duel.referee)
    assert other.username in client.get(page(duel)).text
    assert client.post(page(duel), {"withdraw": "1"}).url == page(duel)
    assert as_user(other).post(page(duel, "answer_hand_over"), {"answer": "accept"}).url == QUEUE
    assert play.fresh(duel).referee == duel.referee
    with pytest.raises(TooLate):
        withdraw_hand_over(user=duel.referee, duel_id=duel.pk)
    ask(duel, third)


def test_what_a_referee_asked_is_void_once_another_has_taken_the_duel_over(time):
    duel, asked, third = play.locked(), RefereeFactory(), RefereeFactory()
    ask(duel, asked)
    time.go_to(duel.phase.locked_at, hours=49)
    sweep()
    take_over(user=third, duel_id=duel.pk)
    assert as_user(asked).post(page(duel, "answer_hand_over"), {"answer": "accept"}).url == QUEUE
    assert not as_user(asked).get(QUEUE).context["waiting"].rows
    assert play.fresh(duel).referee == third
    ask(duel, asked)
    assert [row.answer for row in HandOver.objects.order_by("pk")] == ["void", ""]
    answer_hand_over(user=asked, duel_id=duel.pk, accepted=True)
    assert play.fresh(duel).referee == asked


def test_nothing_is_handed_over_of_a_duel_that_is_over():
    duel, other = play.over(), RefereeFactory()
    assert as_user(duel.referee).get(page(duel)).url == QUEUE
    with pytest.raises(TooLate):
        ask(duel, other)


def test_who_is_full_is_told_before_they_accept_and_may_raise_the_number():
    duel, other = play.running(), RefereeFactory()
    play.announced(referee=other)
    set_availability(user=other, is_available=True, at_once=1)
    ask(duel, other)
    client = as_user(other)
    assert 'value="accept"' not in client.get(page(duel, "answer_hand_over")).text
    answer = client.post(page(duel, "answer_hand_over"), {"answer": "accept"})
    assert answer.url == reverse("referee:availability")
    assert HandOver.objects.get().answer == ""
    set_availability(user=other, is_available=True, at_once=2)
    client.post(page(duel, "answer_hand_over"), {"answer": "accept"})
    assert play.fresh(duel).referee == other


def test_a_time_out_that_waits_goes_along():
    duel, other = play.running(), RefereeFactory()
    ask_time_out(user=play.player(duel, "a"), duel_id=duel.pk, hours=24, reason="Examens.", received_at=clock.now())
    ask(duel, other)
    answer_hand_over(user=other, duel_id=duel.pk, accepted=True)
    (waiting,) = as_user(other).get(QUEUE).context["waiting"].rows
    assert (waiting.what, waiting.row.phase.duel) == ("time_out", duel)
    assert not as_user(duel.referee).get(QUEUE).context["waiting"].rows


def test_where_there_is_no_other_referee_the_page_says_so():
    duel = play.running()
    assert "<select" not in as_user(duel.referee).get(page(duel)).text
    assert Happening.objects.filter(what="hand_over_asked").count() == 0
