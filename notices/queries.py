"""A member's page of notices, and how many are unread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from duels import clock
from duels.queries.reading import UNUSED

from .kinds import KINDS, is_done, sentence
from .models import Notice
from .news import News

if TYPE_CHECKING:
    from django.contrib.auth.models import User

PAGE = 20


@dataclass(frozen=True)
class Page:
    """Some notices, the unread ones first; `after` is where the next page begins, None on the last."""

    notices: list[Told]
    after: str | None


@dataclass(frozen=True)
class Told:
    """A notice and its sentence."""

    notice: Notice
    news: News

    @property
    def sentence(self) -> str:
        return sentence(self.news)

    @property
    def is_done(self) -> bool:
        return is_done(self.news)


def unread_count(user: str = "pk") -> Coalesce:
    """Return, for a query of users, how many notices each has not read."""
    unread = Notice.objects.filter(user=OuterRef(user), read_at=None).order_by().values("user")
    counted = unread.annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def page_of(user: User, after: tuple[str, int] | None = None) -> Page:
    """Return a page of somebody's notices: unread first, then read, each newest first.

    `after` is the group ("n" for new, "l" for read) and the key of the last notice of the page before.
    """
    group, key = after or ("n", 0)
    wanted = PAGE + 1
    found: list[Notice] = []
    if group == "n":
        found = list(_before(_of(user).filter(read_at=None), key)[:wanted])
    if len(found) < wanted:
        read = _before(_of(user).exclude(read_at=None), key if group == "l" else 0)
        found += read[: wanted - len(found)]
    now = clock.now()
    shown = [Told(one, News(one.happening, one.happening.duel, user.pk, now)) for one in found[:PAGE]]
    return Page(shown, _mark(found[PAGE - 1]) if len(found) > PAGE else None)


def _of(user: User) -> QuerySet[Notice]:
    unused = (f"happening__duel__{field}" for field in UNUSED)
    known = Notice.objects.filter(user=user, happening__what__in=KINDS)
    return known.select_related("happening__duel__phase").defer(*unused).order_by("-pk")


def _before(notices: QuerySet[Notice], key: int) -> QuerySet[Notice]:
    return notices.filter(pk__lt=key) if key else notices


def _mark(notice: Notice) -> str:
    return f"{'l' if notice.read_at else 'n'}{notice.pk}"
