"""Whom the desk pairs with whom, and what comes of it."""

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError

from duels import clock, training
from duels.actions.availability import set_availability
from duels.actions.challenges import withdraw_challenge
from duels.actions.ending import surrender
from duels.actions.spell_challenges import Registration
from duels.actions.sweep import sweep
from duels.errors import Invalid, NotAllowed
from duels.models import Duel, Duellist, Happening
from notices.actions.telling import drain
from tests import play as duel_play
from tests import spells_play
from tests.duels.purses import give
from tests.duels.readers import as_user, english
from tests.duels.test_clandestine import write_together
from tests.factories import DuellistFactory, RefereeFactory, StaffFactory
from tests.play import fresh, player
from tests.tournaments.test_bans import ban
from tournaments.desk.actions import pairing
from tournaments.desk.actions.pairing import pair
from tournaments.desk.conditions import obstacles
from tournaments.desk.models import EnrolmentQuerySet
from tournaments.desk.queries.line import last_met
from tournaments.models import Enrolment, Pairing

from . import play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_english")]


def told(what):
    last = Happening.objects.filter(what=what).order_by("pk").last()
    return set(last.concerns) if last else set()


def of(*enrolments):
    return {one.duellist.user_id for one in enrolments}


class TestWhoMeetsWhom:
    def test_two_of_a_year_are_paired_at_once(self):
        first, second = play.in_arena(year=3), play.in_arena(year=3)
        assert pair() == {"settled": 0, "paired": 1}
        duel = Duel.objects.get()
        assert (duel.status, duel.paired, duel.due_at) == ("challenged", True, duel.created_at + dt.timedelta(hours=48))
        assert [seat.duellist for seat in duel.seats.all()] == [first.duellist, second.duellist]
        assert told("paired") == of(first, second)
        assert set(Enrolment.objects.values_list("status", flat=True)) == {"paired"}

    def test_the_smallest_gap_of_years_comes_first(self, time):
        for year in (1, 4, 5, 7):
            play.in_arena(year=year)
        time.go_on(days=3)
        pair()
        years = [{seat.duellist.year for seat in duel.seats.all()} for duel in Duel.objects.order_by("pk")]
        assert years == [{4, 5}, {1, 7}]

    def test_the_desk_waits_six_hours_a_year_for_somebody_closer(self, time):
        play.in_arena(year=2)
        play.in_arena(year=4)
        time.go_on(hours=11)
        assert pair()["paired"] == 0
        closer = play.in_arena(year=4)
        assert pair()["paired"] == 1
        assert closer.duellist in [seat.duellist for seat in Duel.objects.get().seats.all()]
        play.in_arena(year=4)
        time.go_on(hours=1, minutes=1)
        assert pair()["paired"] == 1

    def test_one_user_never_meets_themselves(self):
        one = DuellistFactory(year=3)
        play.in_arena(one)
        play.in_arena(DuellistFactory(year=3, user=one.user))
        assert pair()["paired"] == 0

    @pytest.mark.parametrize("other", [{"kind": "clandestine"}, {"refereed": True}])
    def test_both_want_the_same_kind_of_duel(self, other):
        RefereeFactory()
        play.in_arena()
        Enrolment.objects.filter(pk=play.in_arena().pk).update(**other)
        assert pair()["paired"] == 0

    def test_a_registration_of_old_for_a_tournaments_kind_is_told_to_choose_another(self):
        for one in (play.in_arena(), play.in_arena()):
            Enrolment.objects.filter(pk=one.pk).update(kind="tournament")
        assert pair()["paired"] == 0
        (found,) = obstacles(Enrolment.objects.first(), now=clock.now())
        assert (found.code, "withdraw, and register for another" in str(found.message)) == ("kind", True)

    def test_turns_last_48_hours_unless_both_want_24(self):
        play.in_arena(year=1, turn_hours=24)
        play.in_arena(year=1)
        play.in_arena(year=2, turn_hours=24)
        play.in_arena(year=2, turn_hours=24)
        pair()
        assert sorted(Duel.objects.values_list("turn_hours", flat=True)) == [24, 48]

    def test_who_waits_with_a_closed_account_is_not_paired(self):
        gone = play.in_arena().duellist.user
        gone.is_active = False
        gone.save()
        play.in_arena()
        assert pair()["paired"] == 0


