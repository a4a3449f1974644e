"""A published resolution contested: who may, what stops, who decides, who reads it, and what comes of it."""

import datetime as dt
from itertools import pairwise

import pytest
from django.urls import reverse

from duels import clock, export
from duels.actions.appeals import contest_resolution, deciders
from duels.actions.ending import surrender
from duels.actions.filing import save_draft
from duels.actions.referees import take_over
from duels.actions.revisions import correct_turn
from duels.actions.rulings import note_ruling, rule_invalid
from duels.actions.sweep import sweep
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Appeal, Duel, Happening, Phase, Post
from duels.queries.waiting import tasks_here, waiting_for
from notices import kinds
from referee.actions.hand_overs import answer_hand_over, ask_hand_over
from rules import record
from rules.verify import verify_json
from tests import play
from tests import spells_play as spells
from tests.factories import RefereeFactory, StaffFactory, UserFactory

from .contesting import BECAUSE, WHY, contest, decide, note
from .exporting import failures
from .readers import as_player, as_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel():
    """In its second turn; the first is published."""
    return play.play_turn(play.running())


@pytest.fixture
def other():
    return RefereeFactory()


def english(client):
    client.cookies["django_language"] = "en"
    return client


def about(duel):
    """What the clock goes by in the open phase."""
    phase = play.fresh(duel).phase
    return phase.due_at, phase.choice_until, play.fresh(duel).due_at


class TestContesting:
    def test_the_clock_stops_and_the_thread_says_so_without_the_reason(self, duel):
        appeal = contest(duel)
        duel = play.fresh(duel)
        assert duel.stopped_until == appeal.until == appeal.made_at + dt.timedelta(hours=48)
        assert duel.wake_at == appeal.until + clock.GRACE
        note = Post.objects.filter(thread__duel=duel).last()
        assert (note.details["note"], note.seat, note.turn) == ("appeal", "a", 1)
        assert WHY not in str(list(duel.entries.values("public"))) + str(list(Post.objects.values("details")))
        assert WHY not in str(list(Happening.objects.values("details")))
        assert (appeal.judge, appeal.resolution) == (duel.referee, duel.phase.after)

    def test_nobody_files_but_what_is_typed_is_kept(self, duel):
        contest(duel)
        for letter in "ab":
            with pytest.raises(TooLate):
                play.file(duel, letter)
        save_draft(user=play.player(duel, "b"), duel_id=duel.pk, turn=2, draft={"text": "Vent"}, at=clock.now())

    def test_deadlines_are_the_latest_possible(self, duel):
        before = about(duel)[0]
        contest(duel)
        assert about(duel)[0] == before + dt.timedelta(hours=48)

    @pytest.mark.parametrize(
        ("parts", "refusal"),
        [({"reason": " "}, Invalid), ({"reason": "a" * 2001}, Invalid), ({"resolution_id": 0}, TooLate)],
    )
    def test_what_is_refused_changes_nothing(self, duel, parts, refusal):
        with pytest.raises(refusal):
            contest(duel, **parts)
        assert play.fresh(duel).stopped_until is None
        assert not Appeal.objects.exists()

    def test_only_before_the_deadline_of_the_phase_after(self, duel):
        with pytest.raises(TooLate):
            contest(duel, at=duel.phase.due_at + dt.timedelta(seconds=1))
        assert contest(duel, at=duel.phase.due_at).answer == ""

    def test_not_once_the_phase_after_is_locked(self, duel):
        resolution = duel.phase.after_id
        play.file(duel, "a")
        play.file(duel, "b", thrust="torso", parry="right_arm")
        with pytest.raises(TooLate):
            contest(duel, resolution_id=resolution)

    def test_one_at_a_time_and_each_once(self, duel, other):
        appeal = contest(duel)
        with pytest.raises(Invalid):
            contest(duel, "b")
        decide(appeal, other)
        with pytest.raises(Invalid):
            contest(duel)
        assert contest(duel, "b").answer == ""

    def test_the_next_resolution_is_another(self, duel, other):
        decide(contest(duel), other)
        play.play_turn(duel, b={"thrust": "torso", "parry": "right_arm"})
        assert contest(duel).resolution.phase.number == 2

    def test_not_before_the_first_resolution(self):
        with pytest.raises(Invalid):
            contest(play.running(), resolution_id=1)

    def test_not_without_a_referee(self):
        duel = play.running(refereed=False)
        play.play_turn(duel)
        with pytest.raises(NotAllowed):
            contest(duel)

    def test_only_who_plays(self, duel):
        for user in (UserFactory(), duel.referee):
            with pytest.raises(NotAllowed):
                contest_resolution(
                    user=user, duel_id=duel.pk, resolution_id=duel.phase.after_id, reason=WHY, received_at=clock.now()
                )

    def test_the_referee_does_not_correct_meanwhile(self, duel):
        contest(duel)
        with pytest.raises(TooLate):
            correct_turn(user=duel.referee, duel_id=duel.pk, turn=1, reason="…", seen=duel.phase_id)


