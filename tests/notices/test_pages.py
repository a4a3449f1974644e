"""The page of notices, the settings, and the link that stops mail."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from duels import clock
from duels.models import Happening
from notices.actions.telling import drain
from notices.kinds import KINDS, TOURNAMENTS
from notices.models import Notice, Preference
from tests import play
from tests.duels.readers import as_player, as_user, strangers
from tests.factories import RefereeFactory, StaffFactory, UserFactory

from .told import noticed, pair, player, told_and_mailed

pytestmark = pytest.mark.django_db

LINK = re.compile(r"/avis/arret/[\w-]+/")


def page(client, address="/avis/"):
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def many(user, count, read=0):
    """Give a user so many notices, the oldest of them read."""
    duel = play.challenged()
    now = clock.now()
    made = [
        Happening(duel=duel, what="turn_published", at=now, concerns=[], details={"turn": n + 1}) for n in range(count)
    ]
    happenings = Happening.objects.bulk_create(made)
    return Notice.objects.bulk_create(
        Notice(happening=one, user=user, read_at=now if n < read else None) for n, one in enumerate(happenings)
    )


def turns(text):
    """The turns that a page tells of, in its order."""
    return [int(turn) for turn in re.findall(r"Le tour (\d+) est publié\.</button>", text)]


class TestNotices:
    def test_nobody_reads_anothers(self):
        duel = play.challenged()
        drain()
        assert Client().get("/avis/").url.startswith("/compte/login/")
        for client in strangers(duel).values():
            assert duel.name_of("a") not in page(client)
        assert f"{duel.name_of('a')} vous défie." in page(as_player(duel, "b"))

    def test_no_cache_keeps_them(self):
        assert "no-store" in as_user(UserFactory()).get("/avis/")["Cache-Control"]

    def test_without_any_the_page_says_what_to_do(self):
        assert reverse("duels:challenge_new") in page(as_user(UserFactory()))

    def test_unread_first_each_newest_first(self):
        user = UserFactory()
        many(user, 6, read=3)
        assert turns(page(as_user(user))) == [6, 5, 4, 3, 2, 1]
        Notice.objects.filter(user=user, happening__details__turn=6).update(read_at=clock.now())
        assert turns(page(as_user(user))) == [5, 4, 6, 3, 2, 1]

    @pytest.mark.parametrize("read", [0, 10, 25, 45])
    def test_every_notice_stands_on_one_page(self, read):
        user = UserFactory()
        many(user, 45, read=read)
        client, address, seen = as_user(user), "/avis/", []
        while address:
            text = page(client, address)
            seen += turns(text)
            found = re.search(r'rel="next" href="(\?avant=\w+)"', text)
            address = f"/avis/{found[1]}" if found else None
        assert seen == [*range(45, read, -1), *range(read, 0, -1)]

    @pytest.mark.parametrize("avant", ["x1", "n", "n0", "1", "l-1", "n١"])
    def test_a_made_up_page_does_not_exist(self, avant):
        assert as_user(UserFactory()).get("/avis/", {"avant": avant}).status_code == 404

    def test_a_long_page_asks_as_much_as_a_short_one(self, django_assert_max_num_queries):
        user = UserFactory()
        many(user, 40, read=10)
        client = as_user(user)
        with django_assert_max_num_queries(6):
            page(client)

    def test_what_is_unread_and_what_is_read_is_headed_so_on_every_page(self):
        user = UserFactory()
        notices = many(user, 45, read=20)
        client = as_user(user)
        heads = re.compile(r"<h2>([^<]+), les plus récents d’abord</h2>")
        assert heads.findall(page(client)) == ["Non lus"]
        assert heads.findall(page(client, f"/avis/?avant=n{notices[25].pk}")) == ["Non lus", "Lus"]
        assert heads.findall(page(client, f"/avis/?avant=l{notices[5].pk}")) == ["Lus"]

    def test_reading_the_page_marks_nothing(self):
        user = UserFactory()
        many(user, 2)
        page(as_user(user))
        assert user.notices.filter(read_at=None).count() == 2

    def test_one_is_marked_as_read(self):
        user = UserFactory()
        first, second = many(user, 2)
        assert as_user(user).post(f"/avis/{first.pk}/", {"do": "read"}).url == "/avis/"
        assert list(user.notices.filter(read_at=None)) == [second]

    def test_opened_it_is_read_and_leads_to_what_it_tells(self):
        duel = play.challenged()
        drain()
        notice = Notice.objects.get(user=player(duel, "b"))
        client = as_player(duel, "b")
        assert client.post(f"/avis/{notice.pk}/", {"do": "open"}).url == reverse("duels:challenge", args=[duel.pk])
        assert Notice.objects.get().read_at is not None

    def test_what_is_no_longer_true_leads_to_the_duel(self):
        duel = play.running()
        drain()
        play.file(duel, "a")
        notice = Notice.objects.get(user=player(duel, "a"), happening__what="turn_opened")
        answer = as_player(duel, "a").post(f"/avis/{notice.pk}/", {"do": "open"})
        assert answer.url == duel.get_absolute_url()

    def test_nobody_marks_anothers(self):
        owner = UserFactory()
        (notice,) = many(owner, 1)
        assert as_user(UserFactory()).post(f"/avis/{notice.pk}/", {"do": "read"}).status_code == 404
        assert as_user(owner).get(f"/avis/{notice.pk}/").status_code == 405
        assert Notice.objects.get().read_at is None

    def test_all_are_marked_up_to_the_newest_that_was_shown(self):
        user = UserFactory()
        *_older, shown, unseen = many(user, 3)
        as_user(user).post("/avis/tout-lu/", {"up_to": shown.pk})
        assert list(user.notices.filter(read_at=None)) == [unseen]

    @pytest.mark.parametrize("up_to", ["", "x", "-1", "9" * 30])
    def test_all_up_to_nothing_is_refused(self, up_to):
        assert as_user(UserFactory()).post("/avis/tout-lu/", {"up_to": up_to}).status_code == 404

    def test_every_kind_has_its_sentence_in_both_languages(self):
        """Of a duel that is over: whatever is told of it can still be read."""
        duel = play.over()
        user = player(duel, "a")
        details = {"turn": 1, "seat": "b", "position": 1, "winner": "a", "by": "surrender"}
        tournament = {"tournament": "Coupe d’hiver", "slug": "coupe-dhiver", "name": "Alix"}
        for what in KINDS:
            about = {"details": tournament} if what in TOURNAMENTS else {"duel": duel, "details": details}
            happening = Happening.objects.create(what=what, at=clock.now(), concerns=[], **about)
            Notice.objects.create(happening=happening, user=user)
        client = as_user(user)
        for language in ("fr", "en"):
            client.cookies["django_language"] = language
            lasts = Notice.objects.order_by("-pk").values_list("pk", flat=True)[19::20]
            text = page(client) + "".join(page(client, f"/avis/?avant=n{last}") for last in lasts)
            said = set(re.findall(r"</span> ([^<]+)</button>", text))
            assert len(said) >= len(KINDS)
            assert "%(" not in text


class TestUnreadCount:
    def test_the_menu_says_how_many(self):
        user = UserFactory()
        many(user, 3, read=1)
        assert "2 non lus" in page(as_user(user), "/duels/")
        assert "non lu" not in page(as_user(UserFactory()), "/duels/")

    def test_it_costs_no_query(self):
        """It comes along with the user, for everybody, notices or not."""
        duel = play.running()
        for count in (0, 3):
            user = UserFactory()
            many(user, count)
            client = as_user(user)
            with CaptureQueriesContext(connection) as captured:
                page(client, duel.get_absolute_url())
            asked = [query["sql"] for query in captured if "notices_notice" in query["sql"]]
            assert len(asked) == 1
            assert 'FROM "auth_user"' in asked[0]


def chosen(client, **changes):
    """What the settings' form holds as it is shown, with changes; None takes a box away."""
    text = page(client, "/reglages/")
    boxes = re.findall(r'<input[^>]*type="checkbox"[^>]*name="([\w-]+)"[^>]*checked', text)
    form = dict.fromkeys(boxes, "on") | {"language": "fr", "zone": "Europe/Paris", "mail": "on"} | changes
    return {name: value for name, value in form.items() if value is not None}