class TestNotTheSamePairTwice:
    def earlier(self):
        duel = duel_play.over(refereed=False)
        return [seat.duellist for seat in duel.seats.all()]

    def test_another_who_is_free_comes_first_however_far(self, time):
        one, other = self.earlier()
        first, second = play.in_arena(one), play.in_arena(other)
        third = play.in_arena(year=5)
        assert pair()["paired"] == 0
        time.go_on(hours=18, minutes=1)
        assert pair()["paired"] == 1
        duel = Duel.objects.get(paired=True)
        assert third.duellist in [seat.duellist for seat in duel.seats.all()]
        assert {first.duellist, second.duellist} & {seat.duellist for seat in duel.seats.all()}

    def test_where_nobody_else_is_free_the_same_meet_again(self):
        one, other = self.earlier()
        play.in_arena(one)
        play.in_arena(other)
        assert pair()["paired"] == 1

    def test_a_former_partner_is_none_whom_one_has_met(self):
        duel = spells_play.running(count=4, refereed=False)
        for letter in "ac":
            surrender(user=player(duel, letter), duel_id=duel.pk, received_at=clock.now())
        seats = {seat.letter: seat.duellist_id for seat in duel.seats.all()}
        Duellist.objects.update(wait_waived_at=clock.now())
        line = [play.in_spells(seat.duellist) for seat in duel.seats.select_related("duellist")]
        met = last_met(line, "spells")
        assert met[seats["a"]] == met[seats["c"]] == {seats["b"], seats["d"]}
        assert met[seats["b"]] == met[seats["d"]] == {seats["a"], seats["c"]}
        pair()
        first, second = Duel.objects.filter(paired=True)
        assert {frozenset(seat.duellist_id for seat in one.seats.all()) for one in (first, second)} == {
            frozenset((seats["a"], seats["c"])), frozenset((seats["b"], seats["d"])),
        }  # fmt: skip

    def test_who_still_waits_for_four_duels_is_not_free(self):
        duel = play.spell_duel_over()
        one, other = (seat.duellist for seat in duel.seats.all())
        Duellist.objects.update(wait_waived_at=clock.now())
        play.in_spells(one)
        play.in_spells(other)
        waits = play.spell_duel_over().seats.get(letter="a").duellist
        Duellist.objects.filter(pk=waits.pk).update(year=1)
        play.in_spells(waits)
        assert play.paired(True).seats.filter(duellist__in=[one, other]).count() == 2

    def test_a_duel_under_the_other_rules_does_not_count(self):
        duel = play.spell_duel_over()
        one, other = (seat.duellist for seat in duel.seats.all())
        play.in_arena(one)
        play.in_arena(other)
        play.in_arena(year=5)
        assert pair()["paired"] == 1


class TestStakes:
    def staking(self, least, most, currency="liards"):
        duellist = DuellistFactory()
        give(duellist, 100, currency)
        return play.in_arena(duellist, stake_least=least, stake_most=most, stake_currency=currency)

    def test_the_highest_that_suits_both_is_staked(self):
        self.staking(5, 30)
        self.staking(10, 20)
        pair()
        duel = Duel.objects.get()
        assert (duel.stake, duel.stake_currency) == (20, "liards")
        for letter in "ab":
            play.confirm(duel, letter)
        assert fresh(duel).status == "announced"

    @pytest.mark.parametrize(("least", "currency"), [(10, "liards"), (1, "runes")])
    def test_ranges_that_lie_apart_do_not_meet(self, least, currency):
        self.staking(5, 9)
        self.staking(least, 20, currency)
        assert pair()["paired"] == 0

    def test_who_may_play_without_a_stake_meets_who_wants_none(self):
        self.staking(0, 9)
        play.in_arena()
        pair()
        assert (Duel.objects.get().stake, Duel.objects.get().stake_currency) == (0, "")

    def test_a_purse_that_was_emptied_meanwhile_waits(self):
        enrolment = self.staking(5, 30)
        self.staking(5, 30)
        give(enrolment.duellist, -90)
        assert pair()["paired"] == 0
        give(enrolment.duellist, 90)
        assert pair()["paired"] == 1


