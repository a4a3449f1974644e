"""The export of a finished duel, all its seals open, and what checking it shows."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from duels import checks, secrets
from duels.errors import NotAllowed
from duels.models import Duel, Post
from rules import record, verify
from rules.record import Entry, Export, Text


def of(duel: Duel) -> Export:
    """Return the export of a duel that is over. Raises NotAllowed for any other, which keeps its secrets."""
    if not duel.is_over:
        raise NotAllowed(_("This duel is not over: its record can be downloaded once the verdict has opened it."))
    return so_far(duel)


def so_far(duel: Duel) -> Export:
    """Return the record of a duel as it stands, every seal open: before the verdict nothing of it leaves the server."""
    entries = tuple(secrets.opened(entry, duel.uid) for entry in duel.entries.order_by("index"))
    return Export(
        format=record.format_of(entries),
        duel=str(duel.uid),
        ruleset=duel.ruleset,
        version=duel.ruleset_version,
        seed=secrets.seed(duel).hex(),
        entries=entries,
        texts=tuple(_texts(duel)),
    )


def _texts(duel: Duel) -> list[Text]:
    """What was published, in the order of the entries; a text that staff took away is None."""
    published = Post.objects.filter(thread__duel=duel, entry__isnull=False).exclude(text_sha256="")
    found = published.values_list("entry__index", "seat", "body__text", "kind")
    texts = [Text(index, seat or None, text, Post.Kind(kind).part) for index, seat, text, kind in found]
    return sorted(texts, key=record.text_key)


class Proof(NamedTuple):
    """What the page of a finished duel shows: the report, what was sealed and filed by entry, each turn as checked."""

    seed: str
    report: verify.Report
    opened: dict[int, Opening]
    turns: list[checks.Turn]


class Opening(NamedTuple):
    """A receipt, and what it sealed: a receptacle's zone, or a declaration."""

    entry: Entry
    zone: str | None = None
    declaration: dict[str, Any] | None = None


def prove(export: Export) -> Proof:
    """Check an export as anybody can, and open what the duellists sealed."""
    report = verify.verify(export)
    filed = [entry for entry in export.entries if entry.kind in ("receptacle", "filing")]
    opened = {entry.index: _open(entry) for entry in filed}
    return Proof(export.seed, report, opened, checks.by_turn(export, report))


def _open(entry: Entry) -> Opening:
    if entry.kind == "receptacle":
        return Opening(entry, zone=entry.content["zone"])
    return Opening(entry, declaration=entry.content)
