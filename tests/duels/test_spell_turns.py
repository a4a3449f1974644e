"""A spell duel's turns: posts in the open, those called to defend, absences, who is out, the end."""

import datetime as dt

import pytest

from duels import clock, export, secrets
from duels.actions.ending import offer_draw, refuse_draw, surrender
from duels.actions.filing import file_declaration, replace_declaration, save_draft
from duels.actions.repair import audit_duel
from duels.actions.rulings import rule_invalid
from duels.actions.sweep import sweep
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.actions.turns import publish_turn
from duels.errors import Invalid, TooLate, Unplayable
from duels.models import Duel, Entry, Phase, Post
from duels.vault import VaultError
from rules import verify
from tests import spells_play as play
from tests.play import TEXT, fresh, player
from tests.spells_play import cast, move

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_english")]
LANCEA = cast("lancea", target="b", bet="1-2-3-4")  # fire, which a and b know


def phase_of(duel):
    duel = fresh(duel)
    return duel.turn, duel.phase.name, duel.phase.status


def proved(duel):
    report = verify.verify(export.of(fresh(duel)))
    assert report.ok, list(report.lines())
    return report


class TestAnAction:
    def test_a_turn_opens_with_its_action_phase_for_48_hours(self):
        duel = play.running()
        assert phase_of(duel) == (1, "action", "open")
        assert duel.awaited == "ab"
        assert (duel.phase.due_at - duel.phase.opened_at).total_seconds() == 48 * 3600
        assert duel.public_view["seats"]["a"]["zone"] == 4

    def test_what_is_filed_stands_in_the_open_with_its_receipt(self):
        duel = play.running()
        entry = play.file(duel, "a", LANCEA, move(5))
        post = Post.objects.get(thread__duel=duel, kind="rp")
        assert post.details["declaration"] == {"steps": [LANCEA, move(5)]}
        assert post.details["receipt"] == entry.receipt
        assert post.details["phase"] == entry.public["phase"] == "action"

    def test_a_post_cannot_be_changed_nor_posted_twice(self):
        duel = play.running()
        play.file(duel, "a", move(5))
        with pytest.raises(Invalid, match="cannot be changed"):
            play.file(duel, "a", move(6))
        with pytest.raises(Invalid, match="cannot be changed"):
            replace_declaration(
                user=player(duel, "a"), duel_id=duel.pk, turn=1, name="action", declaration={"steps": []},
                received_at=clock.now(),
            )  # fmt: skip

    def test_a_page_of_another_phase_files_nothing(self):
        duel = play.running()
        with pytest.raises(TooLate, match="earlier turn"):
            save_draft(user=player(duel, "a"), duel_id=duel.pk, turn=1, draft={}, at=clock.now(), name="defence")

    def test_an_impossible_action_is_refused_and_cannot_be_published_as_it_is(self):
        duel = play.running()
        with pytest.raises(Unplayable) as refused:
            play.file(duel, "a", move(12), as_it_is=True)
        assert [finding.code for finding in refused.value.findings] == ["off_stage"]
        assert not refused.value.correctable
        assert not Entry.objects.filter(duel=duel, kind="filing").exists()

    def test_without_a_spell_under_way_there_is_no_defence(self):
        duel = play.running()
        duel = play.all_file(duel, a=[move(5)])
        assert phase_of(duel) == (2, "action", "open")
        assert duel.public_view["seats"]["a"]["zone"] == 5


class TestADefence:
    @pytest.fixture
    def duel(self, fate):
        fate({(1, "cast:a"): 1, (1, "dodge:b"): 2})
        return play.all_file(play.running(), a=[LANCEA])

    def test_only_those_aimed_at_are_called(self, duel):
        assert phase_of(duel) == (1, "defence", "open")
        assert duel.awaited == "b"
        with pytest.raises(Invalid, match="Nothing is asked of you"):
            play.file(duel, "a")

    def test_doing_nothing_needs_no_text(self, duel):
        play.file(duel, "b", text="")
        duel = play.publish(duel)
        assert phase_of(duel) == (2, "action", "open")
        assert duel.public_view["seats"]["b"]["fatigue"] < 32
        assert Post.objects.get(thread__duel=duel, entry__kind="filing", entry__public__phase="defence").words == 0

    def test_a_dodge_needs_one(self, duel):
        with pytest.raises(Invalid, match=r"B2\.6"):
            play.file(duel, "b", {"do": "dodge", "bet": "1-2-3"}, text="Elle esquive.")
        play.file(duel, "b", {"do": "dodge", "bet": "1-2-3"})
        duel = play.publish(duel)
        assert duel.public_view["seats"]["b"]["fatigue"] == 32 - 2

    def test_an_absence_in_each_phase_of_a_turn_counts(self, time, fate):
        fate({(1, "cast:a"): 1})
        duel = play.running()
        play.file(duel, "a", LANCEA)
        time.go_to(fresh(duel).due_at, seconds=31)
        sweep()
        duel = play.publish(duel)
        assert phase_of(duel) == (1, "defence", "open")
        time.go_to(duel.due_at, seconds=31)
        sweep()
        duel = play.publish(duel)
        assert duel.public_view["seats"]["b"]["absences"] == 2
        found = Entry.objects.filter(duel=duel, kind="infraction").order_by("index")
        assert [(entry.seat, entry.phase, entry.public["phase"]) for entry in found] == [
            ("b", 1, "action"),
            ("b", 1, "defence"),
        ]

    def test_a_page_of_the_action_does_not_publish_the_defence(self, duel):
        play.file(duel, "b", text="")
        with pytest.raises(TooLate):
            publish_turn(user=duel.referee, duel_id=duel.pk, turn=1, name="action", revision=1)
        assert phase_of(duel) == (1, "defence", "locked")

    def test_the_referee_finds_a_fault_in_one_phase_and_not_in_the_other(self, duel):
        play.file(duel, "b", text="")
        rule_invalid(user=duel.referee, duel_id=duel.pk, turn=1, name="defence", seat="b", reason="Hors jeu.")
        duel = play.publish(duel)
        assert duel.public_view["seats"]["b"]["action_faults"] == 1


