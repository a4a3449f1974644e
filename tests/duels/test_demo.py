"""The demo: a school that stands at every stage, loaded through the actions."""

from collections import Counter
from io import StringIO
from random import Random
from unittest.mock import patch

import pytest
from django.contrib.auth import authenticate, get_user_model
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import TestCase, override_settings

from duels import clock, export, secrets
from duels.demo import load, spells
from duels.demo.cast import PASSWORD, REFEREE_NAMES, SPECTATOR_NAME, STAFF_NAME, characters
from duels.demo.programme import LIVE, OVER
from duels.demo.timeline import at_instant
from duels.models import Appeal, Duel, Duellist, Happening, Phase, Post, PostBody, Transfer
from duels.people import is_referee
from duels.queries.referees import referees
from referee import queries
from referee.demo import CANDIDATE
from referee.eligibility import missing
from rules.verify import verify
from rules.words import MINIMUM, count_words
from tests.duels.purses import assert_balanced
from tournaments.desk.actions.pairing import pair
from tournaments.desk.models import Enrolment

from .exporting import failures

TEXTS = [text for one in characters().values() for texts in one.texts.values() for text in texts]
ARENAS = {"playful_sand", "runic_rocks", "verdant_circles", "four_winds"}


def command() -> str:
    out = StringIO()
    call_command("demo", stdout=out)
    return out.getvalue()


def test_the_texts_are_many_and_different():
    assert len(TEXTS) >= 40
    assert max(Counter(TEXTS).values()) == 1


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: " ".join(text.split()[:4]))
def test_a_text_is_long_enough_to_be_published(text):
    assert MINIMUM <= count_words(text) <= 180


@pytest.mark.parametrize("one", characters().values(), ids=lambda one: one.key)
def test_a_character_has_something_to_say_in_every_mood(one):
    assert set(one.texts) - {"extra"} == {"opening", "hit", "held", "mid"}


def test_the_cast_is_of_all_ages():
    ages = sorted(one.age for one in characters().values())
    assert len(ages) >= 12
    assert ages[0] == 11
    assert ages[-1] >= 90
    assert {one.year for one in characters().values()} == {*range(1, 8), None}


@pytest.mark.django_db
def test_a_public_site_refuses_the_demo():
    with override_settings(DEMO=False, DEBUG=False), pytest.raises(CommandError, match="DEMO=1"):
        call_command("demo")
    assert not get_user_model().objects.exists()


@pytest.mark.django_db
def test_an_account_of_somebody_else_gets_no_powers(settings):
    settings.DEMO = True
    get_user_model().objects.create_user(STAFF_NAME, password="somebody else's")
    load.gather(characters())
    kept = get_user_model().objects.get(username=STAFF_NAME)
    assert not kept.is_staff
    assert kept.check_password("somebody else's")


@pytest.mark.django_db
def test_the_clock_goes_on_after_the_past():
    before = clock.now()
    with at_instant(before.replace(year=1742)):
        assert clock.now().year == 1742
    assert clock.now() >= before


