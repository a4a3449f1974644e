"""The spell book: its versions, and uploading the next one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from duels.actions.books import read_upload, upload_book
from duels.errors import BadBook
from duels.models import SpellBook

from .reading import ReadOnlyAdmin


class UploadForm(forms.ModelForm):
    """A TOML file; each of its faults is an error of its own."""

    file = forms.FileField(label=_("spell book (TOML)"))

    class Meta:
        model = SpellBook
        fields: list[str] = []

    def clean_file(self) -> bytes:
        uploaded: UploadedFile = self.cleaned_data["file"]
        raw: bytes = uploaded.read()
        try:
            read_upload(raw)
        except BadBook as refused:
            raise ValidationError([str(refused.message), *refused.faults]) from None
        return raw


@admin.register(SpellBook)
class SpellBookAdmin(ReadOnlyAdmin):
    list_display = ["number", "uploaded_at", "uploaded_by"]
    list_select_related = ["uploaded_by"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("duels.add_spellbook")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        return super().get_form(request, obj, change, **options) if obj else UploadForm

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return super().get_fields(request, obj) if obj else ["file"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return super().get_readonly_fields(request, obj) if obj else []

    def save_model(self, request: HttpRequest, obj: SpellBook, form: Any, change: bool) -> None:
        """The action stores it; what the form had made is the row that it stored."""
        stored = upload_book(user=request.user, raw=form.cleaned_data["file"])  # type: ignore[arg-type]
        obj.pk, obj.number = stored.pk, stored.number
