"""The pages of the registration desk: what they say, to whom, and what a form leads to."""

import re
from html import unescape

import pytest

from duels.actions.availability import set_availability
from duels.models import Duel
from tests import spells_play
from tests.duels.purses import give
from tests.duels.readers import as_user
from tests.factories import DuellistFactory, RefereeFactory, UserFactory
from tests.notices.test_browser import assert_sound, signed_in
from tests.play import announced, fresh, player
from tournaments.models import Enrolment

from . import play

pytestmark = pytest.mark.django_db(transaction=True)
ARENA = {"kind": "training", "turn_hours": "48", "refereed": "no"}
SPELLS = {"mode": "rp", "format": "1v1", "refereed": "no"}


def main(client, address="/inscriptions/", status=200):
    """Return what stands in the middle of a page, its spaces made one."""
    response = client.get(address)
    assert response.status_code == status
    return middle(response)


def middle(response):
    return re.sub(r"\s+", " ", response.content.decode().split("<main")[1].split("</main")[0])


@pytest.fixture
def member(client):
    """A duellist whose user is signed in."""
    duellist = DuellistFactory()
    client.force_login(duellist.user)
    return duellist


class TestTheDesk:
    def test_it_is_for_members(self, client):
        assert client.get("/inscriptions/").url.startswith("/compte/login/")

    def test_empty_it_says_what_to_do_next(self, client):
        client.force_login(UserFactory())
        page = main(client)
        assert "/duellistes/nouveau/?next=/inscriptions/" in page
        assert "/defis/nouveau/" in page
        assert "/inscriptions/nouvelle/" not in page

    @pytest.mark.parametrize("parts", [{"in_chronology": False}, {"types": []}])
    def test_what_role_play_alone_asks_for_keeps_nobody_from_free_mode(self, client, parts):
        one = spells_play.fighter(**parts)
        client.force_login(one.user)
        page = main(client)
        assert "Duel de sorts en mode libre : oui." in page
        assert page.index("Duel de sorts en mode RP : pas encore.") < page.index(
            "B1.2" if "types" not in parts else "B2.5"
        )
        form = main(client, "/inscriptions/nouvelle/?regles=sorts")
        assert f"{one} peut s’inscrire en mode libre ; en mode RP, pas encore :" in form
        assert "ne peut pas encore" not in form
        other = DuellistFactory()
        challenge = main(client, f"/defis/nouveau/?contre={other.pk}&regles=sorts")
        assert challenge.count("En mode RP seulement :") == 1

    def test_what_both_modes_ask_for_is_said_of_both(self, client, member):
        page = main(client)
        assert page.index("Duel de sorts : pas encore.") < page.index("B1.1") < page.index("Duel de sorts en mode RP")
        assert "mode libre : oui" not in page
        form = main(client, "/inscriptions/nouvelle/?regles=sorts")
        assert form.index("ne peut pas encore") < form.index("B1.1") < form.index("Pour un duel en mode RP")

    def test_it_shows_mine_then_who_is_looking_then_why_i_cannot(self, client, member):
        play.in_arena(member)
        other = play.in_arena(year=6)
        page = main(client)
        assert page.index('id="mine"') < page.index(f"/duellistes/{member.pk}/")
        assert page.index('id="looking"') < page.index(f"/defis/nouveau/?contre={other.duellist.pk}")
        assert page.index('id="may"') < page.index("B1.1")
        assert "2 ans" in page

    def test_it_says_why_somebody_waits(self, client, member):
        play.in_arena(member, refereed=True)
        assert "A14" in main(client).split('id="looking"')[0]
        RefereeFactory()
        assert "A14" not in main(client).split('id="looking"')[0]

    def test_it_lists_the_referees_who_can_take_one_more_duel_and_leads_to_all(self, client, member):
        free, full, away = RefereeFactory(), RefereeFactory(), RefereeFactory()
        set_availability(user=free, is_available=True, at_once=3, note="Le soir.")
        set_availability(user=full, is_available=True, at_once=1)
        set_availability(user=away, is_available=False, at_once=2)
        announced(referee=full)
        listed = main(client).split('id="referees"')[1]
        assert free.username in listed
        assert "suit 0 duel sur 3" in listed
        assert "Le soir." in listed
        assert full.username not in listed
        assert away.username not in listed
        assert 'href="/arbitrage/arbitres/"' in listed
        set_availability(user=free, is_available=False, at_once=3)
        assert "Aucun arbitre" in main(client).split('id="referees"')[1]

    @pytest.mark.parametrize(
        ("years", "said", "unsaid"), [(0, "dans la minute", "an d’écart"), (1, "1 an d’écart", "dans la minute")]
    )
    def test_it_names_no_hour_for_a_pairing_that_is_due(self, client, years, said, unsaid):
        mine = play.in_arena(year=3)
        play.in_arena(year=3 + years)
        client.force_login(mine.duellist.user)
        page = main(client).split('id="looking"')[0]
        assert said in page
        assert unsaid not in page

    def test_it_says_when_students_train_to_who_plays_one(self, client, member, settings):
        settings.TRAINING_HOURS = "wednesday 14:00-17:00"
        assert "14:00" not in main(client)
        DuellistFactory(user=member.user, year=1)
        for address in ("/inscriptions/", "/inscriptions/nouvelle/"):
            assert "14:00" in main(client, address)

    def test_a_pairing_to_confirm_comes_first_here_and_at_home(self, client, member):
        duel = play.paired(play.in_arena(member), play.in_arena())
        for page in (main(client), main(client, "/")):
            assert f"/defis/{duel.pk}/" in page
            assert "confirm" in page

    def test_filters_keep_those_who_are_like_that(self, client, member):
        one, other = play.in_arena(), play.in_spells()
        page = main(client, "/inscriptions/?ruleset=spells&mode=rp")
        assert other.duellist.name in page
        assert one.duellist.name not in page
        assert "?ruleset=arena" not in main(client, "/inscriptions/?ruleset=nonsense&page=x")

    def test_it_pages(self, client, member):
        for _number in range(21):
            play.in_arena(refereed=True)
        assert "?page=2&amp;ruleset=arena#looking" in main(client, "/inscriptions/?ruleset=arena")
        assert main(client, "/inscriptions/?page=2").count("Défier") == 1

    def test_a_partner_who_was_named_is_told(self, client):
        named, naming = spells_play.fighter(), spells_play.fighter()
        play.in_spells(naming, format="2v2", partner=named)
        client.force_login(named.user)
        assert naming.name in main(client).split('id="looking"')[0]
        play.in_spells(named, format="2v2", partner=naming)
        assert 'class="notice"' not in main(client).split('id="looking"')[0]

    def test_a_long_line_takes_no_more_queries(self, client, member, django_assert_max_num_queries):
        play.in_arena(member)
        for _number in range(20):
            play.in_arena()
        with django_assert_max_num_queries(24):
            main(client)


