"""The spell book: its first version is the one that is shipped, staff upload the next ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.errors import BadBook, NotAllowed, TooLate
from duels.models import SpellBook
from rules.spells import book as reading

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LARGEST = 500_000  # bytes of a file
_FOR_READERS = frozenset({"names", "descriptions"})


def upload_book(*, user: User, raw: bytes) -> SpellBook:
    """Store the next version of the spell book from a TOML file; duels agreed from now on are fought with it.

    Raises NotAllowed, BadBook (each fault on one line; nothing is stored), TooLate (somebody else's came first).
    """
    if not may_upload(user):
        raise NotAllowed(_("Only staff who may change the spell book can do this."))
    read = read_upload(raw)
    try:
        with transaction.atomic():
            last = SpellBook.objects.values_list("number", flat=True).first() or 0
            return _store(read, raw.decode(), number=last + 1, user=user)
    except IntegrityError:
        raise TooLate(
            _("Somebody else has just uploaded another version: look at it, then upload yours again.")
        ) from None


def may_upload(user: User) -> bool:
    """Say whether the user is staff who may add a version of the spell book."""
    return user.is_active and user.is_staff and user.has_perm("duels.add_spellbook")


def store_starter() -> SpellBook | None:
    """Store the book that is shipped as version 1, unless there is a book already (done after each migration)."""
    if SpellBook.objects.exists():
        return None
    raw = reading.STARTER.read_bytes()
    return _store(reading.read_book(raw), raw.decode(), number=1, user=None)


def read_upload(raw: bytes) -> reading.Book:
    """Return the book that a TOML file spells, and that is not the one in force. Raises BadBook."""
    if len(raw) > LARGEST:
        raise BadBook(_("This file is too large."), [f"the file has more than {LARGEST} bytes"])
    try:
        read = reading.read_book(raw)
    except reading.BookError as error:
        raise BadBook(_("This spell book cannot be used as it is; nothing was stored."), error.faults) from None
    last = SpellBook.objects.first()
    if last is not None and last.source == raw.decode():
        raise BadBook(_("This spell book is in force already, word for word; nothing was stored."), [])
    return read


def _store(read: reading.Book, source: str, *, number: int, user: User | None) -> SpellBook:
    return SpellBook.objects.create(
        number=number,
        spells=msgspec.to_builtins(read.spells),
        types=msgspec.to_builtins(read.types),
        source=source,
        uploaded_at=clock.now(),
        uploaded_by=user,
    )


def for_the_rules(book: SpellBook) -> list[dict[str, Any]]:
    """Return the spells without the words that are for readers: what a duel's announcement holds of its book."""
    return [{key: part for key, part in spell.items() if key not in _FOR_READERS} for spell in book.spells]