class TestReferees:
    def test_as_many_duels_as_referees_have_room(self):
        referee = RefereeFactory()
        set_availability(user=referee, is_available=True, at_once=1)
        for year in (1, 1, 2, 2):
            play.in_arena(year=year, refereed=True)
        assert pair()["paired"] == 1
        set_availability(user=referee, is_available=True, at_once=2)
        assert pair()["paired"] == 1

    def test_a_referee_who_would_play_in_it_has_no_room(self):
        referee = RefereeFactory()
        play.in_arena(DuellistFactory(user=referee), refereed=True)
        play.in_arena(refereed=True)
        assert pair()["paired"] == 0
        RefereeFactory()
        assert pair()["paired"] == 1


class TestSpells:
    def test_the_same_mode_and_format_and_the_level_chosen(self):
        fire = Registration(3, ("fire",))
        play.in_spells(year=3)
        play.in_spells(spells_play.fighter(year=5, types=[]), mode="free", registration=fire)
        assert pair()["paired"] == 0
        play.in_spells(spells_play.fighter(year=6, types=[]), mode="free", registration=fire)
        duel = play.paired(True)
        assert (duel.mode, duel.format, duel.turn_hours) == ("free", "1v1", 48)
        assert [seat.terms["level"] for seat in duel.seats.all()] == [3, 3]
        for letter in "ab":
            play.confirm(duel, letter)
        assert fresh(duel).status == "announced"

    def test_who_waits_for_four_duels_is_not_paired(self, time):
        earlier = play.spell_duel_over()
        play.in_spells(earlier.seats.get(letter="a").duellist)
        play.in_spells()
        assert pair()["paired"] == 0
        time.go_on(days=31)
        assert pair()["paired"] == 1

    def test_four_without_a_partner_make_two_teams_as_even_as_can_be(self, time):
        for year in (7, 1, 3, 2):
            play.in_spells(year=year, format="2v2")
        assert pair()["paired"] == 0
        time.go_on(hours=37)
        duel = play.paired(True)
        teams = {frozenset(player["year"] for _letter, player in team) for team in duel.teams}
        assert teams == {frozenset({1, 7}), frozenset({2, 3})}

    def test_partners_who_name_each_other_stay_together(self):
        one, other = spells_play.fighter(), spells_play.fighter()
        play.in_spells(one, format="2v2", partner=other)
        play.in_spells(format="2v2")
        play.in_spells(format="2v2")
        play.in_spells(format="2v2")
        assert pair()["paired"] == 0
        play.in_spells(other, format="2v2", partner=one)
        assert {one.name, other.name} in play.names(play.paired(True))


class TestStudents:
    def test_they_train_in_training_hours(self, settings):
        settings.TRAINING_HOURS, settings.SCHOOL_YEAR = "wednesday 14:00-17:00", ""
        play.in_arena(year=3)
        play.in_arena(year=3)
        duel = play.paired(True)
        assert training.is_open(duel.starts_at)
        assert duel.starts_at - duel.created_at >= pairing.FIRST_START

    def test_a_clandestine_duel_follows_a_scene_of_the_two(self):
        one, other, third, fourth = (DuellistFactory(year=3) for _one in range(4))
        write_together(third, fourth)
        scene = write_together(one, other)
        for duellist in (one, third, other):
            play.in_arena(duellist, kind="clandestine")
        assert pair()["paired"] == 1
        duel = Duel.objects.get()
        assert {seat.duellist for seat in duel.seats.all()} == {one, other}
        assert (duel.kind, duel.scene) == ("clandestine", scene)
        for letter in "ab":
            play.confirm(duel, letter)
        assert fresh(duel).status == "announced"


