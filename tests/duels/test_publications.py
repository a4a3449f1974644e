"""The referee's own words around a result, and the hour at which it is published."""

import datetime as dt

import pytest
from django.urls import reverse

from duels import clock, export
from duels.actions.ending import surrender
from duels.actions.framing import NOTHING, Words, kept, unpublished
from duels.actions.publications import announce_publication, call_off_publication, keep_words
from duels.actions.referees import take_over
from duels.actions.revisions import correct_turn
from duels.actions.rulings import note_ruling
from duels.actions.sweep import sweep
from duels.actions.turns import publish_turn
from duels.errors import Invalid, NotAllowed, TooLate
from duels.markup import digest
from duels.models import Duel, Framing, Happening, Phase, Post
from duels.queries.reading import note_what_came_later, posts_of_page
from referee.actions.hand_overs import answer_hand_over, ask_hand_over
from rules.verify import verify
from tests import play, spells_play
from tests.duels.readers import as_user, english
from tests.factories import RefereeFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

PREAMBLE, CLOSING = "La cloche sonne *deux* fois.", "À vous, **duellistes**."


def at(duel, **about):
    return {"user": duel.referee, "duel_id": duel.pk, "turn": duel.turn, "name": duel.phase.name, **about}


def announce(duel, hours=20, **about):
    hour = clock.now() + dt.timedelta(hours=hours)
    announce_publication(**at(duel, revision=duel.phase.resolution.revision, publish_at=hour, **about))
    return play.fresh(duel)


def kinds(duel):
    return list(Post.objects.filter(thread__duel=duel).order_by("position").values_list("kind", flat=True))


def notes(duel):
    found = Post.objects.filter(thread__duel=duel, kind="note").order_by("position")
    return [post.details["note"] for post in found]


def worded(duel):
    """Let its referee write around the turn that waits."""
    keep_words(**at(duel, preamble="La cloche sonne.", closing="À vous."))
    return play.fresh(duel)


def file_both(duel):
    play.file(duel, "a")
    play.file(duel, "b", thrust="torso", parry="right_arm")


def in_its_second_turn_locked():
    duel = play.play_turn(play.running())
    file_both(duel)
    return play.fresh(duel)


def players_told(duel, what):
    told = Happening.objects.filter(duel=duel, what=what).last()
    return set(told.concerns) == {player["user"] for player in duel.cast.values()}


