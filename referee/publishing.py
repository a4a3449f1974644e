"""Publishing a turn: a recap, the referee's own words around it, at once or at an hour announced."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from duels import clock
from duels.actions.framing import author_of
from duels.actions.granted import owes_decision
from duels.actions.publications import announce_publication, call_off_publication, keep_words
from duels.actions.turns import publish_turn
from duels.errors import Invalid, TooLate
from duels.models import Duel, Phase
from duels.views.access import PlayersRequest, add_refusal
from duels.wakes import published_by

from .access import access, referees_only
from .forms import HourForm, PublishForm
from .review import reviewed, turn_of
from .views import WHOLE, place, show_review

IN_A_WHILE = dt.timedelta(hours=12)  # the hour that is proposed


@referees_only
@require_http_methods(["GET", "POST"])
def publish(request: PlayersRequest, duel_id: int, turn: int, name: str = WHOLE) -> HttpResponse:
    """Publish a turn in the revision that was read, after a recap of what follows: at once, or at an hour announced.

    For the duel's referee.
    """
    phase = turn_of(access(request, duel_id), turn, name)
    if request.method == "GET":
        return _recap(request, phase)
    words, hour = PublishForm(request.POST), HourForm(request.POST if request.POST.get("do") == "announce" else None)
    try:
        answer = _do(request, phase, words, hour)
    except TooLate as refusal:
        return show_review(request, phase, refusal=refusal)
    return answer or _recap(request, phase, words if "preamble" in request.POST else None, hour, status=422)


def _do(request: PlayersRequest, phase: Phase, words: PublishForm, hour: HourForm) -> HttpResponse | None:
    """Do what was asked; None when something in a form is wrong. Raises NotAllowed, TooLate."""
    do = _DEEDS.get(request.POST.get("do", "publish"))
    if do is None or not words.is_valid() or (hour.is_bound and not hour.is_valid()):
        return None
    at: dict[str, Any] = {"user": request.user, "duel_id": phase.duel_id, "turn": phase.number, "name": phase.name}
    try:
        if "preamble" in request.POST and do is not _call_off:
            keep_words(**at, preamble=words.cleaned_data["preamble"], closing=words.cleaned_data["closing"])
        return do(request, phase, at, words, hour)
    except Invalid as refusal:
        add_refusal(hour if hour.is_bound and refusal.field == "publish_at" else words, refusal)
    return None


def _publish(
    request: PlayersRequest, phase: Phase, at: dict[str, Any], words: PublishForm, _hour: HourForm
) -> HttpResponse:
    duel = publish_turn(**at, revision=words.read_revision)
    messages.success(request, _("Turn %(turn)d of %(duel)s is published.") % {"turn": phase.number, "duel": duel})
    return redirect("referee:queue")


def _keep(
    request: PlayersRequest, phase: Phase, _at: dict[str, Any], _words: PublishForm, _hour: HourForm
) -> HttpResponse:
    messages.success(request, _("Your words are kept: this is how they will be read."))
    return redirect("referee:publish", *place(phase))


def _announce(
    request: PlayersRequest, phase: Phase, at: dict[str, Any], words: PublishForm, hour: HourForm
) -> HttpResponse:
    announce_publication(**at, revision=words.read_revision, publish_at=hour.hour)
    messages.success(request, _("The hour is announced to both players, and in the thread."))
    return redirect("referee:publish", *place(phase))


def _call_off(
    request: PlayersRequest, phase: Phase, at: dict[str, Any], _words: PublishForm, _hour: HourForm
) -> HttpResponse:
    call_off_publication(**at)
    messages.success(request, _("The publication is called off: the turn can be changed, and published, again."))
    return redirect("referee:publish", *place(phase))


_DEEDS: dict[str, Callable[..., HttpResponse]] = {
    "publish": _publish,
    "keep": _keep,
    "announce": _announce,
    "call_off": _call_off,
}


def _recap(
    request: PlayersRequest,
    phase: Phase,
    words: PublishForm | None = None,
    hour: HourForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    duel: Duel = access(request, phase.duel_id)
    phase = turn_of(duel, phase.number, phase.name)
    review_url = reverse("referee:review", args=place(phase))
    if phase.status != Phase.Status.LOCKED:
        return redirect(review_url)
    read, now = reviewed(duel, phase, reader=request.user), clock.now()
    revision = read.resolution.revision
    context = {
        "duel": duel,
        "phase": phase,
        "turn": phase.number,
        "review": read,
        "review_url": review_url,
        "form": words or PublishForm(initial={"revision": str(revision), **read.words._asdict()}),
        "hour": hour if hour and hour.is_bound else HourForm(initial={"publish_at": _proposed(phase, now)}),
        "latest": published_by(phase),
        "owes": owes_decision(phase),
        "author": author_of(phase),
        "owing": [duel.name_of(seat) for seat in read.coming.owing],
        "would_end_at": (phase.publish_at or now) + dt.timedelta(hours=read.coming.hours),
    }
    return render(request, "referee/publish.html", context, status=status)


def _proposed(phase: Phase, now: dt.datetime) -> dt.datetime:
    """The hour that is proposed: round, half a day from now, and within the five days."""
    round_hour = timezone.localtime(now + IN_A_WHILE).replace(minute=0, second=0, microsecond=0)
    return min(round_hour, published_by(phase))
