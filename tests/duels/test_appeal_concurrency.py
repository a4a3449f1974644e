"""Appeals and corrections at the same moment as something else, on real connections, in either order."""

import datetime as dt

import pytest

from duels import clock
from duels.actions.appeals import contest_resolution, decide_appeal
from duels.actions.ending import surrender
from duels.actions.revisions import correct_turn
from duels.actions.sweep import wake
from duels.actions.turns import publish_turn
from duels.errors import Refused, TooLate
from duels.models import Appeal, Duel, Phase
from tests import play
from tests.duels.exporting import failures
from tests.factories import RefereeFactory
from tests.lifting import lifted

from .test_concurrency import ORDERS, filing, refused, together

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def duel():
    return play.play_turn(play.running())


def contesting(duel, letter):
    user = play.player(duel, letter)
    resolution, at = play.fresh(duel).phase.after_id, clock.now()
    return lambda: contest_resolution(user=user, duel_id=duel.pk, resolution_id=resolution, reason="…", received_at=at)


def contested(duel):
    return contesting(duel, "a")()


def deciding(appeal, granted, user=None):
    user = user or RefereeFactory()
    return lambda: decide_appeal(user=user, appeal_id=appeal.pk, granted=granted, reason="…")


def correcting(duel):
    duel = play.fresh(duel)
    return lambda: correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="…", seen=duel.phase_id)


def past_the_cap(appeal):
    """Let the 48 hours of an appeal have passed 31 seconds ago."""
    until = clock.now() - clock.GRACE - dt.timedelta(seconds=1)
    with lifted():
        Appeal.objects.filter(pk=appeal.pk).update(until=until, made_at=until - dt.timedelta(hours=48))
    Duel.objects.filter(pk=appeal.duel_id).update(stopped_until=until, wake_at=until + clock.GRACE)


@ORDERS
def test_two_referees_who_decide_at_once_are_one_answer(duel, order):
    appeal = contested(duel)
    results = together(duel, deciding(appeal, True), deciding(appeal, False), order=order)
    assert len(refused(results)) == 1
    assert isinstance(results[order[1]], TooLate)
    appeal.refresh_from_db()
    duel = play.fresh(duel)
    assert appeal.answer == ("granted" if order[0] == 0 else "upheld")
    assert duel.branch == int(order[0] == 0)
    assert duel.entries.filter(kind="appeal_answer").count() == 1
    assert failures(duel, moved=True) == []


@ORDERS
def test_at_the_cap_the_clock_and_a_referee_are_one_answer(duel, order):
    appeal = contested(duel)
    answer = deciding(appeal, True)
    past_the_cap(appeal)
    together(duel, answer, lambda: wake(duel.pk), order=order)
    appeal.refresh_from_db()
    duel = play.fresh(duel)
    assert (appeal.answer, duel.branch, duel.stopped_until) == ("lapsed", 0, None)
    assert duel.entries.filter(kind="appeal_answer").count() == 1
    assert failures(duel, moved=True) == []


@ORDERS
def test_at_the_cap_the_clock_and_a_player_who_files_let_it_lapse_once(duel, order):
    appeal = contested(duel)
    past_the_cap(appeal)
    results = together(duel, filing(duel, "a"), lambda: wake(duel.pk), order=order)
    assert refused(results) == []
    duel = play.fresh(duel)
    assert (duel.awaited, duel.entries.filter(kind="appeal_answer").count()) == ("b", 1)


@ORDERS
def test_both_players_who_contest_at_once_are_one_appeal(duel, order):
    results = together(duel, contesting(duel, "a"), contesting(duel, "b"), order=order)
    assert len(refused(results)) == 1
    assert Appeal.objects.get().seat.letter == "ab"[order[0]]


@ORDERS
def test_contesting_as_the_last_declaration_comes(duel, order):
    play.file(duel, "a")
    results = together(duel, contesting(duel, "a"), filing(duel, "b"), order=order)
    assert len(refused(results)) == 1
    duel = play.fresh(duel)
    assert duel.phase.is_open is (duel.stopped_until is not None) is (order[0] == 0)
    assert failures(duel, moved=True) == []


@ORDERS
def test_contesting_and_correcting_exclude_each_other(duel, order):
    results = together(duel, contesting(duel, "a"), correcting(duel), order=order)
    assert len(refused(results)) == 1
    duel = play.fresh(duel)
    assert (duel.branch, duel.stopped_until is None) == ((1, True) if order[0] == 1 else (0, False))


@ORDERS
def test_deciding_as_somebody_surrenders(duel, order):
    appeal = contested(duel)
    user = play.player(duel, "b")
    results = together(
        duel,
        deciding(appeal, True),
        lambda: surrender(user=user, duel_id=duel.pk, received_at=clock.now()),
        order=order,
    )
    assert len(refused(results)) == int(order[0] == 1)
    duel = play.fresh(duel)
    assert (duel.is_over, duel.winner, failures(duel)) == (True, "a", [])


@ORDERS
def test_correcting_as_the_last_declaration_comes(duel, order):
    play.file(duel, "a")
    results = together(duel, correcting(duel), filing(duel, "b"), order=order)
    assert len(refused(results)) == int(order[0] == 0)  # the turn that it closed was the one seen: superseded too
    duel = play.fresh(duel)
    assert (duel.branch, duel.turn, duel.phase.status) == (1, 1, "locked")
    assert failures(duel, moved=True) == []


@ORDERS
def test_correcting_and_publishing_at_once(duel, order):
    play.file(duel, "a")
    play.file(duel, "b", thrust="torso", parry="right_arm")
    duel = play.fresh(duel)

    def publishing():
        return publish_turn(user=duel.referee, duel_id=duel.pk, turn=2, revision=1)

    results = together(duel, correcting(duel), publishing, order=order)
    assert len(refused(results)) == 1
    duel = play.fresh(duel)
    assert duel.branch == int(order[0] == 0)
    assert duel.phases.filter(status__in=(Phase.Status.OPEN, Phase.Status.LOCKED)).count() == 1
    assert failures(duel, moved=True) == []


@ORDERS
def test_two_corrections_at_once_are_one(duel, order):
    results = together(duel, correcting(duel), correcting(duel), order=order)
    assert [isinstance(result, Refused) for result in results].count(True) == 1
    assert play.fresh(duel).branch == 1
