"""Registering at the desk: on what terms, what stops somebody, and leaving the line."""

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from duels import clock
from duels.actions.spell_challenges import Registration
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import CarriedOver
from tests import spells_play
from tests.duels.purses import give
from tests.duels.readers import as_user
from tests.duels.test_clandestine import write_together
from tests.factories import DuellistFactory, StaffFactory, UserFactory
from tournaments.desk.actions.registering import register_for_arena, withdraw
from tournaments.desk.conditions import obstacles
from tournaments.models import Enrolment

from . import play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_english")]


class TestTheArena:
    def test_a_duellist_waits_once(self):
        enrolment = play.in_arena()
        assert enrolment.is_waiting
        with pytest.raises(Invalid, match="registered already"):
            play.in_arena(enrolment.duellist)
        assert Enrolment.objects.count() == 1

    def test_the_same_duellist_may_wait_for_a_spell_duel_too(self):
        duellist = spells_play.fighter()
        play.in_arena(duellist)
        play.in_spells(duellist)
        assert Enrolment.objects.waiting().count() == 2

    def test_one_registers_ones_own(self):
        duellist = DuellistFactory()
        with pytest.raises(NotAllowed):
            register_for_arena(user=UserFactory(), duellist=duellist, kind="training", turn_hours=48, refereed=False)

    def test_a_stake_stays_within_the_purse(self):
        duellist = DuellistFactory()
        give(duellist, 10)
        with pytest.raises(Invalid, match="10 at present") as refused:
            play.in_arena(duellist, stake_currency="liards", stake_least=5, stake_most=11)
        assert refused.value.field == "stake_most"
        assert play.in_arena(duellist, stake_currency="liards", stake_least=5, stake_most=10).stake_most == 10

    def test_a_clandestine_duel_is_for_students_who_have_written_with_another(self):
        with pytest.raises(Invalid, match="students only"):
            play.in_arena(kind="clandestine")
        one, other = DuellistFactory(year=2), DuellistFactory(year=4)
        write_together(one, other, posts=2)
        with pytest.raises(Invalid, match="has none so far"):
            play.in_arena(one, kind="clandestine")
        write_together(one, other)
        assert play.in_arena(one, kind="clandestine").is_waiting

    @pytest.mark.parametrize(
        ("terms", "field"),
        [
            ({"kind": "brawl"}, "kind"),
            ({"stake_least": 3, "stake_most": 2, "stake_currency": "liards"}, "stake_most"),
            ({"stake_most": 2, "stake_currency": "frogs"}, "stake_currency"),
            ({"stake_most": 2, "stake_currency": "liards", "kind": "tournament"}, "kind"),
        ],
    )
    def test_terms_that_are_none_are_refused(self, terms, field):
        duellist = DuellistFactory()
        give(duellist, 10)
        with pytest.raises(Invalid) as refused:
            play.in_arena(duellist, **terms)
        assert refused.value.field == field
        assert not Enrolment.objects.exists()


class TestSpells:
    def test_a_newcomer_is_told_all_that_is_missing(self):
        duellist = DuellistFactory()
        with pytest.raises(Invalid) as refused:
            play.in_spells(duellist)
        for said in ("one month on the site. (B1.1)", "50 are missing. (B1.1)", "chronology", "names 0 types of magic"):
            assert said in str(refused.value)

    def test_what_staff_carry_over_counts(self):
        duellist = DuellistFactory(in_chronology=True, types=["fire", "air"])
        CarriedOver.objects.create(user=duellist.user, member_since=dt.date(2021, 2, 3), messages=50)
        assert play.in_spells(duellist).is_waiting

    def test_staff_carry_them_over_in_the_admin_which_notes_who_did(self):
        staff, duellist = StaffFactory(), DuellistFactory(in_chronology=True, types=["fire", "air"])
        form = {"user": duellist.user_id, "member_since": "2021-02-03", "messages": 50}
        assert as_user(staff).post(reverse("admin:duels_carriedover_add"), form).status_code == 302
        assert play.in_spells(duellist).is_waiting
        noted = LogEntry.objects.get()
        assert (noted.user, noted.get_edited_object()) == (staff, CarriedOver.objects.get())

    def test_who_waits_for_four_duels_registers_and_is_told_why_they_wait(self):
        duel = play.spell_duel_over()
        duellist = duel.seats.get(letter="a").duellist
        enrolment = play.in_spells(duellist)
        assert [one.code for one in obstacles(enrolment, now=clock.now())] == ["wait"]

    def test_who_is_in_a_spell_duel_does_not_register_for_another(self):
        duel = spells_play.announced(refereed=False)
        with pytest.raises(Invalid, match="one at a time"):
            play.in_spells(duel.seats.get(letter="a").duellist)

    def test_in_free_mode_a_level_and_types_are_chosen(self):
        with pytest.raises(Invalid, match="Choose the level"):
            play.in_spells(mode="free")
        duellist = spells_play.fighter(year=2, homework_year=4, types=[])
        with pytest.raises(Invalid, match="levels 1 to 4"):
            play.in_spells(duellist, mode="free", registration=Registration(5, ("fire",)))
        enrolment = play.in_spells(duellist, mode="free", registration=Registration(4, ("fire",)))
        assert (enrolment.years, enrolment.types) == (4, ["fire"])

    @pytest.mark.parametrize("terms", [{"format": "1v1"}, {"format": "2v2", "mine": True}])
    def test_a_partner_is_somebody_elses_in_a_duel_of_four(self, terms):
        duellist = spells_play.fighter()
        partner = spells_play.fighter(user=duellist.user) if terms.pop("mine", False) else spells_play.fighter()
        with pytest.raises(Invalid) as refused:
            play.in_spells(duellist, partner=partner, **terms)
        assert refused.value.field == "partner"


class TestReferees:
    def test_without_a_referee_who_has_room_one_registers_and_waits(self):
        enrolment = play.in_arena(refereed=True)
        assert [one.code for one in obstacles(enrolment, now=clock.now())] == ["no_referee"]


class TestWithdrawing:
    def test_who_withdraws_waits_no_more_and_may_come_back(self):
        enrolment = play.in_arena()
        assert withdraw(user=enrolment.duellist.user, enrolment_id=enrolment.pk).status == "withdrawn"
        with pytest.raises(TooLate):
            withdraw(user=enrolment.duellist.user, enrolment_id=enrolment.pk)
        assert play.in_arena(enrolment.duellist).is_waiting

    def test_nobody_withdraws_another(self):
        with pytest.raises(Enrolment.DoesNotExist):
            withdraw(user=UserFactory(), enrolment_id=play.in_arena().pk)

    def test_who_is_paired_declines_instead(self):
        enrolment = play.in_arena()
        play.paired(enrolment, play.in_arena())
        with pytest.raises(TooLate, match="decline it"):
            withdraw(user=enrolment.duellist.user, enrolment_id=enrolment.pk)
