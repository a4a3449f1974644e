"""Ten thousand open duels, two thousand due at once, four workers, two beats, and people who file to the end."""

import datetime as dt
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from duels import clock
from duels.actions.filing import file_declaration
from duels.errors import TooLate
from duels.models import Duel
from tests import play
from tests.duels.test_concurrency import on_its_own
from tests.scale import scaled

from . import processes
from .books import amiss, foretold
from .cloning import copies, make_due
from .waiting import all_done, until

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

OPEN = scaled(400, 10_000)
DUE = scaled(120, 2_000)
FILED_LATE = scaled(16, 200)  # of those due
B = {"thrust": "torso", "parry": "right_arm", "option": None}


@pytest.fixture
def crowd():
    """Open duels in equal parts: with a referee and without, nothing filed and a's declaration filed."""
    keys = []
    for refereed in (True, False):
        duel = play.running(refereed=refereed)
        keys += copies(duel, OPEN // 4)
        play.file(duel, "a")
        keys += copies(duel, OPEN // 4)
    return keys[:: OPEN // DUE], keys


def file_at(key, user, received_at):
    """File for b, as received at that instant; return whether it was accepted."""

    def file():
        return file_declaration(user=user, duel_id=key, turn=1, text=play.TEXT, declaration=B, received_at=received_at)

    return not isinstance(on_its_own(file), TooLate)


def test_every_turn_is_closed_once_and_no_filing_in_time_is_lost(crowd, tmp_path):
    due, keys = crowd
    left_alone = set(keys) - set(due)
    before = dict(Duel.objects.filter(pk__in=left_alone).values_list("pk", "chain_head"))
    user = play.player(Duel.objects.get(pk=due[0]), "b")
    with (
        processes.broker(tmp_path) as url,
        processes.running([processes.beat(url), processes.beat(url), processes.worker(url)]),
    ):
        in_time, too_late = due[:FILED_LATE], due[FILED_LATE : 2 * FILED_LATE]
        expected = foretold(due[FILED_LATE:])
        due_at = clock.now() - clock.GRACE + dt.timedelta(seconds=scaled(8, 25))
        make_due(due, due_at)
        with ThreadPoolExecutor(2) as pool:
            accepted = pool.map(lambda key: file_at(key, user, due_at), in_time)
            refused = pool.map(lambda key: file_at(key, user, due_at + dt.timedelta(microseconds=1)), too_late)
            assert (Counter(accepted), Counter(refused)) == ({True: FILED_LATE}, {False: FILED_LATE})
        expected |= foretold(in_time)
        assert clock.now() < due_at + clock.GRACE, "this machine is too slow: the filings outlasted the grace"
        until(lambda: clock.now() > due_at + clock.GRACE)
        until(all_done)
    assert amiss(due, expected) == []
    assert dict(Duel.objects.filter(pk__in=left_alone).values_list("pk", "chain_head")) == before
