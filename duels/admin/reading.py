"""What the pages of staff share."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import BinaryField, Model
from django.http import HttpRequest

from . import labels


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that are read, searched and filtered; changes go through actions. Sealed columns are left out."""

    list_per_page = 25  # what comes after the list, its filters on a phone, is not far

    def __init__(self, model: type[Model], admin_site: admin.AdminSite) -> None:
        super().__init__(model, admin_site)
        labels.name(self.opts)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return tuple(field.name for field in self.opts.fields if not isinstance(field, BinaryField))
