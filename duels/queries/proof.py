"""What this site keeps of a duel whose record somebody brings along."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple
from uuid import UUID

from duels.models import Duel
from rules.record import Export


class Kept(NamedTuple):
    """A finished duel of this site, and the first entry of a record that is not as the site keeps it."""

    duel: Duel
    first_other: int | None


def kept_as(export: Export) -> Kept | None:
    """Return the finished duel that a record says it is of; None for any other, running ones included.

    The hashes are enough: they hold everything else, once receipts and texts have been checked.
    """
    try:
        duel = Duel.objects.filter(uid=UUID(export.duel), status=Duel.Status.OVER).first()
    except ValueError:
        return None
    if duel is None:
        return None
    ours = duel.entries.order_by("index").values_list("hash", flat=True)
    pairs = zip_longest(ours, (entry.hash for entry in export.entries))
    return Kept(duel, next((place for place, (kept, brought) in enumerate(pairs) if kept != brought), None))


def stands_at(export: Export, head: str) -> int | None:
    """Return which entry of a record bears that hash; None: no entry does."""
    return next((entry.index for entry in export.entries if entry.hash == head), None)
