"""Everything that the clock does beside closing turns: reminders, referees who do not come, outages, time-outs."""

import datetime as dt

import pytest
from django.utils import translation

from duels import clock
from duels.actions.filing import file_declaration
from duels.actions.heartbeat import beat
from duels.actions.referees import take_over
from duels.actions.sweep import sweep, take_up_again
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Duel, Happening, Phase, Post, TimeOut
from tests import play
from tests.duels.contesting import contest
from tests.duels.exporting import failures
from tests.factories import RefereeFactory

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def told(duel, *kinds):
    """Return what was told of a duel, and to whom, in order."""
    happened = Happening.objects.filter(duel=duel, what__in=kinds).order_by("pk")
    return [(one.what, one.concerns) for one in happened]


def notes(duel):
    return [post.details["note"] for post in duel.thread.posts.filter(kind=Post.Kind.NOTE)]


def user_id(duel, letter):
    return duel.cast[letter]["user"]


# reminders


def test_who_has_not_filed_is_reminded_a_day_and_six_hours_before_the_deadline(time):
    duel = play.running()
    play.file(duel, "a")
    for before, expected in ((25, 0), (23, 1), (7, 1), (5, 2)):
        time.go_to(duel.due_at, hours=-before)
        sweep()
        sweep()
        assert len(told(duel, "reminder_24", "reminder_6")) == expected
    b = [user_id(duel, "b")]
    assert told(duel, "reminder_24", "reminder_6") == [("reminder_24", b), ("reminder_6", b)]


def test_a_turn_of_a_day_begins_without_a_reminder(time):
    duel = play.running(turn_hours=24)
    time.go_on(hours=1)
    sweep()
    assert told(duel, "reminder_24", "reminder_6") == []
    time.go_to(duel.due_at, hours=-5)
    sweep()
    assert [what for what, _whom in told(duel, "reminder_24", "reminder_6")] == ["reminder_6"]


def test_a_late_sweep_sends_one_reminder_and_none_once_the_turn_is_closed(time):
    late, closed = play.running(), play.running()
    Duel.objects.filter(pk=closed.pk).update(due_at=closed.due_at - 6 * HOUR, wake_at=clock.now())
    Phase.objects.filter(duel=closed).update(due_at=closed.due_at - 6 * HOUR)
    time.go_to(late.due_at, hours=-3)
    sweep()
    assert [what for what, _whom in told(late, "reminder_24", "reminder_6")] == ["reminder_6"]
    assert told(closed, "reminder_24", "reminder_6") == []
    assert play.fresh(closed).phase.status == Phase.Status.LOCKED


def test_a_late_sweep_after_an_appeal_that_lapsed_sends_the_reminder_that_came_since(time):
    duel = play.play_turn(play.running())
    time.go_to(duel.due_at, hours=-25)
    contest(duel)
    stopped = play.fresh(duel)
    time.go_to(stopped.stopped_until, hours=2)
    sweep()
    both = [user_id(duel, "a"), user_id(duel, "b")]
    assert told(duel, "reminder_24", "reminder_6") == [("reminder_24", both)]
    sweep()
    assert len(told(duel, "reminder_24", "reminder_6")) == 1


def test_past_the_deadline_of_a_turn_that_waits_for_an_answer_nobody_is_reminded_of_it(time):
    duel = play.running()
    ask(duel)
    time.go_to(duel.due_at, hours=2)
    sweep()
    assert play.fresh(duel).phase.is_open
    assert told(duel, "reminder_24", "reminder_6") == []


def test_who_has_filed_hears_nothing(time):
    duel = play.locked()
    time.go_to(duel.phase.due_at, hours=-1)
    sweep()
    assert told(duel, "reminder_24", "reminder_6") == []


# a referee who does not come


def test_a_turn_that_waits_reminds_its_referee_then_is_offered_then_published(time):
    other = RefereeFactory()
    duel = play.locked()
    locked_at = duel.phase.locked_at
    time.go_to(locked_at, hours=25)
    sweep()
    assert told(duel, "reminder_referee") == [("reminder_referee", [duel.referee_id])]
    time.go_to(locked_at, hours=49)
    sweep()
    assert told(duel, "turn_offered") == [("turn_offered", [other.pk])]
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED
    time.go_to(locked_at, days=5, minutes=1)
    sweep()
    sweep()
    after = play.fresh(duel)
    assert after.turn == 2
    assert notes(duel) == ["offered", "unread"]
    assert after.thread.posts.filter(kind=Post.Kind.RESOLUTION).count() == 1


