"""An outage before the start: who could not hide their receptacle in time is given back what was lost (A4.1)."""

import datetime as dt

import pytest

from duels import clock
from duels.actions.heartbeat import beat
from duels.actions.preparation import hide_receptacle
from duels.actions.sweep import sweep
from duels.models import Happening, Post
from tests import play, spells_play
from tests.duels.readers import as_user, english

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def duel(time):
    """Announced; the clock beats."""
    duel = play.announced(starts_at=clock.now() + 72 * HOUR)
    beat(at=clock.now())
    return duel


def hide(duel, letter):
    hide_receptacle(user=play.player(duel, letter), duel_id=duel.pk, zone="head", received_at=clock.now())
    return play.fresh(duel).seats.get(letter=letter).hidden_late


def notes(duel):
    found = Post.objects.filter(thread__duel=duel, kind="note").order_by("position")
    return [post.details["note"] for post in found]


def about(span):
    return pytest.approx(span.total_seconds(), abs=60)


def test_across_the_hour_to_hide_it_the_start_and_that_hour_come_later(duel, time):
    before = duel.starts_at
    time.go_to(before, hours=-26)
    time.stand_still(hours=5)
    sweep()
    after = play.fresh(duel)
    assert (after.starts_at - before).total_seconds() == about(5 * HOUR)
    assert after.due_at == after.starts_at
    assert notes(duel) == ["outage"]
    assert set(Happening.objects.get(what="start_put_off").concerns) == {one["user"] for one in duel.cast.values()}
    assert "The site was down before the start" in english(as_user()).get(duel.get_absolute_url()).text
    assert hide(duel, "a") is False
    time.go_to(after.starts_at, hours=-23)
    assert hide(duel, "b") is True


def test_across_the_start_itself_it_does_not_start_at_once(duel, time):
    time.go_to(duel.starts_at, hours=-2)
    time.stand_still(hours=5)
    came_back = clock.now()
    sweep()
    after = play.fresh(duel)
    assert after.status == "announced"
    assert (after.starts_at - came_back).total_seconds() == about(2 * HOUR)
    time.go_to(after.starts_at, seconds=31)
    sweep()
    assert play.fresh(duel).is_running


def test_once_for_each_silence_and_a_day_at_most_in_all(duel, time):
    before = duel.starts_at
    time.go_to(before, hours=-40)
    time.stand_still(hours=3)
    sweep()
    time.go_on(hours=1)
    sweep()
    time.stand_still(hours=40)
    came_back = clock.now()
    sweep()
    sweep()
    after = play.fresh(duel)
    assert notes(duel) == ["outage", "outage"]
    assert (after.starts_at - max(came_back, before + 3 * HOUR)).total_seconds() == about(21 * HOUR)


def test_long_before_it_costs_nothing(duel, time):
    time.stand_still(hours=10)
    sweep()
    assert play.fresh(duel).starts_at == duel.starts_at
    assert notes(duel) == []


def test_where_everybody_has_hidden_in_time_the_start_keeps_its_hour(duel, time):
    assert (hide(duel, "a"), hide(duel, "b")) == (False, False)
    time.go_to(duel.starts_at, hours=-26)
    time.stand_still(hours=5)
    sweep()
    assert play.fresh(duel).starts_at == duel.starts_at


def test_where_there_is_nothing_to_hide_it_starts_as_the_clock_comes_back(time):
    duel = spells_play.announced()
    beat(at=clock.now())
    time.go_to(duel.starts_at, hours=-2)
    time.stand_still(hours=5)
    sweep()
    assert play.fresh(duel).is_running