class TestRegistering:
    def test_for_the_arena_with_a_stake(self, client, member):
        give(member, 30)
        form = {**ARENA, "duellist": member.pk, "stake_least": "5", "stake_most": "20", "stake_currency": "liards"}
        assert client.post("/inscriptions/nouvelle/", form).url == "/inscriptions/"
        enrolment = Enrolment.objects.get()
        assert (enrolment.stake_least, enrolment.stake_most, enrolment.refereed) == (5, 20, False)
        assert "de 5 à 20" in main(client)

    def test_what_is_refused_stands_in_the_form_and_nothing_is_lost(self, client, member):
        form = {**ARENA, "duellist": member.pk, "stake_most": "20", "stake_currency": "runes"}
        response = client.post("/inscriptions/nouvelle/", form)
        assert response.status_code == 422
        assert "A3.3" in middle(response)
        assert 'value="20"' in middle(response)
        assert not Enrolment.objects.exists()

    @pytest.mark.parametrize(("kind", "most", "field"), [("tournament", "5", "kind"), ("training", "13", "stake_most")])
    def test_a_stake_that_is_refused_is_refused_at_its_field(self, client, member, kind, most, field):
        give(member, 12)
        form = {**ARENA, "kind": kind, "duellist": member.pk, "stake_most": most, "stake_currency": "liards"}
        response = client.post("/inscriptions/nouvelle/", form)
        assert response.status_code == 422
        assert list(response.context["form"].errors) == [field]

    def test_for_a_spell_duel_what_is_missing_is_said_before_one_asks(self, client, member):
        page = main(client, "/inscriptions/nouvelle/?regles=sorts")
        assert "B1.1" in page.split("<form")[0]
        response = client.post("/inscriptions/nouvelle/?regles=sorts", {**SPELLS, "duellist": member.pk})
        assert response.status_code == 422
        assert "B1.1" in middle(response).split("<form")[1]

    def test_in_free_mode_with_a_level_and_types(self, client):
        duellist = spells_play.fighter()
        client.force_login(duellist.user)
        form = {**SPELLS, "duellist": duellist.pk, "mode": "free", "level": "6", "types": ["fire", "water"]}
        assert client.post("/inscriptions/nouvelle/?regles=sorts", form).status_code == 302
        assert Enrolment.objects.get().level == 6

    @pytest.mark.parametrize(
        ("said", "fields"),
        [
            ({"mode": "free"}, ["level"]),
            ({"mode": "free", "level": "6", "types": ["fire"]}, ["types"]),
            ({"mode": "free", "level": "9"}, ["level"]),
            ({"mode": "rp", "level": "6", "types": ["fire"]}, ["level", "types"]),
            ({"format": "2v2", "partner": "Personne"}, ["partner"]),
        ],
    )
    def test_what_is_wrong_or_does_not_apply_is_said_beside_its_field(self, client, said, fields):
        duellist = spells_play.fighter()
        client.force_login(duellist.user)
        form = {**SPELLS, "duellist": duellist.pk, **said}
        refused = client.post("/inscriptions/nouvelle/?regles=sorts", form)
        assert (refused.status_code, list(refused.context["form"].errors)) == (422, fields)
        shown = unescape(middle(refused).partition("<fieldset")[2])
        assert all(" ".join(refused.context["form"].errors[field][0].split()) in shown for field in fields)
        assert refused.context["form"]["level"].value() == said.get("level")
        assert not Enrolment.objects.exists()

    def test_what_keeps_ones_only_duellist_out_is_said_beside_the_name(self, client, member):
        response = client.post("/inscriptions/nouvelle/?regles=sorts", {**SPELLS, "duellist": member.pk})
        beside = middle(response).partition('id="id_duellist"')[2].partition("</div>")[0]
        assert member.name in beside
        assert "B1.1" in beside

    def test_what_a_clandestine_duel_asks_for_is_said_beside_the_kind(self, client, member):
        form = {**ARENA, "kind": "clandestine", "duellist": member.pk}
        assert list(client.post("/inscriptions/nouvelle/", form).context["form"].errors) == ["kind"]

    def test_somebody_elses_duellist_is_no_choice(self, client, member):
        response = client.post("/inscriptions/nouvelle/", {**ARENA, "duellist": DuellistFactory().pk})
        assert response.status_code == 422
        assert not Enrolment.objects.exists()

    def test_who_has_no_duellist_makes_one_first(self, client):
        client.force_login(UserFactory())
        assert "/duellistes/nouveau/" in main(client, "/inscriptions/nouvelle/")


