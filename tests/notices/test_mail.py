"""Mail: one for each person and event, true when it goes, in the reader's language and hours, and never a secret."""

import datetime as dt
import re

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from duels import clock
from duels.actions.challenges import accept_challenge, decline_challenge
from duels.actions.ending import offer_draw, refuse_draw, surrender
from duels.actions.ledger import held, tell
from duels.actions.preparation import ask_to_start, hide_receptacle
from duels.actions.revisions import correct_turn
from duels.actions.spell_challenges import accept_spell_challenge
from duels.actions.sweep import sweep
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.models import Happening
from notices.actions import mail as mailing
from notices.actions.mail import send_one, send_waiting, set_aside_interrupted, take_up_again
from notices.actions.telling import drain
from notices.models import Delivery, Preference
from referee.actions.candidacies import answer_candidacy, withdraw_candidacy
from referee.actions.hand_overs import answer_hand_over, ask_hand_over, withdraw_hand_over
from referee.models import Candidacy
from tests import play, spells_play
from tests.factories import DuellistFactory, UserFactory
from tests.tournaments.desk import play as desk

from .told import confirmed, pair, player, referee, status_of, told_and_mailed

pytestmark = pytest.mark.django_db

LINK = re.compile(r"/avis/arret/([\w-]+)/")


def letters_to(user, letters):
    return [letter.subject for letter in letters if letter.to == [user.email]]


def remind(duel, letter, what="reminder_24"):
    with held(duel.pk) as one:
        tell(one, what, at=clock.now(), concerns=[duel.cast[letter]["user"]], turn=one.turn)


def test_a_challenge_is_mailed_to_whom_it_challenges_in_french():
    duel = play.challenged(**pair())
    (letter,) = told_and_mailed()
    assert letter.to == [player(duel, "b").email]
    assert letter.subject == f"[La Salle des duels] {duel.name_of('a')} vous défie. {duel}"
    assert f"/defis/{duel.pk}/" in letter.body
    assert letter.extra_headers["Auto-Submitted"] == "auto-generated"


def test_one_mail_for_each_person_and_event_however_often_it_is_tried():
    play.challenged(**pair())
    assert len(told_and_mailed()) == 1
    assert told_and_mailed() == []


def test_two_at_once_send_one_mail():
    """Whoever comes second finds it claimed."""
    play.challenged(**pair())
    drain()
    delivery = Delivery.objects.get()
    assert send_one(delivery.pk, EmailBackend()) == "sent"
    assert send_one(delivery.pk, EmailBackend()) is None
    assert len(mail.outbox) == 1


def test_mail_goes_to_no_address_that_was_not_confirmed():
    duel = play.challenged()
    assert told_and_mailed() == []
    assert status_of(player(duel, "b"), "challenged") == ("dropped", "no address")


def test_a_mail_speaks_the_readers_language_and_says_the_hour_in_their_zone():
    two = pair()
    Preference.objects.create(user=two["b"].user, language="en", zone="Pacific/Auckland")
    play.challenged(**two)
    (letter,) = told_and_mailed()
    assert "challenges you." in letter.subject
    assert re.search(r"Until: .* NZ[DS]T", letter.body)


def test_a_zone_that_this_machine_does_not_know_is_the_sites():
    two = pair()
    Preference.objects.create(user=two["b"].user, language="en", zone="Mars/Olympus")
    play.challenged(**two)
    (letter,) = told_and_mailed()
    assert re.search(r"Until: .* CES?T", letter.body)


