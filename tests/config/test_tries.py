"""Guessing a password is slow: after a few wrong ones nobody tries that account, or from that address, for a while."""

import pytest
from django.core.cache import cache

from tests.config.people import PASSWORD, somebody

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _limits_as_on_a_public_site(settings):
    settings.ACCOUNT_RATE_LIMITS = {}
    cache.clear()
    yield
    cache.clear()


def signs_in(client, login, password, address="192.0.2.1"):
    form = {"login": login, "password": password}
    client.post("/compte/login/", form, REMOTE_ADDR="10.0.0.1", headers={"X-Forwarded-For": f"1.2.3.4, {address}"})
    return "_auth_user_id" in client.session


def test_after_five_wrong_passwords_the_right_one_waits_too(client, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    somebody("alma")
    for number in range(5):
        assert not signs_in(client, "alma", f"mandragore-{number}", address=f"192.0.2.{number}")
    assert not signs_in(client, "alma", PASSWORD)


def test_behind_a_proxy_one_who_guesses_keeps_nobody_else_out(client, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for name in ("alma", "boris", "colin"):
        somebody(name)
    for number in range(10):
        assert not signs_in(client, ("alma", "boris")[number % 2], f"mandragore-{number}")
    assert not signs_in(client, "colin", PASSWORD)
    assert signs_in(client, "colin", PASSWORD, address="192.0.2.2")
