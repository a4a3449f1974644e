"""What referees say of themselves (A14)."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

AT_ONCE = 3  # what the form proposes
MOST_AT_ONCE = 20


class Availability(models.Model):
    """A referee's availability and number of duels at once, for everybody to read (A14); no row: not said yet."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="availability")
    is_available = models.BooleanField(_("I take duels"), default=True)
    at_once = models.PositiveSmallIntegerField(
        _("duels at once"), default=AT_ONCE, validators=[MinValueValidator(1), MaxValueValidator(MOST_AT_ONCE)]
    )
    note = models.CharField(_("when I am there"), max_length=200, blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "availabilities"

    def __str__(self) -> str:
        return f"{self.user_id}: {self.at_once if self.is_available else 0}"
