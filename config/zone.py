"""The reader's own time zone, in which hours are shown."""

import zoneinfo
from collections.abc import Callable
from functools import cache

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

COOKIE = "tz"


@cache
def known_zones() -> frozenset[str]:
    """Return the names of all zones that this machine knows."""
    return frozenset(zoneinfo.available_timezones())


def zone_of(request: HttpRequest) -> str:
    """Return the name of the zone that the browser named, or nothing."""
    name = request.COOKIES.get(COOKIE, "")
    return name if name in known_zones() else ""


class ReadersZoneMiddleware:
    """Show hours in the zone that the browser named (static/js/zone.js), else in the site's own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        name = zone_of(request)
        zone = zoneinfo.ZoneInfo(name) if name else None
        with timezone.override(zone or timezone.get_default_timezone()):
            return self.get_response(request)
