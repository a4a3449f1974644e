"""Duels, their seats and phases, and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from duels.actions.sweep import take_up_again
from duels.models import Duel, Happening, Heartbeat, Phase, Seat, TimeOut
from duels.models.duel import SET_ASIDE

from .reading import ReadOnlyAdmin

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class SetAside(admin.SimpleListFilter):
    title = _("the clock")
    parameter_name = "clock"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, StrOrPromise]]:
        return [("aside", _("set aside after three failures")), ("failing", _("failing"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Duel]) -> QuerySet[Duel]:
        if self.value() == "aside":
            return queryset.filter(failures__gte=SET_ASIDE)
        return queryset.filter(failures__gt=0) if self.value() == "failing" else queryset


@admin.register(Duel)
class DuelAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "status", "kind", "turn", "awaited", "due_at", "referee", "failures"]
    list_filter = ["status", SetAside, "kind", "arena", "refereed"]
    list_select_related = ["referee"]
    search_fields = ["=id", "seats__duellist__name", "referee__username"]
    date_hierarchy = "created_at"
    actions = ["let_the_clock_try_again"]

    def has_clock_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("duels.change_duel")

    @admin.action(description=_("Let the clock try again"), permissions=["clock"])
    def let_the_clock_try_again(self, request: HttpRequest, queryset: QuerySet[Duel]) -> None:
        duel_ids = list(queryset.filter(failures__gt=0).values_list("pk", flat=True))
        for duel_id in duel_ids:
            take_up_again(duel_id=duel_id)
        said = ngettext("%(count)d duel is taken up again.", "%(count)d duels are taken up again.", len(duel_ids))
        self.message_user(request, said % {"count": len(duel_ids)}, messages.SUCCESS)


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin):
    list_display = ["duel", "letter", "duellist", "hidden_version", "hidden_late", "wants_start"]
    list_filter = ["hidden_late"]
    list_select_related = ["duel", "duellist"]
    search_fields = ["=duel__id", "duellist__name"]


@admin.register(Phase)
class PhaseAdmin(ReadOnlyAdmin):
    list_display = ["duel", "branch", "number", "status", "opened_at", "due_at", "locked_at", "published_at"]
    list_filter = ["status"]
    list_select_related = ["duel"]
    search_fields = ["=duel__id", "duel__seats__duellist__name"]
    ordering = ["-pk"]

    def get_fields(self, request: HttpRequest, obj: Phase | None = None) -> tuple[str, ...]:
        """Whether something lacks in a post that a Legilimens sees first is not told before it is published (B7.1)."""
        fields = super().get_fields(request, obj)
        if obj is not None and obj.sealed_posts.exists():
            return tuple(name for name in fields if name != "correctable")
        return fields


@admin.register(Happening)
class HappeningAdmin(ReadOnlyAdmin):
    list_display = ["at", "duel", "what", "details"]
    list_filter = ["what"]
    list_select_related = ["duel"]
    search_fields = ["=duel__id", "what"]
    date_hierarchy = "at"
    ordering = ["-pk"]


@admin.register(TimeOut)
class TimeOutAdmin(ReadOnlyAdmin):
    list_display = ["phase", "seat", "hours", "asked_at", "answer", "answered_by"]
    list_filter = ["answer"]
    list_select_related = ["phase", "seat__duellist", "answered_by"]
    search_fields = ["=phase__duel__id", "seat__duellist__name", "answered_by__username"]
    date_hierarchy = "asked_at"
    ordering = ["-pk"]


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    """When the clock worked; between two rows it stood still."""

    list_display = ["since", "at", "lasted"]
    date_hierarchy = "since"
    ordering = ["-since"]

    @admin.display(description=_("lasted"))
    def lasted(self, beats: Heartbeat) -> str:
        return str(beats.at - beats.since).partition(".")[0]
