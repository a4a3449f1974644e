"""Who was shown what had been filed, while the duel ran."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .log import Phase


class Disclosure(models.Model):
    """That somebody was shown what `seats` (their letters) had filed in a phase and kept secret in it: append-only.

    Each showing is one row, and its author may read it once the duel is over.
    """

    phase = models.ForeignKey(Phase, models.PROTECT, related_name="disclosures")
    seats = models.CharField(max_length=4)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.phase_id}: {self.seats}"
