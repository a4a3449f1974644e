"""Duels that a tournament arranges: made with everybody's consent, ended when it says so."""

import datetime as dt

import pytest
from django.db import transaction

from duels import clock, export
from duels.actions.arranged import arrange_duel, call_off, decide_at_the_wall, give_up
from duels.actions.ledger import held
from duels.actions.spell_challenges import terms_of
from duels.actions.sweep import wake
from duels.models import Duel, Happening
from duels.queries.books import current_book
from rules import verify
from tests import play, spells_play
from tests.factories import DuellistFactory, RefereeFactory

pytestmark = pytest.mark.django_db(transaction=True)


def arranged(referee=None, **more):
    terms = {"ruleset_name": "arena", "turn_hours": 48, "referee": referee, "at": clock.now(), **more}
    terms.setdefault("duellists", [DuellistFactory(), DuellistFactory()])
    return arrange_duel(**terms)


def arranged_spells():
    book = current_book()
    fighters = [spells_play.fighter(), spells_play.fighter()]
    terms = [terms_of(one, "rp", None, book) for one in fighters]
    return arranged(ruleset_name="spells", duellists=fighters, mode="rp", book=book, terms=terms)


def started(duel):
    play.hide(duel)
    for letter in "ab":
        play.ask_to_start(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    return play.fresh(duel)


@transaction.atomic(durable=True)
def at_the_wall(duel):
    return decide_at_the_wall(duel_id=duel.pk)


def proven(duel):
    report = verify.verify(export.of(play.fresh(duel)))
    assert report.failures == ()
    return report.ok


def test_it_is_announced_at_once_and_starts_48_hours_later():
    duel = arranged(RefereeFactory())
    assert (duel.status, duel.kind, duel.referee.username[:7]) == ("announced", "tournament", "referee")
    assert duel.starts_at - duel.announced_at == dt.timedelta(hours=48)
    assert duel.wake_at is not None
    assert Happening.objects.filter(duel=duel, what="announced").get().concerns == [
        duel.cast["a"]["user"], duel.cast["b"]["user"]
    ]  # fmt: skip


def test_an_open_turn_is_not_resolved_at_the_wall_and_the_gauges_decide():
    duel = started(arranged())
    play.play_turn(duel, b={"thrust": "torso", "parry": "right_arm"})
    play.file(duel, "a", thrust="head", parry="torso")
    at_the_wall(duel)
    duel = play.fresh(duel)
    assert (duel.status, duel.ended_by, duel.turn) == ("over", "wall", 2)
    assert proven(duel)


def test_a_turn_that_waits_for_its_referee_is_published_before_the_wall_decides():
    duel = started(arranged(RefereeFactory()))
    play.file(duel, "a")
    play.file(duel, "b", thrust="torso", parry="right_arm")
    assert play.fresh(duel).phase.status == "locked"
    at_the_wall(duel)
    duel = play.fresh(duel)
    assert (duel.status, duel.ended_by, duel.turn) == ("over", "wall", 2)
    notes = [post.details.get("note") for post in duel.thread.posts.order_by("position")]
    assert "unread_at_the_wall" in notes
    assert proven(duel)


@pytest.mark.parametrize("made", [arranged, arranged_spells])
def test_a_duel_that_has_not_started_is_decided_too(made):
    duel = made()
    at_the_wall(duel)
    assert play.fresh(duel).status == "over"
    assert proven(duel)


def test_deciding_twice_changes_nothing_more():
    duel = started(arranged())
    at_the_wall(duel)
    before = Duel.objects.values().get(pk=duel.pk)
    at_the_wall(duel)
    assert Duel.objects.values().get(pk=duel.pk) == before


def test_who_leaves_before_the_start_calls_the_duel_off():
    duel = arranged()
    with held(duel.pk) as mine:
        call_off(mine, at=clock.now(), letter="b")
    duel = play.fresh(duel)
    assert (duel.status, duel.wake_at) == ("cancelled", None)
    assert not wake(duel.pk)


@pytest.mark.parametrize("make", [lambda: started(arranged()), arranged_spells])
def test_who_leaves_while_it_runs_loses_it(make):
    duel = make()
    if duel.status == "announced":
        for letter in duel.cast:
            play.ask_to_start(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    with held(duel.pk) as mine:
        give_up(mine, at=clock.now(), letter="a")
    duel = play.fresh(duel)
    assert (duel.status, duel.ended_by) == ("over", "surrender")
    assert duel.winner == ("b" if duel.ruleset == "arena" else "2")
    assert proven(duel)
