"""The right to correct (B6.4): published as it is, 30 minutes to complete it, once a duel; else it is a fault."""

import datetime as dt

import pytest
from django.utils import timezone

from duels import clock, export
from duels.actions.ending import surrender
from duels.actions.heartbeat import beat
from duels.actions.revisions import correct_turn
from duels.actions.sweep import sweep
from duels.errors import Invalid, TooLate, Unplayable
from duels.models import Entry, Post, Seat
from duels.queries.reading import note_what_came_later, posts_of_page
from rules import verify
from tests import spells_play as play
from tests.duels.readers import as_user
from tests.play import TEXT, fresh, player
from tests.spells_play import cast, move

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_english")]
SHORT = "Elle lève sa baguette, et rien de plus."
NO_BET = cast("lancea", target="b")
WHOLE = {"steps": [cast("lancea", target="b", bet="1-2-3-4")]}


def as_it_is(duel, letter="a", *steps, **more):
    return play.file(duel, letter, *(steps or (NO_BET,)), as_it_is=True, **more)


class TestPublishedAsItIs:
    @pytest.mark.parametrize(
        ("step", "code"),
        [
            (NO_BET, "missing_bet"),
            (cast("lancea", bet="1-2-3-4"), "missing_target"),
            ({"do": "move"}, "missing_zone"),
        ],
    )
    def test_what_lacks_is_said_first_and_may_be_published_all_the_same(self, step, code):
        duel = play.running()
        with pytest.raises(Unplayable) as refused:
            play.file(duel, "a", step)
        assert refused.value.correctable
        as_it_is(duel, "a", step)
        post = Post.objects.get(thread__duel=duel, kind="rp")
        assert post.details["flaws"] == [code]

    def test_a_short_text_too(self):
        duel = play.running()
        with pytest.raises(Invalid) as refused:
            play.file(duel, "a", text=SHORT)
        assert refused.value.correctable
        entry = as_it_is(duel, "a", move(5), text=SHORT)
        assert entry.public["fault"] == "short_post"

    @pytest.mark.parametrize("text", ["", " \n", "mot " * 20_000])
    def test_but_no_text_at_all_and_none_that_is_too_long(self, text):
        with pytest.raises(Invalid) as refused:
            as_it_is(play.running(), text=text)
        assert not refused.value.correctable

    def test_what_is_against_the_rules_is_never_published(self):
        with pytest.raises(Unplayable) as refused:
            as_it_is(play.running(), "a", NO_BET, move(12))
        assert not refused.value.correctable

    def test_what_is_in_order_opens_nothing(self):
        duel = play.running()
        as_it_is(duel, "a", move(5))
        assert fresh(duel).phase.correctable == {}

    def test_it_is_not_for_duels_in_the_arena(self):
        from tests import play as arena

        duel = arena.running()
        with pytest.raises(Invalid) as refused:
            arena.file(duel, "a", text=SHORT)
        assert not refused.value.correctable


