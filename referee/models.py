"""What referees ask of one another, and who wants to be one."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from duels.models import Duel
from duels.models.availability import AT_ONCE, MOST_AT_ONCE


class HandOver(models.Model):
    """That a duel's referee asks another to go on in their place (A14)."""

    class Answer(models.TextChoices):
        ACCEPTED = "accepted", pgettext_lazy("answer", "accepted")
        DECLINED = "declined", pgettext_lazy("answer", "declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("answer", "taken back")
        VOID = "void", pgettext_lazy("answer", "no longer asked")

    WORDS = ("message",)  # that staff may erase

    duel = models.ForeignKey(Duel, models.PROTECT, related_name="hand_overs")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="hand_overs_asked")
    message = models.TextField(_("a word to them"), max_length=500, blank=True)
    asked_at = models.DateTimeField()
    answer = models.CharField(max_length=9, choices=Answer.choices, blank=True)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["asked_at"]
        constraints = [
            models.UniqueConstraint(fields=["duel"], condition=Q(answer=""), name="one_hand_over_asked_a_duel"),
            models.CheckConstraint(condition=~Q(to=F("asked_by")), name="handed_over_to_another"),
        ]

    def __str__(self) -> str:
        return f"{self.duel_id}: {self.asked_by_id} → {self.to_id}"


class Candidacy(models.Model):
    """That a player wants to become a referee (A14), with what the list of referees would say of them."""

    class Answer(models.TextChoices):
        ACCEPTED = "accepted", pgettext_lazy("answer", "accepted")
        DECLINED = "declined", pgettext_lazy("answer", "declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("answer", "taken back")

    WORDS = ("message", "note", "reason")  # that staff may erase

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="candidacies")
    message = models.TextField(_("why I would referee"), max_length=1000)
    at_once = models.PositiveSmallIntegerField(
        _("duels at once"), default=AT_ONCE, validators=[MinValueValidator(1), MaxValueValidator(MOST_AT_ONCE)]
    )
    note = models.CharField(_("when I am there"), max_length=200, blank=True)
    sent_at = models.DateTimeField()
    answer = models.CharField(max_length=9, choices=Answer.choices, blank=True)
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    reason = models.TextField(_("reason"), max_length=500, blank=True)

    class Meta:
        ordering = ["sent_at"]
        verbose_name_plural = "candidacies"
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=Q(answer=""), name="one_open_candidacy_a_player"),
            models.CheckConstraint(
                condition=Q(answer="withdrawn") | Q(answered_by=None) | ~Q(answered_by=F("user")),
                name="nobody_decides_on_their_own",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} ({self.answer})"
