"""Waiting for what other processes do."""

import time

import pytest
from django.db import connection

from duels import clock
from duels.models import Duel, Heartbeat


def until(condition, seconds=300, every=0.05):
    """Wait until it holds; fail the test after so many seconds, and say how things stand then."""
    latest = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > latest:
            pytest.fail("\n".join([f"{condition.__name__}: not within {seconds} s", *_how_things_stand()]))
        time.sleep(every)


def all_done():
    """Say whether nothing is due any more."""
    return not _due().exists()


def _due():
    return Duel.objects.filter(wake_at__lte=clock.now()).order_by("wake_at")


def _how_things_stand():
    """Yield what is due, when a sweep was last heard, and what every connection to this database does."""
    yield f"now {clock.now()}, {_due().count()} duels due"
    yield from map(str, _due().values("pk", "status", "wake_at", "due_at", "woken_at", "failures")[:5])
    yield from map(str, Heartbeat.objects.values("since", "at"))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid, state, wait_event_type, wait_event, clock_timestamp() - xact_start, left(query, 120)"
            " FROM pg_stat_activity WHERE datname = current_database()"
        )
        yield from map(str, cursor.fetchall())
