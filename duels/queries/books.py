"""The spell book as it stands, and as duels keep it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from duels.models import SpellBook


def current_book() -> SpellBook:
    """Return the newest version of the spell book. Raises SpellBook.DoesNotExist before the first migration."""
    return SpellBook.objects.latest("number")


def incantations(book_id: int | None) -> Mapping[str, str]:
    """Return the incantation of each spell of a book, by code; of no book, none."""
    return {} if book_id is None else {code: spell.get("name", "") for code, spell in spells_of(book_id).items()}


@lru_cache(maxsize=8)
def _read(book_id: int) -> tuple[Mapping[str, dict[str, Any]], Mapping[str, dict[str, str]], int]:
    """A version of the book is never changed, so it is read once: its spells, its types, its number."""
    spells, types, number = SpellBook.objects.values_list("spells", "types", "number").get(pk=book_id)
    return MappingProxyType({spell["code"]: spell for spell in spells}), MappingProxyType(types), number


def number_of(book_id: int) -> int:
    """Return which version of the book that is. Raises SpellBook.DoesNotExist."""
    return _read(book_id)[2]


def spells_of(book_id: int) -> Mapping[str, dict[str, Any]]:
    """Return the spells of a book by code, in its order. Raises SpellBook.DoesNotExist."""
    return _read(book_id)[0]


def types_of(book_id: int) -> Mapping[str, dict[str, str]]:
    """Return the types of magic of a book by code, each with its name by language. Raises SpellBook.DoesNotExist."""
    return _read(book_id)[1]


def chosen(book: SpellBook, asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the spells of a book that have the level, the type and the tag asked for, by level, type and name."""
    found = [
        spell
        for spell in book.spells
        if asked.get("level") in (None, spell["level"])
        and asked.get("type") in (None, "", spell["type"])
        and (not asked.get("tag") or asked["tag"] in spell.get("tags", ()))
    ]
    order = list(book.types)
    return sorted(found, key=lambda spell: (spell["level"], order.index(spell["type"]), spell.get("name", "")))