class TestWords:
    def test_stand_around_the_result_in_the_referees_name(self):
        duel = play.locked()
        keep_words(**at(duel, preamble=PREAMBLE, closing=f"{CLOSING}<script>alert(1)</script>"))
        assert kinds(duel)[-1] == "rp"
        play.publish(duel)
        assert kinds(duel)[-3:] == ["preamble", "resolution", "closing"]
        preamble, closing = Post.objects.filter(kind__in=("preamble", "closing")).order_by("position")
        assert "<em>deux</em>" in preamble.body.html
        assert "<script" not in closing.body.html
        assert preamble.details == {"referee": duel.referee.username}

    def test_are_held_by_the_record(self):
        duel = play.locked()
        keep_words(**at(duel, preamble=PREAMBLE, closing=""))
        duel = play.publish(duel)
        public = duel.entries.get(kind="publication").public
        assert public["preamble_sha256"] == digest(PREAMBLE)
        assert "closing_sha256" not in public
        surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        assert verify(export.of(play.fresh(duel))).failures == ()

    def test_are_sealed_until_they_are_published_then_kept_no_more(self):
        duel = play.locked()
        keep_words(**at(duel, preamble=PREAMBLE, closing=CLOSING))
        assert "cloche" not in str(bytes(Framing.objects.get().sealed))
        play.publish(duel)
        assert not Framing.objects.exists()

    def test_are_replaced_and_taken_away(self):
        duel = play.locked()
        for preamble in (PREAMBLE, "Autre chose.", ""):
            keep_words(**at(duel, preamble=preamble, closing=""))
        assert not Framing.objects.exists()
        play.publish(duel)
        assert "preamble" not in kinds(duel)

    def test_not_published_by_their_referee_are_not_published(self, time):
        duel = play.locked()
        keep_words(**at(duel, preamble=PREAMBLE, closing=CLOSING))
        time.go_on(days=5, seconds=1)
        sweep()
        assert play.fresh(duel).turn == 2
        assert not {"preamble", "closing"} & set(kinds(duel))
        assert Framing.objects.exists()  # what was typed is not lost

    def test_of_a_turn_that_a_surrender_ends_are_not_published(self):
        duel = play.locked()
        keep_words(**at(duel, preamble=PREAMBLE, closing=CLOSING))
        surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        assert play.fresh(duel).is_over
        assert not {"preamble", "closing"} & set(kinds(duel))

    def test_of_a_turn_that_is_corrected_are_superseded_with_its_result(self):
        duel = play.locked()
        keep_words(**at(duel, preamble=PREAMBLE, closing=CLOSING))
        duel = play.publish(duel)
        correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="A rule forgotten.", seen=duel.phase.pk)
        duel = play.fresh(duel)
        posts = posts_of_page(duel.thread, 1)
        note_what_came_later(duel, posts)
        assert [post.kind for post in posts if post.superseded_by] == ["preamble", "resolution", "closing"]

    def test_are_of_a_length_that_can_be_read(self):
        duel = play.locked()
        with pytest.raises(Invalid) as refusal:
            keep_words(**at(duel, preamble="", closing="x" * 50_001))
        assert refusal.value.field == "closing"

    def test_are_the_referees_of_the_duel(self):
        duel = play.locked()
        with pytest.raises(NotAllowed):
            keep_words(**at(duel, preamble="x", closing="") | {"user": RefereeFactory()})
        with pytest.raises(TooLate):
            keep_words(**at(duel, preamble="x", closing="") | {"turn": 2})


