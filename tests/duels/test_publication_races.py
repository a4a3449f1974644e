"""The hour announced for a publication comes at the moment at which its referee changes their mind."""

import datetime as dt

import pytest

from duels import clock
from duels.actions.publications import announce_publication, call_off_publication, keep_words
from duels.actions.rulings import note_ruling
from duels.actions.sweep import wake
from duels.errors import Invalid, TooLate
from duels.models import Duel, Phase, Post
from tests import play
from tests.duels.exporting import failures
from tests.duels.test_concurrency import ORDERS, publishing, together

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def about(duel):
    return {"user": duel.referee, "duel_id": duel.pk, "turn": 1}


def due():
    """A duel whose announced hour has just come."""
    duel = play.locked()
    keep_words(**about(duel), preamble="La cloche sonne.", closing="")
    announce_publication(**about(duel), revision=1, publish_at=clock.now() + dt.timedelta(hours=9))
    hour = clock.now() - dt.timedelta(seconds=1)
    Phase.objects.filter(duel=duel).update(publish_at=hour)
    Duel.objects.filter(pk=duel.pk).update(wake_at=hour)
    return play.fresh(duel)


def posted(duel, kind):
    return Post.objects.filter(thread__duel=duel, kind=kind).count()


@ORDERS
def test_the_hour_comes_as_it_is_called_off(order):
    duel = due()
    results = together(duel, lambda: wake(duel.pk), lambda: call_off_publication(**about(duel)), order=order)
    if order == (0, 1):
        assert (results[0], type(results[1])) == (True, TooLate)
        assert (posted(duel, "resolution"), posted(duel, "preamble")) == (1, 1)
    else:
        assert results[0] is False
        assert play.fresh(duel).turn == 1
        assert posted(duel, "resolution") == 0
    assert failures(play.fresh(duel), moved=True) == []


def test_the_hour_comes_to_two_workers_at_once():
    duel = due()
    results = together(duel, lambda: wake(duel.pk), lambda: wake(duel.pk))
    assert sorted(results) == [False, True]
    assert (posted(duel, "resolution"), posted(duel, "preamble")) == (1, 1)
    assert failures(play.fresh(duel), moved=True) == []


@ORDERS
def test_an_hour_is_announced_as_a_ruling_comes(order):
    duel = play.locked()
    hour = clock.now() + dt.timedelta(hours=9)
    results = together(
        duel,
        lambda: announce_publication(**about(duel), revision=1, publish_at=hour),
        lambda: note_ruling(**about(duel), reason="Une remarque."),
        order=order,
    )
    if order == (0, 1):
        assert type(results[1]) is Invalid
        assert play.fresh(duel).phase.publish_at == hour
    else:
        assert type(results[0]) is TooLate
        assert play.fresh(duel).phase.publish_at is None
    assert failures(play.fresh(duel), moved=True) == []


@ORDERS
def test_an_hour_is_announced_as_the_turn_is_published(order):
    duel = play.locked()
    hour = clock.now() + dt.timedelta(hours=9)
    announce = lambda: announce_publication(**about(duel), revision=1, publish_at=hour)  # noqa: E731
    results = together(duel, announce, publishing(duel), order=order)
    assert type(results[1 if order == (0, 1) else 0]) is (Invalid if order == (0, 1) else TooLate)
    assert posted(duel, "resolution") == (0 if order == (0, 1) else 1)
    assert failures(play.fresh(duel), moved=True) == []
