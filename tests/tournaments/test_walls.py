"""The end of a round: when it comes, whom it finds absent, and what has moved it."""

import datetime as dt
from unittest.mock import patch

import pytest

from duels import clock
from duels.actions.ledger import held
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.actions.turns import lock
from duels.models import Happening, Post, Transfer
from tests import play as duel_play
from tests import spells_play
from tests.duels.exporting import failures
from tests.factories import RefereeFactory
from tournaments.actions import walls
from tournaments.actions.sweep import sweep
from tournaments.models import Reign

from . import play

pytestmark = pytest.mark.django_db(transaction=True)

DAYS = dt.timedelta(days=1)


def at_the_wall(tournament):
    """Let the clock come to the wall of the round under way."""
    with patch.object(clock, "now", lambda: tournament.wall + clock.GRACE):
        play.sweep_at(tournament.wall + clock.GRACE)
    return play.fresh(tournament)


# When it comes


def test_a_round_that_opens_in_time_ends_as_announced():
    tournament = play.running(4)
    assert tournament.wall == tournament.announced_wall_of(1) == tournament.starts_at + 14 * DAYS
    assert tournament.wall_of(2) == tournament.starts_at + 28 * DAYS


def test_a_round_that_opens_late_lasts_its_full_time():
    tournament = play.announced(4)
    late = tournament.starts_at + 3 * DAYS
    play.sweep_at(late)
    tournament = play.fresh(tournament)
    assert tournament.wall == late + 14 * DAYS
    assert tournament.wall_of(2) == late + 28 * DAYS


def test_a_round_that_opens_early_ends_as_announced():
    tournament = play.play_round(play.running(4))
    assert (tournament.round, tournament.wall) == (2, tournament.starts_at + 28 * DAYS)


@pytest.mark.parametrize("length", [dt.timedelta(minutes=20), 2 * DAYS])
def test_what_a_silence_took_is_added_once(length):
    tournament = play.running(4)
    began = tournament.starts_at + 5 * DAYS
    play.beat_until(began)
    play.sweep_after_silence(began + length)
    assert play.fresh(tournament).wall == tournament.wall + length
    play.sweep_at(began + length + dt.timedelta(minutes=1))
    assert play.fresh(tournament).wall == tournament.wall + length


def test_a_silence_over_the_wall_decides_nothing_before_it_is_made_good():
    tournament = play.running(4)
    play.beat_until(tournament.wall - dt.timedelta(hours=10))
    play.sweep_after_silence(tournament.wall + 2 * DAYS)
    later = play.fresh(tournament)
    assert later.round == 1
    assert later.wall == tournament.wall + 2 * DAYS + dt.timedelta(hours=10)
    assert at_the_wall(later).round == 2


def test_nothing_is_decided_before_it_is_known_what_a_silence_was():
    tournament = play.running(4)
    play.beat_until(tournament.wall - DAYS)
    with patch.object(clock, "now", lambda: tournament.wall + DAYS):
        assert sweep() == {"done": 0, "failed": 0}
    assert play.fresh(tournament).round == 1
    play.sweep_after_silence(tournament.wall + DAYS)
    assert play.fresh(tournament).wall == tournament.wall + 2 * DAYS


def test_a_silence_before_the_round_opened_takes_nothing_of_it():
    tournament = play.running(4)
    play.beat_until(tournament.starts_at + DAYS)
    for match in tournament.matches.all():
        play.end_duel(match)
    play.sweep_after_silence(tournament.starts_at + 4 * DAYS)
    second = play.fresh(tournament)
    assert (second.round, second.wall) == (2, tournament.starts_at + 28 * DAYS)


def test_a_round_opened_meanwhile_is_not_decided_at_the_wall_of_the_one_before():
    stale = play.running(4)
    tournament = at_the_wall(stale)
    assert tournament.round == 2
    with patch.object(clock, "now", lambda: stale.wall + clock.GRACE):
        walls.come_to_the_wall(stale)
        walls.come_to_the_wall(tournament)  # as one who had read the round, but not when it ends
    assert tournament.matches.get(round=2).decided_at is None
    assert tournament.matches.get(round=2).duel.status == "announced"


