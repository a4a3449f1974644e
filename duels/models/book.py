"""The spell books: a duel keeps the version that it was agreed with."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class SpellBook(models.Model):
    """One version of the spell book, append-only. `spells` and `types` are as `rules.spells.book` has read them."""

    number = models.PositiveIntegerField(_("version"), unique=True)
    spells = models.JSONField()
    types = models.JSONField(help_text="type of magic → its name by language")
    source = models.TextField(help_text="the file as it was uploaded (TOML)")
    uploaded_at = models.DateTimeField()
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", help_text="nobody: the book shipped"
    )

    class Meta:
        ordering = ["-number"]

    def __str__(self) -> str:
        return f"v{self.number}"

    def spell(self, code: str) -> dict[str, Any]:
        """Return a spell by its code. Raises LookupError."""
        for spell in self.spells:
            if spell["code"] == code:
                found: dict[str, Any] = spell
                return found
        raise LookupError(f"the book {self} has no spell {code!r}")
