"""What pages say of purses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from duels.sentences import names, purse

register = template.Library()


@register.filter
def amount(number: int, currency: str) -> str:
    """An amount in words: `{{ duel.stake|amount:duel.stake_currency }}`."""
    return purse.amount(number, currency)


@register.filter
def paid(move: Mapping[str, Any], cast: Mapping[str, Any]) -> str:
    """What a verdict says of one amount: `{{ move|paid:duel.cast }}`."""
    return purse.paid(move, cast)


@register.filter
def figure(number: int) -> str:
    """A figure with a minus sign, not a hyphen."""
    return names.figure(number)
