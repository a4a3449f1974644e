"""The record of a duel: an append-only list of entries, of which everything else is computed.

The application writes it, an export carries it, and `rules.verify` replays it; how the inputs of a phase
follow from it is said once, here.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec

from rules import seal
from rules.core import Adjustment, Filed, Inputs, RulesError, Seat, Status

Number = Annotated[int, msgspec.Meta(ge=0)]
Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Kind = Literal[
    "announcement", "receptacle", "start", "opening", "filing", "choice", "infraction", "ruling",
    "surrender", "draw_offer", "draw_refused", "time_out", "time_out_answer", "wall", "publication",
    "appeal", "appeal_answer", "correction", "verdict", "annotation",
    "lock", "deadline", "referee", "hour", "removal",
]  # fmt: skip
Format = Literal[1, 2]
FORMAT: Format = 2  # of what is written today: `rules.parts` has what came with it
WHOLE_TURN = "turn"  # the phase of a turn that has but one
Part = Literal["post", "preamble", "closing"]  # of what an entry publishes
_Public = TypeVar("_Public")
SEALED: frozenset[Kind] = frozenset({"receptacle", "start", "filing", "publication", "appeal", "appeal_answer"})
OFFICIAL: frozenset[Kind] = frozenset(
    {
        "announcement", "ruling", "publication", "time_out_answer", "appeal_answer", "correction", "referee", "hour",
        "annotation", "removal",
    }
)  # fmt: skip
DRAWN = ("technique_limit", "void_zone")  # at the start of an arena duel: parts of the public view
Place = tuple[int, int, str]


def place(turn: int, name: str) -> Place:
    """Return where a phase stands in its duel, whatever its branch: places compare in the order of play."""
    return turn, int(name == "defence"), name


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that was done or decided in a duel.

    `phase` is 0 before the start, then the turn's number. Where a turn has several phases (spells), every entry of
    one names it in `public["phase"]`: "action" or "defence". `version` counts from 1 for what can be replaced; of a
    publication it says how often its phase was corrected before. `at` is an ISO instant (UTC). A sealed entry shows
    only its `receipt` until `content` and `nonce` are opened. `hash` holds `previous`, the hash of the entry before.
    """

    index: Number
    kind: Kind
    branch: Number
    phase: Number
    seat: Seat | None
    version: Number
    at: str
    public: dict[str, Any]
    receipt: Digest | None
    content: Any
    nonce: Digest | None
    previous: Digest
    hash: Digest

    @property
    def phase_name(self) -> str:
        """Which phase of its turn it belongs to, as `Status.phase` names it."""
        return str(self.public.get("phase", WHOLE_TURN))

    @property
    def place(self) -> Place:
        """Where its phase stands in the duel."""
        return place(self.phase, self.phase_name)

    def expected_receipt(self, duel: str) -> str:
        """Return the receipt of the opened content. Raises RulesError when it is not open."""
        if self.nonce is None:
            raise RulesError("the sealed content was not opened")
        return seal.receipt(
            duel=duel, branch=self.branch, phase=self.phase, seat=self.seat, version=self.version,
            content=self.content, nonce=bytes.fromhex(self.nonce),
        )  # fmt: skip

    def expected_hash(self, duel: str) -> str:
        """Return the hash that this entry must bear, given what it says of the one before."""
        return seal.entry_hash(
            duel=duel, index=self.index, kind=self.kind, branch=self.branch, phase=self.phase,
            seat=self.seat, version=self.version, at=self.at, public=self.public, receipt=self.receipt,
            previous=self.previous,
        )  # fmt: skip


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The publication of the filing at `entry`, or the reason of the time-out; or what the referee wrote before or
    after the result that is published there (`part`). `text` is None when staff took it away, which a `removal` says.
    """

    entry: Number
    seat: Seat | None
    text: str | None
    part: Part = "post"


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finished duel, all seals open: what anyone needs to replay it."""

    format: Format
    duel: str
    ruleset: str
    version: int
    seed: Digest
    entries: tuple[Entry, ...]
    texts: tuple[Text, ...] = ()


class Announcement(msgspec.Struct, frozen=True):
    """The public part of an `announcement`."""

    terms: Any
    setup: dict[str, Any]
    commitment: Digest
    starts_at: str


class Ruling(msgspec.Struct, frozen=True):
    """The public part of a `ruling`. One that `withdraws` an earlier one does nothing else.

    `invalid_post`: the publication of `seat` is at `fault`, for a `ground` of the ruleset's. `adjustment`: `points` of
    a `gauge` given to `seat`, or taken. `die`: the die called `label` was rolled elsewhere, and shows `face`; of the
    duel's own it says how many `faces` it has, and how it was `drawn`. `note`: words alone.
    """

    ruling: Literal["invalid_post", "adjustment", "die", "note"]
    reason: str
    seat: Seat | None = None
    ground: str | None = None
    fault: str | None = None
    gauge: str | None = None
    points: int | None = None
    label: str | None = None
    faces: int | None = None
    drawn: int | None = None
    face: int | None = None
    withdraws: int | None = None


