"""The referee's queue, taking a duel, taking one over."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from duels import clock
from duels.actions.announcement import take_duel
from duels.actions.availability import check_room
from duels.actions.referees import check_offered
from duels.actions.referees import take_over as take_over_duel
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Duel
from duels.queries.waiting import review_of
from duels.views.access import PlayersRequest

from . import queries
from .access import referees_only
from .paging import page_of


@referees_only
@require_GET
def queue(request: PlayersRequest) -> HttpResponse:
    """What waits for this referee, what runs, and what looks for a referee."""
    user = request.user
    seeking = page_of(queries.seeking(), request, "page")
    context = {
        "waiting": page_of(queries.waiting(user), request, "attente"),
        "contested": page_of(queries.contested(user), request, "recours"),
        "offered": page_of(queries.offered(user), request, "repris"),
        "under_way": page_of(queries.under_way(user), request, "encours"),
        "offers": list(queries.offers(seeking.rows, user, clock.now())),
        "seeking": seeking,
        "standing": queries.standing(user),
    }
    return render(request, "referee/queue.html", context)


def send_back(request: PlayersRequest, refusal: Invalid | TooLate) -> HttpResponse:
    """Say why a duel is not taken: to the queue, or where a referee who is away or full can change that."""
    messages.error(request, str(refusal))
    return redirect("referee:availability" if isinstance(refusal, Invalid) else "referee:queue")


@referees_only
@require_http_methods(["GET", "POST"])
def take(request: PlayersRequest, duel_id: int) -> HttpResponse:
    """Take a duel that looks for a referee, after a recap. For referees who do not play in it."""
    duel = get_object_or_404(Duel, pk=duel_id)
    try:
        if request.method == "GET":
            return _ask_to_take(request, duel)
        duel = take_duel(user=request.user, duel_id=duel.pk)
    except (Invalid, TooLate) as refusal:
        return send_back(request, refusal)
    drawn = duel.ruleset == "arena"
    messages.success(
        request,
        _("The duel is yours: the arena is drawn and announced.") if drawn else _("The duel is yours, and announced."),
    )
    return redirect(duel)


def _ask_to_take(request: PlayersRequest, duel: Duel) -> HttpResponse:
    offer = next(queries.offers([duel], request.user, clock.now()))
    if offer.player:
        raise NotAllowed(_("%(player)s plays in this duel: another referee must take it.") % {"player": offer.player})
    if duel.status != Duel.Status.AGREED or not duel.refereed or duel.referee_id is not None:
        raise TooLate(_("This duel already has a referee, or is no longer looking for one."))
    check_room(request.user)
    return render(request, "referee/take.html", {"offer": offer, "duel": duel})


@referees_only
@require_http_methods(["GET", "POST"])
def take_over(request: PlayersRequest, duel_id: int) -> HttpResponse:
    """Take over a duel whose turn has waited 48 hours, after a recap. For referees who do not play in it."""
    get_object_or_404(Duel, pk=duel_id)
    try:
        if request.method == "GET":
            return _ask_to_take_over(request, duel_id)
        duel = take_over_duel(user=request.user, duel_id=duel_id)
    except (Invalid, TooLate) as refusal:
        return send_back(request, refusal)
    messages.success(request, _("You are the referee of this duel now: review the turn."))
    return redirect(review_of(duel.current))


def _ask_to_take_over(request: PlayersRequest, duel_id: int) -> HttpResponse:
    """Say what taking over shows, and to whom. Raises NotAllowed, TooLate."""
    duel = get_object_or_404(Duel.objects.select_related("phase", "referee"), pk=duel_id)
    check_offered(duel, request.user)
    check_room(request.user)
    return render(request, "referee/take_over.html", {"duel": duel, "phase": duel.phase})
