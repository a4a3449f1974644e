"""What the door of a demonstration says."""

from __future__ import annotations

from django import template

from duels.demo.cast import Accounts, accounts

register = template.Library()


@register.simple_tag
def demo_accounts() -> Accounts:
    """The accounts that the demo has made, and the password that they share."""
    return accounts()