@override_settings(DEMO=True)
class TheSchool(TestCase):
    @classmethod
    def setUpTestData(cls):
        with patch("os.urandom", Random(1742).randbytes):  # the same dice every time
            cls.printed = command()

    def test_the_command_says_who_can_log_in(self):
        assert PASSWORD in self.printed
        for user in get_user_model().objects.all():
            assert user.username in self.printed
            assert authenticate(username=user.username, password=PASSWORD) == user

    def test_roles(self):
        users = {user.username: user for user in get_user_model().objects.all()}
        assert [is_referee(users[name]) for name in (*REFEREE_NAMES, SPECTATOR_NAME)] == [True, True, False]
        assert [user.username for user in users.values() if user.is_staff] == [STAFF_NAME]
        assert Duellist.objects.values("user").distinct().count() >= 8

    def test_a_second_run_adds_nothing_and_says_so(self):
        before = Duel.objects.count(), Post.objects.count(), Happening.objects.count(), Duellist.objects.count()
        assert "already" in command()
        assert (
            Duel.objects.count(),
            Post.objects.count(),
            Happening.objects.count(),
            Duellist.objects.count(),
        ) == before

    def test_every_scene_is_a_duel(self):
        messages = {scene.message for scene in (*OVER, *LIVE)}
        assert messages <= set(Duel.objects.values_list("message", flat=True))
        assert len(messages) == len(OVER) + len(LIVE)

    def test_duels_stand_at_every_stage(self):
        statuses = Counter(Duel.objects.values_list("status", flat=True))
        assert set(statuses) >= set(Duel.Status.values) - {"cancelled"}
        endings = set(Duel.objects.filter(status="over").values_list("ended_by", flat=True))
        assert endings >= {"link_broken", "surrender", "draw", "infractions"}
        assert endings & {"extra_turn", "first_post"}

    def test_running_duels_wait_for_everything_there_is_to_wait_for(self):
        running = [duel for duel in Duel.objects.filter(ruleset="arena").select_related("phase") if duel.is_running]
        states = [duel.rules.summary(secrets.state(duel)) for duel in running if duel.current.is_open]
        assert sum(duel.current.status == Phase.Status.LOCKED for duel in running) == 2
        assert any(duel.turn == 1 and len(duel.awaited) == 2 for duel in running)
        assert any(len(duel.awaited) == 1 for duel in running)
        assert any(duel.public_view["extra_turn"] for duel in running)
        assert any(not duel.refereed for duel in running)
        assert any(state["a"]["owes_choice"] for state in states)
        assert any(state["a"]["rough_skin"] and state["b"]["decoys"] for state in states)

    def test_spell_duels_stand_at_several_stages_one_of_them_of_four(self):
        duels = list(Duel.objects.filter(ruleset="spells").select_related("phase"))
        assert {duel.status for duel in duels} == {"challenged", "running", "over"}
        assert [duel.current.status for duel in duels if duel.format == "2v2"] == ["locked"]
        assert {duel.current.name for duel in duels if duel.is_running and duel.current.is_open} == {
            "action",
            "defence",
        }

    def test_a_post_can_be_completed_and_a_sealed_one_be_read(self):
        open_phases = [duel.current for duel in Duel.objects.filter(ruleset="spells", status="running")]
        assert sum(bool(phase.correctable) for phase in open_phases) == 1
        (seen,) = [phase for phase in open_phases if phase.sealed_for == {"b": ["a"]}]
        assert list(seen.filed) == ["b"]
        assert seen.duel.awaited == "a"

    def test_the_desk_has_one_pairing_to_confirm_and_others_who_wait(self):
        pairing = Duel.objects.get(paired=True)
        assert [seat.accepted_at is not None for seat in pairing.seats.all()] == [True, False]
        assert Enrolment.objects.waiting().count() == 4
        assert pair()["paired"] == 0

    def test_one_announced_duel_has_one_receptacle_hidden(self):
        hidden = [
            sorted(seat.hidden_version for seat in duel.seats.all()) for duel in Duel.objects.filter(status="announced")
        ]
        assert [0, 1] in hidden
        assert [0, 0] in hidden

    def test_one_duel_has_a_corrected_turn_and_one_an_appeal_that_waits(self):
        [corrected] = Phase.objects.filter(corrections__gt=0)
        assert (corrected.status, corrected.duel.branch, corrected.duel.turn) == ("published", 1, 2)
        assert failures(corrected.duel) == []
        [contested] = Duel.objects.exclude(stopped_until=None)
        assert contested.stopped_until > clock.now()
        assert failures(contested) == []

    def test_the_bench_has_something_of_everything_to_decide(self):
        one, other = (User.objects.get(username=name) for name in REFEREE_NAMES)
        assert {kind.what for user in (one, other) for kind in queries.waiting(user)} == {
            "review", "time_out", "hand_over", "candidacy",
        }  # fmt: skip
        assert queries.contested(other).count() == 1
        assert [appeal.answer for appeal in Appeal.objects.filter(duel__status="over")] == ["upheld"]
        ready = [user.username for user in User.objects.all() if not missing(user, now=clock.now())]
        assert set(ready) - {CANDIDATE} == {"celeste"}

    def test_all_arenas_and_both_editions_are_seen(self):
        assert set(Duel.objects.exclude(arena="").values_list("arena", flat=True)) == ARENAS
        assert set(Duel.objects.filter(ruleset="arena").values_list("edition", flat=True)) == {"beta", "classic"}

    def test_nothing_is_overdue_and_nothing_lies_in_the_future(self):
        now = clock.now()
        assert not Duel.objects.filter(due_at__lte=now).exists()
        assert not Post.objects.filter(posted_at__gt=now).exists()
        assert Post.objects.values_list("posted_at__date").distinct().count() > 10

    def test_no_duel_says_the_same_thing_twice(self):
        said = PostBody.objects.filter(post__kind__in=("rp", "correction"))  # not a referee's words around a result
        texts = said.exclude(post__thread__duel=None).values_list("post__thread", "text")
        assert len(texts) == len(set(texts))
        assert {text for _thread, text in texts} <= {*TEXTS, *spells.texts(), spells.SHORT}

    def test_a_scene_has_led_to_a_clandestine_duel_and_purses_pay_its_stakes(self):
        duel = Duel.objects.get(kind="clandestine")
        assert duel.scene.thread.posts.count() == 6
        assert Transfer.objects.filter(duel=duel, what="stake_held").count() == 2
        assert_balanced()

    def test_every_duel_over_proves_itself(self):
        for duel in Duel.objects.filter(status="over"):
            report = verify(export.of(duel))
            assert report.ok, report.failures
            assert report.checked["receipt"]


@pytest.mark.django_db
def test_its_referees_have_said_how_many_duels_they_take_and_may_take_one_more():
    load.load_school()
    said = {user.username: user for user in referees()}
    assert set(said) == set(REFEREE_NAMES)
    assert all(0 < user.in_hand < user.availability.at_once for user in said.values())