# Who is absent at it


SPELLS = {"ruleset": "spells", "mode": "rp"}
RULESETS = pytest.mark.parametrize("terms", [{}, SPELLS], ids=["arena", "spells"])


def short(entrants=2, **terms):
    """Return a tournament of four days a round, its first duels begun; no two have the same gauges."""
    tournament = play.announced(round_days=4, **terms)
    for _number in range(entrants):
        play.enter(tournament, play.unequal(tournament))
    tournament = play.opened(tournament)
    for match in tournament.matches.exclude(duel=None):
        play.start_duel(match)
    return tournament


def files(match, letter):
    if match.duel.ruleset == "arena":
        duel_play.file(match.duel, letter)
    else:
        spells_play.file(match.duel, letter)


@RULESETS
@pytest.mark.parametrize("there", ["a", "b"])
def test_who_files_nothing_by_the_end_of_the_round_loses_by_absence_and_is_out(terms, there):
    tournament = short(**terms)
    match = tournament.matches.get()
    files(match, there)
    tournament = at_the_wall(tournament)
    match = tournament.matches.with_all().get()
    present, gone = (match.first, match.second) if there == "a" else (match.second, match.first)
    assert (match.how, match.winner, gone.status) == ("absence", present, "disqualified")
    assert Reign.objects.get().duellist == present.duellist
    assert Post.objects.get(thread__duel=match.duel, details__note="absent").seat == ("b" if there == "a" else "a")
    assert (match.duel.winner in ("a", "1")) is (there == "a")
    assert match.duel.ended_by == "absence"
    assert failures(match.duel) == []
    assert brought(present) == ({"points": 1, "salary": 4} if terms else {})
    assert brought(gone) == {}


def brought(entrant):
    return dict(Transfer.objects.filter(payee__duellist=entrant.duellist).values_list("payee__currency", "amount"))


@RULESETS
@pytest.mark.parametrize("kind", ["single", "double", "round_robin", "swiss"])
def test_two_who_file_nothing_are_both_out_and_nobody_is_champion_nor_paid(kind, terms):
    tournament = at_the_wall(short(kind=kind, **terms))
    match = tournament.matches.with_all().get()
    assert (match.how, match.a_points, match.b_points) == ("absence", 0, 0)
    assert {match.first.status, match.second.status} == {"disqualified"}
    assert (tournament.status, Reign.objects.count(), match.duel.winner) == ("over", 0, "")
    told = Happening.objects.get(what="tournament_vacant")
    assert sorted(told.concerns) == sorted(entrant.duellist.user_id for entrant in tournament.entrants.all())
    assert not Transfer.objects.exists()
    assert failures(match.duel) == []


def test_who_missed_two_turns_of_a_spell_duel_is_paid_nothing_in_the_third():
    tournament = short(**SPELLS)
    match = tournament.matches.get()
    for _turn in range(2):
        with held(match.duel_id) as duel:
            lock(duel, at=clock.now())
    assert duel_play.fresh(match.duel).turn == 3
    tournament = at_the_wall(tournament)
    match = tournament.matches.with_all().get()
    assert (match.how, match.a_points, match.b_points, match.duel.winner) == ("absence", 0, 0, "")
    assert not Transfer.objects.exists()


@RULESETS
def test_whose_time_still_runs_by_a_time_out_is_not_absent(terms):
    tournament = short(referees=[RefereeFactory()], **terms)
    match = tournament.matches.with_all().get()
    user = duel_play.player(match.duel, "b")
    asked = ask_time_out(user=user, duel_id=match.duel_id, hours=120, reason="Examens.", received_at=clock.now())
    answer_time_out(user=duel_play.fresh(match.duel).referee, time_out_id=asked.pk, granted=True, reason="Accordé.")
    files(match, "a")
    tournament = at_the_wall(tournament)
    match = tournament.matches.get()
    assert match.how in ("wall", "lot")
    assert not tournament.entrants.filter(status="disqualified").exists()


