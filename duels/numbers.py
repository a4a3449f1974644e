"""Numbers that come from outside: of addresses, forms and hidden fields."""

from __future__ import annotations


def natural(said: str, *, digits: int) -> int | None:
    """Return the whole number that a text spells in decimal digits, `digits` of them at most; None if it spells none.

    More than a database's column takes is no number either: 18 digits always fit a key.
    """
    return int(said) if said.isascii() and said.isdigit() and len(said) <= digits else None
