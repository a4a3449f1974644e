"""The clock's heartbeat: noted by each sweep before it does anything, so that a silence is known by then."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from duels.models import Heartbeat
from duels.models.heartbeat import SILENCE


@dataclass(frozen=True)
class Silence:
    """A time during which the clock stood still: from the last sweep before it to the first after it."""

    since: dt.datetime
    until: dt.datetime


def beat(*, at: dt.datetime) -> None:
    """Note that the clock works at that instant. After a silence a new row begins; the old one shows when it stopped.

    Two at once may begin two rows: they overlap, and no silence is read between them.
    """
    going_on = Heartbeat.objects.filter(at__gte=at - SILENCE)
    last = going_on.order_by("-at").first()
    if last is None:
        Heartbeat.objects.create(since=at, at=at)
    else:
        Heartbeat.objects.filter(pk=last.pk, at__lt=at).update(at=at)


def last_beat() -> dt.datetime | None:
    """Return the instant of the last sweep, or None if there was none yet."""
    return Heartbeat.objects.order_by("-at").values_list("at", flat=True).first()


def is_silent(at: dt.datetime) -> bool:
    """Say whether a silence lasts at that instant: no sweep has noted yet that the clock works again."""
    heard = last_beat()
    return heard is not None and at - heard > SILENCE


def silences(since: dt.datetime, until: dt.datetime) -> list[Silence]:
    """Return the silences that overlap that time, in order; before the first sweep ever there is none."""
    found = []
    heard: dt.datetime | None = None
    earlier = Heartbeat.objects.filter(at__lt=since).order_by("-at").first()
    rows = [*([earlier] if earlier else []), *Heartbeat.objects.filter(at__gte=since, since__lte=until)]
    for row in rows:
        if heard is not None and row.since - heard > SILENCE:
            found.append(Silence(heard, row.since))
        heard = max(heard, row.at) if heard else row.at
    return found
