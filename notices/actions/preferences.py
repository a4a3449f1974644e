"""What a member wants to be told: set on their settings page, or by the link in a mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.db import transaction

from notices.kinds import KINDS
from notices.models import Delivery, Preference

from .mail import hashed

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def set_preferences(
    *, user: User, language: str, zone: str, mail: bool, ways: Mapping[str, Sequence[str]]
) -> Preference:
    """Store what somebody wants; of `ways` (kind → page, mail) those that are not mentioned stay as they are."""
    with transaction.atomic(durable=True):
        preference = _held(user.pk)
        preference.language, preference.zone, preference.mail = language, zone, mail
        preference.ways |= {what: sorted(chosen) for what, chosen in ways.items() if what in KINDS}
        preference.save()
    return preference


def choose_language(*, user: User, language: str) -> None:
    """Write to somebody from now on in the language that they have just chosen."""
    with transaction.atomic(durable=True):
        preference = _held(user.pk)
        preference.language = language
        preference.save(update_fields=["language"])


def learn(*, user: User, language: str = "", zone: str = "") -> None:
    """Write to somebody in this language and this zone, where they have chosen none themselves."""
    with transaction.atomic(durable=True):
        preference = _held(user.pk)
        preference.language = preference.language or language
        preference.zone = preference.zone or zone
        preference.save(update_fields=["language", "zone"])


def delivery_of(token: str) -> Delivery | None:
    """Return the mail whose link holds that secret, or None if the link was made up or revoked."""
    return Delivery.objects.select_related("happening", "user").filter(token_hash=hashed(token)).first()


def stop_mail(*, token: str, everything: bool) -> bool:
    """Stop mail of the kind to which a link belongs, or all mail; False if the link is no (longer a) link of ours."""
    delivery = delivery_of(token)
    if delivery is None:
        return False
    with transaction.atomic(durable=True):
        preference = _held(delivery.user_id)
        what = delivery.happening.what
        if everything:
            preference.mail = False
        else:
            preference.ways[what] = [way for way in preference.ways_of(what) if way != "mail"]
        preference.save()
    return True


def revoke_links(*, user: User) -> int:
    """Make the links in all mail sent so far lead nowhere; return how many there were."""
    return Delivery.objects.filter(user=user).exclude(token_hash="").update(token_hash="")


def _held(user_id: int) -> Preference:
    Preference.objects.get_or_create(user_id=user_id)
    return Preference.objects.select_for_update(no_key=True).get(user_id=user_id)
