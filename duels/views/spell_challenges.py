"""Challenging to a spell duel, answering, waiting for its start."""

from __future__ import annotations

import datetime as dt

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from duels import clock
from duels.actions.announcement import start_as_it_stands
from duels.actions.duellists import edit_register
from duels.actions.preparation import ask_to_start
from duels.actions.spell_challenges import (
    accept_spell_challenge,
    check_spell_challenge,
    level_gap,
    send_spell_challenge,
)
from duels.errors import Invalid, NotAllowed, Refused, TooLate
from duels.forms.spell_challenges import RegisterForm, RegistrationForm, SpellChallengeForm
from duels.models import Duel, Duellist, Seat
from duels.queries.books import current_book
from duels.queries.eligibility import missing

from .access import PlayersRequest, add_refusal, private
from .table import say_that_it_was_asked

MUCH = 1  # years of difference, above which role-players are warned (B1.2)


def propose(request: PlayersRequest, mine: QuerySet[Duellist], opponent: Duellist) -> HttpResponse:
    """Take the terms of a challenge, and say what keeps one's duellists from it."""
    form = SpellChallengeForm(mine, opponent, current_book(), request.POST or None)
    if request.method == "POST" and (duel := _send(request, form)):
        messages.success(request, _("The challenge is sent."))
        return redirect("duels:challenge", duel.pk)
    now = clock.now()
    context = {
        "form": form,
        "opponent": opponent,
        "only": mine[0] if len(mine) == 1 else None,
        "lacking": [(one, missing(one, Duel.Mode.RP, now=now)) for one in mine],
    }
    return render(request, "duels/spells/challenge_new.html", context, status=422 if form.errors else 200)


def _send(request: PlayersRequest, form: SpellChallengeForm) -> Duel | None:
    """Send the challenge; or None, with everything that is wrong in the form, or a warning of who cannot accept."""
    try:
        if form.is_valid() and _is_warned(request, form):
            return send_spell_challenge(user=request.user, **form.terms)
        check_spell_challenge(user=request.user, now=clock.now(), **form.known)
    except (Invalid, NotAllowed) as refusal:
        add_refusal(form, refusal)
    return None


def _is_warned(request: PlayersRequest, form: SpellChallengeForm) -> bool:
    """Whether the page that was sent named everybody who could not accept."""
    return {str(one.duellist.pk) for one in form.hindered} <= set(request.POST.getlist("warned"))


def accept(request: PlayersRequest, duel: Duel, letter: str) -> HttpResponse:
    """Accept, with one's level and types in mode `free`."""
    form = _registration(request, duel)
    registration = form.registration if form.is_valid() and duel.mode == Duel.Mode.FREE else None
    try:
        duel = accept_spell_challenge(user=request.user, duel_id=duel.pk, registration=registration)
    except (Invalid, TooLate) as refusal:
        duel.refresh_from_db()
        add_refusal(form, refusal)
        return page(request, duel, letter, refusal, form)
    messages.success(request, _("You have accepted."))
    return redirect("duels:preparation" if duel.announced_at else "duels:challenge", duel.pk)


def _registration(request: PlayersRequest, duel: Duel) -> RegistrationForm:
    return RegistrationForm(duel.book or current_book(), request.POST or None)


def page(
    request: PlayersRequest,
    duel: Duel,
    letter: str,
    refusal: Refused | None = None,
    sent: RegistrationForm | None = None,
) -> HttpResponse:
    """A challenge to a spell duel, and its answers; `sent`: what was answered, and refused."""
    seats = sorted(duel.seats.select_related("duellist__user"), key=_by_team)
    mine = next(seat for seat in seats if seat.letter == letter)
    open_to_me = duel.status == Duel.Status.CHALLENGED and letter != "a" and mine.accepted_at is None
    context = {
        "duel": duel,
        "letter": letter,
        "seats": seats,
        "is_mine_to_answer": open_to_me,
        "lacking": missing(mine.duellist, duel.mode, now=clock.now(), besides=duel) if open_to_me else [],
        "gap": level_gap(duel) if duel.mode == Duel.Mode.RP else 0,
        "is_wide": duel.mode == Duel.Mode.RP and level_gap(duel) > MUCH,
        "form": (sent or _registration(request, duel)) if open_to_me and duel.mode == Duel.Mode.FREE else None,
        "earliest_start": start_as_it_stands(duel, clock.now()),
        "refusal": refusal,
    }
    status = 422 if isinstance(refusal, Invalid) else 409 if refusal else 200
    return render(request, "duels/spells/challenge.html", context, status=status)


def _by_team(seat: Seat) -> tuple[bool, str]:
    """The first team (a and c), then the second (b and d)."""
    return seat.letter in "bd", seat.letter


def prepare(request: PlayersRequest, duel: Duel, letter: str, received_at: dt.datetime) -> HttpResponse:
    """Wait for the start, or ask to start at once: there is nothing to hide in a spell duel."""
    refusal = None
    if request.method == "POST":
        try:
            duel = ask_to_start(user=request.user, duel_id=duel.pk, received_at=received_at)
            say_that_it_was_asked(request, duel)
            return redirect("duels:turn" if duel.is_running else "duels:preparation", duel.pk)
        except (Invalid, TooLate) as refused:
            duel.refresh_from_db()
            refusal = refused
    if duel.status != Duel.Status.ANNOUNCED:
        return redirect("duels:challenge" if duel.announced_at is None else "duels:turn", duel.pk)
    seats = sorted(duel.seats.select_related("duellist"), key=_by_team)
    context = {
        "duel": duel,
        "mine": next(seat for seat in seats if seat.letter == letter),
        "seats": seats,
        "refusal": refusal,
    }
    return render(request, "duels/spells/preparation.html", context, status=409 if refusal else 200)


@private
@require_http_methods(["GET", "POST"])
def register(request: PlayersRequest, pk: int) -> HttpResponse:
    """The magic register of a duellist of one's own: types of magic, traits, the Prodigium club."""
    duellist = get_object_or_404(Duellist, pk=pk)
    if duellist.user_id != request.user.pk:
        raise NotAllowed(_("Only who plays a duellist can change it."))
    form = RegisterForm(duellist, current_book(), request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            edit_register(user=request.user, duellist=duellist, **form.cleaned_data)
        except Invalid as refusal:
            add_refusal(form, refusal)
        else:
            messages.success(request, _("The magic register is kept."))
            return redirect(duellist)
    lacking = missing(duellist, Duel.Mode.RP, now=clock.now())
    context = {"form": form, "duellist": duellist, "lacking": lacking}
    return render(request, "duels/spells/register.html", context, status=422 if form.errors else 200)
