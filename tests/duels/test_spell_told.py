"""What the pages of a spell duel tell: of corrections, sealed posts, time-outs, and the words of its own rules."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import translation

from duels import clock
from duels.actions.challenges import decline_challenge
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.models import Post
from notices.actions.telling import drain
from notices.kinds import sentence
from notices.models import Notice
from notices.news import News
from tests import spells_play as play
from tests.factories import RefereeFactory
from tests.play import TEXT, fresh, player
from tests.spells_play import cast, move

from .readers import as_player, as_user

pytestmark = pytest.mark.django_db(transaction=True)

SHORT = "Elle lève sa baguette, et rien de plus."


def read(client, address):
    client.cookies["django_language"] = "en"
    return client.get(address).content.decode()


def thread(duel):
    return read(as_user(), duel.get_absolute_url())


def turn(duel, letter):
    return read(as_player(duel, letter), reverse("duels:turn", args=[duel.pk]))


def review(duel):
    address = reverse("referee:review", args=[duel.pk, 1, "action"])
    return read(as_user(duel.referee), address)


class TestACorrection:
    @pytest.fixture
    def duel(self):
        duel = play.running()
        play.file(duel, "a", move(5), text=SHORT, as_it_is=True)
        return duel

    def test_until_it_comes_the_thread_says_until_when(self, duel):
        assert "It can be corrected until" in thread(duel)

    def test_once_it_has_come_the_post_leads_to_it_and_is_no_fault(self, duel):
        play.correct(duel, "a", {"steps": [move(5)]}, text=TEXT)
        position = Post.objects.get(thread__duel=duel, kind="correction").position
        said = thread(duel)
        assert f"What was missing came in time, in post #{position}." in said
        assert "otherwise it is an action fault" not in said

    def test_of_one_that_never_came_it_says_that_it_is_a_fault(self, duel, monkeypatch):
        later = clock.now() + dt.timedelta(minutes=31)
        monkeypatch.setattr("django.utils.timezone.now", lambda: later)
        assert "Nothing was added in 30 minutes: it is an action fault." in thread(duel)

    def test_the_referee_reads_it_and_finds_no_fault(self, duel):
        play.correct(duel, "a", {"steps": [move(5)]}, text="Une suite. " + TEXT)
        play.file(duel, "b")
        said = review(duel)
        assert "Une suite." in said
        assert "What was missing came in time" in said
        assert "The right to correct is used up" not in said

    def test_who_has_posted_learns_why_the_phase_stays_open(self, duel):
        play.file(duel, "b")
        assert f"since {duel.name_of('a')} may still correct their post" in turn(duel, "b")


class TestASealedPost:
    @pytest.fixture
    def duel(self):
        """The second action phase: a sees b's post before writing."""
        a = play.fighter(traits={"legilimens": 3})
        duel = play.running(sides=[a])
        return play.all_file(duel, a=[move(5), cast("legilimens", target="b")])

    def send(self, duel, letter, do, **fields):
        client = as_player(duel, letter)
        client.cookies["django_language"] = "en"
        sent = {"do": do, "turn": 2, "phase": "action", "text": TEXT, **fields}
        return client.post(reverse("duels:turn", args=[duel.pk]), sent)

    def test_its_author_knows_who_reads_it(self, duel):
        said = turn(duel, "b")
        assert f"Your thoughts are read: {duel.name_of('a')} sees your post" in said
        assert "Your thoughts are read" not in turn(duel, "a")

    def test_its_recap_promises_no_publication(self, duel):
        said = self.send(duel, "b", "recap").content.decode()
        assert "alone sees it at first" in said
        assert "public at once" not in said

    def test_it_is_said_to_be_sealed_once_it_is(self, duel):
        answer = self.send(duel, "b", "file")
        assert "Your post is sealed" in str(answer.wsgi_request._messages._queued_messages[0])

    def test_past_half_of_the_time_nobody_is_said_to_wait_for_it(self, duel, time):
        time.go_to(fresh(duel).phase.sealed_until, minutes=1)
        assert "unless they post first" in turn(duel, "b")

    def test_the_legilimens_says_before_or_after_ahead_of_the_recap(self, duel):
        play.file(duel, "b", move(7))
        refused = self.send(duel, "a", "recap")
        assert refused.status_code == 422
        assert refused.content.decode().count("Say whether your post is played before or after") == 2
        recap = self.send(duel, "a", "recap", order="before").content.decode()
        assert "Played before the post that was seen." in recap


