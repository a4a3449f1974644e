"""A forger who holds the database: whatever stands in a record, receipts, chain and hashes of texts are made to fit."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules import record, seal

HASHES: dict[record.Part, str] = {"post": "text_sha256", "preamble": "preamble_sha256", "closing": "closing_sha256"}


def resealed(export: record.Export, entries: Sequence[record.Entry] | None = None) -> record.Export:
    """Return the export with these entries in this order (by default, its own), every receipt and hash made anew.

    What names an entry by its place follows it: rulings taken back, texts, removals. Raises RulesError where something
    cannot be sealed.
    """
    entries = export.entries if entries is None else entries
    places = {entry.index: place for place, entry in enumerate(entries)}
    texts = [
        msgspec.structs.replace(text, entry=places[text.entry]) for text in export.texts if text.entry in places
    ]  # fmt: skip
    words = {(text.entry, text.part): text.text for text in texts}
    made: list[record.Entry] = []
    previous = seal.FIRST_PREVIOUS
    for index, entry in enumerate(entries):
        public = _following(entry, places)
        for part, name in HASHES.items():
            text = words.get((index, part))
            if name in public and text is not None:
                public[name] = seal.text_hash(text)
        entry = msgspec.structs.replace(entry, index=index, public=public, previous=previous)
        if entry.nonce is not None:
            entry = msgspec.structs.replace(entry, receipt=entry.expected_receipt(export.duel))
        made.append(msgspec.structs.replace(entry, hash=entry.expected_hash(export.duel)))
        previous = made[-1].hash
    return msgspec.structs.replace(export, entries=tuple(made), texts=tuple(texts))


def _following(entry: record.Entry, places: dict[int, int]) -> dict[str, object]:
    """What an entry shows, the entries that it names where they now stand."""
    public = dict(entry.public)
    for name in ("withdraws", "entry"):
        if isinstance(public.get(name), int):
            public[name] = places.get(public[name], public[name])
    return public
