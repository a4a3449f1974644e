"""Appeals: a player contests a published resolution, and another referee decides."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .duel import Duel, Seat
from .log import Resolution


class Appeal(models.Model):
    """One reason, one answer. Both texts are sealed in the log, at `made_index` and `answer_index`, until the verdict.

    `judge` published what is contested (none: the clock). The clock stops until the answer, until `until` at most.
    """

    class Answer(models.TextChoices):
        UPHELD = "upheld", _("the resolution stands")
        GRANTED = "granted", _("granted")
        LAPSED = "lapsed", _("not answered in time")

    duel = models.ForeignKey(Duel, models.PROTECT, related_name="appeals")
    resolution = models.ForeignKey(Resolution, models.PROTECT, related_name="appeals")
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="appeals")
    judge = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField()
    made_index = models.PositiveIntegerField(help_text="the entry that holds the reason")
    until = models.DateTimeField()
    answer = models.CharField(max_length=8, choices=Answer.choices, blank=True)
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    answer_index = models.PositiveIntegerField(null=True, help_text="the entry that holds the answer's reason")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["resolution", "seat"], name="one_appeal_a_seat_and_resolution"),
            models.UniqueConstraint(fields=["duel"], condition=Q(answer=""), name="one_waiting_appeal_a_duel"),
        ]

    def __str__(self) -> str:
        return f"{self.duel_id}: {self.seat.letter}"
