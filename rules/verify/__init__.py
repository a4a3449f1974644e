"""Checking the export of a finished duel, to see that nobody cheated: `python -m rules verify FILE`."""

from __future__ import annotations

from pathlib import Path

from rules import record
from rules.core import RulesError
from rules.record import Export

from .order import check_order
from .reasons import REASONS, Reason
from .replay import replay
from .report import Die, Failure, Findings, Made, Report
from .seals import check_chain, check_receipts, check_texts
from .shape import check_shape

__all__ = ["REASONS", "Die", "Failure", "Made", "Reason", "Report", "main", "verify", "verify_json"]


def main(path: str) -> int:
    """Check the export at `path`, print the report, and return the exit status: 0 when all holds."""
    try:
        report = verify_json(Path(path).read_bytes())
    except OSError as error:
        print(f"{path}: {error.strerror}")
        return 1
    for line in report.lines():
        print(line)
    return 0 if report.ok else 1


def verify_json(raw: bytes) -> Report:
    """Check an export as downloaded. What is no export gives a report that says so."""
    try:
        return verify(record.decode(raw))
    except RulesError as error:
        return Report(0, {}, (Failure("export", Reason("refused", {"said": str(error)})),))


def verify(export: Export) -> Report:
    """Check seals and texts, then play the duel again from what was filed. Never raises."""
    findings = Findings()
    said = check_shape(export, findings)
    for check in (check_chain, check_receipts, check_order, check_texts):
        check(export, findings)
    turns = replay(export, said, findings)
    return Report(
        turns,
        dict(findings.checked),
        tuple(findings.failures),
        tuple(findings.notices),
        tuple(findings.dice),
        tuple(Made(*made) for made in findings.made),
    )