class TestTheEnd:
    def test_a_surrender_ends_a_duel_of_two_and_its_record_holds(self, fate):
        fate({(1, "cast:a"): 1, (1, "dodge:b"): 6})
        duel = play.all_file(play.running(), a=[LANCEA])
        duel = play.all_file(duel, b=[{"do": "dodge", "bet": "1-2-3"}])
        surrender(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        duel = fresh(duel)
        assert (duel.status, duel.winner, duel.ended_by) == (Duel.Status.OVER, "1", "surrender")
        assert proved(duel).turns == 1

    def test_a_surrender_during_a_defence_is_of_that_phase(self, fate):
        fate({(1, "cast:a"): 1})
        duel = play.all_file(play.running(), a=[LANCEA])
        surrender(user=player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        assert fresh(duel).winner == "2"
        assert proved(duel).turns == 1

    def test_three_absences_disqualify(self, time):
        duel = play.running()
        for turn in (1, 2, 3):
            assert duel.turn == turn
            play.file(duel, "a")
            time.go_to(fresh(duel).due_at, seconds=31)
            sweep()
            duel = play.publish(duel)
        assert (duel.winner, duel.ended_by) == ("1", "disqualified")
        proved(duel)

    def test_six_quiet_turns_are_a_draw(self):
        duel = play.running(refereed=False)
        for _turn in range(6):
            duel = play.all_file(duel)
        assert (duel.status, duel.winner, duel.ended_by) == (Duel.Status.OVER, "", "draw")
        proved(duel)


class TestFour:
    def test_a_duel_of_four_goes_on_when_one_is_out(self):
        duel = play.running(count=4)
        assert duel.awaited == "abcd"
        surrender(user=player(duel, "c"), duel_id=duel.pk, received_at=clock.now())
        duel = fresh(duel)
        assert phase_of(duel) == (1, "action", "open")
        assert duel.awaited == "abd"
        duel = play.all_file(duel)
        assert duel.public_view["seats"]["c"]["out"] == "surrender"
        assert (duel.turn, duel.awaited) == (2, "abd")
        with pytest.raises(TooLate, match="out of this duel"):
            surrender(user=player(duel, "c"), duel_id=duel.pk, received_at=clock.now())
        surrender(user=player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        assert fresh(duel).winner == "2"
        proved(duel)

    def test_the_last_to_be_awaited_locks_the_phase_by_surrendering(self):
        duel = play.running(count=4)
        for letter in "abc":
            play.file(duel, letter)
        surrender(user=player(duel, "d"), duel_id=duel.pk, received_at=clock.now())
        assert phase_of(duel) == (1, "action", "locked")

    def test_who_surrenders_while_the_referee_reads_is_out_before_the_posts_are_played(self):
        duel = play.running(count=4)
        for letter in "abcd":
            play.file(duel, letter, *([cast("lancea", target="b", bet="1-2-3-4")] if letter == "a" else []))
        surrender(user=player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        with pytest.raises(TooLate, match="worked out again"):
            publish_turn(user=duel.referee, duel_id=duel.pk, turn=1, name="action", revision=1)
        duel = play.publish(duel)
        assert (duel.turn, duel.awaited) == (2, "bcd")

    def test_all_who_are_still_in_agree_to_a_draw(self):
        duel = play.running(count=4)
        surrender(user=player(duel, "d"), duel_id=duel.pk, received_at=clock.now())
        for letter in "abc":
            assert fresh(duel).status == Duel.Status.RUNNING
            offer_draw(user=player(duel, letter), duel_id=duel.pk, received_at=clock.now())
        duel = fresh(duel)
        assert (duel.status, duel.winner, duel.ended_by) == (Duel.Status.OVER, "", "draw")
        proved(duel)

    @pytest.mark.parametrize("is_locked", [False, True])
    def test_who_surrenders_as_all_others_have_offered_a_draw_leaves_them_agreed(self, is_locked):
        duel = play.running(count=4)
        for letter in "abcd" if is_locked else "a":
            play.file(duel, letter)
        for letter in "bcd":
            offer_draw(user=player(duel, letter), duel_id=duel.pk, received_at=clock.now())
        surrender(user=player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        duel = fresh(duel)
        assert (duel.status, duel.winner, duel.ended_by) == (Duel.Status.OVER, "", "draw")
        assert duel.thread.posts.get(details__note="surrendered").details["agreed"]
        proved(duel)

    def test_the_offer_of_a_draw_goes_with_who_made_it(self):
        duel = play.running(count=4)
        offer_draw(user=player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        surrender(user=player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        with pytest.raises(Invalid, match="no offer"):
            refuse_draw(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())

    def test_both_of_a_team_surrendering_in_one_phase_ends_it(self):
        duel = play.running(count=4)
        for letter in "bd":
            surrender(user=player(duel, letter), duel_id=duel.pk, received_at=clock.now())
        assert fresh(duel).winner == "1"
        proved(duel)


def test_what_is_heavy_stands_in_the_log_alone():
    duel = play.running()
    assert "spells" not in duel.setup
    announcement = duel.entries.get(kind="announcement").public
    assert len(announcement["setup"]["spells"]) == len(duel.book.spells)
    assert not any("descriptions" in spell for spell in announcement["terms"]["spells"])


def test_resolutions_of_the_two_phases_of_a_turn_cannot_stand_for_one_another(fate):
    fate({(1, "cast:a"): 1})
    duel = play.all_file(play.running(), a=[LANCEA])
    play.file(duel, "b", text="")
    action, defence = Phase.objects.filter(duel=duel).order_by("pk")
    with pytest.raises(VaultError):
        secrets.open_resolution(duel, action, defence.resolution)


class TestTimeOuts:
    def ask(self, duel, letter, hours=120):
        user = player(duel, letter)
        return ask_time_out(user=user, duel_id=duel.pk, hours=hours, reason="Examen.", received_at=clock.now())

    def grant(self, duel, asked):
        answer_time_out(user=duel.referee, time_out_id=asked.pk, granted=True, reason="Bien sûr.")
        return fresh(duel).phase.due_at

    def test_together_they_last_five_days_at_most(self):
        duel = play.running()
        due = duel.phase.due_at
        first, second = self.ask(duel, "a", 100), self.ask(duel, "b")
        assert self.grant(duel, first) == due + dt.timedelta(hours=100)
        assert self.grant(duel, second) == due + dt.timedelta(hours=120)

    def test_they_are_asked_for_before_the_first_deadline(self, time):
        duel = play.running()
        due = duel.phase.due_at
        self.grant(duel, self.ask(duel, "a"))
        time.go_to(due, hours=1)
        with pytest.raises(TooLate, match=r"B1\.4"):
            self.ask(duel, "b")

    def test_one_each_in_a_duel(self):
        duel = play.running()
        self.ask(duel, "a")
        with pytest.raises(Invalid, match=r"B1\.4"):
            self.ask(duel, "a")

    def test_the_sealed_half_of_a_phase_grows_with_it(self):
        duel = play.running(sides=[play.fighter(traits={"legilimens": 3})])
        duel = play.all_file(duel, a=[move(5), cast("legilimens", target="b")])
        half = duel.phase.sealed_until
        self.grant(duel, self.ask(duel, "b", 24))
        assert fresh(duel).phase.sealed_until == half + dt.timedelta(hours=12)


def test_filing_stays_within_its_budget(django_assert_max_num_queries):
    duel = play.running(count=4)
    declaration = {"steps": [LANCEA, move(5)]}
    user, at = player(duel, "a"), clock.now()
    with django_assert_max_num_queries(12):
        file_declaration(
            user=user, duel_id=duel.pk, turn=1, name="action", text=TEXT, declaration=declaration, received_at=at
        )


def test_repairing_keeps_those_who_left_from_being_awaited():
    duel = play.running(count=4)
    play.file(duel, "a")
    surrender(user=player(duel, "d"), duel_id=duel.pk, received_at=clock.now())
    Duel.objects.filter(pk=duel.pk).update(awaited="abcd")
    assert audit_duel(duel.pk, repair=True) == ["awaited"]
    assert fresh(duel).awaited == "bc"
