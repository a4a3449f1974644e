"""The clock as it runs, Celery over a broker: the broker goes and comes back, a worker's own clock is off."""

import time

import pytest

from duels import clock
from tests import play
from tests.scale import scaled

from . import processes
from .books import amiss, foretold
from .cloning import copies, make_due
from .waiting import all_done, until

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TIMES = scaled(1, 10)
AT_ONCE = 20


@pytest.fixture
def keys():
    duel = play.running(refereed=False)
    play.file(duel, "a")
    return copies(duel, (2 * TIMES + 1) * AT_ONCE)


@pytest.fixture
def broker(tmp_path):
    """The address of a broker that nobody else uses."""
    with processes.broker(tmp_path) as url:
        yield url


def taken_from(keys):
    """Let so many of the duels that are left be due; return them."""
    some = [keys.pop() for _each in range(AT_ONCE)]
    make_due(some, clock.now() - clock.GRACE)
    return some


def test_the_broker_goes_and_comes_back(keys, tmp_path):
    expected = foretold(keys)
    due = []
    path = tmp_path / "broker"
    url = processes.on_socket(path)
    with (
        processes.broker_of_our_own(path) as troupe,
        processes.running([processes.beat(url), processes.worker(url, 2)]),
    ):
        due += taken_from(keys)
        until(all_done)
        for _time in range(TIMES):
            due += taken_from(keys)
            troupe.stop()
            due += taken_from(keys)
            time.sleep(2)
            processes.start_broker(troupe, path)
            until(all_done)
    assert amiss(due, expected) == []


def test_a_worker_whose_clock_is_five_minutes_ahead_works_all_the_same(keys, broker):
    """What beat sends has not expired for it."""
    expected = foretold(keys)
    with processes.running([processes.beat(broker), processes.skewed_worker(broker, 300)]):
        due = taken_from(keys)
        until(all_done)
    assert amiss(due, expected) == []


def test_workers_whose_clocks_differ_do_nothing_twice(keys, broker):
    """One hands out again what the other still holds: each turn is closed once all the same."""
    expected = foretold(keys)
    skewed = [processes.skewed_worker(broker, seconds_ahead) for seconds_ahead in (300, -300)]
    beats = [processes.beat(broker), processes.beat(broker)]
    with processes.running([*beats, processes.worker(broker, 2), *skewed]):
        due = [key for _time in range(2 * TIMES) for key in taken_from(keys)]
        until(all_done)
    assert amiss(due, expected) == []
