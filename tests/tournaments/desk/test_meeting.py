"""Who meets whom, over random arrivals: nobody waits for ever, and nobody meets again while somebody else will do."""

import datetime as dt
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duels.models import Duellist
from tournaments.desk.meeting import A_YEAR, Known, closest, fits, parties, seated
from tournaments.models import Enrolment

START = dt.datetime(2026, 11, 2, 8, tzinfo=dt.UTC)
LONGEST = 7 * A_YEAR  # from the first year to an adult
HOUR = dt.timedelta(hours=1)


class Desk:
    """People come and go by a seeded die; `go_on` lets an hour pass, in which the desk pairs whoever it can."""

    def __init__(self, seed, *, format, users=12):
        self.random = Random(seed)
        self.format = format
        self.now = START
        self.waiting = []
        self.met = {}
        self.came = 0
        self.away = [
            Duellist(pk=number, user_id=self.random.randint(1, users), year=self.random.choice([*range(1, 8), None]))
            for number in range(1, 2 * users)
        ]
        self.paired = []

    def come(self, duellist, partner=None):
        self.came += 1
        most = self.random.choice((0, 0, 0, 5)) if self.format == "1v1" else 0
        self.waiting.append(
            Enrolment(
                pk=self.came, duellist=duellist, ruleset="spells", mode="rp", refereed=False, format=self.format,
                registered_at=self.now, partner_id=partner, stake_most=most, stake_least=self.random.choice((0, most)),
                stake_currency="liards" if most else "",
            )
        )  # fmt: skip

    def somebody_comes(self):
        if not self.away:
            return
        one = self.away.pop(self.random.randrange(len(self.away)))
        others = [other for other in self.away if other.user_id != one.user_id]
        if self.format == "2v2" and others and self.random.random() < 0.3:
            other = self.random.choice(others)
            self.away.remove(other)
            self.come(one, other.pk)
            self.come(other, one.pk)
        else:
            self.come(one)

    @property
    def known(self):
        return Known(self.met)

    def go_on(self, *, arrivals=0.4):
        self.now += HOUR
        if self.random.random() < arrivals:
            self.somebody_comes()
        while group := closest(parties(self.waiting), self.known, now=self.now):
            self.pair(seated(group))

    def pair(self, group):
        teams = group[::2], group[1::2]
        self.paired.append((teams, list(self.waiting), dict(self.met)))
        self.waiting = [one for one in self.waiting if one not in group]
        for ours, theirs in (teams, teams[::-1]):
            for one in ours:
                self.met[one.duellist_id] = {other.duellist_id for other in theirs}
        self.away += [one.duellist for one in group]

    def groups(self):
        """Return every group that could be made of those who wait, looked for by hand."""
        seats = {"1v1": 2, "2v2": 4}[self.format]
        found = parties(self.waiting)
        for size in range(1, seats + 1):
            for chosen in combinations(found, size):
                members = [one for party in chosen for one in party.members]
                across = [
                    fits(one, other, self.known)
                    for party, another in combinations(chosen, 2)
                    for one in party.members
                    for other in another.members
                ]
                if len(members) == seats and all(across):
                    yield members


