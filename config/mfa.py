"""The second factor: offered to everybody, required of referees and staff."""

import base64
import hashlib
import hmac
from collections.abc import Callable
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import get_totp_secret
from allauth.mfa.utils import is_mfa_enabled
from cryptography.fernet import Fernet, MultiFernet
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase
from django.urls import resolve, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from duels.people import is_referee

# What remains open to somebody who has yet to set up a second factor, and to one who has it but has not shown it.
SETTING_UP = frozenset(
    {
        "account_logout",
        "account_email",
        "account_email_verification_sent",
        "account_reauthenticate",
        "mfa_index",
        "mfa_activate_totp",
        "set_language",
    }
)
SHOWING = frozenset({"account_logout", "mfa_reauthenticate", "set_language"})

GOING_TO = "going_to"  # of the session: the page that waits until a second factor is set up


def needs_second_factor(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Say whether the user may do nothing without a second factor: staff always, referees except in the demo."""
    if not isinstance(user, User):
        return False
    return user.is_staff or user.is_superuser or (is_referee(user) and not settings.DEMO)


def gave_second_factor(request: HttpRequest) -> bool:
    """Say whether this session was opened, or confirmed since, with a second factor. Asks no database."""
    records = get_authentication_records(request, request.user)
    return any(record.get("method") == "mfa" for record in records)


class SecondFactorMiddleware:
    """Send referees and staff to their second factor before any page but those that set it up.

    Costs no query to readers and members: the role comes with the user, the proof with the session.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: object, *_arguments: object) -> HttpResponseBase | None:
        if getattr(view, "is_for_anyone", False):  # it shows everybody the same, and asks nobody who they are
            return None
        if not needs_second_factor(request.user) or gave_second_factor(request):
            return None
        enabled = is_mfa_enabled(request.user, [Authenticator.Type.TOTP])
        if resolve(request.path_info).view_name in (SHOWING if enabled else SETTING_UP):
            return None
        return self._ask(request, enabled)

    def _ask(self, request: HttpRequest, enabled: bool) -> HttpResponseBase:
        if enabled:
            messages.info(request, _("Confirm who you are with your second factor to go on."))
            return redirect_to_login(request.get_full_path(), reverse("mfa_reauthenticate"))
        if request.method == "GET":
            request.session[GOING_TO] = request.get_full_path()
        messages.info(request, _("Referees and staff need a second factor. Set yours up to go on."))
        return redirect_to_login(request.get_full_path(), reverse("mfa_activate_totp"))


@receiver(authenticator_added)
def remember_proof(request: HttpRequest, user: User, authenticator: Authenticator, **_signal: object) -> None:
    """Count the code that was typed to set up an authenticator as this session's proof (allauth's only hook there)."""
    if authenticator.type == Authenticator.Type.TOTP:
        record_authentication(request, user, method="mfa", type=authenticator.type, id=authenticator.pk)
        if address := request.session.pop(GOING_TO, ""):  # the codes to keep are shown once before
            messages.info(request, format_html('<a href="{}">{}</a>', address, _("Go on to the page that you wanted")))


class SetUpForm(ActivateTOTPForm):
    """The page made anew shows the secret that was scanned already: it lasts as long as the session (allauth makes
    another each time)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.user = kwargs.pop("user")
        forms.Form.__init__(self, *args, **kwargs)
        self.secret = get_totp_secret()


class SecondFactorAdapter(DefaultMFAAdapter):
    """Keep the authenticators' secrets encrypted, and never without one where one is required."""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _cipher().decrypt(encrypted_text.encode()).decode()

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        return not needs_second_factor(authenticator.user)

    def get_totp_issuer(self) -> str:
        return settings.SITE_NAME


def _cipher() -> MultiFernet:
    """Return the cipher for authenticators: keys of its own, derived from the ring, the newest sealing."""
    derived = (hmac.digest(key, b"second factor", hashlib.sha256) for key in reversed(settings.SEAL_KEYS.values()))
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in derived])
