"""What every page is told, and tells."""

import logging
import sys
from secrets import token_hex

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.views.debug import ExceptionReporter, get_exception_reporter_filter

from config.discretion import WithoutRefusals

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.config.urls")]


@pytest.mark.parametrize("address", ["/bare/", "/compte/login/", "/compte/signup/", "/nulle-part/"])
def test_pages_run_no_script_and_no_style_but_ours(client, address):
    response = client.get(address)
    policy = response["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    page = response.content.decode()
    assert "<style" not in page
    assert " style=" not in page
    assert " onclick=" not in page
    assert page.count("<script") == page.count("<script src=")


def test_pages_say_who_may_frame_them_and_what_they_are(client):
    response = client.get("/bare/")
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"


def test_the_demo_shows_the_page_of_what_is_not_there_as_a_public_site_does(client, settings):
    settings.DEBUG = settings.DEMO = True
    answer = client.get("/nulle-part/")
    assert answer.status_code == 404
    assert "Cette page n’existe pas" in answer.content.decode()
    assert "urlpatterns" not in answer.content.decode()


class TestLanguage:
    """French, until the reader chooses English."""

    def test_french_whatever_the_browser_prefers(self, client):
        page = client.get("/bare/", headers={"accept-language": "en-GB,en"})
        assert '<html lang="fr">' in page.content.decode()

    def test_english_once_chosen(self, client):
        response = client.post("/langue/setlang/", {"language": "en", "next": "/bare/"})
        assert response.url == "/bare/"
        assert '<html lang="en">' in client.get("/bare/").content.decode()

    def test_a_made_up_choice_is_ignored(self, client):
        client.cookies["django_language"] = "xx"
        assert '<html lang="fr">' in client.get("/bare/").content.decode()

    def test_a_get_chooses_nothing(self, client):
        client.get("/langue/setlang/?language=en")
        assert "django_language" not in client.cookies


class TestZone:
    """Hours are shown in the reader's own zone."""

    def test_the_sites_own_at_first(self, client):
        assert client.get("/zone/").content == b"Europe/Paris"

    def test_the_browsers_once_it_said(self, client):
        client.cookies["tz"] = "America/Montreal"
        assert client.get("/zone/").content == b"America/Montreal"

    @pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "Europe/Paris\x00"])
    def test_what_is_no_zone_is_ignored(self, client, name):
        client.cookies["tz"] = name
        assert client.get("/zone/").content == b"Europe/Paris"


class TestDiscretion:
    """What somebody filed is in no report and no log."""

    def test_an_error_page_shows_neither_values_nor_variables(self, settings, rf):
        settings.DEBUG = False
        request = rf.post("/", {"thrust": "secret-zone"})
        said = get_exception_reporter_filter(request).get_post_parameters(request)
        assert said == {"thrust": "********************"}

    def test_a_crash_logs_no_filing(self, caplog):
        client = Client(raise_request_exception=False)
        with caplog.at_level(logging.DEBUG):
            response = client.post("/broken/", {"thrust": "secret-zone"})
        assert response.status_code == 500
        assert "secret-zone" not in caplog.text
        assert "secret-zone" not in response.content.decode()

    def test_a_report_masks_every_variable(self, rf, settings):
        settings.DEBUG = False
        secret = token_hex(16)
        request = rf.post("/", {"thrust": secret})
        try:
            _file(secret)
        except RuntimeError:
            report = ExceptionReporter(request, *sys.exc_info())
        text = report.get_traceback_html() + report.get_traceback_text()
        assert "declaration" in text
        assert secret not in text


def _file(declaration: str) -> None:
    raise RuntimeError(f"{len(declaration)} letters")


def test_a_refusal_is_logged_in_one_line():
    raised = logging.LogRecord("django.request", logging.WARNING, "", 0, "Forbidden", (), _raised(PermissionDenied()))
    broken = logging.LogRecord("django.request", logging.ERROR, "", 0, "Broken", (), _raised(LookupError()))
    assert all(WithoutRefusals().filter(record) for record in (raised, broken))
    assert raised.exc_info is None
    assert broken.exc_info is not None


def _raised(error):
    try:
        raise error
    except type(error):
        return sys.exc_info()
