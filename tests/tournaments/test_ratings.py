"""Ratings for the curious: every duel over counts once, in its order, and the log gives the same again."""

import datetime as dt
from io import StringIO
from unittest.mock import patch

import pytest
from django.core.management import call_command

from duels import clock
from duels.actions.ending import surrender
from duels.models import Happening
from tests import play as duel_play
from tests import spells_play
from tests.factories import DuellistFactory
from tournaments.actions.happenings import SETTLED, settled
from tournaments.actions.rating import rate_anew, rate_what_is_over
from tournaments.models import Cursor, Rating
from tournaments.queries import ratings
from tournaments.queries.ratings import Over

from . import play

pytestmark = pytest.mark.django_db(transaction=True)


def rate_later():
    """Rate what is over, so late that no gap in the keys is fresh (those of earlier tests leave one)."""
    later = clock.now() + 2 * SETTLED
    with patch.object(clock, "now", lambda: later):
        return rate_what_is_over()


def cast(*letters):
    return {letter: {"duellist": number} for number, letter in enumerate(letters, start=1)}


def fought(winner, letters="ab"):
    return ratings.rate({}, Over("arena", cast(*letters), winner))


@pytest.mark.parametrize(("winner", "up", "down"), [("a", 1, 2), ("b", 2, 1), ("1", 1, 2), ("2", 2, 1)])
def test_who_wins_gains_what_the_other_loses_and_both_are_surer(winner, up, down):
    start, after = ratings.fresh(), fought(winner)
    assert after[up, "arena"].mu > start.mu > after[down, "arena"].mu
    assert all(one.sigma < start.sigma and one.duels == 1 for one in after.values())


def test_a_draw_between_equals_changes_only_how_sure_one_is():
    assert {one.mu for one in fought("").values()} == {ratings.fresh().mu}


def test_a_team_gains_together():
    after = fought("2", "abcd")
    assert after[2, "arena"].mu == after[4, "arena"].mu > after[1, "arena"].mu == after[3, "arena"].mu


def test_beating_the_strong_brings_more_than_beating_the_weak():
    strong, weak = {(2, "arena"): ratings.Rated(35.0, 3.0)}, {(2, "arena"): ratings.Rated(15.0, 3.0)}
    over = Over("arena", cast("a", "b"), "a")
    assert ratings.rate(strong, over)[1, "arena"].mu > ratings.rate(weak, over)[1, "arena"].mu


def a_season():
    a, b, c = DuellistFactory(), DuellistFactory(), DuellistFactory()
    for one, other in ((a, b), (b, c), (c, a), (a, b)):
        duel_play.over(a=one, b=other)
    play.played(play.running(3, ruleset="spells", mode="rp"))


def test_computed_anew_from_the_log_they_are_those_that_were_stored_bit_by_bit():
    a_season()
    rate_later()
    assert Rating.objects.count() == 6
    assert rate_anew() == []
    a_season()
    rate_later()
    assert rate_anew() == []


def test_each_duel_counts_once_however_often_it_is_looked_for():
    duel_play.over()
    rate_later()
    before = list(Rating.objects.values())
    assert rate_later() == 0
    assert list(Rating.objects.values()) == before


def test_a_batch_that_is_cut_off_counts_nothing_and_then_everything(monkeypatch):
    a_season()

    def cut_off(*_args, **_more):
        raise RuntimeError

    with monkeypatch.context() as cut:
        cut.setattr(Cursor, "save", cut_off)
        with pytest.raises(RuntimeError):
            rate_later()
    assert not Rating.objects.exists()
    monkeypatch.setattr("tournaments.actions.happenings.BATCH", 7)
    rate_later()
    assert rate_anew() == []


def test_a_fresh_gap_in_the_keys_is_waited_for_and_an_old_one_is_not():
    now = clock.now()
    old, fresh = (Happening(pk=pk, what="over", at=now - dt.timedelta(minutes=age)) for pk, age in ((5, 6), (6, 1)))
    late = Happening(pk=8, what="over", at=now)
    assert settled(3, [old, fresh, late], now) == [old, fresh]
    assert settled(5, [late], now) == []


def test_what_was_tampered_with_is_put_right():
    duel_play.over()
    rate_later()
    rating = Rating.objects.first()
    Rating.objects.filter(pk=rating.pk).update(mu=99)
    Rating.objects.create(duellist=DuellistFactory(), ruleset="arena", mu=1, sigma=1)
    out = StringIO()
    call_command("rerate", stdout=out)
    assert "2 ratings were not as the log has them" in out.getvalue()
    rating.refresh_from_db()
    assert rating.mu != 99
    assert Rating.objects.count() == 2


def test_the_page_lists_who_is_surely_strongest_first(client):
    assert 'href="/duels/"' in client.get("/champions/cotes/").content.decode().split("<main")[1]
    duel = duel_play.over()
    rate_later()
    shown = client.get("/champions/cotes/").content.decode()
    winner, loser = (duel.cast[letter]["name"] for letter in "ab")
    assert shown.index(winner) < shown.index(loser)
    assert client.get("/champions/cotes/?regles=spells").status_code == 200
    assert client.get("/champions/cotes/?regles=quidditch").status_code == 404


def test_a_spell_duel_of_four_is_rated():
    duel = spells_play.running(count=4)
    for letter in "bd":
        surrender(user=duel_play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    rate_later()
    assert list(Rating.objects.values_list("ruleset", "duels")) == [("spells", 1)] * 4
