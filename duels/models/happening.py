"""The outbox: what `duels` has to tell the others."""

from __future__ import annotations

from django.db import models

from .duel import Duel


class Happening(models.Model):
    """Something that happened, appended in the same transaction; nothing in it is secret. `concerns`: ids of users.

    Without a duel where it is about none.
    """

    duel = models.ForeignKey(Duel, models.PROTECT, null=True, related_name="happenings")
    what = models.CharField(max_length=30)
    at = models.DateTimeField()
    concerns = models.JSONField(default=list)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.what} {self.duel_id or ''}".rstrip()