class TestTheClock:
    def test_it_goes_on_with_the_time_that_was_left(self, duel, other, time):
        time.go_on(hours=40)
        before = about(duel)
        appeal = contest(duel)
        time.go_on(hours=20)
        sweep()
        assert play.fresh(duel).phase.is_open
        decide(appeal, other)
        assert about(duel)[0] - before[0] == Appeal.objects.get().answered_at - appeal.made_at
        assert about(duel)[2] == about(duel)[0]
        assert play.fresh(duel).stopped_until is None
        play.file(duel, "a")

    def test_it_never_stands_longer_than_48_hours_however_late_the_sweep(self, duel, time):
        before = about(duel)[0]
        appeal = contest(duel)
        time.go_on(hours=70)
        sweep()
        assert about(duel)[0] == before + dt.timedelta(hours=48)
        appeal.refresh_from_db()
        assert appeal.answer == "lapsed"
        note = Post.objects.filter(thread__duel=duel).last()
        assert (note.details["note"], note.details["answer"]) == ("appeal_answer", "lapsed")
        time.go_to(before + dt.timedelta(hours=48), seconds=31)
        sweep()
        assert not play.fresh(duel).phases.get(number=2).is_open

    def test_past_the_cap_a_player_need_not_wait_for_the_sweep(self, duel, time):
        contest(duel)
        time.go_on(hours=48, seconds=5)
        play.file(duel, "a")
        assert Appeal.objects.get().answer == "lapsed"
        assert play.fresh(duel).awaited == "b"

    def test_past_the_cap_nobody_decides(self, duel, other, time):
        appeal = contest(duel)
        time.go_on(hours=48, seconds=5)
        with pytest.raises(TooLate):
            decide(appeal, other)
        assert play.fresh(duel).stopped_until is not None
        sweep()
        time.go_on(seconds=30)
        sweep()
        assert play.fresh(duel).stopped_until is None

    def test_nobody_is_reminded_while_it_stands_still(self, duel, time):
        time.go_on(hours=20)
        contest(duel)
        time.go_on(hours=10)
        sweep()
        assert not Happening.objects.filter(what__startswith="reminder").exists()

    def test_time_outs_are_counted_on_top(self, duel, other, time):
        ask_time_out(user=play.player(duel, "a"), duel_id=duel.pk, hours=24, reason="…", received_at=clock.now())
        before = about(duel)[0]
        appeal = contest(duel)
        time.go_on(hours=10)
        answer_time_out(user=duel.referee, time_out_id=duel.phase.time_outs.get().pk, granted=True, reason="Oui.")
        decide(appeal, other)
        stood = Appeal.objects.get().answered_at - appeal.made_at
        assert about(duel)[0] == before + dt.timedelta(hours=24) + stood

    def test_choices_that_were_owed_come_later_too(self, duel, other, time):
        Phase.objects.filter(pk=duel.phase_id).update(choice_until=duel.phase.opened_at + dt.timedelta(hours=24))
        before = about(duel)
        appeal = contest(duel)
        time.go_on(hours=30)
        decide(appeal, other)
        stood = Appeal.objects.get().answered_at - appeal.made_at
        assert about(duel)[1] == before[1] + stood

    def test_what_had_passed_stays_past(self, duel, other, time):
        Phase.objects.filter(pk=duel.phase_id).update(choice_until=duel.phase.opened_at + dt.timedelta(hours=2))
        before = about(duel)
        time.go_on(hours=3)
        decide(contest(duel), other)
        assert about(duel)[1] == before[1]

    def test_a_post_that_can_be_corrected_holds_the_phase_as_long(self, time, other):
        duel = spells.all_file(spells.running())
        spells.file(duel, "a", text="Trop court.", as_it_is=True)
        until = dt.datetime.fromisoformat(play.fresh(duel).phase.correctable["a"])
        appeal = contest(duel, "b")
        time.go_on(hours=5)
        spells.correct(duel, "a", spells.STAY, text=play.TEXT)
        assert play.fresh(duel).phase.is_open
        decide(appeal, other)
        assert play.fresh(duel).phase.corrected_by is None
        assert until < clock.now()

    def test_everybody_had_filed_and_it_locks_as_it_goes_on(self, time, other):
        duel = spells.all_file(spells.running())
        spells.file(duel, "a", text="Trop court.", as_it_is=True)
        spells.file(duel, "b")
        appeal = contest(duel, "b")
        spells.correct(duel, "a", spells.STAY, text=play.TEXT)
        assert play.fresh(duel).phase.is_open
        decide(appeal, other)
        assert play.fresh(duel).phase.status == Phase.Status.LOCKED

    def test_the_right_to_a_time_out_of_a_spell_duel_counts_from_the_put_off_deadline(self, time, other):
        duel = spells.all_file(spells.running())
        appeal = contest(duel)
        time.go_on(hours=30)
        decide(appeal, other)
        time.go_on(hours=40)
        ask_time_out(user=play.player(duel, "a"), duel_id=duel.pk, hours=24, reason="…", received_at=clock.now())
        assert play.fresh(duel).phase.pleas == 1


