"""Scenes: the list, a scene and writing in it. For members; writing takes a duellist."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from duels.actions.scenes import open_scene, opened_draft, save_scene_draft, write_in_scene
from duels.errors import Invalid
from duels.forms.playing import plain
from duels.forms.scenes import SceneForm, WritingForm
from duels.models import Scene
from duels.models.thread import page_of
from duels.queries import scenes as queries
from duels.queries.playing import duellists_of
from duels.queries.reading import first_unread

from .access import PlayersRequest, add_refusal, keeps_text, private
from .thread import mark_as_read, number_asked

MINE = 5  # scenes of one's own, above all the others


@private
@require_safe
def scenes(request: PlayersRequest) -> HttpResponse:
    """One's own scenes, then all, those written in last first; `mes` shows all of one's own."""
    own, said = "mes" in request.GET, request.GET.get("avant")
    before = None if said is None else queries.place(said)
    if said is not None and before is None:
        raise Http404
    context = {
        "own": own,
        "page": queries.listed(of=request.user if own else None, before=before),
        "is_first": before is None,
        "has_duellist": duellists_of(request.user).exists(),
    }
    if not own and before is None:
        context["mine"] = queries.listed(of=request.user, size=MINE)
    return render(request, "duels/scenes/list.html", context)


@keeps_text
@private
@require_http_methods(["GET", "POST"])
def scene_new(request: PlayersRequest) -> HttpResponse:
    """Open a scene with its first post."""
    form = SceneForm(duellists_of(request.user), request.POST or None)
    if form.is_valid():
        try:
            return redirect(open_scene(user=request.user, **form.cleaned_data))
        except Invalid as refusal:
            add_refusal(form, refusal)
    context = {"form": form, "only": _only(form)}
    return render(request, "duels/scenes/new.html", context, status=422 if form.is_bound else 200)


def _only(form: WritingForm) -> object:
    """Return the one duellist that a member has, None for several or none."""
    mine = list(form.fields["duellist"].queryset[:2])  # type: ignore[attr-defined]  # a ModelChoiceField
    return mine[0] if len(mine) == 1 else None


@keeps_text
@private
@require_http_methods(["GET", "POST"])
def scene(request: PlayersRequest, pk: int) -> HttpResponse:
    """A page of a scene and, at its end, the next post to write."""
    found = _found(request, pk)
    if request.method == "POST":
        return _write(request, found)
    number = number_asked(request, "page") or found.thread.page_count
    if number > found.thread.page_count:
        raise Http404
    draft = queries.draft_of(found, request.user)
    form = WritingForm(duellists_of(request.user), initial={"text": opened_draft(draft)} if draft else None)
    return _page(request, found, number, form, saved_at=draft.saved_at if draft else None)


def _found(request: PlayersRequest, pk: int) -> Scene:
    try:
        return queries.scene_to_read(pk, request.user)
    except Scene.DoesNotExist:
        raise Http404 from None


def _write(request: PlayersRequest, found: Scene) -> HttpResponse:
    form = WritingForm(duellists_of(request.user), request.POST)
    if form.is_valid():
        try:
            made = write_in_scene(user=request.user, scene_id=found.pk, **form.cleaned_data)
        except Invalid as refusal:
            add_refusal(form, refusal)
        else:
            messages.success(request, _("Your post is in the scene."))
            return redirect(f"{found.get_absolute_url()}?page={page_of(made.position)}&ecrit=1#m{made.position}")
    return _page(request, found, found.thread.page_count, form, status=422)


def _page(request: PlayersRequest, found: Scene, number: int, form: WritingForm, **shown: Any) -> HttpResponse:
    posts = queries.posts_of_page(found.thread, number)
    context = {
        "scene": found, "thread": found.thread, "number": number, "posts": posts,
        "last_position": posts[-1].position if posts else 0,
        "unread": first_unread(found, found.thread),
        "form": form, "only": _only(form), "can_write": form.fields["duellist"].initial is not None,
        "saved_at": shown.get("saved_at"),
    }  # fmt: skip
    return render(request, "duels/scenes/scene.html", context, status=shown.get("status", 200))


@private
@require_POST
def scene_draft(request: PlayersRequest, pk: int) -> HttpResponse:
    """Keep what was typed, sealed: for the page's script (204), or with a button where there is none."""
    _found(request, pk)
    save_scene_draft(user=request.user, scene_id=pk, text=plain(request.POST.get("text", "")))
    if request.POST.get("do") == "quietly":
        return HttpResponse(status=204)
    messages.success(request, _("Your draft is kept, sealed."))
    return redirect("duels:scene", pk)


@private
@require_safe
def scene_post(request: PlayersRequest, pk: int, position: int) -> HttpResponse:
    """The lasting address of a post: leads to it, on its page."""
    page = queries.page_with(pk, position)
    if page is None:
        raise Http404
    return redirect(f"{reverse('duels:scene', args=[pk])}?page={page}#m{position}")


@private
@require_POST
def scene_read(request: PlayersRequest, pk: int) -> HttpResponse:
    """Remember that the reader has come to the end of a page."""
    found = _found(request, pk)
    return mark_as_read(request, found.thread, found)


urlpatterns: list[URLPattern] = [
    path("scenes/", scenes, name="scenes"),
    path("scenes/nouvelle/", scene_new, name="scene_new"),
    path("scenes/<int:pk>/", scene, name="scene"),
    path("scenes/<int:pk>/brouillon/", scene_draft, name="scene_draft"),
    path("scenes/<int:pk>/lu/", scene_read, name="scene_read"),
    path("scenes/<int:pk>/message/<int:position>/", scene_post, name="scene_post"),
]