class TestConfirming:
    def test_once_all_have_confirmed_it_is_a_duel_like_another(self):
        duel = play.paired()
        assert play.confirm(duel, "a").status == "challenged"
        assert told("pairing_confirmed") == {player(duel, "a").pk, player(duel, "b").pk}
        assert play.confirm(duel, "b").status == "announced"
        assert pair() == {"settled": 1, "paired": 0}
        assert pair() == {"settled": 0, "paired": 0}
        assert set(Enrolment.objects.values_list("status", flat=True)) == {"agreed"}

    def test_a_refereed_one_looks_for_its_referee(self):
        RefereeFactory()
        play.in_arena(refereed=True)
        play.in_arena(refereed=True)
        duel = play.paired(True)
        play.confirm(duel, "b")
        assert play.confirm(duel, "a").status == "agreed"
        assert told("pairing_agreed") == {player(duel, "a").pk, player(duel, "b").pk}

    def test_nobody_takes_a_pairing_back_as_if_it_were_their_challenge(self):
        duel = play.paired()
        play.confirm(duel, "a")
        with pytest.raises(NotAllowed):
            withdraw_challenge(user=player(duel, "a"), duel_id=duel.pk)

    def test_who_lacks_something_meanwhile_cannot_confirm(self):
        play.in_spells()
        play.in_spells()
        duel = play.paired(True)
        one = duel.seats.get(letter="a").duellist
        one.in_chronology = False
        one.save()
        with pytest.raises(Invalid, match="chronology"):
            play.confirm(duel, "a")

    def test_a_day_before_it_lapses_the_silent_are_reminded(self, time):
        duel = play.paired()
        play.confirm(duel, "b")
        time.go_on(hours=24, minutes=1)
        sweep()
        sweep()
        assert Happening.objects.filter(what="confirmation_due").count() == 1
        assert told("confirmation_due") == {player(duel, "a").pk}


