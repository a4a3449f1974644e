"""The instants that count: the database's clock, and the school's own date."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection
from django.utils import timezone

if TYPE_CHECKING:
    from django.http import HttpRequest

GRACE = dt.timedelta(seconds=30)  # a phase closes this long after `due_at`, longer than a request may last


def received(request: HttpRequest) -> dt.datetime:
    """Return when a request came, by the database's clock, before anything is locked: its user was read with it."""
    return getattr(request.user, "read_at", None) or now()


def now() -> dt.datetime:
    """Return the database's clock, as an aware instant in UTC (lateness is judged by it alone)."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT clock_timestamp()")
            instant: dt.datetime = cursor.fetchone()[0]
            return instant.astimezone(dt.UTC)
        cursor.execute("SELECT strftime('%Y-%m-%dT%H:%M:%f', 'now')")
        return dt.datetime.fromisoformat(cursor.fetchone()[0]).replace(tzinfo=dt.UTC)


def school_date() -> dt.date:
    """Return the school's date: the setting SCHOOL_DATE, or today in the site's zone."""
    return settings.SCHOOL_DATE or timezone.localdate()
