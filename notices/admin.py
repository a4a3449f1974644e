"""What people are told, for staff to look at; nothing is changed here (see /etat/)."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from duels.admin.reading import ReadOnlyAdmin

from .models import Cursor, Delivery, Notice, Preference


@admin.register(Cursor)
class CursorAdmin(ReadOnlyAdmin):
    list_display = ["name", "position"]


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin):
    list_display = ["happening", "user", "read_at"]
    list_select_related = ["happening", "user"]
    search_fields = ["=happening__duel__id", "user__username"]


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    list_display = ["happening", "user", "status", "reason", "tries", "changed_at"]
    list_filter = ["status", "reason"]
    list_select_related = ["happening", "user"]
    search_fields = ["=happening__duel__id", "user__username"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return tuple(field for field in super().get_fields(request, obj) if field != "token_hash")


@admin.register(Preference)
class PreferenceAdmin(ReadOnlyAdmin):
    list_display = ["user", "language", "zone", "mail"]
    list_filter = ["mail", "language"]
    list_select_related = ["user"]
    search_fields = ["user__username"]
