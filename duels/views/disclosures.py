"""Who opened what one had filed."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

from duels.actions.ledger import letter_of
from duels.models import Duel
from duels.queries.disclosures import disclosures_of, receptacle_readings

from .access import PlayersRequest, private


@private
@require_safe
def disclosures(request: PlayersRequest, pk: int) -> HttpResponse:
    """Once a duel is over: who was shown what one had filed in it, and when. For each of its players, of their own."""
    duel = get_object_or_404(Duel, pk=pk)
    letter = letter_of(duel, request.user)
    context = {
        "duel": duel,
        "disclosures": disclosures_of(duel, letter) if duel.is_over else None,
        "receptacle": receptacle_readings(duel, letter) if duel.is_over else [],
    }
    return render(request, "duels/disclosures.html", context)


urlpatterns: list[URLPattern] = [path("duels/<int:pk>/ouvertures/", disclosures, name="disclosures")]