class TestLapsing:
    def test_who_confirmed_is_first_in_line_again_and_the_silent_are_out(self, time):
        duel = play.paired()
        faithful, silent = (Enrolment.objects.get(duellist=seat.duellist) for seat in duel.seats.all())
        play.confirm(duel, "a")
        time.go_on(hours=48, minutes=1)
        sweep()
        assert fresh(duel).status == "expired"
        assert (told("pairing_lapsed"), told("pairing_missed")) == (of(faithful), of(silent))
        newcomers = [play.in_arena(), play.in_arena()]
        assert pair() == {"settled": 1, "paired": 1}
        silent.refresh_from_db()
        faithful.refresh_from_db()
        assert silent.status == "lapsed"
        assert (faithful.status, faithful.returned_at is None) == ("paired", False)
        assert [seat.duellist for seat in faithful.pairing.duel.seats.all()] == [
            faithful.duellist, newcomers[0].duellist
        ]  # fmt: skip

    def test_who_declines_is_out_and_the_others_go_back_whether_they_confirmed_or_not(self):
        for _one in range(4):
            play.in_spells(format="2v2")
        duel = play.paired(True)
        play.confirm(duel, "c")
        play.decline(duel, "b")
        assert told("pairing_lapsed") == {player(duel, letter).pk for letter in "acd"}
        assert pair() == {"settled": 1, "paired": 0}
        assert Enrolment.objects.waiting().count() == 3
        assert Enrolment.objects.get(status="lapsed").duellist == duel.seats.get(letter="b").duellist

    def in_another_duel(self, duel, letter):
        """Let one of a pairing be put into another spell duel."""
        spells_play.running(sides=[duel.seats.get(letter=letter).duellist], refereed=False)

    def lapsed(self, duel, time):
        time.go_on(hours=48, minutes=1)
        sweep()
        pair()
        return dict(
            Enrolment.objects.values_list("duellist__seats__letter", "status").filter(duellist__seats__duel=duel)
        )

    @pytest.mark.parametrize(
        ("busy", "confirms", "becomes"),
        [
            ("a", "b", {"a": "waiting", "b": "waiting"}),
            ("a", "", {"a": "waiting", "b": "lapsed"}),
            ("b", "b", {"a": "waiting", "b": "waiting"}),
            ("", "b", {"a": "lapsed", "b": "waiting"}),
        ],
        ids=["the silent one could not", "nor did the other", "who confirmed no longer may", "silent for nothing"],
    )
    def test_who_could_not_confirm_for_another_duel_keeps_their_place(self, time, busy, confirms, becomes):
        play.in_spells()
        play.in_spells()
        duel = play.paired(True)
        for letter in confirms:
            play.confirm(duel, letter)
        for letter in busy:
            self.in_another_duel(duel, letter)
        assert self.lapsed(duel, time) == becomes
        back = {player(duel, letter).pk for letter, status in becomes.items() if status == "waiting"}
        assert told("pairing_lapsed") == back
        assert told("pairing_missed") == {player(duel, letter).pk for letter in "ab"} - back

    def test_what_one_could_have_seen_to_excuses_nobody(self, time):
        play.in_spells()
        play.in_spells()
        duel = play.paired(True)
        play.confirm(duel, "b")
        Duellist.objects.filter(seats__duel=duel, seats__letter="a").update(in_chronology=False)
        assert self.lapsed(duel, time) == {"a": "lapsed", "b": "waiting"}

    def staked(self):
        for _one in "ab":
            duellist = DuellistFactory()
            give(duellist, 20)
            play.in_arena(duellist, stake_least=10, stake_most=10, stake_currency="liards")
        return play.paired(True)

    def test_who_is_hindered_by_a_purse_that_fell_short_keeps_their_place_and_its_owner_does_not(self, time):
        duel = self.staked()
        play.confirm(duel, "a")
        give(duel.seats.get(letter="a").duellist, -15)
        with pytest.raises(Invalid, match="can no longer cover this stake"):
            play.confirm(duel, "b")
        assert "another of you keeps the duel from taking place" in english(as_user(player(duel, "b"))).get(
            f"/defis/{duel.pk}/"
        ).text  # fmt: skip
        assert "your registration then ends" in english(as_user(player(duel, "a"))).get(f"/defis/{duel.pk}/").text
        assert self.lapsed(duel, time) == {"a": "lapsed", "b": "waiting"}
        assert (told("pairing_lapsed"), told("pairing_missed")) == ({player(duel, "b").pk}, set())
        assert told("pairing_hindered") == {player(duel, "a").pk}

    def test_a_purse_of_one_s_own_that_falls_short_excuses_nobody(self, time):
        duel = self.staked()
        play.confirm(duel, "a")
        give(duel.seats.get(letter="b").duellist, -15)
        assert self.lapsed(duel, time) == {"a": "waiting", "b": "lapsed"}

    @pytest.mark.parametrize("confirms", ["a", ""], ids=["after confirming", "before"])
    def test_who_is_hindered_since_the_other_has_left_school_keeps_their_place(self, time, confirms):
        one, other = DuellistFactory(year=3), DuellistFactory(year=3)
        write_together(one, other)
        for duellist in (one, other):
            play.in_arena(duellist, kind="clandestine")
        duel = play.paired(True)
        for letter in confirms:
            play.confirm(duel, letter)
        Duellist.objects.filter(seats__duel=duel, seats__letter="a").update(year=None)
        with pytest.raises(Invalid, match="two students"):
            play.confirm(duel, "b")
        assert self.lapsed(duel, time) == {"a": "lapsed", "b": "waiting"}

    def test_who_is_hindered_by_what_another_could_have_seen_to_keeps_their_place_in_a_spell_duel_too(self, time):
        play.in_spells()
        play.in_spells()
        duel = play.paired(True)
        play.confirm(duel, "a")
        Duellist.objects.filter(seats__duel=duel, seats__letter="a").update(in_chronology=False)
        with pytest.raises(Invalid, match="chronology"):
            play.confirm(duel, "b")
        assert self.lapsed(duel, time) == {"a": "lapsed", "b": "waiting"}

    def test_of_a_duel_that_cannot_begin_all_go_back_but_for_who_is_banned(self, time):
        play.in_spells()
        play.in_spells()
        duel = play.paired(True)
        for letter in "ab":
            play.confirm(duel, letter)
        pair()
        ban(duel.seats.get(letter="a").duellist)
        time.go_to(fresh(duel).starts_at + dt.timedelta(minutes=1))
        sweep()
        pair()
        becomes = {letter: player(duel, letter).duellists.get().enrolments.get().status for letter in "ab"}
        assert becomes == {"a": "withdrawn", "b": "waiting"}
        said = english(as_user(player(duel, "b"))).get(f"/defis/{duel.pk}/").text
        assert "Who is not banned is in line at the registration desk again" in said

    def test_the_page_says_that_the_place_is_kept(self):
        play.in_spells()
        play.in_spells()
        duel = play.paired(True)
        client = english(as_user(player(duel, "a")))
        assert "or do not answer in time" in client.get(f"/defis/{duel.pk}/").text
        self.in_another_duel(duel, "a")
        page = client.get(f"/defis/{duel.pk}/").text
        assert "you go back to the desk, first in line. If you decline" in page
        assert "or do not answer in time" not in page

    def test_settling_twice_changes_nothing_more(self):
        duel = play.paired()
        play.decline(duel, "a")
        pair()
        back = Enrolment.objects.get(status="waiting")
        assert not pairing._settle(duel.pk)
        assert Enrolment.objects.get(status="waiting").returned_at == back.returned_at


