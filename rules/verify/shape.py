"""What each entry of a record consists of, to the letter: since format 2, which its announcement names."""

from __future__ import annotations

import datetime as dt
from typing import Any

from rules import parts, record
from rules.core import RulesError
from rules.record import Entry, Export

from .reasons import Reason
from .report import Findings

# Whoever strips a later record of what format 2 holds would be checked for less: so late, no duel is announced in 1.
LAST_OF_FORMAT_1 = dt.datetime(2027, 1, 1, tzinfo=dt.UTC)

_SEATED = frozenset(
    {
        "receptacle", "filing", "choice", "infraction", "surrender", "draw_offer", "draw_refused", "time_out",
        "time_out_answer", "appeal", "appeal_answer",
    }
)  # fmt: skip
_COUNTED = frozenset({"receptacle", "filing", "publication"})  # the versions of others are 0


def check_shape(export: Export, findings: Findings) -> list[Any]:
    """Return the public part of each entry, read; None of one that is not as its kind has it. Of a record of format 1,
    which did not say so much, nothing is read."""
    entries = export.entries
    if export.format != record.format_of(entries):
        findings.fail("format", entries[0] if entries else None, Reason("format"))
    if export.format == 1:
        announced = record.instant(entries[0].at) if entries else None
        if announced is not None and announced >= LAST_OF_FORMAT_1:
            findings.fail("format", entries[0], Reason("downgraded"))
        findings.notices.append(Reason("format_1"))
        return [None] * len(entries)
    said = [_read(entry, findings) for entry in entries]
    if said and isinstance(said[0], parts.Announcement):
        rules = said[0].ruleset, said[0].version
        findings.same("format", entries[0], list(rules), [export.ruleset, export.version])
        _check_seats(entries, said, findings)
    return said


def _read(entry: Entry, findings: Findings) -> Any:
    with findings.trial("parts", entry):
        said = parts.read(entry)
        parts.check_content(entry)
        if record.stamp(record.instant(entry.at)) != entry.at:
            raise RulesError(f"{entry.at!r} is not spelt as an instant is")
        findings.count("parts", entry)
        return said
    return None


def _check_seats(entries: tuple[Entry, ...], said: list[Any], findings: Findings) -> None:
    """Whom an entry is of, where it is somebody's; only what counts its versions has one."""
    duellists = said[0].setup.get("duellists")
    seats = set(duellists) if isinstance(duellists, dict) else set()
    for entry, part in zip(entries, said, strict=True):
        seated = entry.kind in _SEATED or getattr(part, "annotation", None) == "compensation"
        true = (entry.seat in seats) if seated else (entry.seat is None)
        if not true or (entry.version and entry.kind not in _COUNTED):
            findings.fail("parts", entry, Reason("seat", {"kind": entry.kind}))
