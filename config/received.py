"""When a request came: lateness is judged by that, however long what it brings takes to arrive."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase


class ReceivedMiddleware:
    """Read who posts, and with them the hour (`duels.clock.received`), before anything reads what is posted."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method == "POST":
            request.user.is_authenticated  # noqa: B018 - which reads them
        return self.get_response(request)
