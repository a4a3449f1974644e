"""When a request came is known before what it brings has arrived."""

from io import BytesIO

import pytest
from django.db import connection
from django.test import RequestFactory
from django.test.client import ClientHandler
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests import play
from tests.duels.readers import as_player

pytestmark = pytest.mark.django_db


class Arriving(BytesIO):
    """What is posted: it notes what the database had been asked as it began to be read."""

    asked_before: list[str] | None = None

    def read(self, *size):
        if self.asked_before is None:
            self.asked_before = [query["sql"] for query in connection.queries]
        return super().read(*size)


def test_lateness_is_judged_by_when_a_request_began_and_not_by_when_it_was_read():
    duel = play.running()
    client = as_player(duel, "a")
    request = RequestFactory().post(reverse("duels:turn", args=[duel.pk]), {"do": "file"})
    request.environ["HTTP_COOKIE"] = f"sessionid={client.cookies['sessionid'].value}; csrftoken={'x' * 32}"
    body = request.environ["wsgi.input"] = Arriving(request.body)
    with CaptureQueriesContext(connection):
        ClientHandler(enforce_csrf_checks=True)(request.environ)
    assert any('AS "read_at"' in sql for sql in body.asked_before)
