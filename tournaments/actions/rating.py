"""Ratings: each duel that is over is taken in once, in the order in which it was told of."""

from __future__ import annotations

from django.db import transaction

from duels.models import Duel, Happening
from tournaments.models import Cursor, Rating
from tournaments.queries import ratings
from tournaments.queries.ratings import Key, Rated

from .happenings import held_cursor, read_on

NAME = Cursor.RATINGS


def rate_what_is_over() -> int:
    """Take in the duels that ended since the last time; return how many happenings were read."""
    return read_on(NAME, _take_in, _take_in_late)


def _take_in_late(_duel: Duel) -> None:
    """A rating depends on those before it: all are computed anew, with the duel that was left out in its place."""
    _rate_anew(held_cursor(NAME).position)


def _take_in(happenings: list[Happening]) -> None:
    overs = list(ratings.overs(happenings))
    fighters = {player["duellist"] for over in overs for player in over.cast.values()}
    rows = Rating.objects.filter(duellist__in=fighters)
    known: dict[Key, Rated] = {(row.duellist_id, row.ruleset): Rated(row.mu, row.sigma, row.duels) for row in rows}
    for over in overs:
        known |= ratings.rate(known, over)
    _write(known)


def _write(known: dict[Key, Rated]) -> None:
    rows = [
        Rating(duellist_id=duellist, ruleset=ruleset, mu=one.mu, sigma=one.sigma, duels=one.duels)
        for (duellist, ruleset), one in known.items()
    ]
    Rating.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["duellist", "ruleset"], update_fields=["mu", "sigma", "duels"]
    )


@transaction.atomic(durable=True)
def rate_anew() -> list[Key]:
    """Compute all ratings anew from the log; return those that were not as they are now."""
    return _rate_anew(held_cursor(NAME).position)


def _rate_anew(position: int) -> list[Key]:
    known = ratings.from_the_log(position)
    rows = {(row.duellist_id, row.ruleset): row for row in Rating.objects.all()}
    stored = {key: Rated(row.mu, row.sigma, row.duels) for key, row in rows.items()}
    wrong = {key for key in known.keys() | stored.keys() if known.get(key) != stored.get(key)}
    Rating.objects.filter(pk__in=[rows[key].pk for key in wrong if key not in known]).delete()
    _write({key: known[key] for key in wrong if key in known})
    return sorted(wrong)
