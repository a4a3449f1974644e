"""Referees doing things at the same moment: nobody holds more than they said, and each question has one answer."""

import pytest
from django.contrib.auth.models import User

from duels.actions.announcement import take_duel
from duels.actions.availability import set_availability
from duels.actions.referees import take_over
from duels.actions.sweep import sweep
from duels.errors import Invalid, TooLate
from duels.models import Availability, Duel, Phase
from referee import eligibility
from referee.actions import candidacies, hand_overs
from referee.models import Candidacy, HandOver
from tests import play
from tests.duels.test_concurrency import ORDERS, refused, together
from tests.factories import RefereeFactory, UserFactory

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def taking(duel, referee):
    return lambda: take_duel(user=referee, duel_id=duel.pk)


@pytest.fixture
def eligible(monkeypatch):
    """Whoever applies has finished duels enough."""
    monkeypatch.setattr(eligibility, "DUELS", 0)


@ORDERS
def test_a_referee_of_one_duel_takes_two_at_once_and_holds_one(order):
    referee = RefereeFactory()
    set_availability(user=referee, is_available=True, at_once=1)
    one, other = play.agreed(), play.agreed()
    rows = Availability.objects.filter(user=referee)
    results = together(rows, taking(one, referee), taking(other, referee), order=order)
    assert [type(refusal) for refusal in refused(results)] == [Invalid]
    assert Duel.objects.filter(referee=referee).count() == 1
    left = Duel.objects.get(referee=None)
    assert (left.status, left.announced_at) == (Duel.Status.AGREED, None)


@ORDERS
def test_a_duel_is_handed_over_as_another_takes_it_over(time, order):
    duel, asked, third = play.locked(), RefereeFactory(), RefereeFactory()
    hand_overs.ask_hand_over(user=duel.referee, duel_id=duel.pk, to_id=asked.pk)
    time.go_to(duel.phase.locked_at, hours=49)
    sweep()
    assert Phase.objects.get(pk=duel.phase_id).offered_at
    results = together(
        duel,
        lambda: hand_overs.answer_hand_over(user=asked, duel_id=duel.pk, accepted=True),
        lambda: take_over(user=third, duel_id=duel.pk),
        order=order,
    )
    after = play.fresh(duel).referee
    if order == (1, 0):
        assert [type(refusal) for refusal in refused(results)] == [TooLate]
        assert after == third
    else:  # a turn that was offered stays so: the last to take it over has it, and everybody is told of both
        assert (refused(results), after) == ([], third)
    assert duel.thread.posts.filter(kind="note", details__note__in=["handed_over", "taken_over"]).count() == 2 - len(
        refused(results)
    )


@ORDERS
def test_a_hand_over_is_taken_back_as_it_is_accepted(order):
    duel, asked = play.running(), RefereeFactory()
    first = duel.referee
    hand_overs.ask_hand_over(user=first, duel_id=duel.pk, to_id=asked.pk)
    together(
        duel,
        lambda: hand_overs.answer_hand_over(user=asked, duel_id=duel.pk, accepted=True),
        lambda: _withdraw(first, duel),
        order=order,
    )
    taken_back = order == (1, 0)
    assert play.fresh(duel).referee == (first if taken_back else asked)
    assert HandOver.objects.get().answer == ("withdrawn" if taken_back else "accepted")


def _withdraw(referee, duel):
    return hand_overs.withdraw_hand_over(user=referee, duel_id=duel.pk)


def test_somebody_applies_twice_at_once_and_has_one_candidacy(eligible):
    user = UserFactory()
    acts = [lambda: candidacies.apply(user=user, message="Moi.", at_once=2)] * 2
    results = together(User.objects.filter(pk=user.pk), *acts)
    assert [type(refusal) for refusal in refused(results)] == [TooLate]
    assert Candidacy.objects.count() == 1


@ORDERS
def test_two_referees_answer_one_candidacy(eligible, order):
    yes, no = RefereeFactory(), RefereeFactory()
    sent = candidacies.apply(user=UserFactory(), message="Moi.", at_once=2)
    results = together(
        Candidacy.objects.filter(pk=sent.pk),
        lambda: candidacies.answer_candidacy(user=yes, candidacy_id=sent.pk, accepted=True),
        lambda: candidacies.answer_candidacy(user=no, candidacy_id=sent.pk, accepted=False, reason="Trop tôt."),
        order=order,
    )
    assert [type(refusal) for refusal in refused(results)] == [TooLate]
    sent.refresh_from_db()
    accepted = order == (0, 1)
    assert sent.answer == ("accepted" if accepted else "declined")
    assert sent.user.groups.exists() is accepted