@pytest.mark.parametrize("format", ["1v1", "2v2"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_whoever_waits_is_paired_when_a_fitting_other_waits_long_enough(format, seed):
    desk = Desk(seed, format=format)
    for _hour in range(150):
        desk.go_on()
    assert desk.paired
    for _hour in range(LONGEST // HOUR + 1):  # nobody comes any more
        desk.go_on(arrivals=0)
    assert list(desk.groups()) == []


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_nobody_meets_again_while_another_who_fits_either_waits(seed):
    desk = Desk(seed, format="1v1", users=5)
    for _hour in range(200):
        desk.go_on()
    for (ours, theirs), waiting, met in desk.paired:
        (one,), (other,) = ours, theirs
        if have_met(met, one.duellist, other.duellist):
            free = [third for third in waiting if third not in (one, other)]
            for who in (one, other):
                fresh = [third for third in free if fits(who, third, Known(met))]
                assert all(have_met(met, third.duellist, who.duellist) for third in fresh)


@pytest.mark.parametrize("format", ["1v1", "2v2"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_nobody_of_those_who_are_paired_could_be_in_a_closer_group(format, seed):
    """Against every group there is, looked for by hand: the closest of those whose hour has come."""
    desk = Desk(seed, format=format, users=6)
    for _hour in range(40):
        desk.now += HOUR
        for _one in range(desk.random.choice((0, 0, 1, 3))):
            desk.somebody_comes()
        for one in desk.waiting:
            one.returned_at = desk.now if desk.random.random() < 0.1 else None
        while group := closest(parties(desk.waiting), desk.known, now=desk.now):
            assert rank(group, desk.met) == min(due(desk))
            desk.pair(seated(group))
        assert due(desk) == []


def due(desk):
    """Return how every group is ranked that is the closest to each of its members and whose hour has come."""
    every = [(rank(group, desk.met), group) for group in desk.groups()]
    best = {}
    for ranked, group in every:
        for one in group:
            best[one.pk] = min(best.get(one.pk, ranked[:2]), ranked[:2])
    return [
        ranked for ranked, group in every
        if all(best[one.pk] == ranked[:2] for one in group)
        and min(one.registered_at for one in group) + ranked[1] * A_YEAR <= desk.now
    ]  # fmt: skip


def rank(group, met):
    """Who meets again, then the gap of years, then who is first in line."""
    years = [one.years for one in group]
    again = sum(have_met(met, one.duellist, other.duellist) for one, other in combinations(group, 2))
    return again, max(years) - min(years), not any(one.returned_at for one in group)


def have_met(met, one, other):
    return other.pk in met.get(one.pk, ()) or one.pk in met.get(other.pk, ())


def waiting_for(format, *people):
    """Return registrations of an hour ago: each a user, or two users who name each other."""
    made = []
    for users in people:
        pair = users if isinstance(users, tuple) else (users,)
        for place, user in enumerate(pair):
            partner = pair[1 - place] if len(pair) > 1 else None
            made.append(
                Enrolment(
                    pk=len(made) + 1, duellist=Duellist(pk=user, user_id=user, year=3), ruleset="spells", mode="rp",
                    format=format, registered_at=START, partner_id=partner,
                )
            )  # fmt: skip
    return made


def of_years(format, *years):
    """Return registrations of an hour ago by people of these years."""
    line = waiting_for(format, *range(1, len(years) + 1))
    for one, year in zip(line, years, strict=True):
        one.duellist.year = year
    return line


def chosen(line, *, hours):
    """Return the years of those whom the desk pairs next, so many hours after all have come."""
    group = closest(parties(line), Known({}), now=START + hours * HOUR)
    return sorted(one.years for one in group) if group else None


def test_of_two_against_two_the_four_of_the_smallest_spread_meet():
    line = of_years("2v2", 3, 6, 4, 4, 5, 5)
    assert (chosen(line, hours=5), chosen(line, hours=6)) == (None, [4, 4, 5, 5])


def test_who_has_waited_long_takes_nobody_away_from_somebody_closer():
    line = of_years("1v1", 2, 4, 5)
    for one in line[1:]:
        one.registered_at += 12 * HOUR
    assert chosen(line[:2], hours=12) == [2, 4]
    assert (chosen(line, hours=13), chosen(line, hours=18)) == (None, [4, 5])


def test_who_is_back_is_first_among_the_equally_close_and_not_before_the_closer():
    line = of_years("1v1", 1, 3, 5, 6, 3, 5)
    line[0].returned_at = START
    assert chosen(line, hours=48) == [3, 3]
    line = of_years("1v1", 2, 3, 6, 7)
    line[2].returned_at = START
    assert chosen(line, hours=48) == [6, 7]


def test_two_couples_meet_though_a_single_one_stands_between_them():
    line = waiting_for("2v2", (1, 2), 5, (3, 4))
    group = closest(parties(line), Known({5: set(), 1: {3}, 3: {1}}), now=START)
    assert {one.duellist_id for one in group} == {1, 2, 3, 4}


def test_who_fits_but_completes_no_group_keeps_nobody_waiting():
    """The four have met; a fifth would be fresh to all, but is of the same user as three of them."""
    line = waiting_for("2v2", 1, 2, 3, 4, 5)
    for one in line[1:]:
        one.duellist.user_id = one.duellist_id if one.duellist_id < 5 else 2
    met = {1: {2, 4}, 2: {1, 3}, 3: {2, 4}, 4: {1, 3}}
    line[2].duellist.user_id = 2
    line.append(waiting_for("2v2", 6)[0])
    line[-1].pk, line[-1].duellist = 6, Duellist(pk=6, user_id=6, year=3)
    group = closest(parties(line), Known(met), now=START)
    assert group is not None
    assert len({one.duellist.user_id for one in group}) == 4
