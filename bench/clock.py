"""How fast the clock closes what is due at once, on PostgreSQL with Celery over a broker: four workers, two beats.

With REDIS_URL, the broker is an empty database of that Redis; otherwise the one that the site brings along.

Each row has a crowd of duels of its own in a database of its own: some open, some long over, some of the open ones due
at the same instant. Lag counts from the end of the grace to the moment at which a turn was claimed to be closed.
"""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bench.postgresql import postgresql

WORKERS = 4
BEATS = 2
AHEAD = 12.0  # seconds from the making of the crowd until it is due, at least: workers and beats run by then


class Crowd(NamedTuple):
    """So many duels open, over and due."""

    open: int
    over: int
    due: int


CROWDS = (
    Crowd(500, 0, 500),
    Crowd(2_000, 0, 500),
    Crowd(10_000, 0, 500),
    Crowd(10_000, 10_000, 500),
    Crowd(10_000, 0, 1_000),
    Crowd(10_000, 0, 2_000),
)


def main() -> None:
    """Print the table, each row measured in a process of its own."""
    url = postgresql()
    if url is None:
        print("\nno PostgreSQL here: set DATABASE_URL to measure the clock on it")
        return
    print("\n| duels open | over | due | phases a second | lag p50, s | p99, s | last, s |", flush=True)
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for crowd in CROWDS:
        environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        arguments = [sys.executable, "-m", __spec__.name, *map(str, crowd)]
        subprocess.run(arguments, env=environment, check=True)  # noqa: S603


def measure(crowd: Crowd) -> None:
    """Make a database with that crowd in it, let it become due, and print its row."""
    import django

    django.setup()
    from django.db import connection

    connection.settings_dict["TEST"]["NAME"] = name = "duels_bench"
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        keys = _gathered(crowd)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        print(_row(crowd, _lags(keys)), flush=True)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def _gathered(crowd: Crowd) -> list[int]:
    """Store that crowd; return the keys of those that will be due: half of each kind with nothing filed."""
    from tests import play
    from tests.clock.cloning import copies

    duel = play.running(refereed=True)
    over = play.over(refereed=False)
    copies(over, crowd.over)
    keys = copies(duel, crowd.open // 2)
    play.file(duel, "a")
    keys += copies(duel, crowd.open // 2)
    return keys[:: crowd.open // crowd.due]


def _lags(keys: list[int]) -> list[float]:
    """Let these duels be due at the same instant; return by how many seconds each was closed after its grace."""
    from duels import clock
    from duels.models import Phase
    from tests.clock import processes
    from tests.clock.cloning import make_due
    from tests.clock.waiting import all_done, until

    with tempfile.TemporaryDirectory() as folder, processes.broker(Path(folder)) as url:
        troupe = [processes.worker(url, WORKERS), *(processes.beat(url) for _beat in range(BEATS))]
        with processes.running(troupe):
            due_at = clock.now() + dt.timedelta(seconds=AHEAD) - clock.GRACE
            make_due(keys, due_at)
            time.sleep(AHEAD)
            until(all_done)
    closed = Phase.objects.filter(duel__in=keys, number=1).values_list("locked_at", flat=True)
    return sorted((at - due_at - clock.GRACE).total_seconds() for at in closed)


def _row(crowd: Crowd, lags: list[float]) -> str:
    """Return the row of a crowd; phases a second from the first that was closed to the last."""
    pace = (len(lags) - 1) / (lags[-1] - lags[0])
    cells = (
        f"{crowd.open:,}", f"{crowd.over:,}", f"{len(lags):,}", f"{pace:,.0f}",
        *(f"{lags[round((len(lags) - 1) * share)]:.1f}" for share in (0.5, 0.99, 1)),
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    measure(Crowd(*map(int, sys.argv[1:]))) if sys.argv[1:] else main()
