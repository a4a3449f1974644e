"""Who reads: a browser signed in as somebody, second factor shown where one is required."""

from allauth.account.internal.flows.login import record_authentication
from django.http import HttpRequest
from django.test import Client

from tests import play
from tests.factories import RefereeFactory, StaffFactory, UserFactory


def as_user(user=None, **options):
    """Return a client of that user, who has shown a second factor; of nobody when there is none."""
    client = Client(**options)
    if user is not None:
        client.force_login(user)
        request = HttpRequest()
        request.session = client.session
        record_authentication(request, user, method="mfa", type="totp")
        request.session.save()
    return client


def as_player(duel, letter, **options):
    return as_user(play.player(duel, letter), **options)


def strangers(duel):
    """Return a client of each kind of person who does not play in the duel, but for who is not signed in."""
    people = {
        "another player": UserFactory(),
        "another referee": RefereeFactory(),
        "staff": StaffFactory(),
    }
    if duel.referee:
        people["its referee"] = duel.referee
    return {kind: as_user(person) for kind, person in people.items()}


def assert_kept_for_players(duel, address):
    """A private page: its players may open it, nobody else may, and no cache may keep it."""
    answer = as_user().get(address)
    assert answer.status_code == 302
    assert answer.url.startswith("/compte/login/")
    for kind, client in strangers(duel).items():  # before the announcement, as if there were no such duel
        assert client.get(address).status_code == (403 if duel.announced_at else 404), kind
    for letter in "ab":
        answer = as_player(duel, letter).get(address)
        assert answer.status_code in (200, 302), letter
        assert "no-store" in answer["Cache-Control"]
        assert "private" in answer["Cache-Control"]


def english(client):
    """Let a client read in English; return it."""
    client.cookies["django_language"] = "en"
    return client
