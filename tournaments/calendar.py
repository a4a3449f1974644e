"""The calendar of a tournament, as others' calendars read it (iCalendar, RFC 5545)."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db.models import Count, Max, Q
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from .formats import Course
from .models import Tournament
from .queries.showing import course_of_page

SHORT = dt.timedelta(minutes=15)


def of(tournament: Tournament) -> bytes:
    """Return the start and the end of every round that was announced; public, like the tournament's page.

    An event keeps its identifier for ever: one that moves, or is called off, comes again with a higher sequence.
    """
    calendar = Calendar()
    calendar.add("prodid", f"-//{settings.SITE_NAME}//tournaments//")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", tournament.name)
    called_off = tournament.status == Tournament.Status.CANCELLED
    start = _event(
        tournament, "start", _("%(name)s: it starts"), tournament.starts_at, called_off and not tournament.round
    )
    calendar.add_component(start)
    decided = _decided(tournament)
    last = last_round(tournament)
    for number in range(1, max(announced_rounds(tournament), last) + 1):
        said = _("%(name)s: round %(number)d ends") % {"name": "%(name)s", "number": number}
        ends = decided.get(number) or tournament.wall_of(number)
        is_off = number > last or (called_off and number not in decided)
        calendar.add_component(_event(tournament, f"round-{number}", said, ends, is_off))
    return calendar.to_ical()


def announced_rounds(tournament: Tournament) -> int:
    """Return how many rounds there may be with all places taken, as was said before the start."""
    return tournament.format.rounds(Course(tournament.capacity, third_place=tournament.third_place))


def last_round(tournament: Tournament) -> int:
    """Return how many rounds there may be: those played once it is over; before the start, with all places taken."""
    if tournament.status in (Tournament.Status.OVER, Tournament.Status.CANCELLED):
        return tournament.round
    return tournament.format.rounds(course_of_page(tournament))


def _decided(tournament: Tournament) -> dict[int, dt.datetime]:
    """When each round that is decided was."""
    rounds = tournament.matches.order_by("round").values("round")
    rounds = rounds.annotate(at=Max("decided_at"), waiting=Count("pk", filter=Q(decided_at=None)))
    return {one["round"]: one["at"] for one in rounds if not one["waiting"]}


def _event(tournament: Tournament, key: str, said: str, at: dt.datetime, is_off: bool) -> Event:
    changed = tournament.revised_at or tournament.announced_at
    event = Event()
    event.add("uid", f"{tournament.uid}-{key}")
    event.add("dtstamp", changed.astimezone(dt.UTC))
    event.add("last-modified", changed.astimezone(dt.UTC))
    event.add("sequence", int((changed - tournament.announced_at).total_seconds()))  # it only grows
    event.add("status", "CANCELLED" if is_off else "CONFIRMED")
    event.add("dtstart", at.astimezone(dt.UTC))
    event.add("dtend", (at + SHORT).astimezone(dt.UTC))
    event.add("summary", said % {"name": tournament.name})
    event.add("url", f"{settings.SITE_URL}{tournament.get_absolute_url()}")
    return event
