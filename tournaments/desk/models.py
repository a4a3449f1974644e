"""The registration desk: who looks for an opponent, on what terms, and whom the desk has paired."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import connection, models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from duels.models import Currency, Duel, Duellist
from duels.models.duel import SET_ASIDE

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SEATS = {Duel.Format.ONE: 2, Duel.Format.TWO: 4}


class EnrolmentQuerySet(models.QuerySet["Enrolment"]):
    def open(self) -> Self:
        """Those that wait for an opponent, or for a pairing to be confirmed."""
        return self.filter(status__in=(Enrolment.Status.WAITING, Enrolment.Status.PAIRED))

    def waiting(self) -> Self:
        """Those that wait for an opponent, first in line first; closed accounts wait for nobody."""
        waiting = self.filter(status=Enrolment.Status.WAITING, duellist__user__is_active=True)
        return waiting.order_by(Coalesce("returned_at", F("registered_at")), "pk").select_related("duellist__user")

    def set_aside(self) -> Self:
        """Those that the desk has failed to pair, again and again."""
        return self.waiting().filter(failures__gte=SET_ASIDE)

    def of(self, user: User) -> Self:
        return self.filter(duellist__user=user)

    def held(self) -> Self:
        """The rows, held until the transaction ends (on SQLite the whole file is, by BEGIN IMMEDIATE)."""
        if not connection.features.has_select_for_no_key_update:
            return self
        return self.select_for_update(no_key=True, of=("self",))


class Enrolment(models.Model):
    """A duellist's registration for a duel without an opponent; what is left empty belongs to the other rules."""

    class Status(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("registration", "waiting for an opponent")
        PAIRED = "paired", pgettext_lazy("registration", "paired, to be confirmed")
        AGREED = "agreed", pgettext_lazy("registration", "a duel has come of it")
        WITHDRAWN = "withdrawn", pgettext_lazy("registration", "withdrawn")
        LAPSED = "lapsed", pgettext_lazy("registration", "not confirmed")

    class Ruleset(models.TextChoices):
        ARENA = "arena", _("arena duel")
        SPELLS = "spells", _("spell duel")

    duellist = models.ForeignKey(Duellist, models.PROTECT, related_name="enrolments", verbose_name=_("duellist"))
    ruleset = models.CharField(_("rules"), max_length=10, choices=Ruleset.choices)
    refereed = models.BooleanField(_("with a referee"), default=True)

    kind = models.CharField(_("kind"), max_length=12, choices=Duel.Kind.choices, blank=True)
    turn_hours = models.PositiveSmallIntegerField(_("turn length"), choices=[(24, "24 h"), (48, "48 h")], default=48)

    stake_currency = models.CharField(_("currency"), max_length=8, choices=Currency.choices, blank=True)
    stake_least = models.PositiveIntegerField(_("least stake"), default=0)
    stake_most = models.PositiveIntegerField(_("highest stake"), default=0, help_text="0: plays without a stake")

    mode = models.CharField(_("mode"), max_length=4, choices=Duel.Mode.choices, blank=True)
    format = models.CharField(_("format"), max_length=3, choices=Duel.Format.choices, default=Duel.Format.ONE)
    level = models.PositiveSmallIntegerField(_("level"), null=True, blank=True, help_text="chosen, in mode free")
    types: models.JSONField[list[str]] = models.JSONField(_("types of magic"), default=list, blank=True)
    partner = models.ForeignKey(
        Duellist, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("partner"),
        help_text="two against two: who registers too, and names this duellist",
    )  # fmt: skip

    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.WAITING)
    pairing = models.ForeignKey(
        "Pairing", models.PROTECT, null=True, blank=True, related_name="enrolments", verbose_name=_("pairing")
    )
    registered_at = models.DateTimeField(_("registered on"))
    returned_at = models.DateTimeField(
        _("first in line since"), null=True, blank=True, help_text="a pairing that lapsed"
    )
    closed_at = models.DateTimeField(_("closed on"), null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0, help_text="failed pairings; 3: set aside for staff")

    objects = EnrolmentQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("registration at the desk")
        verbose_name_plural = _("registrations at the desk")
        constraints = [
            models.UniqueConstraint(
                fields=["duellist", "ruleset"],
                condition=Q(status__in=("waiting", "paired")),
                name="one_open_enrolment_a_ruleset",
            ),
            models.CheckConstraint(condition=Q(stake_least__lte=F("stake_most")), name="stakes_from_least_to_most"),
        ]
        indexes = [models.Index(fields=["status", "registered_at"], name="enrolment_by_status")]

    def __str__(self) -> str:
        return f"{self.duellist} ({self.get_ruleset_display()})"

    @property
    def is_waiting(self) -> bool:
        return self.status == self.Status.WAITING

    @property
    def is_set_aside(self) -> bool:
        return self.failures >= SET_ASIDE

    @property
    def is_spells(self) -> bool:
        return self.ruleset == self.Ruleset.SPELLS

    @property
    def is_clandestine(self) -> bool:
        return self.kind == Duel.Kind.CLANDESTINE

    @property
    def years(self) -> int:
        """The year at which they fight, 1 to 7, an adult 8: what gaps are counted in (B1.3)."""
        return self.level or self.duellist.level

    @property
    def seats(self) -> int:
        """How many make up the duel."""
        return SEATS[Duel.Format(self.format)]


class PairingQuerySet(models.QuerySet["Pairing"]):
    def sound(self) -> Self:
        """Those that are not set aside."""
        return self.filter(failures__lt=SET_ASIDE)

    def set_aside(self) -> Self:
        """Those that the desk has failed to settle, again and again."""
        return self.filter(failures__gte=SET_ASIDE).select_related("duel")


class Pairing(models.Model):
    """A duel that the desk has proposed; it is settled once everybody has confirmed it, or somebody has not."""

    duel = models.OneToOneField(Duel, models.PROTECT, related_name="pairing", verbose_name=_("duel"))
    made_at = models.DateTimeField(_("made on"))
    settled_at = models.DateTimeField(_("settled on"), null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0, help_text="failed settlements; 3: set aside for staff")

    objects = PairingQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")
        indexes = [models.Index(fields=["duel"], condition=Q(settled_at=None), name="pairing_unsettled")]

    def __str__(self) -> str:
        return str(self.duel)

    @property
    def is_set_aside(self) -> bool:
        return self.failures >= SET_ASIDE
