"""Two duels that the public cannot tell apart by the rules can be told apart by nothing that leaves the server."""

import datetime as dt
from functools import partial
from itertools import count

import pytest
import time_machine
from django.db import connection

from duels import clock
from tests import bouts, pages, pairs
from tests.scale import FULL

pytestmark = pytest.mark.django_db
# So many parts, which several processes share, each of so many pairs of each ruleset: 20,000 in the long run, 300 in
# the suite. Their stages come one after the other. What is shown hangs little on the database: where the suite runs on
# PostgreSQL, each eleventh will do.
PARTS, PAIRS = (50, 200) if FULL else (6, 25)
EACH = 11 if connection.vendor == "postgresql" and not FULL else 1
NOON = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)
STAGES = {bouts.arena: list(bouts.ARENA), bouts.spells: list(bouts.SPELLS)}


@pytest.fixture
def world(monkeypatch):
    """People, at an hour that does not pass."""
    monkeypatch.setattr(clock, "now", lambda: NOON)
    monkeypatch.setattr(clock, "received", lambda _request: NOON)
    with time_machine.travel(NOON, tick=False):
        yield pairs.World(monkeypatch)


def found_at(world, bout, place):
    """Return where the pair of that place is told apart: the first that is one at its stage."""
    stage = STAGES[bout][place % len(STAGES[bout])]
    for number in range(place * 1000, place * 1000 + 100):
        found = pairs.differences(world, bout, stage, number, partial(pairs.dealt, place))
        if found is not None:
            return [(stage, number, one) for one in found]
    raise AssertionError(f"no pair at the stage {stage}")


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("bout", [bouts.arena, bouts.spells])
def test_what_leaves_the_server_is_the_same(world, bout, part):
    for place in range(part * PAIRS, (part + 1) * PAIRS, EACH):
        assert found_at(world, bout, place) == []


@pytest.mark.parametrize("bout", [bouts.arena, bouts.spells])
def test_the_same_search_finds_what_the_author_is_shown(world, bout):
    """If it did not, this file would prove nothing."""

    def shown_to_the_author(*bringing):
        return bout(*bringing)._replace(knowing=frozenset())

    form = [pages.Page("/duels/{duel}/tour/")]
    tries = (pairs.differences(world, shown_to_the_author, "drafted", number, lambda _who: form) for number in count())
    found = next(found for found in tries if found is not None)
    assert found
    assert all(", player a" in one or ", fighter b" in one for one in found)


def test_every_reader_is_shown_every_page():
    """At one stage or another, of either ruleset; the long run comes to all of them."""
    for who in (*pairs.READERS, "player b", "fighter a"):
        shown = {page for place in range(PARTS * PAIRS) for page in pairs.dealt(place, who)}
        assert shown >= set(pages.PAGES), who
        assert who != "staff" or shown >= set(pages.of_the_administration())


def test_every_address_of_the_site_is_listed():
    """A new one is added to the pages that are read here, or said to know of no duel."""
    listed = [*pages.SHOWN, *pages.WITH_FORMS, *pages.OF_NO_DUEL]
    assert sorted(pages.names_of_the_site()) == sorted(listed)
