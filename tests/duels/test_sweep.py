"""What the clock does to duels: nothing before its time, everything once, and never for nothing."""

import datetime as dt
import logging
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import translation

from duels import clock
from duels.actions import sweep as sweeping
from duels.actions.challenges import accept_challenge
from duels.actions.filing import file_declaration, name_zone, replace_declaration
from duels.actions.heartbeat import beat
from duels.actions.preparation import ask_to_start, hide_receptacle
from duels.actions.repair import audit_duel
from duels.actions.sweep import sweep, take_up_again
from duels.errors import Invalid, TooLate
from duels.models import Duel, Entry, Happening, Phase
from tests import play

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def infractions(duel):
    return list(duel.entries.filter(kind="infraction").values_list("phase", "seat"))


def written(duel):
    """Everything that stands in the books of a duel, to see whether anything was added."""
    duel = play.fresh(duel)
    return (
        list(duel.entries.values_list("index", "hash")),
        list(Happening.objects.filter(duel=duel).values_list("pk", flat=True)),
        duel.status, duel.due_at, duel.thread.post_count if hasattr(duel, "thread") else None,
    )  # fmt: skip


def test_a_turn_closes_thirty_seconds_after_its_deadline_and_not_before(time):
    duel = play.running()
    play.file(duel, "a")
    time.go_to(duel.due_at, seconds=29)
    assert sweep() == {"done": 1, "failed": 0}  # a last reminder
    assert sweep() == {"done": 0, "failed": 0}
    assert play.fresh(duel).phase.is_open
    time.go_on(seconds=2)
    assert sweep() == {"done": 1, "failed": 0}
    duel = play.fresh(duel)
    assert duel.phase.status == Phase.Status.LOCKED
    assert (duel.awaited, duel.due_at) == ("", None)
    assert infractions(duel) == [(1, "b")]


def test_who_is_late_pays_and_who_has_filed_counts(time):
    duel = play.running()
    play.file(duel, "a", thrust="torso", parry="right_arm")
    time.go_to(duel.due_at, minutes=1)
    sweep()
    events = play.fresh(duel).phase.resolution.public_events
    told = [(event["code"], event["seat"]) for event in events]
    assert ("infraction", "b") in told
    assert ("infraction", "a") not in told
    seats = play.fresh(duel).phase.resolution.public_view["seats"]
    assert seats["b"]["infractions"] == 1
    assert seats["b"]["link"] < seats["b"]["link_max"]


def test_both_absent_both_pay(time):
    duel = play.running()
    time.go_to(duel.due_at, minutes=1)
    sweep()
    assert infractions(duel) == [(1, "a"), (1, "b")]
    seats = play.fresh(duel).phase.resolution.public_view["seats"]
    assert [seats[letter]["infractions"] for letter in "ab"] == [1, 1]


def test_what_was_received_in_time_counts_until_the_turn_closes_and_what_came_later_does_not(time):
    duel = play.running()
    filing = {
        "user": play.player(duel, "a"), "duel_id": duel.pk, "turn": 1, "text": play.TEXT,
        "declaration": {"thrust": "head", "parry": "torso", "option": None},
    }  # fmt: skip
    time.go_to(duel.due_at, seconds=20)
    with pytest.raises(TooLate, match="deadline"):
        file_declaration(**filing, received_at=duel.due_at + dt.timedelta(microseconds=1))
    file_declaration(**filing, received_at=duel.due_at)
    assert play.fresh(duel).awaited == "b"
    time.go_on(seconds=20)
    sweep()
    assert infractions(duel) == [(1, "b")]
    with pytest.raises(TooLate, match="closed"):
        replace_declaration(
            user=play.player(duel, "a"), duel_id=duel.pk, turn=1,
            declaration=filing["declaration"], received_at=duel.due_at,
        )  # fmt: skip


def test_without_a_referee_the_turn_is_published_and_the_next_one_opens(time):
    duel = play.running(refereed=False)
    time.go_to(duel.due_at, minutes=1)
    sweep()
    duel = play.fresh(duel)
    assert (duel.turn, duel.awaited) == (2, "ab")
    assert duel.due_at == duel.phase.opened_at + dt.timedelta(hours=48)
    assert duel.phases.get(number=1).status == Phase.Status.PUBLISHED


def test_a_duel_that_both_have_left_ends_at_their_third_infraction(time):
    duel = play.running(refereed=False)
    for _turn in range(3):
        time.go_to(play.fresh(duel).due_at, minutes=1)
        sweep()
    duel = play.fresh(duel)
    assert (duel.status, duel.winner, duel.ended_by) == (Duel.Status.OVER, "", "draw")
    assert duel.due_at is None
    assert infractions(duel) == [(turn, seat) for turn in (1, 2, 3) for seat in "ab"]


