"""An appeal that was granted: what the duel's referee owes before the turn is published anew, and if they do not."""

import datetime as dt

import pytest
from django.urls import reverse

from duels import clock
from duels.actions.arranged import decide_at_the_wall
from duels.actions.publications import announce_publication
from duels.actions.referees import take_over
from duels.actions.revisions import correct_turn
from duels.actions.rulings import note_ruling, rule_invalid, withdraw_ruling
from duels.actions.sweep import sweep
from duels.actions.turns import publish_turn
from duels.errors import Invalid
from duels.models import Appeal, Phase, Post
from tests import play
from tests import spells_play as spells
from tests.factories import RefereeFactory

from .contesting import BECAUSE, NOTED, WHY, contest, decide, note
from .exporting import failures
from .readers import as_player, as_user, english
from .test_arranged import arranged, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def other():
    return RefereeFactory()


@pytest.fixture
def duel(other):
    """Its first turn is taken up again: an appeal against it was granted."""
    duel = play.play_turn(play.running())
    decide(contest(duel), other, granted=True)
    return play.fresh(duel)


def publish(duel):
    phase = play.fresh(duel).phase
    at = {"user": play.fresh(duel).referee, "duel_id": duel.pk, "turn": phase.number, "name": phase.name}
    return publish_turn(**at, revision=phase.resolution.revision)


def owes(duel):
    """Whether it is refused to be published, at once or at an hour."""
    phase = play.fresh(duel).phase
    with pytest.raises(Invalid):
        publish(duel)
    with pytest.raises(Invalid):
        announce_publication(
            user=play.fresh(duel).referee, duel_id=duel.pk, turn=phase.number, name=phase.name,
            revision=phase.resolution.revision, publish_at=clock.now() + dt.timedelta(hours=9),
        )  # fmt: skip
    return play.fresh(duel).phase.status == Phase.Status.LOCKED


def notes(duel):
    return [post.details for post in Post.objects.filter(thread__duel=duel, kind="note")]


def test_it_is_not_published_until_something_is_ruled(duel):
    assert owes(duel)
    rule_invalid(user=duel.referee, duel_id=duel.pk, turn=1, seat="b", reason="Un indice.")
    publish(duel)
    assert play.fresh(duel).turn == 2
    assert failures(duel) == []


def test_a_note_in_words_is_enough_and_everybody_reads_it(duel):
    publish(note(duel))
    page = english(as_user()).get(duel.get_absolute_url()).text
    assert NOTED in page
    assert "Published anew: the appeal of" in page
    assert BECAUSE not in page


def test_a_note_that_is_taken_back_is_none(duel):
    note(duel)
    index = play.fresh(duel).entries.filter(kind="ruling").last().index
    withdraw_ruling(user=duel.referee, duel_id=duel.pk, turn=1, index=index, reason="Une erreur.")
    assert owes(duel)


def test_taking_back_what_was_ruled_before_is_a_decision(other):
    duel = play.locked()
    note_ruling(user=duel.referee, duel_id=duel.pk, turn=1, reason="Le vent a tourné.")
    index = play.fresh(duel).entries.get(kind="ruling").index
    decide(contest(play.publish(duel)), other, granted=True)
    assert owes(duel)
    withdraw_ruling(user=duel.referee, duel_id=duel.pk, turn=1, index=index, reason="Il n'avait pas tourné.")
    publish(duel)


def test_each_phase_of_a_spell_duel_likewise(other):
    duel = spells.all_file(spells.running(), a=[spells.move(5)])
    decide(contest(duel), other, granted=True)
    assert owes(duel)
    publish(note(duel))
    assert failures(duel) == []


def test_a_correction_that_no_appeal_asked_for_owes_nothing(duel):
    publish(note(duel))
    duel = play.fresh(duel)
    correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="…", seen=duel.phase_id)
    publish(duel)
    assert "granted" not in Post.objects.filter(kind="resolution").last().details


def test_after_48_hours_who_granted_it_may_take_it_over_and_decide(duel, other, time):
    time.go_to(duel.phase.locked_at, hours=49)
    sweep()
    take_over(user=other, duel_id=duel.pk)
    assert owes(duel)
    publish(note(duel))
    assert play.fresh(duel).turn == 2


def test_after_five_days_it_is_published_the_thread_says_so_and_it_can_be_contested_anew(duel, other, time):
    time.go_to(duel.phase.locked_at, days=5, seconds=31)
    sweep()
    duel = play.fresh(duel)
    assert duel.turn == 2
    assert notes(duel)[-1] == {"note": "unread", "granted": "a"}
    assert "it can be contested anew" in english(as_user()).get(duel.get_absolute_url()).text
    assert contest(duel).answer == ""
    assert Appeal.objects.count() == 2


def test_ruled_on_and_not_published_it_is_published_as_ruled(duel, time):
    note(duel)
    time.go_to(duel.phase.locked_at, days=5, seconds=31)
    sweep()
    assert notes(duel)[-1] == {"note": "unread"}


def test_in_a_tournament_the_wall_of_the_round_does_not_wait_for_it(other):
    duel = play.play_turn(started(arranged(RefereeFactory())))
    decide(contest(duel), other, granted=True)
    assert owes(duel)
    decide_at_the_wall(duel_id=duel.pk)
    assert {"note": "unread_at_the_wall", "granted": "a"} in notes(duel)
    page = english(as_user()).get(duel.get_absolute_url()).text
    assert "can no longer be contested" in page
    assert "it can be contested anew" not in page
    assert failures(play.fresh(duel)) == []


class TestPages:
    def test_the_review_shows_the_appeal_its_answer_and_what_is_owed(self, duel):
        client = english(as_user(duel.referee))
        review = client.get(reverse("referee:review", args=[duel.pk, 1]))
        assert WHY.split("'")[0] in review.text
        assert BECAUSE in review.text
        assert "Before it can be published anew" in review.text
        assert reverse("referee:publish", args=[duel.pk, 1]) not in review.text
        note(duel)
        review = client.get(reverse("referee:review", args=[duel.pk, 1]))
        assert "You have ruled since" in review.text
        assert reverse("referee:publish", args=[duel.pk, 1]) in review.text

    def test_publishing_says_why_not_and_keeps_what_was_typed(self, duel):
        address = reverse("referee:publish", args=[duel.pk, 1])
        client = english(as_user(duel.referee))
        assert 'value="publish"' not in client.get(address).text
        revision = duel.phase.resolution.revision
        answer = client.post(address, {"do": "publish", "revision": revision, "preamble": "La cloche.", "closing": ""})
        assert answer.status_code == 422
        assert "An appeal against this turn was granted" in answer.text
        assert "La cloche." in answer.text
        assert play.fresh(duel).phase.status == Phase.Status.LOCKED

    def test_the_texts_stay_with_those_concerned(self, duel):
        publish(note(duel))
        assert BECAUSE in as_player(duel, "a").get(reverse("duels:appeals", args=[duel.pk])).text
        assert BECAUSE not in as_player(duel, "b").get(reverse("duels:appeals", args=[duel.pk])).text
