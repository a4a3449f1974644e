"""What tests ask of purses."""

from django.db.models import Sum

from duels.actions.purse import grant
from duels.models import Account, Duel, Transfer
from tests.factories import StaffFactory

What = Transfer.What
# who pays whom, for each kind of transfer
PAYS = {
    What.STAKE_HELD: ("duellist", "duel"),
    What.STAKE_WON: ("duel", "duellist"),
    What.STAKE_RETURNED: ("duel", "duellist"),
    What.REWARD: ("rules", "duellist"),
    What.PENALTY: ("duellist", "rules"),
    What.GRANT: ("staff", "duellist"),
    What.WITHDRAWAL: ("duellist", "staff"),
}


def give(duellist, amount, currency="liards", reason="pour l'essai"):
    """Let staff give (or take) something."""
    return grant(user=StaffFactory(), duellist=duellist, currency=currency, amount=amount, reason=reason)


def holds(duellist, currency="liards"):
    """Return how much a purse holds."""
    return Account.objects.filter(duellist=duellist, currency=currency).values_list("balance", flat=True).first() or 0


def assert_balanced(*, made_up=False):
    """Every balance is what the transfers add up to, and none but the dust is below 0.

    Duellists and duels hold, of each currency, what the named sources have given less what they have taken; a duel that
    is over holds nothing any more. `made_up`: transfers of one kind between whomever, as no rule makes them.
    """
    added = dict.fromkeys(Account.objects.values_list("pk", flat=True), 0)
    for transfer in Transfer.objects.select_related("payer", "payee"):
        payer, payee = transfer.payer, transfer.payee
        assert made_up or (kind_of(payer), kind_of(payee)) == PAYS[transfer.what]
        assert payer.currency == payee.currency
        added[payer.pk] -= transfer.amount
        added[payee.pk] += transfer.amount
    kept = Account.objects.filter(source="")
    assert {account.pk: account.balance for account in kept} == {account.pk: added[account.pk] for account in kept}
    for currency in set(Account.objects.values_list("currency", flat=True)):
        assert total(kept.filter(currency=currency), "balance") == came_from_sources(currency)
    assert all(account.balance >= 0 for account in Account.objects.exclude(currency="dust"))
    assert not kept.filter(duel__status=Duel.Status.OVER).exclude(balance=0).exists()


def kind_of(account):
    return account.source or ("duel" if account.duel_id else "duellist")


def came_from_sources(currency):
    """Add up what each named source has given, less what it has taken."""
    moved = Transfer.objects.filter(payer__currency=currency)
    return sum(
        total(moved.filter(payer__source=source), "amount") - total(moved.filter(payee__source=source), "amount")
        for source in Account.Source.values
    )


def total(rows, column):
    return rows.aggregate(total=Sum(column))["total"] or 0
