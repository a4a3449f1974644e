"""Legilimens (B7.1): the sealed post, who sees it, before or after, half of the time, and every wrong order refused."""

import datetime as dt

import pytest
from django.urls import reverse

from duels import clock, export, secrets
from duels.actions.ending import surrender
from duels.actions.heartbeat import beat
from duels.actions.sweep import sweep
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.errors import Invalid
from duels.models import Disclosure, Entry, Happening, Post, PostBody, SealedPost
from duels.queries.disclosures import disclosures_of
from duels.queries.legilimens import sealed_pages
from rules import verify
from tests import spells_play as play
from tests.duels.contesting import contest, decide
from tests.duels.readers import as_user
from tests.factories import RefereeFactory, StaffFactory, UserFactory
from tests.play import TEXT, fresh, player
from tests.spells_play import cast, move

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_english")]
SEEN = "Une pensée que nul autre ne doit lire. " + TEXT
READS_B = cast("legilimens", target="b")


@pytest.fixture
def duel():
    """The second action phase: a sees b's post before writing."""
    a = play.fighter(traits={"legilimens": 3})
    duel = play.running(sides=[a])
    return play.all_file(duel, a=[move(5), READS_B])


def texts(duel):
    return list(PostBody.objects.filter(post__thread__duel=duel, post__turn=2).values_list("text", flat=True))


