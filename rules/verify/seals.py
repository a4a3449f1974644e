"""What can be checked of a record without playing it: chain, receipts, order, texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules import parts, record, seal
from rules.record import Entry, Export, Part

from .reasons import Reason
from .report import Findings


def check_chain(export: Export, findings: Findings) -> None:
    """Every entry stands in its place, is what its hash says, and follows the one before."""
    previous = seal.FIRST_PREVIOUS
    for place, entry in enumerate(export.entries):
        findings.expect("chain", entry, entry.index == place, Reason("place", {"place": place}))
        if entry.previous != previous:
            findings.fail("chain", entry, Reason("previous"))
        with findings.trial("chain", entry):
            if entry.hash != entry.expected_hash(export.duel):
                findings.fail("chain", entry, Reason("hash"))
        previous = entry.hash


def check_receipts(export: Export, findings: Findings) -> None:
    """What was sealed is what its receipt says; what is public seals nothing."""
    for entry in export.entries:
        if entry.kind in record.SEALED:
            with findings.trial("receipt", entry):
                true = entry.receipt == entry.expected_receipt(export.duel)
                findings.expect("receipt", entry, true, Reason("content"))
        elif (entry.receipt, entry.content, entry.nonce) != (None, None, None):
            findings.fail("receipt", entry, Reason("unsealed", {"kind": entry.kind}))


def check_texts(export: Export, findings: Findings) -> None:
    """Every text is the one whose hash its entry shows. One that staff took away cannot be checked, which is said; a
    `removal` tells of each."""
    published = dict(_published(export))
    keys = [(text.entry, text.part) for text in export.texts]
    for place, _part in (twice for twice, times in Counter(keys).items() if times > 1):
        findings.fail("text", None, Reason("two_texts", {"place": place}))
    if export.format > 1 and keys != [(text.entry, text.part) for text in sorted(export.texts, key=record.text_key)]:
        findings.fail("text", None, Reason("order_of_texts"))
    texts = dict(zip(keys, export.texts, strict=True))
    removed = _removed(export, published, findings)
    for key, (entry, digest) in published.items():
        text = texts.get(key)
        if text is not None and text.text is None and (key in removed or export.format == 1):
            findings.notices.append(Reason("removed", {"place": entry.index}))
        elif text is None or text.text is None:
            findings.expect("text", entry, export.format == 1 and key[1] != "post", Reason("no_such_text"))
        else:
            true = text.seat == entry.seat and seal.text_hash(text.text) == digest
            findings.expect("text", entry, true, Reason("other_text"))
    for place, _part in texts.keys() - published.keys():
        findings.fail("text", None, Reason("text_of_none", {"place": place}))


def _published(export: Export) -> Iterator[tuple[tuple[int, Part], tuple[Entry, str]]]:
    """The texts that entries show the hashes of: post, reason, preamble, closing."""
    for entry in export.entries:
        for part, name in _HASHES.get(entry.kind, {}).items():
            if name in entry.public:
                yield (entry.index, part), (entry, entry.public[name])


_HASHES: dict[str, dict[Part, str]] = {
    "filing": {"post": "text_sha256"},
    "time_out": {"post": "text_sha256"},
    "publication": {"preamble": "preamble_sha256", "closing": "closing_sha256"},
}


def _removed(
    export: Export, published: dict[tuple[int, Part], tuple[Entry, str]], findings: Findings
) -> set[tuple[int, Part]]:
    """The texts that staff took away, by the entries that say so: each names one that was published, once, and its
    hash."""
    removed: set[tuple[int, Part]] = set()
    for entry in export.entries:
        if entry.kind == "removal":
            with findings.trial("removal", entry):
                said = parts.read(entry)
                key = said.entry, said.part
                known = said.entry < entry.index and key not in removed and key in published
                true = known and published[key][1] == said.sha256
                findings.expect("removal", entry, true, Reason("no_text"))
                removed.add(key)
    return removed
