"""Who came in, who left, who tried, and what was changed about signing in: one line each, accounts by their key alone.

What was typed at the door is never logged: a name may be a password typed into the wrong field.
"""

from __future__ import annotations

import logging
from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from django.contrib.auth import signals as auth
from django.contrib.auth.models import AbstractBaseUser
from django.dispatch import Signal

logger = logging.getLogger("security")

NOTED: dict[Signal, str] = {
    auth.user_logged_in: "signed in",
    auth.user_logged_out: "signed out",
    account.password_changed: "changed the password",
    account.password_set: "chose a password",
    account.password_reset: "reset the password",
    account.email_added: "added an address",
    account.email_changed: "changed the main address",
    account.email_removed: "removed an address",
    mfa.authenticator_added: "added a second factor",
    mfa.authenticator_removed: "removed a second factor",
    mfa.authenticator_reset: "renewed a second factor",
    mfa.authentication_failed: "failed to show the second factor",
}


def start() -> None:
    """Begin to take note."""
    for signal in NOTED:
        signal.connect(_note, dispatch_uid="security log")
    auth.user_login_failed.connect(_note_failure, dispatch_uid="security log")


def _note(*, signal: Signal, user: AbstractBaseUser | None = None, **_told: Any) -> None:
    if user is not None:  # who signs out twice is nobody
        logger.info("account %s %s", user.pk, NOTED[signal])


def _note_failure(**_told: Any) -> None:
    logger.warning("somebody failed to sign in")
