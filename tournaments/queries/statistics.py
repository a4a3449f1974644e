"""What was done in duels that are over, counted: from their records, and as it is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from duels import export
from duels.models import Duel, Duellist, Happening
from rules.record import Entry, Export
from rules.verify import verify
from tournaments.chance import Fairness, fairness
from tournaments.models import Tally

from .ratings import TEAMS, WINNERS

Key = tuple[int | None, str, str, str]  # duellist (None: all together), ruleset, subject, value
Deed = tuple[str, str, str]  # seat, subject, value
Subject = Tally.Subject


def of_duel(duel: Duel) -> Counter[Key]:
    """Count what was done in a duel that is over. Raises NotAllowed for any other, which keeps its secrets."""
    record = export.of(duel)
    counted: Counter[Key] = Counter()
    for seat, subject, value in _deeds(record):
        counted[duel.cast[seat]["duellist"], duel.ruleset, subject, value] += 1
        counted[None, duel.ruleset, subject, value] += 1
    for seat, player in duel.cast.items():
        counted[player["duellist"], duel.ruleset, Subject.RESULT, _result(seat, duel.winner)] += 1
        counted[player["duellist"], duel.ruleset, Subject.ENDING, duel.ended_by] += 1
    counted[None, duel.ruleset, Subject.ENDING, duel.ended_by] += 1
    for die in verify(record).dice:
        counted[None, duel.ruleset, Subject.DIE, f"{die.faces}:{die.face}"] += 1
    return counted


def _result(seat: str, winner: str) -> str:
    if not winner:
        return "drawn"
    return "won" if seat in TEAMS[WINNERS[winner]] else "lost"


def _deeds(record: Export) -> Iterator[Deed]:
    """What the duellists filed, in its last version; also in turns that a correction replaced, since they chose it."""
    last: dict[tuple[object, ...], Entry] = {}
    for entry in record.entries:
        if entry.kind in ("filing", "receptacle"):
            last[entry.kind, entry.branch, entry.place, entry.seat] = entry
    for entry in last.values():
        for subject, value in _chosen(entry):
            yield str(entry.seat), subject, value


def _chosen(entry: Entry) -> Iterator[tuple[str, str]]:
    content: Mapping[str, Any] = entry.content
    if entry.kind == "receptacle":
        yield Subject.RECEPTACLE, content["zone"]
        return
    for blow in (Subject.THRUST, Subject.PARRY):
        if content.get(blow):
            yield blow, content[blow]
    if content.get("option"):
        yield Subject.OPTION, content["option"]["name"]
    for step in content.get("steps", [content]):
        if step.get("do") == "cast":
            yield Subject.SPELL, step["spell"]


def of_duels(duels: Iterable[Duel]) -> Counter[Key]:
    """Count what was done in these duels, all of them over."""
    counted: Counter[Key] = Counter()
    for duel in duels:
        counted.update(of_duel(duel))
    return counted


def from_the_log(*, after: int = 0, up_to: int, left_out: Collection[int]) -> Counter[Key]:
    """Count anew all duels over between two happenings, the latter included, but for those `left_out` (keys)."""
    told = Happening.objects.filter(what="over", pk__gt=after, pk__lte=up_to)
    over = Duel.objects.filter(pk__in=told.values("duel")).exclude(pk__in=left_out)
    return of_duels(over.order_by("pk").iterator(chunk_size=100))


class Statistics(NamedTuple):
    """What was counted in one kind of duel, by subject: value → how often."""

    counts: Mapping[str, Mapping[str, int]]

    @property
    def duels(self) -> int:
        return sum(self.counts.get(Subject.ENDING, {}).values())

    def of(self, subject: str) -> Mapping[str, int]:
        return self.counts.get(subject, {})

    @property
    def dice(self) -> list[Fairness]:
        """How fair the dice fell, by the number of their faces."""
        fell: dict[int, dict[int, int]] = {}
        for value, count in self.of(Subject.DIE).items():
            faces, face = map(int, value.split(":"))
            fell.setdefault(faces, {})[face] = count
        return [fairness(faces, fell[faces]) for faces in sorted(fell)]


def kept(ruleset: str, duellist: Duellist | None = None) -> Statistics:
    """Return the statistics of one kind of duel: of a duellist, or of all together. One query."""
    rows = Tally.objects.filter(ruleset=ruleset, duellist=duellist)
    counts: dict[str, dict[str, int]] = {}
    for subject, value, count in rows.values_list("subject", "value", "count"):
        counts.setdefault(subject, {})[value] = count
    return Statistics(counts)
