"""Becoming a referee: the player's page, and the referees' answer."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from duels import clock
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Duellist
from duels.people import is_referee
from duels.views.access import PlayersRequest, add_refusal, private

from .access import referees_only
from .actions import candidacies as actions
from .eligibility import DUELS, missing, played
from .forms import CandidacyForm, DecisionForm
from .models import Candidacy
from .paging import page_of


@private
@require_http_methods(["GET", "POST"])
def apply(request: PlayersRequest) -> HttpResponse:
    """Apply to become a referee, see what is missing, or take one's candidacy back. For members."""
    if request.method == "POST" and "withdraw" in request.POST:
        return _withdraw(request)
    form = CandidacyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            actions.apply(user=request.user, **form.cleaned_data)
        except Invalid as refusal:
            add_refusal(form, refusal)
        except (NotAllowed, TooLate) as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The referees are told. You will have a notice when one has answered."))
            return redirect("referee:apply")
    return _page(request, form)


def _withdraw(request: PlayersRequest) -> HttpResponse:
    candidacy = Candidacy.objects.filter(user=request.user, answer="").first()
    try:
        if candidacy is not None:
            actions.withdraw_candidacy(user=request.user, candidacy_id=candidacy.pk)
            messages.success(request, _("Your candidacy is taken back."))
    except TooLate as refusal:
        messages.error(request, str(refusal))
    return redirect("referee:apply")


def _page(request: PlayersRequest, form: CandidacyForm) -> HttpResponse:
    context = {
        "form": form,
        "is_one": is_referee(request.user),
        "last": Candidacy.objects.filter(user=request.user).order_by("-pk").first(),
        "missing": missing(request.user, now=clock.now()),
        "played": played(request.user),
        "all": DUELS,
    }
    return render(request, "referee/apply.html", context, status=422 if form.errors else 200)


@referees_only
@require_http_methods(["GET"])
def candidacies(request: PlayersRequest) -> HttpResponse:
    """All candidacies, those without an answer first. For referees."""
    sent = Candidacy.objects.select_related("user", "answered_by").order_by("answered_at", "pk")
    context = {
        "open": page_of(sent.filter(answer=""), request, "page"),
        "answered": page_of(sent.exclude(answer="").order_by("-answered_at"), request, "anciennes"),
    }
    return render(request, "referee/candidacies.html", context)


@referees_only
@require_http_methods(["GET", "POST"])
def candidacy(request: PlayersRequest, pk: int) -> HttpResponse:
    """One candidacy: who it is, and accepting or declining it. For referees, never one's own."""
    found = get_object_or_404(Candidacy.objects.select_related("user", "answered_by"), pk=pk)
    if found.user_id == request.user.pk:
        return redirect("referee:apply")
    form = DecisionForm(request.POST or None)
    if request.method == "POST":
        answer = request.POST.get("answer")
        if answer not in ("accept", "decline"):
            form.add_error(None, _("Say whether you accept it or decline it."))
        if form.is_valid():
            return _decide(request, found, form, accepted=answer == "accept")
    return _show(request, found, form)


def _decide(request: PlayersRequest, found: Candidacy, form: DecisionForm, *, accepted: bool) -> HttpResponse:
    reason = form.cleaned_data["reason"]
    try:
        actions.answer_candidacy(user=request.user, candidacy_id=found.pk, accepted=accepted, reason=reason)
    except (Invalid, TooLate) as refusal:
        add_refusal(form, refusal)
        return _show(request, found, form)
    name = {"name": found.user.get_username()}
    messages.success(
        request, _("%(name)s is a referee now.") % name if accepted else _("%(name)s is told why you decline.") % name
    )
    return redirect("referee:candidacies")


def _show(request: PlayersRequest, found: Candidacy, form: DecisionForm) -> HttpResponse:
    context = {
        "candidacy": found,
        "form": form,
        "played": played(found.user),
        "duellists": Duellist.objects.filter(user=found.user),
    }
    return render(request, "referee/candidacy.html", context, status=422 if form.errors else 200)
