"""The page of a time-out (A7), and what the pages of a duel say of one."""

import datetime as dt

import msgspec
import pytest
from django.urls import reverse

from duels import clock, export
from duels.actions.ending import surrender
from duels.actions.removal import remove_post
from duels.actions.sweep import sweep
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.markup import digest
from duels.models import Duel, Post, TimeOut
from rules import record
from rules.verify import verify
from tests import play
from tests.factories import StaffFactory

from .readers import as_player, as_user, assert_kept_for_players, strangers

pytestmark = pytest.mark.django_db

WHY = "Une semaine d'examens."


@pytest.fixture
def duel():
    return play.running()


def page(duel):
    return reverse("duels:time_out", args=[duel.pk])


def turn(duel):
    return reverse("duels:turn", args=[duel.pk])


def english(client):
    client.cookies["django_language"] = "en"
    return client


def read(duel, address, letter="a"):
    return english(as_player(duel, letter)).get(address).text


def send(duel, letter="a", do="recap", hours="48", other="", reason=WHY):
    body = {"do": do, "hours": hours, "other": other, "reason": reason}
    return english(as_player(duel, letter)).post(page(duel), body)


def asked(duel, letter="a", hours=48):
    return ask_time_out(
        user=play.player(duel, letter), duel_id=duel.pk, hours=hours, reason=WHY, received_at=clock.now()
    )


def answer(duel, one, granted=True):
    return answer_time_out(user=duel.referee, time_out_id=one.pk, granted=granted, reason="Bon courage.")


# taking its reason away


def removed(duel):
    """The duel, whose time-out has lost its reason to staff."""
    asked(duel)
    told = Post.objects.get(thread__duel=duel, kind="note", entry__kind="time_out")
    remove_post(user=StaffFactory(), post_id=told.pk, reason="un nom véritable")
    return play.fresh(duel)


def test_the_reason_is_a_text_of_the_record_and_of_the_thread(duel):
    asked(duel)
    entry = duel.entries.get(kind="time_out")
    assert entry.public == {"hours": 48, "text_sha256": digest(WHY)}
    assert "<q>Une semaine d&#x27;examens.</q>" in read(duel, duel.get_absolute_url())


def test_staff_take_it_away_everywhere_and_the_time_out_goes_on(duel):
    duel = removed(duel)
    for client, address in (
        (as_user(), duel.get_absolute_url()),
        (as_player(duel, "a"), page(duel)),
        (as_user(duel.referee), reverse("referee:time_out", args=[duel.pk])),
        (as_user(StaffFactory()), reverse("admin:duels_timeout_change", args=[TimeOut.objects.get().pk])),
    ):
        said = english(client).get(address).text
        assert "Une semaine d" not in said
        assert "Staff have removed the reason." in said or "/admin/" in address
    kept = [*duel.entries.values_list("public", flat=True), *Post.objects.values_list("details", flat=True)]
    assert WHY not in str(kept)
    assert answer(duel, TimeOut.objects.get()).answer == "granted"


def test_the_record_verifies_without_it(duel):
    removed(duel)
    surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    exported = export.of(play.fresh(duel))
    assert WHY not in record.encode(exported).decode()
    report = verify(exported)
    assert report.failures == ()
    assert [notice.code for notice in report.notices] == ["removed"]


def test_the_record_verifies_with_it_and_no_other_reason_does(duel):
    asked(duel)
    surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    exported = export.of(play.fresh(duel))
    assert verify(exported).ok
    [text] = [text for text in exported.texts if text.text == WHY]
    others = [msgspec.structs.replace(text, text="Un autre.") if one is text else one for one in exported.texts]
    assert not verify(msgspec.structs.replace(exported, texts=tuple(others))).ok


# asking


def test_a_time_out_is_for_the_two_who_duel(duel):
    assert_kept_for_players(duel, page(duel))
    body = {"do": "ask", "hours": "48", "reason": WHY}
    for kind, client in strangers(duel).items():
        assert client.post(page(duel), body).status_code == 403, kind
    assert as_user().post(page(duel), body).status_code == 302
    assert not TimeOut.objects.exists()


def test_looking_asks_nothing(duel):
    as_player(duel, "a").get(page(duel), {"do": "ask", "hours": "48", "reason": WHY})
    assert not TimeOut.objects.exists()


def test_the_turn_and_the_duel_lead_there_where_there_is_a_referee(duel):
    for address in (turn(duel), duel.get_absolute_url()):
        assert page(duel) in read(duel, address)
    alone = play.running(refereed=False)
    for address in (turn(alone), alone.get_absolute_url()):
        assert page(alone) not in read(alone, address)


def test_the_recap_says_what_it_does_before_anything_is_asked(duel):
    recap = send(duel)
    assert recap.status_code == 200
    assert (recap.context["would_end_at"] - duel.phase.due_at).total_seconds() == 48 * 3600
    assert (recap.context["answer_until"] - duel.phase.due_at).total_seconds() == 24 * 3600
    assert WHY.replace("'", "&#x27;") in recap.text
    assert not TimeOut.objects.exists()


def test_confirmed_it_is_asked(duel):
    assert send(duel, do="ask", hours="72").url == page(duel)
    one = TimeOut.objects.get()
    assert (one.seat.letter, one.hours, one.reason, one.answer) == ("a", 72, WHY, "")
    assert play.fresh(duel).phase.due_at == duel.phase.due_at


def test_another_number_of_hours(duel):
    assert send(duel, hours="other", other="7").context["hours"] == 7
    send(duel, do="ask", hours="other", other="7")
    assert TimeOut.objects.get().hours == 7


