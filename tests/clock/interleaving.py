"""Several people and the clock at one duel at once, each on a connection of its own; and what holds afterwards."""

import datetime as dt
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from django.db import connections

from duels import clock, export
from duels.actions.ending import surrender
from duels.actions.filing import file_declaration, name_zone, replace_declaration
from duels.actions.publications import announce_publication, call_off_publication
from duels.actions.repair import audit_duel
from duels.actions.rulings import adjust_points, rule_invalid
from duels.actions.sweep import sweep, wake
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.actions.turns import publish_turn
from duels.errors import Refused
from duels.models import Happening, TimeOut
from rules.verify import verify
from tests import play

from .books import gaps

HANDS = 4
DEEDS = ["file"] * 5 + ["replace"] * 4 + ["close"] * 3 + ["sweep", "publish", "publish", "ask", "answer", "answer"] + [
    "name", "name", "rule", "points", "announce", "call_off", "surrender",
]  # fmt: skip
ZONES = ("head", "torso", "left_arm", "right_arm", "left_leg", "right_leg")


class Table:
    """One duel, the deeds that a seed deals out to several hands, and what became of each."""

    def __init__(self, duel, seed, pool):
        self.duel, self.turn, self.pool = duel, duel.turn, pool
        self.random = random.Random(seed)
        self.users = {letter: play.player(duel, letter) for letter in "ab"}
        self.received_at = min(clock.now(), duel.phase.due_at)
        self.revision = duel.phase.live.revision if duel.phase.live else 1
        self.told = Happening.objects.filter(duel=duel, what="filed").count()
        self.done = []

    def play(self):
        """Deal the deeds out, let all hands begin at once, and wait for the last."""
        deals = [[self._deed() for _deed in range(self.random.randint(2, 4))] for _hand in range(HANDS)]
        begin = threading.Barrier(HANDS)
        hands = [self.pool.submit(self._hand, begin, deal) for deal in deals]
        for hand in hands:
            hand.result(timeout=60)

    def _hand(self, begin, deal):
        begin.wait(timeout=30)
        for pause, name, letter, act in deal:
            time.sleep(pause)
            try:
                result = act()
            except Refused as refusal:
                result = refusal
            self.done.append((name, letter, result))

    def _deed(self):
        name, letter = self.random.choice(DEEDS), self.random.choice("ab")
        return self.random.uniform(0, 0.02), name, letter, getattr(self, f"_{name}")(letter)

    def _filed(self, letter):
        thrust, parry = self.random.choice(ZONES), self.random.choice(ZONES)
        declaration = {"thrust": thrust, "parry": parry, "option": None}
        return {**self._by(letter), "turn": self.turn, "declaration": declaration}

    def _by(self, letter):
        return {"user": self.users[letter], "duel_id": self.duel.pk, "received_at": self.received_at}

    def _file(self, letter):
        filed = self._filed(letter)
        return lambda: file_declaration(**filed, text=play.TEXT)

    def _replace(self, letter):
        filed = self._filed(letter)
        return lambda: replace_declaration(**filed)

    def _close(self, _letter):
        return lambda: wake(self.duel.pk)

    def _sweep(self, _letter):
        return lambda: sweep(limit=1)

    def _publish(self, _letter):
        review = {"user": self.duel.referee, "duel_id": self.duel.pk, "turn": self.turn}
        return lambda: publish_turn(**review, revision=self.revision)

    def _rule(self, letter):
        review = {"user": self.duel.referee, "duel_id": self.duel.pk, "turn": self.turn}
        return lambda: rule_invalid(**review, seat=letter, reason="Un indice de trop.")

    def _points(self, letter):
        review = {"user": self.duel.referee, "duel_id": self.duel.pk, "turn": self.turn}
        points = self.random.choice((-2, -1, 1))
        return lambda: adjust_points(**review, seat=letter, gauge="link", points=points, reason="Un tour mal jugé.")

    def _announce(self, _letter):
        review = {"user": self.duel.referee, "duel_id": self.duel.pk, "turn": self.turn}
        hour = clock.now() + dt.timedelta(hours=self.random.randint(1, 100))
        return lambda: announce_publication(**review, revision=self.revision, publish_at=hour)

    def _call_off(self, _letter):
        review = {"user": self.duel.referee, "duel_id": self.duel.pk, "turn": self.turn}
        return lambda: call_off_publication(**review)

    def _ask(self, letter):
        hours = self.random.randint(1, 120)
        return lambda: ask_time_out(**self._by(letter), hours=hours, reason="Un voyage.")

    def _answer(self, letter):
        granted = self.random.random() < 0.5
        return lambda: self._answer_one(granted, letter)

    def _answer_one(self, granted, letter):
        asked = TimeOut.objects.filter(phase__duel=self.duel, seat__letter=letter).first()
        if asked is None:
            return None
        return answer_time_out(user=self.duel.referee, time_out_id=asked.pk, granted=granted, reason="Soit.")

    def _name(self, letter):
        zone = self.random.choice(ZONES)
        return lambda: name_zone(**self._by(letter), turn=self.turn, zone=zone)

    def _surrender(self, letter):
        return lambda: surrender(**self._by(letter))

    def accepted(self, *names, letter=None):
        """Return how many deeds of these names were not refused."""
        return sum(
            name in names and letter in (None, whose) and not isinstance(result, Refused)
            for name, whose, result in self.done
        )

    def wrong(self):
        """Return what does not hold of the duel now, and of its record once it is over."""
        duel = play.fresh(self.duel)
        found = [
            *self._wrong_now(duel),
            *gaps(duel),
            *(f"{name} was stale" for name in audit_duel(duel.pk, repair=True)),
        ]
        if duel.is_running:
            surrender(user=self.users["a"], duel_id=duel.pk, received_at=clock.now())
        return found + [str(failure) for failure in verify(export.of(play.fresh(duel))).failures]

    def _wrong_now(self, duel):
        phase = duel.phases.get(number=self.turn, branch=duel.branch)
        revisions = [one.revision for one in phase.resolutions.order_by("revision")]
        asked = TimeOut.objects.filter(phase=phase)
        facts = {
            "revisions": (revisions, list(range(1, len(revisions) + 1))),
            "the live one": (phase.live.revision if phase.live else 0, len(revisions)),
            "phases open or waiting": (duel.phases.filter(status__in=("open", "locked")).count(), int(duel.is_running)),
            "pleas": (phase.pleas, asked.filter(answer="").count()),
            "told to have filed": (Happening.objects.filter(duel=duel, what="filed").count(),
                                   self.told + self.accepted("file", "replace")),
            "surrenders": (duel.entries.filter(kind="surrender").count(), self.accepted("surrender")),
            "published": (duel.entries.filter(kind="publication", phase=self.turn).count(),
                          int(phase.published_at is not None)),
        }  # fmt: skip
        yield from (f"{name}: {found}, not {true}" for name, (found, true) in facts.items() if found != true)
        for letter in "ab":
            yield from self._wrong_of(duel, phase, letter)

    def _wrong_of(self, duel, phase, letter):
        filed = duel.entries.filter(kind="filing", phase=self.turn, seat=letter).order_by("index")
        versions = list(filed.values_list("version", flat=True))
        faults = duel.entries.filter(kind="infraction", phase=self.turn, seat=letter).count()
        if versions != list(range(1, phase.filed.get(letter, 0) + 1)):
            yield f"{letter}'s versions are {versions}, its last is {phase.filed.get(letter)}"
        if self.accepted("file", letter=letter) > 1:
            yield f"{letter} has published twice"
        if faults > (0 if versions else 1):
            yield f"{letter} has {faults} faults and {len(versions)} filings"
        if TimeOut.objects.filter(seat__duel=duel, seat__letter=letter).count() > 1:
            yield f"{letter} has asked twice for time"


def hands():
    """Return a pool in which each thread keeps its connection; close it with `let_go`."""
    return ThreadPoolExecutor(HANDS)


def let_go(pool):
    everyone = threading.Barrier(HANDS)
    for end in [pool.submit(lambda: connections.close_all() or everyone.wait(30)) for _hand in range(HANDS)]:
        end.result()
    pool.shutdown()
