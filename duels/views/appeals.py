"""Contesting a published resolution, and what came of it; after the verdict everybody reads it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from duels import clock
from duels.actions.appeals import check_may_contest, contest_resolution
from duels.actions.ledger import letter_of
from duels.errors import Invalid, Refused, TooLate
from duels.forms.appeals import AppealForm
from duels.models import Duel, Resolution
from duels.people import is_referee
from duels.queries.appeals import appeals_of
from duels.queries.reading import duel_to_read
from rules.hours import STOPPED

from .access import PlayersRequest, add_refusal, private


@require_http_methods(["GET", "HEAD", "POST"])
def appeals(request: HttpRequest, pk: int) -> HttpResponse:
    """The appeals of a duel, and contesting the last resolution of one that runs: for those who play in it and its
    referee; for anyone to read, once it is over."""
    try:
        duel = duel_to_read(pk, request.user)
    except Duel.DoesNotExist:
        raise Http404 from None
    if duel.is_over:
        return render(request, "duels/appeals.html", {"duel": duel, "appeals": appeals_of(duel, request.user)})
    return _of_players(request, pk)


@private
def _of_players(request: PlayersRequest, pk: int) -> HttpResponse:
    received_at = clock.received(request)
    duel = get_object_or_404(Duel.objects.select_related("phase__after__phase"), pk=pk)
    if request.user.pk != duel.referee_id or not is_referee(request.user):
        letter_of(duel, request.user)
    if request.method == "POST":
        return _contest(request, duel, received_at)
    return _page(request, duel, received_at)


def _contest(request: PlayersRequest, duel: Duel, received_at: dt.datetime) -> HttpResponse:
    """Go from the form to the recap, or back; or contest."""
    open_to, _why_not = _contestable(request, duel, received_at)
    form = AppealForm(open_to, request.POST)
    step = request.POST.get("do")
    if step == "change":
        return _page(request, duel, received_at, AppealForm(open_to, initial=request.POST.dict()))
    if not form.is_valid():
        return _page(request, duel, received_at, form, status=422)
    try:
        if step != "contest":
            return _recap(request, duel, received_at, form)
        contest_resolution(
            user=request.user, duel_id=duel.pk, resolution_id=form.cleaned_data["resolution"],
            reason=form.cleaned_data["reason"], received_at=received_at,
        )  # fmt: skip
    except (Invalid, TooLate) as refusal:
        add_refusal(form, refusal)
        return _page(request, duel, received_at, form, status=409 if isinstance(refusal, TooLate) else 422)
    messages.success(request, _("The resolution is contested: the clock of the duel stands still until the answer."))
    return redirect("duels:appeals", duel.pk)


def _recap(request: PlayersRequest, duel: Duel, received_at: dt.datetime, form: AppealForm) -> HttpResponse:
    """Say what contesting will do, before it is done. Raises Refused."""
    open_to = check_may_contest(duel, request.user, received_at=received_at)
    chosen = (one for one in open_to if one.pk == form.cleaned_data["resolution"])
    context = {
        "duel": duel,
        "phase": duel.phase,
        "contested": next(chosen, open_to[0]).phase,
        "until": received_at + STOPPED,
        "form": form,
    }
    return render(request, "duels/appeal_recap.html", context)


def _page(
    request: PlayersRequest, duel: Duel, received_at: dt.datetime, form: AppealForm | None = None, *, status: int = 200
) -> HttpResponse:
    """The form, where it may be sent or was refused; else why not; and what was contested."""
    open_to, why_not = _contestable(request, duel, received_at)
    if form is None and open_to:
        form = AppealForm(open_to, initial={"resolution": open_to[0].pk})
    context: dict[str, Any] = {
        "duel": duel,
        "phase": duel.phase,
        "contested": open_to[0].phase if open_to else None,
        "why_not": why_not,
        "form": form,
        "appeals": appeals_of(duel, request.user),
    }
    return render(request, "duels/appeals.html", context, status=status)


def _contestable(
    request: PlayersRequest, duel: Duel, received_at: dt.datetime
) -> tuple[list[Resolution], Refused | None]:
    """Return the resolutions that the reader may contest, or why they may not."""
    if request.user.pk == duel.referee_id:
        return [], None
    try:
        return check_may_contest(duel, request.user, received_at=received_at), None
    except Refused as refusal:
        return [], refusal


urlpatterns: list[URLPattern] = [path("duels/<int:pk>/recours/", appeals, name="appeals")]
