"""The turn being resolved: what its steps change, and how it becomes the next state."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from rules.arena import filing
from rules.arena.filing import Declaration
from rules.arena.state import Effect, Event, Puppet, State
from rules.arena.terms import MOST_ALCHEMY, SEATS, Arena, SeatName, Zone, seat_of
from rules.core import Cost, Dice, Filed, Inputs, Outcome, RulesError


class Fighter:
    """One seat while a turn is resolved: its puppet's gauges and stores, as the steps change them.

    `before` is its puppet as the turn began. `thrust` and `parry` are the zones as the arena has made them so far
    (None: none, or moved off the puppet); `option` is the one still to be played; `fined` the link lost in steps
    1 and 2; `rough_skin` and `decoys` are those of this turn's option.
    """

    def __init__(self, seat: SeatName, puppet: Puppet, declaration: Declaration | None) -> None:
        self.seat = seat
        self.before = puppet
        self.declaration = declaration
        self.thrust = declaration.thrust if declaration else None
        self.parry = declaration.parry if declaration else None
        self.option = declaration.option if declaration else None
        self.link = puppet.link
        self.alchemy = puppet.alchemy
        self.receptacle = puppet.receptacle
        self.known = puppet.known
        self.pierced = puppet.pierced
        self.infractions = puppet.infractions
        self.techniques_used = puppet.techniques_used
        self.cancel_armed = puppet.cancel_armed
        self.pin_armed = puppet.pin_armed
        self.last_option = puppet.last_option
        self.fined = 0
        self.repaired = False
        self.stealth = False
        self.decoy_hit = False
        self.rough_skin: tuple[Effect, ...] = ()
        self.decoys: tuple[Effect, ...] = ()

    def fine(self, points: int) -> None:
        """Lose link in step 1 or 2: it stays with its author when gauges are swapped (A12.5a)."""
        self.link -= points
        self.fined += points

    def spend(self, price: Cost) -> None:
        if price.gauge == "link":
            self.link -= price.points
        else:
            self.alchemy -= price.points

    def settle(self, turn: int) -> Puppet:
        """Return the puppet as the turn leaves it, without the effects that end before `turn`."""
        before, declared = self.before, self.declaration
        return replace(
            before,
            link=self.link,
            alchemy=self.alchemy,
            receptacle=self.receptacle,
            pierced=self.pierced,
            known=self.known,
            infractions=self.infractions,
            techniques_used=self.techniques_used,
            cancel_armed=self.cancel_armed,
            pin_armed=self.pin_armed,
            stealth=self.stealth,
            choice="owed" if self.decoy_hit else None,
            last_option=self.last_option,
            thrust=declared.thrust if declared else None,
            parry=declared.parry if declared else None,
            rough_skin=_lasting(before.rough_skin, turn) + self.rough_skin,
            decoys=_lasting(before.decoys, turn) + self.decoys,
            disabled=_lasting(before.disabled, turn),
        )


class Turn(msgspec.Struct, eq=False, gc=False):
    """A turn being resolved. `state` is how it began; `arena`, `neutralised`, … are for the turn to come."""

    state: State
    dice: Dice
    inputs: Inputs
    fighters: tuple[Fighter, Fighter]  # a, b
    first_post: SeatName | None
    events: list[Event]
    arena: Arena
    neutralised: bool
    protected: int
    capsule: int
    void_zone: Zone | None = None
    extra_turn: bool = False
    outcome: Outcome | None = None

    def foe(self, fighter: Fighter) -> Fighter:
        a, b = self.fighters
        return b if fighter is a else a

    def gain_alchemy(self, fighter: Fighter, points: int) -> int:
        """Give alchemy, and return what was not lost on the way (A2.2, A4.2a, A12.3a)."""
        if fighter.pierced or self.state.unusable(fighter.before, fighter.receptacle):
            return 0
        gained = min(points, MOST_ALCHEMY - fighter.alchemy)
        fighter.alchemy += gained
        return gained

    def gain_link(self, fighter: Fighter, points: int) -> int:
        """Give link, and return what was not lost on the way (A2.2)."""
        gained = min(points, fighter.before.link_max - fighter.link)
        fighter.link += gained
        return gained

    def settle(self) -> State:
        """Return the state that the turn leaves: of the turn to come, or as the end of the duel left it.

        Once the duel is over, what is of the coming turn stays as it was for this one.
        """
        a, b = self.fighters
        if self.outcome is not None:
            return replace(
                self.state,
                a=a.settle(self.state.turn),
                b=b.settle(self.state.turn),
                first_post=self.first_post,
                outcome=self.outcome,
            )
        coming = self.state.turn + 1
        return replace(
            self.state,
            a=a.settle(coming),
            b=b.settle(coming),
            turn=coming,
            arena=self.arena,
            neutralised=self.neutralised,
            protected=self.protected,
            capsule=self.capsule,
            void_zone=self.void_zone,
            extra_turn=self.extra_turn,
            first_post=self.first_post,
        )


def begin(state: State, inputs: Inputs, dice: Dice, events: Iterable[Event]) -> Turn:
    """Return the turn to resolve, with what happened before its first step.

    Raises RulesError if a seat neither filed nor is at fault, or filed what cannot be played.
    """
    for seat in inputs.infractions:
        seat_of(seat)
    counted = [filed for filed in inputs.filings if filed.seat not in inputs.infractions]  # A6.2, A6.2a
    declared = {seat_of(filed.seat): _declaration(filed) for filed in counted}
    if len(declared) < len(counted):
        raise RulesError("a seat filed twice: only its last filing counts")
    for seat in SEATS:
        if seat not in declared and seat not in inputs.infractions:
            raise RulesError(f"seat {seat} has neither filed nor an infraction")
    return Turn(
        state=state,
        dice=dice,
        inputs=inputs,
        fighters=(Fighter("a", state.a, declared.get("a")), Fighter("b", state.b, declared.get("b"))),
        first_post=next(iter(declared), None),
        events=list(events),
        arena=state.arena,
        neutralised=state.neutralised,
        protected=state.protected,
        capsule=max(state.capsule - 1, 0),
    )


def _declaration(filed: Filed) -> Declaration:
    try:
        return filing.read(filed.content)
    except RulesError as error:
        raise RulesError(f"declaration of {filed.seat}: {error}") from error


def _lasting(effects: tuple[Effect, ...], turn: int) -> tuple[Effect, ...]:
    return tuple(effect for effect in effects if effect.last >= turn) if effects else ()
