"""How people sign in, in the terms of allauth."""

import time
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Now
from django.http import HttpRequest
from django.utils import translation

from config.zone import zone_of
from duels.people import REFEREES
from notices.actions.preferences import learn
from notices.queries import unread_count


class AccountBackend(AuthenticationBackend):
    """Sign in by e-mail address or user name; with a request's user comes what every page asks of them, in one query.

    The role is read anew with every request, so that making or unmaking a referee takes effect at once.
    """

    def get_user(self, user_id: int) -> User | None:
        referees = Group.objects.filter(name=REFEREES, user=OuterRef("pk"))
        known: dict[str, Any] = {
            "_is_referee": Exists(referees), "read_at": Now(), "unread_notices": unread_count(),
            "kept_language": F("preference__language"), "kept_zone": F("preference__zone"),
        }  # fmt: skip
        user = User.objects.annotate(**known).filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None


def has_just_signed_in(request: HttpRequest) -> bool:
    """Say whether this session was opened within the last minutes (allauth's own measure), the second factor included
    where there is one."""
    lately = time.time() - app_settings.REAUTHENTICATION_TIMEOUT
    methods = {one["method"] for one in get_authentication_records(request, request.user) if one["at"] > lately}
    return "mfa" in methods if is_mfa_enabled(request.user, [Authenticator.Type.TOTP]) else "password" in methods


class AccountAdapter(DefaultAccountAdapter):
    """Mails speak in the name of the site as the settings give it; there is no table of sites."""

    def is_reauthentication_required(self, *, app: str, **options: Any) -> bool:
        """Whoever signed in a moment ago is not asked for the same password again to set up their second factor."""
        required: bool = super().is_reauthentication_required(app=app, **options)
        return required and not (app == "allauth.mfa" and has_just_signed_in(self.request))

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Whoever signs up is written to in the language and the zone of the pages that they signed up on."""
        saved: User = super().save_user(request, user, form, commit)
        if commit:
            learn(user=saved, language=translation.get_language() or "", zone=zone_of(request))
        return saved

    def format_email_subject(self, subject: str) -> str:
        return f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        site = {"name": settings.SITE_NAME, "domain": settings.SITE_URL.partition("://")[2]}
        super().send_mail(template_prefix, email, context | {"current_site": site})