class TestTheSight:
    def test_the_phase_says_who_sees_whom_and_until_when(self, duel):
        phase = duel.phase
        assert phase.sealed_for == {"b": ["a"]}
        assert phase.sealed_until == phase.opened_at + (phase.due_at - phase.opened_at) / 2

    def test_the_sealed_post_shows_its_receipt_alone(self, duel):
        entry = play.file(duel, "b", move(7), text=SEEN)
        assert texts(duel) == []
        note = Post.objects.filter(thread__duel=duel).last()
        assert note.details == {"note": "sealed_post", "receipt": entry.receipt, "phase": "action"}
        assert "declaration" not in str(entry.public)

    def test_only_its_author_and_the_legilimens_read_it(self, duel):
        play.file(duel, "b", move(7), text=SEEN)
        duel = fresh(duel)
        for user in (player(duel, "a"), player(duel, "b")):
            (page,) = sealed_pages(duel, duel.phase, user)
            assert page.text == SEEN
            assert page.details["declaration"] == {"steps": [move(7)]}
        for user in (duel.referee, UserFactory(), RefereeFactory(), StaffFactory()):
            assert sealed_pages(duel, duel.phase, user) == []

    def test_who_reads_it_is_noted_for_its_author_and_their_own_reading_is_not(self, duel):
        play.file(duel, "b", move(7), text=SEEN)
        duel = fresh(duel)
        for user in (player(duel, "b"), player(duel, "a"), UserFactory()):
            sealed_pages(duel, duel.phase, user)
        (noted,) = Disclosure.objects.filter(phase=duel.phase)
        assert (noted.seats, noted.by) == ("b", player(duel, "a"))
        (readings,) = disclosures_of(duel, "b")
        assert (readings.name, readings.plays) == (duel.name_of("a"), True)
        assert disclosures_of(duel, "a") == []

    def test_nothing_of_it_lies_in_clear_anywhere(self, duel):
        play.file(duel, "b", move(7), text=SEEN)
        row = SealedPost.objects.get()
        assert b"nul autre" not in bytes(row.sealed)
        rows = [*Entry.objects.values_list("public", flat=True), *Happening.objects.values_list("details", flat=True)]
        rows += Post.objects.values_list("details", flat=True)
        assert "nul autre" not in str(rows)

    def test_staff_learn_neither_how_long_it_is_nor_what_lacks_in_it(self, duel, time):
        """They may play; once it is published, they read what everybody does."""
        seen = as_user(StaffFactory())
        beat(at=clock.now())
        play.file(duel, "b", move(7), text="Trop court.", as_it_is=True)
        time.stand_still(minutes=20)
        sweep()
        told = Entry.objects.filter(
            duel=duel, kind__in=("filing", "deadline"), phase_row=duel.phase, seat__in=("b", "")
        )
        assert [(entry.kind, *sorted({"fault", "correctable"} & set(entry.public))) for entry in told] == [
            ("filing", "fault"), ("deadline", "correctable"),
        ]  # fmt: skip
        pages = [reverse("admin:duels_phase_change", args=[duel.phase.pk])]
        pages += [reverse("admin:duels_entry_change", args=[entry.pk]) for entry in told]
        words = ("short_post", "text_sha256", "correctable", "field-public")
        assert [word for page in pages for word in words if word in seen.get(page).content.decode()] == []
        play.file(duel, "a", move(6), order="after")
        shown = [seen.get(page).content.decode() for page in pages]
        assert ["field-correctable" in shown[0], "short_post" in shown[1], "correctable" in shown[2]] == [True] * 3

    def test_both_are_published_as_the_legilimens_posts(self, duel):
        play.file(duel, "b", move(7), text=SEEN)
        play.file(duel, "a", move(6), order="after")
        assert texts(duel) == [SEEN, TEXT]
        assert not SealedPost.objects.exists()
        assert fresh(duel).phase.status == "locked"

    def test_before_or_after_decides_the_order_of_play_and_of_the_thread(self, duel):
        play.file(duel, "b", move(7), text=SEEN)
        play.file(duel, "a", move(6), order="before")
        assert texts(duel) == [TEXT, SEEN]
        events = fresh(duel).phase.resolution.public_events
        assert [event["seat"] for event in events if event["code"] == "moved"] == ["a", "b"]

    def test_the_record_of_the_duel_holds(self, duel):
        play.file(duel, "b", move(7), text=SEEN)
        play.file(duel, "a", move(6), order="before")
        duel = play.publish(duel)
        surrender(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        report = verify.verify(export.of(fresh(duel)))
        assert report.ok, list(report.lines())

    def test_an_occlumens_of_the_same_rank_is_not_read(self):
        a, b = play.fighter(traits={"legilimens": 3}), play.fighter(traits={"occlumens": 3})
        duel = play.all_file(play.running(sides=[a, b]), a=[move(5), READS_B])
        assert duel.phase.sealed_for == {}
        play.file(duel, "b", text=SEEN)
        assert texts(duel) == [SEEN]

    def test_it_lasts_for_one_action_phase(self, duel):
        play.file(duel, "b")
        play.file(duel, "a", order="after")
        duel = play.publish(duel)
        assert (duel.turn, duel.phase.sealed_for) == (3, {})


class TestWrongOrders:
    def test_the_legilimens_waits(self, duel):
        with pytest.raises(Invalid, match="wait for it"):
            play.file(duel, "a", move(6), order="before")
        with pytest.raises(Invalid, match="wait for it"):
            play.file(duel, "a", move(6))

    @pytest.mark.parametrize("order", [None, "during", ""])
    def test_once_it_is_seen_before_or_after_has_to_be_said(self, duel, order):
        play.file(duel, "b")
        with pytest.raises(Invalid, match="before or after") as refused:
            play.file(duel, "a", move(6), order=order)
        assert refused.value.field == "order"

    def test_who_sees_nothing_says_neither(self, duel):
        with pytest.raises(Invalid, match="no post"):
            play.file(duel, "b", order="before")

    def test_what_is_sealed_is_not_changed(self, duel):
        play.file(duel, "b", text=SEEN)
        with pytest.raises(Invalid, match="cannot be changed"):
            play.file(duel, "b", move(7))


class TestHalfOfTheTime:
    def test_past_it_the_legilimens_is_free_and_told_so(self, duel, time):
        half = duel.phase.sealed_until
        time.go_to(half, seconds=31)
        sweep()
        told = Happening.objects.get(what="sight_lapsed")
        assert told.concerns == [player(duel, "a").pk]
        with pytest.raises(Invalid, match="no post"):
            play.file(duel, "a", move(6), order="before", at=clock.now())
        play.file(duel, "a", move(6), at=clock.now())
        assert texts(duel) == [TEXT]

    @pytest.mark.parametrize(("hours", "reminder"), [(-23, "reminder_24"), (-5, "reminder_6")])
    def test_a_late_sweep_tells_of_it_and_reminds_once_of_the_deadline(self, duel, time, hours, reminder):
        time.go_to(duel.phase.due_at, hours=hours)
        sweep()
        a, b = (player(duel, letter).pk for letter in "ab")
        told = Happening.objects.filter(what__in=("reminder_24", "reminder_6", "sight_lapsed"))
        expected = {(reminder, (a, b)), ("sight_lapsed", (a,))}
        assert {(one.what, tuple(one.concerns)) for one in told} == expected
        assert len(told) == 2

    def test_what_the_target_then_posts_is_open_at_once(self, duel, time):
        time.go_to(duel.phase.sealed_until, seconds=31)
        play.file(duel, "a", at=clock.now())
        play.file(duel, "b", text=SEEN, at=clock.now())
        assert texts(duel) == [TEXT, SEEN]
        assert fresh(duel).phase.status == "locked"

    def test_a_late_target_is_still_seen_by_a_legilimens_who_has_not_posted(self, duel, time):
        time.go_to(duel.phase.sealed_until, seconds=31)
        play.file(duel, "b", text=SEEN, at=clock.now())
        assert texts(duel) == []
        with pytest.raises(Invalid, match="before or after"):
            play.file(duel, "a", at=clock.now())

    def test_nobody_is_told_when_the_target_has_posted(self, duel, time):
        play.file(duel, "b")
        time.go_to(duel.phase.sealed_until, seconds=31)
        sweep()
        assert not Happening.objects.filter(what="sight_lapsed").exists()

    def test_a_legilimens_who_never_posts_takes_nothing_with_them(self, duel, time):
        play.file(duel, "b", move(7), text=SEEN)
        time.go_to(duel.phase.due_at, seconds=31)
        sweep()
        assert texts(duel) == [SEEN]
        duel = play.publish(duel)
        assert duel.public_view["seats"]["a"]["absences"] == 1
        assert duel.public_view["seats"]["b"]["zone"] == 7


class TestFreeOnceForAll:
    """Past the half of the time, nothing that moves the deadline makes the Legilimens wait again (B7.1)."""

    def past_the_half(self, duel, time):
        half = duel.phase.sealed_until
        time.go_to(half, seconds=31)
        sweep()
        return half

    def assert_free_since(self, half, duel):
        assert fresh(duel).phase.sealed_until == half
        play.file(duel, "a", move(6), at=clock.now())
        assert texts(duel)[-1] == TEXT

    def test_after_a_time_out_of_the_target(self, duel, time):
        asked = ask_time_out(
            user=player(duel, "b"), duel_id=duel.pk, hours=24, reason="Examen.", received_at=clock.now()
        )
        half = self.past_the_half(duel, time)
        due_at = duel.phase.due_at
        answer_time_out(user=duel.referee, time_out_id=asked.pk, granted=True, reason="Oui.")
        assert fresh(duel).phase.due_at == due_at + dt.timedelta(hours=24)
        self.assert_free_since(half, duel)

    def test_after_an_appeal(self, duel, time):
        half = self.past_the_half(duel, time)
        contest(duel, "b")
        time.go_to(fresh(duel).stopped_until, seconds=31)
        sweep()
        assert fresh(duel).phase.due_at == duel.phase.due_at + dt.timedelta(hours=48)
        self.assert_free_since(half, duel)

    def test_after_an_outage(self, duel, time):
        half = self.past_the_half(duel, time)
        time.go_to(half, hours=3)
        beat(at=clock.now())
        time.stand_still(hours=2)
        sweep()
        assert fresh(duel).phase.due_at > duel.phase.due_at
        self.assert_free_since(half, duel)

    def test_an_appeal_before_it_puts_it_off_by_as_long_as_the_clock_stands(self, duel, time):
        time.go_to(duel.phase.opened_at, hours=1)
        appeal = contest(duel, "b")
        assert fresh(duel).phase.sealed_until == duel.phase.sealed_until + dt.timedelta(hours=48)
        time.go_to(duel.phase.opened_at, hours=4)
        decide(appeal, RefereeFactory())
        later = fresh(duel).phase.sealed_until - duel.phase.sealed_until
        assert abs(later - dt.timedelta(hours=3)) < dt.timedelta(minutes=1)


class TestTheRest:
    def test_a_sealed_post_published_as_it_is_is_corrected_under_its_seal(self, duel):
        play.file(duel, "b", {"do": "move"}, text=SEEN, as_it_is=True)
        play.correct(duel, "b", {"steps": [move(7)]})
        assert texts(duel) == []
        first, second = sealed_pages(duel, fresh(duel).phase, player(duel, "a"))
        assert (first.kind, second.kind) == ("rp", "correction")
        play.file(duel, "a", order="after")
        kinds = Post.objects.filter(thread__duel=duel, turn=2).exclude(kind="note").values_list("kind", "seat")
        assert list(kinds) == [("rp", "b"), ("correction", "b"), ("rp", "a")]

    @pytest.mark.parametrize(("order", "played"), [("before", "dcab"), ("after", "dcba")])
    def test_what_others_posted_meanwhile_comes_first_in_the_thread_and_in_the_turn(self, order, played):
        a = play.fighter(traits={"legilimens": 3})
        duel = play.all_file(play.running(count=4, sides=[a]), a=[move(5), READS_B])
        play.file(duel, "d", move(9))
        play.file(duel, "b", move(7), text=SEEN)
        play.file(duel, "c", move(3))
        play.file(duel, "a", move(6), order=order)
        in_thread = Post.objects.filter(thread__duel=duel, turn=2, kind="rp").values_list("seat", flat=True)
        assert "".join(in_thread) == played
        events = fresh(duel).phase.resolution.public_events
        assert "".join(event["seat"] for event in events if event["code"] == "moved") == played

    def test_a_surrender_of_the_legilimens_publishes_what_they_alone_saw(self):
        a = play.fighter(traits={"legilimens": 3})
        duel = play.all_file(play.running(count=4, sides=[a]), a=[move(5), READS_B])
        play.file(duel, "b", text=SEEN)
        assert texts(duel) == []
        surrender(user=player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        assert texts(duel) == [SEEN]
        assert fresh(duel).awaited == "cd"

    def test_two_who_read_each_other_do_not_wait_for_ever(self):
        sides = [play.fighter(traits={"legilimens": 3}) for _ in "ab"]
        duel = play.all_file(
            play.running(sides=sides), a=[move(5), READS_B], b=[cast("legilimens", target="a")]
        )  # fmt: skip
        assert duel.phase.sealed_for == {"b": ["a"]}  # who cast first sees
        play.file(duel, "b", text=SEEN)
        assert texts(duel) == []
        play.file(duel, "a", order="after")
        assert texts(duel) == [SEEN, TEXT]

    def test_the_content_stays_sealed_in_the_log_until_the_end(self, duel):
        entry = play.file(duel, "b", move(7), text=SEEN)
        assert secrets.opened(entry, duel.uid).content == {"steps": [move(7)]}
        assert bytes(entry.sealed).find(b"move") == -1
