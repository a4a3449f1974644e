"""Purses under real concurrency: what is held twice is refused once, what ends at once is paid once (PostgreSQL)."""

import threading

import pytest

from duels import clock
from duels.actions.challenges import accept_challenge
from duels.actions.ending import surrender
from duels.actions.purse import grant
from duels.actions.scenes import open_scene, write_in_scene
from duels.errors import Invalid
from duels.models import Account, Duel, Transfer
from tests import play
from tests.factories import DuellistFactory, StaffFactory

from .purses import assert_balanced, give, holds
from .test_concurrency import on_its_own, pytestmark, together  # noqa: F401

STAKE = {"stake": 30, "stake_currency": "liards"}


def rich(liards=30):
    duellist = DuellistFactory()
    give(duellist, liards)
    return duellist


def at_once(*acts):
    """Let all acts begin at the same moment, each on its own connection; return the result of each."""
    gate = threading.Barrier(len(acts))
    results = [None] * len(acts)

    def run(place, act):
        gate.wait()
        results[place] = on_its_own(act)

    threads = [threading.Thread(target=run, args=(place, act)) for place, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    return results


def accepting(duel):
    user = play.player(duel, "b")
    return lambda: accept_challenge(user=user, duel_id=duel.pk)


def giving_up(duel, letter="b"):
    user, now = play.player(duel, letter), clock.now()
    return lambda: surrender(user=user, duel_id=duel.pk, received_at=now)


@pytest.mark.parametrize("order", [None, [1, 0]])
def test_two_duels_agreed_at_once_do_not_promise_the_same_liards(order):
    """Each holds its own duel, and both queue at the account of the one who has enough for one only."""
    poor = rich(30)
    duels = [play.challenged(a=rich(), b=poor, **STAKE) for _ in range(2)]
    results = together(Account.objects.filter(duellist=poor), *map(accepting, duels), order=order)
    assert sum(isinstance(result, Invalid) for result in results) == 1
    assert Duel.objects.filter(status=Duel.Status.AGREED).count() == 1


def test_a_duel_ended_twice_at_once_is_paid_once():
    a, b = rich(), rich()
    duel = play.running(a=a, b=b, **STAKE)
    together(duel, giving_up(duel), giving_up(duel, "a"))
    assert Transfer.objects.filter(what="stake_won").count() == 1
    assert holds(a) + holds(b) == 60
    assert_balanced()


def test_many_duels_of_the_same_two_end_at_once_and_all_are_paid():
    a, b = rich(120), rich(120)
    duels = [play.running(**({"a": a, "b": b} if n % 2 else {"a": b, "b": a}), **STAKE) for n in range(4)]
    results = at_once(*map(giving_up, duels))
    assert all(isinstance(result, Duel) for result in results)
    assert (holds(a), holds(b)) == (120, 120)
    assert_balanced()


def test_the_same_liards_are_not_taken_twice():
    duellist, staff = rich(30), StaffFactory()

    def taking():
        return grant(user=staff, duellist=duellist, currency="liards", amount=-20, reason="amende")

    results = at_once(taking, taking, taking)
    assert sum(isinstance(result, Transfer) for result in results) == 1
    assert sum(isinstance(result, Invalid) for result in results) == 2
    assert holds(duellist) == 10
    assert_balanced()


def test_accounts_opened_at_once_are_opened_once():
    duellists, staff = [DuellistFactory() for _ in range(2)], StaffFactory()

    def giving(duellist):
        return lambda: grant(user=staff, duellist=duellist, currency="runes", amount=1, reason="don")

    at_once(*(giving(duellists[n % 2]) for n in range(6)))
    assert [holds(duellist, "runes") for duellist in duellists] == [3, 3]
    assert Account.objects.filter(currency="runes").count() == 3
    assert_balanced()


def test_posts_of_a_scene_written_at_once_have_places_of_their_own():
    duellists = [DuellistFactory() for _ in range(4)]
    first = duellists[0]
    scene = open_scene(user=first.user, duellist=first, title="La cour", text="Midi sonne.")

    def writing(duellist):
        return lambda: write_in_scene(user=duellist.user, scene_id=scene.pk, duellist=duellist, text="On accourt.")

    at_once(*map(writing, duellists))
    assert list(scene.thread.posts.values_list("position", flat=True)) == [1, 2, 3, 4, 5]
