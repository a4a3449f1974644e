"""Who reigns, who has reigned, and who most often."""

from __future__ import annotations

from django.db.models import Count, QuerySet

from duels.models import Duellist
from tournaments.models import Reign


def reigning() -> QuerySet[Reign]:
    """Return the champions of each kind of duel who reign now (A15)."""
    return reigns().filter(until=None).order_by("ruleset")


def reigns() -> QuerySet[Reign]:
    """Return all reigns, the latest first."""
    return Reign.objects.select_related("duellist", "tournament")


def hall_of_fame() -> QuerySet[Duellist]:
    """Return the duellists with titles, those with most first, `titles` of each counted."""
    crowned = Duellist.objects.annotate(titles=Count("reigns")).filter(titles__gt=0)
    return crowned.order_by("-titles", "name", "pk")
