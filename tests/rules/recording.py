"""Random duels written down as the application writes them: the exports that `rules.verify` checks."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from rules import record, seal
from rules.core import Adjustment, Inputs, Ruleset, State, Status, Step
from rules.dice import SealedDice
from rules.words import count_words
from tests.rules import play

BEGAN = dt.datetime(2025, 3, 1, 12, tzinfo=dt.UTC)
REFEREE = 1  # as the record calls them
PLAIN = {"thrust": "head", "parry": "head", "option": None}


def export(
    number: int,
    ruleset: Ruleset,
    temper: play.Temper = play.LIVELY,
    *,
    corrected: float = 0,
    eventful: float = 0,
    **fixed: Any,
) -> record.Export:
    """Return the export of a whole random duel; the same `number` gives the same duel.

    `corrected` is the chance, after each turn, that one of those published is taken up again. `Record.eventful` is how
    likely everything else is that a duel need not have.
    """
    recorder = Recorder(Random(number), ruleset, temper)
    recorder.eventful = eventful
    recorder.announce(**fixed)
    recorder.start()
    while recorder.turn():
        again = recorder.random.choice(list(recorder.opened))[0] if recorder.random.random() < corrected else None
        if again is not None and not recorder.correct(again, seat="a", gauge="link", points=1):
            break
    recorder.annotate()
    return recorder.export()


class Record:
    """The record of a duel under way, of either ruleset."""

    def __init__(self, random: Random, ruleset: Ruleset) -> None:
        self.random = random
        self.ruleset = ruleset
        self.seed = random.randbytes(32)
        self.duel = f"duel-{random.getrandbits(64):016x}"
        self.now = BEGAN
        self.starts_at = BEGAN + dt.timedelta(hours=72)
        self.due_at = self.starts_at
        self.choice_until: dt.datetime | None = None
        self.entries: list[record.Entry] = []
        self.texts: list[record.Text] = []
        self.setup: Any = None
        self.state: State
        self.branch = 0
        self.opened: dict[record.Place, tuple[int, State]] = {}  # what counts: branch, and state in which each opened
        self.eventful = 0.0  # how likely each thing is that a duel need not have
        self.referee = self.officials = REFEREE
        self.worked_out: Counter[tuple[int, int, str]] = Counter()  # how often each phase was
        self.asked: set[str] = set()  # the seats that had their time-out
        self.is_stopped = False  # the last phase, by a surrender or a draw: the clock publishes it

    def wait(self, **time: float) -> None:
        """Let time pass: an hour, if nothing else is said."""
        self.now += dt.timedelta(**(time or {"hours": 1}))

    def add(self, kind: record.Kind, phase: int, **parts: Any) -> record.Entry:
        """Write down what happens now; who acts without playing is the referee, unless `official` says."""
        official = parts.pop("official", self.referee)
        if kind in record.OFFICIAL:
            parts["public"] = {**parts.get("public", {}), "official": official}
        if kind in record.SEALED:
            parts["nonce"] = self.random.randbytes(32)
        last = self.entries[-1] if self.entries else None
        name = parts.get("public", {}).get("phase", record.WHOLE_TURN)
        parts = {"branch": self.branch_of(record.place(phase, name)) if phase else 0, **parts}
        at = record.stamp(self.now)
        entry = record.following(self.duel, last, kind=kind, at=at, phase=phase, **parts)
        self.entries.append(entry)
        if kind in ("lock", "ruling", "correction"):
            self.work_out_again(entry)
        return entry

    def work_out_again(self, entry: record.Entry) -> int:
        """Count one revision more of the phase of an entry."""
        self.worked_out[entry.branch, entry.phase, entry.phase_name] += 1
        return self.worked_out[entry.branch, entry.phase, entry.phase_name]

    def dice(self, phase: str | int, name: str = record.WHOLE_TURN) -> SealedDice:
        branch = self.branch_of(record.place(phase, name)) if isinstance(phase, int) else self.branch
        return SealedDice(self.seed, self.duel, branch, phase)

    def branch_of(self, place: record.Place) -> int:
        """The branch of a phase: of the one that counts, or of the coming one."""
        return self.opened[place][0] if place in self.opened else self.branch

    def begin(self) -> bool:
        """Open the coming phase; return whether the duel goes on."""
        raise NotImplementedError

    def may(self) -> bool:
        """Whether something happens now that a duel need not have."""
        return self.eventful > 0 and self.random.random() < self.eventful

    def another(self) -> int:
        """A referee who has not been in the duel yet."""
        self.officials += 1
        return self.officials

    def told(self, value: Any) -> Any:
        return msgspec.json.decode(self.ruleset.encode(value))

    def announced(self, terms: Any, *, kind: str = "training") -> None:
        self.setup = self.ruleset.announce(terms, self.dice("announcement"))
        public = {
            "format": record.FORMAT,
            "ruleset": self.ruleset.name,
            "version": self.ruleset.version,
            "kind": terms.get("kind", kind),
            "terms": terms,
            "setup": self.setup,
            "commitment": seal.commitment(self.seed),
            "starts_at": record.stamp(self.starts_at),
        }
        self.add("announcement", 0, public=public)

    def started(self, setup: Any, *, early: bool = False) -> None:
        """Start with that setup: when it was announced for, unless early."""
        self.now = self.now if early else max(self.now, self.starts_at)
        self.state = self.ruleset.start(setup, self.dice("start"))
        view = self.ruleset.view(self.state, "public")
        public = {key: view[key] for key in record.DRAWN if key in view}
        public |= {"early": early, "late": record.late_seats(setup)}
        self.add("start", 0, public=public, content={"state": self.told(self.state)})

    def open(self, status: Status, *, discovered: bool = False, **named: str) -> None:
        self.due_at = self.now + dt.timedelta(hours=status.hours)
        public = {"turn": status.turn, "discovered": discovered, "due_at": record.stamp(self.due_at)}
        self.choice_until = self.now + dt.timedelta(hours=24) if status.owing else None
        if self.choice_until is not None:
            public["choice_until"] = record.stamp(self.choice_until)
        self.add("opening", status.turn, public={**public, **named})
        self.first_due_at = self.due_at

    def lock(self, turn: int, missing: Sequence[str], **named: str) -> None:
        """Lock a phase: at once if everybody has filed, else when its deadline has passed."""
        self.wait()
        if missing:
            self.now = max(self.now, self.due_at + dt.timedelta(seconds=30))
        self.add("lock", turn, public=named)
        for seat in missing:
            self.add("infraction", turn, seat=seat, public={"infraction": "late", **named})

    def text(self, seat: str, turn: int, words: str, times: int) -> tuple[str, dict[str, Any]]:
        """Return a publication, and what the entry of its filing shows of it."""
        text = f"Au tour {turn}, {seat} {words} " * times
        return text, {"text_sha256": hashlib.sha256(text.encode()).hexdigest(), "words": count_words(text)}

    def adjust(self, adjusted: Adjustment, turn: int, **public: Any) -> record.Entry:
        """Give or take points, as a referee does."""
        rule = {"rule": self.ruleset.adjustment_rule, **msgspec.to_builtins(adjusted)}
        return self.add("ruling", turn, public={"ruling": "adjustment", "reason": "a turn misjudged", **rule, **public})

    def find_fault(self, turn: int, seat: str, fault: str, **named: str) -> record.Entry:
        """Find a publication at fault, on one of the grounds for that, or on none in particular."""
        grounds = [ground for ground in self.ruleset.grounds if ground.fault == fault]
        ground = self.random.choice((None, *grounds)) if fault == "invalid_post" else self.random.choice(grounds)
        said = {} if ground is None else {"ground": ground.code, "fault": ground.fault, "rule": ground.rule}
        public = {"ruling": "invalid_post", "seat": seat, "reason": "it tells where the blow will land", **said}
        return self.add("ruling", turn, public={**public, **named})

    def hesitate(self, turn: int, seats: Sequence[str], adjusted: Adjustment, **named: Any) -> None:
        """Write down what comes to nothing: a ruling taken back, a draw refused."""
        if self.random.random() < 0.2:
            ruling = self.adjust(adjusted, turn, **named)
            back = {**ruling.public, "reason": "read again", "withdraws": ruling.index}
            self.add("ruling", turn, public=back)
        if self.may():
            self.add("ruling", turn, public={"ruling": "note", "reason": "well played", **named})
        if self.may():
            self.withdraw(turn, named)
        one, *_, other = self.random.sample(seats, len(seats))
        if self.random.random() < 0.1:
            self.add("draw_offer", turn, seat=one, public=named)
            self.add("draw_refused", turn, seat=other, public=named)

    def withdraw(self, turn: int, named: dict[str, Any]) -> None:
        """Take back one of the rulings of a phase, of whatever kind."""
        if standing := record.in_force(self.during(turn, **named)):
            ruling = self.random.choice(standing)
            back = {**ruling.public, "reason": "read again", "withdraws": ruling.index}
            self.add("ruling", turn, public=back)

    def during(self, turn: int, phase: str = record.WHOLE_TURN) -> list[record.Entry]:
        """What was written down of a phase that counts."""
        where = self.branch_of(record.place(turn, phase)), record.place(turn, phase)
        return [entry for entry in self.entries if (entry.branch, entry.place) == where]

    def contest(self, turn: int, seats: Sequence[str], **named: Any) -> bool:
        """Let somebody contest the last resolution now that a phase is open, sometimes; say whether that is granted:
        then the phase contested was taken up again, and published anew."""
        before = [place for place in self.opened if place < record.place(turn, named.get("phase", record.WHOLE_TURN))]
        if not before or not self.may():
            return False
        last, _order, name = max(before)
        contested = {"phase": name} if named else {}
        seat, answer = self.random.choice(seats), self.random.choice(("granted", "upheld", "lapsed"))
        stops, hours = dt.timedelta(hours=48), 49 if answer == "lapsed" else self.random.randint(1, 40)
        self.wait()
        said = {"until": record.stamp(self.now + stops), "due_at": record.stamp(self.due_at + stops)}
        self.add("appeal", last, seat=seat, content={"reason": "a parry was overlooked"}, public={**said, **contested})
        self.wait(hours=hours)
        self.put_off(min(hours, 48))
        official, reason = (None, "") if answer == "lapsed" else (self.another(), "read again, line by line")
        said = {"answer": answer, "due_at": record.stamp(self.due_at)}
        self.add(
            "appeal_answer", last, seat=seat, content={"reason": reason}, public={**said, **contested},
            official=official,
        )  # fmt: skip
        if answer == "granted":
            points = {"seat": seat, "gauge": self.ruleset.gauges[0], "points": 1}
            self.correct(last, name, official=official, reason="", **points)
        return answer == "granted"

    def put_off(self, hours: int) -> None:
        """Move what the open phase waits for."""
        self.due_at += dt.timedelta(hours=hours)
        if self.choice_until is not None:
            self.choice_until += dt.timedelta(hours=hours)

    def fall_silent(self, turn: int, **named: Any) -> None:
        """Let the clock be silent for some hours as a phase begins, sometimes; they are given back."""
        if not self.may():
            return
        hours = self.random.randint(1, 20)
        self.wait(hours=hours)
        self.put_off(hours)
        said = {"why": "outage", "due_at": record.stamp(self.due_at)}
        if self.choice_until is not None:
            said["choice_until"] = record.stamp(self.choice_until)
        self.add("deadline", turn, public={**said, **named})

    def come_to_the_wall(self, turn: int, seats: Sequence[str], **named: Any) -> bool:
        """Let the time of a tournament’s round be over, sometimes; who has filed nothing in the duel is absent."""
        if self.entries[0].public["kind"] != "tournament" or not self.may():
            return False
        present = {entry.seat for entry in self.entries if entry.kind == "filing"}
        absent = [seat for seat in seats if seat not in present]
        self.work_out_again(self.add("wall", turn, public={**({"absent": absent} if absent else {}), **named}))
        self.is_stopped = True
        return True

    def remove_a_text(self, turn: int, **named: Any) -> None:
        """Let staff take away one of the texts."""
        place = self.random.choice([place for place, text in enumerate(self.texts) if text.text is not None])
        text = self.texts[place]
        digest = seal.text_hash(str(text.text))
        said = {"entry": text.entry, "part": text.part, "sha256": digest, **named}
        self.add("removal", turn, public=said, official=self.another())
        self.texts[place] = msgspec.structs.replace(text, text=None)

    def hand_over(self, turn: int, how: str, **named: Any) -> None:
        """Let another referee go on with the duel."""
        self.referee = self.another()
        self.add("referee", turn, public={"how": how, **named})

    def announce_hour(self, turn: int, **named: Any) -> None:
        """Announce the hour of a publication, and let it come; or call it off."""
        at = self.now + dt.timedelta(hours=3)
        self.add("hour", turn, public={"publish_at": record.stamp(at), **named})
        if self.random.random() < 0.5:
            self.wait(hours=2)
            self.add("hour", turn, public={"publish_at": None, **named})
        else:
            self.now = at

    def annotate(self) -> None:
        """Say something of the verdict, or what somebody is owed, sometimes."""
        verdict = self.entries[-1]
        if self.texts and self.may():
            self.remove_a_text(verdict.phase, **_named(verdict))
        if not self.may():
            return
        self.wait()
        kind = self.random.choice(("note", "compensation"))
        public = {"annotation": kind, "words": "ten of dust", "reason": "an outage of the post", **_named(verdict)}
        seat = "a" if kind == "compensation" else None
        self.add("annotation", verdict.phase, seat=seat, public=public)

    def work_out(self, turn: int, corrections: int = 0, **named: Any) -> bool:
        """Resolve a phase with what is written down of it, and publish it; return whether the duel goes on."""
        branch, state = self.opened[record.place(turn, named.get("phase", record.WHOLE_TURN))]
        status, dice = self.ruleset.status(state), lambda: self.dice(turn, status.phase)
        given, bare = (
            record.inputs(self.entries, branch, turn, status, as_amended=amended) for amended in (True, False)
        )
        if not (given.surrenders or given.agreed_draw or given.wall):
            self.dither(turn, **named)
        rulings = record.in_force(self.during(turn, **named))
        amended = any(entry.public["ruling"] != "note" for entry in rulings)
        computed = self.ruleset.resolve(state, bare, dice()) if amended else None
        step = self.ruleset.resolve(state, given, dice())
        self.state = step.state
        return self.publish(turn, step, computed, corrections, **named)

    def dither(self, turn: int, **named: Any) -> None:
        """Write down what a referee does about a locked phase besides ruling on it."""
        if self.may():
            self.hand_over(turn, "handed_over", **named)
        elif self.may():
            self.wait(hours=49)
            self.hand_over(turn, "taken_over", **named)
        if self.texts and self.may():
            self.remove_a_text(turn, **named)
        if self.may():
            self.announce_hour(turn, **named)

    def correct(
        self,
        turn: int,
        name: str = record.WHOLE_TURN,
        *,
        official: int | None = None,
        reason: str = "a parry was overlooked",
        **adjustment: Any,
    ) -> bool:
        """Take a published phase up again and publish it anew with points given or taken; return whether the duel goes
        on. It is the referee who does, if no other `official` has granted an appeal."""
        named = {} if name == record.WHOLE_TURN else {"phase": name}
        times = sum(entry.kind == "correction" for entry in self.during(turn, **named))
        if official is None:
            if not self.begin():
                return False
            self.wait()
        public = {"branch": self.branch + 1, "reason": reason, **named}
        self.add("correction", turn, public=public, official=official or self.referee)
        self.adjust(Adjustment(**adjustment), turn, **named)
        this = record.place(turn, name)
        self.opened = {place: known for place, known in self.opened.items() if place <= this}
        self.branch += 1
        return self.work_out(turn, times + 1, **named)

    def ask_for_time(self, turn: int, seats: Sequence[str], **named: Any) -> None:
        """Let a seat that has not filed yet ask for its time-out, sometimes; it is granted, or refused."""
        if self.random.random() >= 0.1 or not (able := [seat for seat in seats if seat not in self.asked]):
            return
        seat = self.random.choice(able)
        self.asked.add(seat)
        self.wait()
        words = "exams"
        asked = self.add(
            "time_out", turn, seat=seat, public={"hours": 24, "text_sha256": seal.text_hash(words), **named}
        )
        self.texts.append(record.Text(asked.index, seat, words))
        self.wait()
        answer = self.random.choice(("granted", "refused"))
        if answer == "granted":
            self.due_at += dt.timedelta(hours=24)
        said = {"answer": answer, "reason": "as you know", "due_at": record.stamp(self.due_at)}
        self.add("time_out_answer", turn, seat=seat, public={**said, **named})

    def errors(self, seat: str, content: Any, choices: dict[str, str | None]) -> set[str]:
        """What the rules refuse in a declaration, with the zones that were named for decoys."""
        state = self.state
        for chooser, zone in sorted(choices.items()):
            if zone is not None or chooser == seat:
                state = self.ruleset.choose(state, chooser, zone).state
        return {finding.code for finding in self.ruleset.check(state, seat, content) if finding.level == "error"}

    def stop(self, turn: int, given: Inputs, sides: Sequence[Sequence[str]], **named: Any) -> None:
        """Write down a surrender or an agreed draw; both work the phase out once more."""
        self.wait()
        self.is_stopped = given.agreed_draw
        if given.surrender:
            entry = self.add("surrender", turn, seat=given.surrender, public=named)
            self.work_out_again(entry)
            if any(set(side) <= {given.surrender} for side in sides):
                self.is_stopped = True
                return
        if given.agreed_draw:
            for seat in (seat for side in sides for seat in side if seat != given.surrender):
                entry = self.add("draw_offer", turn, seat=seat, public=named)
            self.work_out_again(entry)

    def publish(self, turn: int, step: Step, computed: Step | None, corrections: int = 0, **named: str) -> bool:
        """Publish a phase, and the verdict if it is the last; return whether the duel goes on."""
        self.wait()
        outcome = self.ruleset.status(step.state).outcome
        public = {
            "view": self.ruleset.view(step.state, "public"),
            "events": self.told(self.ruleset.redact(step.events, "referee" if outcome else "public")),
        }
        content = {"state": self.told(step.state), "events": self.told(step.events)}
        if computed is not None:
            content["computed"] = self.told(computed.events)
        name = named.get("phase", record.WHOLE_TURN)
        key = self.branch_of(record.place(turn, name)), turn, name
        self.worked_out[key] += outcome is not None
        public |= {"revision": self.worked_out[key], **named}
        official = None if self.is_stopped else self.referee
        framing = {} if official is None else self.frame()
        public |= {f"{part}_sha256": seal.text_hash(words) for part, words in framing.items()}
        published = self.add(
            "publication", turn, version=corrections, official=official, public=public, content=content
        )
        self.texts += [record.Text(published.index, None, words, part) for part, words in framing.items()]
        if outcome is not None:
            self.add("verdict", turn, public={"winner": outcome.winner, "by": outcome.by, **named})
        return outcome is None

    def frame(self) -> dict[record.Part, str]:
        """What the referee writes around a result, sometimes."""
        framing: dict[record.Part, str] = {"preamble": "The sand settles.", "closing": "The bell rings."}
        return {part: words for part, words in framing.items() if self.may()}

    def export(self) -> record.Export:
        return record.Export(
            format=record.FORMAT,
            duel=self.duel,
            ruleset=self.ruleset.name,
            version=self.ruleset.version,
            seed=self.seed.hex(),
            entries=tuple(self.entries),
            texts=tuple(self.texts),
        )


class Recorder(Record):
    """An arena duel under way, and its record."""

    def __init__(self, random: Random, ruleset: Ruleset, temper: play.Temper) -> None:
        super().__init__(random, ruleset)
        self.temper = temper

    def announce(self, **fixed: Any) -> None:
        self.announced(play.terms(self.random, **fixed))
        for seat in self.random.choice(("", "a", "ba", "ab", "aba", "abb")):
            self.hide(seat)

    def hide(self, seat: str) -> None:
        self.wait(hours=self.random.choice((1, 4, 20)))
        version = sum(entry.seat == seat for entry in self.entries) + 1
        zone = self.random.choice(play.ZONES)
        late = self.now > self.starts_at - dt.timedelta(hours=24)
        self.add("receptacle", 0, seat=seat, version=version, content={"zone": zone}, public={"late": late})

    def start(self, *, early: bool = False) -> None:
        if not early and self.may():
            self.starts_at += dt.timedelta(hours=6)
            self.add("deadline", 0, public={"why": "outage", "due_at": record.stamp(self.starts_at)})
        self.started(record.prepared(self.setup, self.entries, early=early), early=early)

    def turn(self) -> bool:
        """Play one turn; return whether the duel goes on."""
        if not self.begin():
            return False
        turn = self.ruleset.status(self.state).turn
        return self.ruleset.status(self.state).outcome is None if self.contest(turn, "ab") else self.close(turn)

    def begin(self) -> bool:
        """Open a turn, or find out that the duel ends there (A3.2); return whether it goes on."""
        phase = self.ruleset.status(self.state).turn
        self.state = self.ruleset.open(self.state, self.dice(phase)).state
        self.opened[record.place(phase, record.WHOLE_TURN)] = self.branch, self.state
        status = self.ruleset.status(self.state)
        self.open(status, discovered=status.outcome is not None)
        if status.outcome is None:
            return True
        self.add("verdict", phase, public={"winner": status.outcome.winner, "by": status.outcome.by})
        return False

    def close(self, phase: int) -> bool:
        self.write(phase, play.inputs(self.random, self.ruleset, self.state, self.temper))
        return self.work_out(phase)

    def write(self, phase: int, given: Inputs) -> None:
        self.fall_silent(phase)
        if self.come_to_the_wall(phase, "ab"):
            return
        for seat, zone in given.choices.items():
            if zone is not None:
                self.wait()
                self.due_at = max(self.due_at, self.now + dt.timedelta(hours=12))
                self.add("choice", phase, seat=seat, public={"zone": zone, "due_at": record.stamp(self.due_at)})
        self.ask_for_time(phase, "ab")
        for filed in given.filings:
            self.wait()
            refused = self.errors(filed.seat, filed.content, given.choices)
            self.file(phase, filed.seat, PLAIN if refused else filed.content)
        filed_by = {filed.seat for filed in given.filings}
        self.lock(phase, [seat for seat in "ab" if seat not in filed_by])
        for seat, infraction in given.infractions.items():
            if infraction != "late":
                self.find_fault(phase, seat, infraction)
        self.amend(phase, given)
        self.hesitate(phase, "ab", Adjustment("a", "link", -1))
        self.stop(phase, given, ("a", "b"))

    def amend(self, phase: int, given: Inputs) -> None:
        for adjusted in given.adjustments:
            self.adjust(adjusted, phase)
        for label in ("wind", "shift", "void_zone"):
            faces, drawn = self.rolled(phase).get(label, (0, 0))
            if faces and self.random.random() < 0.2:
                public = {"ruling": "die", "reason": "rolled at the table", "label": label, "face": 1}
                self.add("ruling", phase, public=public | {"faces": faces, "drawn": drawn})

    def rolled(self, phase: int) -> dict[str, tuple[int, int]]:
        """The dice of a turn, with what is written down of it."""
        branch, state = self.opened[record.place(phase, record.WHOLE_TURN)]
        dice = self.dice(phase)
        self.ruleset.resolve(state, record.inputs(self.entries, branch, phase, self.ruleset.status(state)), dice)
        return dice.rolled

    def file(self, phase: int, seat: str, content: Any) -> None:
        text, public = self.text(seat, phase, "s’élance.", 25)
        first = PLAIN if self.random.random() < 0.2 else content
        entry = self.add("filing", phase, seat=seat, version=1, content=first, public=public)
        self.texts.append(record.Text(entry.index, seat, text))
        if first is not content:
            self.add("filing", phase, seat=seat, version=2, content=content)


def _named(entry: record.Entry) -> dict[str, str]:
    return {} if entry.phase_name == record.WHOLE_TURN else {"phase": entry.phase_name}