class Correction(msgspec.Struct, frozen=True):
    """The public part of a `correction`: a published phase is taken up again, and may be ruled on and published anew.

    Phases that came after it no longer count; those that follow are of this `branch`, with dice of their own.
    """

    branch: Number
    reason: str


class Wall(msgspec.Struct, frozen=True):
    """The public part of a `wall`: the seats that have filed nothing by the end of the round."""

    absent: tuple[Seat, ...] = ()


def following(
    duel: str,
    last: Entry | None,
    *,
    kind: Kind,
    at: str,
    phase: int,
    branch: int = 0,
    seat: Seat | None = None,
    version: int = 0,
    public: dict[str, Any] | None = None,
    content: Any = None,
    nonce: bytes | None = None,
) -> Entry:
    """Return the entry that comes after `last`, sealed if there is a `nonce`. Raises RulesError."""
    if (nonce is None) == (kind in SEALED):
        raise RulesError(f"an entry {kind!r} is {'sealed' if kind in SEALED else 'public'}")
    bare = Entry(
        index=last.index + 1 if last else 0, kind=kind, branch=branch, phase=phase, seat=seat,
        version=version, at=at, public=public or {}, receipt=None, content=content,
        nonce=nonce.hex() if nonce is not None else None,
        previous=last.hash if last else seal.FIRST_PREVIOUS, hash="",
    )  # fmt: skip
    receipt = bare.expected_receipt(duel) if nonce is not None else None
    sealed = msgspec.structs.replace(bare, receipt=receipt)
    return msgspec.structs.replace(sealed, hash=sealed.expected_hash(duel))


