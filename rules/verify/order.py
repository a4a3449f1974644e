"""What may come after what in a record: versions, branches, what a publication closes and a correction opens again."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rules import record
from rules.record import Entry, Export, Place

from .reasons import Reason
from .report import Findings


def check_order(export: Export, findings: Findings) -> None:
    """Nothing is added to a turn that was published, unless it was taken up again, or that no longer counts; versions
    are counted, and after the verdict there are but annotations.
    """
    order = _Order(findings)
    for entry in export.entries:
        with findings.trial("order", entry):
            order.take(entry)


_CLOSED_BY_PUBLICATION = frozenset(
    {
        "filing", "choice", "infraction", "ruling", "draw_offer", "surrender", "time_out", "time_out_answer",
        "wall", "publication", "lock", "deadline", "hour",
    }
)  # fmt: skip
OF_THE_DUEL = frozenset({"verdict", "annotation", "referee", "removal"})  # not of a turn, whatever turn they name
_OF_A_PUBLICATION = frozenset({"appeal", "appeal_answer", "correction"})


class _Order:
    """The phases that count, as far as the record has been read."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.branch = 0
        self.counts: dict[Place, int] = {}  # the phases that opened and still count, with their branch
        self.published: set[Place] = set()
        self.versions: Counter[tuple[Any, ...]] = Counter()
        self.is_over = False

    def take(self, entry: Entry) -> None:
        if entry.kind != "removal" and (entry.kind == "annotation") is not self.is_over:
            self._fail(entry, Reason("after_verdict"))
        if entry.kind in ("filing", "receptacle", "publication"):
            self._count(entry)
        if entry.phase and entry.kind not in OF_THE_DUEL:
            self._take_in_phase(entry)
        elif entry.branch and not entry.phase:
            self._fail(entry, Reason("no_branch"))
        self.is_over = self.is_over or entry.kind == "verdict"

    def _count(self, entry: Entry) -> None:
        """Filings count from 1, publications from 0."""
        one = entry.kind, entry.branch, entry.place, entry.seat
        truth = self.versions[one] + (entry.kind != "publication")
        self.findings.same("version", entry, entry.version, truth)
        self.versions[one] += 1

    def _take_in_phase(self, entry: Entry) -> None:
        if entry.kind == "opening":
            if entry.branch != self.branch or entry.place in self.counts:
                self._fail(entry, Reason("opens", {"branch": self.branch}))
            self.counts[entry.place] = entry.branch
        elif self.counts.get(entry.place) != entry.branch:
            self._fail(entry, Reason("not_open"))
        if entry.kind in _CLOSED_BY_PUBLICATION and entry.place in self.published:
            self._fail(entry, Reason("published"))
        if entry.kind in _OF_A_PUBLICATION and entry.place not in self.published:
            self._fail(entry, Reason("unpublished"))
        if entry.kind == "publication":
            self.published.add(entry.place)
        elif entry.kind == "correction":
            self._take_up_again(entry)

    def _take_up_again(self, entry: Entry) -> None:
        said = record.read(record.Correction, entry)
        if said.branch != self.branch + 1:
            self._fail(entry, Reason("branch", {"branch": self.branch, "said": said.branch}))
        self.branch = said.branch
        self.counts = {place: branch for place, branch in self.counts.items() if place <= entry.place}
        self.published = {place for place in self.published if place < entry.place}

    def _fail(self, entry: Entry, why: Reason) -> None:
        self.findings.fail("order", entry, why)