class TestCorrecting:
    def test_a_correction_stands_in_the_thread_and_counts(self):
        duel = play.running()
        as_it_is(duel)
        play.file(duel, "b")
        assert fresh(duel).phase.is_open
        play.correct(duel, "a", WHOLE)
        duel = fresh(duel)
        assert duel.phase.status == "locked"
        post = Post.objects.get(thread__duel=duel, kind="correction")
        assert post.details["declaration"] == WHOLE
        assert (post.seat, post.entry.version) == ("a", 2)
        duel = play.publish(duel)
        assert duel.public_view["seats"]["a"]["action_faults"] == 0
        assert duel.public_view["seats"]["a"]["magic"] == 20 - 3

    def test_its_post_keeps_its_place_in_the_order(self):
        duel = play.running()
        as_it_is(duel, "a", {"do": "move"})
        play.file(duel, "b", move(7))
        play.correct(duel, "a", {"steps": [move(5)]})
        events = fresh(duel).phase.resolution.public_events
        assert [event["seat"] for event in events if event["code"] == "moved"] == ["a", "b"]

    def test_the_missing_words_are_added_to_those_published(self):
        duel = play.running()
        half = " ".join(TEXT.split()[:60])
        play.file(duel, "a", text=half, as_it_is=True)
        with pytest.raises(Invalid, match="more words are needed") as refused:
            play.correct(duel, "a", {"steps": []}, text="Quelques mots.")
        assert refused.value.field == "text"
        play.correct(duel, "a", {"steps": []}, text=" ".join(TEXT.split()[60:]))
        play.file(duel, "b")
        duel = play.publish(duel)
        assert duel.public_view["seats"]["a"]["action_faults"] == 0

    @pytest.mark.parametrize(
        "changed",
        [
            {"steps": [cast("flatus", target="b", bet="1-2-3")]},
            {"steps": [*WHOLE["steps"], move(5)]},
            {"steps": []},
            {"steps": [cast("lancea", target="b", bet="1-2-3-4", bonus=True)]},
            {"steps": WHOLE["steps"], "order": "before"},
            [],
            None,
        ],
    )
    def test_nothing_but_what_lacks_can_change(self, changed):
        duel = play.running()
        as_it_is(duel)
        with pytest.raises(Invalid, match="changes nothing else"):
            play.correct(duel, "a", changed)

    def test_whom_a_spell_without_a_target_helps_does_not_change(self):
        """Left out, the target of a spell that helps is oneself (B4.1.8): it does not lack."""
        duel = play.running(count=4)
        play.file(duel, "a", cast("suturo"), text=SHORT, as_it_is=True)
        with pytest.raises(Invalid, match="changes nothing else"):
            play.correct(duel, "a", {"steps": [cast("suturo", target="c")]}, text=TEXT)
        play.correct(duel, "a", {"steps": [cast("suturo")]}, text=TEXT)
        assert Post.objects.filter(thread__duel=duel, kind="correction").count() == 1

    def test_it_has_to_be_in_order_itself(self):
        duel = play.running()
        as_it_is(duel)
        with pytest.raises(Unplayable):
            play.correct(duel, "a", {"steps": [cast("lancea", target="b", bet="1-2")]})
        with pytest.raises(Unplayable):
            play.correct(duel, "a", {"steps": [NO_BET]})

    def test_words_that_do_not_lack_are_not_taken(self):
        duel = play.running()
        as_it_is(duel)
        with pytest.raises(Invalid, match="long enough"):
            play.correct(duel, "a", WHOLE, text="Encore ceci.")

    def test_only_who_posted_it_so_may_correct(self):
        duel = play.running()
        as_it_is(duel)
        with pytest.raises(Invalid, match="no post that can be corrected"):
            play.correct(duel, "b", WHOLE)

    def test_half_an_hour_and_no_more(self, time):
        duel = play.running()
        as_it_is(duel)
        play.file(duel, "b")
        time.go_on(minutes=31)
        with pytest.raises(TooLate, match="30 minutes"):
            play.correct(duel, "a", WHOLE, at=clock.now())

    def test_once_a_duel(self):
        duel = play.running(refereed=False)
        as_it_is(duel)
        play.correct(duel, "a", WHOLE)
        assert Seat.objects.get(duel=duel, letter="a").corrected
        play.file(duel, "b")
        duel = fresh(duel)
        while duel.phase.name == "defence":
            duel = play.all_file(duel, b=[])
        as_it_is(duel, "a", {"do": "move"})
        duel = fresh(duel)
        assert duel.phase.correctable == {}
        assert Post.objects.filter(thread__duel=duel, kind="rp").last().details["flaws"] == ["missing_zone"]
        with pytest.raises(Invalid):
            play.correct(duel, "a", {"steps": [move(5)]})


