"""Two people, or a person and the clock, doing things to one duel at the same moment: one result, one clear answer.

Each test lets everybody queue at the duel's lock before it is let go, so that all have begun before any has ended.
"""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection, connections, transaction

from duels import clock
from duels.actions.announcement import take_duel
from duels.actions.challenges import accept_challenge, send_challenge, withdraw_challenge
from duels.actions.duellists import edit_duellist
from duels.actions.ending import offer_draw, surrender
from duels.actions.filing import file_declaration, replace_declaration, save_draft
from duels.actions.preparation import ask_to_start, hide_receptacle
from duels.actions.removal import remove_post
from duels.actions.rulings import rule_invalid
from duels.actions.sweep import sweep, wake
from duels.actions.turns import publish_turn
from duels.errors import Invalid, Refused, TooLate
from duels.models import Draft, Duel, Duellist, Phase, Post, Thread
from tests import play
from tests.duels.exporting import failures
from tests.factories import DuellistFactory, RefereeFactory, StaffFactory

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

A = {"thrust": "left_arm", "parry": "left_leg", "option": None}
B = {"thrust": "torso", "parry": "right_arm", "option": None}
ORDERS = pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["one first", "other first"])


def waiting():
    """How many other connections stand at a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return cursor.fetchone()[0]


def until(condition, seconds=10):
    tick = Event()
    for _time in range(int(seconds * 200)):
        if condition():
            return
        tick.wait(0.005)
    pytest.fail("nobody came to the lock")


def on_its_own(act):
    """Do it on a connection of its own; return its result, or why it was refused."""
    try:
        return act()
    except Refused as refusal:
        return refusal
    finally:
        connections.close_all()


def together(row, *acts, order=None):
    """Let all acts queue at the lock of a row, in that order, then let them go; return the result of each.

    `row` is what they lock first: a duel's, or (a queryset) another.
    """
    rows = Duel.objects.filter(pk=row.pk) if isinstance(row, Duel) else row
    results = {}
    with ThreadPoolExecutor(len(acts)) as pool:
        with transaction.atomic():
            list(rows.select_for_update())
            for place in order or range(len(acts)):
                results[place] = pool.submit(on_its_own, acts[place])
                until(lambda: waiting() == len(results))
        return [results[place].result(timeout=20) for place in range(len(acts))]


def filing(duel, letter, declaration=None, at=None):
    user = play.player(duel, letter)
    at = at or clock.now()
    turn = play.fresh(duel).turn
    return lambda: file_declaration(
        user=user, duel_id=duel.pk, turn=turn, text=play.TEXT, declaration=declaration or A, received_at=at
    )


def players(duel):
    return [play.player(duel, letter) for letter in "ab"]


def publishing(duel):
    duel = play.fresh(duel)
    revision = duel.phase.resolution.revision
    return lambda: publish_turn(user=duel.referee, duel_id=duel.pk, turn=duel.turn, revision=revision)


def refused(results):
    return [result for result in results if isinstance(result, Refused)]


def overdue(duel):
    """Let the turn's deadline lie 31 seconds back; return it."""
    due_at = clock.now() - clock.GRACE - dt.timedelta(seconds=1)
    Phase.objects.filter(pk=duel.phase_id).update(due_at=due_at)
    Duel.objects.filter(pk=duel.pk).update(due_at=due_at, wake_at=due_at + clock.GRACE)
    return due_at


def closing(duel):
    """What a sweep does to a duel, but for one thing: a sweep passes over a duel that somebody holds."""
    return lambda: wake(duel.pk)


def test_a_sweep_passes_over_a_duel_that_somebody_holds_and_does_the_others():
    held, other = play.running(), play.running()
    overdue(held)
    overdue(other)
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        Duel.objects.hold(held.pk)
        assert pool.submit(on_its_own, sweep).result(timeout=20) == {"done": 1, "failed": 0}
    assert (play.fresh(held).phase.status, play.fresh(other).phase.status) == ("open", "locked")
    assert sweep() == {"done": 1, "failed": 0}
    assert play.fresh(held).phase.status == "locked"


