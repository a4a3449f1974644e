"""Stakes and rewards of a duel: within the purse, held from the start, paid with the verdict (A3.2, A3.3, B3.3.2)."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db.models import Sum
from django.utils.translation import gettext_lazy as _

from duels.errors import Invalid
from duels.models import Account, Currency, Duel, Duellist, Post, Transfer
from rules.core import Event, Outcome, Reward, State

from .ledger import post
from .purse import RULES, Accounts, Holder, Move, hold_accounts, record

STAKED = {
    "training": (Currency.LIARDS, Currency.RUNES),
    "clandestine": (Currency.LIARDS,),
    "tournament": (),
}  # A3.3
RULE = "A3.3"
ADULT = "adult"


def check_stake(*, kind: str, stake: int, currency: str) -> None:
    """Raise Invalid, naming the field, unless this may be staked in a duel of that kind (A3.3)."""
    if stake < 0:
        raise Invalid(_("A stake is 1 or more; leave it empty for none."), "stake")
    if stake == 0:
        return
    if not STAKED.get(kind):
        raise Invalid(_("Nothing is staked in a tournament duel (A3.3)."), "stake")
    if currency not in STAKED[kind]:
        only_liards = _("In a duel of this kind one stakes Liards, nothing else (A3.3).")
        raise Invalid(only_liards if len(STAKED[kind]) == 1 else _("Stake Liards or Runes (A3.3)."), "stake_currency")


def free_to_stake(duellist: Duellist, currency: str, *, besides: Duel | None = None) -> int:
    """Return how much of a currency a duellist may stake: what the purse holds, less what duels that have not started
    are to hold of it."""
    balance = Account.objects.filter(duellist=duellist, currency=currency).values_list("balance", flat=True).first()
    waiting = (Duel.Status.AGREED, Duel.Status.ANNOUNCED)
    promised = Duel.objects.filter(seats__duellist=duellist, status__in=waiting, stake_currency=currency)
    if besides is not None:
        promised = promised.exclude(pk=besides.pk)
    return (balance or 0) - (promised.aggregate(all=Sum("stake"))["all"] or 0)


def require_free(duellist: Duellist, stake: int, currency: str, *, besides: Duel | None = None) -> None:
    """Raise Invalid unless the duellist's purse covers this stake beside those already promised (A3.3)."""
    if stake and (free := free_to_stake(duellist, currency, besides=besides)) < stake:
        message = _("%(name)s cannot stake more than the purse holds: %(free)d at present (A3.3).")
        raise Invalid(message % {"name": duellist, "free": max(0, free)}, "stake")


def promise(duel: Duel) -> None:
    """Make sure, as a duel that is held is agreed, that both purses cover its stake. Raises Invalid, without figures.

    The accounts are held, so that two duels agreed at the same moment do not promise the same Liards.
    """
    if not duel.stake:
        return
    hold_accounts(_holding(duel))
    for seat in duel.seats.select_related("duellist"):
        if free_to_stake(seat.duellist, duel.stake_currency, besides=duel) < duel.stake:
            # what a purse holds is nobody else's business: who accepts last reads this of the others too
            raise Invalid(_("%(name)s can no longer cover this stake (A3.3).") % {"name": seat.duellist}, "stake")


def hold_stakes(duel: Duel, *, at: dt.datetime) -> None:
    """Hold the stakes of a duel that starts; if a purse no longer covers it, the duel goes on without, and says so."""
    if not duel.stake:
        return
    moves = _holding(duel)
    accounts = hold_accounts(moves)
    if any(accounts[move.keys[0]].balance < move.amount for move in moves):  # the staff have taken something meanwhile
        post(duel, Post.Kind.NOTE, at=at, details={"note": "unstaked"})
        duel.stake, duel.stake_currency = 0, ""
    else:
        record(moves, accounts, at=at, duel=duel)


def _holding(duel: Duel) -> list[Move]:
    held = Holder(duel=duel.pk)
    return [
        Move(Holder(player["duellist"]), held, duel.stake_currency, duel.stake, Transfer.What.STAKE_HELD, RULE)
        for player in duel.cast.values()
    ]


def pay_out(
    duel: Duel, state: State, events: Sequence[Event], outcome: Outcome, *, at: dt.datetime
) -> list[dict[str, Any]]:
    """Pay what the end of a duel that is held brings and costs; return it as the verdict tells it, by seat.

    It is in the transaction of the verdict: both are there, or neither. Whatever a crash interrupts was never written.
    """
    rewards = duel.rules.rewards(state, tuple(events))
    returned = _paying_back(duel, outcome)
    accounts = hold_accounts([*returned, *(_rewarding(duel, reward, 0) for reward in rewards)])
    earlier = _times_before(rewards, duel, accounts)
    moves = [*returned, *(_rewarding(duel, reward, earlier[reward.seat]) for reward in rewards)]
    record(moves, accounts, at=at, duel=duel)
    return [_told(duel, move) for move in moves]


def _paying_back(duel: Duel, outcome: Outcome) -> list[Move]:
    """The winner takes the loser's stake, a draw returns them (A3.3)."""
    if not duel.stake:
        return []
    held = Holder(duel=duel.pk)
    if outcome.winner is None:
        return [
            Move(held, Holder(player["duellist"]), duel.stake_currency, duel.stake, Transfer.What.STAKE_RETURNED, RULE)
            for player in duel.cast.values()
        ]
    winner = Holder(duel.cast[outcome.winner]["duellist"])
    pot = duel.stake * len(duel.cast)
    return [Move(held, winner, duel.stake_currency, pot, Transfer.What.STAKE_WON, RULE)]


def _rewarding(duel: Duel, reward: Reward, earlier: int) -> Move:
    player = duel.cast[reward.seat]
    purse = Holder(player["duellist"])
    if reward.amount < 0:
        amount = -(reward.amount + earlier * reward.more_each_time)
        return Move(purse, RULES, reward.currency, amount, Transfer.What.PENALTY, reward.rule)
    worth = reward.amount * daily_salary(player["year"]) if reward.currency == "salary" else 0
    return Move(RULES, purse, reward.currency, reward.amount, Transfer.What.REWARD, reward.rule, worth)


def daily_salary(year: int | None) -> int:
    """Return a day's salary in Liards for a year of study (None: an adult), by the setting (B3.3.2)."""
    return settings.DAILY_SALARY.get(str(year or ADULT), 0)


def _times_before(rewards: Sequence[Reward], duel: Duel, accounts: Accounts) -> Counter[str]:
    """Return, by seat, how often before the same rule cost the duellist something; the accounts are held (A3.2)."""
    found: Counter[str] = Counter()
    for reward in rewards:
        if reward.more_each_time:
            purse = accounts[Holder(duel.cast[reward.seat]["duellist"]), reward.currency]
            found[reward.seat] = Transfer.objects.filter(payer=purse, rule=reward.rule).count()
    return found


def _told(duel: Duel, move: Move) -> dict[str, Any]:
    """What the verdict shows of a move: whom it concerns, and how much came or (below 0) went."""
    duellist = move.payee.duellist or move.payer.duellist
    seat = next(letter for letter, player in duel.cast.items() if player["duellist"] == duellist)
    amount = move.amount if move.payee.duellist else -move.amount
    return {"seat": seat, "currency": move.currency, "amount": amount, "what": move.what, "rule": move.rule}
