"""Filing, replacing, closing, publishing, ruling, surrendering, asking for time, naming a zone: all at once, at random.

A run that fails leaves its seed in `failed/`, with what was done; from then on it is played first.
"""

import datetime as dt
from pathlib import Path
from unittest.mock import patch

import pytest

from duels import clock
from duels.models import Duel, Phase
from tests import play
from tests.duels.arenas import quiet
from tests.scale import scaled

from .cloning import copies
from .interleaving import Table, hands, let_go

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

RUNS = scaled(20, 1_000)
FAILED = Path(__file__).parent / "failed"


def begun():
    """The first turn; a has filed."""
    duel = play.running()
    play.file(duel, "a")
    return duel


def owing():
    """The third turn; a decoy of a was hit in the second."""
    duel = quiet()
    play.play_turn(duel, a={"option": {"name": "gaping_hole", "zones": ["right_leg", "right_arm"]}})
    return play.play_turn(duel, a={"thrust": "torso", "parry": "head"}, b={"thrust": "right_leg", "parry": "head"})


TURN = dt.timedelta(hours=48)
STAGES = {"running": play.running, "begun": begun, "locked": play.locked, "owing": owing}


@pytest.fixture
def pool():
    pool = hands()
    yield pool
    let_go(pool)


@pytest.mark.parametrize("stage", STAGES)
def test_whatever_meets_at_a_duel_its_books_are_right(stage, pool):
    failed = sorted(int(path.stem.rpartition("-")[2]) for path in FAILED.glob(f"{stage}-*.txt"))
    seeds = [*failed, *range(RUNS // len(STAGES))]
    due, later = copies(begun_ago(stage, TURN + clock.GRACE), len(seeds)), copies(STAGES[stage](), len(seeds))
    duels = [(due, later)[place % 2][place] for place in range(len(seeds))]
    refused = 0
    for key, seed in zip(duels, seeds, strict=True):
        table = Table(play.fresh(Duel(pk=key)), seed, pool)
        table.play()
        if wrong := table.wrong():
            keep(stage, seed, table, wrong)
        assert wrong == [], f"{stage} {seed}"
        refused += len(table.done) - table.accepted(*{name for name, _letter, _result in table.done})
    assert refused > len(seeds)  # they did get in each other's way
    assert Phase.objects.filter(duel__in=duels, status=Phase.Status.OPEN).count() == 0


def begun_ago(stage, ago):
    """Return a duel at that stage since so long: its record says so too."""
    instant = clock.now() - ago
    with patch.object(clock, "now", lambda: instant):
        return STAGES[stage]()


def keep(stage, seed, table, wrong):
    FAILED.mkdir(exist_ok=True)
    done = [f"{name} {letter}: {result!r}" for name, letter, result in table.done]
    (FAILED / f"{stage}-{seed}.txt").write_text("\n".join([*wrong, "", *done, ""]))
