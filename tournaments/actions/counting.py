"""Statistics: each duel that is over is counted once, from the record that its verdict has opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q

from duels.models import Duel, Happening
from tournaments.models import Cursor, LeftOut, Tally
from tournaments.queries import statistics
from tournaments.queries.statistics import Key

from .happenings import held_cursor, read_on

NAME = Cursor.STATISTICS


def count_what_is_over() -> int:
    """Count the duels that ended since the last time; return how many happenings were read."""
    return read_on(NAME, _take_in, lambda duel: _add([duel]))


def _take_in(happenings: list[Happening]) -> None:
    over = [one.duel_id for one in happenings if one.what == "over" and one.duel_id]
    if over:
        _add(Duel.objects.filter(pk__in=over))


def _add(duels: Iterable[Duel]) -> None:
    counted = statistics.of_duels(duels)
    stored = _stored(duellist for duellist, *_rest in counted)
    _write({key: times + (stored[key].count if key in stored else 0) for key, times in counted.items()}, stored)


def _stored(duellists: Iterable[int | None]) -> dict[Key, Tally]:
    """Return the tallies of these duellists (None: of all together)."""
    named = {duellist for duellist in duellists if duellist is not None}
    rows = Tally.objects.filter(Q(duellist__in=named) | Q(duellist=None))
    return {(row.duellist_id, row.ruleset, row.subject, row.value): row for row in rows}


def _write(counted: dict[Key, int], stored: dict[Key, Tally]) -> None:
    """Store these counts; who holds the cursor is alone to write."""
    changed = [stored[key] for key in counted if key in stored]
    for key, count in counted.items():
        if key in stored:
            stored[key].count = count
    Tally.objects.bulk_update(changed, ["count"], batch_size=500)
    Tally.objects.bulk_create(
        Tally(duellist_id=duellist, ruleset=ruleset, subject=subject, value=value, count=count)
        for (duellist, ruleset, subject, value), count in counted.items()
        if (duellist, ruleset, subject, value) not in stored
    )


def count_anew() -> list[Key]:
    """Count all duels anew from their records; return the tallies that were not as they are now.

    The long part is done with nothing held: only what was counted meanwhile is counted under the lock.
    """
    with transaction.atomic(durable=True):
        position = held_cursor(NAME).position
        left_out = _left_out()
    counted = statistics.from_the_log(up_to=position, left_out=left_out)
    return _put_right(counted, position, left_out)


def _left_out() -> set[int]:
    return set(LeftOut.objects.of(NAME).values_list("duel", flat=True))


@transaction.atomic(durable=True)
def _put_right(counted: Counter[Key], position: int, left_out: set[int]) -> list[Key]:
    up_to, still = held_cursor(NAME).position, _left_out()
    counted.update(statistics.from_the_log(after=position, up_to=up_to, left_out=still))
    counted.update(statistics.of_duels(Duel.objects.filter(pk__in=left_out - still)))  # taken in meanwhile
    stored = {(row.duellist_id, row.ruleset, row.subject, row.value): row for row in Tally.objects.all()}
    wrong = {key for key in counted.keys() | stored.keys() if key not in stored or stored[key].count != counted[key]}
    Tally.objects.filter(pk__in=[stored[key].pk for key in wrong if key not in counted]).delete()
    _write({key: counted[key] for key in wrong if key in counted}, stored)
    return sorted(wrong, key=str)
