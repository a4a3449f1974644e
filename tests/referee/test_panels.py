"""A duel that is given to a list of referees stays among them, while one of them can (the duels of tournaments)."""

import pytest
from django.urls import reverse

from duels import clock
from duels.actions.appeals import contest_resolution, decide_appeal, deciders
from duels.actions.availability import set_availability
from duels.actions.referees import take_over
from duels.actions.sweep import sweep
from duels.errors import Invalid, NotAllowed
from duels.models import Appeal, Duel, Happening
from duels.queries.waiting import tasks_here, waiting_for
from referee.actions.hand_overs import answer_hand_over, ask_hand_over
from tests import play
from tests.duels.readers import as_user
from tests.factories import DuellistFactory, RefereeFactory

pytestmark = pytest.mark.django_db

QUEUE = reverse("referee:queue")


def of_panel(duel, *others):
    """Have a duel be a tournament's, whose list names its referee and these others."""
    Duel.objects.filter(pk=duel.pk).update(kind=Duel.Kind.TOURNAMENT)
    duel.panel.set([duel.referee, *others])
    return play.fresh(duel)


def offered(time, *others, **terms):
    """Return such a duel, of which a turn has waited for its referee for 49 hours."""
    duel = of_panel(play.locked(**terms), *others)
    time.go_to(duel.phase.locked_at, hours=49)
    sweep()
    return play.fresh(duel)


def contested(*others):
    """Return such a duel, of which a resolution is contested, and the appeal."""
    duel = play.locked()
    play.publish(duel)
    duel = of_panel(duel, *others)
    resolution = duel.phase.after
    contest_resolution(
        user=play.player(duel, "a"), duel_id=duel.pk, resolution_id=resolution.pk, reason="Une erreur de zone.",
        received_at=clock.now(),
    )  # fmt: skip
    return play.fresh(duel), Appeal.objects.get()


def away(referee):
    set_availability(user=referee, is_available=False, at_once=3)


def told_of(what):
    return Happening.objects.get(what=what).concerns


def tasks(duel, user):
    """What is asked of a referee, on the page of the duel and on their own."""
    here = [task.what for task in tasks_here(duel, user)]
    assert here == [task.what for tasks in waiting_for(user)[:2] for task in tasks if task.duel == duel]
    return here


def test_a_turn_is_offered_to_the_list_alone(time):
    listed, stranger = RefereeFactory(), RefereeFactory()
    duel = offered(time, listed)
    assert told_of("turn_offered") == [listed.pk]
    assert (tasks(duel, listed), tasks(duel, stranger)) == (["take_over"], [])
    assert duel in as_user(listed).get(QUEUE).context["offered"].rows
    assert duel not in as_user(stranger).get(QUEUE).context["offered"].rows
    with pytest.raises(NotAllowed):
        take_over(user=stranger, duel_id=duel.pk)
    assert take_over(user=listed, duel_id=duel.pk).referee == listed


@pytest.mark.parametrize("why", ["alone", "away", "full", "plays", "left"])
def test_it_is_offered_to_all_where_nobody_of_the_list_can(time, why):
    listed, stranger = RefereeFactory(), RefereeFactory()
    if why == "away":
        away(listed)
    elif why == "full":
        play.locked(referee=listed)
        set_availability(user=listed, is_available=True, at_once=1)
    elif why == "left":
        listed.groups.clear()
    terms = {"a": DuellistFactory(user=listed)} if why == "plays" else {}
    duel = offered(time, *([] if why == "alone" else [listed]), **terms)
    assert stranger.pk in Happening.objects.get(what="turn_offered", duel=duel).concerns
    assert tasks(duel, stranger) == ["take_over"]
    assert take_over(user=stranger, duel_id=duel.pk).referee == stranger


def test_who_is_of_the_list_and_away_is_told_to_say_that_they_are_back(time):
    listed, other = RefereeFactory(), RefereeFactory()
    duel = offered(time, listed, other)
    away(listed)
    with pytest.raises(Invalid):
        take_over(user=listed, duel_id=duel.pk)


def test_it_is_handed_over_within_the_list():
    listed, stranger = RefereeFactory(), RefereeFactory()
    duel = of_panel(play.locked(), listed)
    with pytest.raises(Invalid):
        ask_hand_over(user=duel.referee, duel_id=duel.pk, to_id=stranger.pk)
    ask_hand_over(user=duel.referee, duel_id=duel.pk, to_id=listed.pk)
    assert answer_hand_over(user=listed, duel_id=duel.pk, accepted=True).referee == listed


def test_it_is_handed_over_to_others_where_nobody_of_the_list_can():
    listed, stranger = RefereeFactory(), RefereeFactory()
    away(listed)
    duel = of_panel(play.locked(), listed)
    ask_hand_over(user=duel.referee, duel_id=duel.pk, to_id=stranger.pk)
    assert answer_hand_over(user=stranger, duel_id=duel.pk, accepted=True).referee == stranger


def test_the_list_decides_on_an_appeal_away_or_not():
    listed, stranger = RefereeFactory(), RefereeFactory()
    away(listed)
    duel, appeal = contested(listed)
    assert deciders(duel, appeal) == told_of("appeal_waits") == [listed.pk]
    assert (tasks(duel, listed), tasks(duel, stranger)) == (["appeal"], [])
    with pytest.raises(NotAllowed):
        decide_appeal(user=stranger, appeal_id=appeal.pk, granted=True, reason="Oui.")
    assert decide_appeal(user=listed, appeal_id=appeal.pk, granted=False, reason="Non.").answered_by == listed


def test_others_decide_where_the_list_is_the_duels_referee_alone():
    stranger = RefereeFactory()
    duel, appeal = contested()
    assert stranger.pk in deciders(duel, appeal)
    assert tasks(duel, stranger) == ["appeal"]
    assert decide_appeal(user=stranger, appeal_id=appeal.pk, granted=False, reason="Non.").answered_by == stranger


def test_any_other_duel_is_for_all_referees(time):
    stranger = RefereeFactory()
    duel = play.locked()
    time.go_to(duel.phase.locked_at, hours=49)
    sweep()
    assert tasks(play.fresh(duel), stranger) == ["take_over"]
    assert take_over(user=stranger, duel_id=duel.pk).referee == stranger
