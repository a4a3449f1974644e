"""Nothing of an export can be changed unseen: random duels hold, and every change of any value of them is found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache
from itertools import count
from random import Random
from typing import Any, NamedTuple, get_args

import msgspec
import pytest

import rules
from rules import parts, record
from rules.core import RulesError
from rules.spells.book import starter
from rules.verify import verify, verify_json
from tests.rules import forging, recording, spells_recording
from tests.scale import FULL, scaled

RULESETS = ("arena", "spells")
DUELS = scaled(100, 1_000)  # of each ruleset
BYTES = scaled(1_000, 10_000)  # of each ruleset
LONG = 80  # entries: what is tried hundreds of times is short
MANY = 200  # duels, among which there is one with an entry of each kind
RULED = {"filing", "publication", "verdict", "ruling", "draw_refused", "time_out_answer", "correction"}
KINDS = {  # of the entries that a duel of each ruleset may have
    "arena": frozenset(get_args(record.Kind)), "spells": frozenset(get_args(record.Kind)) - {"receptacle", "choice"},
}  # fmt: skip
CORRECTED = EVENTFUL = 0.1  # the chance, after each phase, and of each thing that a duel need not have
# In how many of 100 duels each has to be met at least, so that none is lost unseen.
LEAST = {
    "arena": {
        "adjustment": 20, "invalid_post": 20, "die": 20, "note": 20, "a ruling taken back": 20, "replaced": 20,
        "opening again": 20, "appeal granted": 10, "appeal upheld": 10, "appeal lapsed": 10, "time-out granted": 10,
        "time-out refused": 10, "hour announced": 20, "hour called off": 10, "handed_over": 20, "taken_over": 20,
        "annotation": 3, "infraction": 10, "draw_refused": 10, "corrected twice": 5, "wall": 5, "deadline": 20,
        "removal": 20,
    },
    "spells": {
        "adjustment": 20, "invalid_post": 10, "die": 20, "note": 20, "a ruling taken back": 20, "opening again": 20,
        "corrected by right": 20, "appeal granted": 10, "appeal upheld": 10, "appeal lapsed": 10,
        "time-out granted": 10, "time-out refused": 10, "hour announced": 20, "hour called off": 10,
        "handed_over": 20, "taken_over": 20, "annotation": 3, "infraction": 10, "draw_refused": 10,
        "corrected twice": 5, "seen first": 3, "wall": 5, "deadline": 20, "removal": 20,
    },
}  # fmt: skip


def recorded(ruleset: str, number: int, **fixed: Any) -> record.Export:
    """Return a random duel in which whatever may be entered in a record is met, now and then."""
    chosen = {"corrected": CORRECTED, "eventful": EVENTFUL, **fixed}
    if ruleset == "arena":
        made = recording.export(number, rules.get(ruleset), **chosen)
    else:
        made = spells_recording.export(number, **chosen)
    return record.decode(record.encode(made))


def met(export: record.Export) -> set[str]:
    """Return what a duel has met."""
    return {found for entry in export.entries for found in met_in(entry)} | {
        "corrected twice" for branch in {entry.branch for entry in export.entries} if branch >= 2
    }


def met_in(entry: record.Entry) -> Iterator[str]:
    said = entry.public
    match entry.kind:
        case "ruling":
            yield "a ruling taken back" if "withdraws" in said else said["ruling"]
        case "appeal_answer" | "time_out_answer":
            yield f"{'appeal' if entry.kind == 'appeal_answer' else 'time-out'} {said['answer']}"
        case "hour":
            yield "hour announced" if said["publish_at"] else "hour called off"
        case "referee":
            yield said["how"]
        case "filing":
            yield from met_in_filing(entry)
        case "opening" if entry.branch:
            yield "opening again"
        case _:
            yield entry.kind


def met_in_filing(entry: record.Entry) -> Iterator[str]:
    if entry.version > 1:
        yield "corrected by right" if "phase" in entry.public else "replaced"
    if "order" in entry.content:
        yield "seen first"


@cache
def briefly(ruleset: str) -> dict[str, Any]:
    """Return the terms of duels whose exports are small: two duellists, and a book of a spell of each kind."""
    return {"format": "1v1", "spells": few_spells()} if ruleset == "spells" else {}


def few_spells() -> list[Any]:
    """Return the spells of the shipped book that have a key, an effect or a tag that none before has."""
    met: set[str] = set()
    few = []
    for spell in msgspec.to_builtins(starter().spells):
        brings = {*spell, *spell.get("tags", ()), *(effect["do"] for effect in spell["effects"])}
        if not brings <= met:
            few.append(spell)
            met |= brings
    return few


@cache
def short(ruleset: str) -> bytes:
    """Return the export of a duel of few turns in which the referee ruled, and took a ruling back."""
    for number in count():
        export = recorded(ruleset, number, eventful=0, **briefly(ruleset))
        kinds = {entry.kind for entry in export.entries}
        if kinds >= RULED and any("withdraws" in entry.public for entry in export.entries) and len(export.entries) < 60:
            return record.encode(export)
    raise AssertionError


@pytest.mark.parametrize("ruleset", RULESETS)
def test_random_duels_with_all_that_may_happen_hold(ruleset):
    counted: Counter[str] = Counter()
    for number in range(DUELS):
        export = recorded(ruleset, number)
        counted.update(met(export))
        assert verify(export).failures == (), number
    assert {what: (counted[what], least) for what, least in LEAST[ruleset].items() if counted[what] < least} == {}


class Leaf(NamedTuple):
    """A value of an export that holds no other: where it stands, and the field that it is, places left out."""

    holder: Any
    key: Any
    field: tuple[str, ...]


def leaves(value: Any, field: tuple[str, ...] = ()) -> Iterator[Leaf]:
    for key, held in list(value.items() if isinstance(value, dict) else enumerate(value)):
        inner = (*field, key if isinstance(key, str) else "*")
        if isinstance(held, (dict, list)) and held:
            yield from leaves(held, inner)
        else:
            yield Leaf(value, key, inner)


def to_try(ruleset: str) -> list[tuple[Any, Leaf]]:
    """Return a leaf of each field of each kind of entry, each with the export that it is of; at full scale, of one
    export every leaf."""
    spelt = json.loads(short(ruleset))
    found = {leaf.field: (spelt, leaf) for leaf in leaves(spelt) if leaf.field[0] != "entries"}
    for export, entry in ((spelt, entry) for entry in spelt["entries"]):
        found |= {(entry["kind"], leaf.field[0], leaf.field[-1]): (export, leaf) for leaf in leaves(entry)}
    for export, entry in (rare(ruleset, kind) for kind in sorted(KINDS[ruleset] - {key[0] for key in found})):
        found |= {(entry["kind"], leaf.field[0], leaf.field[-1]): (export, leaf) for leaf in leaves(entry)}
    return [*found.values(), *((spelt, leaf) for leaf in leaves(spelt) if FULL)]


def rare(ruleset: str, kind: str) -> tuple[Any, Any]:
    """Return an export that has an entry of that kind, and the entry, as they are spelt."""
    for number in range(MANY):
        export = eventful(ruleset, number)
        if (len(export.entries) <= LONG or FULL) and any(entry.kind == kind for entry in export.entries):
            spelt = json.loads(record.encode(export))
            return spelt, next(entry for entry in spelt["entries"] if entry["kind"] == kind)
    raise AssertionError(f"none of {MANY} duels has an entry {kind!r} to tamper with")


@cache
def eventful(ruleset: str, number: int) -> record.Export:
    return recorded(ruleset, number, **briefly(ruleset))


def others(value: Any) -> list[Any]:
    """Return what a forger might put there: another value of the type, and null."""
    return [another(value), *([None] if value is not None else [])]


def another(value: Any) -> Any:
    """Return a value of the same type, and as likely as the true one where that can be."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value and value[-1] in "0123456789abcdef":
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        case str():
            return value + "x"
        case list():
            return [0]
        case dict():
            return {"x": 0}
    return 0