class TestWithdrawing:
    def test_after_a_word_on_what_it_costs(self, client, member):
        enrolment = play.in_arena(member)
        address = f"/inscriptions/{enrolment.pk}/retrait/"
        assert "<form" in main(client, address)
        assert Enrolment.objects.waiting().exists()
        assert client.post(address).url == "/inscriptions/"
        assert not Enrolment.objects.waiting().exists()
        assert client.post(address).status_code == 409

    def test_nobody_elses(self, client, member):
        assert client.get(f"/inscriptions/{play.in_arena().pk}/retrait/").status_code == 404


class TestConfirming:
    @pytest.mark.parametrize("register", [play.in_arena, play.in_spells])
    def test_the_two_confirm_on_the_page_of_the_duel(self, client, register):
        register(), register()
        duel = play.paired(True)
        address = f"/defis/{duel.pk}/"
        for letter, leads_to in (("a", address), ("b", f"/duels/{duel.pk}/preparation/")):
            client.force_login(player(duel, letter))
            assert 'value="accept"' in main(client, address)
            assert client.post(address, {"action": "accept"}).url == leads_to
            assert 'value="accept"' not in main(client, address)
        assert fresh(duel).status == "announced"

    def test_declining_leads_back_to_the_desk(self, client, member):
        duel = play.paired(play.in_arena(member), play.in_arena())
        assert client.post(f"/defis/{duel.pk}/", {"action": "decline"}).url == "/inscriptions/"
        assert Duel.objects.get().status == "declined"
        assert client.post(f"/defis/{duel.pk}/", {"action": "accept"}).status_code == 409

    def test_the_pairing_is_nobody_elses_business(self, client):
        duel = play.paired()
        client.force_login(UserFactory())
        assert client.get(f"/defis/{duel.pk}/").status_code == 404

    def test_a_wide_gap_is_warned_about_in_role_play(self, client, time):
        play.in_spells(year=3), play.in_spells()
        time.go_on(hours=40)
        duel = play.paired(True)
        client.force_login(player(duel, "a"))
        assert "B1.2" in main(client, f"/defis/{duel.pk}/")


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1200)])
def test_the_pages_are_accessible_and_fit_a_phone(new_reader, scheme, width):
    duellist = spells_play.fighter()
    play.in_arena(duellist)
    play.in_spells(format="2v2")
    pairing = play.paired(play.in_arena(year=1), play.in_arena(year=1))
    screen = {"color_scheme": scheme, "viewport": {"width": width, "height": 740}}
    page = signed_in(new_reader, duellist.user, **screen)
    for address in ("/inscriptions/", "/inscriptions/nouvelle/", "/inscriptions/nouvelle/?regles=sorts"):
        assert_sound(page, address)
    assert not page.is_visible("[name=level]")
    page.check("[name=mode][value=free]")
    assert page.is_visible("[name=level]")
    assert not page.is_visible("[name=partner]")
    page.check("[name=format][value='2v2']")
    assert page.is_visible("[name=partner]")
    assert_sound(signed_in(new_reader, player(pairing, "a"), **screen), f"/defis/{pairing.pk}/")


