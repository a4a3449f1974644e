"""The clock as it runs, Celery over a broker: the broker goes and comes back, a worker's own clock is off, workers are
killed."""

import os
import random
import signal
import time

import pytest

from config.celery import app
from duels import clock
from duels.models import Phase
from tests import play
from tests.scale import scaled

from . import processes
from .books import amiss, foretold
from .cloning import copies, make_due
from .waiting import all_done, until

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TIMES = scaled(1, 10)
KILLED = scaled(4, 200)
AT_ONCE = 20


@pytest.fixture
def keys():
    return open_duels(2 * TIMES + 1)


def open_duels(times):
    """Return the keys of as many duels as so many times take, with a declaration filed in each."""
    duel = play.running(refereed=False)
    play.file(duel, "a")
    return copies(duel, times * AT_ONCE)


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


def test_workers_are_killed(broker):
    """With their whole pool, or one process of it, while they close turns; others take their place."""
    keys = open_duels(KILLED)
    expected = foretold(keys)
    due, amid_work = [], 0
    workers = [processes.worker(broker, 2) for _each in range(2)]
    with processes.running([processes.beat(broker)]), processes.running(workers):
        for kill in (kill_a_worker, kill_a_child) * (KILLED // 2):
            due += (some := taken_from(keys))
            send_sweeps(broker, number=4)
            left = random.randrange(1, AT_ONCE)
            until(lambda some=some, left=left: still_open(some) <= left, every=0.005)
            kill(workers, broker)
            amid_work += still_open(some) > 0
        until(all_done)
    assert amid_work > 0
    assert amiss(due, expected) == []


def send_sweeps(broker, number):
    """Have so many processes sweep now, besides what beat sends."""
    with app.connection_for_write(broker) as connection:
        for _each in range(number):
            app.send_task("duels.tasks.sweep", connection=connection)


def kill_a_worker(workers, broker):
    """End one with all its pool, and start another."""
    place = random.randrange(len(workers))
    processes.kill(workers[place])
    workers[place] = processes.worker(broker, 2)


def kill_a_child(workers, _broker):
    """End one process of a pool; its worker makes another."""
    os.kill(random.choice([child for worker in workers for child in processes.children(worker)]), signal.SIGKILL)


def still_open(keys):
    return Phase.objects.filter(duel__in=keys, number=1, status=Phase.Status.OPEN).count()
