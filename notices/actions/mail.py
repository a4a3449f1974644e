"""Sending mail: at most one for each person and happening, and none that is no longer true when it would go."""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
import secrets
import time
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.core.mail import get_connection
from django.db.models import F

from duels import clock
from notices.actions.telling import TOO_OLD
from notices.kinds import holds
from notices.letter import letter
from notices.models import Delivery, Preference
from notices.news import News

if TYPE_CHECKING:
    from django.core.mail.backends.base import BaseEmailBackend

logger = logging.getLogger(__name__)

BATCH = 200
LASTS = 15.0  # seconds: a round ends before the next one is sent
AGAIN = [
    dt.timedelta(minutes=minutes) for minutes in (1, 5, 30, 120)
]  # after each failure; one more, and it is set aside
INTERRUPTED = dt.timedelta(minutes=5)  # longer than a task may last: nobody is sending it any more

Status = Delivery.Status


def send_waiting(*, seconds: float = LASTS) -> dict[str, int]:
    """Send what is due for so many seconds; return how many ended in each status. Several may run at once."""
    now = clock.now()
    set_aside_interrupted(now)
    due = Delivery.objects.filter(status=Status.WAITING, due_at__lte=now).order_by("due_at", "pk")
    counts: dict[str, int] = {}
    until = time.monotonic() + seconds
    connection = get_connection()
    try:
        for delivery_id in list(due.values_list("pk", flat=True)[:BATCH]):
            if time.monotonic() > until:
                break
            if status := send_one(delivery_id, connection):
                counts[status] = counts.get(status, 0) + 1
    finally:
        connection.close()
    return counts


def send_one(delivery_id: int, connection: BaseEmailBackend) -> str | None:
    """Claim one delivery, then send or drop it; return its status, or None if another had claimed it.

    It is marked before it is sent: cut off in between, it stays marked and is never sent again.
    """
    claimed = Delivery.objects.filter(pk=delivery_id, status=Status.WAITING)
    if not claimed.update(status=Status.SENDING, tries=F("tries") + 1, changed_at=clock.now()):
        return None
    delivery = Delivery.objects.select_related("happening__duel__phase", "user").get(pk=delivery_id)
    try:
        reason = _send_if_wanted(delivery, connection)
    except Exception as failure:
        # whatever is wrong with one letter or with the post office, the others have their turn
        logger.warning("mail: delivery %s failed (%s)", delivery.pk, type(failure).__name__)
        connection.close()
        return _try_again(delivery)
    return _settle(delivery, Status.DROPPED if reason else Status.SENT, reason)


def _send_if_wanted(delivery: Delivery, connection: BaseEmailBackend) -> str:
    """Send a delivery that is claimed; return why it was not to go, or nothing if it went."""
    preference = Preference.of(delivery.user)
    if reason := why_not(delivery, preference):
        return reason
    to = address_of(delivery)
    if to is None:
        return "no address"
    letter(news_of(delivery), preference, to=to, token=_new_token(delivery), connection=connection).send()
    return ""


def why_not(delivery: Delivery, preference: Preference) -> str:
    """Return why a mail is not to go (any more); empty when it is."""
    if not (delivery.user.is_active and preference.wants(delivery.happening.what, "mail")):
        return "not wanted"
    news = news_of(delivery)
    if delivery.happening.at < news.now - TOO_OLD or not holds(news):
        return "no longer true"
    return ""


def news_of(delivery: Delivery) -> News:
    return News(delivery.happening, delivery.happening.duel, delivery.user_id, clock.now())


def address_of(delivery: Delivery) -> str | None:
    """Return the address that its owner has confirmed, the primary one first; nothing goes to any other."""
    confirmed = EmailAddress.objects.filter(user=delivery.user_id, verified=True).order_by("-primary", "pk")
    address: str | None = confirmed.values_list("email", flat=True).first()
    return address


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _new_token(delivery: Delivery) -> str:
    """Give a mail the secret of its link; only its hash is kept."""
    token = secrets.token_urlsafe(24)
    Delivery.objects.filter(pk=delivery.pk).update(token_hash=hashed(token))
    return token


def _try_again(delivery: Delivery) -> str:
    if delivery.tries > len(AGAIN):
        return _settle(delivery, Status.ASIDE, "failed")
    now = clock.now()
    Delivery.objects.filter(pk=delivery.pk).update(
        status=Status.WAITING, due_at=now + AGAIN[delivery.tries - 1], changed_at=now
    )
    return Status.WAITING


def _settle(delivery: Delivery, status: Delivery.Status, reason: str = "") -> str:
    Delivery.objects.filter(pk=delivery.pk).update(status=status, reason=reason, changed_at=clock.now())
    return status


def set_aside_interrupted(now: dt.datetime) -> int:
    """Set aside what was cut off while it was sent: it may have gone, so only staff send it again."""
    cut_off = Delivery.objects.filter(status=Status.SENDING, changed_at__lt=now - INTERRUPTED)
    return cut_off.update(status=Status.ASIDE, reason="interrupted", changed_at=now)


def take_up_again(*, delivery_id: int) -> bool:
    """Let a mail that was set aside be tried again (staff has seen to what was wrong); False if it was not."""
    now = clock.now()
    aside = Delivery.objects.filter(pk=delivery_id, status=Status.ASIDE)
    return bool(aside.update(status=Status.WAITING, reason="", tries=0, due_at=now, changed_at=now))
