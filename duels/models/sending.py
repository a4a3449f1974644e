"""Forms that were sent, so that none does its work a second time."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Sending(models.Model):
    """A form that somebody has sent, by the key that was made with it; `led_to` is the address of what came of it.

    It is there when what the form asked for is: both are of one transaction. It stays as long as the member does.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sendings")
    key = models.UUIDField()
    led_to = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="a_form_is_sent_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.key}"
