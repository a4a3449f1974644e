"""A published turn corrected while the duel runs: what is superseded, what is played again, and who is told."""

import pytest
from django.urls import reverse

from duels import clock, export
from duels.actions.ending import offer_draw, surrender
from duels.actions.filing import save_draft
from duels.actions.revisions import correct_turn
from duels.actions.rulings import rule_invalid
from duels.actions.sweep import sweep
from duels.actions.time_outs import ask_time_out
from duels.actions.turns import publish_turn
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Draft, Duel, Happening, Phase, Post, Resolution, TimeOut
from duels.queries import reading
from duels.queries.turn import last_events
from rules import record
from rules.verify import verify, verify_json
from tests import play
from tests import spells_play as spells
from tests.duels.arenas import quiet
from tests.duels.exporting import failures
from tests.duels.readers import as_user
from tests.factories import RefereeFactory

pytestmark = pytest.mark.django_db

WHY = "J'avais oublié la parade du tour."
A_HITS = {"a": {"thrust": "torso", "parry": "left_leg"}, "b": {"thrust": "left_leg", "parry": "right_arm"}}


@pytest.fixture
def duel():
    """In its third turn, in which a has filed."""
    return in_third_turn(play.running())


@pytest.fixture
def quiet_duel():
    """The same where nothing moves the thrusts: a hit b in the first turn."""
    return in_third_turn(quiet())


def in_third_turn(duel):
    play.play_turn(duel, **A_HITS)
    duel = play.play_turn(duel)
    play.file(duel, "a", thrust="right_leg")
    return play.fresh(duel)


def correct(duel, turn=1, name="turn", **parts):
    duel = play.fresh(duel)
    said = {"user": duel.referee, "reason": WHY, "seen": duel.phase_id, **parts}
    correct_turn(duel_id=duel.pk, turn=turn, name=name, **said)
    return play.fresh(duel)


def overrule(duel, seat="a"):
    """Find a publication of the turn taken up again invalid, and publish the turn."""
    duel = play.fresh(duel)
    rule_invalid(
        user=duel.referee, duel_id=duel.pk, turn=duel.turn, name=duel.phase.name, seat=seat, reason="Trop court."
    )
    return spells.publish(duel)


def offer(duel, letter):
    offer_draw(user=play.player(duel, letter), duel_id=duel.pk, received_at=clock.now())


def phases(duel):
    return [(one.branch, one.number, one.status) for one in duel.phases.order_by("pk")]


def happened(duel, what):
    return list(Happening.objects.filter(duel=duel, what=what))


class TestTakingUpAgain:
    def test_the_turn_waits_for_its_referee_and_what_came_after_is_superseded(self, duel):
        duel = correct(duel)
        assert (duel.turn, duel.branch, duel.awaited, duel.due_at) == (1, 1, "", None)
        assert duel.phase.status == Phase.Status.LOCKED
        assert phases(duel) == [(0, 1, "locked"), (0, 2, "superseded"), (0, 3, "superseded")]

    def test_nothing_that_was_written_down_is_touched(self, duel):
        before = {model: list(model.objects.order_by("pk").values()) for model in (Resolution, Post, Happening)} | {
            "log": list(duel.entries.values())
        }
        duel = overrule(correct(duel))
        for model in (Resolution, Post, Happening):
            assert list(model.objects.order_by("pk").values())[: len(before[model])] == before[model]
        assert list(duel.entries.values())[: len(before["log"])] == before["log"]

    def test_nobody_files_meanwhile(self, duel):
        correct(duel)
        with pytest.raises(TooLate):
            play.file(duel, "b", turn=3)
        with pytest.raises(TooLate):
            play.file(duel, "b", turn=1)

    def test_both_are_told_and_the_thread_says_why(self, duel):
        duel = correct(duel)
        [told] = happened(duel, "turn_taken_up")
        assert set(told.concerns) == {player["user"] for player in duel.cast.values()}
        note = Post.objects.filter(thread__duel=duel).last()
        assert note.details == {"note": "correction", "referee": duel.referee.username, "reason": WHY}
        assert note.turn == 1

    def test_the_public_view_is_that_of_the_turn(self, quiet_duel):
        fresh, hit = quiet_duel.phases.get(number=1), quiet_duel.phases.get(number=1).live.public_view
        assert hit["seats"]["b"]["link"] == 9
        seen = correct(quiet_duel, turn=fresh.number).public_view
        assert (seen["turn"], seen["seats"]["b"]["link"]) == (1, 10)

    def test_the_clock_treats_it_like_any_turn_that_waits(self, duel, time):
        duel = correct(duel)
        time.go_on(hours=49)
        sweep()
        assert play.fresh(duel).phase.offered_at is not None
        time.go_on(days=4)
        sweep()
        duel = play.fresh(duel)
        assert (duel.turn, duel.branch, duel.phase.is_open) == (2, 1, True)

    def test_it_waits_anew_although_it_had_been_offered(self, duel):
        Phase.objects.filter(duel=duel, number=1).update(offered_at=clock.now())
        assert correct(duel).phase.offered_at is None

    def test_an_open_time_out_lapses_and_is_not_given_back(self, duel):
        ask_time_out(user=play.player(duel, "b"), duel_id=duel.pk, hours=24, reason="…", received_at=clock.now())
        duel = overrule(correct(duel))
        assert TimeOut.objects.get().answer == "lapsed"
        with pytest.raises(Invalid):
            ask_time_out(user=play.player(duel, "b"), duel_id=duel.pk, hours=24, reason="…", received_at=clock.now())

    def test_what_somebody_had_typed_is_given_back(self, duel):
        save_draft(user=play.player(duel, "b"), duel_id=duel.pk, turn=3, draft={"text": "Le vent"}, at=clock.now())
        duel = overrule(correct(duel))
        page = as_user(play.player(duel, "b")).get(reverse("duels:turn", args=[duel.pk]))
        assert "Le vent" in page.text
        assert Draft.objects.count() == 1


