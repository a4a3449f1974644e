"""Doing what a form asks for once, however often it is sent: twice in a row, by going back, or after a lost answer."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from duels.errors import AlreadySent
from duels.models import Sending

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def once(user: User, key: uuid.UUID | None, *content: object, at: dt.datetime) -> Sending:
    """Note, in the caller's transaction, that a form is sent; `done` then says what came of it.

    `key` is made with the form; with `content`, the same form filled in otherwise is another one. Without a key (what
    no form sends) nothing is remembered. Raises AlreadySent; two who send it at the same moment wait for each other.
    """
    sent = Sending(user=user, at=at)
    if key is None:
        return sent
    sent.key = uuid.uuid5(key, repr(content)) if content else key
    try:
        with transaction.atomic():
            sent.save()
    except IntegrityError:
        raise AlreadySent(Sending.objects.get(user=user, key=sent.key).led_to) from None
    return sent


def done(sent: Sending, led_to: str) -> None:
    """Keep the address of what came of a form, for who sends it again."""
    if sent.pk is not None:
        sent.led_to = led_to
        sent.save(update_fields=["led_to"])
