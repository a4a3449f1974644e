"""Challenging, answering, preparing."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from duels import clock, training
from duels.actions import challenges as actions
from duels.actions.announcement import start_as_it_stands
from duels.actions.ledger import letter_of
from duels.actions.preparation import ask_to_start, hide_receptacle
from duels.actions.stakes import free_to_stake
from duels.errors import Invalid, Refused, TooLate
from duels.forms.challenges import STAKES, ChallengeForm
from duels.models import Duel, Duellist
from duels.numbers import natural
from duels.queries import playing, preparing
from duels.queries.purse import purses

from . import pairings, spell_challenges
from .access import PlayersRequest, add_refusal, private
from .table import say_that_it_was_asked

PAGE = 20  # opponents
STATUSES = {Invalid: 422, TooLate: 409}  # of a refusal

ANSWERS = {
    "accept": actions.accept_challenge,
    "decline": actions.decline_challenge,
    "withdraw": actions.withdraw_challenge,
}
SAID = {
    "accept": gettext_lazy("You have accepted."),
    "decline": gettext_lazy("You have declined."),
    "withdraw": gettext_lazy("The challenge is taken back."),
}


@private
@require_http_methods(["GET", "POST"])
def challenge_new(request: PlayersRequest) -> HttpResponse:
    """Choose an opponent (`?contre=` names one), then the terms."""
    mine = playing.duellists_of(request.user)
    if not mine:
        return render(request, "duels/challenge_without.html")
    if not request.GET.get("contre"):
        return _choose_opponent(request)
    opponent = get_object_or_404(Duellist, pk=natural(request.GET["contre"], digits=17))
    if opponent.user_id == request.user.pk:
        messages.error(request, _("You cannot challenge one of your own duellists: choose somebody else's."))
        return redirect("duels:challenge_new")
    if request.GET.get("regles") == "sorts":
        return spell_challenges.propose(request, mine, opponent)
    between_students = opponent.is_student and any(duellist.is_student for duellist in mine)
    form = ChallengeForm(mine, request.POST or None, between_students=between_students)
    if request.method == "POST" and (duel := _send(request, form, opponent)):
        messages.success(request, _("The challenge is sent."))
        return redirect("duels:challenge", duel.pk)
    context = {
        "form": form,
        "opponent": opponent,
        "only": mine[0] if len(mine) == 1 else None,
        "training_hours": training.in_words() if between_students else "",
        "purses": purses(mine, STAKES),
    }
    return render(request, "duels/challenge_new.html", context, status=422 if form.errors else 200)


def _send(request: PlayersRequest, form: ChallengeForm, opponent: Duellist) -> Duel | None:
    """Send the challenge; or None, with everything that is wrong in the form."""
    try:
        if form.is_valid():
            return actions.send_challenge(user=request.user, opponent=opponent, **form.cleaned_data)
        actions.check_challenge(user=request.user, opponent=opponent, now=clock.now(), **form.known)
    except Invalid as refusal:
        add_refusal(form, refusal)
    return None


def _choose_opponent(request: PlayersRequest) -> HttpResponse:
    asked = request.GET.get("q", "")[:60]
    found = playing.opponents_named(asked, request.user)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    return render(request, "duels/challenge_opponent.html", {"page": page, "asked": asked})


@private
@require_http_methods(["GET", "POST"])
def challenge(request: PlayersRequest, pk: int) -> HttpResponse:
    """A challenge and its answer; for the two whom it concerns."""
    duel = get_object_or_404(Duel, pk=pk)
    letter = letter_of(duel, request.user)
    answer = ANSWERS.get(request.POST.get("action", ""))
    if duel.paired:
        return pairings.answer(request, duel, letter)
    if duel.ruleset == "spells" and answer is actions.accept_challenge:
        return spell_challenges.accept(request, duel, letter)
    if request.method == "GET" or answer is None:
        return _challenge_page(request, duel, letter)
    try:
        duel = answer(user=request.user, duel_id=duel.pk)
    except (Invalid, TooLate) as refusal:
        duel.refresh_from_db()
        return _challenge_page(request, duel, letter, refusal)
    messages.success(request, SAID[request.POST["action"]])
    return redirect("duels:preparation" if duel.announced_at else "duels:challenge", duel.pk)


def _challenge_page(request: PlayersRequest, duel: Duel, letter: str, refusal: Refused | None = None) -> HttpResponse:
    if duel.ruleset == "spells":
        return spell_challenges.page(request, duel, letter, refusal)
    context = {
        "duel": duel,
        "letter": letter,
        "is_mine_to_answer": duel.status == Duel.Status.CHALLENGED and letter == "b",
        "earliest_start": start_as_it_stands(duel, clock.now()),
        "refusal": refusal,
        "free_to_stake": _free_to_stake(duel, letter) if duel.stake else None,
    }
    return render(request, "duels/challenge.html", context, status=STATUSES.get(type(refusal), 200))


def _free_to_stake(duel: Duel, letter: str) -> int:
    duellist = duel.seats.select_related("duellist").get(letter=letter).duellist
    return free_to_stake(duellist, duel.stake_currency, besides=duel)


@private
@require_http_methods(["GET", "POST"])
def preparation(request: PlayersRequest, pk: int) -> HttpResponse:
    """Hide the receptacle before the start; for the two who duel."""
    received_at = clock.received(request)
    duel = get_object_or_404(Duel, pk=pk)
    letter = letter_of(duel, request.user)
    if duel.ruleset == "spells":
        return spell_challenges.prepare(request, duel, letter, received_at)
    if request.method == "POST":
        return _prepare(request, duel, letter, received_at)
    if duel.status == Duel.Status.ANNOUNCED:
        return _preparation_page(request, duel, letter, received_at)
    return redirect("duels:challenge" if duel.announced_at is None else "duels:turn", duel.pk)


def _prepare(request: PlayersRequest, duel: Duel, letter: str, received_at: dt.datetime) -> HttpResponse:
    said, is_sure = request.POST.get("action"), request.POST.get("sure") == "yes"
    zone = request.POST.get("zone", "")
    try:
        if said == "start" and is_sure:
            in_secret = request.POST.get("clandestine") == "yes"
            duel = ask_to_start(user=request.user, duel_id=duel.pk, received_at=received_at, as_clandestine=in_secret)
            say_that_it_was_asked(request, duel)
            return redirect("duels:turn" if duel.is_running else "duels:preparation", duel.pk)
        if said == "hide" and (is_sure or not preparing.costs_a_point(duel, letter, received_at)):
            hide_receptacle(user=request.user, duel_id=duel.pk, zone=zone, received_at=received_at)
            messages.success(request, _("Your receptacle is hidden."))
            return redirect("duels:preparation", duel.pk)
        return _preparation_page(request, duel, letter, received_at, confirm=said, zone=zone)
    except (Invalid, TooLate) as refusal:
        duel.refresh_from_db()
        return _preparation_page(request, duel, letter, received_at, refusal=refusal, zone=zone)


def _preparation_page(request: PlayersRequest, duel: Duel, letter: str, at: dt.datetime, **shown: Any) -> HttpResponse:
    context = {**preparing.preparation_of(duel, letter, at), "duel": duel, "letter": letter, **shown}
    return render(request, "duels/preparation.html", context, status=STATUSES.get(type(shown.get("refusal")), 200))


urlpatterns: list[URLPattern] = [
    path("defis/nouveau/", challenge_new, name="challenge_new"),
    path("defis/<int:pk>/", challenge, name="challenge"),
    path("duels/<int:pk>/preparation/", preparation, name="preparation"),
    path("duellistes/<int:pk>/registre/", spell_challenges.register, name="register"),
]