class TestPublishingAnew:
    def test_it_is_a_new_revision_and_the_coming_turn_opens_in_a_new_branch(self, duel):
        duel = overrule(correct(duel))
        assert phases(duel) == [(0, 1, "published"), (0, 2, "superseded"), (0, 3, "superseded"), (1, 2, "open")]
        first, coming = duel.phases.get(number=1), duel.phase
        assert first.live.revision == 3
        assert coming.after == first.live
        assert (coming.due_at - coming.opened_at).total_seconds() == 48 * 3600

    def test_the_duel_goes_on_from_what_it_gave(self, quiet_duel):
        assert overrule(correct(quiet_duel)).public_view["seats"]["b"]["link"] == 10

    def test_the_thread_says_what_has_changed(self, quiet_duel):
        duel = overrule(correct(quiet_duel))
        first, *_, again = Post.objects.filter(thread__duel=duel, kind="resolution")
        assert "corrected" not in first.details
        changed = {(change["sign"], change["event"]["code"]) for change in again.details["corrected"]}
        assert {("−", "hit"), ("+", "infraction")} <= changed
        assert len(happened(duel, "turn_corrected")) == 1
        assert len(happened(duel, "turn_published")) == 2

    def test_what_is_played_again_has_new_dice(self, duel):
        duel = overrule(correct(duel))
        play.play_turn(duel)
        surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        dice = verify(export.of(play.fresh(duel))).dice
        assert {die.branch for die in dice if die.phase == 1} <= {0}
        assert {die.branch for die in dice if die.phase == 2} <= {0, 1}

    def test_with_nothing_ruled_the_result_stands(self, duel):
        duel = play.publish(correct(duel))
        *_, again = Post.objects.filter(thread__duel=duel, kind="resolution")
        assert again.details["corrected"] == []
        assert duel.phases.get(number=1).live.revision == 2
        assert failures(duel) == []

    def test_the_last_events_are_of_a_turn_that_counts(self, duel):
        duel = correct(duel, turn=2)
        first = duel.phases.get(number=1).live
        assert reading.last_events(duel) == first.public_events
        duel = overrule(duel)
        assert reading.last_events(duel) == duel.phases.get(number=2, branch=0).live.public_events
        assert [event["code"] for event in last_events(duel, "a")].count("infraction") == 1

    @pytest.mark.parametrize("turns", [(1,), (2,), (2, 1), (1, 1), (2, 2, 1)], ids=str)
    def test_the_record_verifies_whatever_was_corrected(self, duel, turns):
        for turn in turns:
            duel = spells.publish(correct(duel, turn=turn))
        duel = overrule(correct(duel, turn=turns[-1]))
        play.play_turn(duel)
        assert failures(play.fresh(duel)) == []
        surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        report = verify_json(record.encode(export.of(play.fresh(duel))))
        assert report.failures == ()
        assert report.turns == turns[-1] + 1

    def test_the_correction_may_end_the_duel(self, duel):
        for _turn in range(2):
            duel = spells.publish(correct(duel, turn=1))
            play.file(duel, "a")
            play.file(duel, "b", thrust="torso", parry="right_arm")
            duel = play.publish(duel)
        duel = correct(duel, turn=1)
        surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        duel = play.fresh(duel)
        assert (duel.is_over, duel.winner, failures(duel)) == (True, "b", [])

    def test_a_draw_agreed_meanwhile(self, duel):
        duel = correct(duel)
        for letter in "ab":
            offer(duel, letter)
        duel = play.fresh(duel)
        assert (duel.ended_by, failures(duel)) == ("draw", [])

    def test_a_draw_offered_before_the_result_was_read_is_no_offer_any_more(self):
        duel = play.running()
        offer(duel, "a")
        for _turn in range(2):
            duel = play.play_turn(duel)
        duel = correct(duel)
        assert duel.phase.draw_offers == []
        offer(duel, "b")
        assert play.fresh(duel).is_running
        offer(duel, "a")
        duel = play.fresh(duel)
        assert (duel.ended_by, failures(duel)) == ("draw", [])


