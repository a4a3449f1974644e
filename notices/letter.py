"""A mail: one event, in the reader's language and hours."""

from __future__ import annotations

import zoneinfo
from contextlib import ExitStack

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from .kinds import address, sentence, until
from .models import Preference
from .news import News


def letter(
    news: News, preference: Preference, *, to: str, token: str, connection: BaseEmailBackend | None = None
) -> EmailMessage:
    """Return the mail that tells the news; `token` is the secret of its link that stops such mail."""
    with ExitStack() as stack:
        stack.enter_context(translation.override(preference.language or settings.LANGUAGE_CODE))
        stack.enter_context(timezone.override(zone_of(preference)))
        said = sentence(news)
        stop = settings.SITE_URL + reverse("notices:stop", args=[token])
        context = {
            "sentence": said, "duel": news.about, "until": until(news), "url": settings.SITE_URL + address(news),
            "stop": stop, "settings_url": settings.SITE_URL + reverse("notices:settings"),
            "site_name": settings.SITE_NAME,
        }  # fmt: skip
        body = render_to_string("notices/mail.txt", context)
    subject = " ".join(f"[{settings.SITE_NAME}] {said} {news.about or ''}".split())
    headers = {
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    return EmailMessage(subject, body, to=[to], headers=headers, connection=connection)


def zone_of(preference: Preference) -> zoneinfo.ZoneInfo:
    """Return the zone in which somebody's hours are written: theirs, while this machine knows it, or the site's."""
    try:
        return zoneinfo.ZoneInfo(preference.zone or settings.TIME_ZONE)
    except zoneinfo.ZoneInfoNotFoundError:
        return zoneinfo.ZoneInfo(settings.TIME_ZONE)
