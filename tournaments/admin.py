"""Tournaments, for staff to look at; what changes them goes through their own pages."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from duels.admin.reading import ReadOnlyAdmin

from .actions.sweep import take_up_again
from .models import Cursor, Enrolment, Entrant, LeftOut, Match, Pairing, Rating, Reign, Tally, Tournament


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    list_display = ["name", "ruleset", "kind", "status", "round", "starts_at", "failures"]
    list_filter = ["status", "ruleset", "kind"]
    search_fields = ["name"]
    actions = ["let_the_clock_try_again"]

    def has_clock_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("tournaments.change_tournament")

    @admin.action(description=_("Let the clock try again"), permissions=["clock"])
    def let_the_clock_try_again(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        tournament_ids = list(queryset.filter(failures__gt=0).values_list("pk", flat=True))
        for tournament_id in tournament_ids:
            take_up_again(tournament_id=tournament_id)
        count = len(tournament_ids)
        said = ngettext("%(count)d tournament is taken up again.", "%(count)d tournaments are taken up again.", count)
        self.message_user(request, said % {"count": count}, messages.SUCCESS)


@admin.register(Entrant)
class EntrantAdmin(ReadOnlyAdmin):
    list_display = ["tournament", "place", "duellist", "status", "registered_at", "left_at"]
    list_filter = ["status"]
    list_select_related = ["tournament", "duellist"]
    search_fields = ["tournament__name", "duellist__name"]


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display = ["tournament", "round", "key", "first", "second", "duel", "a_points", "b_points", "how"]
    list_filter = ["how"]
    list_select_related = ["tournament", "first__duellist", "second__duellist", "duel"]
    search_fields = ["tournament__name", "=duel__id"]


@admin.register(Reign)
class ReignAdmin(ReadOnlyAdmin):
    list_display = ["duellist", "ruleset", "tournament", "since", "until"]
    list_filter = ["ruleset"]
    list_select_related = ["duellist", "tournament"]
    search_fields = ["duellist__name", "tournament__name"]


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    list_display = ["duellist", "ruleset", "mu", "sigma", "duels"]
    list_filter = ["ruleset"]
    list_select_related = ["duellist"]
    search_fields = ["duellist__name"]


@admin.register(Tally)
class TallyAdmin(ReadOnlyAdmin):
    list_display = ["duellist", "ruleset", "subject", "value", "count"]
    list_filter = ["ruleset", "subject"]
    list_select_related = ["duellist"]
    search_fields = ["duellist__name"]


@admin.register(Cursor)
class CursorAdmin(ReadOnlyAdmin):
    list_display = ["name", "position"]


@admin.register(LeftOut)
class LeftOutAdmin(ReadOnlyAdmin):
    list_display = ["duel", "name", "why", "at", "is_tried_again"]
    list_filter = ["name"]
    list_select_related = ["duel"]


@admin.register(Enrolment)
class EnrolmentAdmin(ReadOnlyAdmin):
    list_display = ["duellist", "ruleset", "status", "registered_at", "returned_at", "closed_at", "failures"]
    list_filter = ["status", "ruleset"]
    list_select_related = ["duellist"]
    search_fields = ["duellist__name", "duellist__user__username"]


@admin.register(Pairing)
class PairingAdmin(ReadOnlyAdmin):
    list_display = ["duel", "made_at", "settled_at", "failures"]
    list_select_related = ["duel"]
    search_fields = ["=duel__id"]
