"""Duellists: their pages, and making them."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from duels.actions.duellists import create_duellist, edit_duellist
from duels.errors import Invalid, NotAllowed
from duels.forms.duellists import DuellistForm
from duels.models import Duellist
from duels.queries import playing as queries

from .access import PlayersRequest, add_refusal, private

PAGE = 24  # duellists


@require_GET
def duellists(request: HttpRequest) -> HttpResponse:
    """All duellists, by name; one's own first. For anyone."""
    asked = request.GET.get("q", "")[:60]
    page = Paginator(queries.duellists_named(asked), PAGE).get_page(request.GET.get("page"))
    mine = queries.duellists_of(request.user)
    return render(request, "duels/duellists.html", {"page": page, "asked": asked, "mine": mine})


@require_GET
def duellist(request: HttpRequest, pk: int) -> HttpResponse:
    """One duellist: who it is, how its duels ended, those under way. For anyone."""
    shown = get_object_or_404(Duellist, pk=pk)
    context = {
        "duellist": shown,
        "is_mine": shown.user_id == request.user.pk,
        "record": queries.record_of(shown),
        "under_way": queries.duels_under_way(shown),
        "last_duels": queries.last_duels(shown),
    }
    return render(request, "duels/duellist.html", context)


@private
@require_http_methods(["GET", "POST"])
def duellist_new(request: PlayersRequest) -> HttpResponse:
    """Make a duellist of one's own."""
    form = DuellistForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = create_duellist(user=request.user, **form.cleaned_data)
        except Invalid as refusal:
            add_refusal(form, refusal)
        else:
            messages.success(request, _("Your duellist is made: %(name)s.") % {"name": made.name})
            return redirect(_next(request) or made)
    return _form(request, form, {"next": _next(request)})


@private
@require_http_methods(["GET", "POST"])
def duellist_edit(request: PlayersRequest, pk: int) -> HttpResponse:
    """Change a duellist of one's own."""
    changed = get_object_or_404(Duellist, pk=pk)
    if changed.user_id != request.user.pk:
        raise NotAllowed(_("Only who plays a duellist can change it."))
    form = DuellistForm(request.POST or None, request.FILES or None, instance=changed)
    if request.method == "POST" and form.is_valid():
        try:
            edit_duellist(user=request.user, duellist=changed, **form.cleaned_data)
        except Invalid as refusal:
            add_refusal(form, refusal)
        else:
            messages.success(request, _("What you have changed is kept."))
            return redirect(changed)
    return _form(request, form, {"duellist": changed})


def _form(request: HttpRequest, form: DuellistForm, context: dict[str, object]) -> HttpResponse:
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "duels/duellist_form.html", {"form": form, **context}, status=status)


def _next(request: HttpRequest) -> str:
    """Return where to go on once the duellist is made, if it is a page of ours."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    here = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if here else ""


urlpatterns: list[URLPattern] = [
    path("duellistes/", duellists, name="duellists"),
    path("duellistes/nouveau/", duellist_new, name="duellist_new"),
    path("duellistes/<int:pk>/", duellist, name="duellist"),
    path("duellistes/<int:pk>/modifier/", duellist_edit, name="duellist_edit"),
]
