"""Who is what: roles of users."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

REFEREES = "referees"  # the group


def is_referee(user: User | AnonymousUser) -> bool:
    """Say whether the user may take and publish duels; asked of the database once a request."""
    if not user.is_authenticated:
        return False
    known: bool | None = getattr(user, "_is_referee", None)
    if known is None:
        known = user.is_active and user.groups.filter(name=REFEREES).exists()
        user._is_referee = known  # type: ignore[attr-defined]
    return known
