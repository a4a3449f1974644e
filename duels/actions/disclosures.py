"""Noting who is shown what had been filed: it is written down before it is opened, while the duel runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.db import transaction

from duels import clock
from duels.models import Disclosure, Duel, Phase

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@transaction.atomic(durable=True)
def note_disclosure(*, user: User, duel: Duel, phase: Phase, seats: Iterable[str]) -> None:
    """Note that the user is about to be shown what those seats filed and keep secret; nothing once the duel is over.

    Called by whatever opens it, on a GET too: the one exception to "a GET never writes", as a log of accesses is one
    (RFC 9110, 9.2.1). Were opening a button of its own, only the first of many readings would be known.
    """
    opened = "".join(sorted(seats))
    if opened and not duel.is_over:
        Disclosure.objects.create(phase=phase, seats=opened, by=user, at=clock.now())
