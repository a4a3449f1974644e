"""Several clocks, or a person and the clock, at one tournament at the same moment."""

import pytest
from django.db import transaction

from duels.actions.arranged import decide_at_the_wall
from duels.actions.availability import set_availability
from duels.errors import TooLate
from duels.models import Availability, Duel
from tests import play as duel_play
from tests.duels.exporting import failures
from tests.duels.test_concurrency import ORDERS, together
from tests.factories import DuellistFactory, RefereeFactory
from tournaments.actions.leaving import withdraw
from tournaments.actions.rounds import _referee_for
from tournaments.actions.sweep import wake
from tournaments.models import Match, Reign, Tournament

from . import play

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def row(tournament):
    return Tournament.objects.filter(pk=tournament.pk)


def test_two_clocks_open_one_round():
    tournament = play.running(4)
    for match in tournament.matches.all():
        play.end_duel(match)
    together(row(tournament), *[lambda: wake(tournament.pk)] * 3)
    assert Match.objects.filter(round=2).count() == 1
    assert Duel.objects.count() == 3


def test_two_clocks_crown_one_champion():
    tournament = play.running(2)
    play.end_duel(tournament.matches.get())
    together(row(tournament), *[lambda: wake(tournament.pk)] * 3)
    assert Reign.objects.count() == 1


def test_two_tournaments_won_at_once_leave_one_who_reigns():
    tournaments = [play.running(2), play.running(2)]
    for tournament in tournaments:
        play.end_duel(tournament.matches.get())
    ended = together(
        Tournament.objects.all(), *[lambda tournament=tournament: wake(tournament.pk) for tournament in tournaments]
    )
    assert ended == [None, None]
    assert Reign.objects.count() == 2
    assert Reign.objects.filter(until=None).count() == 1


def test_both_who_leave_one_match_at_once_leave_one_winner():
    tournament = play.running(2)
    match = tournament.matches.get()
    users = [match.first.duellist.user, match.second.duellist.user]
    together(row(tournament), *[lambda user=user: withdraw(user=user, tournament_id=tournament.pk) for user in users])
    assert play.fresh(tournament).status == "over"
    assert Reign.objects.get().duellist == match.second.duellist


def test_the_last_place_is_given_once():
    tournament = play.announced(1, capacity=2)
    comers = [DuellistFactory(), DuellistFactory()]
    together(row(tournament), *[lambda one=one: play.enter(tournament, one) for one in comers])
    assert sorted(tournament.entrants.values_list("status", flat=True)) == ["registered", "registered", "reserve"]


def running_duel(tournament):
    match = tournament.matches.get()
    play.start_duel(match)
    return Duel.objects.get(pk=match.duel_id)


@transaction.atomic(durable=True)
def wall(duel):
    decide_at_the_wall(duel_id=duel.pk)


@ORDERS
def test_a_turn_filed_as_the_wall_comes_counts_or_is_refused(order):
    duel = running_duel(play.opened(play.announced(2)))
    filed, _decided = together(duel, lambda: duel_play.file(duel, "a"), lambda: wall(duel), order=order)
    duel = duel_play.fresh(duel)
    assert (duel.status, isinstance(filed, TooLate)) == ("over", order == (1, 0))
    assert failures(duel) == []


@ORDERS
def test_who_leaves_as_the_wall_comes_loses_or_has_been_judged_already(order):
    tournament = play.announced()
    for _each in range(2):
        play.enter(tournament, play.unequal(tournament))
    duel = running_duel(play.opened(tournament))
    puppets = duel.public_view["seats"]
    poorer, richer = sorted("ab", key=lambda letter: (puppets[letter]["link"], puppets[letter]["alchemy"]))
    user = duel_play.player(duel, poorer)
    together(
        duel,
        lambda: withdraw(user=user, tournament_id=tournament.pk),
        lambda: wall(duel),
        order=order,
    )
    wake(tournament.pk)
    duel = duel_play.fresh(duel)
    match = tournament.matches.get()
    assert (duel.status, play.fresh(tournament).status, match.decided_at is not None) == ("over", "over", True)
    assert Reign.objects.get().duellist_id == duel.cast[richer]["duellist"]
    assert failures(duel) == []


def test_two_tournaments_that_look_for_referees_at_once_wait_for_one_another_in_one_order():
    referees = [RefereeFactory() for _number in range(3)]
    for referee in referees:
        set_availability(user=referee, is_available=True, at_once=9)
    first, second, last = (referee.pk for referee in referees)
    tournaments = [play.announced(referees=referees) for _number in range(2)]

    @transaction.atomic(durable=True)
    def choose(tournament, *who_plays):
        return [_referee_for(tournament, {user}) for user in who_plays]

    chosen = together(
        Availability.objects.filter(user=last),
        lambda: choose(tournaments[0], first, second),
        lambda: choose(tournaments[1], second, first),
    )
    assert chosen == [[referees[1], referees[0]], [referees[0], referees[1]]]
