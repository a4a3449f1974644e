"""Who is banned from spell duels (B6.0), or gone, plays in no tournament either: at no stage of it."""

import datetime as dt

import pytest

from duels import clock
from duels.actions.ending import surrender
from duels.errors import Invalid
from duels.models import Duel
from tests import spells_play
from tests.play import player

from . import play

pytestmark = pytest.mark.django_db(transaction=True)

SPELLS = {"ruleset": "spells", "mode": "rp"}


def ban(duellist):
    """Have somebody been disqualified in a spell duel, elsewhere, that is over."""
    duel = spells_play.running(refereed=False)
    surrender(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    duel = Duel.objects.get(pk=duel.pk)
    duel.seats.filter(letter="b").update(duellist=duellist)
    duel.public_view["seats"]["b"]["out"] = "disqualified"
    duel.save(update_fields=["public_view"])


def test_who_is_banned_does_not_enter():
    fighter = spells_play.fighter()
    ban(fighter)
    with pytest.raises(Invalid, match=r"B6\.0"):
        play.enter(play.announced(**SPELLS), fighter)


def test_who_was_banned_before_the_start_makes_room_for_who_waits():
    tournament = play.announced(3, capacity=2, **SPELLS)
    banned, _other, waiting = tournament.entrants.order_by("registered_at", "pk")
    ban(banned.duellist)
    play.sweep_at(tournament.starts_at)
    banned.refresh_from_db()
    waiting.refresh_from_db()
    assert (banned.status, banned.reason, banned.place) == ("disqualified", "B6.0", None)
    assert (waiting.status, play.fresh(tournament).status) == ("in", "running")


def test_whose_ban_is_over_may_come_back_as_a_substitute():
    tournament = play.announced(3, **SPELLS)
    banned = tournament.entrants.order_by("registered_at", "pk").first()
    ban(banned.duellist)
    play.sweep_at(tournament.starts_at)
    Duel.objects.filter(seats__duellist=banned.duellist).update(ended_at=clock.now() - dt.timedelta(days=200))
    assert play.enter(play.fresh(tournament), banned.duellist).status == "reserve"


def test_a_substitute_who_is_banned_is_passed_over():
    tournament = play.announced(4, capacity=2, **SPELLS)
    play.sweep_at(tournament.starts_at)
    banned, waiting = tournament.entrants.filter(status="reserve").order_by("registered_at", "pk")
    ban(banned.duellist)
    play.leave(tournament.entrants.get(place=1))
    waiting.refresh_from_db()
    assert (waiting.status, waiting.place) == ("in", 1)


@pytest.mark.parametrize("how", ["banned", "closed"])
def test_who_may_play_no_more_when_a_round_opens_is_walked_over(how):
    tournament = play.running(4, **SPELLS)
    winner = tournament.matches.order_by("pk").first().first
    for match in tournament.matches.all():
        play.end_duel(match)
    if how == "banned":
        ban(winner.duellist)
    else:
        type(winner.duellist.user).objects.filter(pk=winner.duellist.user_id).update(is_active=False)
    play.sweep_now(tournament)
    tournament = play.fresh(tournament)
    final = tournament.matches.get(round=2)
    assert (final.how, winner in (final.first, final.second), final.winner == winner) == ("walkover", True, False)
    assert tournament.status == "over"


def test_an_arena_tournament_knows_no_ban_of_the_spell_duels():
    tournament = play.announced(2)
    ban(tournament.entrants.first().duellist)
    play.sweep_at(tournament.starts_at)
    assert tournament.entrants.filter(status="in").count() == 2