@pytest.mark.parametrize(("late", "is_absent"), [(dt.timedelta(minutes=9), True), (dt.timedelta(hours=1), False)])
def test_a_few_minutes_that_clocks_were_late_save_nobody(late, is_absent):
    tournament = short()
    match = tournament.matches.get()
    files(match, "a")
    with held(match.duel_id) as duel:
        duel.current.due_at = duel.due_at = tournament.wall + clock.GRACE + late
    tournament = at_the_wall(tournament)
    assert tournament.entrants.filter(status="disqualified").exists() is is_absent


def test_a_deadline_missed_before_counts_though_the_next_one_still_runs():
    tournament = short()
    match = tournament.matches.get()
    play.file_one_and_close(match.duel, "a")
    with held(match.duel_id) as duel:
        duel.current.due_at = duel.due_at = tournament.wall + DAYS
    tournament = at_the_wall(tournament)
    assert [one.pk for one in tournament.entrants.filter(status="disqualified")] == [match.second_id]


def test_two_who_have_filed_are_judged_as_they_stand():
    tournament = short()
    match = tournament.matches.get()
    files(match, "b")
    files(match, "a")
    tournament = at_the_wall(tournament)
    assert tournament.matches.get().how in ("wall", "lot")
    assert not tournament.entrants.filter(status="disqualified").exists()


def test_in_a_duel_that_had_not_begun_nobody_is_absent():
    tournament = at_the_wall(play.running(2))
    assert tournament.matches.get().how == "lot"
    assert not tournament.entrants.filter(status="disqualified").exists()


def test_a_substitute_takes_the_place_of_who_was_absent():
    tournament = short(4, kind="round_robin", capacity=3)
    match = tournament.matches.get(round=1)
    files(match, "a")
    tournament = at_the_wall(tournament)
    match.refresh_from_db()
    assert (match.how, match.second.status) == ("absence", "disqualified")
    substitute = tournament.entrants.get(replaces=match.second)
    assert (substitute.status, substitute.place) == ("in", match.b)


# Substitutes


def test_who_comes_later_takes_a_place_that_was_left_before():
    tournament = play.running(3, kind="round_robin")
    gone = tournament.entrants.get(place=1)
    play.leave(gone)
    late = play.enter(tournament)
    assert (late.status, late.place, late.replaces) == ("in", 1, gone)
    tournament = play.played(play.fresh(tournament))
    assert tournament.matches.filter(round__gt=1, first=late).exists()


def test_who_comes_later_takes_no_place_that_has_nothing_to_play_any_more():
    tournament = play.running(4)
    play.leave(tournament.entrants.get(place=1))
    assert play.enter(tournament).status == "reserve"


def test_a_duel_that_a_substitute_takes_up_late_has_four_days():
    tournament = play.announced(3, capacity=2)
    play.sweep_at(tournament.starts_at)
    tournament = play.fresh(tournament)
    late = tournament.wall - DAYS
    with patch.object(clock, "now", lambda: late):
        play.leave(tournament.matches.get().first)
    assert play.fresh(tournament).wall == late + 4 * DAYS


# Nobody wins


def test_where_both_finalists_are_out_the_title_stays_where_it_was():
    before = play.played(play.running(2)).reign
    tournament = play.running(4, round_days=4)
    for match in tournament.matches.all():
        play.end_duel(match)
    play.sweep_now(tournament)
    tournament = play.fresh(tournament)
    play.start_duel(tournament.matches.get(round=2))
    tournament = at_the_wall(tournament)
    assert (tournament.status, Reign.objects.filter(tournament=tournament).count()) == ("over", 0)
    before.refresh_from_db()
    assert before.until is None
