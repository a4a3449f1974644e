"""What is its own of the demo: its page of what is not there, and what a public site is told about it."""

from collections.abc import Callable, Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponseBase, HttpResponseNotFound
from django.views.defaults import page_not_found


def warn_of_demo(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Warn, among the deployment checks, that DEMO opens the referee's desk to passwords that everybody knows."""
    if not settings.DEMO:
        return []
    hint = "Unset DEMO, and remove the demo's accounts if they were loaded."
    return [Warning("DEMO is on: its accounts' passwords are public.", hint=hint, id="site.W001")]


class NotFoundMiddleware:
    """Show who tries the demo the site's own page of what is not there, where DEBUG would list all addresses."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not (settings.DEMO and settings.DEBUG):
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        return page_not_found(request, None) if isinstance(response, HttpResponseNotFound) else response
