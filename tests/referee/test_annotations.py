"""Notes on a verdict: what cannot be replayed any more is said, and what somebody is owed is noted."""

import pytest
from django.urls import reverse

from duels import export
from duels.actions.annotations import annotate_verdict
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Happening, Post
from rules import record
from rules.verify import verify_json
from tests import play
from tests.duels.readers import as_user
from tests.factories import RefereeFactory, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db

SAID = {"kind": "note", "words": "La parade du premier tour comptait.", "reason": "Relu le 3."}
OWED = {"kind": "compensation", "seat": "b", "words": "Dix Liards.", "reason": "Une parade oubliée."}


@pytest.fixture
def duel():
    return play.over()


def annotate(duel, user=None, **parts):
    return annotate_verdict(user=user or duel.referee, duel_id=duel.pk, **{**SAID, **parts})


def address(duel):
    return reverse("referee:annotate", args=[duel.pk])


def test_it_stands_after_the_verdict_in_the_thread_and_in_the_record(duel):
    before = list(duel.entries.order_by("index").values())
    annotate(duel)
    annotate(duel, StaffFactory(), **OWED)
    notes = Post.objects.filter(thread__duel=duel, kind="note")
    assert [(post.details["annotation"], post.seat) for post in notes] == [("note", ""), ("compensation", "b")]
    assert list(duel.entries.order_by("index").values())[: len(before)] == before
    assert verify_json(record.encode(export.of(play.fresh(duel)))).failures == ()


def test_the_players_are_told(duel):
    annotate(duel)
    told = Happening.objects.get(what="annotated")
    assert set(told.concerns) == {player["user"] for player in duel.cast.values()}


def test_the_result_stands(duel):
    annotate(duel, **OWED)
    after = play.fresh(duel)
    assert (after.winner, after.ended_at, after.public_view) == (duel.winner, duel.ended_at, duel.public_view)


def test_only_its_referee_and_staff(duel):
    player = play.player(duel, "a")
    player.is_staff = True
    player.save()
    for user in (player, RefereeFactory(), UserFactory()):
        with pytest.raises(NotAllowed):
            annotate(duel, user)
    assert not Post.objects.filter(kind="note").exists()


def test_not_before_the_verdict():
    with pytest.raises(TooLate):
        annotate(play.running())


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"words": " "}, "words"),
        ({"reason": ""}, "reason"),
        ({"reason": "a" * 1001}, "reason"),
        ({"kind": "fine"}, "kind"),
        ({"seat": "a"}, "seat"),
        ({"kind": "compensation"}, "seat"),
        ({"kind": "compensation", "seat": "z"}, "seat"),
    ],
)
def test_what_is_refused_names_its_field(duel, parts, field):
    with pytest.raises(Invalid) as refusal:
        annotate(duel, **parts)
    assert refusal.value.field == field


def test_on_the_page(duel):
    desk = as_user(duel.referee)
    assert address(duel) in desk.get(duel.get_absolute_url()).text
    assert address(duel) not in as_user(play.player(duel, "a")).get(duel.get_absolute_url()).text
    assert desk.get(address(duel)).status_code == 200
    refused = desk.post(address(duel), {**OWED, "seat": ""})
    assert (refused.status_code, refused.context["form"]["words"].value()) == (422, OWED["words"])
    assert desk.post(address(duel), OWED).status_code == 302
    assert "Dix Liards." in as_user().get(duel.get_absolute_url()).text


def test_the_page_is_for_its_referee(duel):
    for user in (play.player(duel, "a"), RefereeFactory()):
        assert as_user(user).get(address(duel)).status_code == 403
    running = play.running()
    assert as_user(running.referee).get(address(running)).url == running.get_absolute_url()