def prepared(
    setup: dict[str, Any], entries: Iterable[Entry], *, early: bool = False, in_secret: bool = False
) -> dict[str, Any]:
    """Return the announced setup with the receptacles that the duellists hid (A4.1), for `Ruleset.start`.

    The last version of each seat counts, and so does its lateness: a change made late is late. Nobody is
    late in an `early` start, for which both have asked (A4.1b). One that begins `in_secret`, outside of training hours,
    is clandestine, whatever was announced (article 3).
    Raises RulesError when setup or entry lack their parts.
    """
    last = {entry.seat: entry for entry in entries if entry.kind == "receptacle" and entry.phase == 0}
    try:
        duellists = {
            seat: {**duellist, **_hidden(last.get(seat), early)} for seat, duellist in setup["duellists"].items()
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise RulesError("the setup has no duellists, or a receptacle no zone") from error
    return {**setup, "duellists": duellists, **({"kind": "clandestine"} if in_secret else {})}


def _hidden(entry: Entry | None, early: bool) -> dict[str, Any]:
    if entry is None:
        return {"receptacle": None, "late_preparation": True}  # A4.1a
    return {"receptacle": entry.content["zone"], "late_preparation": entry.public["late"] and not early}


def late_seats(setup: dict[str, Any]) -> list[Seat]:
    """Return the seats of a prepared setup that pay for a late or missing receptacle (A4.1, A4.1a)."""
    return [seat for seat, duellist in setup["duellists"].items() if duellist.get("late_preparation")]


def inputs(entries: Sequence[Entry], branch: int, phase: int, status: Status, *, as_amended: bool = True) -> Inputs:
    """Return what closes a phase. `status` is of the state in which the phase opened; `as_amended`: with what the
    referee has ruled.

    `entries` stand in their order; those of other phases and branches are passed over. A filing may be published
    with a `fault` (spells, B6.4): it counts unless a later version is without. Raises RulesError when the public part
    of an entry lacks what its kind has.
    """
    where = branch, phase, status.phase
    during = [entry for entry in entries if (entry.branch, entry.phase, entry.phase_name) == where]
    filings = _filings(during)
    rulings = _in_force(during) if as_amended else []
    walls = [read(Wall, entry) for entry in _of("wall", during)]
    invalid = {r.seat: r.fault or r.ruling for r in rulings if r.ruling == "invalid_post" and r.seat in filings}
    late = {_seat(entry): "late" for entry in _of("infraction", during)}
    surrenders = tuple(_seat(entry) for entry in _of("surrender", during))
    named = {_seat(entry): _zone(entry) for entry in _of("choice", during)}
    return Inputs(
        filings=tuple(filings.values()),
        infractions={**_published_faults(during), **invalid, **late},
        choices={**dict.fromkeys(status.owing), **named},  # nothing named: forfeited (A10.2)
        surrender=next(iter(surrenders), None),
        surrenders=surrenders,
        agreed_draw=_agreed(during, status),
        adjustments=tuple(_adjustment(r) for r in rulings if r.ruling == "adjustment"),
        dice=dict(_die(r) for r in rulings if r.ruling == "die"),
        wall=bool(walls),
        absent=tuple(seat for wall in walls for seat in wall.absent),
    )


def _of(kind: Kind, entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.kind == kind]


def _seat(entry: Entry) -> Seat:
    if entry.seat is None:
        raise RulesError(f"entry {entry.index} ({entry.kind}) has no seat")
    return entry.seat


def _zone(entry: Entry) -> str:
    zone = entry.public.get("zone")
    if not isinstance(zone, str):
        raise RulesError(f"entry {entry.index} (choice) names no zone")
    return zone


def _filings(during: Iterable[Entry]) -> dict[Seat, Filed]:
    """The last version of each seat, in the order in which the seats first filed (A6.3)."""
    filed: dict[Seat, Filed] = {}
    for entry in _of("filing", during):
        filed[_seat(entry)] = Filed(_seat(entry), entry.content)
    return filed


def _published_faults(during: Iterable[Entry]) -> dict[Seat, str]:
    """The faults with which the last version of each seat's filing was published."""
    faults = {_seat(entry): entry.public.get("fault") for entry in _of("filing", during)}
    return {seat: fault for seat, fault in faults.items() if isinstance(fault, str)}


def _in_force(during: Sequence[Entry]) -> list[Ruling]:
    return [read(Ruling, entry) for entry in in_force(during)]


def in_force(entries: Iterable[Entry]) -> list[Entry]:
    """Return the rulings among the entries of a phase that no later one in force takes back, in their order."""
    standing: list[Entry] = []
    withdrawn: set[int] = set()
    for entry in reversed(_of("ruling", entries)):
        ruling = read(Ruling, entry)
        if entry.index in withdrawn:
            continue
        if ruling.withdraws is None:
            standing.insert(0, entry)
        else:
            withdrawn.add(ruling.withdraws)
    return standing


def _adjustment(ruling: Ruling) -> Adjustment:
    if ruling.seat is None or ruling.gauge is None or ruling.points is None:
        raise RulesError("an adjustment has a seat, a gauge and points (A14.1)")
    return Adjustment(ruling.seat, ruling.gauge, ruling.points)


def _die(ruling: Ruling) -> tuple[str, int]:
    if ruling.label is None or ruling.face is None:
        raise RulesError("a die rolled elsewhere has a label and a face")
    return ruling.label, ruling.face


def _agreed(during: Iterable[Entry], status: Status) -> bool:
    """Whether all who are still in have offered a draw with no refusal in between (A13.4, B3.3.3), nor a correction:
    what was offered before the result was read is no offer any more.

    Who was the last not to have offered may have agreed, or have surrendered; where nobody of their side is in any
    more, the others have won.
    """
    offers: set[Seat] = set()
    left: set[Seat] = set()
    for entry in during:
        if entry.kind == "draw_offer":
            offers.add(_seat(entry))
        elif entry.kind in ("draw_refused", "correction"):
            offers.clear()
        elif entry.kind == "surrender":
            left.add(_seat(entry))
            if any(left.issuperset(side) for side in status.sides):
                return False
        if offers and offers.issuperset(set(status.standing) - left):
            return True
    return False


def read(kind: type[_Public], entry: Entry) -> _Public:
    """Return the public part of an entry as a `kind`. Raises RulesError when it is not one."""
    try:
        return msgspec.convert(entry.public, kind)
    except msgspec.ValidationError as error:
        raise RulesError(f"entry {entry.index} ({entry.kind}): {error}") from error


def instant(stamp: str) -> dt.datetime:
    """Return the instant that a record spells. Raises RulesError."""
    try:
        return dt.datetime.fromisoformat(stamp)
    except ValueError as error:
        raise RulesError(f"{stamp!r} is no instant") from error


def stamp(instant: dt.datetime) -> str:
    """Return an instant as records spell it: UTC, with microseconds."""
    return instant.astimezone(dt.UTC).isoformat(timespec="microseconds")


def format_of(entries: Sequence[Entry]) -> Format:
    """Return the format of a record: the one that its announcement names; the first named none."""
    return 2 if entries and entries[0].public.get("format") == 2 else 1


def text_key(text: Text) -> tuple[int, int]:
    """Return the place of a text among those of an export."""
    return text.entry, _PARTS.index(text.part)


_PARTS = get_args(Part)


def encode(export: Export) -> bytes:
    """Return an export as JSON."""
    return msgspec.json.encode(export)


class KeyTwiceError(RulesError):
    """One object of the file has the same `key` twice: readers could each take another of its values."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key!r:.40} stands twice in one object")
        self.key = key


def decode(raw: bytes) -> Export:
    """Return the export that `raw` spells. Raises RulesError, in one line, when it spells none; KeyTwiceError."""
    try:
        export = _decoder.decode(raw)
        if encode(export) != raw:  # as the site spells it, nothing stands twice
            json.loads(raw, object_pairs_hook=_each_once, parse_int=str, parse_float=str)
    except KeyTwiceError:
        raise
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RulesError(f"not the export of a duel: {error}") from error
    return export


def _each_once(pairs: list[tuple[str, Any]]) -> None:
    keys = Counter(key for key, _value in pairs)
    twice = next((key for key, times in keys.items() if times > 1), None)
    if twice is not None:
        raise KeyTwiceError(twice)


_decoder = msgspec.json.Decoder(Export)