class TestSettings:
    def test_for_members_only(self):
        assert Client().get("/reglages/").url.startswith("/compte/login/")

    def test_they_start_as_the_site_has_it_and_as_the_reader_reads(self):
        client = as_user(UserFactory())
        client.cookies["django_language"] = "en"
        client.cookies["tz"] = "America/Montreal"
        text = page(client, "/reglages/")
        assert '<option value="America/Toronto" selected>' in text  # as Montreal's zone is called today
        assert '<option value="en" selected>' in text
        assert re.search(r'name="challenged-mail"[^>]* checked', text)
        assert not re.search(r'name="filed-mail"[^>]* checked', text)

    def test_they_show_what_mail_is_written_in(self):
        duel = play.challenged(**pair())
        client = as_player(duel, "b")
        client.cookies["django_language"], client.cookies["tz"] = "en", "UTC"
        client.get("/duels/")
        (letter,) = told_and_mailed()
        assert letter.body.startswith(f"{duel.name_of('a')} challenges you.")
        assert re.search(r"^Until: .* UTC$", letter.body, re.MULTILINE)
        text = page(client, "/reglages/")
        assert '<option value="en" selected>' in text
        assert '<option value="UTC" selected>' in text

    def test_what_was_chosen_is_not_unlearnt_in_another_browser(self):
        user = UserFactory()
        Preference.objects.create(user=user, language="fr", zone="Pacific/Auckland")
        client = as_user(user)
        client.cookies["django_language"], client.cookies["tz"] = "en", "UTC"
        client.post("/langue/setlang/", {"language": "en"})
        preference = Preference.objects.get(user=user)
        assert (preference.language, preference.zone) == ("en", "Pacific/Auckland")

    def test_a_browser_in_which_no_language_was_chosen_shows_the_members_own(self):
        user = UserFactory()
        Preference.objects.create(user=user, language="en")
        assert '<html lang="en">' in page(as_user(user), "/reglages/")

    def test_each_kind_can_be_switched_off_by_each_way(self):
        user = UserFactory()
        client = as_user(user)
        body = chosen(client, **{"turn_opened-mail": None, "filed-page": None, "filed-mail": "on"})
        assert client.post("/reglages/", body).status_code == 302
        preference = Preference.objects.get(user=user)
        assert preference.wants("turn_opened", "page")
        assert not preference.wants("turn_opened", "mail")
        assert (preference.wants("filed", "page"), preference.wants("filed", "mail")) == (False, True)
        assert not re.search(r'name="turn_opened-mail"[^>]* checked', page(client, "/reglages/"))

    def test_language_and_zone_are_kept_and_the_pages_follow(self):
        user = UserFactory()
        client = as_user(user)
        answer = client.post("/reglages/", chosen(client, language="en", zone="Pacific/Auckland"), follow=True)
        preference = Preference.objects.get(user=user)
        assert (preference.language, preference.zone) == ("en", "Pacific/Auckland")
        assert '<html lang="en">' in answer.content.decode()
        assert "Your settings are saved." in answer.content.decode()

    def test_no_mail_at_all(self):
        duel = play.challenged(**pair())
        client = as_player(duel, "b")
        client.post("/reglages/", chosen(client, mail=None))
        assert told_and_mailed() == []
        assert noticed(player(duel, "b")) == ["challenged"]

    @pytest.mark.parametrize("wrong", [{"language": "xx"}, {"zone": "Mars/Olympus"}])
    def test_what_is_no_choice_is_refused_and_changes_nothing(self, wrong):
        client = as_user(UserFactory())
        answer = client.post("/reglages/", chosen(client, **wrong))
        assert answer.status_code == 422
        assert not Preference.objects.exists()

    def test_referees_find_what_concerns_referees(self):
        assert 'name="turn_locked-mail"' in page(as_user(RefereeFactory()), "/reglages/")
        assert 'name="turn_locked-mail"' not in page(as_user(UserFactory()), "/reglages/")

    def test_what_was_not_shown_stays_as_it_was(self):
        user = UserFactory()
        Preference.objects.create(user=user, ways={"turn_locked": ["page"]})
        client = as_user(user)
        client.post("/reglages/", chosen(client))
        assert Preference.objects.get(user=user).ways["turn_locked"] == ["page"]

    def test_the_switch_of_languages_is_followed_by_a_members_mail(self):
        user = UserFactory()
        client = as_user(user)
        client.cookies["tz"] = "America/Montreal"
        client.post("/langue/setlang/", {"language": "en", "next": "/duels/"})
        preference = Preference.objects.get(user=user)
        assert (preference.language, preference.zone) == ("en", "America/Montreal")

    def test_the_switch_keeps_nothing_of_a_stranger_or_of_a_made_up_language(self):
        Client().post("/langue/setlang/", {"language": "en"})
        as_user(UserFactory()).post("/langue/setlang/", {"language": "xx"})
        assert not Preference.objects.exists()