def test_another_referee_takes_an_offered_turn_over(time):
    other, player_too = RefereeFactory(), RefereeFactory()
    duel = play.locked(a=play.DuellistFactory(user=player_too))
    with pytest.raises(TooLate, match="no longer offered"):
        take_over(user=other, duel_id=duel.pk)
    time.go_to(duel.phase.locked_at, hours=49)
    sweep()
    with pytest.raises(NotAllowed, match="You play in this duel"):
        take_over(user=player_too, duel_id=duel.pk)
    with pytest.raises(NotAllowed, match="Only referees"):
        take_over(user=play.player(duel, "b"), duel_id=duel.pk)
    take_over(user=other, duel_id=duel.pk)
    duel = play.publish(duel)
    assert (duel.referee, duel.turn) == (other, 2)
    time.go_on(hours=1)
    sweep()
    assert notes(duel) == ["offered", "taken_over"]


def test_without_a_referee_a_turn_is_published_as_it_closes(time):
    duel = play.running(refereed=False)
    time.go_to(duel.due_at, minutes=1)
    sweep()
    assert play.fresh(duel).turn == 2


# outages


def test_a_silence_across_the_deadline_gives_back_what_was_lost_of_the_turn(time):
    duel = play.running()
    beat(at=clock.now())
    time.go_to(duel.due_at, hours=-2)
    time.stand_still(hours=5)
    came_back = clock.now()
    sweep()
    after = play.fresh(duel)
    assert after.phase.is_open
    assert abs(after.due_at - (came_back + 2 * HOUR)) < dt.timedelta(minutes=1)
    assert after.phase.due_at == after.due_at
    assert told(duel, "outage") == [("outage", [user_id(duel, "a"), user_id(duel, "b")])]
    assert notes(duel) == ["outage"]
    play.file(duel, "a")
    time.go_to(after.due_at, minutes=1)
    sweep()
    locked = play.fresh(duel)
    assert locked.phase.status == Phase.Status.LOCKED
    assert list(locked.entries.filter(kind="infraction").values_list("seat", flat=True)) == ["b"]
    assert notes(duel) == ["outage"]


def test_a_silence_that_ended_before_the_deadline_counts_for_its_own_length(time):
    duel = play.running()
    beat(at=clock.now())
    time.go_to(duel.due_at, hours=-10)
    time.stand_still(hours=3)
    sweep()
    time.go_to(duel.due_at, minutes=1)
    sweep()
    assert abs(play.fresh(duel).due_at - (duel.due_at + 3 * HOUR)) < dt.timedelta(minutes=2)


def test_a_silence_of_days_gives_a_day_back_at_most(time):
    duel = play.running()
    beat(at=clock.now())
    time.stand_still(days=9)
    came_back = clock.now()
    sweep()
    assert abs(play.fresh(duel).due_at - (came_back + 24 * HOUR)) < dt.timedelta(minutes=1)


def test_silences_one_after_the_other_give_a_day_back_in_all(time):
    duel = play.running()
    beat(at=clock.now())
    sweeps = 0
    while play.fresh(duel).phase.is_open and sweeps < 40:
        time.stand_still(hours=2)
        sweep()
        sweeps += 1
    phase = duel.phases.get()
    assert phase.given_back == 24 * HOUR
    assert abs(phase.due_at - (duel.due_at + 24 * HOUR)) < dt.timedelta(minutes=1)
    assert phase.status == Phase.Status.LOCKED
    assert failures(duel) == []


