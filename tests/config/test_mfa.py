"""Referees and staff do nothing without a second factor."""

import re

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User

from tests.config.people import PASSWORD, code_now, promote, sign_in, somebody, with_authenticator

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.config.urls")]

SETUP = "/compte/2fa/totp/activate/"
SHOW = "/compte/2fa/reauthenticate/"
PROVE = "/compte/2fa/authenticate/"


def path_of(response) -> str:
    assert response.status_code == 302
    return response.url.partition("?")[0]


@pytest.fixture(params=["referee", "staff", "superuser"])
def bound(request) -> User:
    """Somebody who must have a second factor."""
    if request.param == "referee":
        return promote(somebody("rufus"))
    return somebody("rufus", is_staff=True, is_superuser=request.param == "superuser")


def test_a_member_needs_none(client):
    somebody("alma")
    sign_in(client, "alma")
    assert client.get("/bare/").status_code == 200


def test_who_needs_one_is_sent_to_set_it_up(client, bound):
    sign_in(client, "rufus")
    for address in ("/bare/", "/admin/", "/compte/password/change/", "/compte/2fa/recovery-codes/"):
        assert path_of(client.get(address)) == SETUP
    assert path_of(client.post("/bare/")) == SETUP


def test_even_the_admins_own_way_out_of_a_session_waits(client, bound):
    sign_in(client, "rufus")
    assert path_of(client.get("/admin/login/")) == SETUP


def test_signing_out_stays_open(client, bound):
    sign_in(client, "rufus")
    client.post("/compte/logout/")
    assert "_auth_user_id" not in client.session


