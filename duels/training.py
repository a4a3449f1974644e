"""When students train in the arena (article 3): the hours of the week, in the school's zone and year."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from django.conf import settings
from django.utils import timezone
from django.utils.dates import WEEKDAYS as WEEKDAY_NAMES
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from duels.sentences.names import date_name

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
A_YEAR = 370  # days: whatever comes back, comes back by then


class Hours(NamedTuple):
    """Training hours: on a day of the week (0: Monday), from one hour to another of the school's zone."""

    weekday: int
    opens: dt.time
    closes: dt.time


def hours() -> Hours | None:
    """Return the training hours by the setting TRAINING_HOURS, None when students may train at any hour."""
    if not settings.TRAINING_HOURS:
        return None
    day, _space, span = settings.TRAINING_HOURS.partition(" ")
    opens, closes = map(dt.time.fromisoformat, span.split("-"))
    return Hours(WEEKDAYS.index(day.lower()), opens, closes)


def in_words() -> str:
    """Return the training hours as pages say them, empty when there are none."""
    training = hours()
    if training is None:
        return ""
    said = _("%(day)s from %(opens)s to %(closes)s (zone %(zone)s)")
    opens, closes = (time_format(hour, "TIME_FORMAT") for hour in (training.opens, training.closes))
    return said % {
        "day": WEEKDAY_NAMES[training.weekday], "opens": opens, "closes": closes, "zone": settings.TIME_ZONE,
    }  # fmt: skip


def instant_in_words(instant: dt.datetime) -> str:
    """Return an instant as refusals say it, in the zone of the reader, in which the fields beside them are."""
    there = timezone.localtime(instant)
    named = {"day": date_name(there), "hour": date_format(there, "TIME_FORMAT"), "zone": there.tzname()}
    return _("%(day)s at %(hour)s %(zone)s") % named


def is_open(instant: dt.datetime) -> bool:
    """Say whether students may begin a training duel then."""
    there, training = timezone.localtime(instant, timezone.get_default_timezone()), hours()
    if training is None:
        return True
    return (
        there.weekday() == training.weekday
        and training.opens <= there.time() < training.closes
        and _in_school_year(there.date())
    )


def next_opening(instant: dt.datetime) -> dt.datetime:
    """Return that instant if students may train then, else when training hours next begin."""
    training = hours()
    if training is None or is_open(instant):
        return instant
    zone = timezone.get_default_timezone()
    day = timezone.localtime(instant, zone).date()
    openings = (dt.datetime.combine(day + dt.timedelta(days=n), training.opens, zone) for n in range(A_YEAR))
    return next(opening for opening in openings if opening > instant and is_open(opening))


def _in_school_year(day: dt.date) -> bool:
    """By the setting SCHOOL_YEAR, "09-01/06-30": from a day to a day, which may lie in the year after."""
    first, _slash, last = settings.SCHOOL_YEAR.partition("/")
    if not last:
        return True
    here = day.strftime("%m-%d")
    return first <= here <= last if first <= last else here >= first or here <= last
