"""What each member is told, by which way, and how far the happenings were read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from duels.models import Happening

from .kinds import KINDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class Cursor(models.Model):
    """How far a reader of the happenings has come: everything up to `position` was told."""

    name = models.CharField(max_length=20, unique=True)
    position = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name}: {self.position}"


class Notice(models.Model):
    """A happening on somebody's page of notices."""

    happening = models.ForeignKey(Happening, models.PROTECT, related_name="notices")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["happening", "user"], name="one_notice_a_happening_and_user")]
        indexes = [
            models.Index(fields=["user", "-id"], name="notice_of_user"),
            models.Index(fields=["user"], condition=Q(read_at=None), name="notice_unread"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.happening_id}"


class Delivery(models.Model):
    """A happening sent to somebody by mail: marked before it is sent, so that a crash never sends it twice."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENDING = "sending", _("being sent")
        SENT = "sent", _("sent")
        DROPPED = "dropped", _("no longer to be sent")
        ASIDE = "aside", _("set aside")

    happening = models.ForeignKey(Happening, models.PROTECT, related_name="deliveries")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="deliveries")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    reason = models.CharField(max_length=20, blank=True, help_text="why it was dropped or set aside")
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(help_text="when it is to be tried (again)")
    changed_at = models.DateTimeField()
    token_hash = models.CharField(max_length=64, blank=True, help_text="of the secret in its link; empty once revoked")

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(fields=["happening", "user"], name="one_mail_a_happening_and_user"),
            models.UniqueConstraint(fields=["token_hash"], condition=~Q(token_hash=""), name="one_mail_a_token"),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], condition=Q(status__in=["waiting", "sending"]), name="delivery_due"
            ),
            models.Index(fields=["id"], condition=Q(status="aside"), name="delivery_aside"),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.user_id}: {self.happening_id} ({self.status})"


class Preference(models.Model):
    """What a member wants to be told, by which way, in which language and zone. Without a row: as the site has it."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="preference")
    language = models.CharField(_("language"), max_length=10, blank=True)
    zone = models.CharField(_("time zone"), max_length=50, blank=True)
    mail = models.BooleanField(_("send me mail"), default=True)
    ways: models.JSONField[dict[str, list[str]]] = models.JSONField(
        default=dict, help_text="kind of event → ways (page, mail), where they are not the usual ones"
    )

    def __str__(self) -> str:
        return str(self.user_id)

    @classmethod
    def of(cls, user: User) -> Preference:
        """Return a user's preference, not stored yet if there is none."""
        return cls.objects.filter(user=user).first() or cls(user=user)

    def ways_of(self, what: str) -> list[str]:
        """Return by which ways that kind of event is told, the master switch for mail aside."""
        usual = ["page", "mail"] if KINDS[what].mailed else ["page"]
        return self.ways.get(what, usual)

    def wants(self, what: str, way: str) -> bool:
        return way in self.ways_of(what) and (self.mail or way != "mail")