class TestCapacityOfReferees:
    def test_registering_says_that_no_referee_has_room_before_and_after(self, client, member):
        page = main(client, "/inscriptions/nouvelle/")
        assert "/arbitrage/arbitres/" in page
        answer = client.post(
            "/inscriptions/nouvelle/", {"duellist": member.pk, **ARENA, "refereed": "yes"}, follow=True
        )
        assert "(A14)" in answer.content.decode()
        assert Enrolment.objects.get().is_waiting

    def test_with_a_referee_who_has_room_nothing_is_said(self, client, member):
        RefereeFactory()
        assert "/arbitrage/arbitres/" not in main(client, "/inscriptions/nouvelle/")
        answer = client.post(
            "/inscriptions/nouvelle/", {"duellist": member.pk, **ARENA, "refereed": "yes"}, follow=True
        )
        assert "(A14)" not in answer.content.decode()

    @pytest.fixture
    def busy(self):
        """A referee with room for one more duel, for which another waits that was agreed before."""
        busy = RefereeFactory()
        set_availability(user=busy, is_available=True, at_once=1)
        paired = play.paired(play.in_arena(refereed=True), play.in_arena(refereed=True))
        assert paired.refereed
        return busy

    @pytest.mark.parametrize("path", ["/inscriptions/", "/inscriptions/nouvelle/"])
    def test_beside_a_referee_with_room_it_is_said_who_comes_first(self, client, member, busy, path):
        page = main(client, path)
        assert "Duels que les arbitres peuvent encore prendre : 1. Duels qui en attendent déjà : 1." in page
        assert "Aucun arbitre" not in page

    def test_a_registration_that_waits_says_the_same_as_the_desk(self, client, member, busy):
        play.in_arena(member, refereed=True)
        page = main(client, "/inscriptions/")
        said = "Duels que les arbitres peuvent encore prendre : 1. Duels qui en attendent déjà : 1."
        assert page.count(said) == 2
        assert busy.username in page.partition(said)[2]

    def test_who_has_not_said_may_take_any_number(self, client, member):
        referee = RefereeFactory()
        page = main(client, "/inscriptions/")
        assert referee.username in page
        assert "arbitres peuvent encore prendre" not in page
        assert "Aucun arbitre" not in page

    def test_nobody_counts_on_themselves_as_referee(self):
        referee = RefereeFactory()
        page = main(as_user(referee), "/inscriptions/")
        assert referee.username not in page
        assert "personne n’arbitre ses propres duels" in page
