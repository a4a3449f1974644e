"""The bench as a whole: who may open each of its pages, in each kind of duel, and that all of them work there."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from duels import clock
from duels.models import Duel, Phase, Post
from referee.models import HandOver
from referee.urls import urlpatterns
from tests import play
from tests import spells_play as spells
from tests.duels.exporting import failures
from tests.duels.readers import as_player, as_user
from tests.duels.test_arranged import arranged, started
from tests.factories import RefereeFactory, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db

NOT_OF_A_DUEL = {"queue", "referees", "availability", "apply", "candidacies", "candidacy"}
OF_A_DUEL = {"hand_over", "answer_hand_over", "take", "take_over", "time_out", "annotate", "appeal", "published"}
OF_A_TURN = {"correct", "review", "amend", "publish"}


def tournament():
    duel = started(arranged(RefereeFactory()))
    play.file(duel, "a")
    play.file(duel, "b", thrust="torso", parry="right_arm")
    return play.fresh(duel)


def two_against_two():
    duel = spells.running(count=4)
    for letter in "abcd":
        spells.file(duel, letter)
    return play.fresh(duel)


STAGES = {
    "announced": play.announced,
    "arena": play.locked,
    "tournament": tournament,
    "spells, two against two": two_against_two,
    "over": play.over,
}


def address(duel, name):
    if name in OF_A_DUEL:
        return reverse(f"referee:{name}", args=[duel.pk])
    phase = duel.phase
    parts = [1] if phase is None else [phase.number] if phase.name == "turn" else [phase.number, phase.name]
    return reverse(f"referee:{name}", args=[duel.pk, *parts])


def test_no_page_of_the_bench_is_left_out_here():
    assert {one.name for one in urlpatterns} == NOT_OF_A_DUEL | OF_A_DUEL | OF_A_TURN


@pytest.mark.parametrize("make", STAGES.values(), ids=STAGES)
def test_each_page_is_for_its_referee_and_says_no_to_everybody_else(make):
    """What leads elsewhere (302) has nothing to show to anybody: no appeal waits, nothing is offered or handed over."""
    duel = make()
    leads_on = {"appeal"}
    for_referees = leads_on | {"take", "take_over", "answer_hand_over"}
    people = {
        "a player": (as_player(duel, "a"), leads_on),
        "a member": (as_user(UserFactory()), leads_on),
        "another referee": (as_user(RefereeFactory()), for_referees),
        "staff": (as_user(StaffFactory()), leads_on | {"annotate"}),
    }
    for name in sorted(OF_A_DUEL | OF_A_TURN):
        there = address(duel, name)
        assert as_user().get(there).url.startswith("/compte/login/"), name
        for who, (client, may) in people.items():
            allowed = (200, 302) if name in may else (403,)
            assert client.get(there).status_code in allowed, (name, who)
            refused = {*allowed, 409, 422} if name in may else {403, 405}
            assert client.post(there).status_code in refused, (name, who)
        lacks_a_turn = duel.phase is None and name in OF_A_TURN - {"correct"}
        said = as_user(duel.referee).get(there).status_code
        assert said == 404 if lacks_a_turn else said in (200, 302, 409), name
    assert play.fresh(duel).referee == duel.referee
    assert play.fresh(duel).entry_count == duel.entry_count


@pytest.mark.parametrize("make", [play.locked, tournament, two_against_two], ids=["arena", "tournament", "spells 2v2"])
def test_a_turn_goes_all_the_way_through_its_pages(make):
    duel = make()
    client = as_user(duel.referee)

    def send(name, **body):
        answer = client.post(address(play.fresh(duel), name), body)
        assert answer.status_code == 302, (name, answer.status_code)
        return play.fresh(duel)

    def publish(do, **more):
        revision = str(play.fresh(duel).phase.resolution.revision)
        return send("publish", do=do, revision=revision, preamble="La cloche sonne.", closing="À vous.", **more)

    first = duel.phase
    send("amend", do="note", **{"note-reason": "Le vent a tourné."})
    publish("keep")
    hour = timezone.localtime(clock.now() + dt.timedelta(hours=9)).strftime("%Y-%m-%dT%H:%M")
    assert publish("announce", publish_at=hour).phase.publish_at is not None
    assert send("publish", do="call_off", revision="1").phase.publish_at is None
    after = publish("publish")
    assert after.phase_id != first.pk
    kinds = list(Post.objects.filter(thread__duel=duel).order_by("position").values_list("kind", flat=True))
    assert kinds[-3:] == ["preamble", "resolution", "closing"]
    assert client.get(address(after, "published")).status_code == 200
    parts = [first.number] if first.name == "turn" else [first.number, first.name]
    correct = reverse("referee:correct", args=[duel.pk, *parts])
    assert client.get(correct).status_code == 200
    assert client.post(correct, {"reason": "Une règle oubliée.", "seen": after.phase_id}).status_code == 302
    assert play.fresh(duel).phase_id == first.pk
    publish("publish")
    other = RefereeFactory()
    send("hand_over", to=other.pk, message="")
    answer = as_user(other).post(address(play.fresh(duel), "answer_hand_over"), {"answer": "accept"})
    assert answer.status_code == 302
    after = play.fresh(duel)
    assert (after.referee, HandOver.objects.get().answer) == (other, "accepted")
    assert (after.branch, after.phase.status, after.status) == (1, Phase.Status.OPEN, Duel.Status.RUNNING)
    assert failures(after) == []
