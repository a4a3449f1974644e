"""The language of a page: French, until the reader chooses another."""

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers


def chosen_language(request: HttpRequest) -> str:
    """Return the language that was chosen in this browser with the switch, or nothing."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return chosen if chosen in dict(settings.LANGUAGES) else ""


class ChosenLanguageMiddleware(LocaleMiddleware):
    """Activate the language that the reader chose with the switch (a cookie), and French otherwise.

    What the browser says it prefers is not asked: the site is French first, and a link shows the same page to all.
    """

    def process_request(self, request: HttpRequest) -> None:
        translation.activate(chosen_language(request) or settings.LANGUAGE_CODE)
        request.LANGUAGE_CODE = translation.get_language()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        patch_vary_headers(response, ["Cookie"])
        response.headers.setdefault("Content-Language", translation.get_language())
        return response