@ORDERS
def test_both_players_file_at_the_same_moment(order):
    duel = play.running()
    results = together(duel, filing(duel, "a", A), filing(duel, "b", B), order=order)
    assert refused(results) == []
    duel = play.fresh(duel)
    assert duel.phase.status == Phase.Status.LOCKED
    assert duel.phase.filed == {"a": 1, "b": 1}
    assert duel.phase.resolutions.count() == 1
    first, second = duel.entries.filter(kind="filing").order_by("index")
    assert (first.seat, second.seat) == (("a", "b") if order == (0, 1) else ("b", "a"))
    positions = list(Post.objects.filter(thread=duel.thread).values_list("position", flat=True))
    assert positions == list(range(1, duel.thread.post_count + 1))
    assert failures(duel, moved=True) == []


def test_one_player_files_twice_at_the_same_moment():
    duel = play.running()
    results = together(duel, filing(duel, "a", A), filing(duel, "a", B))
    assert [type(result) for result in refused(results)] == [Invalid]
    assert play.fresh(duel).phase.filed == {"a": 1}
    assert Post.objects.filter(thread=duel.thread, kind="rp").count() == 1
    assert failures(play.fresh(duel), moved=True) == []


@ORDERS
def test_a_filing_in_time_meets_the_closing_of_its_turn(order):
    """Received in time, it waited at the lock: it counts, or its author is told that it does not."""
    duel = play.running()
    due_at = overdue(duel)
    results = together(duel, filing(duel, "a", at=due_at), closing(duel), order=order)
    duel = play.fresh(duel)
    assert duel.phase.status == Phase.Status.LOCKED
    missing = list(duel.entries.filter(kind="infraction").values_list("seat", flat=True))
    posts = Post.objects.filter(thread=duel.thread, kind="rp").count()
    if order == (0, 1):
        assert refused(results) == []
        assert (missing, posts) == (["b"], 1)
    else:
        assert [str(refusal) for refusal in refused(results)] == [str(results[0])]
        assert isinstance(results[0], TooLate)
        assert (missing, posts) == (["a", "b"], 0)
    assert results[1] is True
    assert failures(duel, moved=True) == []


def test_the_last_filing_meets_the_clock_and_the_turn_closes_once():
    duel = play.running()
    play.file(duel, "b", **B)
    due_at = overdue(duel)
    results = together(duel, filing(duel, "a", at=due_at), closing(duel), closing(duel))
    assert results[1:] == [False, False]
    assert not duel.entries.filter(kind="infraction").exists()
    assert play.fresh(duel).phase.resolutions.count() == 1
    assert failures(play.fresh(duel), moved=True) == []


@ORDERS
def test_a_replacement_meets_the_lock(order):
    duel = play.running()
    play.file(duel, "a", **A)
    again = {**A, "thrust": "right_leg"}
    player, at = play.player(duel, "a"), clock.now()

    def replace():
        return replace_declaration(user=player, duel_id=duel.pk, turn=1, declaration=again, received_at=at)

    results = together(duel, replace, filing(duel, "b", B), order=order)
    duel = play.fresh(duel)
    assert duel.phase.status == Phase.Status.LOCKED
    counted = duel.phase.resolution.public_view["seats"]["a"]["last_thrust"]
    if order == (0, 1):
        assert refused(results) == []
        assert (duel.phase.filed["a"], counted) == (2, "right_leg")
    else:
        assert isinstance(results[0], TooLate)
        assert (duel.phase.filed["a"], counted) == (1, "left_arm")
    assert failures(duel, moved=True) == []


def test_two_publications_at_once():
    duel = play.locked()
    results = together(duel, publishing(duel), publishing(duel))
    (refusal,) = refused(results)
    assert isinstance(refusal, TooLate)
    duel = play.fresh(duel)
    assert (duel.turn, duel.phase.status, duel.awaited) == (2, Phase.Status.OPEN, "ab")
    assert duel.phases.count() == 2
    assert Post.objects.filter(thread=duel.thread, kind="resolution").count() == 1
    assert failures(duel, moved=True) == []


