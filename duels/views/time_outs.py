"""Asking the referee for a time-out (A7), and what came of it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from duels import clock
from duels.actions.ledger import letter_of
from duels.actions.time_outs import ask_time_out, check_may_ask, would_end_at
from duels.errors import Invalid, Refused, TooLate
from duels.forms.time_outs import TimeOutForm
from duels.models import Duel
from duels.queries.time_outs import deadline_of, time_outs_of
from duels.wakes import answer_until

from .access import PlayersRequest, add_refusal, private


@private
@require_http_methods(["GET", "POST"])
def time_out(request: PlayersRequest, pk: int) -> HttpResponse:
    """Ask for more time in this turn, once it is said what that does; see what was asked. For the two who duel."""
    received_at = clock.received(request)
    duel = get_object_or_404(Duel.objects.select_related("phase"), pk=pk)
    letter = letter_of(duel, request.user)
    if request.method == "POST":
        return _ask(request, duel, letter, received_at)
    return redirect(duel) if duel.is_over else _page(request, duel, letter, received_at)


def _ask(request: PlayersRequest, duel: Duel, letter: str, received_at: dt.datetime) -> HttpResponse:
    """Go from the form to the recap, or back; or ask."""
    form = TimeOutForm(request.POST)
    step = request.POST.get("do")
    if step == "change":
        return _page(request, duel, letter, received_at, TimeOutForm(initial=request.POST.dict()))
    if not form.is_valid():
        return _page(request, duel, letter, received_at, form)
    try:
        if step != "ask":
            return _recap(request, duel, letter, received_at, form)
        ask_time_out(
            user=request.user, duel_id=duel.pk, hours=form.length, reason=form.cleaned_data["reason"],
            received_at=received_at,
        )  # fmt: skip
    except (Invalid, TooLate) as refusal:
        add_refusal(form, refusal)
        return _page(request, duel, letter, received_at, form, status=409 if isinstance(refusal, TooLate) else 422)
    messages.success(request, _("Your referee has been asked for a time-out."))
    return redirect("duels:time_out", duel.pk)


def _recap(
    request: PlayersRequest, duel: Duel, letter: str, received_at: dt.datetime, form: TimeOutForm
) -> HttpResponse:
    """Say what asking will do, before anything is asked. Raises Refused."""
    phase = check_may_ask(duel, letter, received_at=received_at)
    context = {
        **_setting(duel, letter, received_at),
        "form": form,
        "hours": form.length,
        "would_end_at": would_end_at(duel, phase, form.length),
        "answer_until": answer_until(phase),
    }
    return render(request, "duels/time_out_recap.html", context)


def _page(
    request: PlayersRequest,
    duel: Duel,
    letter: str,
    received_at: dt.datetime,
    form: TimeOutForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """The form, where it may be sent or was refused; else why not, and what came of what was asked."""
    why_not = _why_not(duel, letter, received_at)
    asked = time_outs_of(duel)
    context = {
        **_setting(duel, letter, received_at),
        "why_not": why_not,
        "mine": asked.pop(letter, None),
        "theirs": list(asked.values()),
        "form": form or (None if why_not else TimeOutForm()),
    }
    status = 422 if form and form.is_bound and status == 200 else status
    return render(request, "duels/time_out.html", context, status=status)


def _setting(duel: Duel, letter: str, at: dt.datetime) -> dict[str, Any]:
    others = [duel.name_of(one) for one in sorted(duel.cast) if one != letter]
    return {"duel": duel, "phase": duel.phase, "timing": deadline_of(duel, at), "others": others}


def _why_not(duel: Duel, letter: str, received_at: dt.datetime) -> Refused | None:
    """Return what keeps that seat from asking, None when it may."""
    try:
        check_may_ask(duel, letter, received_at=received_at)
    except Refused as refusal:
        return refusal
    return None


urlpatterns: list[URLPattern] = [path("duels/<int:pk>/temps-mort/", time_out, name="time_out")]
