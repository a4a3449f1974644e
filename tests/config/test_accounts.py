"""Signing up, signing in, and a new password for who forgot the old one."""

import datetime as dt
import re

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.accounts import AccountBackend
from config.management.commands.demo import doors
from duels import clock
from duels.demo.cast import PASSWORD as PUBLIC
from duels.demo.cast import characters, gather
from tests.config.people import PASSWORD, promote, sign_in, somebody

pytestmark = pytest.mark.django_db

CODE = re.compile(r"^\s*([A-Z0-9]{3,}-?[A-Z0-9]{3,})\s*$", re.MULTILINE)


def mailed_code(mailbox) -> str:
    return CODE.search(mailbox[-1].body)[1]


def sign_up(client, name="alma"):
    fields = {"username": name, "email": f"{name}@example.org", "password1": PASSWORD, "password2": PASSWORD}
    return client.post("/compte/signup/", fields)


def is_in(client) -> bool:
    return "_auth_user_id" in client.session


def test_nobody_is_in_before_the_address_is_confirmed(client):
    response = sign_up(client)
    assert response.status_code == 302
    assert response.url == "/compte/confirm-email/"
    assert not is_in(client)
    assert not is_in_after_signing_in(client, "alma")


def is_in_after_signing_in(client, login) -> bool:
    sign_in(client, login)
    return is_in(client)


def test_the_code_in_the_mail_confirms_the_address(client, mailoutbox, settings):
    sign_up(client)
    assert mailoutbox[-1].to == ["alma@example.org"]
    assert settings.SITE_NAME in mailoutbox[-1].body
    assert "testserver" not in mailoutbox[-1].body
    client.post("/compte/confirm-email/", {"code": mailed_code(mailoutbox)})
    assert is_in(client)
    assert User.objects.get().emailaddress_set.get().verified


def test_mail_speaks_as_the_pages_did_on_which_one_signed_up(client):
    client.cookies["django_language"], client.cookies["tz"] = "en", "America/Montreal"
    sign_up(client)
    kept = User.objects.get().preference
    assert (kept.language, kept.zone) == ("en", "America/Montreal")


def test_what_is_wrong_in_a_form_is_summed_up_at_its_top(client):
    text = client.post("/compte/signup/", {"username": "al", "email": "no", "password1": "x", "password2": "y"}).text
    summary = text.partition('id="errors"')[2].partition("</div>")[0]
    assert all(f'href="#id_{field}"' in summary for field in ("username", "email", "password1"))
    assert 'id="errors"' not in client.get("/compte/signup/").text


def test_a_wrong_code_confirms_nothing(client, mailoutbox):
    sign_up(client)
    response = client.post("/compte/confirm-email/", {"code": "ABC-DEF"})
    assert response.status_code == 200
    assert not User.objects.filter(emailaddress__verified=True).exists()


def test_no_secret_travels_in_an_address(client, mailoutbox):
    sign_up(client)
    somebody("basile")
    client.post("/compte/password/reset/", {"email": "basile@example.org"})
    codes = [CODE.search(mail.body)[1] for mail in mailoutbox]
    links = [link for mail in mailoutbox for link in re.findall(r"https?://\S+", mail.body)]
    assert len(codes) == 2
    assert not [link for link in links if any(code in link for code in codes)]


@pytest.mark.parametrize("login", ["alma", "alma@example.org", "Alma@Example.org"])
def test_one_signs_in_by_name_or_by_address(client, login):
    somebody("alma")
    response = sign_in(client, login)
    assert response.status_code == 302
    assert is_in(client)


def test_who_has_signed_in_is_told_so_whoever_they_are(client):
    somebody("basile")
    sign_in(client, "basile")
    assert "Connexion réussie\u00a0: basile." in client.get("/duels/").text
    client.post("/compte/logout/")
    assert "Mot de passe oublié\u00a0?" in client.get("/compte/login/").text


def test_a_wrong_password_lets_nobody_in(client):
    somebody("alma")
    response = sign_in(client, "alma", "mandragore-99")
    assert response.status_code == 200
    assert not is_in(client)


def test_a_closed_account_lets_nobody_in(client):
    somebody("alma", is_active=False)
    sign_in(client, "alma")
    assert not is_in(client)