class TestDeciding:
    def test_upheld_the_resolution_stands(self, duel, other):
        decide(contest(duel), other)
        duel = play.fresh(duel)
        assert (duel.turn, duel.branch, duel.stopped_until) == (2, 0, None)
        assert duel.phase.is_open
        note = Post.objects.filter(thread__duel=duel).last()
        assert (note.details["answer"], note.details["referee"]) == ("upheld", other.username)
        assert BECAUSE not in str(list(Post.objects.values("details")))

    def test_granted_the_turn_is_taken_up_again_for_its_referee(self, duel, other):
        play.file(duel, "a")
        decide(contest(duel), other, granted=True)
        duel = play.fresh(duel)
        assert (duel.turn, duel.branch, duel.phase.status) == (1, 1, "locked")
        rule_invalid(user=duel.referee, duel_id=duel.pk, turn=1, seat="a", reason="…")
        duel = play.publish(duel)
        assert (duel.turn, duel.phase.branch) == (2, 1)
        notes = [post.details["note"] for post in Post.objects.filter(thread__duel=duel, kind="note")]
        assert notes == ["appeal", "appeal_answer", "correction"]

    def test_the_record_verifies_with_both_texts_in_it(self, duel, other):
        decide(contest(duel), other, granted=True)
        duel = play.publish(note(duel))
        decide(contest(duel, "b"), RefereeFactory())
        contest(duel, "a")
        assert failures(play.fresh(duel)) == []
        surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        raw = record.encode(export.of(play.fresh(duel)))
        assert verify_json(raw).failures == ()
        assert WHY in raw.decode()
        assert BECAUSE in raw.decode()

    def test_an_appeal_lapses_as_the_duel_ends(self, duel):
        appeal = contest(duel)
        surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        appeal.refresh_from_db()
        duel = play.fresh(duel)
        assert (appeal.answer, duel.stopped_until, duel.is_over) == ("lapsed", None, True)
        assert failures(duel) == []

    def test_never_who_plays_or_referees_or_judged(self, duel, other):
        appeal = contest(duel)
        player = play.player(duel, "b")
        player.groups.add(*duel.referee.groups.all())
        judge = duel.referee
        Duel.objects.filter(pk=duel.pk).update(referee=RefereeFactory())
        for user in (player, judge, play.fresh(duel).referee, UserFactory(), StaffFactory()):
            with pytest.raises(NotAllowed):
                decide(appeal, user)
        assert Appeal.objects.get().answer == ""

    def test_never_who_ruled_on_it_whoever_published_it(self, time, other):
        """Each of those who had a hand in it sees no appeal in the queue, and is refused; who had none decides."""
        duel = play.locked()
        first, second = duel.referee, RefereeFactory()
        note_ruling(user=first, duel_id=duel.pk, turn=1, reason="Le vent a tourné.")
        time.go_to(duel.phase.locked_at, hours=49)
        sweep()
        take_over(user=second, duel_id=duel.pk)
        time.go_to(duel.phase.locked_at, days=5, seconds=31)
        sweep()
        duel = play.fresh(duel)
        assert (duel.turn, duel.referee) == (2, second)
        appeal = contest(duel)
        assert appeal.judge is None
        self.refused(appeal, first, second)
        self.asked(appeal, other)

    def test_never_who_has_refereed_the_duel_and_handed_it_over(self, duel, other):
        first, second = duel.referee, RefereeFactory()
        ask_hand_over(user=first, duel_id=duel.pk, to_id=second.pk)
        answer_hand_over(user=second, duel_id=duel.pk, accepted=True)
        play.play_turn(duel, b={"thrust": "torso", "parry": "right_arm"})
        appeal = contest(duel)
        assert appeal.judge == second
        self.refused(appeal, first, second)
        self.asked(appeal, other)

    def test_never_who_had_it_corrected_on_an_earlier_appeal(self, duel, other):
        decide(contest(duel), other, granted=True)
        appeal = contest(play.publish(note(duel)), "b")
        self.refused(appeal, other, duel.referee)
        self.asked(appeal, RefereeFactory())

    def refused(self, appeal, *barred):
        for user in barred:
            assert appeal.duel not in Duel.objects.contested_for(user)
            assert "appeal" not in [task.what for task in tasks_here(play.fresh(appeal.duel), user)]
            assert user.pk not in deciders(appeal.duel, appeal)
            with pytest.raises(NotAllowed):
                decide(appeal, user, granted=True)
        assert Appeal.objects.get(pk=appeal.pk).answer == ""

    def asked(self, appeal, user):
        assert appeal.duel in Duel.objects.contested_for(user)
        assert [task.what for task in tasks_here(play.fresh(appeal.duel), user)] == ["appeal"]
        assert user.pk in deciders(appeal.duel, appeal)
        assert decide(appeal, user).answered_by == user

    def test_staff_only_where_no_referee_is_left(self, duel):
        appeal = contest(duel)
        staff = StaffFactory()
        assert deciders(duel, appeal) == [staff.pk]
        referee = RefereeFactory()
        assert deciders(duel, appeal) == [referee.pk]
        with pytest.raises(NotAllowed):
            decide(appeal, staff)
        referee.is_active = False
        referee.save()
        assert decide(appeal, staff).answered_by == staff

    def test_one_answer(self, duel, other):
        appeal = contest(duel)
        decide(appeal, other)
        with pytest.raises(TooLate):
            decide(appeal, other, granted=True)

    @pytest.mark.parametrize("reason", ["", "  ", "a" * 2001])
    def test_with_a_reason(self, duel, other, reason):
        with pytest.raises(Invalid):
            decide(contest(duel), other, reason=reason)
        assert play.fresh(duel).stopped_until

    def test_in_a_spell_duel_the_phase_is_taken_up_again(self, other):
        duel = spells.all_file(spells.running(), a=[spells.move(5)])
        decide(contest(duel), other, granted=True)
        duel = play.fresh(duel)
        assert (duel.turn, duel.phase.name, duel.phase.status) == (1, "action", "locked")
        duel = spells.publish(note(duel))
        assert failures(duel) == []


