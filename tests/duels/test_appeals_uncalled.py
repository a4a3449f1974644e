"""Contesting in a spell duel's phases: who was not called in a turn's last one may contest the one before as well."""

import pytest
from django.urls import reverse

from duels.errors import TooLate
from duels.models import Appeal
from tests import play
from tests import spells_play as spells
from tests.factories import RefereeFactory

from .contesting import WHY, contest, decide, note
from .exporting import failures
from .readers import as_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def other():
    return RefereeFactory()


class TestWhoWasNotCalled:
    """In the defence phase of a spell duel, b alone was called, and closed it at once."""

    @pytest.fixture
    def duel(self, fate):
        fate({(1, "cast:a"): 2})
        duel = spells.running()
        duel = spells.all_file(duel, a=[spells.cast("lancea", target="b", bet="1-2-3-4")])
        assert (duel.phase.name, duel.awaited) == ("defence", "b")
        return spells.all_file(duel)

    def actions(self, duel):
        return duel.phases.get(number=1, name="action").live

    def test_may_contest_the_phase_before_as_well(self, duel):
        contest(duel, "a", resolution_id=self.actions(duel).pk)
        assert play.fresh(duel).stopped_until is not None

    def test_and_granted_it_is_taken_up_again(self, duel, other):
        duel = note_and_publish(decide(contest(duel, "a", resolution_id=self.actions(duel).pk), other, granted=True))
        assert (duel.turn, duel.phase.name, duel.branch) == (1, "defence", 1)
        assert failures(duel) == []

    def test_chooses_which_on_the_page(self, duel):
        client, address = as_player(duel, "a"), reverse("duels:appeals", args=[duel.pk])
        choices = client.get(address).context["form"].fields["resolution"].choices
        assert [label for _key, label in choices] == ["Résolution du tour 1, défense", "Résolution du tour 1, action"]
        sent = {"do": "contest", "reason": WHY, "resolution": self.actions(duel).pk}
        assert client.post(address, sent).status_code == 302
        assert Appeal.objects.get().resolution == self.actions(duel)

    def test_who_was_called_may_contest_the_last_alone(self, duel):
        with pytest.raises(TooLate):
            contest(duel, "b", resolution_id=self.actions(duel).pk)
        contest(duel, "b")
        assert play.fresh(duel).stopped_until is not None


def note_and_publish(appeal):
    return spells.publish(note(appeal.duel))