class TestAnHour:
    def test_is_announced_to_both_and_kept_by_the_clock(self, time):
        duel = play.locked()
        keep_words(**at(duel, preamble=PREAMBLE, closing=CLOSING))
        duel = announce(duel)
        assert notes(duel) == ["publication_announced"]
        told = Happening.objects.get(what="publication_announced")
        assert sorted(told.concerns) == sorted(player["user"] for player in duel.cast.values())
        time.go_to(duel.phase.publish_at, seconds=-2)
        sweep()
        assert play.fresh(duel).turn == 1
        time.go_to(duel.phase.publish_at, seconds=1)
        sweep()
        assert play.fresh(duel).turn == 2
        assert kinds(duel)[-3:] == ["preamble", "resolution", "closing"]
        entry = duel.entries.get(kind="publication")
        assert entry.by == duel.referee

    def test_swept_twice_publishes_once(self, time):
        duel = announce(play.locked())
        time.go_to(duel.phase.publish_at, seconds=1)
        sweep()
        sweep()
        assert kinds(duel).count("resolution") == 1

    @pytest.mark.parametrize("hours", [-1, 0, 0.05, 5 * 24 + 0.1])
    def test_is_in_a_while_and_within_the_five_days(self, hours):
        with pytest.raises(Invalid) as refusal:
            announce(play.locked(), hours=hours)
        assert refusal.value.field == "publish_at"

    def test_holds_what_was_read(self):
        duel = announce(play.locked())
        with pytest.raises(Invalid, match="call it off first"):
            note_ruling(**at(duel, reason="Hm."))
        with pytest.raises(Invalid, match="call it off first"):
            keep_words(**at(duel, preamble="x", closing=""))
        with pytest.raises(Invalid, match="call it off first"):
            publish_turn(**at(duel, revision=1))
        with pytest.raises(Invalid, match="call it off first"):
            announce(duel)

    def test_is_not_announced_for_what_was_not_read(self):
        duel = play.locked()
        note_ruling(**at(duel, reason="Hm."))
        with pytest.raises(TooLate, match="worked out again"):
            announce_publication(**at(duel, revision=1, publish_at=clock.now() + dt.timedelta(hours=9)))

    def test_called_off_nothing_is_published_at_it(self, time):
        duel = announce(play.locked())
        hour = duel.phase.publish_at
        call_off_publication(**at(duel))
        assert notes(duel) == ["publication_announced", "publication_called_off"]
        time.go_to(hour, seconds=1)
        sweep()
        assert play.fresh(duel).turn == 1
        with pytest.raises(Invalid, match="No publication"):
            call_off_publication(**at(duel))

    def test_called_off_the_five_days_hold(self, time):
        duel = announce(play.locked(), hours=100)
        call_off_publication(**at(duel))
        time.go_on(days=5, seconds=1)
        sweep()
        assert play.fresh(duel).turn == 2
        assert notes(duel)[-1] == "unread"

    def test_spares_the_referee_a_reminder(self, time):
        duel = announce(play.locked(), hours=40)
        time.go_on(hours=25)
        sweep()
        assert not Happening.objects.filter(what="reminder_referee").exists()
        call_off_publication(**at(duel))
        time.go_on(seconds=1)
        sweep()
        assert Happening.objects.filter(what="reminder_referee").count() <= 1

    def test_is_past_when_the_turn_is_taken_up_again(self, time):
        duel = announce(play.locked())
        time.go_to(duel.phase.publish_at, seconds=1)
        sweep()
        duel = play.fresh(duel)
        correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="A rule forgotten.", seen=duel.phase.pk)
        sweep()
        duel = play.fresh(duel)
        assert (duel.turn, duel.phase.status, duel.phase.publish_at) == (1, "locked", None)

    def test_no_longer_stands_when_the_turn_is_taken_over(self, time):
        duel = announce(worded(play.locked()), hours=100)
        hour = duel.phase.publish_at
        time.go_on(hours=48, seconds=1)
        sweep()
        taker = RefereeFactory()
        duel = play.fresh(take_over(user=taker, duel_id=duel.pk))
        assert duel.phase.publish_at is None
        assert notes(duel)[-2:] == ["publication_called_off", "taken_over"]
        assert players_told(duel, "publication_called_off")
        time.go_to(hour, seconds=1)
        sweep()
        assert play.fresh(duel).turn == 1
        publish_turn(**at(play.fresh(duel), revision=duel.phase.resolution.revision))
        preamble = Post.objects.get(thread__duel=duel, kind="preamble")
        assert preamble.details["referee"] == taker.username

    def test_no_longer_stands_when_the_duel_is_handed_over(self):
        duel = announce(worded(play.locked()), hours=9)
        taker = RefereeFactory()
        ask_hand_over(user=duel.referee, duel_id=duel.pk, to_id=taker.pk)
        answer_hand_over(user=taker, duel_id=duel.pk, accepted=True)
        duel = play.fresh(duel)
        assert duel.phase.publish_at is None
        assert notes(duel)[-2:] == ["publication_called_off", "handed_over"]
        assert kept(duel.phase) == Words("La cloche sonne.", "À vous.")

    def test_announced_by_another_before_hours_were_called_off_is_not_kept_in_the_new_referees_name(self, time):
        """As the site was before: the duel has changed hands, and the hour still stands."""
        duel = announce(worded(play.locked()), hours=9)
        hour, taker = duel.phase.publish_at, RefereeFactory()
        ask_hand_over(user=duel.referee, duel_id=duel.pk, to_id=taker.pk)
        answer_hand_over(user=taker, duel_id=duel.pk, accepted=True)
        Phase.objects.filter(pk=duel.phase_id).update(publish_at=hour)
        Duel.objects.filter(pk=duel.pk).update(wake_at=hour)
        time.go_to(hour, seconds=1)
        sweep()
        duel = play.fresh(duel)
        assert (duel.turn, duel.phase.publish_at) == (1, None)
        assert notes(duel)[-1] == "publication_called_off"
        assert kept(duel.phase) == Words("La cloche sonne.", "À vous.")
        duel = announce(worded(duel), hours=9)
        time.go_to(duel.phase.publish_at, seconds=1)
        sweep()
        assert Post.objects.get(thread__duel=duel, kind="preamble").details["referee"] == taker.username

    def test_no_longer_stands_when_a_turn_before_it_is_corrected(self, time):
        duel = in_its_second_turn_locked()
        referee = duel.referee
        duel = announce(worded(duel), hours=9)
        hour = duel.phase.publish_at
        correct_turn(user=referee, duel_id=duel.pk, turn=1, reason="Une règle oubliée.", seen=duel.phase_id)
        assert notes(duel)[-2:] == ["publication_called_off", "correction"]
        time.go_to(hour, seconds=1)
        sweep()
        assert play.fresh(duel).turn == 1

    def test_past_together_with_the_five_days_it_is_the_hour_that_counts_and_no_word_is_lost(self, time):
        duel = announce(worded(play.locked()), hours=100)
        time.go_on(days=9)
        sweep()
        assert play.fresh(duel).turn == 2
        told = kinds(duel)
        at_the_end = told[told.index("preamble") :]
        assert at_the_end[:3] == ["preamble", "resolution", "closing"]
        assert "unread" not in notes(duel)

    def test_is_called_off_by_a_partner_who_surrenders_meanwhile(self, time):
        duel = spells_play.running(count=4)
        for letter in "abcd":
            spells_play.file(duel, letter)
        duel = announce(play.fresh(duel))
        surrender(user=play.player(duel, "c"), duel_id=duel.pk, received_at=clock.now())
        duel = play.fresh(duel)
        assert duel.phase.publish_at is None
        assert notes(duel)[-1] == "publication_called_off"
        assert duel.phase.resolution.revision == 2


