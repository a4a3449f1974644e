"""Pages of several lists on one page: each has its own parameter in the address, and nothing is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

from duels.numbers import natural

PAGE = 20


@dataclass(frozen=True)
class Page:
    """Some rows of a list; `number` is from 1, `parameter` what the address calls it."""

    rows: Sequence[Any]
    parameter: str
    number: int
    has_next: bool

    @property
    def previous(self) -> int:
        """The number of the page before; 0 on the first."""
        return self.number - 1

    @property
    def next(self) -> int:
        """The number of the page after; 0 on the last."""
        return self.number + 1 if self.has_next else 0


def page_of(rows: QuerySet[Any] | Sequence[Any], request: HttpRequest, parameter: str, size: int = PAGE) -> Page:
    """Return the page of a list that the address asks for; the first, when it asks for no number."""
    number = natural(request.GET.get(parameter, ""), digits=5) or 1
    start = (number - 1) * size
    found = list(rows[start : start + size + 1])
    return Page(found[:size], parameter, number, len(found) > size)
