"""What is said of purses: amounts, what happened to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .names import figure


def amount(number: int, currency: str) -> str:
    """Return "10 Liards", "1 chocolate frog", "−5 grains of dust"."""
    said = {
        "liards": ngettext("%(number)s Liard", "%(number)s Liards", abs(number)),
        "runes": ngettext("%(number)s Rune", "%(number)s Runes", abs(number)),
        "dust": ngettext("%(number)s grain of dust", "%(number)s grains of dust", abs(number)),
        "salary": ngettext("%(number)s day’s salary", "%(number)s days’ salary", abs(number)),
        "frogs": ngettext("%(number)s chocolate frog", "%(number)s chocolate frogs", abs(number)),
        "points": ngettext("%(number)s champion’s point", "%(number)s champion’s points", abs(number)),
    }
    return said[currency] % {"number": figure(number)}


def paid(move: Mapping[str, Any], cast: Mapping[str, Any]) -> str:
    """Return what the verdict says of one amount that a duellist won, lost or got back."""
    told = {
        "stake_won": _("%(name)s takes the stakes: %(amount)s."),
        "stake_returned": _("%(name)s gets the stake back: %(amount)s."),
        "reward": _("%(name)s receives %(amount)s."),
        "penalty": _("%(name)s loses %(amount)s."),
    }
    named = {"name": cast[move["seat"]]["name"], "amount": amount(abs(move["amount"]), move["currency"])}
    return told[move["what"]] % named
