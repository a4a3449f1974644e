"""The registration desk, for members: what one is registered for, who looks for an opponent, why one cannot."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from duels import clock, training
from duels.errors import Invalid, TooLate
from duels.forms.challenges import STAKES
from duels.models import Duellist
from duels.queries.books import current_book
from duels.queries.playing import duellists_of
from duels.queries.purse import purses
from duels.queries.referees import capacity
from duels.views.access import PlayersRequest, add_refusal, private

from .actions.registering import register_for_arena, register_for_spells, withdraw
from .conditions import obstacles
from .forms import ArenaForm, DeskFilter, SpellsForm, filters_of
from .models import Enrolment
from .queries import line

PAGE = 20  # of those who look for an opponent
REFEREES = 5  # of those who can take one more duel; all have a page


@private
@require_safe
def desk(request: PlayersRequest) -> HttpResponse:
    """What I am registered for; who looks for an opponent; why I cannot, if I cannot."""
    now = clock.now()
    form = DeskFilter(request.GET or None)
    asked = filters_of(form) if form.is_bound else {}
    prospects = line.prospects(request.user, now=now)
    room = capacity(besides=[request.user.pk])
    context = {
        "training_hours": _training_hours(prospect.duellist for prospect in prospects),
        "standings": line.standings(request.user, now=now),
        "naming": line.naming(request.user),
        "prospects": prospects,
        "page": Paginator(line.looking(request.user, **asked), PAGE).get_page(request.GET.get("page")),
        "form": form,
        "filters": urlencode(asked),
        "referees": room.referees[:REFEREES],
        "no_referee": room.why_not,
    }
    return render(request, "tournaments/desk/desk.html", context)


@private
@require_http_methods(["GET", "POST"])
def register(request: PlayersRequest) -> HttpResponse:
    """Register a duellist of one's own: for the arena, or (`?regles=sorts`) for a spell duel."""
    mine = duellists_of(request.user)
    if not mine:
        return render(request, "duels/challenge_without.html")
    is_spells = request.GET.get("regles") == "sorts"
    said = request.POST or None
    form = SpellsForm(mine, current_book(), said) if is_spells else ArenaForm(mine, said)
    if request.method == "POST" and form.is_valid():
        action = register_for_spells if is_spells else register_for_arena
        try:
            enrolment = action(user=request.user, **form.terms)
        except Invalid as refusal:
            add_refusal(form, refusal)
        else:
            messages.success(request, _("%(name)s is registered.") % {"name": enrolment.duellist})
            for obstacle in obstacles(enrolment, now=clock.now()):
                messages.info(request, f"{obstacle.message} ({obstacle.rule})")
            return redirect("desk:desk")
    return _register_page(request, form, mine, is_spells)


def _register_page(
    request: PlayersRequest, form: ArenaForm | SpellsForm, mine: QuerySet[Duellist], is_spells: bool
) -> HttpResponse:
    context = {
        "form": form,
        "is_spells": is_spells,
        "only": mine[0] if len(mine) == 1 else None,
        "prospects": line.prospects(request.user, now=clock.now()) if is_spells else [],
        "purses": [] if is_spells else purses(mine, STAKES),
        "training_hours": "" if is_spells else _training_hours(mine),
        "no_referee": capacity(besides=[request.user.pk]).why_not,
    }
    return render(request, "tournaments/desk/register.html", context, status=422 if form.errors else 200)


def _training_hours(mine: Iterable[Duellist]) -> str:
    """When one's students train, in words; empty for who has none."""
    return training.in_words() if any(duellist.is_student for duellist in mine) else ""


@private
@require_http_methods(["GET", "POST"])
def withdrawal(request: PlayersRequest, pk: int) -> HttpResponse:
    """Leave the line, once it is said what that costs; for who plays the duellist."""
    enrolment = get_object_or_404(Enrolment.objects.of(request.user).select_related("duellist", "pairing"), pk=pk)
    if request.method == "GET":
        return render(request, "tournaments/desk/withdrawal.html", {"enrolment": enrolment})
    try:
        withdraw(user=request.user, enrolment_id=pk)
    except TooLate as refusal:
        enrolment.refresh_from_db()
        context = {"enrolment": enrolment, "refusal": refusal}
        return render(request, "tournaments/desk/withdrawal.html", context, status=409)
    messages.success(request, _("%(name)s is no longer registered.") % {"name": enrolment.duellist})
    return redirect("desk:desk")