def test_changing_something_gives_the_form_back(duel):
    form = send(duel, do="change", hours="other", other="9").context["form"]
    assert [form[name].value() for name in ("hours", "other", "reason")] == ["other", "9", WHY]


@pytest.mark.parametrize(
    ("field", "sent"),
    [
        ("other", {"hours": "other", "other": "121"}),
        ("other", {"hours": "other", "other": "0"}),
        ("other", {"hours": "other", "other": ""}),
        ("other", {"hours": "other", "other": "beaucoup"}),
        ("hours", {"hours": ""}),
        ("hours", {"hours": "9000"}),
        ("reason", {"reason": "  "}),
        ("reason", {"reason": "a" * 501}),
    ],
)
@pytest.mark.parametrize("do", ["recap", "ask"])
def test_what_is_wrong_is_said_beside_its_field_and_what_was_typed_is_kept(duel, do, field, sent):
    refused = send(duel, do=do, **sent)
    assert refused.status_code == 422
    form = refused.context["form"]
    assert list(form.errors) == [field]
    assert 'role="alert"' in refused.text
    assert f'href="#{form[field].auto_id}"' in refused.text
    assert form["reason"].value() == sent.get("reason", WHY)
    assert not TimeOut.objects.exists()


def test_what_comes_too_late_keeps_what_was_typed(duel, time):
    time.go_to(duel.phase.due_at, seconds=1)
    late = send(duel, do="ask")
    assert late.status_code == 409
    assert late.context["form"]["reason"].value() == WHY
    assert "The deadline of this turn has passed" in late.text
    assert not TimeOut.objects.exists()


def test_a_second_one_is_refused(duel):
    answer(duel, asked(duel), granted=False)
    again = send(duel, do="ask")
    assert again.status_code == 422
    assert "one is all there is" in again.text
    assert TimeOut.objects.count() == 1


@pytest.mark.parametrize(
    ("stage", "said"),
    [
        (lambda: play.running(refereed=False), "no referee"),
        (play.announced, "This turn is closed"),
        (play.locked, "This turn is closed"),
    ],
)
def test_where_none_can_be_asked_the_page_says_why(stage, said):
    duel = stage()
    text = read(duel, page(duel))
    assert said in text
    assert 'name="reason"' not in text


def test_who_has_filed_needs_none(duel):
    play.file(duel, "a")
    text = read(duel, page(duel))
    assert "You have filed already" in text
    assert 'name="reason"' not in text


def test_without_a_referee_asking_is_refused():
    assert send(play.running(refereed=False), do="ask").status_code == 403


def test_a_duel_that_is_over_has_no_time_outs():
    duel = play.over()
    assert as_player(duel, "a").get(page(duel)).url == duel.get_absolute_url()


# what came of it


def test_a_time_out_that_waits_is_shown_to_everybody_who_reads(duel):
    asked(duel)
    for letter in "ab":
        text = read(duel, page(duel), letter)
        assert "No answer yet" in text
        assert WHY.replace("'", "&#x27;") in text
    for client in (as_user(), as_player(duel, "b"), *strangers(duel).values()):
        text = english(client).get(duel.get_absolute_url()).text
        assert "asks for a time-out of 48 hours; the referee has not answered yet" in text
    assert "the referee has not answered yet" in read(duel, turn(duel), "b")


@pytest.mark.parametrize(("granted", "said"), [(True, "Granted"), (False, "Refused")])
def test_the_answer_is_shown_to_both_with_its_reason(duel, granted, said):
    answer(duel, asked(duel), granted)
    for letter in "ab":
        text = read(duel, page(duel), letter)
        assert f"{said}</strong>" in text
        assert "Bon courage." in text
        assert duel.referee.username in text
    assert 'name="reason"' not in read(duel, page(duel))
    assert 'name="reason"' in read(duel, page(duel), "b")


def test_the_pages_say_why_a_turn_lasts_longer(duel):
    answer(duel, asked(duel))
    expected = f"This turn lasts 48 hours longer: {duel.name_of('a')} has been granted a time-out."
    for address in (turn(duel), duel.get_absolute_url()):
        assert expected in read(duel, address, "b")
    answer(duel, asked(duel, "b"), granted=False)
    play.play_turn(duel, b={"thrust": "torso", "parry": "right_arm"})
    assert "lasts 48 hours longer" not in read(duel, turn(duel))


def test_a_turn_that_waits_for_the_answer_says_so_and_no_longer_asks_to_be_played(duel, time):
    asked(duel)
    time.go_to(duel.phase.due_at, minutes=5)
    sweep()
    closed = read(duel, turn(duel))
    assert "It is not worked out yet: a time-out was asked for." in closed
    assert "If the time-out is granted, you can file again" in closed


def test_lists_say_that_the_deadline_of_a_turn_that_waits_for_the_answer_has_passed(duel):
    assert "deadline passed:" not in english(as_player(duel, "a")).get("/duels/").text
    asked(duel)
    Duel.objects.filter(pk=duel.pk).update(due_at=clock.now() - dt.timedelta(hours=2))
    assert "deadline passed:" in english(as_player(duel, "a")).get("/duels/").text


def test_nobody_answered(duel, time):
    asked(duel)
    time.go_to(duel.phase.due_at, hours=25)
    sweep()
    assert "Nobody answered in time" in read(duel, page(duel))


def test_a_turn_whose_deadline_has_not_moved_asks_nothing_of_time_outs(duel, django_assert_num_queries):
    client = as_user()
    client.get(duel.get_absolute_url())
    with django_assert_num_queries(2):
        client.get(duel.get_absolute_url())
