"""Workers killed, connections cut, clocks that are off: what is due is done, once, as if nothing had happened."""

import datetime as dt
import random
import time

import pytest
from django.db import connection

from duels import clock
from duels.models import Heartbeat, Resolution
from tests import play
from tests.scale import scaled

from . import processes
from .books import amiss, foretold
from .cloning import copies, make_due
from .waiting import all_done, until

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TIMES = scaled(4, 200)
AT_ONCE = 12  # duels due in each round


@pytest.fixture
def keys():
    """Open duels, half of them with a referee; nothing was filed in half of them."""
    made = []
    for refereed in (True, False):
        duel = play.running(refereed=refereed)
        made += copies(duel, TIMES * AT_ONCE // 4)
        play.file(duel, "a")
        made += copies(duel, TIMES * AT_ONCE // 4)
    random.shuffle(made)
    return made


def rounds(keys):
    """Let some duels be due, again and again; each time, come back a moment later, in the middle of the sweeps."""
    for begun in range(0, len(keys), AT_ONCE):
        make_due(keys[begun : begun + AT_ONCE], clock.now() - clock.GRACE)
        time.sleep(random.uniform(0, 0.15))
        yield


def test_workers_are_killed(keys):
    expected = foretold(keys)
    with processes.sweepers(4) as workers:
        killed = 0
        for _round in rounds(keys):
            processes.kill(workers.pop(random.randrange(len(workers))))
            killed += 1
            if len(workers) == 1:
                workers += processes.start_sweepers(3)
        until(all_done)
    assert killed == TIMES
    assert amiss(keys, expected) == []


def test_connections_are_cut(keys):
    expected = foretold(keys)
    with processes.sweepers(4) as workers:
        cut = 0
        for _round in rounds(keys):
            cut += cut_connections()
        until(all_done)
        assert [worker.poll() for worker in workers] == [None] * 4
    assert cut > TIMES
    assert amiss(keys, expected) == []


def cut_connections():
    """End every other connection to this database; return how many there were."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return cursor.fetchone()[0]


def test_clocks_are_off(keys):
    """The database's clock counts: a worker five minutes ahead closes nothing early, one behind nothing late."""
    expected = foretold(keys)
    soon = keys[:AT_ONCE]
    with processes.sweepers(1, seconds_ahead=300), processes.sweepers(1, seconds_ahead=-300):
        due_at = clock.now() - clock.GRACE + dt.timedelta(seconds=4)
        make_due(soon, due_at)
        for _round in rounds(keys[AT_ONCE:]):
            pass
        until(all_done)
        until(lambda: clock.now() > due_at + clock.GRACE)
        until(all_done)
    assert amiss(keys, expected) == []
    closed = closings(soon)
    assert min(closed) >= due_at + clock.GRACE
    assert max(beat.at for beat in Heartbeat.objects.all()) <= clock.now()


def closings(keys):
    return list(Resolution.objects.filter(phase__duel__in=keys).values_list("computed_at", flat=True))