def verifies(spelt: Any) -> bool:
    return verify_json(json.dumps(spelt).encode()).ok


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_kind_of_entry_is_tried(ruleset):
    assert parts.PUBLIC.keys() == set(get_args(record.Kind))
    found = to_try(ruleset)
    tried = {id(leaf.holder) for _spelt, leaf in found}
    entries = [entry for spelt in {id(spelt): spelt for spelt, _leaf in found}.values() for entry in spelt["entries"]]
    kinds = {entry["kind"] for entry in entries if tried & {id(holder) for holder in holders(entry)}}
    assert kinds == KINDS[ruleset]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_any_value_changed_is_found(ruleset):
    found = to_try(ruleset)
    assert len(found) > 100
    for spelt, leaf in found:
        held = leaf.holder[leaf.key]
        for other in others(held):
            leaf.holder[leaf.key] = other
            assert not verifies(spelt), (leaf.field, other)
        leaf.holder[leaf.key] = held
    assert all(verifies(spelt) for spelt, _leaf in found[:1] + found[-1:])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_any_value_left_out_is_found(ruleset):
    found = to_try(ruleset)
    for spelt, leaf in found:
        held = leaf.holder.pop(leaf.key)
        assert not verifies(spelt), leaf.field
        if isinstance(leaf.holder, list):
            leaf.holder.insert(leaf.key, held)
        else:
            leaf.holder[leaf.key] = held
    assert all(verifies(spelt) for spelt, _leaf in found[:1] + found[-1:])


