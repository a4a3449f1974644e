"""That the clock works: what outages are known by."""

from __future__ import annotations

import datetime as dt

from django.db import models

SILENCE = dt.timedelta(minutes=5)  # longer without a sweep, and the clock has stood still


class Heartbeat(models.Model):
    """A time during which sweeps followed one another: the first at `since`, the last at `at`, no silence between."""

    since = models.DateTimeField()
    at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["since"]
        constraints = [models.CheckConstraint(condition=models.Q(at__gte=models.F("since")), name="a_beat_goes_on")]

    def __str__(self) -> str:
        return f"{self.since:%F %T} – {self.at:%F %T}"
