"""Duellists: the characters that users play."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import connection, models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from duels.clock import school_date

YEARS = range(1, 8)
ADULT_LEVEL = 8  # B1.2
MINIMUM_AGE = 11  # A2.1


def age_on(birth_date: dt.date, day: dt.date) -> int:
    """Return the completed years between two dates."""
    return day.year - birth_date.year - ((day.month, day.day) < (birth_date.month, birth_date.day))


class DuellistQuerySet(models.QuerySet["Duellist"]):
    def hold(self, *duellists: Duellist) -> None:
        """Hold these rows until the transaction ends; who publishes in one of their duels goes on meanwhile."""
        if connection.features.has_select_for_no_key_update:
            held = self.filter(pk__in=[duellist.pk for duellist in duellists]).order_by("pk")
            list(held.select_for_update(no_key=True).values_list("pk"))


class Duellist(models.Model):
    """A character of a user: a student of one of the seven years, or an adult (`year` None)."""

    class Hand(models.TextChoices):
        LEFT = "left", _("left hand")
        RIGHT = "right", _("right hand")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="duellists")
    name = models.CharField(_("name"), max_length=60, unique=True)
    birth_date = models.DateField(_("birth date"))
    year = models.PositiveSmallIntegerField(
        _("year of study"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(7)]
    )
    wand_hand = models.CharField(_("wand hand"), max_length=5, choices=Hand.choices, default=Hand.RIGHT)
    portrait = models.ImageField(_("portrait"), upload_to="portraits/", blank=True)
    types = models.JSONField(_("types of magic"), default=list, blank=True, help_text="codes of the spell book")
    traits = models.JSONField(_("traits"), default=dict, blank=True, help_text="trait → rank; 0: no rank given yet")
    prodigium = models.BooleanField(_("member of the Prodigium club"), default=False)
    in_chronology = models.BooleanField(_("in the chronology"), default=False)
    homework_year = models.PositiveSmallIntegerField(
        _("homework year"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(8)]
    )
    wait_waived_at = models.DateTimeField(_("wait between spell duels waived on"), null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = DuellistQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("duels:duellist", args=[self.pk])

    @property
    def age(self) -> int:
        """Age in completed years on the school's own date."""
        return age_on(self.birth_date, school_date())

    @property
    def is_student(self) -> bool:
        return self.year is not None

    @property
    def level(self) -> int:
        """The level at which they fight in a spell duel of mode `rp`: their year, an adult 8 (B1.2)."""
        return self.year or ADULT_LEVEL

    @property
    def highest_level(self) -> int:
        """The highest level that they may choose in a spell duel of mode `free`: their homework year (B1.2)."""
        return self.homework_year or self.level

    @property
    def ranks(self) -> dict[str, int]:
        """Their traits that have been given a rank."""
        return {trait: rank for trait, rank in sorted(self.traits.items()) if rank}

    def terms(self) -> dict[str, Any]:
        """What the rules know of a duellist, frozen in a duel's terms when it is announced."""
        return {"age": self.age, "year": self.year or "adult"}


class CarriedOver(models.Model):
    """What staff carry over for a member from an older forum: since when, and how many messages (B1.1)."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="carried_over")
    member_since = models.DateField(_("member since"), null=True, blank=True)
    messages = models.PositiveIntegerField(_("messages"), default=0)

    class Meta:
        verbose_name = _("figures carried over")
        verbose_name_plural = _("figures carried over")

    def __str__(self) -> str:
        return str(self.user)