class TestStale:
    """What is no longer true when it would go is not sent."""

    def test_a_challenge_that_was_answered_meanwhile(self):
        duel = play.challenged(**pair())
        drain()
        decline_challenge(user=player(duel, "b"), duel_id=duel.pk)
        send_waiting()
        assert status_of(player(duel, "b"), "challenged") == ("dropped", "no longer true")

    def test_an_acceptance_once_the_duel_is_announced(self):
        duel = play.challenged(**pair(), refereed=False)
        accept_challenge(user=player(duel, "b"), duel_id=duel.pk)
        told = letters_to(player(duel, "a"), told_and_mailed())
        assert [subject for subject in told if "accepté" in subject] == []
        assert len([subject for subject in told if "annoncé" in subject]) == 1

    def test_a_turn_to_play_that_was_played_meanwhile(self):
        duel = play.running(**pair())
        drain()
        play.file(duel, "a")
        letters = told_and_mailed()
        assert letters_to(player(duel, "a"), letters) == []
        assert status_of(player(duel, "a"), "turn_opened") == ("dropped", "no longer true")
        assert len([subject for subject in letters_to(player(duel, "b"), letters) if "ouvert" in subject]) == 1

    def test_a_reminder_whose_turn_is_closed(self, time):
        duel = play.running(**pair())
        remind(duel, "a")
        drain()
        time.go_to(duel.due_at, minutes=2)
        sweep()
        send_waiting()
        assert status_of(player(duel, "a"), "reminder_24") == ("dropped", "no longer true")

    def test_a_reminder_after_a_time_out_has_given_more_time(self, time):
        duel = play.running(**pair(), referee=referee())
        asked = ask_time_out(
            user=player(duel, "a"), duel_id=duel.pk, hours=48, reason="Examens.", received_at=clock.now()
        )
        time.go_to(duel.due_at, hours=-6, seconds=5)
        sweep()
        drain()
        answer_time_out(user=duel.referee, time_out_id=asked.pk, granted=True, reason="Bon courage.")
        send_waiting()
        assert status_of(player(duel, "a"), "reminder_6") == ("dropped", "no longer true")

    def test_a_reminder_of_a_phase_that_another_of_the_same_turn_has_followed(self, time, fate):
        fate({(1, "cast:a"): 1})
        duel = spells_play.running()
        foes = {letter: confirmed(player(duel, letter)) for letter in "ab"}
        time.go_to(duel.due_at, hours=-23)
        sweep()
        drain()
        duel = spells_play.all_file(duel, a=[spells_play.cast("lancea", target="b", bet="1-2-3-4")])
        assert (duel.turn, duel.phase.name, "b" in duel.awaited) == (1, "defence", True)
        time.go_on(hours=1, minutes=30)
        send_waiting()
        assert status_of(foes["b"], "reminder_24") == ("dropped", "no longer true")

    def test_a_turn_that_has_opened_anew_since_it_was_corrected(self):
        duel = play.play_turn(play.running(**pair(), referee=referee()))
        drain()
        correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="Erreur.", seen=duel.phase.pk)
        duel = play.publish(duel)
        assert duel.turn == 2
        send_waiting()
        assert status_of(player(duel, "a"), "turn_opened") == ("dropped", "no longer true")
        told = letters_to(player(duel, "a"), told_and_mailed())
        assert len([subject for subject in told if "ouvert" in subject]) == 1

    def test_a_reminder_to_one_who_has_not_filed_goes(self, time):
        duel = play.running(**pair())
        told_and_mailed()
        time.go_to(duel.due_at, hours=-5)
        remind(duel, "a", "reminder_6")
        (letter,) = told_and_mailed()
        assert letter.to == [player(duel, "a").email]
        assert "6" in letter.subject

    def test_an_offer_of_a_draw_that_was_refused_meanwhile(self):
        duel = play.running(**pair())
        offer_draw(user=player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        drain()
        refuse_draw(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        send_waiting()
        assert status_of(player(duel, "b"), "draw_offered") == ("dropped", "no longer true")

    def test_an_offer_of_a_draw_while_the_referee_reads_goes(self):
        duel = play.running(**pair(), referee=referee())
        play.file(duel, "a")
        play.file(duel, "b")
        told_and_mailed()
        offer_draw(user=player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        assert len(letters_to(player(duel, "b"), told_and_mailed())) == 1

    def test_a_turn_to_review_that_was_published_meanwhile(self):
        duel = play.running(**pair(), referee=referee())
        play.file(duel, "a")
        play.file(duel, "b")
        drain()
        duel = play.publish(duel)
        send_waiting()
        assert status_of(duel.referee, "turn_locked") == ("dropped", "no longer true")

    def test_a_challenge_to_several_that_the_reader_has_accepted(self):
        duel = spells_play.challenged(count=4)
        called = {letter: confirmed(player(duel, letter)) for letter in "bcd"}
        drain()
        accept_spell_challenge(user=called["c"], duel_id=duel.pk)
        send_waiting()
        assert status_of(called["c"], "challenged") == ("dropped", "no longer true")
        assert [status_of(called[letter], "challenged")[0] for letter in "bd"] == ["sent", "sent"]

    def test_a_pairing_that_the_reader_has_confirmed(self, time):
        duel = desk.paired(*(desk.in_spells() for _ in "ab"))
        called = {letter: confirmed(player(duel, letter)) for letter in "ab"}
        drain()
        desk.confirm(duel, "a")
        send_waiting()
        assert status_of(called["a"], "paired") == ("dropped", "no longer true")
        assert status_of(called["b"], "paired")[0] == "sent"
        time.go_to(duel.due_at, hours=-23)
        sweep()
        drain()
        desk.confirm(duel, "b")
        send_waiting()
        assert status_of(called["b"], "confirmation_due") == ("dropped", "no longer true")

    def test_a_time_out_that_was_answered_while_the_others_waits(self):
        duel = play.running(**pair(), referee=referee())
        asked = [
            ask_time_out(user=player(duel, letter), duel_id=duel.pk, hours=24, reason="Oui.", received_at=clock.now())
            for letter in "ab"
        ]
        drain()
        answer_time_out(user=duel.referee, time_out_id=asked[0].pk, granted=False, reason="Non.")
        send_waiting()
        told = Delivery.objects.filter(user=duel.referee, happening__what="time_out_asked")
        assert dict(told.values_list("happening__details__seat", "status")) == {"a": "dropped", "b": "sent"}

    def test_a_refusal_by_which_the_deadline_stood_until_another_time_out_was_granted(self):
        duel = play.running(**pair(), referee=referee())
        asked = [
            ask_time_out(user=player(duel, letter), duel_id=duel.pk, hours=24, reason="Oui.", received_at=clock.now())
            for letter in "ab"
        ]
        answer_time_out(user=duel.referee, time_out_id=asked[0].pk, granted=False, reason="Non.")
        drain()
        answer_time_out(user=duel.referee, time_out_id=asked[1].pk, granted=True, reason="Oui.")
        drain()
        send_waiting()
        assert status_of(player(duel, "a"), "time_out_refused") == ("dropped", "no longer true")
        assert status_of(player(duel, "a"), "time_out_granted")[0] == "sent"

    def test_an_announcement_to_one_who_has_hidden_already(self):
        duel = play.announced(**pair())
        drain()
        hide_receptacle(user=player(duel, "a"), duel_id=duel.pk, zone="torso", received_at=clock.now())
        send_waiting()
        assert status_of(player(duel, "a"), "announced") == ("dropped", "no longer true")
        assert status_of(player(duel, "b"), "announced")[0] == "sent"

    def test_a_wish_to_start_at_once_that_the_reader_shares(self):
        duel = spells_play.announced(count=4)
        called = {letter: confirmed(player(duel, letter)) for letter in "abcd"}
        ask_to_start(user=called["a"], duel_id=duel.pk, received_at=clock.now())
        drain()
        ask_to_start(user=called["b"], duel_id=duel.pk, received_at=clock.now())
        send_waiting()
        assert status_of(called["b"], "start_asked") == ("dropped", "no longer true")
        assert status_of(called["c"], "start_asked")[0] == "sent"

    def test_an_offer_of_a_draw_that_the_reader_has_made_too_or_whose_author_is_out(self):
        duel = spells_play.running(count=4)
        called = {letter: confirmed(player(duel, letter)) for letter in "abcd"}
        offer_draw(user=called["a"], duel_id=duel.pk, received_at=clock.now())
        drain()
        offer_draw(user=called["b"], duel_id=duel.pk, received_at=clock.now())
        send_waiting()
        assert status_of(called["b"], "draw_offered") == ("dropped", "no longer true")
        assert status_of(called["c"], "draw_offered")[0] == "sent"
        drain()
        surrender(user=called["b"], duel_id=duel.pk, received_at=clock.now())
        send_waiting()
        assert status_of(called["d"], "draw_offered") == ("dropped", "no longer true")

    @pytest.mark.parametrize("answered", [True, False])
    def test_a_duel_that_is_no_longer_handed_over(self, answered):
        duel, other = play.running(**pair()), referee()
        ask_hand_over(user=duel.referee, duel_id=duel.pk, to_id=other.pk)
        drain()
        if answered:
            answer_hand_over(user=other, duel_id=duel.pk, accepted=False)
        else:
            withdraw_hand_over(user=duel.referee, duel_id=duel.pk)
        send_waiting()
        assert status_of(other, "hand_over_asked") == ("dropped", "no longer true")

    @pytest.mark.parametrize("answered", [True, False])
    def test_a_candidacy_that_waits_no_longer(self, answered):
        one, other, candidate = referee(), referee(), UserFactory()
        sent = Candidacy.objects.create(user=candidate, message="Moi.", at_once=1, sent_at=clock.now())
        noted = {"duel": None, "what": "candidacy_sent", "at": clock.now()}
        Happening.objects.create(**noted, concerns=[one.pk, other.pk], details={"candidacy": sent.pk, "user": "x"})
        Happening.objects.create(**noted, concerns=[one.pk], details={"candidacy": sent.pk + 1, "user": "y"})
        drain()
        if answered:
            answer_candidacy(user=other, candidacy_id=sent.pk, accepted=False, reason="Pas encore.")
        else:
            withdraw_candidacy(user=candidate, candidacy_id=sent.pk)
        send_waiting()
        told = Delivery.objects.filter(user=one, happening__what="candidacy_sent")
        assert dict(told.values_list("happening__details__user", "status")) == {"x": "dropped", "y": "sent"}

    def test_a_duel_given_to_one_who_referees_it_no_more(self):
        duel, first = play.running(**pair()), referee()
        Happening.objects.create(duel=duel, what="duel_given", at=clock.now(), concerns=[first.pk])
        drain()
        send_waiting()
        assert status_of(first, "duel_given") == ("dropped", "no longer true")

    def test_anything_after_three_days(self, time):
        duel = play.over(**pair())
        drain()
        time.go_on(days=3, minutes=1)
        send_waiting()
        assert status_of(player(duel, "a"), "over") == ("dropped", "no longer true")

    def test_old_happenings_are_noticed_and_not_mailed(self, time):
        duel = play.over(**pair())
        time.go_on(days=4)
        drain()
        assert not Delivery.objects.exists()
        assert player(duel, "a").notices.exists()

    def test_what_was_switched_off_meanwhile(self):
        duel = play.challenged(**pair())
        drain()
        Preference.objects.create(user=player(duel, "b"), mail=False)
        send_waiting()
        assert status_of(player(duel, "b"), "challenged") == ("dropped", "not wanted")


def test_a_turn_that_waits_is_mailed_to_its_referee():
    duel = play.running(**pair(), referee=referee())
    play.file(duel, "a")
    play.file(duel, "b")
    told = letters_to(duel.referee, told_and_mailed())
    assert len([subject for subject in told if "vous attend" in subject]) == 1


def test_the_verdict_is_mailed():
    duel = play.running(**pair())
    surrender(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    letters = told_and_mailed()
    assert len([subject for subject in letters_to(player(duel, "a"), letters) if duel.name_of("a") in subject]) == 1


class Broken(EmailBackend):
    """A post office that is closed."""

    def send_messages(self, messages):
        raise ConnectionError("the body of the letter must not be logged")


class TestFailures:
    """A post office that fails is tried again, a bounded number of times; a letter never goes twice."""

    @pytest.fixture
    def closed(self, settings):
        settings.EMAIL_BACKEND = f"{__name__}.Broken"
        return settings

    def test_a_failure_is_tried_again_later(self, closed, time):
        duel = play.challenged(**pair())
        assert told_and_mailed() == []
        assert status_of(player(duel, "b"), "challenged") == ("waiting", "")
        closed.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        assert told_and_mailed() == []
        time.go_on(minutes=1, seconds=1)
        assert len(told_and_mailed()) == 1

    def test_after_five_tries_it_is_set_aside_and_staff_may_try_again(self, closed, time):
        play.challenged(**pair())
        drain()
        for _try in range(7):
            send_waiting()
            time.go_on(hours=3)
        delivery = Delivery.objects.get()
        assert (delivery.status, delivery.reason, delivery.tries) == ("aside", "failed", 5)
        closed.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        assert take_up_again(delivery_id=delivery.pk)
        send_waiting()
        assert len(mail.outbox) == 1
        assert not take_up_again(delivery_id=delivery.pk)

    def test_one_failure_holds_up_no_other(self, monkeypatch):
        for _pair in range(2):
            play.challenged(**pair())
        drain()
        sent = EmailBackend.send_messages
        refused = Delivery.objects.first().user.email

        def refuse_one(backend, messages):
            if messages[0].to == [refused]:
                raise ConnectionError
            return sent(backend, messages)

        monkeypatch.setattr(EmailBackend, "send_messages", refuse_one)
        assert send_waiting() == {"waiting": 1, "sent": 1}

    def test_what_a_later_version_told_holds_up_nothing_in_an_earlier_one(self):
        duel = play.challenged(**pair())
        with held(duel.pk) as one:
            tell(one, "no_kind_of_ours", at=clock.now())
        drain()
        unknown = Happening.objects.get(what="no_kind_of_ours")
        Delivery.objects.create(
            happening=unknown, user=player(duel, "b"), due_at=unknown.at - dt.timedelta(hours=1), changed_at=unknown.at
        )
        assert send_waiting() == {"waiting": 1, "sent": 1}

    def test_the_log_says_neither_whom_nor_what(self, closed, caplog):
        duel = play.challenged(**pair())
        told_and_mailed()
        assert "ConnectionError" in caplog.text
        assert player(duel, "b").email not in caplog.text
        assert "body of the letter" not in caplog.text

    def test_cut_off_while_it_was_sent_it_is_never_sent_again_by_itself(self, monkeypatch, time):
        duel = play.challenged(**pair())
        drain()

        def cut_off(backend, messages):
            raise SystemExit  # the worker is killed once the letter has gone

        with monkeypatch.context() as killed:
            killed.setattr(EmailBackend, "send_messages", cut_off)
            with pytest.raises(SystemExit):
                send_waiting()
        assert status_of(player(duel, "b"), "challenged") == ("sending", "")
        time.go_on(minutes=6)
        send_waiting()
        assert mail.outbox == []
        assert status_of(player(duel, "b"), "challenged") == ("aside", "interrupted")

    def test_what_is_being_sent_just_now_is_left_alone(self):
        now = clock.now()
        play.challenged(**pair())
        drain()
        Delivery.objects.update(status="sending", changed_at=now - dt.timedelta(minutes=1))
        assert set_aside_interrupted(now) == 0

    def test_a_round_ends_before_the_next_is_sent(self):
        play.challenged(**pair())
        drain()
        assert send_waiting(seconds=-1) == {}
        assert send_waiting() == {"sent": 1}


def test_no_mail_holds_a_secret():
    """Neither where a receptacle is, nor what was filed, nor what a seed or a state is."""
    duel = play.running(("head", "torso"), **pair(), referee=referee())
    letters = told_and_mailed()
    play.file(duel, "a", thrust="right_arm", parry="left_leg")
    play.file(duel, "b", thrust="torso", parry="head")
    letters += told_and_mailed()
    play.publish(duel)
    letters += told_and_mailed()
    assert len(letters) == 5  # the first turn to both, the review, the second turn to both
    said = "\n".join(letter.subject + letter.body for letter in letters).lower()
    for secret in ("tête", "torse", "bras", "jambe", "head", "torso", "right_arm", "left_leg", play.TEXT[:20].lower()):
        assert secret not in said


def test_a_mail_keeps_only_the_hash_of_its_secret():
    play.challenged(**pair())
    (letter,) = told_and_mailed()
    token = LINK.search(letter.body)[1]
    assert token in letter.extra_headers["List-Unsubscribe"]
    delivery = Delivery.objects.get()
    assert delivery.token_hash == mailing.hashed(token)
    assert token not in str(Delivery.objects.values_list().get())


def test_each_mail_has_a_secret_of_its_own():
    player_b = DuellistFactory(user=confirmed(DuellistFactory().user))
    play.challenged(b=player_b)
    play.challenged(b=player_b)
    tokens = {LINK.search(letter.body)[1] for letter in told_and_mailed()}
    assert len(tokens) == 2


def test_a_name_over_two_lines_forges_no_header():
    two = pair()
    two["a"].name = "Aude\nBcc: somebody@example.org"
    two["a"].save()
    play.challenged(**two)
    (letter,) = told_and_mailed()
    assert "\n" not in letter.subject
    assert letter.recipients() == [two["b"].user.email]
