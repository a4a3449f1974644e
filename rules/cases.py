"""Conformance cases: a duel told in JSON, and what must come of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

import rules
from rules.arena import cases as arena
from rules.core import Event, RulesError, State
from rules.spells import cases as spells

_PLAYERS: dict[str, Callable[[Any, Any], tuple[State, tuple[Event, ...]]]] = {
    "arena": arena.play,
    "spells": spells.play,
}
_CODES: dict[str, frozenset[str]] = {"arena": arena.CODES, "spells": spells.CODES}
_LISTS = ("codes", "not_codes")
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Case(msgspec.Struct, frozen=True):
    """One case. Keys that only people read are passed over."""

    id: str
    ruleset: str
    setup: Any
    turns: Any
    expect: dict[str, Any] | None = None


class Played(msgspec.Struct, frozen=True):
    """What came of a case: the state in the shape of `expect`, and the events."""

    id: str
    state: dict[str, Any]
    events: tuple[Event, ...]


def play(content: Any) -> Played:
    """Play a case. Raises RulesError, in one line, if it cannot be read or played."""
    case = _case(content)
    if case.ruleset not in _PLAYERS:
        raise RulesError(f"unknown ruleset {case.ruleset!r}: there is {', '.join(_PLAYERS)}")
    state, events = _PLAYERS[case.ruleset](case.setup, case.turns)
    return Played(case.id, rules.get(case.ruleset).summary(state), events)


def differences(content: Any) -> list[str]:
    """Play a case, and say what is not as it expects: what was expected, and what came. Raises RulesError."""
    case = _case(content)
    if case.expect is None:
        raise RulesError("the case expects nothing: it has no `expect`")
    played = play(content)
    return [*_state_differences(case.expect, played.state), *_code_differences(case, played.events)]


def name_of(content: Any) -> str | None:
    """Return the id of a case, even of one that cannot be read."""
    name = content.get("id") if isinstance(content, dict) else None
    return name if isinstance(name, str) else None


def read(raw: bytes) -> list[Any]:
    """Return the cases that `raw` spells: one, or a list. Raises RulesError, in one line, if it is not JSON."""
    try:
        content = msgspec.json.decode(raw)
    except _UNREADABLE as error:
        raise RulesError(f"not JSON: {error}") from error
    return content if isinstance(content, list) else [content]


def chunks(path: str) -> list[bytes]:
    """Return what of a file is read apart: its lines if a whole case stands on the first, else all of it.

    Raises OSError.
    """
    raw = Path(path).read_bytes()
    first = raw.lstrip().partition(b"\n")[0]
    try:
        msgspec.json.decode(first)
    except _UNREADABLE:
        return [raw]
    return raw.splitlines()


def _case(content: Any) -> Case:
    try:
        return msgspec.convert(content, Case)
    except (msgspec.ValidationError, RecursionError) as error:
        raise RulesError(f"not a case: {error}") from error


def _state_differences(expect: dict[str, Any], state: dict[str, Any]) -> Iterator[str]:
    for key, expected in expect.items():
        if key in _LISTS:
            continue
        came = state.get(key)
        if isinstance(expected, dict) and isinstance(came, dict) and key != "outcome":
            yield from (f"{key}.{line}" for line in _state_differences(expected, came))
        elif key not in state:
            raise RulesError(f"expect names {key!r}, which no state has")
        elif not _same(expected, came):
            yield f"{key}: expected {_spelt(expected)}, came {_spelt(came)}"


def _code_differences(case: Case, events: tuple[Event, ...]) -> Iterator[str]:
    came = {event.code for event in events} | {f"{event.code}:{event.seat}" for event in events}
    for key in _LISTS:
        for code in _codes(case, key):
            if code.partition(":")[0] not in _CODES[case.ruleset]:
                raise RulesError(f"expect.{key} names {code!r}, which no event has")
            if (code in came) != (key == "codes"):
                yield f"{code}: expected, did not come" if key == "codes" else f"{code}: came, was not to"


def _codes(case: Case, key: str) -> list[str]:
    try:
        return msgspec.convert((case.expect or {}).get(key, []), list[str])
    except msgspec.ValidationError as error:
        raise RulesError(f"expect.{key} is to be a list of codes: {error}") from error


def _same(expected: Any, came: Any) -> bool:
    return _spelt(expected) == _spelt(came)


def _spelt(value: Any) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()