class TestATimeOut:
    @pytest.fixture
    def duel(self):
        return play.running(count=4)

    def ask(self, duel, letter="a", hours=120):
        return ask_time_out(
            user=player(duel, letter), duel_id=duel.pk, hours=hours, reason="Un voyage.", received_at=clock.now()
        )

    def test_the_page_of_a_phase_leads_to_it_and_says_that_one_is_asked(self, duel):
        assert reverse("duels:time_out", args=[duel.pk]) in turn(duel, "a")
        self.ask(duel)
        assert f"{duel.name_of('a')} asks for a time-out of 120 hours" in turn(duel, "b")

    def test_the_page_names_all_who_will_read_of_it(self, duel):
        said = read(as_player(duel, "a"), reverse("duels:time_out", args=[duel.pk]))
        for letter in "bcd":
            assert duel.name_of(letter) in said
        assert "both" not in said

    def test_the_recap_speaks_of_absences(self, duel):
        client = as_player(duel, "a")
        client.cookies["django_language"] = "en"
        asked = {"hours": "24", "other": "500", "reason": "Un voyage."}
        said = client.post(reverse("duels:time_out", args=[duel.pk]), asked).content.decode()
        assert "Ask for a time-out of 24 hours?" in said  # the hours of the other choice are not looked at
        assert "has an absence" in said
        assert "A6.2" not in said

    def test_nobody_is_promised_more_than_five_days_after_the_first_deadline(self, duel):
        first = fresh(duel).phase.due_at
        asked = self.ask(duel)
        answer_time_out(user=duel.referee, time_out_id=asked.pk, granted=True, reason="Bien.")
        self.ask(duel, "b", 48)
        said = as_user(duel.referee).get(reverse("referee:time_out", args=[duel.pk]))
        (panel,) = said.context["panels"]
        assert panel["would_end_at"] == first + dt.timedelta(hours=120)


class TestTheWordsOfItsOwnRules:
    def test_posts_in_the_open_are_not_said_to_be_sealed(self):
        duel = play.running()
        play.file(duel, "a", move(5), cast("lancea", target="b", bet="1-2-3-4"))
        said = thread(duel)
        assert "Sealed declaration" not in said
        assert "Receipt of the declaration" in said
        assert "Moves to zone 5, then casts Lancea" in said

    def test_an_early_start_is_that_of_everybody(self):
        said = thread(play.running(count=4))
        assert "Everybody asked to start early." in said
        assert "A4.1b" not in said

    def test_who_takes_it_draws_no_arena(self):
        duel = play.agreed()
        referee = as_user(RefereeFactory())
        referee.cookies["django_language"] = "en"
        answer = referee.post(reverse("referee:take", args=[duel.pk]), follow=True)
        assert "The duel is yours, and announced." in answer.content.decode()

    def test_a_duel_of_the_free_mode_is_free_not_gratis(self):
        duel = play.challenged(mode="free", registration=play.free(8, "fire", "air"))
        said = as_player(duel, "a").get(reverse("duels:challenge", args=[duel.pk])).content.decode()
        assert "libre" in said
        assert "sans coût" not in said


class TestADuelOfFour:
    @pytest.fixture
    def duel(self):
        return play.running(count=4)

    def test_its_title_parts_the_teams(self, duel):
        a, b, c, d = (duel.name_of(letter) for letter in "abcd")
        with translation.override("en"):
            assert str(duel) == f"{a} and {c} – {b} and {d}"

    def test_partners_stand_together_on_the_page(self, duel):
        said = thread(duel)
        places = [said.index(f'<div class="wizard wizard-{letter}') for letter in "acbd"]
        assert places == sorted(places)

    def test_the_challenge_names_one_team_after_the_other(self):
        duel = play.challenged(count=4)
        seats = as_player(duel, "a").get(reverse("duels:challenge", args=[duel.pk])).context["seats"]
        assert "".join(seat.letter for seat in seats) == "acbd"