def test_a_silence_before_the_last_day_of_a_turn_costs_nothing(time):
    duel = play.running()
    beat(at=clock.now())
    time.go_on(hours=2)
    time.stand_still(hours=10)
    sweep()
    time.go_to(duel.due_at, minutes=1)
    sweep()
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def test_a_few_minutes_without_a_sweep_are_no_outage(time):
    duel = play.running()
    beat(at=clock.now())
    time.go_to(duel.due_at, minutes=-2)
    time.stand_still(minutes=4)
    sweep()
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def test_players_are_told_of_an_outage_as_it_ends_and_not_at_the_deadline(time):
    duel = play.running()
    beat(at=clock.now())
    time.go_to(duel.due_at, hours=-10)
    time.stand_still(hours=3)
    sweep()
    after = play.fresh(duel)
    assert abs(after.due_at - (duel.due_at + 3 * HOUR)) < dt.timedelta(minutes=1)
    assert notes(duel) == ["outage"]
    sweep()
    time.go_to(after.due_at, minutes=1)
    sweep()
    assert notes(duel) == ["outage"]
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def test_the_clock_looks_after_a_silence_at_the_turns_that_it_cut_into_and_at_no_other(time):
    soon, later = play.running(turn_hours=24), play.running()
    beat(at=clock.now())
    time.stand_still(minutes=30)
    assert sweep()["done"] == 1
    assert sweep()["done"] == 0
    assert (notes(soon), notes(later)) == (["outage"], [])


def test_an_outage_across_the_deadline_of_a_turn_that_waits_for_an_answer_is_nobodys_fault(time):
    duel = play.running()
    ask(duel)
    beat(at=clock.now())
    time.go_to(duel.due_at, hours=-20)
    time.stand_still(hours=44, minutes=5)  # until the answer would have come too late
    sweep()
    after = play.fresh(duel)
    assert after.phase.is_open
    assert after.due_at > clock.now() + 20 * HOUR
    assert list(duel.entries.filter(kind="infraction")) == []
    play.file(duel, "a")


def test_an_outage_while_the_referee_was_to_answer_leaves_the_time_to_answer(time):
    duel = play.running()
    asked = ask(duel)
    time.go_to(duel.due_at, hours=2)
    sweep()
    time.stand_still(hours=23)
    sweep()
    assert play.fresh(duel).phase.is_open
    answer(duel, asked)
    play.file(duel, "a")


def test_what_is_given_back_is_never_past_already(time):
    """Nobody looked at the duel for a week: it was set aside."""
    duel = play.running()
    beat(at=clock.now())
    time.go_to(duel.due_at, hours=-3)
    Duel.objects.filter(pk=duel.pk).update(failures=3)
    time.stand_still(hours=2)
    sweep()
    time.go_on(days=7)
    sweep()
    take_up_again(duel_id=duel.pk)
    sweep()
    sweep()
    after = play.fresh(duel)
    assert after.phase.is_open
    assert after.due_at > clock.now() + HOUR


# time-outs


def ask(duel, letter="a", hours=48, reason="Une semaine d'examens."):
    return ask_time_out(
        user=play.player(duel, letter), duel_id=duel.pk, hours=hours, reason=reason, received_at=clock.now()
    )


def answer(duel, asked, granted=True, reason="Bon courage."):
    return answer_time_out(user=duel.referee, time_out_id=asked.pk, granted=granted, reason=reason)


def test_a_time_out_granted_moves_the_deadline_of_both(time):
    duel = play.running()
    answer(duel, ask(duel, hours=120))
    after = play.fresh(duel)
    assert after.due_at == after.phase.due_at == duel.due_at + 120 * HOUR
    assert notes(duel) == ["time_out", "time_out_answer"]
    assert [what for what, _whom in told(duel, "time_out_asked", "time_out_granted")] == [
        "time_out_asked",
        "time_out_granted",
    ]
    time.go_to(after.due_at, minutes=-5)
    play.file(duel, "b")


def test_a_time_out_refused_changes_nothing(time):
    duel = play.running()
    answer(duel, ask(duel), granted=False)
    assert play.fresh(duel).due_at == duel.due_at
    time.go_to(duel.due_at, minutes=1)
    sweep()
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def test_one_time_out_a_duellist_a_duel(time):
    duel = play.running()
    answer(duel, ask(duel), granted=False)
    with pytest.raises(Invalid, match="already asked"):
        ask(duel)
    answer(duel, ask(duel, "b", hours=1))
    assert play.fresh(duel).due_at == duel.due_at + HOUR
    duel = play.play_turn(duel, b={"thrust": "torso", "parry": "right_arm"})
    with pytest.raises(Invalid, match="already asked"):
        ask(duel, "b")