class TestWordsThatDidNotAppear:
    def test_of_a_turn_that_a_correction_has_superseded_come_back_with_that_turn(self):
        duel = in_its_second_turn_locked()
        duel, writer = worded(duel), duel.referee
        correct_turn(user=writer, duel_id=duel.pk, turn=1, reason="Une règle oubliée.", seen=duel.phase_id)
        duel = play.fresh(duel)
        assert unpublished(duel.phase) == []
        publish_turn(**at(duel, revision=duel.phase.resolution.revision))
        file_both(duel)
        duel = play.fresh(duel)
        (one,) = unpublished(duel.phase)
        assert (one.author, one.words) == (writer.username, Words("La cloche sonne.", "À vous."))
        assert kept(duel.phase) == NOTHING
        for name in ("review", "publish"):
            page = as_user(writer).get(reverse(f"referee:{name}", args=[duel.pk, 2])).text
            assert "La cloche sonne." in page
            assert "À vous." in page
        publish_turn(**at(duel, turn=2, revision=duel.phase.resolution.revision))
        assert not Post.objects.filter(kind="preamble").exists()

    def test_the_recap_of_a_correction_says_that_they_are_kept(self):
        duel = in_its_second_turn_locked()
        recap = reverse("referee:correct", args=[duel.pk, 1])
        said = "is kept: you find it"
        assert said not in english(as_user(duel.referee)).get(recap).text
        worded(duel)
        assert said in english(as_user(duel.referee)).get(recap).text

    def test_of_a_turn_that_the_clock_has_published_stay_with_its_referee(self, time):
        duel = worded(play.locked())
        time.go_on(days=5, seconds=31)
        sweep()
        page = english(as_user(duel.referee)).get(reverse("referee:review", args=[duel.pk, 1])).text
        assert "The clock has published the turn without it." in page
        assert page.count("La cloche sonne.") == 1
        assert "La cloche sonne." not in as_user().get(duel.get_absolute_url()).text

    def test_of_another_referee_say_whose_they_were_until_they_are_kept_anew(self, time):
        duel = worded(play.locked())
        time.go_on(hours=48, seconds=1)
        sweep()
        writer, taker = duel.referee, RefereeFactory()
        take_over(user=taker, duel_id=duel.pk)
        address = reverse("referee:publish", args=[duel.pk, 1])
        said = f"{writer.username} wrote this"
        assert said in english(as_user(taker)).get(address).text
        worded(play.fresh(duel))
        assert said not in english(as_user(taker)).get(address).text
