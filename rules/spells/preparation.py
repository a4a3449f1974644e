"""Setting up a duel: its terms, the book that it keeps, and the first state (sections 1 and 2)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from rules.core import RulesError
from rules.spells import book
from rules.spells.book import Code
from rules.spells.state import Duellist, State
from rules.spells.terms import HOURS, SEATS_OF, START_ZONES, Format, Level, Mode, SeatName, Trait, team_of, types_at

Rank = Annotated[int, msgspec.Meta(ge=1, le=99)]
T = TypeVar("T")


class Entrant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who fights at a seat: level 1 to 8, types of magic, traits by rank, member of the Prodigium club or not."""

    level: Level
    types: tuple[Code, ...]
    traits: dict[Trait, Rank] = {}
    prodigium: bool = False

    def enter(self, seat: SeatName) -> Duellist:
        """Return the duellist as the duel starts (B2.4, B3.1)."""
        bare = Duellist(self.level, self.types, self.traits, self.prodigium, 0, 0, START_ZONES[team_of(seat)])
        return replace(bare, fatigue=bare.most.fatigue, magic=bare.most.magic)


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is agreed, and the spells of the book (left out of the terms: those of the book that is shipped)."""

    mode: Mode
    format: Format
    duellists: dict[SeatName, Entrant]
    spells: list[Any] | None = None
    turn_hours: Literal[24, 48] = HOURS


def announce(terms: Any) -> dict[str, Any]:
    """Return the setup: the terms, with the book that the duel keeps to its end. Raises RulesError."""
    agreed = _agreed(terms)
    if agreed.spells is None:
        agreed = replace(agreed, spells=list(msgspec.to_builtins(book.starter().spells)))
    _book(agreed)
    setup: dict[str, Any] = msgspec.to_builtins(agreed)
    return setup


def start(setup: Any) -> State:
    """Return the state before turn 1. Nothing is drawn. Raises RulesError."""
    agreed = _agreed(setup)
    return State(
        mode=agreed.mode,
        format=agreed.format,
        spells=_book(agreed),
        duellists={seat: agreed.duellists[seat].enter(seat) for seat in SEATS_OF[agreed.format]},
        hours=agreed.turn_hours,
    )


def _agreed(content: Any) -> Setup:
    try:
        agreed = msgspec.convert(content, Setup)
    except (msgspec.ValidationError, RecursionError) as error:
        raise RulesError(f"setup: {error}") from error
    seats = SEATS_OF[agreed.format]
    if set(agreed.duellists) != set(seats):
        raise RulesError(f"setup: a duel {agreed.format} has the seats {', '.join(seats)} (B1.3)")
    for seat in seats:
        _refuse_types(seat, agreed.duellists[seat])
    return agreed


def _refuse_types(seat: SeatName, entrant: Entrant) -> None:
    """B2.5"""
    due = types_at(entrant.level)
    if len(set(entrant.types)) != due or len(entrant.types) != due:
        some = "one type" if due == 1 else "two different types"
        raise RulesError(f"setup: duellist {seat}, of level {entrant.level}, has {some} of magic (B2.5)")


def _book(agreed: Setup) -> dict[str, book.Spell]:
    """The spells by code, without the words that are for readers."""
    if agreed.spells is None:
        raise RulesError("setup: it has no spells; the announcement gives those of the book")
    try:
        spells = book.read_spells(agreed.spells)
    except book.BookError as error:
        raise RulesError(f"setup: spells: {error}") from error
    return {spell.code: replace(spell, names={}, descriptions={}) for spell in spells}
