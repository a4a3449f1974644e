"""What stands around signing in: cookies, the password again before changes, the log of who came and went."""

import logging

import pytest

from config.settings import MIDDLEWARE
from tests.config.people import PASSWORD, code_now, sign_in, somebody, with_authenticator
from tests.config.test_settings import PUBLIC, manage

pytestmark = pytest.mark.django_db


def public_setting(name):
    said = f"from django.conf import settings; print(settings.{name})"
    return manage("shell", "--no-imports", "-c", said, **PUBLIC).stdout.strip()


def test_on_a_public_site_cookies_are_for_this_host_alone():
    names = public_setting("SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME")
    assert names == "__Host-session __Host-csrf"
    assert public_setting("SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE") == "True True"
    assert public_setting("SESSION_COOKIE_DOMAIN, settings.CSRF_COOKIE_DOMAIN") == "None None"
    assert public_setting("SESSION_COOKIE_PATH, settings.CSRF_COOKIE_PATH") == "/ /"


def test_scripts_read_neither_session_nor_token(client):
    somebody()
    sign_in(client, "alma")
    client.get("/")
    for name in ("sessionid", "csrftoken"):
        assert client.cookies[name]["httponly"], name
        assert client.cookies[name]["samesite"] == "Lax", name


def test_a_session_lasts_two_weeks_however_often_one_comes_back(client):
    somebody()
    sign_in(client, "alma")
    assert client.cookies["sessionid"]["max-age"] == 14 * 24 * 3600
    client.cookies["sessionid"]["max-age"] = "unchanged"
    client.get("/")
    assert client.cookies["sessionid"]["max-age"] == "unchanged"


def test_static_files_have_the_policy_too():
    order = [name.rpartition(".")[2] for name in MIDDLEWARE]
    assert order.index("CSPMiddleware") < order.index("WhiteNoiseMiddleware")


class TestThePasswordAgain:
    @pytest.fixture
    def signed_in_a_while_ago(self, client):
        user = somebody()
        client.force_login(user)  # no password was typed in this session
        return user

    def test_is_asked_for_before_an_address_is_added(self, client, signed_in_a_while_ago):
        answer = client.post("/compte/email/", {"action_add": "", "email": "other@example.org"})
        assert answer.status_code == 302
        assert answer.url.startswith("/compte/reauthenticate/")
        assert signed_in_a_while_ago.emailaddress_set.count() == 1

    def test_is_part_of_changing_it(self, client, signed_in_a_while_ago):
        form = {"oldpassword": "mandragore-17", "password1": "x" * 20, "password2": "x" * 20}
        assert client.post("/compte/password/change/", form).status_code == 200
        signed_in_a_while_ago.refresh_from_db()
        assert signed_in_a_while_ago.check_password(PASSWORD)

    def test_a_new_password_ends_the_other_sessions(self, client):
        somebody()
        sign_in(client, "alma")
        elsewhere = type(client)()
        sign_in(elsewhere, "alma")
        client.post(
            "/compte/password/change/",
            {"oldpassword": PASSWORD, "password1": "w" * 9 + "y", "password2": "w" * 9 + "y"},
        )
        assert client.get("/avis/").status_code == 200
        assert elsewhere.get("/avis/").status_code == 302


class TestTheLog:
    @pytest.fixture
    def said(self, caplog):
        caplog.set_level(logging.INFO, "security")
        return lambda: [record.getMessage() for record in caplog.records if record.name == "security"]

    def test_who_signs_in_and_out_is_noted_by_their_key(self, client, said):
        user = somebody()
        sign_in(client, "alma")
        client.post("/compte/logout/")
        assert said() == [f"account {user.pk} signed in", f"account {user.pk} signed out"]

    def test_a_try_that_failed_is_noted_without_what_was_typed(self, client, said, caplog):
        somebody()
        sign_in(client, "alma", "mandragore-secrete")
        sign_in(client, "mandragore-secrete", "alma")
        assert said() == ["somebody failed to sign in"] * 2
        assert "mandragore" not in caplog.text

    def test_a_wrong_code_is_noted(self, client, said):
        user = somebody()
        secret = with_authenticator(user)
        sign_in(client, "alma")
        wrong = f"{(int(code_now(secret)) + 1) % 1_000_000:06}"
        client.post("/compte/2fa/authenticate/", {"code": wrong})
        assert said() == [f"account {user.pk} failed to show the second factor"]

    def test_a_new_password_is_noted(self, client, said):
        user = somebody()
        sign_in(client, "alma")
        new = "une-autre-plume-43"
        client.post("/compte/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
        assert f"account {user.pk} changed the password" in said()

    def test_its_hours_are_in_utc_whatever_the_zone_of_the_site(self):
        handler = logging.getLogger("django").handlers[0]
        entry = logging.LogRecord("security", logging.INFO, "", 0, "account 1 signed in", None, None)
        entry.created, entry.msecs = 1_774_742_400.0, 0.0  # 29 March 2026, midnight in Greenwich
        assert handler.format(entry) == "2026-03-29 00:00:00,000Z INFO security: account 1 signed in"
