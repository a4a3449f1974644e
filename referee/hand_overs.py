"""Handing a duel over to another referee; and their answer."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from duels.actions.availability import check_room
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Duel
from duels.views.access import PlayersRequest, add_refusal

from . import queries
from .access import access, referees_only
from .actions import hand_overs as actions
from .desk import send_back
from .forms import HandOverForm
from .models import HandOver


@referees_only
@require_http_methods(["GET", "POST"])
def hand_over(request: PlayersRequest, duel_id: int) -> HttpResponse:
    """Ask another referee to go on with a duel, or take that back. For the duel's referee."""
    duel = access(request, duel_id)
    try:
        actions.check_in_hand(duel)
        if request.method == "POST":
            return _take_back(request, duel) if "withdraw" in request.POST else _ask(request, duel)
    except TooLate as refusal:
        return send_back(request, refusal)
    return _page(request, duel, HandOverForm(duel))


def _ask(request: PlayersRequest, duel: Duel) -> HttpResponse:
    form = HandOverForm(duel, request.POST)
    if form.is_valid():
        to, message = form.cleaned_data["to"], form.cleaned_data["message"]
        try:
            actions.ask_hand_over(user=request.user, duel_id=duel.pk, to_id=to.pk, message=message)
        except Invalid as refusal:
            add_refusal(form, refusal)
        else:
            said = _("%(name)s is asked. Until they accept, the duel stays yours.")
            messages.success(request, said % {"name": to.get_username()})
            return redirect("referee:queue")
    return _page(request, duel, form, status=422)


def _take_back(request: PlayersRequest, duel: Duel) -> HttpResponse:
    actions.withdraw_hand_over(user=request.user, duel_id=duel.pk)
    messages.success(request, _("It is taken back: the duel stays yours."))
    return redirect("referee:hand_over", duel.pk)


def _page(request: PlayersRequest, duel: Duel, form: HandOverForm, *, status: int = 200) -> HttpResponse:
    asked = HandOver.objects.filter(duel=duel, answer="", asked_by=request.user).select_related("to").first()
    context = {"duel": duel, "form": form, "asked": asked, "has_others": form.successors.exists()}
    return render(request, "referee/hand_over.html", context, status=status)


@referees_only
@require_http_methods(["GET", "POST"])
def answer_hand_over(request: PlayersRequest, duel_id: int) -> HttpResponse:
    """Accept or decline to go on with a duel, after a recap. For the referee who was asked."""
    get_object_or_404(Duel, pk=duel_id)
    try:
        if request.method == "GET":
            return _recap(request, duel_id)
        accepted = request.POST.get("answer") == "accept"
        duel = actions.answer_hand_over(user=request.user, duel_id=duel_id, accepted=accepted)
    except (Invalid, TooLate) as refusal:
        return send_back(request, refusal)
    if accepted:
        messages.success(request, _("You are the referee of this duel now."))
        return redirect(duel)
    messages.success(request, _("You have declined: the duel stays with its referee."))
    return redirect("referee:queue")


def _recap(request: PlayersRequest, duel_id: int) -> HttpResponse:
    """Say what accepting means. Raises NotAllowed, TooLate; one who is away or full is told before they accept."""
    asked = queries.hand_overs(request.user).filter(duel=duel_id).first()
    if asked is None:
        if HandOver.objects.filter(duel=duel_id, answer="").exclude(to=request.user).exists():
            raise NotAllowed(_("Another referee was asked to go on with this duel."))
        raise TooLate(_("This duel is no longer handed over: it was taken back, answered, or is over."))
    try:
        check_room(request.user)
        lacking = None
    except Invalid as refusal:
        lacking = refusal
    context = {"asked": asked, "duel": asked.duel, "phase": asked.duel.phase, "lacking": lacking}
    return render(request, "referee/answer_hand_over.html", context)