def test_a_forgotten_password_is_changed_by_a_code(client, mailoutbox):
    somebody("alma")
    client.post("/compte/password/reset/", {"email": "alma@example.org"})
    client.post("/compte/password/reset/confirm/", {"code": mailed_code(mailoutbox)})
    client.post("/compte/password/reset/complete/", {"password1": "nuit-de-sabbat-7", "password2": "nuit-de-sabbat-7"})
    client.logout()
    sign_in(client, "alma", "nuit-de-sabbat-7")
    assert is_in(client)


def test_asking_for_an_unknown_address_tells_nothing(client):
    somebody("alma")
    known = client.post("/compte/password/reset/", {"email": "alma@example.org"})
    unknown = client.post("/compte/password/reset/", {"email": "nobody@example.org"})
    assert (known.status_code, known.url) == (unknown.status_code, unknown.url)


def test_a_get_signs_nobody_out(client):
    somebody("alma")
    sign_in(client, "alma")
    client.get("/compte/logout/")
    assert is_in(client)
    client.post("/compte/logout/")
    assert not is_in(client)


def test_the_clock_is_read_with_who_asks_whatever_is_logged(settings):
    """With DEBUG the queries are logged with their parameters, which once more unescapes the signs of the clock."""
    settings.DEBUG = True
    user = somebody("alma")
    with CaptureQueriesContext(connection):  # by Django's debug cursor
        known = AccountBackend().get_user(user.pk)
    assert abs(known.read_at - clock.now()) < dt.timedelta(seconds=5)
    assert known.read_at.tzinfo is not None


class TestDoors:
    """What the pages to sign in and to sign up say."""

    @pytest.mark.parametrize("address", ["/compte/login/", "/compte/signup/"])
    def test_they_lead_to_each_other(self, client, address):
        said = client.get(address).content.decode()
        other = {"/compte/login/": "/compte/signup/", "/compte/signup/": "/compte/login/"}[address]
        main = said[said.index("<main") :]
        assert f'href="{other}"' in main
        assert "merci de vous" not in main
        assert "Vous pouvez donc" not in main

    def test_no_code_by_mail_takes_the_place_of_a_password(self, client):
        """It would be one factor less: whoever reads the mail would be in."""
        assert "/compte/login/code/" not in client.get("/compte/login/").content.decode()
        assert client.get("/compte/login/code/").status_code == 404

    def test_a_demonstration_says_who_can_sign_in(self, client, settings):
        assert PUBLIC not in client.get("/compte/login/").content.decode()
        settings.DEMO = True
        said = client.get("/compte/login/").content.decode()
        gather(characters())
        for user in User.objects.all():
            assert user.username in said
        assert PUBLIC in said
        assert PUBLIC in doors()
        assert PUBLIC not in client.get("/compte/signup/").content.decode()

    def test_what_was_typed_is_kept(self, client):
        assert 'value="alma"' in sign_in(client, "alma", "mandragore-99").content.decode()

    def test_where_one_was_going_is_kept(self, client):
        assert 'value="/duels/"' in client.get("/compte/login/?next=/duels/").content.decode()


def test_an_icon_stands_where_browsers_look_for_it(client):
    assert client.get("/favicon.ico").url == "/static/img/favicon.ico"
    assert finders.find("img/favicon.ico")


@pytest.mark.urls("tests.config.urls")
class TestQueries:
    """What the frame of every page costs."""

    def test_a_stranger_costs_none(self, client, django_assert_num_queries):
        with django_assert_num_queries(0):
            client.get("/bare/")

    def test_a_member_costs_the_session_and_the_user(self, client, django_assert_num_queries):
        client.force_login(somebody("alma"))
        with django_assert_num_queries(2):
            client.get("/bare/")

    def test_a_referee_costs_no_more(self, client, settings, django_assert_num_queries):
        settings.DEMO = True
        client.force_login(promote(somebody("rufus")))
        with django_assert_num_queries(2):
            page = client.get("/bare/")
        assert b'href="/arbitrage/"' in page.content

    def test_the_queue_is_shown_to_referees_only(self, client):
        client.force_login(somebody("alma"))
        assert b'href="/arbitrage/"' not in client.get("/bare/").content


def test_signing_up_speaks_the_french_of_the_site(client, mailoutbox):
    page = client.get("/compte/signup/").content.decode()
    sign_up(client)
    assert "Voici le code qui confirme votre adresse électronique." in mailoutbox[-1].body
    assert "code de connexion" not in mailoutbox[-1].body
    assert "Adresse électronique" in page
    assert "E-mail" not in page
