"""The referee answers a time-out (A7)."""

import datetime as dt

import pytest
from django.urls import reverse

from duels import clock
from duels.actions.sweep import sweep
from duels.actions.time_outs import ask_time_out
from duels.models import TimeOut
from tests import play
from tests.duels.readers import as_player, as_user
from tests.factories import RefereeFactory, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db

QUEUE = reverse("referee:queue")
WHY = "Bon courage pour les examens."


@pytest.fixture
def duel():
    return play.running()


def page(duel):
    return reverse("referee:time_out", args=[duel.pk])


def ask(duel, letter="a", hours=48):
    return ask_time_out(
        user=play.player(duel, letter), duel_id=duel.pk, hours=hours, reason="Des examens.", received_at=clock.now()
    )


def referee_of(duel):
    client = as_user(duel.referee)
    client.cookies["django_language"] = "en"
    return client


def send(duel, asked, answer="grant", reason=WHY):
    return referee_of(duel).post(page(duel), {"time_out": asked.pk, "answer": answer, f"{asked.pk}-reason": reason})


def standing(asked):
    asked.refresh_from_db()
    return asked.answer


def test_only_the_duels_referee_answers(duel):
    asked = ask(duel)
    body = {"time_out": asked.pk, "answer": "grant", f"{asked.pk}-reason": WHY}
    people = [play.player(duel, "a"), play.player(duel, "b"), UserFactory(), StaffFactory(), RefereeFactory()]
    for person in people:
        assert as_user(person).get(page(duel)).status_code == 403
        assert as_user(person).post(page(duel), body).status_code == 403
    assert as_user().post(page(duel), body).url.startswith("/compte/login/")
    assert standing(asked) == ""


def test_a_referee_who_has_left_the_group_answers_no_more(duel):
    asked = ask(duel)
    duel.referee.groups.clear()
    assert as_user(duel.referee).get(page(duel)).status_code == 403
    assert send(duel, asked).status_code == 403
    assert standing(asked) == ""


def test_the_page_says_what_each_answer_does(duel):
    asked = ask(duel)
    shown = referee_of(duel).get(page(duel))
    [panel] = shown.context["panels"]
    assert panel["would_end_at"] == duel.phase.due_at + dt.timedelta(hours=48)
    assert panel["until"] == duel.phase.due_at + dt.timedelta(hours=24)
    assert not panel["would_be_over"]
    assert "Des examens." in shown.text
    assert "no-store" in shown["Cache-Control"]
    assert standing(asked) == ""


def test_granting_moves_the_deadline(duel):
    asked = ask(duel)
    assert send(duel, asked).url == QUEUE
    assert standing(asked) == "granted"
    assert play.fresh(duel).due_at == duel.due_at + dt.timedelta(hours=48)


def test_refusing_moves_nothing(duel):
    asked = ask(duel)
    assert send(duel, asked, "refuse").url == QUEUE
    assert standing(asked) == "refused"
    assert play.fresh(duel).due_at == duel.due_at


@pytest.mark.parametrize(("answer", "reason"), [("grant", " "), ("refuse", ""), ("", WHY), ("perhaps", WHY)])
def test_an_answer_is_yes_or_no_and_says_why(duel, answer, reason):
    asked = ask(duel)
    refused = send(duel, asked, answer, reason)
    assert refused.status_code == 422
    assert 'role="alert"' in refused.text
    assert refused.context["panels"][0]["form"]["reason"].value() == reason
    assert standing(asked) == ""


def test_an_answer_after_another_is_refused_and_what_was_written_is_kept(duel):
    asked = ask(duel)
    send(duel, asked)
    again = send(duel, asked, "refuse", "Non, tout compte fait.")
    assert again.status_code == 409
    assert "answered already" in again.text
    assert "Non, tout compte fait." in again.text
    assert standing(asked) == "granted"


def test_both_may_have_asked(duel):
    first, second = ask(duel), ask(duel, "b", hours=5)
    shown = referee_of(duel).get(page(duel))
    assert [panel["asked"] for panel in shown.context["panels"]] == [first, second]
    send(duel, second, "refuse")
    assert [panel["asked"] for panel in referee_of(duel).get(page(duel)).context["panels"]] == [first]
    assert [standing(first), standing(second)] == ["", "refused"]


def test_granting_what_is_past_already_is_warned_of(duel, time):
    ask(duel, hours=2)
    time.go_to(duel.due_at, hours=5)
    sweep()
    shown = referee_of(duel).get(page(duel))
    assert shown.context["panels"][0]["would_be_over"]
    assert "That is past already" in shown.text


@pytest.mark.parametrize("said", ["", "x", "999999", "-1", "9" * 40])
def test_there_is_no_such_time_out(duel, said):
    ask(duel)
    assert referee_of(duel).post(page(duel), {"time_out": said, "answer": "grant"}).status_code == 404


def test_a_time_out_of_another_duel_is_not_answered_here(duel):
    other = ask(play.running(referee=duel.referee))
    assert send(duel, other).status_code == 404
    assert standing(other) == ""


def test_nothing_waits(duel):
    shown = referee_of(duel).get(page(duel))
    assert shown.status_code == 200
    assert not shown.context["panels"]


def test_time_outs_stand_first_in_the_queue_the_soonest_deadline_before(time):
    later = play.running()
    time.go_on(hours=-1)
    sooner = play.running(referee=later.referee)
    time.go_on(hours=1)
    play.locked(referee=later.referee)
    ask(play.running())  # somebody else's
    asked = [ask(sooner), ask(later)]
    shown = referee_of(later).get(QUEUE)
    first, second, *others = shown.context["waiting"].rows
    assert [first.row, second.row] == asked
    assert [first.until, second.until] == [one.phase.due_at + dt.timedelta(hours=24) for one in asked]
    assert [one.what for one in others] == ["review"]
    first_button = shown.text.index("btn-primary", shown.text.index("<main"))
    assert page(sooner) in shown.text[first_button : first_button + 200]
    assert shown.text.count('btn btn-primary"', shown.text.index("<main")) == 1


def test_what_was_answered_or_lapsed_leaves_the_queue(duel, time):
    asked = ask(duel)
    send(duel, asked)
    assert not referee_of(duel).get(QUEUE).context["waiting"].rows
    ask(duel, "b")
    time.go_to(play.fresh(duel).due_at, hours=25)
    sweep()
    assert [one.what for one in referee_of(duel).get(QUEUE).context["waiting"].rows] == ["review"]
    assert TimeOut.objects.filter(answer="lapsed").count() == 1


def test_players_are_led_to_no_referees_page(duel):
    ask(duel)
    assert page(duel) not in as_player(duel, "a").get(duel.get_absolute_url()).text
    assert page(duel) in referee_of(duel).get(duel.get_absolute_url()).text
