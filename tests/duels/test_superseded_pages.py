"""A page made before an earlier turn was corrected: nothing of it is filed in the turn that is played anew."""

import pytest
from django.urls import reverse

from duels import clock
from duels.actions.filing import file_declaration, name_zone, replace_declaration, save_draft
from duels.actions.revisions import correct_turn
from duels.errors import TooLate
from duels.models import Draft
from tests import play
from tests import spells_play as spells
from tests.duels.readers import as_player, english

pytestmark = pytest.mark.django_db

STALE = "A turn before this one was corrected"
DECLARED = {"thrust": "head", "parry": "torso"}


@pytest.fixture
def duel():
    """In its second turn, played anew since the first was corrected."""
    return anew(play.play_turn(play.running()))


def anew(duel):
    duel = play.fresh(duel)
    correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="Une règle oubliée.", seen=duel.phase_id)
    duel = play.publish(duel)
    assert (duel.turn, duel.phase.branch) == (2, 1)
    return duel


def page(duel, name="turn"):
    return reverse(f"duels:{name}", args=[duel.pk])


def send(duel, do, branch, name="turn", **fields):
    body = {"do": do, "turn": 2, "branch": branch, **DECLARED, **fields}
    return english(as_player(duel, "a")).post(page(duel, name), body)


@pytest.mark.parametrize("do", ["recap", "file", "change", ""])
def test_its_text_comes_back_with_what_happened_and_nothing_is_filed(duel, do):
    answer = send(duel, do, 0, text=play.TEXT)
    assert answer.status_code == 409
    assert STALE in answer.text
    assert "Elle resserre les doigts autour" in answer.text
    assert play.fresh(duel).phase.filed == {}


def test_the_page_of_the_turn_as_it_is_now_is_filed(duel):
    client = english(as_player(duel, "a"))
    assert '<input type="hidden" name="branch" value="1">' in client.get(page(duel)).text
    recap = send(duel, "recap", 1, text=play.TEXT)
    assert '<input type="hidden" name="branch" value="1">' in recap.text
    assert send(duel, "file", 1, text=play.TEXT).status_code == 302
    assert play.fresh(duel).phase.filed == {"a": 1}


def test_a_page_that_says_no_branch_is_of_the_first(duel):
    body = {"do": "file", "turn": 2, "text": play.TEXT, **DECLARED}
    assert as_player(duel, "a").post(page(duel), body).status_code == 409


def test_no_draft_and_no_other_declaration_from_it(duel):
    assert send(duel, "quietly", 0, "draft", text="Le vent").status_code == 409
    assert not Draft.objects.filter(phase=duel.phase).exists()
    assert send(duel, "quietly", 1, "draft", text="Le vent").status_code == 204
    play.file(duel, "a")
    assert send(duel, "file", 0).status_code == 409
    assert play.fresh(duel).phase.filed == {"a": 1}
    assert send(duel, "file", 1).status_code == 302
    assert play.fresh(duel).phase.filed == {"a": 2}


def test_under_the_lock_of_the_duel_too(duel):
    """The page was looked at before the correction, and its request comes to the lock after it."""
    at = {"user": play.player(duel, "a"), "duel_id": duel.pk, "turn": 2, "branch": 0}
    declaration = {**DECLARED, "option": None}
    with pytest.raises(TooLate):
        file_declaration(**at, text=play.TEXT, declaration=declaration, received_at=clock.now())
    with pytest.raises(TooLate):
        replace_declaration(**at, declaration=declaration, received_at=clock.now())
    with pytest.raises(TooLate):
        name_zone(**at, zone="head", received_at=clock.now())
    with pytest.raises(TooLate):
        save_draft(**at, draft={"text": "Le vent"}, at=clock.now())


def test_a_zone_that_is_named_too_late_is_said_to_be(duel):
    client = english(as_player(duel, "a"))
    answer = client.post(page(duel, "choice"), {"turn": 2, "branch": 0, "zone": "head", "sure": "yes"}, follow=True)
    assert STALE in answer.text


class TestSpells:
    @pytest.fixture
    def duel(self):
        duel = spells.publish(spells.all_file(spells.running()))
        assert duel.phase.name == "action"
        return anew_spells(duel)

    def sent(self, duel, branch, name="turn", **fields):
        body = {"turn": 2, "phase": "action", "branch": branch, "do": "file", "text": play.TEXT, **fields}
        return english(as_player(duel, "a")).post(page(duel, name), body)

    def test_its_text_comes_back_with_what_happened(self, duel):
        answer = self.sent(duel, 0)
        assert answer.status_code == 409
        assert STALE in answer.text
        assert "Elle resserre les doigts autour" in answer.text
        assert play.fresh(duel).phase.filed == {}

    def test_a_correction_from_it_likewise(self, duel):
        spells.file(duel, "a", text="Trop court.", as_it_is=True)
        for do in ("recap", "file", "change"):
            answer = self.sent(duel, 0, "correction", do=do)
            assert answer.status_code == 409
            assert STALE in answer.text
        assert play.fresh(duel).phase.filed == {"a": 1}
        assert self.sent(duel, 1, "correction").status_code == 302
        assert play.fresh(duel).phase.filed == {"a": 2}


def anew_spells(duel):
    correct_turn(
        user=duel.referee, duel_id=duel.pk, turn=1, name="action", reason="Une règle oubliée.", seen=duel.phase_id
    )
    duel = spells.publish(duel)
    assert (duel.turn, duel.phase.branch) == (2, 1)
    return duel
