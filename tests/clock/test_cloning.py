"""A copy is a duel like any other: its record verifies, and it can be played on."""

import pytest

from duels.actions.repair import audit_duel
from duels.models import Duel
from tests import play
from tests.duels.exporting import failures

from .cloning import copies

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "stage", [play.announced, play.running, play.locked, play.over], ids=lambda stage: stage.__name__
)
def test_the_record_of_a_copy_verifies(stage):
    duel = stage()
    before = [why for why in failures(duel, moved=True) if "a finished duel has one" not in why]
    assert before == []
    for key in copies(duel, 3):
        again = play.fresh(Duel(pk=key))
        assert again.uid != duel.uid
        assert [why for why in failures(again, moved=True) if "a finished duel has one" not in why] == []
        assert again.chain_head == again.entries.last().hash
        assert again.thread.posts.count() == duel.thread.posts.count()
        assert audit_duel(key, repair=True) == []


def test_a_copy_that_waits_for_its_referee_is_published():
    duel = play.locked()
    (key,) = copies(duel, 1)
    again = play.publish(Duel(pk=key))
    assert (again.turn, failures(again, moved=True)) == (2, [])


def test_copies_differ_in_their_dice():
    made = Duel.objects.filter(pk__in=copies(play.running(), 20))
    assert len({(duel.arena, str(duel.public_view["void_zone"])) for duel in made}) > 3


def test_a_copy_is_played_to_its_end():
    duel = play.running()
    play.file(duel, "a")
    (key,) = copies(duel, 1)
    again = play.fresh(Duel(pk=key))
    play.file(again, "b", thrust="torso", parry="right_arm")
    again = play.publish(again)
    assert (again.turn, again.phase.filed) == (2, {})
    assert failures(again, moved=True) == []
    assert play.fresh(duel).turn == 1
