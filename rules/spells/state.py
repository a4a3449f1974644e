"""Where a spell duel stands, and what happens in it. Immutable; all of it encodes to JSON and back."""

from __future__ import annotations

from typing import Literal

import msgspec

from rules import core
from rules.spells.book import Spell
from rules.spells.terms import (
    FLOOR,
    HOURS,
    Format,
    Gauge,
    Gauges,
    Level,
    Mode,
    Out,
    PhaseName,
    SeatName,
    Team,
    Trait,
    gauges,
    seat_of,
)


class Duellist(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat of the duel: who they are, their gauges, where they stand, what works on them.

    `bound`, `silenced` and `jinxed` count the turns in which that still holds, this one included. `floored`: the turn
    began on the floor (B5.3). `cast` and `cast_before` are the spells cast in this turn and in the one before
    (B4.1.7), `used` each cast of a spell whose uses are counted (B4.1.9).
    """

    level: Level
    types: tuple[str, ...]
    traits: dict[Trait, int]
    prodigium: bool
    fatigue: int
    magic: int
    zone: int
    wand: bool = True
    bound: int = 0
    silenced: int = 0
    jinxed: int = 0
    absences: int = 0
    action_faults: int = 0
    out: Out | None = None
    above_level_used: bool = False
    traits_used: tuple[Trait, ...] = ()
    floored: bool = False
    cast: tuple[str, ...] = ()
    cast_before: tuple[str, ...] = ()
    used: tuple[str, ...] = ()

    @property
    def most(self) -> Gauges:
        """The starting gauges, which are also the fullest."""
        return gauges(self.level)

    @property
    def on_floor(self) -> bool:
        return self.zone in FLOOR


class Hazard(msgspec.Struct, frozen=True, gc=False):
    """A zone that hurts whoever stands in it when a turn after `since` ends; `turns` counts like a status."""

    zone: int
    points: int
    turns: int
    since: int


class Summon(msgspec.Struct, frozen=True, gc=False):
    """A creature that hurts the opponents of `team` within `reach` when a turn after `since` ends."""

    zone: int
    points: int
    turns: int
    since: int
    reach: int
    team: Team


class UnderWay(msgspec.Struct, frozen=True, omit_defaults=True):
    """A spell that succeeded and can still be dodged or stopped; at most one of a caster in a turn."""

    caster: SeatName
    target: SeatName
    spell: str
    modulation: bool = False
    bonus: bool = False


class Insight(msgspec.Struct, frozen=True, gc=False):
    """In the action phase of `turn` the post of `target` is filed sealed, and `caster` sees it first (B7.1)."""

    caster: SeatName
    target: SeatName
    turn: int


class State(core.State, frozen=True, omit_defaults=True):
    """A spell duel as a phase of turn `turn` opens, or as the turn in which it ended left it.

    `spells` is the book, by code. `stirred`: fatigue was lost in this turn through a spell, a hazard or a creature
    (B3.3.3). `adjustments` are the referee's that wait for the end of the turn (B6.5).
    """

    mode: Mode
    format: Format
    spells: dict[str, Spell]
    duellists: dict[SeatName, Duellist]
    hours: Literal[24, 48] = HOURS
    turn: int = 1
    phase: PhaseName = "action"
    hazards: tuple[Hazard, ...] = ()
    summons: tuple[Summon, ...] = ()
    under_way: tuple[UnderWay, ...] = ()
    insights: tuple[Insight, ...] = ()
    quiet_turns: int = 0
    stirred: bool = False
    adjustments: tuple[core.Adjustment, ...] = ()
    outcome: core.Outcome | None = None

    def duellist(self, seat: core.Seat) -> Duellist:
        """Return who fights at a seat. Raises RulesError if there is no such seat in the duel."""
        found = self.duellists.get(seat_of(seat))
        if found is None:
            raise core.RulesError(f"there is no seat {seat!r} in a duel {self.format}")
        return found

    @property
    def standing(self) -> tuple[SeatName, ...]:
        """The seats that are still in."""
        return tuple(seat for seat, duellist in self.duellists.items() if duellist.out is None)

    @property
    def awaited(self) -> tuple[SeatName, ...]:
        """The seats called in the open phase: all still in, or those whom a spell under way is aimed at."""
        if self.outcome is not None:
            return ()
        if self.phase == "action":
            return self.standing
        aimed_at = {spell.target for spell in self.under_way}
        return tuple(seat for seat in self.standing if seat in aimed_at)


class Event(core.Event, frozen=True, omit_defaults=True):
    """Something that happened in a phase of a spell duel.

    `by` is the seat whose spell or creature did it, or how somebody went out or the duel ended. `points` of `gauge`
    are lost, gained (`healed`) or given (`adjusted`); `zone` is where somebody comes to stand, or a zone named.
    """

    spell: str | None = None
    target: SeatName | None = None
    by: str | None = None
    zone: int | None = None
    gauge: Gauge | None = None
    points: int = 0
    turns: int = 0
    bet: str | None = None
    face: int | None = None
    bonus: bool = False
    modulation: bool = False
    above_level: bool = False
    half_cost: bool = False
    wandless: bool = False
    fault: str | None = None
    step: str | None = None
    winner: Team | None = None