class TestTheFormOfAPhase:
    def send(self, duel, letter, **fields):
        now = fresh(duel)
        client = as_player(duel, letter)
        client.cookies["django_language"] = "en"
        sent = {"do": "recap", "turn": now.turn, "phase": now.phase.name, "text": TEXT, **fields}
        return client.post(reverse("duels:turn", args=[duel.pk]), sent).content.decode()

    def test_what_is_wrong_with_a_spell_stands_beside_it(self):
        said = self.send(play.running(), "a", cast="lancea", **{"lancea.target": "b"})
        assert said.count('id="part-spell"') == 1
        assert said.index('id="id_cast-lancea"') < said.index('id="part-spell"')

    def test_what_is_wrong_with_a_spell_that_is_not_offered_stands_above_all(self):
        said = self.send(play.running(), "a", cast="legilimens")
        assert said.count('id="part-spell"') == 1
        assert said.index('id="part-spell"') < said.index('id="id_cast-')

    def test_a_bonus_says_what_it_adds_and_what_the_way_costs(self):
        said = " ".join(turn(play.running(), "a").split())
        assert "with its bonus (as well:" in said
        assert ", costs 1 magic point:" in said

    def test_who_is_aimed_at_reads_what_the_spell_would_do(self, fate):
        fate({(1, "cast:a"): 2})
        duel = play.running()
        play.file(duel, "a", cast("lancea", target="b", bet="1-2-3-4"))
        play.file(duel, "b")
        play.publish(duel)
        assert "<strong>Lancea</strong>" in turn(duel, "b")
        assert "7 fatigue points lost</li>" in turn(duel, "b")

    def test_publishing_says_that_the_defence_phase_opens(self, fate):
        fate({(1, "cast:a"): 2})
        duel = play.running()
        play.file(duel, "a", cast("lancea", target="b", bet="1-2-3-4"))
        play.file(duel, "b")
        said = read(as_user(duel.referee), reverse("referee:publish", args=[duel.pk, 1, "action"]))
        assert "The defence phase of turn 1 opens at once" in said


class TestWhatIsDoneIsSaid:
    def test_asking_to_start_at_once(self):
        duel = play.announced()
        for letter, said in (("a", "You have asked to start at once"), ("b", "The duel starts.")):
            client = as_player(duel, letter)
            client.cookies["django_language"] = "en"
            answer = client.post(reverse("duels:preparation", args=[duel.pk]), {"action": "start"}, follow=True)
            assert said in answer.content.decode()

    def test_declining(self):
        duel = play.challenged()
        client = as_player(duel, "b")
        client.cookies["django_language"] = "en"
        answer = client.post(reverse("duels:challenge", args=[duel.pk]), {"action": "decline"}, follow=True)
        assert "You have declined." in answer.content.decode()

    def test_a_level_that_was_forgotten_is_asked_for_beside_its_field(self):
        duel = play.challenged(mode="free", registration=play.free(8, "fire", "air"))
        answer = as_player(duel, "b").post(reverse("duels:challenge", args=[duel.pk]), {"action": "accept"})
        assert answer.status_code == 422
        assert answer.context["form"].errors["level"]

    def test_a_start_that_can_no_longer_be_kept_is_not_promised(self, time):
        duel = play.agreed()
        time.go_to(duel.starts_at, hours=1)
        assert "not before" in read(as_player(duel, "a"), reverse("duels:challenge", args=[duel.pk]))


def test_a_page_past_the_last_of_a_thread_leads_to_the_last():
    duel = play.running()
    answer = as_user().get(duel.get_absolute_url(), {"page": 99})
    assert answer.url == f"{duel.get_absolute_url()}?page=1"


class TestAChallengeOfFour:
    @pytest.fixture
    def duel(self):
        return play.challenged(count=4)

    def told(self, duel, letter):
        drain()
        last = Notice.objects.filter(user=player(duel, letter)).latest("pk")
        with translation.override("en"):
            return sentence(News(last.happening, duel, player(duel, letter).pk, clock.now()))

    def test_the_partner_is_asked_to_their_side_and_the_others_are_challenged(self, duel):
        challenger = duel.name_of("a")
        assert self.told(duel, "c") == f"{challenger} asks you to duel at their side, two against two."
        assert self.told(duel, "b") == self.told(duel, "d") == f"{challenger} challenges you."
        page = reverse("duels:challenge", args=[duel.pk])
        assert f"{challenger} asks you to duel at their side" in read(as_player(duel, "c"), page)
        for address in (page, "/"):
            assert f"{challenger} challenges you" in read(as_player(duel, "d"), address)
        assert f"{challenger} asks you to duel at their side: accept or decline" in read(as_player(duel, "c"), "/")

    def test_a_refusal_is_of_the_challenge_of_who_sent_it_alone(self, duel):
        decline_challenge(user=player(duel, "b"), duel_id=duel.pk)
        assert self.told(duel, "a") == f"{duel.name_of('b')} has declined your challenge."
        assert self.told(duel, "c") == self.told(duel, "d") == f"{duel.name_of('b')} has declined the challenge."