class TestNoRefereeTakesIt:
    @pytest.fixture
    def cancelled(self, time):
        """A pairing that all confirmed, and that no referee took at three starts; and somebody who came later."""
        RefereeFactory()
        duel = play.paired(play.in_arena(refereed=True), play.in_arena(refereed=True))
        for letter in "ab":
            play.confirm(duel, letter)
        pair()
        play.in_arena(year=1, refereed=True)
        for _start in range(3):
            time.go_to(fresh(duel).starts_at, minutes=1)
            sweep()
        assert fresh(duel).status == "cancelled"
        return duel

    def test_its_players_are_back_in_their_old_place_and_told_why(self, cancelled):
        registered = {one.pk: one.registered_at for one in Enrolment.objects.all()}
        assert told("pairing_unrefereed") == {player(cancelled, letter).pk for letter in "ab"}
        assert not Happening.objects.filter(what="cancelled").exists()
        set_availability(user=User.objects.get(groups__name="referees"), is_available=False, at_once=1, note="")
        assert pair() == {"settled": 1, "paired": 0}
        line = list(Enrolment.objects.waiting())
        assert [one.duellist_id for one in line[:2]] == [seat.duellist_id for seat in cancelled.seats.all()]
        assert all((one.pairing, one.closed_at, one.returned_at) == (None, None, None) for one in line)
        assert {one.pk: one.registered_at for one in line} == registered
        assert pair() == {"settled": 0, "paired": 0}

    def test_they_can_be_paired_again(self, cancelled):
        assert pair()["paired"] == 1
        assert Enrolment.objects.filter(pairing__duel__status="challenged").count() == 2

    def test_it_is_set_aside_where_that_fails_three_times_and_the_others_are_paired(self, cancelled, monkeypatch):
        def fail(self):
            raise KeyError("wings")

        with monkeypatch.context() as patched:
            patched.setattr(EnrolmentQuerySet, "open", fail)
            for _time in range(4):
                assert pair()["settled"] == 0
        assert Pairing.objects.set_aside().get().duel == cancelled
        pairing.take_up_again(pairing_id=cancelled.pairing.pk)
        assert pair()["settled"] == 1
        assert not Pairing.objects.exclude(failures=0).exists()

    def test_who_has_registered_anew_meanwhile_stays_there(self, cancelled):
        one = cancelled.seats.get(letter="a").duellist
        anew = play.in_arena(one, refereed=False)
        pair()
        assert [mine.pk for mine in Enrolment.objects.waiting().filter(duellist=one)] == [anew.pk]
        assert Enrolment.objects.filter(duellist=one, status="withdrawn").count() == 1

    def test_the_page_and_the_notice_lead_back_to_the_desk(self, cancelled):
        client = english(as_user(player(cancelled, "a")))
        assert "in line at the registration desk again" in client.get(f"/defis/{cancelled.pk}/").text
        drain()
        assert "in your old place" in client.get("/avis/").text


