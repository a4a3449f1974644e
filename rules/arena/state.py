"""Where an arena duel stands, and what happens in it. Immutable; all of it encodes to JSON and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from rules import core
from rules.arena.terms import (
    EFFECT_TURNS,
    ZONES,
    Arena,
    Direction,
    Edition,
    Gauge,
    Hours,
    Infraction,
    Kind,
    OptionName,
    SeatName,
    Year,
    Zone,
    seat_of,
)


class Effect(msgspec.Struct, frozen=True, gc=False):
    """A zone of one puppet under a rough skin, a decoy or a disablement, up to and with turn `last`.

    Each of them lasts two turns (A10.1, A10.2, A10.2b), so it begins in `last` - 1.
    """

    zone: Zone
    last: int

    def holds(self, turn: int) -> bool:
        return self.last - EFFECT_TURNS < turn <= self.last

    def is_new(self, turn: int) -> bool:
        """Whether `turn` is the first of its two (A10.4)."""
        return turn == self.last - EFFECT_TURNS + 1


class Puppet(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One seat of the duel: its duellist, its gauges, what works on it and what it has in store.

    `thrust` and `parry` are those declared in the last turn resolved, None if there were none. `known`: everybody
    knows where the receptacle is. `choice`: a decoy of the seat was hit in the last turn resolved, and the zone that
    it may name for that is still owed, or settled (named or forfeited). `stealth`: a stealth thrust is ready.
    """

    age: int
    year: Year
    link: int
    link_max: int
    alchemy: int
    receptacle: Zone
    pierced: bool = False
    known: bool = False
    infractions: int = 0
    techniques_used: int = 0
    cancel_armed: bool = False
    pin_armed: bool = False
    stealth: bool = False
    choice: Literal["owed", "settled"] | None = None
    last_option: OptionName | None = None
    thrust: Zone | None = None
    parry: Zone | None = None
    rough_skin: tuple[Effect, ...] = ()
    decoys: tuple[Effect, ...] = ()
    disabled: tuple[Effect, ...] = ()


class State(core.State, frozen=True, omit_defaults=True, gc=False):
    """An arena duel before turn `turn`, or as the turn in which it ended left it.

    `hours` is the duel's own turn length; `capsule` the turns, from this one on, in which a time capsule changes it.
    `protected` is the last turn in which a neutralised arena cannot be changed (A11.6), `first_post` the seat that
    published first in the last turn resolved (A6.2a).
    """

    edition: Edition
    kind: Kind
    hours: Hours
    arena: Arena
    technique_limit: int | None
    a: Puppet
    b: Puppet
    turn: int = 1
    void_zone: Zone | None = None
    neutralised: bool = False
    protected: int = 0
    capsule: int = 0
    extra_turn: bool = False
    first_post: SeatName | None = None
    outcome: core.Outcome | None = None

    def puppet(self, seat: core.Seat) -> Puppet:
        """Return the puppet of a seat. Raises RulesError if there is no such seat."""
        if seat == "b":
            return self.b
        seat_of(seat)
        return self.a

    @property
    def turn_hours(self) -> int:
        """How long this turn lasts (A6.1, A10.5)."""
        return 72 - self.hours if self.capsule else self.hours

    def in_force(self, arena: Arena) -> bool:
        """Whether `arena` acts on this turn (A11 year 6)."""
        return self.arena == arena and not self.neutralised

    def unusable(self, puppet: Puppet, receptacle: Zone) -> bool:
        """Whether a receptacle there can be neither spent from nor filled (A12.3, A10.2c)."""
        return receptacle == self.void_zone or is_held(puppet.disabled, receptacle, self.turn)


class Event(core.Event, frozen=True, omit_defaults=True, gc=False):
    """Something that happened in a turn of the arena.

    `zone` is where it happened; `zones` and `to` are what was declared with an `option`. `points` of `gauge` are lost
    or paid (or, for `adjusted`, given), `gained` those that were won. `by` is how the duel ended.
    """

    zone: Zone | None = None
    option: OptionName | None = None
    zones: tuple[Zone, ...] = ()
    to: Gauge | None = None
    gauge: str | None = None
    points: int = 0
    gained: int = 0
    infraction: Infraction | None = None
    arena: Arena | None = None
    direction: Direction | None = None
    face: int | None = None
    last_turn: int | None = None
    by: str | None = None


def other(seat: SeatName) -> SeatName:
    """Return the opponent's seat."""
    return "b" if seat == "a" else "a"


def is_held(effects: tuple[Effect, ...], zone: Zone, turn: int) -> bool:
    """Whether one of the effects is in force on `zone` in `turn`."""
    for effect in effects:  # noqa: SIM110 - asked dozens of times a turn, nearly always of none
        if effect.zone == zone and effect.holds(turn):
            return True
    return False


def zones_held(effects: Iterable[Effect], turn: int) -> list[Zone]:
    """Return the zones on which effects are in force in `turn`, each once, in zone order."""
    held = {effect.zone for effect in effects if effect.holds(turn)}
    return [zone for zone in ZONES if zone in held]