class TestStop:
    """The link in a mail: no login, a confirmation, and nothing but mail is stopped."""

    @pytest.fixture
    def duel(self):
        return play.challenged(**pair())

    @pytest.fixture
    def link(self, duel):
        (letter,) = told_and_mailed()
        return LINK.search(letter.body)[0]

    def test_it_asks_first_and_changes_nothing_by_itself(self, link):
        text = page(Client(), link)
        assert "Quelqu’un me défie" in text
        assert not Preference.objects.exists()

    def test_it_stops_mail_of_its_kind(self, link, duel):
        assert Client().post(link).status_code == 200
        preference = Preference.objects.get(user=player(duel, "b"))
        assert not preference.wants("challenged", "mail")
        assert preference.wants("challenged", "page")
        assert preference.wants("turn_opened", "mail")

    @pytest.mark.parametrize("body", [{"everything": "1"}, {"List-Unsubscribe": "One-Click"}])
    def test_it_stops_all_mail_also_when_a_mail_program_asks(self, link, duel, body):
        assert Client(enforce_csrf_checks=True).post(link, body).status_code == 200
        assert not Preference.objects.get(user=player(duel, "b")).mail

    def test_the_page_says_of_nobody_who_they_are(self, link, duel):
        text = page(Client(), link)
        assert player(duel, "b").username not in text
        assert duel.name_of("a") not in text
        assert Client().get(link)["Referrer-Policy"] == "no-referrer"

    def test_a_link_that_was_revoked_or_made_up_leads_nowhere(self, link, duel):
        as_player(duel, "b").post("/reglages/liens/")
        for address in (link, "/avis/arret/made-up/"):
            assert Client().get(address).status_code == 404
            assert Client().post(address).status_code == 404
        assert not Preference.objects.exists()

    def test_nobody_revokes_anothers(self, link):
        as_user(UserFactory()).post("/reglages/liens/")
        assert page(Client(), link)

    def test_one_who_has_yet_to_show_a_second_factor_may_stop_mail(self, link):
        client = Client()
        client.force_login(StaffFactory())
        assert client.get(link).status_code == 200


