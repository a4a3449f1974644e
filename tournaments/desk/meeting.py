"""Who meets whom at the desk (B1.3). Nothing is read or stored here: those who wait are given, and a group comes back.

Algorithm: greedy, the closest first. For everybody who waits the nearest fitting others are gathered; of all these
groups the best is taken, and one looks again without them. The rules say no more than « the smallest gap of years
first », and anybody can check that by hand. A matching of least weight in all would sometimes part the two who are
closest, to spare strangers a year.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import combinations
from typing import NamedTuple

from .models import Enrolment

A_YEAR = dt.timedelta(hours=6)  # how long the desk waits for somebody closer, for each year of gap


class Known(NamedTuple):
    """What is known of those who wait: of each duellist, the opponents of their last duel under these rules; and which
    two have written the scene that a clandestine duel takes (A3.1)."""

    met: Mapping[int, Set[int]]
    together: Set[frozenset[int]] = frozenset()


class Party(NamedTuple):
    """One who looks for an opponent, or two partners who registered together."""

    members: tuple[Enrolment, ...]

    @property
    def first(self) -> Enrolment:
        return self.members[0]


def parties(waiting: Sequence[Enrolment]) -> list[Party]:
    """Return those who can be paired, first in line first; who names a partner waits until the partner names them."""
    by_duellist = {(one.ruleset, one.duellist_id): one for one in waiting}
    found = []
    for one in waiting:
        if one.partner_id is None:
            found.append(Party((one,)))
            continue
        other = by_duellist.get((one.ruleset, one.partner_id))
        if other is not None and is_mutual(one, other) and waiting.index(one) < waiting.index(other):
            found.append(Party((one, other)))
    return found


def is_mutual(one: Enrolment, other: Enrolment) -> bool:
    """Say whether two have registered as each other's partner, on the same terms."""
    return other.partner_id == one.duellist_id and _terms(one) == _terms(other)


def closest(waiting: Sequence[Party], known: Known, *, now: dt.datetime) -> tuple[Enrolment, ...] | None:
    """Return those who are to be paired next, or None: who met in their last duel only if nobody else is free, those
    first in line before the others, then the smallest gap of years, then who waits longest.

    Nobody waits for ever: who meets again waits for a group with fewer who do, which is itself paired when it is ripe.
    """
    groups = list(filter(None, (_around(party, waiting, known) for party in waiting)))
    ripe = [
        group for group in groups if ripens_at(group) <= now and not _another_is_free(group, groups, known)
    ]  # fmt: skip
    return min(ripe, key=lambda group: _rank(group, known), default=None)


def _around(party: Party, waiting: Iterable[Party], known: Known) -> tuple[Enrolment, ...] | None:
    """Return a party and the nearest who fit it, as many as its duel has seats; None, where there are not enough."""
    suiting = [other for other in waiting if _all_fit(party.members, other, known)]
    return _completed(party.members, sorted(suiting, key=lambda other: _distance(party, other, known)), known)


def _completed(members: tuple[Enrolment, ...], nearest: Sequence[Party], known: Known) -> tuple[Enrolment, ...] | None:
    """Return a group filled up with the nearest who fit all of it; who leaves no way to fill it is passed over."""
    if len(members) == members[0].seats:
        return members
    for place, other in enumerate(nearest):
        if len(members) + len(other.members) > members[0].seats:
            continue
        left = [one for one in nearest[place + 1 :] if _all_fit(other.members, one, known)]
        if found := _completed((*members, *other.members), left, known):
            return found
    return None


def _all_fit(members: Iterable[Enrolment], other: Party, known: Known) -> bool:
    return all(fits(one, another, known) for one in members for another in other.members)


def _distance(party: Party, other: Party, known: Known) -> tuple[int, int, dt.datetime]:
    both = (*party.members, *other.members)
    return _repeats(both, known), gap(both), other.first.registered_at


def gap(group: Iterable[Enrolment]) -> int:
    """Return by how many years these differ at most."""
    years = [one.years for one in group]
    return max(years) - min(years)


def ripens_at(group: Iterable[Enrolment]) -> dt.datetime:
    """Return from when these are paired: at once in the same year, later the further they are from each other."""
    return min(one.registered_at for one in group) + gap(group) * A_YEAR


def _repeats(group: Iterable[Enrolment], known: Known) -> int:
    return sum(_have_met(one, other, known) for one, other in combinations(group, 2))


def _have_met(one: Enrolment, other: Enrolment, known: Known) -> bool:
    """Whether the last duel of either was against the other."""
    met = known.met
    return other.duellist_id in met.get(one.duellist_id, ()) or one.duellist_id in met.get(other.duellist_id, ())


def _another_is_free(group: Sequence[Enrolment], groups: Iterable[Sequence[Enrolment]], known: Known) -> bool:
    """Whether some of a group would meet again though one of them could be in a group in which fewer do."""
    again = {one.pk for pair in combinations(group, 2) if _have_met(*pair, known) for one in pair}
    repeats = _repeats(group, known)
    return any(_repeats(other, known) < repeats and again & {one.pk for one in other} for other in groups)


def _rank(group: Sequence[Enrolment], known: Known) -> tuple[int, bool, int, dt.datetime, int]:
    first_in_line = any(one.returned_at for one in group)
    since = min(one.registered_at for one in group)
    return _repeats(group, known), not first_in_line, gap(group), since, min(one.pk for one in group)


def _terms(one: Enrolment) -> tuple[object, ...]:
    """What all in a duel have to want alike; turns of 48 hours are the rule where two differ (A6.1)."""
    return one.ruleset, one.kind, one.mode, one.format, one.refereed


def fits(one: Enrolment, other: Enrolment, known: Known) -> bool:
    """Say whether two can meet: other users' duellists, on the same terms, with a stake that suits both; for a
    clandestine duel, after a scene of the two."""
    if one.duellist.user_id == other.duellist.user_id or _terms(one) != _terms(other):
        return False
    is_led_to = not one.is_clandestine or frozenset((one.duellist_id, other.duellist_id)) in known.together
    return is_led_to and common_stake(one, other) is not None


def common_stake(one: Enrolment, other: Enrolment) -> int | None:
    """Return the highest stake that suits both (0: none), or None if their ranges or currencies lie apart (A3.3)."""
    least, most = max(one.stake_least, other.stake_least), min(one.stake_most, other.stake_most)
    if most and one.stake_currency != other.stake_currency:
        most = 0
    return most if least <= most else None


def seated(group: Sequence[Enrolment]) -> list[Enrolment]:
    """Return a group in the order of the seats a, b, c, d: who is first in line first. Of four, partners who registered
    together are a team; otherwise the one furthest ahead is with the one furthest behind."""
    line = sorted(group, key=lambda one: (one.returned_at is None, one.registered_at, one.pk))
    if len(line) == 2:
        return line
    couple = next((pair for pair in combinations(line, 2) if pair[0].partner_id == pair[1].duellist_id), None)
    if couple is None:
        by_years = sorted(line, key=lambda one: one.years)
        couple = (by_years[0], by_years[3])
    others = [one for one in line if one not in couple]
    return [couple[0], others[0], couple[1], others[1]]
