"""The time zones to choose from: those that are still called so, by continent, as the package tzdata lists them."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

UTC = "UTC"
CONTINENTS = {
    "Africa": _("Africa"),
    "America": _("America"),
    "Antarctica": _("Antarctica"),
    "Arctic": _("Arctic"),
    "Asia": _("Asia"),
    "Atlantic": _("Atlantic Ocean"),
    "Australia": _("Australia"),
    "Europe": _("Europe"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific Ocean"),
}


@cache
def current() -> frozenset[str]:
    """Return the zones of places, by their names of today."""
    rows = _table("zone.tab")
    return frozenset(row.split("\t")[2] for row in rows if row and not row.startswith("#"))


@cache
def _renamed() -> dict[str, str]:
    """Return what each old name leads to: Asia/Calcutta to Asia/Kolkata."""
    links = (row.split() for row in _table("tzdata.zi") if row.startswith("L "))
    return {old: new for _link, new, old in links}


def _table(name: str) -> list[str]:
    return files("tzdata.zoneinfo").joinpath(name).read_text().splitlines()


def named_today(zone: str) -> str:
    """Return the name that a zone has today; its own, where there is no other."""
    if zone in current() or zone == UTC:
        return zone
    new = _renamed().get(zone, zone)
    return UTC if new == "Etc/UTC" else new


def by_continent(kept: str = "") -> list[tuple[StrOrPromise, list[tuple[str, str]]]]:
    """Return the choices of a form by continent; last UTC, and the zone that is `kept` where it is of no place."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for zone in sorted(current()):
        region, _slash, place = zone.rpartition("/")
        groups[region.partition("/")[0]].append((zone, f"{place} ({region})".replace("_", " ")))
    others = [UTC] if kept in current() or kept in ("", UTC) else [UTC, kept]
    named = [(CONTINENTS.get(region, region), zones) for region, zones in groups.items()]
    return [*named, (_("Others"), [(zone, zone) for zone in others])]