class TestSpellDuels:
    @pytest.fixture
    def duel(self):
        """In the action phase of its third turn."""
        duel = spells.running()
        for _phase in range(2):
            duel = spells.all_file(duel, a=[spells.move(5)] if duel.turn == 1 else ())
        return duel

    def test_what_comes_after_the_phase_is_played_again(self, duel):
        duel = correct(duel, turn=1, name="action")
        assert (duel.turn, duel.phase.name, duel.branch) == (1, "action", 1)
        duel = overrule(duel)
        assert (duel.turn, duel.phase.name, duel.phase.branch) == (2, "action", 1)
        assert duel.public_view["seats"]["a"]["zone"] == 4
        spells.all_file(duel)
        assert failures(play.fresh(duel)) == []

    def test_a_defence_phase_is_superseded_with_its_action_and_corrected_without_it(self, fate):
        fate({(1, "cast:a"): 2})
        duel = spells.running()
        duel = spells.all_file(duel, a=[spells.cast("lancea", target="b", bet="1-2-3-4")])
        assert duel.phase.name == "defence"
        duel = spells.all_file(duel)
        alone = correct(duel, turn=1, name="defence")
        assert phases(alone) == [(0, 1, "published"), (0, 1, "locked"), (0, 2, "superseded")]
        duel = spells.publish(alone)
        duel = correct(duel, turn=1, name="action")
        assert [status for _branch, _number, status in phases(duel)] == ["locked", *["superseded"] * 3]
        duel = overrule(duel)
        assert (duel.turn, duel.phase.name, duel.phase.branch) == (2, "action", 2)  # nothing is under way any more
        spells.all_file(duel)
        surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        assert verify(export.of(play.fresh(duel))).failures == ()

    def test_a_right_to_correct_that_was_used_in_a_superseded_turn_is_given_back(self, duel):
        spells.file(duel, "a", text="Trop court.", as_it_is=True)
        spells.correct(duel, "a", spells.STAY, text=play.TEXT)
        assert duel.seats.get(letter="a").corrected
        correct(duel, turn=2, name="action")
        assert not duel.seats.get(letter="a").corrected

    def test_one_that_was_used_in_a_turn_that_counts_is_not(self, duel):
        spells.file(duel, "a", text="Trop court.", as_it_is=True)
        spells.correct(duel, "a", spells.STAY, text=play.TEXT)
        spells.file(duel, "b")
        duel = spells.publish(duel)
        correct(duel, turn=3, name="action")
        assert duel.seats.get(letter="a").corrected


class TestWhoAndWhen:
    def test_only_its_referee(self, duel):
        for user in (play.player(duel, "a"), RefereeFactory()):
            with pytest.raises(NotAllowed):
                correct(duel, user=user)
        assert play.fresh(duel).branch == 0

    @pytest.mark.parametrize("turn", [3, 4, 0])
    def test_only_a_turn_that_was_published(self, duel, turn):
        with pytest.raises(TooLate):
            correct(duel, turn=turn)

    def test_not_a_turn_that_no_longer_counts(self, duel):
        duel = overrule(correct(duel))
        with pytest.raises(TooLate):
            correct(duel, turn=2)

    def test_not_after_the_verdict(self, duel):
        surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        with pytest.raises(TooLate):
            correct(duel)
        assert play.fresh(duel).branch == 0

    def test_not_when_the_duel_has_moved_on(self, duel):
        seen = duel.phase_id
        play.file(duel, "b", thrust="torso", parry="right_arm")
        play.publish(duel)
        with pytest.raises(TooLate):
            correct(duel, seen=seen)

    def test_not_without_a_reason(self, duel):
        with pytest.raises(Invalid) as refusal:
            correct(duel, reason="  ")
        assert refusal.value.field == "reason"

    def test_what_was_read_before_cannot_be_published_afterwards(self, duel):
        play.file(duel, "b", thrust="torso", parry="right_arm")
        duel = correct(duel)
        with pytest.raises(TooLate):
            publish_turn(user=duel.referee, duel_id=duel.pk, turn=3, revision=1)