class TestWhoIsTold:
    def test_those_concerned_and_who_may_decide(self, duel, other):
        decide(contest(duel), other, granted=True)
        told = {one.what: kinds.readers(one) for one in Happening.objects.filter(duel=duel, what__startswith="appeal")}
        a, b = (play.player(duel, letter).pk for letter in "ab")
        assert told == {
            "appeal_made": {b, duel.referee_id},
            "appeal_waits": {other.pk},
            "appeal_granted": {a, b, duel.referee_id},
        }

    def test_others_once_none_of_those_told_may_decide_any_more(self, duel, other):
        """It becomes a former referee's, as by a migration; then its one judge is no referee any more."""
        contest(duel)
        sweep()
        assert self.asked(duel) == [{other.pk}]
        duel.former_referees.add(other)
        staff, later = StaffFactory(), RefereeFactory()
        for _twice in range(2):
            sweep()
        assert self.asked(duel) == [{other.pk}, {later.pk}]
        later.groups.clear()
        for _twice in range(2):
            sweep()
        assert self.asked(duel)[2:] == [{staff.pk}]

    def asked(self, duel):
        return [kinds.readers(one) for one in Happening.objects.filter(duel=duel, what="appeal_waits")]

    def test_nobody_is_told_anew_of_an_appeal_that_is_answered(self, duel, other):
        decide(contest(duel), other)
        duel.former_referees.add(other)
        RefereeFactory()
        sweep()
        assert self.asked(duel) == [{other.pk}]

    def test_it_waits_for_them_on_their_home_page_and_in_the_queue(self, duel, other):
        contest(duel)
        there = reverse("referee:appeal", args=[duel.pk])
        assert [(task.what, task.url) for task in waiting_for(other).tasks] == [("appeal", there)]
        assert there in as_user(other).get(reverse("referee:queue")).text
        assert there not in as_user(duel.referee).get(reverse("referee:queue")).text
        assert [task.what for task in waiting_for(duel.referee).tasks] == []
        assert [task.what for task in waiting_for(play.player(duel, "b")).tasks] == []

    def test_for_staff_only_where_nobody_else_can(self, duel):
        contest(duel)
        staff = StaffFactory()
        assert [task.what for task in waiting_for(staff).tasks] == ["appeal"]
        RefereeFactory()
        assert waiting_for(staff).tasks == []


