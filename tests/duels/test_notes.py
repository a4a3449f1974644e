"""What the thread says of what the clock and the referee did, and why."""

import datetime as dt
import re
from html import unescape

import pytest

from duels import clock
from duels.actions.heartbeat import beat
from duels.actions.referees import take_over
from duels.actions.sweep import sweep
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.models import Post
from tests import play
from tests.factories import RefereeFactory

from .arenas import quiet
from .readers import as_player, as_user

pytestmark = pytest.mark.django_db

HOUR = dt.timedelta(hours=1)
WHY = "Une semaine d'examens."
LINES = re.compile(r'<article class="post post-(?:note|choice)".*?<p class="post-line">(.*?)</p>', re.DOTALL)


@pytest.fixture
def duel():
    return play.running()


def said(duel, language="en", client=None):
    """Return the sentences of the notes and choices of a thread, in a language."""
    client = client or as_user()
    client.cookies["django_language"] = language
    found = LINES.findall(client.get(duel.get_absolute_url()).text)
    return [" ".join(unescape(re.sub(r"<[^>]+>", "", one)).split()) for one in found]


def asked(duel, hours=48):
    return ask_time_out(user=play.player(duel, "a"), duel_id=duel.pk, hours=hours, reason=WHY, received_at=clock.now())


def answer(duel, one, granted=True):
    return answer_time_out(user=duel.referee, time_out_id=one.pk, granted=granted, reason="Bon courage.")


def test_the_thread_says_who_asked_and_who_granted_and_why(duel):
    answer(duel, asked(duel, hours=1))
    first, second = said(duel)
    name, referee = duel.name_of("a"), duel.referee.username
    assert first == f"{name} asks the referee for a time-out of 1 hour. A7 Reason: {WHY}"
    assert second.startswith(f"{referee}, the referee, grants the time-out of 1 hour that {name} asked for: turn 1 now")
    assert second.endswith("A7 Reason: Bon courage.")
    due_at = play.fresh(duel).phase.due_at
    assert Post.objects.filter(kind="note").last().details["due_at"] == due_at.isoformat()


def test_the_thread_says_who_refused(duel):
    answer(duel, asked(duel), granted=False)
    assert f"{duel.referee.username}, the referee, refuses the time-out of 48 hours" in said(duel)[1]


def test_the_thread_says_that_nobody_answered(duel, time):
    asked(duel)
    time.go_to(duel.phase.due_at, hours=25)
    sweep()
    assert said(duel)[1].startswith(f"Nobody answered {duel.name_of('a')}, who had asked for a time-out of 48 hours")


def test_the_thread_says_what_was_lost_in_an_outage(duel, time):
    beat(at=clock.now())
    time.go_to(duel.due_at, hours=-2)
    time.stand_still(hours=5)
    sweep()
    [note] = said(duel)
    assert note.startswith("The site was down in the last hours of turn 1. Lost, and given back: 2 hours.")
    assert "The turn now ends" in note
    [dit] = said(duel, "fr")
    assert "2 heures" in dit
    for client in (as_user(), as_player(duel, "b")):
        client.cookies["django_language"] = "en"
        assert "the site was down in its last hours" in client.get(duel.get_absolute_url()).text


def test_the_thread_says_that_a_turn_was_offered_and_who_took_it_over(time):
    duel, other = play.locked(), RefereeFactory()
    time.go_to(duel.phase.locked_at, hours=49)
    sweep()
    take_over(user=other, duel_id=duel.pk)
    assert said(duel) == [
        "Turn 1 has waited 48 hours for its referee: another may take it over.",
        f"{other.username} takes this duel over as its referee.",
    ]


def test_the_thread_says_that_nobody_had_read_a_turn(time):
    duel = play.locked()
    time.go_to(duel.phase.locked_at, days=5, minutes=1)
    sweep()
    assert said(duel)[-1] == "Turn 1 is published as computed: nobody had read it within five days."


def test_the_thread_says_that_a_choice_was_forfeited(time):
    duel = quiet()
    play.play_turn(duel, a={"option": {"name": "gaping_hole", "zones": ["right_leg", "right_arm"]}})
    play.play_turn(duel, a={"thrust": "torso", "parry": "head"}, b={"thrust": "right_leg", "parry": "head"})
    time.go_to(play.fresh(duel).phase.choice_until, minutes=1)
    sweep()
    assert said(duel) == [
        f"{duel.name_of('a')}, whose decoy was hit, named no zone within 24 hours: the choice is lost. A10.2"
    ]
    assert Post.objects.get(kind="choice").details == {"zone": None}


@pytest.mark.parametrize("language", ["fr", "en"])
def test_no_note_is_left_without_words(duel, language, time):
    answer(duel, asked(duel, hours=24))
    play.file(duel, "a")
    play.file(duel, "b")
    time.go_on(days=6)
    sweep()
    found = said(duel, language)
    assert len(found) == Post.objects.filter(thread__duel=duel, kind="note").count() >= 3
    assert all(len(sentence) > 30 for sentence in found)
