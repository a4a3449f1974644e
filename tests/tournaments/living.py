"""Tournaments lived through by the actions that people and the clocks do: who plays, who is silent, who goes or comes
late, referees who do not come, outages, and walls."""

import datetime as dt
from types import SimpleNamespace
from unittest.mock import patch

from django.db.models import Min

from duels import clock
from duels.actions import sweep as duel_sweep
from duels.actions.ending import surrender
from duels.actions.turns import publish_turn
from duels.errors import Invalid, TooLate
from duels.models import Duel, Transfer
from tests import play as duel_play
from tests import spells_play
from tests.duels.exporting import failures
from tests.factories import RefereeFactory, StaffFactory
from tournaments import formats
from tournaments.actions import rounds
from tournaments.actions.leaving import disqualify
from tournaments.actions.rounds import course_of
from tournaments.actions.sweep import sweep
from tournaments.models import Entrant, Reign

from . import play
from .checks import check_whole

STEP = dt.timedelta(hours=24)
MOST_STEPS = 600
ZONES = [("left_arm", "left_leg"), ("torso", "right_arm")]
# how many declarations each files in a duel before falling silent, and how often they surrender instead
KEEN, SILENT, FADING = (99, 0.25), (0, 0.0), (2, 0.1)


class Life:
    """One tournament of a random size, format and ruleset; `time` is the clock of the tests."""

    def __init__(self, time, random, *, most):
        self.time, self.random = time, random
        self.opened = []
        ruleset = random.choice([{"ruleset": "arena"}, {"ruleset": "spells", "mode": "rp"}])
        entrants = random.randint(2, most)
        referees = [RefereeFactory() for _number in range(random.choice([0, 0, 1, 3]))]
        self.staff = StaffFactory()
        self.tournament = play.announced(
            user=self.staff, kind=random.choice(sorted(formats.FORMATS)), round_days=random.randint(4, 9),
            capacity=max(2, entrants - random.randint(0, 2)), third_place=random.random() < 0.5, referees=referees,
            **ruleset,
        )  # fmt: skip
        for _number in range(entrants):
            self._enter()
        self.restless = random.choice([0.0, 0.02, 0.1])
        self.natures = {}

    def live(self):
        with patch.object(rounds, "_open_round", self._note_round(rounds._open_round)):
            for _step in range(MOST_STEPS):
                self._let_people_act()
                self._let_time_pass()
                self.tournament = play.fresh(self.tournament)
                if not (self.tournament.is_open or self.tournament.is_running):
                    return self
        raise AssertionError(f"{self.tournament.kind} of {self.tournament.capacity} does not end")

    def _note_round(self, open_round):
        """Hold what each round is opened from against what the database says by then."""

        def noted(tournament, course, pairings, **more):
            seated = Entrant.objects.filter(tournament=tournament, place__isnull=False)
            here = set(seated.filter(status="in").values_list("place", flat=True))
            everybody = set(seated.values_list("place", flat=True))
            decided = tuple(match.result for match in tournament.matches.order_by("pk"))
            seen = formats.Course(len(everybody), decided, frozenset(everybody - here), tournament.third_place)
            assert course == seen
            self.opened.append(formats.get(tournament.kind).pair(seen))
            return open_round(tournament, course, pairings, **more)

        return noted

    def _let_time_pass(self):
        """Go to what the clocks have to do next, a day further at most; now and then they stand still for a while."""
        now = self.time.now()
        under_way = Duel.objects.filter(match__tournament=self.tournament, status__in=("announced", "running"))
        due = under_way.filter(due_at__gt=now).aggregate(at=Min("due_at"))["at"]
        hours = [now + STEP, due, self.tournament.wake_at]
        then = max(now, min(one for one in hours if one is not None)) + clock.GRACE
        if self.random.random() < 0.03:
            self.time.stand_still(hours=self.random.choice([1, 30]))
        else:
            self.time.go_to(then, seconds=1)
        for _twice in range(2):  # a duel that ends may open a round
            assert duel_sweep.sweep()["failed"] == 0
            assert sweep()["failed"] == 0

    def _let_people_act(self):
        for match in self.tournament.matches.filter(decided_at=None).exclude(duel=None):
            self._play(Duel.objects.select_related("phase").get(pk=match.duel_id))
        if self.random.random() < self.restless:
            self._somebody_goes()
        if self.tournament.takes_substitutes and self.random.random() < self.restless:
            self._enter()

    def _enter(self):
        play.enter(self.tournament, play.unequal(self.tournament, self.random))

    def _play(self, duel):
        if not duel.is_running:
            return
        if duel.phase.status == "locked" and duel.referee and self.random.random() < 0.7:
            revision = duel.phase.resolution.revision
            publish_turn(user=duel.referee, duel_id=duel.pk, turn=duel.turn, name=duel.phase.name, revision=revision)
            duel = duel_play.fresh(duel)
        for letter in duel.awaited if duel.phase.is_open else "":
            self._play_seat(duel, letter)

    def _play_seat(self, duel, letter):
        duel = duel_play.fresh(duel)
        if not duel.is_running or not duel.phase.is_open or letter not in duel.awaited:
            return
        files, surrenders = self.natures.setdefault((duel.pk, letter), self.random.choice([KEEN, KEEN, SILENT, FADING]))
        if duel.turn > files:
            return
        if self.random.random() < surrenders:
            surrender(user=duel_play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
        elif duel.ruleset == "arena":
            thrust, parry = ZONES[duel.turn % 2]
            duel_play.file(duel, letter, thrust=thrust, parry=parry)
        else:
            spells_play.file(duel, letter)

    def _somebody_goes(self):
        entrant = self.random.choice([*self.tournament.entrants.awaited(), None])
        if entrant is None:
            return
        try:
            if self.random.random() < 0.5:
                play.leave(entrant)
            else:
                disqualify(
                    user=self.staff, tournament_id=self.tournament.pk, entrant_id=entrant.pk, reason="Tricherie."
                )
        except (Invalid, TooLate):
            assert not play.fresh(self.tournament).is_running

    def check(self):
        """Everything has ended, everyone has played whom the format says, at most one is champion."""
        tournament = self.tournament
        reigns = list(Reign.objects.filter(tournament=tournament))
        if tournament.status == "cancelled":
            assert (tournament.matches.count(), reigns) == (0, [])
            return
        assert tournament.status == "over"
        matches = list(tournament.matches.with_all().order_by("pk"))
        assert all(match.decided_at for match in matches)
        played = {}
        for match in matches:
            played.setdefault(match.round, []).append(match.pairing)
        assert [tuple(pairings) for pairings in played.values()] == self.opened
        course = course_of(tournament)
        check_whole(SimpleNamespace(format=tournament.format, course=course, rounds=self.opened))
        place = formats.champion(tournament.format, course)
        crowned = [tournament.entrants.get(place=place, status="in").duellist] if place else []
        assert [reign.duellist for reign in reigns] == crowned
        for match in matches:
            check_match(match)


def check_match(match):
    """What came of a match is what its duel, or who was there, says."""
    duel = match.duel
    if duel is None:
        assert match.how in ("walkover", "bye")
        return
    assert duel.status in ("over", "cancelled")
    filed = set(duel.entries.filter(kind="filing").values_list("seat", flat=True))
    points = {"a": match.a_points, "b": match.b_points}
    if match.how == "absence":
        assert all((points[letter] > 0) == (letter in filed) for letter in "ab")
        paid = Transfer.objects.filter(duel=duel).values_list("payee__duellist", flat=True)
        assert set(paid) <= {duel.cast[letter]["duellist"] for letter in filed}
        assert bool(paid) == bool(filed and duel.ruleset == "spells")
    if duel.is_over and duel.winner:
        assert points[{"1": "a", "2": "b"}.get(duel.winner, duel.winner)] == 2
    if duel.is_over:
        assert failures(duel) == []
