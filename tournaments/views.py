"""The pages of tournaments: anyone reads; members register and withdraw; organisers announce, send off, call off."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.cache import cache
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from duels.errors import Invalid, Refused, TooLate
from duels.models import Duellist
from duels.queries.playing import duellists_of
from duels.views.access import PlayersRequest, add_refusal, private

from . import calendar, charts, lots
from .actions.announcing import announce_tournament, cancel_tournament, check_announcement
from .actions.holding import may_organise, require_organiser
from .actions.leaving import disqualify, withdraw
from .actions.registering import register, why_closed
from .forms import AnnouncementForm, EntryForm, ReasonForm
from .models import Entrant, Tournament
from .picture import png as draw_picture
from .queries import champions as fame
from .queries import showing
from .queries.ranking import spell_champions
from .queries.ratings import listed as listed_ratings
from .queries.statistics import kept as kept_statistics

PAGE = 20  # tournaments, reigns, ranks
KEPT = 300  # seconds that a picture is


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """All tournaments, the newest first. For anyone."""
    page = Paginator(showing.listed(), PAGE).get_page(request.GET.get("page"))
    return render(request, "tournaments/tournaments.html", {"page": page})


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """A tournament: its bracket or table, the next duels, its champion. For anyone."""
    found = _found(slug)
    shown = showing.shown(found)
    context = {
        "tournament": found,
        "shown": shown,
        "has_points": shown.has_points,
        "referees": found.referees.all(),
        "mine": showing.entry_of(found, request.user),
        "closed": why_closed(found, request.user),
        "last_round": calendar.last_round(found),
        "is_organiser": may_organise(request.user, "change"),
    }
    return render(request, "tournaments/tournament.html", context)


def _found(slug: str) -> Tournament:
    return get_object_or_404(Tournament.objects.select_related("announced_by", "book", "reign"), slug=slug)


@require_safe
def calendar_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The calendar of a tournament, for anyone's own."""
    response = HttpResponse(calendar.of(_found(slug)), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}.ics"'
    return response


@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture of a tournament, for those who link to it; drawn anew every five minutes at most. For anyone."""
    found = _found(slug)
    drawn = cache.get_or_set(f"tournament-picture:{found.pk}", lambda: draw_picture(showing.shown(found)), KEPT)
    response = HttpResponse(drawn, content_type="image/png")
    patch_cache_control(response, public=True, max_age=KEPT)
    return response


@require_safe
def lots_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The draws of a tournament, for anyone to draw again, once the seed is open."""
    try:
        response = JsonResponse(lots.proof(_found(slug)), json_dumps_params={"indent": 2, "ensure_ascii": False})
    except LookupError:
        raise Http404 from None
    response["Content-Disposition"] = f'attachment; filename="{slug}-tirages.json"'
    return response


@require_safe
def champions(request: HttpRequest) -> HttpResponse:
    """The champions and their reigns (A15), the ranking of the spell duels (B3.3.2), the hall of fame. For anyone."""
    context = {
        "reigning": fame.reigning(),
        "reigns": Paginator(fame.reigns(), PAGE).get_page(request.GET.get("regnes")),
        "ranking": Paginator(spell_champions(), PAGE).get_page(request.GET.get("classement")),
        "hall": Paginator(fame.hall_of_fame(), PAGE).get_page(request.GET.get("palmares")),
    }
    return render(request, "tournaments/champions.html", context)


@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    """How strong the duellists seem to be in one kind of duel (`regles`), and how sure that is. For anyone."""
    ruleset = _ruleset_asked(request)
    page = Paginator(listed_ratings(ruleset), PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "ruleset": ruleset, "rulesets": Tournament.Ruleset.choices}
    return render(request, "tournaments/ratings.html", context)


def _ruleset_asked(request: HttpRequest) -> str:
    ruleset = request.GET.get("regles", Tournament.Ruleset.ARENA)
    if ruleset not in Tournament.Ruleset.values:
        raise Http404
    return ruleset


@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    """What was done in all duels of one kind (`regles`) that are over, and how fair their dice fell. For anyone."""
    return _statistics(request, None)


@require_safe
def statistics_of(request: HttpRequest, pk: int) -> HttpResponse:
    """What a duellist did in the duels of one kind (`regles`) that are over. For anyone."""
    return _statistics(request, get_object_or_404(Duellist, pk=pk))


def _statistics(request: HttpRequest, duellist: Duellist | None) -> HttpResponse:
    ruleset = _ruleset_asked(request)
    counted = kept_statistics(ruleset, duellist)
    context = {
        "duellist": duellist,
        "ruleset": ruleset,
        "rulesets": Tournament.Ruleset.choices,
        "duels": counted.duels,
        "charts": charts.of(counted),
        "dice": charts.of_dice(counted),
    }
    return render(request, "tournaments/statistics.html", context)


