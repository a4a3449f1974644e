"""Challenges to a spell duel: its terms, who accepts, what makes it agreed and announced."""

import datetime as dt

import pytest

from duels import clock
from duels.actions.announcement import take_duel
from duels.actions.challenges import accept_challenge, decline_challenge
from duels.actions.duellists import edit_register
from duels.actions.spell_challenges import Registration, accept_spell_challenge, level_gap
from duels.actions.sweep import sweep
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Duel
from tests import spells_play as play
from tests.factories import DuellistFactory, RefereeFactory, UserFactory
from tests.play import fresh, player

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_english")]
FIRE = Registration(3, ("fire",))


def accept(duel, letter, registration=None):
    return accept_spell_challenge(user=player(duel, letter), duel_id=duel.pk, registration=registration)


class TestTheTerms:
    def test_in_role_play_the_register_decides(self):
        duel = accept(play.challenged(sides=[play.fighter(year=3, types=["water"], traits={"occlumens": 2})]), "b")
        terms = {seat.letter: seat.terms for seat in duel.seats.all()}
        assert terms["a"] == {"level": 3, "types": ["water"], "traits": {"occlumens": 2}, "prodigium": False}
        assert terms["b"]["level"] == 8
        assert level_gap(duel) == 5
        with pytest.raises(Invalid, match="register"):
            play.challenged(registration=FIRE)

    def test_in_free_mode_each_chooses_a_level_up_to_the_homework_year(self):
        sides = [play.fighter(year=2, homework_year=4, types=[]), play.fighter(year=5, types=[])]
        duel = play.challenged(mode="free", sides=sides, registration=Registration(4, ("fire",)))
        with pytest.raises(Invalid, match="levels 1 to 5") as refused:
            accept(duel, "b", Registration(6, ("fire", "air")))
        assert refused.value.field == "level"
        with pytest.raises(Invalid, match="Choose the level"):
            accept(duel, "b")
        duel = accept(duel, "b", FIRE)
        assert duel.status == Duel.Status.AGREED
        assert [seat.terms["level"] for seat in duel.seats.all()] == [4, 3]

    @pytest.mark.parametrize("types", [(), ("fire", "air"), ("fire", "fire"), ("plasma",)])
    def test_as_many_types_of_the_book_as_the_level_has(self, types):
        with pytest.raises(Invalid) as refused:
            play.challenged(mode="free", registration=Registration(3, types))
        assert refused.value.field == "types"
        assert not Duel.objects.exists()

    def test_a_rank_that_staff_have_not_given_counts_for_nothing(self):
        duel = play.challenged(sides=[play.fighter(traits={"dark_mage": 0, "wandless": 2})])
        assert duel.seats.get(letter="a").terms["traits"] == {"wandless": 2}

    def test_a_duel_keeps_the_book_that_it_was_agreed_with(self):
        assert play.challenged().book.number == 1

    @pytest.mark.parametrize(
        ("terms", "field"),
        [
            ({"mode": "fun"}, "mode"),
            ({"count": 3}, "opponents"),
            ({"starts_at": dt.datetime(2020, 1, 1, tzinfo=dt.UTC)}, "starts_at"),
        ],
    )
    def test_terms_that_are_none_are_refused(self, terms, field):
        with pytest.raises(Invalid) as refused:
            play.challenged(**terms)
        assert refused.value.field == field

    def test_everybody_plays_one_duellist(self):
        user = UserFactory()
        with pytest.raises(Invalid, match="somebody else"):
            play.challenged(count=4, sides=[play.fighter(user=user), play.fighter(), play.fighter(user=user)])

    def test_one_challenges_with_ones_own(self):
        duel_of = play.fighter()
        from duels.actions.spell_challenges import send_spell_challenge

        with pytest.raises(NotAllowed):
            send_spell_challenge(
                user=UserFactory(), challenger=duel_of, opponents=[play.fighter()], mode="rp",
                starts_at=clock.now() + dt.timedelta(days=1),
            )  # fmt: skip

    def test_the_same_challenge_is_not_sent_twice(self):
        sides = [play.fighter(), play.fighter()]
        play.challenged(sides=sides)
        with pytest.raises(Invalid, match="already awaits an answer"):
            play.challenged(sides=sides)

    @pytest.mark.parametrize("counts", [(4, 2), (2, 4)])
    def test_two_who_are_asked_to_a_duel_of_four_may_challenge_one_another_too(self, counts):
        sides = [play.fighter() for _seat in "abcd"]
        for count in counts:
            play.challenged(count=count, sides=sides[:count])
        assert sorted(Duel.objects.values_list("format", flat=True)) == ["1v1", "2v2"]


