"""What every template knows."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from duels.people import is_referee


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the site's name, whether it is a demo, and `is_referee`, asked only by pages that use it."""
    return {
        "site_name": settings.SITE_NAME,
        "site_url": settings.SITE_URL,
        "demo": settings.DEMO,
        "is_referee": lambda: is_referee(request.user),
    }
