"""The spell book: what a spell is, and what makes a book that can be played. Spells are plain data."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import msgspec

from rules.core import RulesError
from rules.spells.effects import Effect, Hazard, Recharge, Reveal, Shield, Summon
from rules.spells.terms import Level

Tag = Literal["auto", "heal", "zone", "summon", "curse", "defence"]
Code = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Name = Annotated[str, msgspec.Meta(max_length=80)]
Names = dict[Literal["fr", "en"], Annotated[str, msgspec.Meta(max_length=400)]]

LEGILIMENS = "legilimens"
STARTER = Path(__file__).parent.parent / "books" / "starter.toml"


class Modulation(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A stronger form of a spell, at its own level (B4.1.3)."""

    level: Level
    effects: tuple[Effect, ...]


class Spell(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One spell. Without a `range` it is cast on oneself, or on a partner when it `helps_partner`.

    `names` and `descriptions` are for readers, by language; the rules use neither.
    """

    code: Code
    level: Level
    type: Code
    effects: tuple[Effect, ...]
    name: Name = ""
    range: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None
    tags: tuple[Tag, ...] = ()
    bonus: tuple[Effect, ...] = ()
    modulation: Modulation | None = None
    uses: Annotated[int, msgspec.Meta(ge=1, le=99)] | None = None
    helps_partner: bool = False
    names: Names = {}
    descriptions: Names = {}

    @property
    def names_zone(self) -> bool:
        """Whether it is cast on a zone of the stage (B4.1.5)."""
        return "zone" in self.tags or "summon" in self.tags

    @property
    def aims_at_opponent(self) -> bool:
        """B4.1.8"""
        return self.range is not None and not self.names_zone

    @property
    def every_effect(self) -> tuple[Effect, ...]:
        """All that it may do, bonus and modulation counted."""
        return self.effects + self.bonus + (self.modulation.effects if self.modulation else ())

    @property
    def shields(self) -> bool:
        """Whether it has a shield somewhere: it then serves in the defence phase only (B4.2.2)."""
        return any(isinstance(effect, Shield) for effect in self.every_effect)


class Book(msgspec.Struct, frozen=True):
    """A version of a spell book; `types` are the types of magic, by code, named in each language. A file that names
    none has those of its spells, under their codes: a duellist has to choose among them (B2.5)."""

    spells: tuple[Spell, ...]
    types: dict[str, Names] = {}
    version: int = 1


class BookError(RulesError):
    """A book that cannot be played: each fault on one line, with the spell and the key."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@cache
def starter() -> Book:
    """Return the book that is shipped."""
    return read_book(STARTER.read_bytes())


def read_book(raw: bytes) -> Book:
    """Return the book that a TOML file spells. Raises BookError, with every fault that it has."""
    try:
        content = tomllib.loads(raw.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BookError([f"not TOML: {error}"]) from error
    faults = [f"{key}: no such key" for key in content if key not in ("version", "types", "spell")]
    types = _part(content, "types", dict[str, Names], {}, faults)
    version = _part(content, "version", Annotated[int, msgspec.Meta(ge=1)], 1, faults)
    spells, more = _judged(content.get("spell", []), tuple(types))
    if faults + more:
        raise BookError(faults + more)
    return Book(spells, types or {spell.type: {} for spell in spells}, version)


def read_spells(content: Any) -> tuple[Spell, ...]:
    """Return the spells of a book already read from its file, a list of objects. Raises BookError."""
    spells, faults = _judged(content, ())
    if faults:
        raise BookError(faults)
    return spells


def _part(content: dict[str, Any], key: str, kind: Any, default: Any, faults: list[str]) -> Any:
    try:
        return msgspec.convert(content.get(key, default), kind)
    except msgspec.ValidationError as error:
        faults.append(f"{key}: {error}")
        return default


def _judged(content: Any, types: tuple[str, ...]) -> tuple[tuple[Spell, ...], list[str]]:
    if not isinstance(content, list) or not content:
        return (), ["spell: a book has a list of spells, and one at least"]
    spells: list[Spell] = []
    faults: list[str] = []
    for number, one in enumerate(content, 1):
        label = _label(one, number)
        try:
            spell = msgspec.convert(one, Spell)
        except (msgspec.ValidationError, RecursionError) as error:
            faults += [f"{label}: {fault}" for fault in _shape_faults(one)] or [f"{label}: {error}"]
        else:
            spells.append(spell)
            faults += [f"{label}: {key}: {why}" for key, why in _faults(spell, types)]
    for code, count in Counter(spell.code for spell in spells).items():
        if count > 1:
            faults.append(f"{code}: code: {count} spells have it")
    return tuple(spells), faults


def _label(content: Any, number: int) -> str:
    code = content.get("code") if isinstance(content, dict) else None
    return code[:40] if isinstance(code, str) and code else f"spell {number}"


_HINTS = get_type_hints(Spell, include_extras=True)
_REQUIRED = ("code", "level", "type", "effects")


def _shape_faults(content: Any) -> Iterator[str]:
    """What is missing, unknown or of the wrong kind, key by key: a book's author sees all of it at once."""
    if not isinstance(content, Mapping):
        yield "it is not a table"
        return
    for key in _REQUIRED:
        if key not in content:
            yield f"{key}: missing"
    for key, value in content.items():
        if key not in _HINTS:
            yield f"{str(key)[:40]}: no such key"
        elif key in ("effects", "bonus") and isinstance(value, list):
            for place, effect in enumerate(value, 1):
                yield from _misfit(f"{key} {place}", effect, Effect)
        else:
            yield from _misfit(key, value, _HINTS[key])


def _misfit(key: str, value: Any, kind: Any) -> Iterator[str]:
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        yield f"{key}: {error}"


def _faults(spell: Spell, types: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """What the rules refuse in a spell that is well formed: the key, and why."""
    if spell.names_zone and spell.range is None:
        yield "range", "a spell on a zone has one"
    if "defence" in spell.tags and spell.range is not None:
        yield "range", "a defence spell has none"
    if spell.modulation and spell.modulation.level < spell.level:
        yield "modulation", f"its level is below the spell's, {spell.level}"
    if types and spell.type not in types:
        yield "type", f"{spell.type!r} is no type of magic of this book"
    for key, effects in _effects_of(spell):
        yield from ((key, why) for effect in effects if (why := _misplaced(spell, effect)))
    if spell.code == LEGILIMENS and spell.every_effect != (Reveal(),):
        yield "effects", "Legilimens has one effect, reveal"


def _effects_of(spell: Spell) -> Iterator[tuple[str, tuple[Effect, ...]]]:
    yield "effects", spell.effects
    yield "bonus", spell.bonus
    if spell.modulation:
        yield "modulation", spell.modulation.effects


def _misplaced(spell: Spell, effect: Effect) -> str | None:
    """Why an effect has no place in that spell, if it has none."""
    match effect:
        case Summon() if "summon" not in spell.tags:
            return "summon is only in summon spells"
        case Hazard() if not spell.names_zone:
            return "hazard is only in zone and summon spells"
        case Shield() if "defence" not in spell.tags:
            return "shield is only in defence spells"
        case Reveal() if spell.code != LEGILIMENS:
            return "reveal is only in Legilimens"
        case Recharge() if "heal" in spell.tags:
            return "recharge is not in heal spells"
    if "summon" in spell.tags and not isinstance(effect, Summon | Hazard):
        return "a summon spell has only summon and hazard effects"
    return None
