"""Who stands in line at the desk, and what somebody finds there."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from duels.models import Duel, Duellist, Seat
from duels.queries.eligibility import Missing, missing
from duels.queries.playing import duellists_of
from duels.queries.scenes import written_together
from rules.spells.terms import seat_of, team_of
from tournaments.desk.conditions import FOR_A_TIME, obstacles
from tournaments.desk.meeting import Known, Party, fits, gap, parties, ripens_at
from tournaments.desk.models import Enrolment

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SHOWN = 10  # of one's duellists, looked at in full


def known_of(enrolments: Collection[Enrolment], ruleset: str) -> Known:
    """Return what the desk knows of those who wait: whom each met last, and who have written a scene together."""
    clandestine = {one.duellist_id for one in enrolments if one.is_clandestine}
    return Known(last_met(enrolments, ruleset), written_together(clandestine))


def last_met(enrolments: Iterable[Enrolment], ruleset: str) -> dict[int, set[int]]:
    """Return, of each duellist, their opponents in the last duel proposed to them under these rules, whatever has
    come of it; a partner of two against two is none."""
    found = {one.duellist_id for one in enrolments}
    seats = Seat.objects.filter(duellist=OuterRef("pk"), duel__ruleset=ruleset).order_by("-duel")
    last = Duellist.objects.filter(pk__in=found).annotate(last=Subquery(seats.values("duel")[:1])).values("last")
    seated: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for duel_id, letter, duellist_id in Seat.objects.filter(duel__in=last).values_list("duel", "letter", "duellist"):
        seated[duel_id][duellist_id] = team_of(seat_of(letter))
    newest: dict[int, set[int]] = {}
    for duel_id in sorted(seated):
        teams = seated[duel_id]
        for duellist_id in found & teams.keys():
            newest[duellist_id] = {other for other, team in teams.items() if team != teams[duellist_id]}
    return newest


class Standing(NamedTuple):
    """A registration of one's own: what keeps it from being paired, how many others suit, by how many years the
    closest differs, from when the desk pairs them, and whether that has come."""

    enrolment: Enrolment
    obstacles: list[Missing]
    suiting: int = 0
    gap: int = 0
    ripens_at: dt.datetime | None = None
    is_ripe: bool = False

    @property
    def awaits_partner(self) -> bool:
        """Whether a partner was named who has not registered on the same terms yet."""
        return self.enrolment.partner_id is not None and self.ripens_at is None and not self.suiting


def standings(user: User, *, now: dt.datetime) -> list[Standing]:
    """Return where the user's open registrations stand, those to be confirmed first."""
    mine = Enrolment.objects.open().of(user).select_related("duellist__user", "partner", "pairing__duel")
    found = sorted(mine, key=lambda one: (one.is_waiting, one.registered_at))
    waiting = list(Enrolment.objects.waiting()) if any(one.is_waiting for one in found) else []
    together = written_together({one.duellist_id for one in waiting if one.is_clandestine})
    in_line, known = parties(waiting), Known({}, together)
    return [_standing(one, in_line, known, now) if one.is_waiting else Standing(one, []) for one in found]


def _standing(enrolment: Enrolment, in_line: Sequence[Party], known: Known, now: dt.datetime) -> Standing:
    in_the_way = obstacles(enrolment, now=now)
    mine = next((party for party in in_line if enrolment in party.members), None)
    others = [party.members for party in in_line if mine and party is not mine]
    suiting = [those for those in others if mine and all(fits(*two, known) for two in product(mine.members, those))]
    if mine is None or not suiting:
        return Standing(enrolment, in_the_way)
    closeness = ((gap(both), ripens_at(both, gap(both))) for both in ((*mine.members, *those) for those in suiting))
    years, due = min(closeness)
    return Standing(enrolment, in_the_way, sum(map(len, suiting)), years, due, due <= now)


def looking(
    user: User, *, ruleset: str = "", kind: str = "", mode: str = "", format: str = ""
) -> QuerySet[Enrolment]:  # fmt: skip
    """Return the others who wait for an opponent, first in line first, filtered by what is not empty."""
    asked = {"ruleset": ruleset, "kind": kind, "mode": mode, "format": format}
    others = Enrolment.objects.waiting().exclude(duellist__user=user).select_related("duellist__user", "partner")
    return others.filter(**{name: said for name, said in asked.items() if said})


def naming(user: User) -> QuerySet[Enrolment]:
    """Return the registrations that name a duellist of the user's as partner, who has not registered so far."""
    mutual = Enrolment.objects.open().filter(duellist=OuterRef("partner"), partner=OuterRef("duellist"))
    waiting = Enrolment.objects.waiting().filter(~Exists(mutual), partner__user=user)
    return waiting.select_related("duellist__user", "partner")


class Prospect(NamedTuple):
    """What a duellist of one's own lacks for any spell duel, and what for the mode `rp` alone (B1.2, B2.5); nothing is
    asked of who registers for the arena."""

    duellist: Duellist
    lacking: list[Missing]
    in_role_play: list[Missing]

    @property
    def may_register(self) -> bool:
        return all(one.code in FOR_A_TIME for one in self.lacking)


def prospects(user: User, *, now: dt.datetime) -> list[Prospect]:
    """Return what each of the user's duellists, the first ten, lacks to fight a spell duel."""
    mine = duellists_of(user).select_related("user")[:SHOWN]
    return [_prospect(duellist, missing(duellist, Duel.Mode.RP, now=now)) for duellist in mine]


def _prospect(duellist: Duellist, lacking: Iterable[Missing]) -> Prospect:
    found: dict[bool, list[Missing]] = {True: [], False: []}
    for one in lacking:
        found[bool(one.mode)].append(one)
    return Prospect(duellist, found[False], found[True])
