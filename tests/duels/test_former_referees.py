"""Who refereed a duel before the site kept it: found by a migration in what happened, and in who ruled."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from duels import clock
from duels.actions.ledger import held
from duels.actions.referees import change_referee
from duels.models import Duel, Happening
from tests import play
from tests.factories import RefereeFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)
migration = import_module("duels.migrations.0018_former_referees")


def handed_over():
    """Return a duel that another referee goes on with, and who published its first turn."""
    duel = play.publish(play.locked())
    before = duel.referee
    with held(duel.pk) as row:
        change_referee(row, RefereeFactory(), at=clock.now())
    return duel, before


def find():
    Duel.former_referees.through.objects.all().delete()
    migration.find_those_before(apps, None)


def former(duel):
    return set(duel.former_referees.all())


def test_they_are_found_and_nobody_else():
    (duel, before), other = handed_over(), play.publish(play.locked())
    find()
    assert former(duel) == {before}
    assert former(other) == set()


def test_an_account_that_is_no_more_does_not_keep_the_others_from_being_found():
    duel, before = handed_over()
    gone = UserFactory()
    Happening.objects.create(duel=duel, what="taken_over", at=clock.now(), concerns=[gone.pk, before.pk])
    gone.delete()
    find()
    connection.check_constraints()
    assert former(duel) == {before}


def test_many_duels_ask_as_little_as_one():
    asked = []
    for _more in range(2):
        handed_over()
        Duel.former_referees.through.objects.all().delete()
        with CaptureQueriesContext(connection) as captured:
            migration.find_those_before(apps, None)
        asked.append(len(captured))
    assert asked[0] == asked[1]