@private
@require_http_methods(["GET", "POST"])
def tournament_new(request: PlayersRequest) -> HttpResponse:
    """Announce a tournament, once it is said what cannot be changed any more; for organisers."""
    require_organiser(request.user, "add")
    step = request.POST.get("do")
    form = AnnouncementForm(request.POST or None)
    if step == "change":
        return _announcement_page(request, AnnouncementForm(initial={field.name: field.value() for field in form}))
    if not form.is_valid():
        return _announcement_page(request, form)
    try:
        if step != "announce":
            return _announcement_recap(request, form)
        made = announce_tournament(
            user=request.user, announcement=form.announcement, sending=form.cleaned_data["sending"]
        )
    except Invalid as refusal:
        add_refusal(form, refusal)
        return _announcement_page(request, form)
    messages.success(request, _("The tournament is announced: registration is open."))
    return redirect(made)


def _announcement_page(request: PlayersRequest, form: AnnouncementForm) -> HttpResponse:
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "tournaments/tournament_new.html", {"form": form}, status=status)


def _announcement_recap(request: PlayersRequest, form: AnnouncementForm) -> HttpResponse:
    """Say what would be announced, before anything is. Raises Invalid."""
    planned = check_announcement(user=request.user, announcement=form.announcement)
    context = {
        "tournament": planned,
        "last_round": calendar.announced_rounds(planned),
        "has_points": not planned.format.needs_winner,
        "referees": form.announcement.referees,
        "form": form,
    }
    return render(request, "tournaments/tournament_recap.html", context)


@private
@require_http_methods(["GET", "POST"])
def entry(request: PlayersRequest, slug: str) -> HttpResponse:
    """Register, once it is said what that binds one to, or see how one is registered; for members."""
    found = _found(slug)
    mine = duellists_of(request.user)
    form = EntryForm(mine, found, request.POST or None)
    entered = showing.entry_of(found, request.user)
    context = {"tournament": found, "form": form, "has_duellist": mine.exists(), "entered": entered}
    context["refusal"] = None if entered else why_closed(found, request.user)
    if request.method == "POST" and form.is_valid():
        try:
            made = register(user=request.user, tournament_id=found.pk, **form.terms)
        except Invalid as refusal:
            add_refusal(form, refusal)
        except TooLate as refusal:
            return render(request, "tournaments/entry.html", {**context, "refusal": refusal}, status=409)
        else:
            messages.success(request, _told(made))
            return redirect(found)
    return render(request, "tournaments/entry.html", context, status=422 if form.errors else 200)


def _told(made: Entrant) -> str:
    if made.status == Entrant.Status.RESERVE:
        return _("%(name)s waits as a substitute.") % {"name": made.duellist}
    return _("%(name)s is registered.") % {"name": made.duellist}


@private
@require_http_methods(["GET", "POST"])
def withdrawal(request: PlayersRequest, slug: str) -> HttpResponse:
    """Withdraw, once it is said what that costs; for who is registered."""
    found = _found(slug)
    context = {"tournament": found, "mine": showing.entry_of(found, request.user)}
    if request.method == "POST":
        try:
            gone = withdraw(user=request.user, tournament_id=found.pk)
        except TooLate as refusal:
            return render(request, "tournaments/withdrawal.html", {**context, "refusal": refusal}, status=409)
        messages.success(request, _("%(name)s has left the tournament.") % {"name": gone.duellist})
        return redirect(found)
    return render(request, "tournaments/withdrawal.html", context)


@private
@require_http_methods(["GET", "POST"])
def exclusion(request: PlayersRequest, slug: str, pk: int) -> HttpResponse:
    """Send somebody off, with a reason; for organisers."""
    found = _found(slug)
    entrant = get_object_or_404(found.entrants.select_related("duellist"), pk=pk)

    def send_off(reason: str) -> None:
        disqualify(user=request.user, tournament_id=found.pk, entrant_id=pk, reason=reason)

    return _with_reason(request, found, send_off, {"entrant": entrant})


@private
@require_http_methods(["GET", "POST"])
def cancellation(request: PlayersRequest, slug: str) -> HttpResponse:
    """Call a tournament off, with a reason; for organisers."""
    found = _found(slug)

    def call_off(reason: str) -> None:
        cancel_tournament(user=request.user, tournament_id=found.pk, reason=reason)

    return _with_reason(request, found, call_off, {})


def _with_reason(
    request: PlayersRequest, found: Tournament, act: Callable[[str], None], context: dict[str, object]
) -> HttpResponse:
    require_organiser(request.user, "change")
    form = ReasonForm(request.POST or None)
    refusal: Refused | None = None
    if request.method == "POST" and form.is_valid():
        try:
            act(form.cleaned_data["reason"])
        except Invalid as wrong:
            add_refusal(form, wrong)
        except TooLate as late:
            refusal = late
        else:
            return redirect(found)
    status = 409 if refusal else 422 if form.errors else 200
    context = {"tournament": found, "form": form, "refusal": refusal, **context}
    return render(request, "tournaments/reason.html", context, status=status)
