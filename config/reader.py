"""What a member's browser says of its reader, kept so that mail speaks as the pages do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponseBase
from django.utils import translation

from config.language import chosen_language
from config.zone import zone_of
from notices.actions.preferences import learn

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class KnownReaderMiddleware:
    """Keep the language and the zone of a member who has none yet; in a browser where no language was chosen, show
    pages in the member's own.

    Costs no query but when there is something to keep: what is known comes with the user (config.accounts).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: object, *_arguments: object) -> None:
        if getattr(view, "is_for_anyone", False) or not request.user.is_authenticated:
            return
        language, zone = chosen_language(request), zone_of(request)
        if (language and not _kept(request.user, "language")) or (zone and not _kept(request.user, "zone")):
            learn(user=request.user, language=language, zone=zone)
        if not language and (kept := _kept(request.user, "language")):
            translation.activate(kept)
            request.LANGUAGE_CODE = kept


def _kept(user: User, what: str) -> str:
    return getattr(user, f"kept_{what}", None) or ""
