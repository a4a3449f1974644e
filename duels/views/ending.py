"""Ending a duel before its end: surrender, and a draw that both agree on (A13.4)."""

from __future__ import annotations

import datetime as dt

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from duels import clock
from duels.actions import ending as actions
from duels.actions.ledger import letter_of
from duels.errors import Invalid, Refused, TooLate
from duels.models import Duel
from duels.sentences import names

from .access import PlayersRequest, private

FIRST_TEAM = "ac"  # a alone in an arena duel


@private
@require_http_methods(["GET", "POST"])
def surrender(request: PlayersRequest, pk: int) -> HttpResponse:
    """Surrender, once it is said what that does; for the two who duel."""
    received_at = clock.received(request)
    duel = _duel(pk)
    letter_of(duel, request.user)
    if request.method == "GET":
        return redirect(duel) if duel.is_over else _page(request, "duels/surrender.html", duel)
    try:
        actions.surrender(user=request.user, duel_id=pk, received_at=received_at)
    except TooLate as refusal:
        return _page(request, "duels/surrender.html", _duel(pk), refusal)
    return redirect(duel)


@private
@require_http_methods(["GET", "POST"])
def draw(request: PlayersRequest, pk: int) -> HttpResponse:
    """Offer a draw, accept or refuse the other's; for the two who duel."""
    received_at = clock.received(request)
    duel = _duel(pk)
    letter_of(duel, request.user)
    if request.method == "GET":
        return redirect(duel) if duel.is_over else _page(request, "duels/draw.html", duel)
    try:
        _answer(request, duel, received_at)
    except (Invalid, TooLate) as refusal:
        return _page(request, "duels/draw.html", _duel(pk), refusal)
    return redirect("duels:duel" if _duel(pk).is_over else "duels:draw", pk)


def _answer(request: PlayersRequest, duel: Duel, received_at: dt.datetime) -> None:
    said = request.POST.get("action")
    if said == "refuse":
        actions.refuse_draw(user=request.user, duel_id=duel.pk, received_at=received_at)
        messages.success(request, _("The offer is refused: the duel goes on."))
    elif said == "accept" and not _foe_offers(duel, letter_of(duel, request.user)):
        raise Invalid(_("This offer no longer stands. You can offer a draw yourself."))
    elif said in ("offer", "accept"):
        actions.offer_draw(user=request.user, duel_id=duel.pk, received_at=received_at)


def _duel(pk: int) -> Duel:
    return get_object_or_404(Duel.objects.select_related("phase"), pk=pk)


def _foe_offers(duel: Duel, letter: str) -> bool:
    return duel.phase is not None and bool(set(duel.phase.draw_offers) - {letter})


def _page(request: PlayersRequest, template: str, duel: Duel, refusal: Refused | None = None) -> HttpResponse:
    letter = letter_of(duel, request.user)
    first = letter in FIRST_TEAM
    foes = [duel.name_of(one) for one in sorted(duel.cast) if (one in FIRST_TEAM) is not first]
    context = {
        "duel": duel,
        "foe_name": names.enumeration(foes),
        "has_partner": len(duel.cast) > len(foes) + 1,
        "foe_offers": _foe_offers(duel, letter),
        "i_offer": duel.phase is not None and letter in duel.phase.draw_offers,
        "refusal": refusal,
    }
    statuses = {Invalid: 422, TooLate: 409}
    return render(request, template, context, status=statuses.get(type(refusal), 200))
