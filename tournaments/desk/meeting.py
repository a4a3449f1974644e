"""Who meets whom at the desk (B1.3). Nothing is read or stored here: those who wait are given, and a group comes back.

Algorithm: greedy, the closest first. How close is the closest group that somebody could be in is found for everybody;
a group is taken if it is as close as that for each of its members, and one looks again without them. The rules say no
more than « the smallest gap of years first », and anybody can check that by hand. A matching of least weight in all
would sometimes part the two who are closest, to spare strangers a year.

It is fast since years are few: whoever fits within a window of them is looked at, and the window widened.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations, combinations_with_replacement, product, starmap
from typing import NamedTuple

from .models import Enrolment

A_YEAR = dt.timedelta(hours=6)  # how long the desk waits for somebody closer, for each year of gap


FURTHEST = 7  # years: from the first one to an adult
MOST_REPEATS = 6  # each of four with each other


class Closeness(NamedTuple):
    """How close those of a group are: how many pairs of it would meet again, and by how many years they differ."""

    repeats: int
    gap: int


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
    """Return those who are to be paired next, or None: who met in their last duel only if nobody else is free, then the
    smallest gap of years, then those first in line before the others, then who waits longest.

    Nobody waits for ever: who could be in a closer group waits for that, and the closest of all waits for nothing but
    its hour.
    """
    alike: defaultdict[object, list[Party]] = defaultdict(list)
    for party in waiting:
        alike[_terms(party.first)].append(party)
    groups = filter(None, (_Line(those, known).next_group(now) for those in alike.values()))
    return min(groups, key=lambda group: _rank(group, known), default=None)


class _Line:
    """Parties who wait on the same terms, by their places in line: who may be with whom, and who would meet again."""

    def __init__(self, waiting: Iterable[Party], known: Known) -> None:
        self.parties = sorted(waiting, key=lambda party: _place(party.members))
        self.years = [[one.years for one in party.members] for party in self.parties]
        self.fitting: list[set[int]] = [set() for _party in self.parties]
        self.again: dict[tuple[int, int], int] = {}  # how many pairs of the two, where there are any
        for (one, party), (other, another) in combinations(enumerate(self.parties), 2):
            if all(fits(*two, known) for two in product(party.members, another.members)):
                self.fitting[one].add(other)
                self.fitting[other].add(one)
                self.again[one, other] = sum(_have_met(*two, known) for two in product(party.members, another.members))
        for place, party in enumerate(self.parties):
            self.again[place, place] = _repeats(party.members, known)

    def next_group(self, now: dt.datetime) -> tuple[Enrolment, ...] | None:
        """Return the first group whose hour has come, and of which nobody could be in a closer one."""
        closeness = self._closeness()
        for limit in sorted(set(closeness.values())):
            alike = {place for place, found in closeness.items() if found == limit}
            ripe = {place for place in alike if ripens_at(self.parties[place].members, limit.gap) <= now}
            for chosen in self._starts(alike, ripe):
                if group := self._within(chosen, limit, alike):
                    return tuple(one for place in group for one in self.parties[place].members)
        return None

    def _starts(self, alike: Set[int], ripe: Set[int]) -> Iterator[tuple[int, ...]]:
        """Return what a group begins with, in order: who is first in line may go with somebody whose hour has come."""
        for place in sorted(alike):
            if place in ripe:
                yield (place,)
            elif any(one.returned_at for one in self.parties[place].members):
                yield from ((place, other) for other in sorted(self.fitting[place] & ripe))

    def _closeness(self) -> dict[int, Closeness]:
        """Return how close the closest group is that each could be in; nothing of who could be in none."""
        everybody = set(range(len(self.parties)))
        left = {place for place in everybody if self._filled((place,), self.fitting[place], MOST_REPEATS)}
        found: dict[int, Closeness] = {}
        for limit in starmap(Closeness, product(range(MOST_REPEATS + 1), range(FURTHEST + 1))):
            for place in sorted(left):
                if place not in found:
                    group = self._within((place,), limit, everybody)
                    found.update(dict.fromkeys(set(group) - found.keys(), limit))
            left -= found.keys()
            if not left:
                break
        return found

    def _within(self, chosen: tuple[int, ...], limit: Closeness, among: Set[int]) -> tuple[int, ...]:
        """Return a group with those chosen, no further from each other than the limit; empty, where there is none."""
        fitting = set(among).intersection(*(self.fitting[place] for place in chosen))
        years = [year for place in chosen for year in self.years[place]]
        for lowest in range(max(years) - limit.gap, min(years) + 1):
            highest = lowest + limit.gap
            near = {place for place in fitting if all(lowest <= year <= highest for year in self.years[place])}
            if group := self._filled(chosen, near, limit.repeats):
                return group
        return ()

    def _filled(self, chosen: tuple[int, ...], near: Set[int], repeats: int) -> tuple[int, ...]:
        """Return a group filled up, first in line first, with those near who fit all of it; empty, where none is."""
        room = self.parties[0].first.seats - sum(len(self.years[place]) for place in chosen)
        again = sum(self.again.get((min(two), max(two)), 0) for two in combinations_with_replacement(chosen, 2))
        if again > repeats or not room:
            return chosen if again <= repeats else ()
        for place in sorted(near):
            if len(self.years[place]) <= room:
                left = {other for other in near & self.fitting[place] if other > place}
                if group := self._filled((*chosen, place), left, repeats):
                    return group
        return ()


def gap(group: Iterable[Enrolment]) -> int:
    """Return by how many years these differ at most."""
    years = [one.years for one in group]
    return max(years) - min(years)


def ripens_at(group: Iterable[Enrolment], years: int) -> dt.datetime:
    """Return from when these are paired over so many years: at once in the same one, later the further they are."""
    return min(one.registered_at for one in group) + years * A_YEAR


def _repeats(group: Iterable[Enrolment], known: Known) -> int:
    return sum(_have_met(one, other, known) for one, other in combinations(group, 2))


def _have_met(one: Enrolment, other: Enrolment, known: Known) -> bool:
    """Whether the last duel of either was against the other."""
    met = known.met
    return other.duellist_id in met.get(one.duellist_id, ()) or one.duellist_id in met.get(other.duellist_id, ())


def _rank(group: Sequence[Enrolment], known: Known) -> tuple[int, int, tuple[bool, dt.datetime, int]]:
    return _repeats(group, known), gap(group), _place(group)


def _place(group: Sequence[Enrolment]) -> tuple[bool, dt.datetime, int]:
    """Return what orders the line: who is back from a pairing that came to nothing, then who waits longest."""
    since = min(one.registered_at for one in group)
    return not any(one.returned_at for one in group), since, min(one.pk for one in group)


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
