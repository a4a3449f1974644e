"""Purses: accounts, and the transfers between them. Double entry: what one account gains, another loses."""

from __future__ import annotations

from typing import Self

from django.conf import settings
from django.db import connection, models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .duel import Duel
from .people import Duellist


class Currency(models.TextChoices):
    """What a purse holds; each is counted apart."""

    LIARDS = "liards", _("Liards")
    RUNES = "runes", _("Runes")
    DUST = "dust", _("dust of the Lancelot shield")
    SALARY = "salary", _("days’ salary")
    FROGS = "frogs", _("chocolate frogs")
    POINTS = "points", _("champion’s points")


class AccountQuerySet(models.QuerySet["Account"]):
    def held(self) -> Self:
        """The rows, held until the transaction ends (on SQLite the whole file is, by BEGIN IMMEDIATE)."""
        if not connection.features.has_select_for_no_key_update:
            return self
        return self.select_for_update(no_key=True, of=("self",))


class Account(models.Model):
    """What one holder has of one currency. The holder is a duellist, a duel (its stakes), or a named source.

    Only from and to a source does the sum of what duellists and duels hold change. `balance` is what the transfers
    add up to; a source's is not kept, so that duels that end at the same moment do not wait for one another there.
    """

    class Source(models.TextChoices):
        RULES = "rules", _("the rules")
        STAFF = "staff", _("the staff")

    currency = models.CharField(_("currency"), max_length=8, choices=Currency.choices)
    duellist = models.ForeignKey(Duellist, models.PROTECT, null=True, related_name="accounts")
    duel = models.ForeignKey(Duel, models.PROTECT, null=True, related_name="accounts")
    source = models.CharField(max_length=8, choices=Source.choices, blank=True)
    balance = models.BigIntegerField(_("balance"), default=0)

    objects = AccountQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(duellist__isnull=False, duel=None, source="")
                | Q(duellist=None, duel__isnull=False, source="")
                | (Q(duellist=None, duel=None) & ~Q(source="")),
                name="an_account_has_one_holder",
            ),
            models.CheckConstraint(condition=Q(balance__gte=0) | Q(currency="dust"), name="no_balance_below_zero"),
            models.UniqueConstraint(
                fields=["duellist", "currency"], condition=Q(duellist__isnull=False), name="one_purse_a_currency"
            ),
            models.UniqueConstraint(
                fields=["duel", "currency"], condition=Q(duel__isnull=False), name="one_stake_a_currency"
            ),
            models.UniqueConstraint(
                fields=["source", "currency"], condition=~Q(source=""), name="one_source_a_currency"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.holder_name}: {self.get_currency_display()}"

    @property
    def holder_name(self) -> str:
        """Who or what holds it, in words."""
        if self.duellist is not None:
            return self.duellist.name
        if self.duel_id is not None:
            return _("stakes of duel %(number)d") % {"number": self.duel_id}
        return self.get_source_display()


class Transfer(models.Model):
    """An amount that went from one account to another of the same currency, and why; append-only.

    `rule` is the code of the rule that it comes from, `worth` what days of salary were worth in Liards on that day.
    """

    class What(models.TextChoices):
        STAKE_HELD = "stake_held", _("stake held")
        STAKE_WON = "stake_won", _("stakes won")
        STAKE_RETURNED = "stake_returned", _("stake returned")
        REWARD = "reward", _("reward")
        PENALTY = "penalty", _("penalty")
        GRANT = "grant", _("given by the staff")
        WITHDRAWAL = "withdrawal", _("taken by the staff")

    payer = models.ForeignKey(Account, models.PROTECT, related_name="paid")
    payee = models.ForeignKey(Account, models.PROTECT, related_name="received")
    amount = models.PositiveIntegerField(_("amount"))
    what = models.CharField(max_length=14, choices=What.choices)
    rule = models.CharField(max_length=8, blank=True)
    duel = models.ForeignKey(Duel, models.PROTECT, null=True, related_name="transfers")
    worth = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(_("reason"), max_length=500, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="a_transfer_moves_something"),
            models.CheckConstraint(condition=~Q(payer=F("payee")), name="a_transfer_has_two_sides"),
            models.UniqueConstraint(
                fields=["duel", "what", "payer", "payee"], condition=Q(duel__isnull=False), name="a_duel_pays_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {self.amount} {self.payer.currency}"