@pytest.mark.parametrize("hours", [0, 121, -5])
def test_a_time_out_lasts_five_days_at_most(hours):
    with pytest.raises(Invalid, match="1 to 120"):
        ask(play.running(), hours=hours)


def test_a_time_out_is_asked_before_the_deadline_by_who_has_yet_to_file(time):
    duel = play.running()
    play.file(duel, "b")
    with pytest.raises(Invalid, match="filed already"):
        ask(duel, "b")
    with pytest.raises(Invalid, match="Say why"):
        ask(duel, reason="  ")
    time.go_to(duel.due_at, seconds=1)
    with pytest.raises(TooLate, match="deadline"):
        ask(duel)


def test_without_a_referee_there_is_nobody_to_ask():
    with pytest.raises(NotAllowed, match="no referee"):
        ask(play.running(refereed=False))


def test_the_turn_waits_a_day_for_the_answer_and_no_longer(time):
    duel = play.running()
    asked = ask(duel)
    time.go_to(duel.due_at, hours=23)
    sweep()
    waiting = play.fresh(duel)
    assert waiting.phase.is_open
    with pytest.raises(TooLate, match="deadline"):
        file_declaration(
            user=play.player(duel, "a"), duel_id=duel.pk, turn=1, text=play.TEXT,
            declaration={"thrust": "head", "parry": "head", "option": None}, received_at=clock.now(),
        )  # fmt: skip
    time.go_to(duel.due_at, hours=24, minutes=1)
    sweep()
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED
    asked.refresh_from_db()
    assert asked.answer == TimeOut.Answer.LAPSED
    with pytest.raises(TooLate, match="answered already"):
        answer(duel, asked)
    assert sorted(duel.entries.filter(kind="infraction").values_list("seat", flat=True)) == ["a", "b"]


def test_who_files_after_all_keeps_nobody_waiting_for_the_answer(time):
    duel = play.running()
    asked = ask(duel)
    play.file(duel, "a")
    asked.refresh_from_db()
    assert asked.answer == TimeOut.Answer.LAPSED
    time.go_to(duel.due_at, minutes=1)
    sweep()
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def test_an_answer_after_the_deadline_counts_from_the_deadline(time):
    duel = play.running()
    asked = ask(duel, hours=5)
    time.go_to(duel.due_at, hours=2)
    answer(duel, asked)
    assert play.fresh(duel).due_at == duel.due_at + 5 * HOUR
    play.file(duel, "a")


def test_only_the_duels_referee_answers():
    duel = play.running()
    asked = ask(duel)
    for somebody in (RefereeFactory(), play.player(duel, "a"), play.player(duel, "b")):
        with pytest.raises(NotAllowed):
            answer_time_out(user=somebody, time_out_id=asked.pk, granted=True, reason="Oui.")
    with pytest.raises(Invalid, match="Say why"):
        answer(duel, asked, reason="")


# elapsed hours, whatever the clocks on the walls do


@pytest.mark.parametrize("zone", ["Europe/Paris", "America/Montreal", "Pacific/Auckland"])
@pytest.mark.parametrize("day", ["2027-03-13", "2027-03-27", "2027-04-03", "2026-10-24", "2027-09-25", "2027-11-06"])
def test_forty_eight_hours_are_forty_eight_hours_when_the_walls_change(zone, day, time, client):
    from zoneinfo import ZoneInfo

    begins = dt.datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=ZoneInfo(zone))
    time.go_to(begins)
    duel = play.running()
    assert duel.due_at - duel.phase.opened_at == 48 * HOUR
    client.cookies["tz"] = zone
    page = client.get(duel.get_absolute_url()).text
    local = duel.due_at.astimezone(ZoneInfo(zone))
    assert f"{local:%H:%M} {local:%Z}" in page
    time.go_to(duel.due_at, seconds=-1)
    play.file(duel, "a")
    time.go_on(seconds=32)
    sweep()
    assert list(duel.entries.filter(kind="infraction").values_list("seat", flat=True)) == ["b"]
