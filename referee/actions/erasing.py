"""Taking away what somebody wrote in a hand-over or a candidacy: illegal content, or a person's right.

That it was asked, by whom and how it was answered stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from duels.errors import NotAllowed, TooLate
from referee.models import Candidacy, HandOver

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def erase_words(*, user: User, asked: HandOver | Candidacy) -> None:
    """Empty the texts of a hand-over or a candidacy, as staff; in the transaction that logs it. Raises NotAllowed,
    TooLate (nothing is left to erase)."""
    if not may_erase(user, type(asked)):
        raise NotAllowed(_("Only staff who may change this can erase its words."))
    with transaction.atomic():
        row = type(asked)._default_manager.select_for_update(no_key=True).get(pk=asked.pk)
        if not any(getattr(row, name) for name in row.WORDS):
            raise TooLate(_("Nothing is written there (any more)."))
        for name in row.WORDS:
            setattr(row, name, "")
        row.save(update_fields=row.WORDS)


def may_erase(user: User, model: type[HandOver | Candidacy]) -> bool:
    """Say whether the user is staff who may change such rows."""
    return user.is_active and user.is_staff and user.has_perm(f"referee.change_{model._meta.model_name}")
