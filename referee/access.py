"""Who may open the referees' pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from duels.errors import NotAllowed
from duels.models import Duel
from duels.people import is_referee
from duels.queries.appeals import may_decide, waiting_in
from duels.views.access import PlayersRequest, private


def referees_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Keep a page for referees."""

    @private
    @wraps(view)
    def guarded(request: PlayersRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_referee(request.user):
            raise NotAllowed(_("This page is for referees. One becomes a referee after five finished duels."))
        return view(request, *args, **kwargs)

    return guarded


def access_to_read(request: PlayersRequest, duel_id: int) -> Duel:
    """Return a duel whose turns the reader may read as its referee does: they are, or they decide on an appeal in it.

    Raises Http404, NotAllowed.
    """
    duel = get_object_or_404(Duel.objects.select_related("phase", "thread"), pk=duel_id)
    if duel.stopped_until is not None and duel.referee_id != request.user.pk:
        appeal = waiting_in(duel)
        if appeal is not None and may_decide(duel, appeal, request.user):
            return duel
    return access(request, duel_id)


def access(request: PlayersRequest, duel_id: int) -> Duel:
    """Return a duel of which the reader is the referee. Raises Http404, NotAllowed."""
    duel = get_object_or_404(Duel.objects.select_related("phase", "thread"), pk=duel_id)
    if duel.referee_id != request.user.pk or not is_referee(request.user):
        raise NotAllowed(_("Only the referee of this duel reviews its turns."))
    return duel
