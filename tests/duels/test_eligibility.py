"""Who may fight a spell duel, and what is said to be missing (B1.1, B1.2, B2.1, B6.0)."""

import datetime as dt

import pytest

from duels import clock
from duels.actions.ending import surrender
from duels.actions.preparation import ask_to_start
from duels.actions.sweep import sweep
from duels.errors import Invalid
from duels.models import CarriedOver, Duel, Duellist, Happening
from duels.queries.eligibility import message_count, missing, months_later
from tests import play as arena
from tests import spells_play as play
from tests.duels.exporting import failures
from tests.duels.readers import as_user, english
from tests.factories import DuellistFactory
from tests.play import fresh, player

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_english")]


def lacks(duellist, mode="rp", *, at=None):
    return [one.code for one in missing(Duellist.objects.get(pk=duellist.pk), mode, now=at or clock.now())]


def ended(**terms):
    """Return a spell duel that ended by a surrender."""
    duel = play.running(refereed=False, **terms)
    surrender(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    return fresh(duel)


def test_a_fighter_lacks_nothing():
    assert lacks(play.fighter()) == []


class TestSeniority:
    def test_a_newcomer_lacks_a_month_and_messages_and_is_told_until_when(self):
        duellist = DuellistFactory()
        first, second = missing(duellist, "free", now=clock.now())
        assert (first.code, first.rule, second.code) == ("seniority", "B1.1", "messages")
        assert first.until == months_later(duellist.user.date_joined, 1)
        assert "50 are missing" in str(second.message)

    def test_a_month_later_it_is_the_messages_alone(self):
        duellist = DuellistFactory()
        assert lacks(duellist, "free", at=clock.now() + dt.timedelta(days=32)) == ["messages"]

    def test_what_staff_carry_over_counts(self):
        duellist = DuellistFactory()
        CarriedOver.objects.create(user=duellist.user, messages=50)
        assert lacks(duellist, "free") == ["seniority"]
        CarriedOver.objects.update(member_since=dt.date(2020, 1, 1), messages=49)
        assert lacks(duellist, "free") == ["messages"]

    def test_messages_posted_here_add_to_those_carried_over(self):
        duellist = DuellistFactory()
        duel = arena.running(a=duellist)
        arena.file(duel, "a")
        CarriedOver.objects.create(user=duellist.user, member_since=dt.date(2020, 1, 1), messages=49)
        assert message_count(duellist.user_id) == 50
        assert lacks(duellist, "free") == []

    def test_a_month_ends_with_a_shorter_one(self):
        assert months_later(dt.datetime(2026, 8, 31, 12), 6) == dt.datetime(2027, 2, 28, 12)
        assert months_later(dt.datetime(2026, 12, 5), 1) == dt.datetime(2027, 1, 5)


class TestRolePlay:
    def test_it_takes_a_place_in_the_chronology_and_a_register(self):
        duellist = play.fighter(in_chronology=False, types=["fire"])
        assert lacks(duellist) == ["chronology", "types"]
        assert lacks(duellist, "free") == []


class TestOneAtATime:
    def test_who_is_in_a_duel_is_told(self):
        duel = play.agreed()
        assert lacks(duel.seats.get(letter="b").duellist) == ["other_duel"]

    def test_a_challenge_that_has_no_answer_keeps_nobody(self):
        duel = play.challenged()
        assert lacks(duel.seats.get(letter="b").duellist) == []

    def test_nor_does_a_duel_in_the_arena(self):
        duellist = play.fighter()
        arena.running(a=duellist)
        assert lacks(duellist) == []


class TestTheWait:
    def test_four_other_duels_or_thirty_days(self):
        duel = ended()
        duellist = duel.seats.get(letter="a").duellist
        assert lacks(duellist) == ["wait"]
        assert lacks(duellist, at=duel.ended_at + dt.timedelta(days=30)) == []
        for _ in range(3):
            ended()
        assert lacks(duellist) == ["wait"]
        ended()
        assert lacks(duellist) == []

    def test_cancelled_ones_do_not_count(self):
        duellist = ended().seats.get(letter="a").duellist
        for _ in range(4):
            other = play.agreed()
            Duel.objects.filter(pk=other.pk).update(status=Duel.Status.CANCELLED)
        assert lacks(duellist) == ["wait"]

    def test_staff_may_waive_it_once(self):
        duellist = ended().seats.get(letter="a").duellist
        Duellist.objects.filter(pk=duellist.pk).update(wait_waived_at=clock.now())
        assert lacks(duellist) == []

    def test_a_waiver_of_an_earlier_wait_is_spent(self):
        waived = clock.now() - dt.timedelta(days=1)
        duellist = play.fighter(wait_waived_at=waived)
        ended(sides=[duellist])
        assert lacks(duellist) == ["wait"]

    def test_it_is_explained_to_who_challenges_all_the_same(self):
        duellist = ended().seats.get(letter="a").duellist
        with pytest.raises(Invalid, match=r"4 more spell duels to end.*B2\.1"):
            play.challenged(sides=[duellist])


def disqualified(duel, letter="b"):
    """Have somebody been disqualified in a duel that is over."""
    view = duel.public_view
    view["seats"][letter]["out"] = "disqualified"
    Duel.objects.filter(pk=duel.pk).update(public_view=view)


class TestTheBan:
    def test_it_holds_whatever_was_ended_since(self):
        banned = play.fighter()
        duel = play.running(refereed=False, sides=[play.fighter(), banned])
        other = play.running(refereed=False, sides=[play.fighter(), play.fighter()])
        other.seats.filter(letter="a").update(duellist=banned)  # begun before, as the duels of a tournament are
        surrender(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        disqualified(fresh(duel))
        surrender(user=player(other, "b"), duel_id=other.pk, received_at=clock.now())
        assert "banned" in lacks(banned)
        assert "banned" in lacks(banned, at=clock.now() + dt.timedelta(days=170))
        assert "banned" not in lacks(banned, at=months_later(fresh(duel).ended_at, 6))

    def test_six_months_for_who_was_disqualified(self):
        duel = ended()
        disqualified(duel)
        duellist = duel.seats.get(letter="b").duellist
        later = duel.ended_at + dt.timedelta(days=31)
        (ban,) = missing(duellist, "rp", now=later)
        assert (ban.code, ban.rule, ban.until) == ("banned", "B6.0", months_later(duel.ended_at, 6))
        assert lacks(duellist, at=ban.until) == []
        assert lacks(duel.seats.get(letter="a").duellist, at=later) == []


class TestWhoMayNotBegin:
    """B2.1, B6.0: between the announcement and the start somebody was banned, or another duel of theirs ended."""

    def over(self, duellist, *, out=False):
        """End another spell duel of somebody's, as one of a tournament; disqualified, if they are `out`."""
        other = play.running(refereed=False)
        other.seats.filter(letter="b").update(duellist=duellist)
        surrender(user=player(other, "b"), duel_id=other.pk, received_at=clock.now())
        if out:
            disqualified(fresh(other))

    @pytest.mark.parametrize(("out", "why"), [(True, "banned"), (False, "wait")])
    def test_the_duel_is_called_off_and_those_concerned_are_told_why(self, time, out, why):
        duel = play.announced()
        unfinished = failures(duel)
        self.over(duel.seats.get(letter="a").duellist, out=out)
        time.go_to(duel.starts_at + dt.timedelta(minutes=1))
        sweep()
        duel = fresh(duel)
        assert (duel.status, duel.due_at, duel.started_at) == ("cancelled", None, None)
        note = duel.thread.posts.latest("position")
        assert (note.seat, note.details) == ("a", {"note": "not_begun", "why": why})
        told = Happening.objects.get(what="not_begun")
        assert set(told.concerns) == {player(duel, "a").pk, player(duel, "b").pk, duel.referee_id}
        said = english(as_user(player(duel, "b"))).get(duel.get_absolute_url()).text
        assert "this duel does not take place" in said
        assert not duel.entries.filter(kind="start").exists()
        assert failures(duel) == unfinished
        assert lacks(duel.seats.get(letter="b").duellist) == []

    def test_nobody_starts_it_early(self):
        duel = play.announced(refereed=False)
        self.over(duel.seats.get(letter="a").duellist)
        with pytest.raises(Invalid, match=r"4 more spell duels to end.*B2\.1"):
            ask_to_start(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        assert fresh(duel).status == "announced"

    def test_a_wait_that_is_over_by_the_start_keeps_nobody(self, time):
        duel = play.announced(refereed=False)
        self.over(duel.seats.get(letter="a").duellist)
        Duellist.objects.update(wait_waived_at=clock.now())
        time.go_to(duel.starts_at + dt.timedelta(minutes=1))
        sweep()
        assert fresh(duel).status == "running"

    def test_a_duel_of_a_tournament_begins_all_the_same(self, time):
        duel = play.announced(refereed=False)
        self.over(duel.seats.get(letter="a").duellist)
        Duel.objects.filter(pk=duel.pk).update(kind=Duel.Kind.TOURNAMENT)
        time.go_to(duel.starts_at + dt.timedelta(minutes=1))
        sweep()
        assert fresh(duel).status == "running"
