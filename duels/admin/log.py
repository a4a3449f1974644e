"""The log of the duels. Of what is not published, staff see that it is there, not what it says: they may play too."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from duels.models import Appeal, Disclosure, Draft, Entry, Framing, Phase, Resolution, SealedPost

from .reading import ReadOnlyAdmin


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ["duel", "index", "kind", "phase", "seat", "version", "at", "by"]
    list_filter = ["kind"]
    list_select_related = ["duel", "by"]
    search_fields = ["=duel__id", "=receipt", "=hash"]
    date_hierarchy = "at"
    ordering = ["-pk"]

    def get_fields(self, request: HttpRequest, obj: Entry | None = None) -> tuple[str, ...]:
        """A ruling is the referee's until the turn that it concerns is published; how long a post is that a Legilimens
        sees first, and whether something lacks in it, is theirs as long as the post is (B7.1)."""
        fields = super().get_fields(request, obj)
        if obj is not None and (_is_unpublished_ruling(obj) or _is_of_sealed_post(obj)):
            return tuple(name for name in fields if name != "public")
        return fields


@admin.register(Resolution)
class ResolutionAdmin(ReadOnlyAdmin):
    list_display = ["phase", "revision", "computed_at"]
    list_select_related = ["phase"]
    search_fields = ["=phase__duel__id"]
    date_hierarchy = "computed_at"
    ordering = ["-pk"]

    def get_fields(self, request: HttpRequest, obj: Resolution | None = None) -> tuple[str, ...]:
        """What was worked out and never published tells secrets: all of them, had it ended the duel."""
        fields = super().get_fields(request, obj)
        if obj is not None and (obj.phase.duel.is_over or _is_published(obj)):
            return fields
        return tuple(name for name in fields if name not in ("public_view", "public_events"))


@admin.register(Draft)
class DraftAdmin(ReadOnlyAdmin):
    """That there is a draft, and since when; what it says is its author's."""

    list_display = ["seat", "phase", "saved_at"]
    list_select_related = ["seat__duellist", "phase"]
    search_fields = ["seat__duellist__name", "=phase__duel__id"]


@admin.register(Appeal)
class AppealAdmin(ReadOnlyAdmin):
    """That a resolution was contested, and how it was answered; both texts are sealed in the log."""

    list_display = ["duel", "resolution", "seat", "made_at", "answer", "answered_by"]
    list_filter = ["answer"]
    list_select_related = ["duel", "resolution__phase", "seat__duellist", "answered_by"]
    search_fields = ["=duel__id", "=seat__duellist__name"]
    date_hierarchy = "made_at"


@admin.register(SealedPost)
class SealedPostAdmin(ReadOnlyAdmin):
    """That a post waits to be read by a Legilimens first (B7.1); what it says is not shown."""

    list_display = ["phase", "seat", "entry_index"]
    list_select_related = ["phase"]
    search_fields = ["=phase__duel__id"]
    ordering = ["-pk"]


@admin.register(Framing)
class FramingAdmin(ReadOnlyAdmin):
    """That a referee has written a preamble or closing words, not published yet; what they say is not shown."""

    list_display = ["phase", "author", "saved_at"]
    list_select_related = ["phase", "author"]
    search_fields = ["=phase__duel__id"]
    ordering = ["-pk"]


@admin.register(Disclosure)
class DisclosureAdmin(ReadOnlyAdmin):
    """Who was shown what had been filed; its author reads it once the duel is over."""

    list_display = ["at", "phase", "seats", "by"]
    list_select_related = ["phase", "by"]
    search_fields = ["=phase__duel__id", "by__username"]
    date_hierarchy = "at"
    ordering = ["-pk"]


def _is_published(resolution: Resolution) -> bool:
    phase = resolution.phase
    return phase.status == Phase.Status.PUBLISHED and phase.live_id == resolution.pk


def _is_unpublished_ruling(entry: Entry) -> bool:
    return entry.kind == "ruling" and not (entry.duel.is_over or _has_been_published(entry.phase_row))


def _is_of_sealed_post(entry: Entry) -> bool:
    """Say whether an entry tells of a post that is sealed still: its filing, or a deadline by which it is corrected."""
    sealed = SealedPost.objects.filter(phase=entry.phase_row_id)
    if entry.kind == "filing":
        return sealed.filter(seat=entry.seat).exists()
    return entry.kind == "deadline" and sealed.exists()


def _has_been_published(phase: Phase | None) -> bool:
    """Say whether what was ruled in a phase was published with it: never, of one that was superseded before."""
    return phase is not None and phase.status == Phase.Status.PUBLISHED
