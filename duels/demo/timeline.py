"""The demo's past: its actions run as if at instants that have gone by.

For a management command alone, whose process serves nobody: the clock of requests is never touched.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from django.conf import settings

from duels import clock


@contextmanager
def at_instant(instant: dt.datetime) -> Iterator[dt.datetime]:
    """Let `clock.now` return `instant`."""
    with patch.object(clock, "now", lambda: instant):
        yield instant


@contextmanager
def at_any_hour() -> Iterator[None]:
    """Let students train whenever it is: the past is counted back from now, whatever day of the week that is."""
    with patch.object(settings, "TRAINING_HOURS", ""):
        yield


@contextmanager
def under_edition(edition: str) -> Iterator[None]:
    """Let new duels pin `edition` of the arena's rules."""
    with patch.object(settings, "ARENA_EDITION", edition):
        yield