def forged(spelt: Any) -> bytes | None:
    """Return what a forger makes of it who holds the database; None where it cannot even be sealed or read."""
    try:
        return record.encode(forging.resealed(record.decode(json.dumps(spelt).encode())))
    except RulesError:
        return None


SEALED_ANEW = {"receipt", "hash", "previous", "index", "text_sha256", "preamble_sha256", "closing_sha256"}
FREE = {  # words that people chose: nothing says what they should have been
    ("ruling", "reason"), ("correction", "reason"), ("time_out_answer", "reason"),
    ("appeal", "reason"), ("appeal_answer", "reason"), ("annotation", "words"), ("annotation", "reason"),
}  # fmt: skip


def is_beyond_proof(spelt: Any, kind: str, leaf: Leaf, held: Any, other: Any) -> bool:
    """Whether nothing that the record holds could contradict this (docs/security.md says the same)."""
    name = leaf.field[-1]
    if name == "nonce":
        return isinstance(other, str)  # drawn for one receipt, and that was made anew with it
    if (kind, name) in FREE:
        return isinstance(other, str)
    if name == "official" and kind in ("annotation", "removal"):
        return isinstance(other, int)  # any referee, and staff
    if (kind, name) == ("publication", "official"):  # the last one of a tournament's duel may be the clock's, at a wall
        return other is None and spelt["entries"][0]["public"]["kind"] == "tournament"
    if leaf.field[0] == "content" and kind == "filing":
        return held in (None, []) and other in (None, ABSENT)  # says the same: no option, no zones
    return False


ABSENT = object()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_any_value_changed_or_left_out_is_found_though_all_is_sealed_anew(ruleset):
    found = to_try(ruleset)
    exports = {id(spelt): spelt for spelt, _leaf in found}.values()
    kinds = {id(holder): entry["kind"] for spelt in exports for entry in spelt["entries"] for holder in holders(entry)}
    assert all(verify_json(forged(spelt) or b"").ok for spelt in exports)
    unseen = []
    for spelt, leaf in found:
        held, kind = leaf.holder[leaf.key], kinds.get(id(leaf.holder), "")
        for other in (another(held), None, ABSENT):
            if leaf.field[-1] in SEALED_ANEW or other == held or is_beyond_proof(spelt, kind, leaf, held, other):
                continue
            with changed(leaf, other):
                made = forged(spelt)
            if made is not None and verify_json(made).ok:
                unseen.append((kind, leaf.field, held, other))
    assert unseen == []


@contextmanager
def changed(leaf: Leaf, other: Any) -> Iterator[None]:
    """Put another value there for a while, or none."""
    before = copy(leaf.holder)
    if other is ABSENT:
        del leaf.holder[leaf.key]
    else:
        leaf.holder[leaf.key] = other
    yield
    leaf.holder.clear()
    if isinstance(leaf.holder, dict):
        leaf.holder.update(before)  # in its order
    else:
        leaf.holder.extend(before)


def holders(value: Any) -> Iterator[Any]:
    """Every object and list in a value, itself included."""
    yield value
    for held in value.values() if isinstance(value, dict) else value:
        if isinstance(held, (dict, list)):
            yield from holders(held)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_any_entry_left_out_or_entered_twice_is_found_though_all_is_sealed_anew(ruleset):
    export = record.decode(short(ruleset))
    entries = export.entries
    for place, entry in enumerate(entries):
        without = forging.resealed(export, [*entries[:place], *entries[place + 1 :]])
        unanswered = entry.kind == "draw_refused"  # an offer that nobody answered would be no other duel
        assert unanswered or not verify(without).ok, entry.kind
        twice = forging.resealed(export, [*entries[:place], entry, *entries[place:]])
        assert not verify(twice).ok, entry.kind


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_round_ends_but_a_tournaments(ruleset):
    export, _entry = rare(ruleset, "wall")
    announced, *after = record.decode(json.dumps(export).encode()).entries
    assert announced.public["kind"] == "tournament"
    training = msgspec.structs.replace(announced, public={**announced.public, "kind": "training"})
    forged_anew = forging.resealed(record.decode(json.dumps(export).encode()), [training, *after])
    assert "order" in {failure.check for failure in verify(forged_anew).failures}


def spells_the_same(raw: bytes, export: record.Export) -> bool:
    try:
        return record.encode(record.decode(raw)) == record.encode(export)
    except RulesError:
        return False


@pytest.mark.parametrize("ruleset", RULESETS)
def test_any_byte_changed_is_found(ruleset):
    raw, random = short(ruleset), Random(5)
    export = record.decode(raw)
    changed = 0
    while changed < BYTES:
        place = random.randrange(len(raw))
        forged = raw[:place] + bytes([random.choice([b for b in range(32, 127) if b != raw[place]])]) + raw[place + 1 :]
        if not spells_the_same(forged, export):
            changed += 1
            assert not verify_json(forged).ok, (place, forged[place - 30 : place + 30])
