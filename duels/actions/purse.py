"""Moving what purses hold: double entry, in the transaction of whatever brings it about.

Locks: whoever holds a duel takes the accounts after it, all at one go and in the order of their keys; nobody who holds
an account waits for a duel.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from django.db import connection, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.errors import Invalid, NotAllowed
from duels.models import Account, Currency, Duel, Duellist, Transfer

from .sendings import done, once

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST = 1_000_000  # of anything, at one go


class Holder(NamedTuple):
    """Who has an account: a duellist or a duel (their keys), or a source by its name."""

    duellist: int = 0
    duel: int = 0
    source: str = ""


RULES = Holder(source=Account.Source.RULES)
STAFF = Holder(source=Account.Source.STAFF)

Key = tuple[Holder, str]  # whose account, of which currency
Accounts = dict[Key, Account]


class Move(NamedTuple):
    """An `amount` (1 and up) of a currency that goes from one holder to another."""

    payer: Holder
    payee: Holder
    currency: str
    amount: int
    what: Transfer.What
    rule: str = ""
    worth: int = 0

    @property
    def keys(self) -> tuple[Key, Key]:
        return (self.payer, self.currency), (self.payee, self.currency)


class Short(Invalid):
    """An account does not hold that much; nothing was moved."""


def hold_accounts(moves: Iterable[Move]) -> Accounts:
    """Hold every account that these moves touch until the transaction ends; accounts that are missing are opened."""
    wanted = sorted({key for move in moves for key in move.keys})
    if not wanted:
        return {}
    found = _found(wanted)
    missing = [key for key in wanted if key not in found]
    if missing:  # in the same order for everybody, so that two who open the same accounts do not wait in a ring
        Account.objects.bulk_create([_opened(key) for key in missing], ignore_conflicts=True)
    return _found(wanted, held=True)


def _found(wanted: Sequence[Key], *, held: bool = False) -> Accounts:
    """Read accounts; `held`: each of them locked but for sources, whose balance nobody keeps."""
    accounts = Account.objects.filter(reduce(or_, map(_matching, wanted))).order_by("pk")
    if not held or not connection.features.has_select_for_no_key_update:
        return {key_of(account): account for account in accounts}
    sources = {key_of(account): account for account in accounts.exclude(source="")}
    locked = accounts.filter(source="").select_for_update(no_key=True)
    return sources | {key_of(account): account for account in locked}


def _matching(key: Key) -> Q:
    holder, currency = key
    return Q(duellist=holder.duellist or None, duel=holder.duel or None, source=holder.source, currency=currency)


def _opened(key: Key) -> Account:
    holder, currency = key
    return Account(
        duellist_id=holder.duellist or None, duel_id=holder.duel or None, source=holder.source, currency=currency
    )


def key_of(account: Account) -> Key:
    """Return whose account it is, and of which currency."""
    return Holder(account.duellist_id or 0, account.duel_id or 0, account.source), account.currency


def record(
    moves: Sequence[Move],
    accounts: Accounts,
    *,
    at: dt.datetime,
    duel: Duel | None = None,
    by: User | None = None,
    reason: str = "",
) -> list[Transfer]:
    """Move amounts between accounts that are held. Raises Short, and nothing was moved."""
    balances = {key: account.balance for key, account in accounts.items()}
    for move in moves:
        paid, received = move.keys
        balances[paid] -= move.amount
        balances[received] += move.amount
    changed = [_balanced(accounts[key], balance) for key, balance in balances.items() if not key[0].source]
    Account.objects.bulk_update(changed, ["balance"])
    return Transfer.objects.bulk_create(
        Transfer(
            payer=accounts[move.keys[0]], payee=accounts[move.keys[1]], amount=move.amount, what=move.what,
            rule=move.rule, worth=move.worth, duel=duel, at=at, by=by, reason=reason,
        )
        for move in moves
    )  # fmt: skip


def _balanced(account: Account, balance: int) -> Account:
    """Give an account its new balance. Raises Short."""
    _require_covered(account.currency, balance)
    account.balance = balance
    return account


def _require_covered(currency: str, balance: int) -> None:
    """Raise Short below 0, but for the dust."""
    if balance < 0 and currency != Currency.DUST:
        raise Short(_("There is not that much in the purse."), "amount")


@transaction.atomic(durable=True)
def grant(
    *, user: User, duellist: Duellist, currency: str, amount: int, reason: str, sending: uuid.UUID | None = None
) -> Transfer:
    """Give a duellist something as staff or, with an `amount` below 0, take it; once for a form (`sending`).

    Raises NotAllowed, Invalid, AlreadySent.
    """
    _check_terms(user, currency, amount, reason)
    purse, what = Holder(duellist.pk), Transfer.What.GRANT if amount > 0 else Transfer.What.WITHDRAWAL
    payer, payee = (STAFF, purse) if amount > 0 else (purse, STAFF)
    moves = [Move(payer, payee, currency, abs(amount), what)]
    sent = once(user, sending, at=(now := clock.now()))
    entered = record(moves, hold_accounts(moves), at=now, by=user, reason=reason.strip())[0]
    done(sent, f"{reverse('duels:purse', args=[duellist.pk])}#e{entered.pk}")
    return entered


def check_grant(*, user: User, duellist: Duellist, currency: str, amount: int, reason: str) -> None:
    """Raise NotAllowed or Invalid where `grant` would, as the purse is now."""
    _check_terms(user, currency, amount, reason)
    held = Account.objects.filter(duellist=duellist, currency=currency).values_list("balance", flat=True).first() or 0
    _require_covered(currency, held + amount)


def _check_terms(user: User, currency: str, amount: int, reason: str) -> None:
    if not may_grant(user):
        raise NotAllowed(_("Only staff who may give and take can do this."))
    if currency not in Currency.values:
        raise Invalid(_("Choose what is given or taken."), "currency")
    if not 0 < abs(amount) <= MOST:
        raise Invalid(_("Give or take something: up to a million at one go."), "amount")
    if not reason.strip():
        raise Invalid(_("Say why: the reason is kept, and the duellist’s player reads it."), "reason")


def may_grant(user: User) -> bool:
    """Say whether the user is staff who may give and take."""
    return user.is_active and user.is_staff and user.has_perm("duels.add_transfer")
