"""What anyone reads: home, the list of duels, a duel's thread, its proof."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.http import urlencode
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_POST, require_safe

from duels import export
from duels import picture as drawn
from duels.errors import NotAllowed
from duels.forms.reading import DuelsFilter
from duels.models import Duel, Thread
from duels.models.thread import page_of
from duels.queries import reading
from duels.queries.playing import duellists_of
from duels.queries.time_outs import deadline_of
from duels.queries.waiting import tasks_here, waiting_for
from rules import record

from .access import PlayersRequest, private
from .thread import mark_as_read, number_asked

BEFORE_THE_ANNOUNCEMENT = (Duel.Status.CHALLENGED, Duel.Status.DECLINED, Duel.Status.EXPIRED)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """For a member, what waits for them; for anyone else, a running duel."""
    if request.user.is_authenticated:
        return _home_of_member(request)
    featured = reading.featured()
    context = {
        "featured": featured,
        "featured_events": reading.last_events(featured) if featured else [],
        "latest": reading.latest(),
    }
    return render(request, "duels/home.html", context)


@private
def _home_of_member(request: PlayersRequest) -> HttpResponse:
    waiting = waiting_for(request.user)
    context: dict[str, Any] = waiting._asdict()
    if not any(waiting):
        context["has_duellist"] = duellists_of(request.user).exists()
    return render(request, "duels/home_member.html", context)


@require_safe
def duels(request: HttpRequest) -> HttpResponse:
    """The public duels: running, announced or over (`etat`), filtered, the newest first."""
    tab = request.GET.get("etat", "running")
    if tab not in reading.TABS:
        raise Http404
    form = DuelsFilter(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    filters = urlencode({name: value for name, value in asked.items() if value})
    page = reading.listed(reading.filtered(Duel.objects.all(), tab=tab, **asked), before=number_asked(request, "avant"))
    context = {
        "tab": tab, "tabs": reading.TABS, "form": form, "page": page,
        "filters": filters, "is_first": "avant" not in request.GET,
        "query": "&".join(filter(None, (urlencode({"etat": tab}), filters))),
    }  # fmt: skip
    return render(request, "duels/duels.html", context)


@require_safe
@cache_control(private=True)
def duel(request: HttpRequest, pk: int) -> HttpResponse:
    """Where a duel stands, and a page of its thread."""
    found = _found(request, pk)
    if found.status in BEFORE_THE_ANNOUNCEMENT:
        return HttpResponseRedirect(reverse("duels:challenge", args=[pk]))
    thread = getattr(found, "thread", None) or Thread(duel=found)
    number = number_asked(request, "page") or 1
    if number > thread.page_count:  # a page that is no more, or not yet
        return HttpResponseRedirect(f"{found.get_absolute_url()}?page={thread.page_count}")
    posts = reading.posts_of_page(thread, number) if thread.post_count else []
    reading.note_what_came_later(found, posts)
    if found.is_over:
        reading.open_differences(found, posts)
    context = {
        "duel": found, "thread": thread, "posts": posts, "number": number,
        "last_position": posts[-1].position if posts else 0,
        "letter": reading.letter_of(found, request.user),
        "unread": reading.first_unread(found, thread),
        "last_turn": reading.last_turn(posts) if number == thread.page_count else None,
        "last_events": found.newest_events,
        "timing": deadline_of(found, timezone.now()),
    }  # fmt: skip
    if request.user.is_authenticated:
        context["tasks"] = tasks_here(found, request.user)
    return render(request, "duels/duel.html", context)


def _found(request: HttpRequest, pk: int) -> Duel:
    try:
        return reading.duel_to_read(pk, request.user)
    except Duel.DoesNotExist:
        raise Http404 from None


@require_safe
def post(request: HttpRequest, pk: int, position: int) -> HttpResponse:
    """The lasting address of a post: leads to it, on its page. Asks nobody who they are."""
    if not reading.has_post(pk, position):
        raise Http404
    return HttpResponseRedirect(f"{reverse('duels:duel', args=[pk])}?page={page_of(position)}#m{position}")


post.is_for_anyone = True  # type: ignore[attr-defined]  # see config.mfa


@require_POST
@private
def read(request: PlayersRequest, pk: int) -> HttpResponse:
    """Remember that the reader has come to the end of a page."""
    found = _found(request, pk)
    return mark_as_read(request, found.thread, found)


@require_safe
def proof(request: HttpRequest, pk: int) -> HttpResponse:
    """Once a duel is over: everything that was sealed, opened and checked. Before: what will be, and when."""
    found = _found(request, pk)
    if not found.is_over:
        return render(request, "duels/proof_later.html", {"duel": found})
    context = {"duel": found, "proof": export.prove(export.of(found))}
    return render(request, "duels/proof.html", context)


@require_GET
def export_json(request: HttpRequest, pk: int) -> HttpResponse:
    """The export of a finished duel, to be checked elsewhere."""
    try:
        opened = export.of(_found(request, pk))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from None
    response = HttpResponse(record.encode(opened), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="duel-{pk}.json"'
    return response


@require_safe
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """The picture of a duel, for those who link to it: what its public view shows, in colours."""
    found = _found(request, pk)
    response = HttpResponse(drawn.kept_png(found.public_view), content_type="image/png")
    if found.announced_at is None:
        patch_cache_control(response, private=True, max_age=300)
    else:
        patch_cache_control(response, public=True, max_age=300)
    return response


urlpatterns: list[URLPattern] = [
    path("", home, name="home"),
    path("duels/", duels, name="duels"),
    path("duels/<int:pk>/", duel, name="duel"),
    path("duels/<int:pk>/message/<int:position>/", post, name="post"),
    path("duels/<int:pk>/apercu.png", picture, name="picture"),
    path("duels/<int:pk>/lu/", read, name="read"),
    path("duels/<int:pk>/preuve/", proof, name="proof"),
    path("duels/<int:pk>/preuve/export.json", export_json, name="export"),
]