@ORDERS
def test_a_ruling_meets_the_publication(order):
    duel = play.locked()
    publish = publishing(duel)

    def rule():
        return rule_invalid(user=duel.referee, duel_id=duel.pk, turn=1, seat="a", reason="Un indice de trop.")

    results = together(duel, rule, publish, order=order)
    assert [isinstance(result, TooLate) for result in results] == ([False, True] if order == (0, 1) else [True, False])
    duel = play.fresh(duel)
    assert duel.turn == (1 if order == (0, 1) else 2)
    assert duel.phases.get(number=1).live.revision == (2 if order == (0, 1) else 1)
    assert failures(duel, moved=True) == []


def test_two_rulings_on_one_publication():
    duel = play.locked()

    def rule():
        return rule_invalid(user=duel.referee, duel_id=duel.pk, turn=1, seat="a", reason="Un indice de trop.")

    assert [type(refusal) for refusal in refused(together(duel, rule, rule))] == [Invalid]
    assert play.fresh(duel).phase.live.revision == 2
    assert failures(play.fresh(duel), moved=True) == []


@ORDERS
def test_two_referees_take_one_duel(order):
    duel = play.agreed()
    referees = RefereeFactory(), RefereeFactory()
    results = together(duel, *(lambda who=who: take_duel(user=who, duel_id=duel.pk) for who in referees), order=order)
    assert [type(refusal) for refusal in refused(results)] == [TooLate]
    duel = play.fresh(duel)
    assert duel.referee == referees[order[0]]
    assert duel.entries.filter(kind="announcement").count() == 1
    assert failures_before_the_start(duel) == []


def failures_before_the_start(duel):
    return [why for why in failures(duel, moved=True) if "a finished duel has one 'start'" not in why]


def test_a_challenge_is_accepted_twice():
    duel = play.challenged()
    player = play.player(duel, "b")

    def accept():
        return accept_challenge(user=player, duel_id=duel.pk)

    assert [type(refusal) for refusal in refused(together(duel, accept, accept))] == [TooLate]
    assert play.fresh(duel).status == Duel.Status.AGREED
    assert Thread.objects.filter(duel=duel).count() == 1


@ORDERS
def test_a_challenge_is_accepted_as_it_is_taken_back(order):
    duel = play.challenged()
    sender, answerer = play.player(duel, "a"), play.player(duel, "b")
    results = together(
        duel,
        lambda: accept_challenge(user=answerer, duel_id=duel.pk),
        lambda: withdraw_challenge(user=sender, duel_id=duel.pk),
        order=order,
    )
    assert [type(refusal) for refusal in refused(results)] == [TooLate]
    status = Duel.Status.AGREED if order == (0, 1) else Duel.Status.CANCELLED
    assert play.fresh(duel).status == status


@ORDERS
def test_two_challenge_each_other_at_the_same_moment(order):
    a, b = DuellistFactory(), DuellistFactory()
    start = clock.now() + dt.timedelta(days=3)

    def challenging(who, whom):
        return lambda: send_challenge(
            user=who.user, challenger=who, opponent=whom, kind="training", turn_hours=24, starts_at=start
        )

    results = together(Duellist.objects.filter(pk__in=[a.pk, b.pk]), challenging(a, b), challenging(b, a), order=order)
    assert [type(refusal) for refusal in refused(results)] == [Invalid]
    assert Duel.objects.get().cast["a"]["duellist"] == (a, b)[order[0]].pk


@ORDERS
def test_a_surrender_meets_the_publication(order):
    duel = play.locked()
    player, at = play.player(duel, "a"), clock.now()
    results = together(
        duel,
        lambda: surrender(user=player, duel_id=duel.pk, received_at=at),
        publishing(duel),
        order=order,
    )
    duel = play.fresh(duel)
    assert (duel.status, duel.winner, duel.ended_by) == (Duel.Status.OVER, "b", "surrender")
    assert [isinstance(result, TooLate) for result in results] == [False, order == (0, 1)]
    assert duel.turn == (1 if order == (0, 1) else 2)
    assert failures(duel, moved=True) == []


def test_both_surrender_at_the_same_moment():
    duel = play.running()
    acts = [lambda who=who: surrender(user=who, duel_id=duel.pk, received_at=clock.now()) for who in players(duel)]
    results = together(duel, *acts)
    assert [type(refusal) for refusal in refused(results)] == [TooLate]
    duel = play.fresh(duel)
    assert duel.winner == ("b" if isinstance(results[1], TooLate) else "a")
    assert failures(duel, moved=True) == []


