"""The course of a duel, since format 2: who may do what, at what hour, until when, and what has to follow."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET

from rules import parts, record
from rules.core import Ruleset, Seat, State, Status
from rules.hours import (
    AFTER_A_CHOICE,
    GIVEN_BACK,
    HOUR,
    NOTICE,
    PUBLISHED,
    STOPPED,
    TAKEN_OVER,
    TO_CHOOSE,
    TO_CORRECT,
    TO_HIDE,
)  # fmt: skip
from rules.record import Entry, Export, Place
from rules.words import MINIMUM, count_words

from .order import OF_THE_DUEL
from .reasons import Reason
from .report import Findings

TO_NEXT_HOURS = 8 * 24 * HOUR  # training has its hours once a week
DISORDER = dt.timedelta(minutes=5)  # what came first may be written down second, when both waited for the duel

AT_THE_WALL = {"opening", "wall", "surrender", "draw_offer", "verdict"}

Rolled = Callable[[Entry], dict[str, tuple[int, int]]]


class Phase:
    """A phase that was opened, as far as the record has been read. Revisions are counted as the site works it out."""

    def __init__(self, entry: Entry, said: parts.Opening, status: Status, state: State) -> None:
        self.place, self.branch, self.status, self.state = entry.place, entry.branch, status, state
        self.due_at = record.instant(said.due_at)
        self.first_due_at = self.due_at
        self.opened_at = record.instant(entry.at)
        self.given_back = Counter[str]()  # of each deadline, in seconds
        self.holds_until: dt.datetime | None = None  # for who may answer a zone that was named (A10.2d)
        self.unanswered: set[Seat] = set()  # who named one
        self.choice_until = None if said.choice_until is UNSET else record.instant(str(said.choice_until))
        self.correctable: dict[Seat, dt.datetime] = {}
        self.filed: dict[Seat, list[tuple[Any, int]]] = {}  # content and words of each version
        self.chosen: dict[Seat, str] = {}
        self.left: set[Seat] = set()
        self.late: set[Seat] = set()
        self.offers: set[Seat] = set()
        self.pleas: dict[Seat, int] = {}  # hours asked for that wait for an answer
        self.corrected: set[Seat] = set()
        self.rulings: dict[int, parts.Ruling] = {}  # in force
        self.contested: set[Seat] = set()
        self.locked_at: dt.datetime | None = None
        self.publish_at: dt.datetime | None = None
        self.revision = 0
        self.is_stopped = self.is_published = False
        self.hands: set[int | None] = set()  # who ruled on it, published it or had it corrected
        self.at_grant: set[int] | None = None  # the rulings in force as an appeal was granted, until it is published

    @property
    def is_open(self) -> bool:
        return self.locked_at is None and not self.is_stopped and not self.is_published

    @property
    def missing(self) -> set[Seat]:
        """Who has still to file."""
        return set(self.status.awaited) - set(self.filed) - self.left

    @property
    def standing(self) -> set[Seat]:
        """Who is still in."""
        return set(self.status.standing) - self.left

    @property
    def is_agreed(self) -> bool:
        """Whether all who are still in have offered a draw (A13.4, B3.3.3)."""
        return self.standing <= self.offers

    def put_off(self, by: dt.timedelta, from_: dt.datetime) -> None:
        """Move what is to come from an instant on."""
        self.due_at += by
        self.first_due_at += by
        if self.choice_until is not None and self.choice_until >= from_:
            self.choice_until += by
        if self.holds_until is not None and self.holds_until >= from_:
            self.holds_until += by
        self.correctable = {seat: until + by if until >= from_ else until for seat, until in self.correctable.items()}


class Appeal:
    """An appeal that waits for its answer."""

    def __init__(self, entry: Entry, until: dt.datetime, contested: Phase) -> None:
        self.seat, self.until, self.contested = entry.seat, until, contested


class Course:
    """The duel as far as the record has been read: `take` one entry after the other."""

    def __init__(self, export: Export, ruleset: Ruleset, rolled: Rolled, findings: Findings) -> None:
        self.ruleset, self.rolled, self.findings = ruleset, rolled, findings
        self.has_walls = False  # a round may end it at any time
        self.texts = {text.entry: text.text for text in export.texts if text.part == "post"}
        self.setup: dict[str, Any] = {}
        self.seats: tuple[Seat, ...] = ()
        self.starts_at = self.latest = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
        self.put_off_by = 0  # seconds, by outages
        self.referee: int | None = None
        self.referees: set[int | None] = set()  # all that the duel has had
        self.officials = 0
        self.phases: dict[Place, Phase] = {}  # those that count
        self.phase: Phase | None = None  # the last of them
        self.asked: set[Seat] = set()
        self.appeal: Appeal | None = None
        self.granted: tuple[Place, int | None] | None = None
        self.called_off = False  # an hour, by what comes next
        self.at_the_wall = ""  # the instant at which a round ended whose wall the duel has come to
        self.before: Entry | None = None
        self.is_decided = False
        self.state: State | None = None
        self.status: Status | None = None
        self.present: set[Seat] = set()  # who has filed anything

    def take(self, entry: Entry, said: Any, state: State | None) -> None:
        """Check one entry that was read; `state` is where the duel stands after it."""
        at = record.instant(entry.at)
        self._must("deadline", entry, at >= self.latest - DISORDER, "hour")
        self.latest = max(at, self.latest)
        if (official := getattr(said, "official", None)) is not None:
            self._must("official", entry, official <= self.officials + 1, "who")
            self.officials = max(self.officials, official)
        if self.granted is not None and not _follows_a_grant(entry, said):
            self._must("order", entry, False, "granted")
            self.granted = None
        if self.called_off:
            self._must("order", entry, entry.kind in ("referee", "correction"), "under_way")
            self.called_off = False
        if self.at_the_wall:
            self._must("order", entry, entry.kind in AT_THE_WALL and entry.at == self.at_the_wall, "under_way")
            self.at_the_wall = self.at_the_wall if entry.kind == "opening" else ""
        if state is not self.state:
            self.state = state
            self.status = None if state is None else self.ruleset.status(state)
        if self.before is not None and self.before.kind in ("start", "publication"):
            follows = ("verdict", "appeal_answer") if self.is_decided else ("opening",)
            self._must("order", entry, entry.kind in follows, "opening")
        if entry.kind in OF_THE_DUEL:
            stands = (0, record.place(0, record.WHOLE_TURN))
            if self.phase is not None:
                stands = self.phase.branch, self.phase.place
            self._must("order", entry, (entry.branch, entry.place) == stands, "under_way")
        taken = getattr(self, f"_{entry.kind}", None)
        if taken is not None:
            taken(entry, said, at)
        self.before = entry

    def _must(self, check: str, entry: Entry, holds: bool, code: str) -> bool:
        self.findings.expect(check, entry, holds, Reason(code))
        return holds

    def _due(self, entry: Entry, said: str | None, truth: dt.datetime | None) -> None:
        self.findings.same("deadline", entry, said, None if truth is None else record.stamp(truth))

    def _of(self, entry: Entry, *, is_open: bool = False) -> Phase | None:
        """Return the phase under way if the entry is of it, and it is open where it has to be."""
        phase = self.phase
        holds = phase is not None and (phase.place, phase.branch) == (entry.place, entry.branch)
        holds = holds and not phase.is_published and not phase.is_stopped  # type: ignore[union-attr]
        holds = holds and (not is_open or phase.is_open)  # type: ignore[union-attr]
        return phase if self._must("order", entry, holds, "under_way") else None

    def _announcement(self, entry: Entry, said: parts.Announcement, at: dt.datetime) -> None:
        self.setup, self.starts_at, self.referee = said.setup, record.instant(said.starts_at), said.official
        self.referees = {said.official}
        self.seats = tuple(said.setup["duellists"]) if isinstance(said.setup.get("duellists"), dict) else ()
        self.has_walls = said.kind == "tournament"
        agreed = said.terms.get("kind", said.kind) if isinstance(said.terms, dict) else said.kind
        self.findings.same("parts", entry, said.kind, agreed)
        earliest = at + NOTICE if self._is_prepared() else at
        self._must("deadline", entry, self.starts_at >= earliest, "hour")

    def _is_prepared(self) -> bool:
        return any(self.ruleset.prepares(self.setup, seat).awaited for seat in self.seats)

    def _receptacle(self, entry: Entry, said: parts.Receptacle, at: dt.datetime) -> None:
        self._must("order", entry, self._is_prepared() and self.state is None, "under_way")
        self._must("deadline", entry, at < self.starts_at, "hour")
        self.findings.same("deadline", entry, said.late, at > self.starts_at - TO_HIDE)

    def _start(self, entry: Entry, said: parts.Start, at: dt.datetime) -> None:
        in_time = at < self.starts_at if said.early else at >= self.starts_at or self.has_walls
        self._must("deadline", entry, in_time, "hour")

    def _opening(self, entry: Entry, said: parts.Opening, at: dt.datetime) -> None:
        if self.status is None or self.state is None:
            return
        before = self.before
        follows = before is not None and before.kind in ("start", "publication") and before.at == entry.at
        self._must("order", entry, follows, "opening")
        self._due(entry, said.due_at, at + self.status.hours * HOUR)
        until = at + TO_CHOOSE if self.status.owing else None
        self._due(entry, None if said.choice_until is UNSET else str(said.choice_until), until)
        self.phase = self.phases[entry.place] = Phase(entry, said, self.status, self.state)
        self.is_decided = self.status.outcome is not None

    def _choice(self, entry: Entry, said: parts.Choice, at: dt.datetime) -> None:
        if (phase := self._of(entry, is_open=True)) is None or entry.seat is None:
            return
        owes = entry.seat in phase.status.owing and entry.seat not in phase.chosen and self.appeal is None
        self._must("order", entry, owes, "seat_acts")
        self._must("deadline", entry, phase.choice_until is not None and at <= phase.choice_until, "hour")
        phase.holds_until = at + AFTER_A_CHOICE
        phase.unanswered.add(entry.seat)
        phase.due_at = max(phase.due_at, phase.holds_until)
        self._due(entry, said.due_at, phase.due_at)
        phase.chosen[entry.seat] = said.zone

    def _filing(self, entry: Entry, said: parts.Filing, at: dt.datetime) -> None:
        if (phase := self._of(entry, is_open=True)) is None or (seat := entry.seat) is None:
            return
        before = phase.filed.setdefault(seat, [])
        self.present.add(seat)
        corrects = bool(before) and self.ruleset.in_the_open
        self._must("order", entry, seat in phase.status.awaited and seat not in phase.left, "seat_acts")
        if corrects:
            self._must("deadline", entry, at <= phase.correctable.pop(seat, self.starts_at), "hour")
            self._must("order", entry, not any(seat in one.corrected for one in self.phases.values()), "seat_acts")
            self._must("parts", entry, self.ruleset.completes(phase.state, before[-1][0], entry.content), "declaration")
            phase.corrected.add(seat)
        else:
            self._must("deadline", entry, at <= phase.due_at and self.appeal is None, "hour")
        errors = self._errors(phase, seat, entry.content)
        allowed = self.ruleset.correctable if self.ruleset.in_the_open and not before else frozenset()
        self._must("parts", entry, errors <= allowed, "declaration")
        words = self._words(entry, said, sum(words for _content, words in before), has_text=not before or corrects)
        if (errors or said.fault is not UNSET) and not any(seat in one.corrected for one in self.phases.values()):
            phase.correctable[seat] = at + TO_CORRECT
        before.append((entry.content, words))
        phase.unanswered &= {seat}
        if not phase.unanswered:
            phase.holds_until = None

    def _errors(self, phase: Phase, seat: Seat, content: Any) -> set[str]:
        """What the rules refuse in a declaration, the zones named for decoys in force (A10.2)."""
        state = phase.state
        for chooser, zone in sorted(phase.chosen.items()):
            state = self.ruleset.choose(state, chooser, zone).state
        if seat in phase.status.owing and seat not in phase.chosen:
            state = self.ruleset.choose(state, seat, None).state
        return {finding.code for finding in self.ruleset.check(state, seat, content) if finding.level == "error"}

    def _words(self, entry: Entry, said: parts.Filing, before: int, *, has_text: bool) -> int:
        """Check that a text is there where one is needed, and as long as is said; return how many words it has."""
        given = said.text_sha256 is not UNSET
        words = said.words if isinstance(said.words, int) else 0
        needed = has_text and before < MINIMUM and self.ruleset.needs_text(entry.content)
        self._must("parts", entry, given == (said.words is not UNSET) and (given or not needed), "words")
        self._must("parts", entry, not given or (has_text and before < MINIMUM), "words")
        short = needed and before + words < MINIMUM
        may_be_short = bool(self.ruleset.correctable) and not before
        self._must("parts", entry, short == (said.fault is not UNSET) and (may_be_short or not short), "words")
        if (text := self.texts.get(entry.index)) is not None:
            self.findings.same("parts", entry, words, count_words(text))
        return words

    def _time_out(self, entry: Entry, said: parts.TimeOut, at: dt.datetime) -> None:
        if (phase := self._of(entry, is_open=True)) is None or entry.seat is None:
            return
        may = entry.seat in phase.missing and entry.seat not in self.asked
        self._must("order", entry, may and self.appeal is None and self.referee is not None, "seat_acts")
        until = phase.due_at if self.ruleset.time_outs_add_up else phase.first_due_at
        self._must("deadline", entry, at <= until, "hour")
        self.asked.add(entry.seat)
        phase.pleas[entry.seat] = said.hours

    def _time_out_answer(self, entry: Entry, said: parts.TimeOutAnswer, at: dt.datetime) -> None:
        if (phase := self._of(entry, is_open=True)) is None or entry.seat is None:
            return
        if not self._must("order", entry, entry.seat in phase.pleas, "unasked"):
            return
        hours = phase.pleas.pop(entry.seat)
        lapsed = said.answer == "lapsed"
        self._must("official", entry, said.official == (None if lapsed else self.referee), "who")
        self._must("order", entry, lapsed or bool(said.reason.strip()), "reason")
        if said.answer == "granted":
            later = phase.due_at + hours * HOUR
            most = phase.first_due_at + parts.MOST_HOURS * HOUR
            phase.due_at = later if self.ruleset.time_outs_add_up else max(phase.due_at, min(later, most))
        self._due(entry, said.due_at, phase.due_at)

    def _deadline(self, entry: Entry, said: parts.Deadline, at: dt.datetime) -> None:
        """What an outage took is given back: more than a day never, and no deadline comes sooner."""
        if self.phase is None:
            self._put_start_off(entry, said, at)
            return
        if (phase := self._of(entry, is_open=True)) is None:
            return
        before = {"due_at": phase.due_at, "choice_until": phase.choice_until, "holds_until": phase.holds_until}
        before |= phase.correctable
        told = {"due_at": said.due_at, "choice_until": said.choice_until, "holds_until": said.holds_until}
        told |= {} if said.correctable is UNSET else dict(said.correctable)
        moved = {}
        for name, until in told.items():
            was = before.get(name)
            if was is None:  # who has corrected already needs no more time
                self._must("order", entry, until is UNSET or name in phase.corrected, "under_way")
            elif self._must("order", entry, until is not UNSET, "under_way"):
                moved[name] = self._later(entry, str(until), was, at)
                phase.given_back[name] += _seconds(moved[name] - max(was, at))
        most = _seconds(min(GIVEN_BACK, at - phase.opened_at))
        self._must("deadline", entry, all(lost <= most for lost in phase.given_back.values()), "hour")
        phase.due_at = moved.get("due_at", phase.due_at)
        phase.choice_until = moved.get("choice_until", phase.choice_until)
        phase.holds_until = moved.get("holds_until", phase.holds_until)
        phase.correctable |= {seat: moved[seat] for seat in phase.correctable if seat in moved}

    def _put_start_off(self, entry: Entry, said: parts.Deadline, at: dt.datetime) -> None:
        """Before the start, `due_at` is the hour of it; students' training waits for its next hours of the week."""
        self._must("order", entry, self._is_prepared() and self.state is None, "under_way")
        alone = said.choice_until is UNSET and said.holds_until is UNSET and said.correctable is UNSET
        self._must("parts", entry, alone, "under_way")
        trains = self.setup.get("kind") == "training"
        was = max(self.starts_at, at)
        self.starts_at = self._later(entry, said.due_at, self.starts_at, at, most=GIVEN_BACK + trains * TO_NEXT_HOURS)
        self.put_off_by += _seconds(self.starts_at - was)
        self._must("deadline", entry, trains or self.put_off_by <= _seconds(GIVEN_BACK), "hour")

    def _later(
        self, entry: Entry, said: str, before: dt.datetime, at: dt.datetime, *, most: dt.timedelta = GIVEN_BACK
    ) -> dt.datetime:
        now = record.instant(said)
        self._must("deadline", entry, before <= now <= max(before, at) + most, "hour")
        return now

    def _lock(self, entry: Entry, _said: Any, at: dt.datetime) -> None:
        if (phase := self._of(entry, is_open=True)) is None:
            return
        self._must("order", entry, not phase.pleas and self.appeal is None, "under_way")
        earliest = [*phase.correctable.values(), *([phase.due_at] if phase.missing else [])]
        earliest += [] if phase.holds_until is None else [min(phase.holds_until, phase.due_at)]
        self._must("deadline", entry, all(at >= one for one in earliest), "hour")
        phase.locked_at = at
        phase.revision += 1

    def _infraction(self, entry: Entry, _said: Any, at: dt.datetime) -> None:
        if (phase := self._of(entry)) is None or entry.seat is None:
            return
        self._must("order", entry, phase.locked_at == at and entry.seat in phase.missing - phase.late, "seat_acts")
        self._must("deadline", entry, at > phase.due_at, "hour")
        phase.late.add(entry.seat)

    def _ruling(self, entry: Entry, said: Any, _at: dt.datetime) -> None:
        if (phase := self._of(entry)) is None:
            return
        self._must("order", entry, phase.locked_at is not None and phase.publish_at is None, "under_way")
        self._must("official", entry, said.official == self.referee, "who")
        phase.hands.add(said.official)
        if said.withdraws is not UNSET:
            self._must(
                "ruling", entry, _of_its_own(said) == _of_its_own(phase.rulings.pop(said.withdraws, None)), "ruling"
            )
        else:
            self._must("ruling", entry, self._is_known(phase, entry, said), "ruling")
            phase.rulings[entry.index] = said
        phase.revision += 1

    def _is_known(self, phase: Phase, entry: Entry, said: Any) -> bool:
        """Whether a ruling is one that the rules know, on something that is there, and no other in force is on it."""
        others = phase.rulings.values()
        match said:
            case parts.InvalidPost():
                given = said.ground, said.fault, said.rule
                known = [(one.code, one.fault, one.rule) for one in self.ruleset.grounds]
                alone = not any(isinstance(one, parts.InvalidPost) and one.seat == said.seat for one in others)
                return said.seat in phase.filed and alone and (given in known or given == (UNSET, UNSET, UNSET))
            case parts.Adjusted():
                known_seat = said.seat in self.seats and said.points != 0
                return known_seat and said.gauge in self.ruleset.gauges and said.rule == self.ruleset.adjustment_rule
            case parts.DieReplaced():
                alone = not any(isinstance(one, parts.DieReplaced) and one.label == said.label for one in others)
                truth = self.rolled(entry).get(said.label)
                self.findings.same("die", entry, [said.faces, said.drawn], truth and list(truth))
                return alone and 1 <= said.face <= said.faces
        return True

    def _hour(self, entry: Entry, said: parts.Hour, at: dt.datetime) -> None:
        if (phase := self._of(entry)) is None:
            return
        self._must("order", entry, (phase.publish_at is None) is not (said.publish_at is None), "under_way")
        by_itself = said.publish_at is None and said.official is None
        self._must("official", entry, said.official == self.referee or by_itself, "who")
        given_up = self.before is not None and self.before.kind == "surrender"
        self.called_off = by_itself and self.referee is not None and not given_up
        phase.publish_at = None if said.publish_at is None else record.instant(said.publish_at)
        if phase.publish_at is not None and phase.locked_at is not None:
            self._must("deadline", entry, at < phase.publish_at <= phase.locked_at + PUBLISHED, "hour")

    def _surrender(self, entry: Entry, _said: Any, _at: dt.datetime) -> None:
        if (phase := self._of(entry)) is None or entry.seat is None:
            return
        self._must("order", entry, entry.seat in phase.standing, "seat_acts")
        phase.left.add(entry.seat)
        phase.correctable.pop(entry.seat, None)
        phase.is_stopped = any(set(side) <= phase.left for side in phase.status.sides) or phase.is_agreed
        phase.revision += phase.is_stopped or phase.locked_at is not None

    def _draw_offer(self, entry: Entry, _said: Any, _at: dt.datetime) -> None:
        if (phase := self._of(entry)) is None or entry.seat is None:
            return
        self._must("order", entry, entry.seat in phase.standing - phase.offers, "seat_acts")
        phase.offers.add(entry.seat)
        phase.is_stopped = phase.is_agreed
        phase.revision += phase.is_stopped

    def _draw_refused(self, entry: Entry, _said: Any, _at: dt.datetime) -> None:
        if (phase := self._of(entry)) is None:
            return
        self._must("order", entry, entry.seat in phase.standing and bool(phase.offers - {entry.seat}), "seat_acts")
        phase.offers.clear()

    def _wall(self, entry: Entry, said: parts.Wall, _at: dt.datetime) -> None:
        """Whose round is over: who is said to be absent has filed nothing in all of the duel."""
        if (phase := self._of(entry, is_open=True)) is not None:
            absent = set() if said.absent is UNSET else set(said.absent)
            self._must("order", entry, absent <= set(self.seats) - self.present, "seat_acts")
            self._must("order", entry, self.has_walls, "under_way")
            phase.is_stopped = True
            phase.revision += 1

    def _publication(self, entry: Entry, said: parts.Publication, at: dt.datetime) -> None:
        phase = self.phase
        if phase is None or phase.place != entry.place or self.status is None:
            return
        self._must("order", entry, phase.locked_at is not None or phase.is_stopped, "under_way")
        self._must("order", entry, phase.locked_at is None or phase.missing <= phase.late, "absent")
        self._publish_who(entry, said, phase, at)
        self.is_decided = self.status.outcome is not None
        phase.revision += self.is_decided
        self.findings.same("revision", entry, said.revision, phase.revision)
        amended = any(not isinstance(one, parts.Note) for one in phase.rulings.values())
        self._must("computed", entry, ("computed" in entry.content) == amended, "computed")
        if phase.at_grant is not None and said.official is not None:
            self._must("order", entry, phase.at_grant != set(phase.rulings), "granted")
        phase.hands.add(said.official)
        phase.is_published, phase.publish_at, phase.at_grant = True, None, None
        phase.contested = set()

    def _publish_who(self, entry: Entry, said: parts.Publication, phase: Phase, at: dt.datetime) -> None:
        """The referee, when it was read, at the hour announced; else the clock: five days after the lock, at the end
        of a tournament's round, or in a duel that has none or that ends unresolved."""
        if said.official is None:
            waited = phase.locked_at is not None and at >= phase.locked_at + PUBLISHED
            may = phase.is_stopped or self.referee is None or waited
            if not may and self.has_walls:
                may, self.at_the_wall = True, entry.at
            may = may and said.preamble_sha256 is UNSET and said.closing_sha256 is UNSET
        else:
            may = said.official == self.referee and not phase.is_stopped
        self._must("official", entry, may, "who")
        if said.official is not None and phase.publish_at is not None:
            self._must("deadline", entry, at >= phase.publish_at, "hour")

    def _appeal(self, entry: Entry, said: parts.Appeal, at: dt.datetime) -> None:
        contested, phase = self.phases.get(entry.place), self.phase
        if contested is None or phase is None or entry.seat is None:
            return
        last = max((place for place, one in self.phases.items() if one.is_published), default=None)
        open_to = contested.place == last or self._was_not_called(entry.seat, contested.place, last)
        fits = phase.is_open and open_to and entry.seat not in contested.contested
        fits = fits and self.appeal is None and self.referee is not None
        self._must("order", entry, fits, "seat_acts")
        self._must("deadline", entry, at <= phase.due_at, "hour")
        until = at + STOPPED
        phase.put_off(STOPPED, from_=at)
        self._due(entry, said.until, until)
        self._due(entry, said.due_at, phase.due_at)
        contested.contested.add(entry.seat)
        self.appeal = Appeal(entry, until, contested)

    def _was_not_called(self, seat: Seat, contested: Place, last: Place | None) -> bool:
        """Whether a seat had no deadline since a phase: one of the turn in whose last phase others were called."""
        if last is None or contested > last:
            return False
        return contested[0] == last[0] and seat not in self.phases[last].status.awaited

    def _appeal_answer(self, entry: Entry, said: parts.AppealAnswer, at: dt.datetime) -> None:
        appeal, phase = self.appeal, self.phase
        if appeal is None or phase is None or (appeal.seat, appeal.contested.place) != (entry.seat, entry.place):
            self._must("order", entry, False, "unasked")
            return
        self.appeal = None
        if said.answer == "lapsed":
            self._must("official", entry, said.official is None, "who")
            self._must("deadline", entry, at > appeal.until or not phase.is_open, "hour")
        else:
            barred = {None} | self.referees | appeal.contested.hands
            self._must("official", entry, said.official not in barred, "who")
            self._must("deadline", entry, at <= appeal.until, "hour")
            self._must("order", entry, bool(entry.content["reason"].strip()), "reason")
        if phase.is_open and at < appeal.until:
            phase.put_off(at - appeal.until, from_=appeal.until)
        self._due(entry, said.due_at, phase.due_at if phase.is_open else None)
        if said.answer == "granted":
            self.granted = entry.place, said.official

    def _correction(self, entry: Entry, said: parts.Correction, at: dt.datetime) -> None:
        phase, granted, self.granted = self.phases.get(entry.place), self.granted, None
        if phase is None:
            return
        self._must("order", entry, self.appeal is None and not self.is_decided, "under_way")
        if granted is None:
            self._must("official", entry, said.official == self.referee, "who")
            self._must("order", entry, bool(said.reason.strip()), "reason")
        else:
            self._must("official", entry, (entry.place, said.official) == granted, "who")
            self._must("order", entry, not said.reason, "reason")
        self._must("order", entry, self.phase is phase or not (self.phase and self.phase.pleas), "under_way")
        self.phases = {place: one for place, one in self.phases.items() if place <= entry.place}
        self.phase = phase
        phase.hands.add(said.official)
        phase.at_grant = None if granted is None else set(phase.rulings)
        phase.is_published, phase.locked_at = False, at
        phase.offers.clear()
        phase.revision += 1

    def _verdict(self, entry: Entry, _said: Any, at: dt.datetime) -> None:
        published = self.phase is not None and (self.phase.is_published or self.phase.status.outcome is not None)
        self._must("order", entry, self.is_decided and published and self.appeal is None, "under_way")
        self._must("deadline", entry, self.before is not None and self.before.at == entry.at, "hour")

    def _referee(self, entry: Entry, said: parts.Referee, at: dt.datetime) -> None:
        phase = self.phase
        self._must("official", entry, said.official != self.referee and self.referee is not None, "who")
        if said.how == "taken_over":
            waited = phase is not None and phase.locked_at is not None and not phase.is_published
            waited = waited and at >= phase.locked_at + TAKEN_OVER  # type: ignore[union-attr, operator]
            self._must("deadline", entry, waited, "hour")
        self.referee = said.official
        self.referees.add(said.official)


def _seconds(lasts: dt.timedelta) -> int:
    """How long, in whole seconds; 0 where it is less than nothing."""
    return max(0, round(lasts.total_seconds()))


def _follows_a_grant(entry: Entry, said: Any) -> bool:
    """Whether it is what follows when an appeal is granted: the turn is taken up, once what was asked has lapsed."""
    return entry.kind == "correction" or (entry.kind == "time_out_answer" and said.answer == "lapsed")


def _of_its_own(ruling: parts.Ruling | None) -> Any:
    """What a ruling says, but for its reason and for who says it."""
    return ruling and msgspec.structs.replace(ruling, reason="-", official=1, withdraws=UNSET)