class TestTheClock:
    @pytest.fixture
    def broken(self, monkeypatch):
        """One with whom no duel can be made, as long as `broken` is their key."""
        broken = play.in_arena(year=1)
        made = pairing._duel_of

        def fail(group, now):
            if broken in group:
                raise KeyError("wings")
            return made(group, now)

        with monkeypatch.context() as patched:
            patched.setattr(pairing, "_duel_of", fail)
            yield patched

    def four(self):
        """Let two more register, and two further off."""
        return [play.in_arena(year=year) for year in (1, 4, 4)]

    def test_one_group_that_cannot_be_paired_keeps_nobody_else_from_it(self, broken):
        self.four()
        assert pair()["paired"] == 1
        assert Pairing.objects.count() == 1
        assert Enrolment.objects.waiting().count() == 2

    def test_after_three_times_it_is_set_aside_said_and_tried_again_as_staff_asks(self, broken):
        self.four()
        for _time in range(3):
            pair()
        aside = list(Enrolment.objects.set_aside())
        assert [one.duellist.year for one in aside] == [1, 1]
        assert [one.code for one in obstacles(aside[0], now=clock.now())] == ["aside"]
        assert "has failed to pair" in english(as_user(aside[0].duellist.user)).get("/inscriptions/").text
        broken.undo()
        assert pair()["paired"] == 0
        client = as_user(StaffFactory())
        for one in aside:
            assert client.post("/etat/", {"row": f"enrolment:{one.pk}"}).url == "/etat/"
        assert pair()["paired"] == 1
        assert not Enrolment.objects.exclude(failures=0).exists()

    def test_one_of_whom_nothing_can_be_told_keeps_nobody_else_from_it(self, monkeypatch):
        strange = play.in_arena(year=1)
        play.in_arena(year=1)
        play.in_arena(year=1)
        true = pairing.obstacles

        def fail(enrolment, *, now):
            if enrolment == strange:
                raise KeyError("wings")
            return true(enrolment, now=now)

        monkeypatch.setattr(pairing, "obstacles", fail)
        assert pair()["paired"] == 1
        strange.refresh_from_db()
        assert (strange.status, strange.failures) == ("waiting", 1)

    def test_a_connection_that_is_cut_off_is_nobodys_fault(self, monkeypatch):
        def cut_off(*given):
            raise OperationalError

        play.in_arena()
        play.in_arena()
        with monkeypatch.context() as patched:
            patched.setattr(pairing, "_duel_of", cut_off)
            with pytest.raises(OperationalError):
                pair()
        assert not Enrolment.objects.exclude(failures=0).exists()
        assert pair()["paired"] == 1

    def two_declined(self):
        for year in (1, 1, 5, 5):
            play.in_arena(year=year)
        pair()
        duels = list(Duel.objects.order_by("pk"))
        for duel in duels:
            play.decline(duel, "a")
        return duels

    def test_one_that_cannot_be_settled_is_set_aside_and_the_others_go_on(self, monkeypatch):
        first, second = self.two_declined()
        true = pairing._not_to_blame

        def fail(duel):
            if duel == first:
                raise KeyError("wings")
            return true(duel)

        with monkeypatch.context() as patched:
            patched.setattr(pairing, "_not_to_blame", fail)
            play.in_arena(year=5)
            assert pair() == {"settled": 1, "paired": 1}
            pair()
            pair()
        assert Pairing.objects.get(duel=second).settled_at
        aside = Pairing.objects.set_aside().get()
        assert aside.duel == first
        page = english(as_user(player(first, "b"))).get("/inscriptions/").text
        assert "has failed to settle them" in page
        assert pair()["settled"] == 0, "it is left alone"
        client = as_user(StaffFactory())
        assert str(first) in client.get("/etat/").text
        client.post("/etat/", {"row": f"pairing:{aside.pk}"})
        assert pair()["settled"] == 1
        aside.refresh_from_db()
        assert (aside.failures, aside.settled_at is None) == (0, False)

    def test_the_start_proposed_is_an_evening_of_the_school_four_days_later(self):
        duel = play.paired()
        there = duel.starts_at.astimezone(pairing.timezone.get_default_timezone())
        assert (there.hour, there.minute) == (20, 0)
        assert dt.timedelta(days=3) < duel.starts_at - clock.now() < dt.timedelta(days=5)