class TestPages:
    def page(self, duel, turn=1):
        return reverse("referee:correct", args=[duel.pk, turn])

    def desk(self, duel):
        client = as_user(duel.referee)
        client.cookies["django_language"] = "en"
        return client

    def test_the_way_there(self, duel):
        desk = self.desk(duel)
        chosen = reverse("referee:published", args=[duel.pk])
        assert chosen in desk.get(duel.get_absolute_url()).text
        review = reverse("referee:review", args=[duel.pk, 2])
        assert f"{review}corriger/" == self.page(duel, 2)
        assert self.page(duel, 2) in desk.get(chosen).text
        assert 'href="corriger/"' in desk.get(review).text
        assert chosen not in as_user(play.player(duel, "a")).get(duel.get_absolute_url()).text

    def test_the_recap_says_what_happens_and_looking_changes_nothing(self, duel):
        page = self.desk(duel).get(self.page(duel), {"reason": WHY, "seen": duel.phase_id})
        assert [one.number for one in page.context["later"]] == [2, 3]
        assert "1 player has filed in it" in page.text
        assert "it is published, and no longer counts" in page.text
        assert play.fresh(duel).branch == 0

    def test_confirmed_it_leads_to_the_review(self, duel):
        answer = self.desk(duel).post(self.page(duel), {"reason": WHY, "seen": duel.phase_id})
        assert answer.url == reverse("referee:review", args=[duel.pk, 1])
        review = self.desk(duel).get(answer.url)
        assert review.status_code == 200
        assert "taken up again" in review.text
        assert reverse("duels:appeals", args=[duel.pk]) not in review.text  # nobody appealed
        assert play.fresh(duel).phase.status == Phase.Status.LOCKED

    def test_without_a_reason_it_says_so_beside_the_field(self, duel):
        answer = self.desk(duel).post(self.page(duel), {"reason": "", "seen": duel.phase_id})
        assert answer.status_code == 422
        assert answer.context["form"].errors["reason"] == ["Say why: everybody will read it."]

    def test_too_late_keeps_what_was_written(self, duel):
        answer = self.desk(duel).post(self.page(duel), {"reason": "La parade", "seen": duel.phase_id + 1})
        assert answer.status_code == 409
        assert "La parade" in answer.text
        assert "read it once more" in answer.text

    def test_it_is_for_its_referee(self, duel):
        for user in (play.player(duel, "a"), RefereeFactory()):
            assert as_user(user).get(self.page(duel)).status_code == 403
            assert as_user(user).get(reverse("referee:published", args=[duel.pk])).status_code == 403
            assert as_user(user).post(self.page(duel), {"reason": WHY, "seen": duel.phase_id}).status_code == 403
        assert as_user().get(self.page(duel)).status_code == 302
        assert Duel.objects.get().branch == 0

    def test_superseded_posts_stay_readable_and_are_marked(self, duel):
        duel = overrule(correct(duel))
        page = as_user().get(duel.get_absolute_url())
        marked = {(post.kind, post.turn) for post in page.context["posts"] if post.superseded_by}
        assert marked == {("resolution", 1), ("rp", 2), ("resolution", 2), ("rp", 3)}
        *_, again = [post for post in page.context["posts"] if post.kind == "resolution"]
        assert (again.turn, again.superseded_by) == (1, None)
        assert page.text.count("post-superseded") == 5

    def test_superseded_turns_are_reviewed_as_they_were(self, duel):
        before = self.desk(duel).get(reverse("referee:review", args=[duel.pk, 2])).context["review"]
        duel = overrule(correct(duel))
        duel = correct(duel, turn=1)
        read = self.desk(duel).get(reverse("referee:review", args=[duel.pk, 2]))
        assert read.status_code == 200, read.text
        assert read.context["review"].before == before.before

    def test_a_duel_over_leads_nowhere(self, duel):
        surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        page = self.desk(duel).get(reverse("referee:published", args=[duel.pk]))
        assert "can only be annotated" in page.text
