"""What the pages of staff share."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import BinaryField, Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from duels.errors import Refused

from . import labels


class StaffAdmin(admin.ModelAdmin):
    """A table under the names that staff reads; what an action refuses to save is said at the top of the page."""

    list_per_page = 25  # what comes after the list, its filters on a phone, is not far

    def __init__(self, model: type[Model], admin_site: admin.AdminSite) -> None:
        super().__init__(model, admin_site)
        labels.name(self.opts)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().changeform_view(request, *args, **kwargs)
        except Refused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
            return redirect(request.get_full_path())


class ReadOnlyAdmin(StaffAdmin):
    """Rows that are read, searched and filtered; changes go through actions. Sealed columns are left out."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return tuple(field.name for field in self.opts.fields if not isinstance(field, BinaryField))
