"""What a purse holds, and how it came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from duels.models import Account, Currency, Duellist, Transfer

if TYPE_CHECKING:
    from django.contrib.auth.models import User

PAGE = 30  # entries


def may_see(user: User, duellist: Duellist) -> bool:
    """Say whether somebody may look into a purse: who plays the duellist, and staff who keep the ledger."""
    return duellist.user_id == user.pk or may_read_ledger(user)


def may_read_ledger(user: User) -> bool:
    """Say whether the user is staff who may look into all purses."""
    return user.is_active and user.is_staff and user.has_perm("duels.view_transfer")


class Balance(NamedTuple):
    """How much a purse holds of a currency."""

    currency: Currency
    amount: int


def purses(
    duellists: Iterable[Duellist], currencies: Iterable[Currency] = Currency
) -> list[tuple[Duellist, list[Balance]]]:
    """Return what purses hold of these currencies, those that they never held included."""
    chosen = list(duellists)
    accounts = Account.objects.filter(duellist__in=chosen).values_list("duellist", "currency", "balance")
    held = {(duellist, currency): balance for duellist, currency, balance in accounts}
    return [
        (duellist, [Balance(currency, held.get((duellist.pk, currency), 0)) for currency in currencies])
        for duellist in chosen
    ]


def balances(duellist: Duellist) -> list[Balance]:
    """Return what one purse holds, each currency once."""
    return purses([duellist])[0][1]


def salary_worth(duellist: Duellist) -> int:
    """Return what the days of salary that duels have paid were worth in Liards, each on its day."""
    return Transfer.objects.filter(payee__duellist=duellist).aggregate(all=Sum("worth"))["all"] or 0


class Line(NamedTuple):
    """A transfer as one purse sees it: how much came or (below 0) went."""

    transfer: Transfer
    currency: str
    amount: int


class Page(NamedTuple):
    """A page of lines, the newest first, and the key that the next page starts after (None: this is the last)."""

    lines: list[Line]
    after: int | None


def page_of_lines(duellist: Duellist, *, before: int | None = None, size: int = PAGE) -> Page:
    """Return the newest lines of a purse, those before a key: paged without counting."""
    accounts = list(Account.objects.filter(duellist=duellist).values_list("pk", flat=True))
    found = Transfer.objects.filter(Q(payer__in=accounts) | Q(payee__in=accounts)).select_related("payee", "duel")
    if before is not None:
        found = found.filter(pk__lt=before)
    transfers = list(found.order_by("-pk")[: size + 1])
    lines = [_line(transfer, accounts) for transfer in transfers[:size]]
    return Page(lines, lines[-1].transfer.pk if len(transfers) > size else None)


def _line(transfer: Transfer, accounts: list[int]) -> Line:
    came = transfer.payee_id in accounts
    return Line(transfer, transfer.payee.currency, transfer.amount if came else -transfer.amount)


HEADINGS = (
    _("number"), pgettext_lazy("heading", "date"), pgettext_lazy("heading", "from"), pgettext_lazy("heading", "to"),
    _("currency"), _("amount"), pgettext_lazy("heading", "what"), _("rule"), _("duel"), _("worth in Liards"),
    pgettext_lazy("heading", "by"), _("reason"),
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def rows(duellist: Duellist | None = None) -> Iterator[tuple[str, ...]]:
    """Yield the ledger (or what concerns one purse) as rows of text for a table, headings first, oldest first.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.
    """
    yield tuple(map(str, HEADINGS))
    for transfer in _whole(duellist).iterator(chunk_size=1000):
        yield tuple(map(_plain, _cells(transfer)))


def _whole(duellist: Duellist | None) -> QuerySet[Transfer]:
    found = Transfer.objects.select_related("payer__duellist", "payee__duellist", "by").order_by("pk")
    if duellist is not None:
        found = found.filter(Q(payer__duellist=duellist) | Q(payee__duellist=duellist))
    return found


def _cells(transfer: Transfer) -> tuple[object, ...]:
    return (
        transfer.pk, transfer.at.isoformat(timespec="seconds"), transfer.payer.holder_name, transfer.payee.holder_name,
        transfer.payer.get_currency_display(), transfer.amount, transfer.get_what_display(), transfer.rule,
        transfer.duel_id or "", transfer.worth or "", transfer.by.get_username() if transfer.by else "",
        transfer.reason,
    )  # fmt: skip


def _plain(cell: object) -> str:
    said = str(cell)
    return f"'{said}" if said.startswith(FORMULA) else said