def test_both_offer_a_draw_at_the_same_moment():
    duel = play.running()
    acts = [lambda who=who: offer_draw(user=who, duel_id=duel.pk, received_at=clock.now()) for who in players(duel)]
    assert refused(together(duel, *acts)) == []
    duel = play.fresh(duel)
    assert (duel.status, duel.winner, duel.ended_by) == (Duel.Status.OVER, "", "draw")
    assert failures(duel, moved=True) == []


def test_both_ask_to_start_at_the_same_moment():
    duel = play.announced()
    play.hide(duel)
    acts = [lambda who=who: ask_to_start(user=who, duel_id=duel.pk, received_at=clock.now()) for who in players(duel)]
    assert refused(together(duel, *acts)) == []
    duel = play.fresh(duel)
    assert (duel.status, duel.turn) == (Duel.Status.RUNNING, 1)
    assert duel.entries.filter(kind="start").count() == 1
    assert failures(duel, moved=True) == []


def test_a_receptacle_is_hidden_twice_at_the_same_moment():
    duel = play.announced()
    player, at = play.player(duel, "a"), clock.now()
    acts = [
        lambda zone=zone: hide_receptacle(user=player, duel_id=duel.pk, zone=zone, received_at=at)
        for zone in ("head", "torso")
    ]
    assert refused(together(duel, *acts)) == []
    versions = duel.entries.filter(kind="receptacle").values_list("version", flat=True)
    assert list(versions) == [1, 2]
    assert failures_before_the_start(play.fresh(duel)) == []


def test_four_clocks_at_once_do_what_one_does():
    duel = play.running(refereed=False)
    overdue(duel)
    results = together(duel, *[closing(duel)] * 4)
    assert sorted(results) == [False, False, False, True]
    duel = play.fresh(duel)
    assert (duel.turn, duel.phases.count()) == (2, 2)
    assert duel.entries.filter(kind="infraction").count() == 2
    assert failures(duel, moved=True) == []


def test_a_text_is_removed_twice_at_the_same_moment():
    duel = play.running()
    play.file(duel, "a")
    post = Post.objects.get(thread=duel.thread, kind="rp")
    staff = StaffFactory(), StaffFactory()
    acts = [lambda who=who: remove_post(user=who, post_id=post.pk, reason="un nom véritable") for who in staff]
    assert [type(refusal) for refusal in refused(together(duel, *acts))] == [TooLate]
    assert not Post.objects.filter(pk=post.pk).exclude(body=None).exists()


@ORDERS
def test_a_duellist_is_renamed_while_publishing(order):
    duel = play.running()
    author = duel.seats.get(letter="a").duellist

    def rename():
        return edit_duellist(
            user=author.user, duellist=author, name="Octave de Brume", birth_date=author.birth_date,
            year=author.year, wand_hand="left",
        )  # fmt: skip

    results = together(duel, filing(duel, "a"), rename, order=order)
    assert refused(results) == []
    duel = play.fresh(duel)
    assert duel.cast["a"]["name"] == "Octave de Brume"
    assert duel.phase.filed == {"a": 1}
    assert failures(duel, moved=True) == []


def test_two_tabs_keep_one_draft():
    duel = play.running()
    player, at = play.player(duel, "a"), clock.now()
    acts = [
        lambda text=text: save_draft(user=player, duel_id=duel.pk, turn=1, draft={"text": text}, at=at)
        for text in ("Elle avance.", "Elle recule.")
    ]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(on_its_own, acts))
    assert refused(results) == []
    assert Draft.objects.count() == 1


def test_what_is_read_under_the_lock_is_what_the_one_before_has_written():
    """A row that was waited for comes anew; the rows joined to it must too, or the second would act on the past."""
    duel = play.locked()
    publish = publishing(duel)
    player, at = play.player(duel, "a"), clock.now()

    def file_in_the_next_turn():
        return file_declaration(user=player, duel_id=duel.pk, turn=2, text=play.TEXT, declaration=B, received_at=at)

    results = together(duel, publish, file_in_the_next_turn, order=(0, 1))
    assert refused(results) == []
    duel = play.fresh(duel)
    assert (duel.turn, duel.phase.filed) == (2, {"a": 1})
    assert failures(duel, moved=True) == []