@pytest.mark.django_db(transaction=True)
def test_setting_it_up_opens_the_site(client, bound):
    sign_in(client, "rufus")
    client.post("/compte/reauthenticate/", {"password": PASSWORD})
    page = client.get(SETUP).content.decode()
    secret = re.search(r'value="([A-Z2-7]{32})"', page)[1]
    client.post(SETUP, {"code": code_now(secret)})
    assert client.get("/compte/2fa/recovery-codes/").status_code == 200
    assert client.get("/bare/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_who_has_just_signed_in_sets_it_up_without_typing_the_password_again(client, bound):
    sign_in(client, "rufus")
    page = client.get(SETUP)
    assert page.status_code == 200
    secret = re.search(r'value="([A-Z2-7]{32})"', page.content.decode())[1]
    client.post(SETUP, {"code": code_now(secret)})
    assert client.get("/compte/2fa/recovery-codes/").status_code == 200
    assert client.get("/bare/").status_code == 200


def secret_on(page):
    return re.search(r'value="([A-Z2-7]{32})"', page.content.decode())[1]


def test_what_was_scanned_stays_true_when_the_page_is_loaded_anew_or_a_code_was_wrong(client, bound):
    sign_in(client, "rufus")
    secret = secret_on(client.get(SETUP))
    assert secret_on(client.get(SETUP)) == secret
    assert secret_on(client.post(SETUP, {"code": "abc"})) == secret
    assert secret_on(client.get(SETUP)) == secret


def test_another_session_scans_another_secret(client, bound):
    sign_in(client, "rufus")
    secret = secret_on(client.get(SETUP))
    client.post("/compte/logout/")
    sign_in(client, "rufus")
    assert secret_on(client.get(SETUP)) != secret


@pytest.mark.django_db(transaction=True)
def test_setting_it_up_leads_on_to_the_page_that_one_wanted(client, bound):
    sign_in(client, "rufus")
    client.get("/bare/?of=that")
    codes = client.post(SETUP, {"code": code_now(secret_on(client.get(SETUP)))}, follow=True)
    assert codes.request["PATH_INFO"] == "/compte/2fa/recovery-codes/"
    assert '<a href="/bare/?of=that">Aller à la page que vous demandiez</a>' in codes.content.decode()
    assert "Aller à la page que" not in client.get("/compte/2fa/recovery-codes/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_form_that_was_turned_away_is_not_gone_on_to(client, bound):
    sign_in(client, "rufus")
    client.post("/bare/")
    codes = client.post(SETUP, {"code": code_now(secret_on(client.get(SETUP)))}, follow=True)
    assert "Aller à la page que" not in codes.content.decode()


def test_who_signed_in_a_while_ago_types_the_password_first(client, bound):
    sign_in(client, "rufus")
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 301
    session.save()
    assert path_of(client.get(SETUP)) == "/compte/reauthenticate/"


def test_a_password_alone_is_not_enough_where_there_is_a_second_factor(client):
    """A member, who may go without one: switching it off asks for more than the password of a while ago."""
    user = somebody("alma")
    sign_in(client, "alma")
    with_authenticator(user)
    assert path_of(client.get("/compte/2fa/totp/deactivate/")).endswith("/reauthenticate/")


def test_the_next_time_the_code_is_asked_for(client, bound):
    secret = with_authenticator(bound)
    assert path_of(sign_in(client, "rufus")) == PROVE
    assert "_auth_user_id" not in client.session
    client.post(PROVE, {"code": code_now(secret)})
    assert client.get("/bare/").status_code == 200


def test_a_wrong_code_lets_nobody_in(client, bound):
    secret = with_authenticator(bound)
    sign_in(client, "rufus")
    wrong = "000000" if code_now(secret) != "000000" else "111111"
    client.post(PROVE, {"code": wrong})
    assert "_auth_user_id" not in client.session


def test_a_session_opened_without_it_must_show_it(client, bound):
    secret = with_authenticator(bound)
    client.force_login(bound)
    assert path_of(client.get("/bare/")) == SHOW
    client.post(f"{SHOW}?next=/bare/", {"code": code_now(secret)})
    assert client.get("/bare/").status_code == 200


@pytest.mark.parametrize(
    "address", [SETUP, "/compte/2fa/", "/compte/2fa/totp/deactivate/", "/compte/email/", "/compte/reauthenticate/"]
)
def test_such_a_session_cannot_go_round_it(client, bound, address):
    with_authenticator(bound)
    client.force_login(bound)
    assert path_of(client.get(address)) == SHOW
    assert path_of(client.post(address)) == SHOW


def test_a_promotion_takes_effect_at_the_next_page(client):
    user = somebody("alma")
    sign_in(client, "alma")
    assert client.get("/bare/").status_code == 200
    promote(user)
    assert path_of(client.get("/bare/")) == SETUP
    user.groups.clear()
    assert client.get("/bare/").status_code == 200


def test_who_needs_one_cannot_put_it_off_again(client, bound):
    secret = with_authenticator(bound)
    sign_in(client, "rufus")
    client.post(PROVE, {"code": code_now(secret)})
    client.post("/compte/2fa/totp/deactivate/")
    assert Authenticator.objects.filter(user=bound, type="totp").exists()


def test_its_secret_is_not_kept_in_clear():
    secret = with_authenticator(somebody("alma"))
    assert secret not in str(Authenticator.objects.get().data)


class TestAdmin:
    """The admin has no door of its own."""

    def test_its_door_is_the_sites(self, client):
        response = client.get("/admin/login/")
        assert path_of(response) == "/compte/login/"

    def test_no_password_is_taken_there(self, client):
        somebody("rufus", is_staff=True, is_superuser=True)
        client.post("/admin/login/", {"username": "rufus", "password": "plume-de-hibou-42"})
        assert "_auth_user_id" not in client.session

    def test_members_are_refused(self, client):
        client.force_login(somebody("alma"))
        assert client.get("/admin/login/").status_code == 403


class TestDemo:
    """The demo lets its referees in without one, and says so."""

    @pytest.fixture(autouse=True)
    def _demo(self, settings):
        settings.DEMO = True

    def test_its_referees_come_in(self, client):
        promote(somebody("rufus"))
        sign_in(client, "rufus")
        assert client.get("/bare/").status_code == 200

    def test_every_page_says_so(self, client):
        for address in ("/bare/", "/compte/login/", "/nulle-part/"):
            assert b'class="demo-banner"' in client.get(address).content

    def test_its_staff_do_not(self, client):
        somebody("rufus", is_staff=True)
        sign_in(client, "rufus")
        assert path_of(client.get("/bare/")) == SETUP

    def test_elsewhere_nothing_is_said(self, client, settings):
        settings.DEMO = False
        assert b"demo-banner" not in client.get("/bare/").content