class TestTheAnswer:
    def test_a_duel_of_four_is_agreed_once_the_last_has_accepted(self):
        duel = play.challenged(count=4)
        assert duel.format == "2v2"
        for letter in "bc":
            assert accept(duel, letter).status == Duel.Status.CHALLENGED
        with pytest.raises(TooLate, match="accepted already"):
            accept(duel, "b")
        assert accept(duel, "d").status == Duel.Status.AGREED

    def test_any_of_the_three_declines_it(self):
        duel = play.challenged(count=4)
        accept(duel, "b")
        assert decline_challenge(user=player(duel, "c"), duel_id=duel.pk).status == Duel.Status.DECLINED

    @pytest.mark.parametrize("who", ["a", "stranger"])
    def test_nobody_else_answers(self, who):
        duel = play.challenged()
        user = player(duel, "a") if who == "a" else UserFactory()
        with pytest.raises(NotAllowed):
            accept_spell_challenge(user=user, duel_id=duel.pk)

    def test_it_is_not_accepted_as_a_duel_in_the_arena_is(self):
        duel = play.challenged()
        with pytest.raises(Invalid, match="its own page"):
            accept_challenge(user=player(duel, "b"), duel_id=duel.pk)

    def test_nobody_begins_two_spell_duels(self):
        b, c = play.fighter(), play.fighter()
        first, second = (play.challenged(count=4, sides=[play.fighter(), b, c]) for _ in range(2))
        accept(first, "b")
        accept(second, "b")
        for letter in "cd":
            accept(first, letter)
        assert fresh(first).status == Duel.Status.AGREED
        with pytest.raises(Invalid, match="one at a time"):
            accept(second, "c")

    def test_nor_joins_a_duel_whose_first_to_accept_is_in_another_by_then(self):
        b = play.fighter()
        two, four = play.challenged(sides=[play.fighter(), b]), play.challenged(count=4, sides=[play.fighter(), b])
        accept(four, "b")
        accept(four, "c")
        accept(two, "b")
        with pytest.raises(Invalid, match="one at a time"):
            accept(four, "d")
        assert fresh(four).status == Duel.Status.CHALLENGED

    def test_a_challenge_expires_after_seven_days(self, time):
        duel = play.challenged()
        time.go_on(days=7, seconds=31)
        sweep()
        assert fresh(duel).status == Duel.Status.EXPIRED


class TestTheStart:
    def test_there_is_nothing_to_prepare_and_no_notice_to_wait_for(self, time):
        starts_at = clock.now() + dt.timedelta(hours=5)
        duel = play.agreed(starts_at=starts_at)
        duel = take_duel(user=RefereeFactory(), duel_id=duel.pk)
        assert duel.starts_at == starts_at
        time.go_to(starts_at, seconds=31)
        sweep()
        duel = fresh(duel)
        assert (duel.status, duel.turn, duel.phase.name) == (Duel.Status.RUNNING, 1, "action")

    def test_agreed_on_after_its_hour_it_leaves_48_hours_to_find_a_referee(self, time):
        duel = play.challenged()
        time.go_to(duel.starts_at, hours=1)
        duel = accept(duel, "b")
        assert duel.starts_at == duel.due_at == duel.agreed_at + dt.timedelta(hours=48)
        sweep()
        assert fresh(duel).put_off == 0

    def test_agreed_on_after_its_hour_without_a_referee_it_starts_at_once(self, time):
        duel = play.challenged(refereed=False)
        time.go_to(duel.starts_at, hours=1)
        duel = accept(duel, "b")
        assert duel.starts_at == duel.announced_at

    def test_without_a_referee_it_is_announced_as_the_last_accepts(self):
        assert play.agreed(refereed=False, count=4).status == Duel.Status.ANNOUNCED

    def test_who_plays_in_it_is_not_its_referee(self):
        referee = RefereeFactory()
        duel = play.agreed(count=4, sides=[play.fighter(), play.fighter(), play.fighter(user=referee)])
        with pytest.raises(NotAllowed):
            take_duel(user=referee, duel_id=duel.pk)


class TestTheRegister:
    def test_its_owner_writes_it_and_staff_give_the_ranks(self):
        duellist = DuellistFactory(traits={"occlumens": 4})
        edit_register(
            user=duellist.user, duellist=duellist, types=["fire", "air"], traits=["occlumens", "wandless"],
            prodigium=True,
        )  # fmt: skip
        duellist.refresh_from_db()
        assert duellist.types == ["fire", "air"]
        assert duellist.traits == {"occlumens": 4, "wandless": 0}
        assert duellist.ranks == {"occlumens": 4}
        assert duellist.prodigium

    @pytest.mark.parametrize(
        ("parts", "field"),
        [
            ({"types": ["fire", "fire"]}, "types"),
            ({"types": ["fire", "air", "water"]}, "types"),
            ({"types": ["plasma"]}, "types"),
            ({"traits": ["animagus"]}, "traits"),
        ],
    )
    def test_what_the_rules_do_not_know_is_refused(self, parts, field):
        duellist = DuellistFactory()
        with pytest.raises(Invalid) as refused:
            edit_register(
                user=duellist.user, duellist=duellist, **{"types": [], "traits": [], "prodigium": False, **parts}
            )
        assert refused.value.field == field

    def test_nobody_else_writes_it(self):
        with pytest.raises(NotAllowed):
            edit_register(user=UserFactory(), duellist=DuellistFactory(), types=[], traits=[], prodigium=False)
