"""What the public part, and the sealed content, of each kind of entry consist of, since format 2 of the record.

Every part is typed, and no other may stand there. `official`: who did it of those who do not play, by a number: the
first referee of a duel is 1, whoever comes next 2; None is the clock.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from rules.core import RulesError, Seat
from rules.record import Digest, Entry, Kind, Number, Part

Instant = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$")]
Words = Annotated[str, msgspec.Meta(pattern=r"\S")]
Official = Annotated[int, msgspec.Meta(ge=1)]
MOST_HOURS = 120  # of a time-out: five days (A7, B1.4)
MOST_POINTS = 50  # given or taken at once: more than any gauge holds


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The parts that every kind may have: the name of its phase, where a turn has several."""

    phase: Literal["action", "defence"] | UnsetType = UNSET


class Announcement(Said, frozen=True):
    """What is played by which rules, what was agreed and drawn, and the seal of the dice; `official` is the referee."""

    format: Literal[2]
    ruleset: str
    version: Number
    kind: Literal["training", "clandestine", "tournament"]
    terms: Any
    setup: dict[str, Any]
    commitment: Digest
    starts_at: Instant
    official: Official | None


class Receptacle(Said, frozen=True):
    """Whether it was hidden late (A4.1)."""

    late: bool


class Start(Said, frozen=True):
    """Whether it came early, or in secret, who was late, and what was drawn (arena)."""

    early: bool
    late: list[Seat]
    kind: Literal["clandestine"] | UnsetType = UNSET
    technique_limit: Any = UNSET
    void_zone: Any = UNSET


class Opening(Said, frozen=True):
    """The phase that opens, and until when it lasts; `choice_until`: until when an owed choice is named (A10.2)."""

    turn: Number
    discovered: bool
    due_at: Instant
    choice_until: Instant | UnsetType = UNSET


class Filing(Said, frozen=True):
    """The text that is published with it, if there is one; its `fault` counts unless a later version is without."""

    text_sha256: Digest | UnsetType = UNSET
    words: Number | UnsetType = UNSET
    fault: Literal["short_post"] | UnsetType = UNSET


class Choice(Said, frozen=True):
    """The zone that a decoy disables, and until when the turn now lasts (A10.2d)."""

    zone: str
    due_at: Instant


class Infraction(Said, frozen=True):
    """Nothing came before the deadline."""

    infraction: Literal["late"]


class Ruling(Said, frozen=True, kw_only=True, tag_field="ruling"):
    """What the referee rules, and why. One that `withdraws` an earlier one repeats it."""

    reason: Words
    official: Official
    withdraws: Number | UnsetType = UNSET


class InvalidPost(Ruling, frozen=True, kw_only=True, tag="invalid_post"):
    """A publication at fault; on a ground of the ruleset's, or on none in particular."""

    seat: Seat
    ground: str | UnsetType = UNSET
    fault: str | UnsetType = UNSET
    rule: str | UnsetType = UNSET


class Adjusted(Ruling, frozen=True, kw_only=True, tag="adjustment"):
    """Points given or taken."""

    seat: Seat
    gauge: str
    points: Annotated[int, msgspec.Meta(ge=-MOST_POINTS, le=MOST_POINTS)]
    rule: str


class DieReplaced(Ruling, frozen=True, kw_only=True, tag="die"):
    """A die rolled elsewhere."""

    label: str
    faces: Number
    drawn: Number
    face: Number


class Note(Ruling, frozen=True, kw_only=True, tag="note"):
    """Words alone."""


class TimeOut(Said, frozen=True):
    """How long, and the hash of the text that says why, which can be taken away; the first said the reason here."""

    hours: Annotated[int, msgspec.Meta(ge=1, le=MOST_HOURS)]
    reason: Words | UnsetType = UNSET
    text_sha256: Digest | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.reason is UNSET) == (self.text_sha256 is UNSET):
            raise ValueError("a time-out has one reason, or the hash of one")


class TimeOutAnswer(Said, frozen=True):
    """The answer, and until when the phase now lasts."""

    answer: Literal["granted", "refused", "lapsed"]
    reason: str
    due_at: Instant
    official: Official | None