def test_time_zones_stand_by_region():
    form = as_user(UserFactory()).get(reverse("notices:settings")).context["form"]
    regions = dict(form.fields["zone"].choices)
    assert ("Europe/Paris", "Paris (Europe)") in regions["Europe"]
    assert ("America/Argentina/Ushuaia", "Ushuaia (America/Argentina)") in regions["Amérique"]
    assert list(regions.values())[-1] == [("UTC", "UTC")]
    offered = {zone for zones in regions.values() for zone, _name in zones}
    assert not offered & {"Africa/Asmera", "Asia/Calcutta", "America/Montreal", "GMT0", "US/Eastern", "Etc/UTC"}
    assert {"Africa/Asmara", "Asia/Kolkata", "Europe/Oslo"} <= offered


@pytest.mark.parametrize(
    ("kept", "shown"), [("Asia/Calcutta", "Asia/Kolkata"), ("Etc/UTC", "UTC"), ("Etc/GMT+5", "Etc/GMT+5")]
)
def test_a_zone_is_shown_by_its_name_of_today(kept, shown):
    user = UserFactory()
    Preference.objects.create(user=user, zone=kept)
    client = as_user(user)
    assert f'<option value="{shown}" selected>' in page(client, "/reglages/")
    assert client.post("/reglages/", chosen(client, zone=shown)).status_code == 302
