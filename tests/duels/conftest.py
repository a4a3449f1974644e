"""The clock and the dice of these tests."""

import datetime as dt
from itertools import count

import pytest
from django.utils import translation

from duels import clock, secrets
from duels.models import Heartbeat
from duels.vault import seal
from rules.dice import SealedDice
from rules.seal import SEED_BYTES, commitment


class Clock:
    """The database's clock, which a test moves on."""

    def __init__(self, told):
        self.told = told
        self.ahead = dt.timedelta()

    def now(self):
        return self.told() + self.ahead

    def go_on(self, **time):
        """Let time pass, the sweeps beating on: `hours=3`, `seconds=31`."""
        self.stand_still(**time)
        Heartbeat.objects.filter(pk=getattr(Heartbeat.objects.last(), "pk", None)).update(at=self.now())

    def go_to(self, instant, **past):
        """Let it be that instant, and a little past it."""
        self.go_on(seconds=(instant - self.now() + dt.timedelta(**past)).total_seconds())

    def stand_still(self, **time):
        """Let time pass without a sweep: an outage."""
        self.ahead += dt.timedelta(**time)


@pytest.fixture
def time(monkeypatch):
    passing = Clock(clock.now)
    monkeypatch.setattr(clock, "now", passing.now)
    monkeypatch.setattr(clock, "received", lambda _request: passing.now())
    return passing


@pytest.fixture
def in_english():
    """Refusals are read in one language, whatever has been translated."""
    with translation.override("en"):
        yield


@pytest.fixture
def fate(monkeypatch):
    """Let the dice of the duels announced from now on fall as said: `fate({(1, "cast:a"): 2})`, by turn and label."""

    def decide(wanted):
        def draw_seed(duel):
            seed = next(seed for seed in map(_seed, count()) if _falls(seed, duel, wanted))
            duel.sealed_seed = seal(seed, duel.uid, "seed")
            duel.commitment = commitment(seed)

        monkeypatch.setattr(secrets, "draw_seed", draw_seed)

    return decide


def _seed(number):
    return number.to_bytes(SEED_BYTES, "big")


def _falls(seed, duel, wanted):
    return all(
        SealedDice(seed, str(duel.uid), 0, turn).roll(label, 6) == face for (turn, label), face in wanted.items()
    )