class Wall(Said, frozen=True):
    """The time of the round is over (A15.1, B3.3.4); who is absent by then, if anybody."""

    absent: list[Seat] | UnsetType = UNSET


class Publication(Said, frozen=True):
    """What everybody was shown, and the hashes of what the referee wrote around it."""

    revision: Number
    view: dict[str, Any]
    events: list[Any]
    official: Official | None
    preamble_sha256: Digest | UnsetType = UNSET
    closing_sha256: Digest | UnsetType = UNSET


class Appeal(Said, frozen=True):
    """Until when the clock stands still at most, and until when the open phase then lasts."""

    until: Instant
    due_at: Instant


class AppealAnswer(Said, frozen=True):
    """The answer, and until when the open phase lasts that goes on; None where none does."""

    answer: Literal["granted", "upheld", "lapsed"]
    due_at: Instant | None
    official: Official | None


class Correction(Said, frozen=True):
    """The coming branch, and why; no reason where an appeal was granted, whose answer has it."""

    branch: Number
    reason: str
    official: Official


class Verdict(Said, frozen=True):
    """Who has won, and how."""

    winner: Any
    by: str


class Annotation(Said, frozen=True):
    """Words after the verdict; of a compensation, its entry says whose it is."""

    annotation: Literal["note", "compensation"]
    words: Words
    reason: Words
    official: Official


class Deadline(Said, frozen=True):
    """Deadlines that were moved because the clock had been silent: all that were running, with their new instants."""

    why: Literal["outage"]
    due_at: Instant
    choice_until: Instant | UnsetType = UNSET
    holds_until: Instant | UnsetType = UNSET
    correctable: dict[Seat, Instant] | UnsetType = UNSET


class Referee(Said, frozen=True):
    """Another referee has the duel from now on: they took it over, or it was handed to them."""

    how: Literal["taken_over", "handed_over"]
    official: Official


class Hour(Said, frozen=True):
    """The hour at which the referee will have a phase published as it is; None: that is called off."""

    publish_at: Instant | None
    official: Official | None


class Removal(Said, frozen=True):
    """Staff took away the text that an earlier entry published; its hash stays."""

    entry: Number
    part: Part
    sha256: Digest
    official: Official


PUBLIC: dict[Kind, Any] = {
    "announcement": Announcement,
    "receptacle": Receptacle,
    "start": Start,
    "opening": Opening,
    "filing": Filing,
    "choice": Choice,
    "infraction": Infraction,
    "ruling": InvalidPost | Adjusted | DieReplaced | Note,
    "surrender": Said,
    "draw_offer": Said,
    "draw_refused": Said,
    "time_out": TimeOut,
    "time_out_answer": TimeOutAnswer,
    "wall": Wall,
    "lock": Said,
    "publication": Publication,
    "appeal": Appeal,
    "appeal_answer": AppealAnswer,
    "correction": Correction,
    "verdict": Verdict,
    "annotation": Annotation,
    "deadline": Deadline,
    "referee": Referee,
    "hour": Hour,
    "removal": Removal,
}


class _Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    zone: str


class _State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    state: dict[str, Any]


class _Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    state: dict[str, Any]
    events: list[Any]
    computed: list[Any] | UnsetType = UNSET


class _Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reason: str


CONTENT: dict[Kind, Any] = {  # a filing's is for its ruleset to judge
    "receptacle": _Zone,
    "start": _State,
    "publication": _Result,
    "appeal": _Reason,
    "appeal_answer": _Reason,
}


def read(entry: Entry) -> Any:
    """Return the public part of an entry as its kind has it. Raises RulesError when it is not that, to the letter."""
    return _as(entry, entry.public, PUBLIC[entry.kind])


def check_content(entry: Entry) -> None:
    """Raise RulesError unless what an entry sealed consists of what its kind has."""
    if entry.kind in CONTENT:
        _as(entry, entry.content, CONTENT[entry.kind])


def _as(entry: Entry, value: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise RulesError(f"entry {entry.index} ({entry.kind}): {error}") from error