def test_a_challenge_without_an_answer_expires_after_seven_days(time):
    duel = play.challenged(starts_at=time.now() + dt.timedelta(days=30))
    time.go_on(days=7, seconds=29)
    sweep()
    assert play.fresh(duel).status == Duel.Status.CHALLENGED
    with pytest.raises(TooLate, match="expired"):
        accept_challenge(user=play.player(duel, "b"), duel_id=duel.pk)
    time.go_on(seconds=2)
    sweep()
    assert (play.fresh(duel).status, play.fresh(duel).due_at) == (Duel.Status.EXPIRED, None)


def test_a_duel_without_a_referee_is_put_off_twice_and_then_cancelled(time):
    duel = play.agreed()
    first = duel.starts_at
    for times in (1, 2):
        time.go_to(play.fresh(duel).due_at, minutes=1)
        sweep()
        put_off = play.fresh(duel)
        assert (put_off.put_off, put_off.status) == (times, Duel.Status.AGREED)
        assert put_off.starts_at == put_off.due_at == first + dt.timedelta(hours=48 * times)
    time.go_to(put_off.due_at, minutes=1)
    sweep()
    assert (play.fresh(duel).status, play.fresh(duel).due_at) == (Duel.Status.CANCELLED, None)
    assert list(duel.happenings.values_list("what", flat=True))[-3:] == ["put_off", "put_off", "cancelled"]


@pytest.mark.parametrize("late", [-10, 1])  # hours
def test_a_challenge_accepted_too_late_for_its_start_is_moved_and_loses_no_chance(time, late):
    duel = play.challenged(starts_at=time.now() + dt.timedelta(days=2))
    time.go_to(duel.starts_at, hours=late)
    accepted = accept_challenge(user=play.player(duel, "b"), duel_id=duel.pk)
    assert (accepted.starts_at, accepted.due_at) == (accepted.agreed_at + dt.timedelta(hours=48),) * 2
    sweep()
    assert play.fresh(duel).put_off == 0
    (note,) = duel.thread.posts.all()
    assert note.details == {
        "note": "start_moved", "proposed": duel.starts_at.isoformat(), "starts_at": accepted.starts_at.isoformat(),
    }  # fmt: skip
    assert duel.happenings.filter(what="start_moved").exists()
    time.go_to(accepted.starts_at, minutes=1)
    sweep()
    assert (play.fresh(duel).put_off, play.fresh(duel).status) == (1, Duel.Status.AGREED)


def test_a_challenge_accepted_in_time_keeps_its_start():
    duel = play.challenged()
    assert accept_challenge(user=play.player(duel, "b"), duel_id=duel.pk).starts_at == duel.starts_at
    assert not duel.thread.posts.exists()


def test_a_sweep_that_comes_days_late_still_leaves_referees_their_48_hours(time):
    duel = play.agreed()
    time.go_to(duel.starts_at, days=5)
    sweep()
    assert play.fresh(duel).put_off == 1
    assert play.fresh(duel).starts_at >= time.now() + dt.timedelta(hours=47, minutes=59)


def test_an_announced_duel_starts_and_the_die_hides_what_nobody_hid(time):
    duel = play.announced()
    hide_receptacle(user=play.player(duel, "a"), duel_id=duel.pk, zone="torso", received_at=time.now())
    time.go_to(duel.starts_at, minutes=1)
    sweep()
    duel = play.fresh(duel)
    assert (duel.status, duel.turn, duel.awaited) == (Duel.Status.RUNNING, 1, "ab")
    assert duel.entries.get(kind="start").public["late"] == ["b"]
    assert [duel.public_view["seats"][letter]["alchemy"] for letter in "ab"] == [5, 4]  # A4.1a


def test_a_receptacle_hidden_in_the_last_day_is_late(time):
    duel = play.announced()
    time.go_to(duel.starts_at, hours=-23)
    play.hide(duel)
    time.go_to(duel.starts_at, minutes=1)
    sweep()
    assert play.fresh(duel).entries.get(kind="start").public["late"] == ["a", "b"]


