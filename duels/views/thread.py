"""What the pages of a thread share, be it a duel's or a scene's."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect

from duels.actions.reading import mark_read
from duels.models import Duel, Scene, Thread
from duels.numbers import natural

from .access import PlayersRequest


def number_asked(request: HttpRequest, name: str, *, digits: int = 9, least: int = 1) -> int | None:
    """Return a key or page number of the address, None without one. Raises Http404 for what is no such number."""
    said = request.GET.get(name)
    if said is None:
        return None
    number = natural(said, digits=digits)
    if number is None or number < least:
        raise Http404
    return number


def mark_as_read(request: PlayersRequest, thread: Thread, page: Duel | Scene) -> HttpResponse:
    """Remember how far somebody has read a thread: for the page's script (204), or back to the page. Raises Http404."""
    position = natural(request.POST.get("position", ""), digits=9)
    if position is None:
        raise Http404
    mark_read(user=request.user, thread=thread, position=position)
    if request.headers.get("X-Requested-With") == "fetch":
        return HttpResponse(status=204)
    return HttpResponseRedirect(page.get_absolute_url())
