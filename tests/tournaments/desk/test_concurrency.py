"""Several clocks, or people and the clock, at the desk at the same moment."""

import pytest

from duels.errors import Invalid, TooLate
from duels.models import Duel, Duellist
from tests.duels.test_concurrency import together
from tests.factories import DuellistFactory
from tournaments.desk.actions.pairing import pair
from tournaments.desk.actions.registering import withdraw
from tournaments.models import Enrolment, Pairing

from . import play

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def refused(action):
    """Do it, and return what it was refused with, or None."""
    try:
        action()
    except (Invalid, TooLate) as refusal:
        return type(refusal)
    return None


def test_several_clocks_pair_nobody_twice():
    for year in (1, 1, 2, 2, 3, 3):
        play.in_arena(year=year)
    counted = together(Enrolment.objects.order_by("pk"), pair, pair, pair, pair)
    assert sum(one["paired"] for one in counted) == 3
    assert Pairing.objects.count() == Duel.objects.count() == 3
    seated = list(Duel.objects.values_list("seats__duellist", flat=True))
    assert len(seated) == len(set(seated)) == 6


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_who_withdraws_as_the_clock_pairs_is_either_gone_or_paired(order):
    enrolment = play.in_arena()
    play.in_arena()
    user = enrolment.duellist.user
    leaving = lambda: refused(lambda: withdraw(user=user, enrolment_id=enrolment.pk))  # noqa: E731
    together(Enrolment.objects.filter(pk=enrolment.pk), leaving, pair, order=order)
    enrolment.refresh_from_db()
    assert (enrolment.status, Duel.objects.count()) == (("withdrawn", 0) if order == (0, 1) else ("paired", 1))


def test_a_form_sent_twice_at_once_registers_once():
    duellist = DuellistFactory()
    row = Duellist.objects.filter(pk=duellist.pk)
    answers = together(row, *[lambda: refused(lambda: play.in_arena(duellist))] * 2)
    assert answers == [None, Invalid]
    assert Enrolment.objects.count() == 1


def test_both_confirm_at_the_same_moment():
    duel = play.paired()
    together(duel, *[lambda letter=letter: play.confirm(duel, letter) for letter in "ab"])
    assert Duel.objects.get().status == "announced"


def test_several_clocks_settle_a_pairing_once():
    duel = play.paired()
    play.decline(duel, "a")
    counted = together(duel, pair, pair, pair)
    assert sum(one["settled"] for one in counted) == 1
    assert sorted(Enrolment.objects.values_list("status", flat=True)) == ["lapsed", "waiting"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_who_registers_anew_as_the_clock_brings_them_back_is_in_line_once(order):
    duel = play.paired()
    for letter in "ab":
        play.confirm(duel, letter)
    pair()
    Duel.objects.update(status="cancelled")
    one = duel.seats.get(letter="a").duellist
    anew = lambda: refused(lambda: play.in_arena(one))  # noqa: E731
    refusal, settled = together(Duellist.objects.filter(pk=one.pk), anew, lambda: pair()["settled"], order=order)
    assert (refusal, settled) == ((None, 1) if order == (0, 1) else (Invalid, 1))
    assert Enrolment.objects.open().filter(duellist=one).count() == 1
    assert Enrolment.objects.exclude(failures=0).count() + Pairing.objects.exclude(failures=0).count() == 0