class TestPages:
    def page(self, duel):
        return reverse("duels:appeals", args=[duel.pk])

    def send(self, duel, letter="a", do="recap", **parts):
        body = {"do": do, "reason": WHY, "resolution": duel.phase.after_id, **parts}
        return english(as_player(duel, letter)).post(self.page(duel), body)

    def test_the_way_there(self, duel):
        for address in (duel.get_absolute_url(), reverse("duels:turn", args=[duel.pk])):
            assert self.page(duel) in as_player(duel, "a").get(address).text

    def test_the_recap_then_the_appeal(self, duel):
        recap = self.send(duel)
        assert recap.status_code == 200
        assert not Appeal.objects.exists()
        assert recap.context["contested"].number == 1
        assert self.send(duel, do="contest").url == self.page(duel)
        assert Appeal.objects.get().seat.letter == "a"

    def test_back_to_the_form_with_what_was_written(self, duel):
        assert self.send(duel, do="change").context["form"]["reason"].value() == WHY

    def test_errors_stand_beside_the_field_and_nothing_is_lost(self, duel):
        empty = self.send(duel, reason="", do="contest")
        assert (empty.status_code, "reason" in empty.context["form"].errors) == (422, True)
        late = self.send(duel, resolution=1000, do="contest")
        assert late.status_code == 409
        assert late.context["form"]["reason"].value() == WHY
        assert WHY.split("'")[0] in late.text

    def test_it_is_for_the_players_and_their_referee_until_the_verdict(self, duel, other):
        contest(duel)
        for user in (UserFactory(), other, StaffFactory()):
            assert as_user(user).get(self.page(duel)).status_code in (403, 302)
        assert as_user().get(self.page(duel)).status_code == 302
        assert as_user(duel.referee).get(self.page(duel)).status_code == 200

    def test_the_texts_are_for_who_contests_and_the_referees(self, duel, other):
        decide(contest(duel), other)
        reads = {
            "a": as_player(duel, "a").get(self.page(duel)).text,
            "b": as_player(duel, "b").get(self.page(duel)).text,
            "referee": as_user(duel.referee).get(self.page(duel)).text,
        }
        for text in (WHY, BECAUSE):
            said = text.split("'")[0][:12]
            assert [said in reads[who] for who in ("a", "b", "referee")] == [True, False, True]

    def test_after_the_verdict_everybody_reads_them(self, duel, other):
        decide(contest(duel), other)
        surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        read = english(as_user()).get(self.page(duel))
        assert read.status_code == 200
        assert BECAUSE.split(":")[0].strip() in read.text
        assert english(as_user()).post(self.page(duel), {}).status_code == 200

    def test_the_duel_says_that_the_clock_stands_still(self, duel):
        contest(duel)
        for reader in (as_user(), as_player(duel, "b")):
            said = english(reader).get(duel.get_absolute_url()).text
            assert "the clock stands still" in said
        listed = english(as_user()).get(reverse("duels:duels")).text
        assert "the clock stands still" in listed

    def test_its_referee_learns_before_writing_why_that_nothing_is_corrected_meanwhile(self, duel):
        address = reverse("referee:correct", args=[duel.pk, 1])
        assert 'name="reason"' in as_user(duel.referee).get(address).text
        contest(duel)
        answer = as_user(duel.referee).get(address)
        assert answer.status_code == 409
        assert "un autre arbitre répond d’abord" in answer.text
        assert 'name="reason"' not in answer.text

    def test_a_text_sent_meanwhile_comes_back(self, duel):
        contest(duel)
        body = {"turn": 2, "text": play.TEXT, "thrust": "head", "parry": "head", "do": "file"}
        answer = as_player(duel, "b").post(reverse("duels:turn", args=[duel.pk]), body)
        assert answer.status_code in (409, 422)
        assert "La lumière tombe en biais" in answer.text

    def desk(self, duel):
        return reverse("referee:appeal", args=[duel.pk])

    def test_the_decision_page(self, duel, other):
        contest(duel)
        page = english(as_user(other)).get(self.desk(duel))
        assert page.status_code == 200
        assert WHY.split("'")[0] in page.text
        review = as_user(other).get(reverse("referee:review", args=[duel.pk, 1]))
        assert review.status_code == 200
        assert "corriger/" not in review.text

    def test_who_decides_reads_the_turns_as_long_as_the_appeal_waits_and_rules_on_none(self, duel, other):
        review = reverse("referee:review", args=[duel.pk, 1])
        assert as_user(other).get(review).status_code == 403
        appeal = contest(duel)
        assert as_user(other).get(review).status_code == 200
        assert as_user(other).get(reverse("referee:correct", args=[duel.pk, 1])).status_code == 403
        assert as_user(other).get(reverse("referee:publish", args=[duel.pk, 1])).status_code == 403
        decide(appeal, other)
        assert as_user(other).get(review).status_code == 403

    def test_it_is_for_who_may_decide(self, duel, other):
        contest(duel)
        for user in (duel.referee, play.player(duel, "b"), UserFactory()):
            assert as_user(user).get(self.desk(duel)).status_code == 403
            assert as_user(user).post(self.desk(duel), {"granted": "yes", "reason": "…"}).status_code == 403
        assert as_user().get(self.desk(duel)).status_code == 302
        assert Appeal.objects.get().answer == ""

    def test_answered_on_the_page(self, duel, other):
        contest(duel)
        for body in ({"granted": "", "reason": BECAUSE}, {"granted": "yes", "reason": ""}):
            answer = english(as_user(other)).post(self.desk(duel), body)
            assert answer.status_code == 422
            assert answer.context["form"]["reason"].value() == body["reason"]
        assert as_user(other).post(self.desk(duel), {"granted": "no", "reason": BECAUSE}).status_code == 302
        assert Appeal.objects.get().answer == "upheld"
        assert as_user(other).get(self.desk(duel)).url == duel.get_absolute_url()

    def test_granted_on_the_page(self, duel, other):
        contest(duel)
        as_user(other).post(self.desk(duel), {"granted": "yes", "reason": BECAUSE})
        assert Appeal.objects.get().answer == "granted"

    def test_posts_stand_in_their_order(self, duel, other):
        decide(contest(duel), other, granted=True)
        positions = list(Post.objects.filter(thread__duel=duel).values_list("position", flat=True))
        assert all(later == earlier + 1 for earlier, later in pairwise(positions))


def test_a_referee_who_is_one_no_more_reads_no_reason(duel):
    contest(duel)
    client, address = as_user(duel.referee), reverse("duels:appeals", args=[duel.pk])
    assert "La parade de la tête" in client.get(address).text
    duel.referee.groups.clear()
    answer = client.get(address)
    assert answer.status_code == 403
    assert "La parade de la tête" not in answer.text