def owing():
    """Return a duel in turn 3 in which `a` owes a choice: its decoy was hit in turn 2 (A10.2)."""
    duel = play.announced()
    while duel.arena != "verdant_circles":
        duel = play.announced()
    play.hide(duel, "head", "torso")
    for letter in "ab":
        ask_to_start(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    hole = {"name": "gaping_hole", "zones": ["left_leg", "right_leg"]}
    play.play_turn(duel, {"option": hole}, {"thrust": "torso", "parry": "torso"})
    play.play_turn(duel, {"thrust": "torso", "parry": "right_arm"}, {"thrust": "left_leg", "parry": "head"})
    return play.fresh(duel)


def name(duel, zone="head", letter="a"):
    who = play.player(duel, letter)
    return name_zone(user=who, duel_id=duel.pk, turn=duel.turn, zone=zone, received_at=clock.now())


def test_a_zone_named_after_the_opponent_has_filed_holds_the_turn_for_twelve_hours(time):
    duel = owing()
    play.file(duel, "b", thrust="head", parry="left_arm")
    name(duel)
    named = time.now()
    play.file(duel, "a", thrust="left_leg", parry="left_arm")
    held = play.fresh(duel)
    assert held.awaited == ""
    assert held.phase.is_open
    assert dt.timedelta(hours=11, minutes=59) < held.due_at - named <= dt.timedelta(hours=12)
    time.go_to(held.due_at, seconds=29)
    assert sweep()["done"] == 0
    time.go_on(seconds=2)
    assert sweep()["done"] == 1
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED
    assert infractions(duel) == []


def test_the_opponent_who_files_again_after_the_announcement_closes_the_turn(time):
    duel = owing()
    play.file(duel, "b", thrust="head", parry="left_arm")
    name(duel)
    play.file(duel, "a", thrust="left_leg", parry="left_arm")
    replace_declaration(
        user=play.player(duel, "b"), duel_id=duel.pk, turn=duel.turn,
        declaration={"thrust": "right_arm", "parry": "left_arm", "option": None}, received_at=time.now(),
    )  # fmt: skip
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def test_a_zone_named_in_the_last_hours_moves_the_deadline(time):
    duel = owing()
    time.go_to(duel.phase.choice_until, minutes=-1)
    name(duel)
    assert play.fresh(duel).due_at == duel.due_at  # a turn of 48 hours has 24 left
    again = owing()
    Phase.objects.filter(duel=again, number=again.turn).update(due_at=again.phase.choice_until)
    time.go_to(again.phase.choice_until, minutes=-1)
    name(again)
    moved = play.fresh(again)
    assert moved.due_at == moved.phase.due_at > again.phase.choice_until + dt.timedelta(hours=11)


def test_a_zone_that_nobody_names_in_time_is_forfeited(time):
    duel = owing()
    play.file(duel, "b", thrust="head", parry="left_arm")
    with pytest.raises(Invalid, match="decoy"):
        play.file(duel, "a")
    time.go_to(duel.phase.choice_until, seconds=1)
    with pytest.raises(Invalid, match="no zone to name"):
        name(duel)
    play.file(duel, "a", thrust="left_leg", parry="left_arm")
    events = play.fresh(duel).phase.resolution.public_events
    assert [event["seat"] for event in events if event["code"] == "choice_forfeited"] == ["a"]


def test_a_zone_can_still_be_named_after_an_outage_in_its_24_hours(time):
    duel = owing()
    beat(at=clock.now())
    time.go_to(duel.phase.choice_until, hours=-2)
    time.stand_still(hours=3)
    sweep()
    after = play.fresh(duel)
    assert after.owing == "a"
    assert after.phase.choice_until > clock.now() + dt.timedelta(hours=1, minutes=59)
    name(duel)


def test_who_may_file_again_may_do_so_after_an_outage_in_these_12_hours(time):
    duel = owing()
    play.file(duel, "b", thrust="head", parry="left_arm")
    name(duel)
    play.file(duel, "a", thrust="left_leg", parry="left_arm")
    beat(at=clock.now())
    time.stand_still(hours=11)
    sweep()
    time.go_on(hours=10)
    sweep()
    assert play.fresh(duel).phase.is_open
    time.go_to(play.fresh(duel).due_at, seconds=31)
    sweep()
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def both_owing():
    """Return a duel in turn 3 in which both owe a choice."""
    duel = play.announced()
    while duel.arena != "verdant_circles":
        duel = play.announced()
    play.hide(duel, "head", "torso")
    for letter in "ab":
        ask_to_start(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    hole = {"name": "gaping_hole", "zones": ["left_leg", "right_leg"]}
    play.play_turn(duel, {"option": hole}, {"thrust": "torso", "parry": "torso", "option": hole})
    play.play_turn(duel, {"thrust": "left_leg", "parry": "head"}, {"thrust": "left_leg", "parry": "head"})
    return play.fresh(duel)


def test_a_turn_closes_once_each_has_filed_after_the_zone_that_the_other_has_named():
    duel = both_owing()
    assert duel.owing == "ab"
    for letter in "ab":
        name(duel, letter=letter)
    for letter in "ab":
        play.file(duel, letter, thrust="right_arm", parry="right_arm")
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def test_a_turn_waits_for_who_filed_before_the_other_has_named_a_zone():
    duel = both_owing()
    name(duel, letter="a")
    play.file(duel, "a", thrust="right_arm", parry="right_arm")
    name(duel, letter="b")
    play.file(duel, "b", thrust="right_arm", parry="right_arm")
    assert play.fresh(duel).phase.is_open
    replace_declaration(
        user=play.player(duel, "a"), duel_id=duel.pk, turn=duel.turn,
        declaration={"thrust": "left_arm", "parry": "left_arm", "option": None}, received_at=clock.now(),
    )  # fmt: skip
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def test_who_owes_a_zone_owes_it_no_more_once_the_turn_is_locked(time):
    duel = owing()
    time.go_to(duel.due_at, seconds=31)
    sweep()
    locked = play.fresh(duel)
    assert (locked.phase.status, locked.owing) == (Phase.Status.LOCKED, "")


def test_a_zone_that_was_named_stays_named_when_caches_are_repaired_after_the_turn_is_locked(time):
    duel = owing()
    name(duel)
    time.go_to(play.fresh(duel).due_at, seconds=31)
    sweep()
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED
    assert audit_duel(duel.pk, repair=True) == []


def test_a_forfeit_is_noted_once_even_if_caches_are_repaired_after_it(time):
    duel = owing()
    time.go_to(duel.phase.choice_until, seconds=31)
    sweep()
    assert audit_duel(duel.pk, repair=True) == []
    sweep()
    assert duel.thread.posts.filter(kind="choice").count() == 1


def test_ten_sweeps_do_no_more_than_one(time):
    duels = [play.running(), play.running(refereed=False), play.announced(), play.agreed(), play.challenged()]
    time.go_on(days=8)
    assert sweep()["done"] == len(duels)
    before = [written(duel) for duel in duels]
    assert [sweep() for _again in range(10)] == [{"done": 0, "failed": 0}] * 10
    assert [written(duel) for duel in duels] == before


def test_a_late_sweep_counts_the_next_turn_from_when_it_came(time):
    duel = play.running(refereed=False)
    time.go_to(duel.due_at, days=3)
    came = time.now()
    sweep()
    assert play.fresh(duel).phase.opened_at >= came
    assert play.fresh(duel).due_at >= came + dt.timedelta(hours=48)
    assert infractions(duel) == [(1, "a"), (1, "b")]


def test_a_duel_that_fails_three_times_is_set_aside_and_the_others_go_on(time, monkeypatch, caplog):
    sick, sound = play.running(), play.running()
    lock = sweeping.lock

    def break_down(duel, **named):
        if duel.pk == sick.pk:
            lock(duel, **named)
            raise RuntimeError("an unknown event")
        lock(duel, **named)

    monkeypatch.setattr(sweeping, "lock", break_down)
    time.go_to(sick.due_at, minutes=1)
    before = written(sick)
    assert sweep() == {"done": 1, "failed": 1}
    assert play.fresh(sound).phase.status == Phase.Status.LOCKED
    assert [sweep()["failed"] for _again in range(3)] == [1, 1, 0]
    assert play.fresh(sick).failures == 3
    assert written(sick) == before  # nothing half-done
    assert {record.levelno for record in caplog.records if record.name == "duels.actions.sweep"} == {logging.ERROR}
    monkeypatch.setattr(sweeping, "lock", lock)
    take_up_again(duel_id=sick.pk)
    assert sweep() == {"done": 1, "failed": 0}
    assert play.fresh(sick).failures == 0


def test_a_duel_set_aside_can_still_be_played(time):
    duel = play.running()
    Duel.objects.filter(pk=duel.pk).update(failures=3)
    play.file(duel, "a")
    play.file(duel, "b")
    assert play.fresh(duel).phase.status == Phase.Status.LOCKED


def test_the_longest_overdue_comes_first_and_a_limit_leaves_the_rest(time):
    late, later = play.running(), play.running()
    Duel.objects.filter(pk=late.pk).update(due_at=late.due_at - dt.timedelta(hours=1))
    time.go_to(later.due_at, minutes=1)
    assert sweep(limit=1)["done"] == 1
    assert play.fresh(late).phase.status == Phase.Status.LOCKED
    assert play.fresh(later).phase.is_open


def test_the_command_says_what_was_done(time):
    duel = play.running()
    time.go_to(duel.due_at, minutes=1)
    said = StringIO()
    call_command("sweep", stdout=said)
    assert said.getvalue() == "1 done, 0 failed\n"
    assert Entry.objects.filter(duel=duel, kind="infraction").count() == 2