class TestTheClock:
    def test_a_post_that_can_be_corrected_holds_the_phase_open(self, time):
        duel = play.running()
        as_it_is(duel)
        play.file(duel, "b")
        until = fresh(duel).phase.corrected_by
        assert fresh(duel).due_at == until
        time.go_on(minutes=29)
        sweep()
        assert fresh(duel).phase.is_open
        time.go_to(until, seconds=31)
        sweep()
        duel = play.publish(duel)
        assert duel.public_view["seats"]["a"]["action_faults"] == 1
        assert duel.public_view["seats"]["a"]["magic"] == 20

    def test_past_the_deadline_too_but_for_the_correction_alone(self, time):
        duel = play.running()
        due = duel.phase.due_at
        time.go_to(due, minutes=-10)
        as_it_is(duel, "a", move(5), text=SHORT)
        time.go_to(due, minutes=5)
        sweep()
        duel = fresh(duel)
        assert duel.phase.is_open
        with pytest.raises(TooLate):
            play.file(duel, "b", at=clock.now())
        play.correct(duel, "a", {"steps": [move(5)]}, text=TEXT, at=clock.now())
        time.go_on(minutes=1)
        sweep()
        duel = play.publish(duel)
        assert duel.public_view["seats"]["a"]["zone"] == 5
        assert duel.public_view["seats"]["b"]["absences"] == 1

    def test_a_short_text_that_nobody_completes_is_a_fault_in_the_record_too(self, time):
        duel = play.running(refereed=False)
        as_it_is(duel, "a", move(5), text=SHORT)
        play.file(duel, "b")
        time.go_on(minutes=31)
        sweep()
        duel = fresh(duel)
        assert duel.turn == 2
        assert duel.public_view["seats"]["a"]["action_faults"] == 1
        assert duel.public_view["seats"]["a"]["zone"] == 4
        surrender(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        report = verify.verify(export.of(fresh(duel)))
        assert report.ok, list(report.lines())

    def test_who_filed_after_the_half_hour_locks_the_phase(self, time):
        duel = play.running()
        as_it_is(duel)
        time.go_on(minutes=31)
        play.file(duel, "b", at=clock.now())
        assert fresh(duel).phase.status == "locked"
        assert Entry.objects.filter(duel=duel, kind="filing").count() == 2

    def test_the_deadline_shown_is_of_those_who_have_not_posted(self):
        duel = play.running()
        due = duel.due_at
        as_it_is(duel)
        assert fresh(duel).due_at == due
        assert fresh(duel).wake_at < due - dt.timedelta(hours=20)


def test_an_outage_in_these_30_minutes_is_nobodys_fault(time):
    duel = play.running()
    as_it_is(duel)
    play.file(duel, "b")
    beat(at=clock.now())
    time.go_on(minutes=10)
    time.stand_still(hours=2)
    sweep()
    time.go_on(minutes=5)
    sweep()
    play.correct(duel, "a", WHOLE)
    assert fresh(duel).phase.status == "locked"


def test_the_post_says_the_hour_as_an_outage_has_moved_it(time):
    duel = play.running()
    beat(at=clock.now())
    as_it_is(duel, "a", at=clock.now())
    before = dt.datetime.fromisoformat(fresh(duel).phase.correctable["a"])
    time.stand_still(minutes=20)
    sweep()
    after = dt.datetime.fromisoformat(fresh(duel).phase.correctable["a"])
    assert after - before >= dt.timedelta(minutes=19)
    (post,) = [one for one in posts_of_page(duel.thread, 1) if one.kind == Post.Kind.RP]
    note_what_came_later(duel, [post])
    assert dt.datetime.fromisoformat(post.correctable_until) == after
    page = as_user().get(duel.get_absolute_url()).text
    shown = [timezone.localtime(hour).isoformat(timespec="seconds") for hour in (after, before)]
    assert [f'datetime="{hour}"' in page for hour in shown] == [True, False]


def test_a_turn_that_is_played_again_shows_no_correction_of_the_one_before():
    duel = play.all_file(play.running())
    as_it_is(duel, "a")
    play.correct(duel, "a", WHOLE)
    play.file(duel, "b")
    duel = play.publish(duel)
    correct_turn(
        user=duel.referee, duel_id=duel.pk, turn=1, name="action", reason="Un pari mal lu.", seen=duel.phase_id
    )
    duel = play.publish(duel)
    as_it_is(duel, "a")
    posts = [post for post in posts_of_page(duel.thread, 1) if post.kind == Post.Kind.RP and post.seat == "a"]
    note_what_came_later(duel, posts)
    assert [post.correction is not None for post in posts if post.turn == 2] == [True, False]
