"""A published result, to be copied onto a forum elsewhere."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from duels import copying
from duels.models import Duel
from duels.queries import reading


@require_safe
@cache_control(private=True)
def copy(request: HttpRequest, pk: int, position: int) -> HttpResponse:
    """A resolution as BBCode and as HTML, with the referee's words around it. For anyone who may read the duel."""
    try:
        duel = reading.duel_to_read(pk, request.user)
    except Duel.DoesNotExist:
        raise Http404 from None
    posts = reading.resolution_at(duel, position)
    if posts is None:
        raise Http404
    said = copying.result(duel, posts.resolution, posts.preamble, posts.closing)
    context = {
        "duel": duel,
        "post": posts.resolution,
        "title": said.title,
        "bbcode": copying.as_bbcode(said),
        "html": copying.as_html(said),
    }
    return render(request, "duels/copy.html", context)


urlpatterns: list[URLPattern] = [path("duels/<int:pk>/message/<int:position>/copie/", copy, name="copy")]
