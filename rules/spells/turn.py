"""The declaration being worked out: what its posts change, and how it becomes the next state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from rules.core import Adjustment, Dice, Outcome, RulesError
from rules.spells.casting import Scene
from rules.spells.state import Duellist, Event, Hazard, Insight, State, Summon, UnderWay
from rules.spells.terms import Fault, Gauge, Out, SeatName


class Turn(msgspec.Struct, eq=False):
    """A declaration being worked out. `state` is how its phase began; the rest is how things stand by now.

    `failed` are casters whose spell under way fails (B6.2), `dodgers` those who have dodged theirs, `shields` how many
    spells are still stopped for each seat. `lost` are the seats that went out in this declaration, in order.
    """

    state: State
    dice: Dice
    duellists: dict[SeatName, Duellist]
    events: list[Event]
    hazards: list[Hazard]
    summons: list[Summon]
    under_way: list[UnderWay]
    insights: list[Insight]
    adjustments: tuple[Adjustment, ...]
    stirred: bool
    began: dict[SeatName, Duellist]
    failed: set[SeatName]
    dodgers: set[SeatName]
    shields: dict[SeatName, int]
    lost: list[SeatName]
    outcome: Outcome | None = None

    def is_in(self, seat: SeatName) -> bool:
        """Whether that seat is still in."""
        return self.duellists[seat].out is None

    def standing(self) -> Iterator[SeatName]:
        """The seats still in, each looked at when its turn comes."""
        return (seat for seat in self.duellists if self.is_in(seat))

    def change(self, seat: SeatName, **parts: Any) -> None:
        """Let something of a duellist be otherwise from now on."""
        self.duellists[seat] = replace(self.duellists[seat], **parts)

    def tell(self, code: str, seat: SeatName | None, rule: str, **parts: Any) -> None:
        """Add an event."""
        self.events.append(Event(code, seat, rule, **parts))

    def lose(self, seat: SeatName, gauge: Gauge, points: int) -> int:
        """Take points away, not below 0, and return how many; without fatigue one is out at once (B3.3.1)."""
        duellist = self.duellists[seat]
        left: int = getattr(duellist, gauge)
        lost = min(points, left)
        if lost:
            self.change(seat, **{gauge: left - lost})
            self._fall(seat)
        return lost

    def gain(self, seat: SeatName, gauge: Gauge, points: int) -> int:
        """Give points, up to the starting gauge, and return how many."""
        duellist = self.duellists[seat]
        left: int = getattr(duellist, gauge)
        most: int = getattr(duellist.most, gauge)
        gained = min(points, most - left)
        if gained:
            self.change(seat, **{gauge: left + gained})
        return gained

    def hurt(self, seat: SeatName, points: int, rule: str, **parts: Any) -> None:
        """Take fatigue through a spell, a hazard or a creature (B3.3.3)."""
        lost = min(points, self.duellists[seat].fatigue)
        if lost:
            self.stirred = True
            self.tell("fatigue_lost", seat, rule, gauge="fatigue", points=lost, **parts)
            self.lose(seat, "fatigue", lost)

    def put_out(self, seat: SeatName, how: Out, rule: str) -> None:
        """B3.3.1"""
        self.change(seat, out=how)
        self.lost.append(seat)
        self.tell("out", seat, rule, by=how)

    def _fall(self, seat: SeatName) -> None:
        if self.duellists[seat].fatigue == 0 and self.is_in(seat):
            self.put_out(seat, "fatigue", "B3.3.1")

    def scene(self, seat: SeatName, *, disarmed: bool | None = None) -> Scene:
        """Return how things stand for a seat by now; `disarmed` as its post began, if that is another time."""
        return self._scene(seat, self.duellists, disarmed)

    def first_scene(self, seat: SeatName) -> Scene:
        """Return how things stood for a seat as the phase began (B4.3a)."""
        return self._scene(seat, self.began, None)

    def _scene(self, seat: SeatName, duellists: dict[SeatName, Duellist], disarmed: bool | None) -> Scene:
        return Scene(
            seat=seat,
            phase=self.state.phase,
            mode=self.state.mode,
            spells=self.state.spells,
            duellists=duellists,
            jinxed=self.began[seat].jinxed > 0,
            disarmed=not duellists[seat].wand if disarmed is None else disarmed,
        )

    def to_defence(self) -> State:
        """Return the state in which the defence phase of the same turn opens."""
        return replace(
            self.state,
            phase="defence",
            duellists=self.duellists,
            hazards=tuple(self.hazards),
            summons=tuple(self.summons),
            under_way=tuple(self.under_way),
            insights=tuple(self.insights),
            stirred=self.stirred,
            adjustments=self.adjustments,
        )

    def to_next_turn(self) -> State:
        """Return the state that the turn leaves, counted down: of the coming turn, unless the duel is over."""
        quiet = 0 if self.stirred else self.state.quiet_turns + 1
        coming = self.state.turn if self.outcome else self.state.turn + 1
        return replace(
            self.state,
            turn=coming,
            phase="action",
            duellists={seat: _counted_down(duellist) for seat, duellist in self.duellists.items()},
            hazards=tuple(replace(one, turns=one.turns - 1) for one in self.hazards if one.turns > 1),
            summons=tuple(replace(one, turns=one.turns - 1) for one in self.summons if one.turns > 1),
            under_way=(),
            insights=tuple(one for one in self.insights if one.turn >= coming),
            quiet_turns=quiet,
            stirred=False,
            adjustments=(),
            outcome=self.outcome,
        )


def _counted_down(duellist: Duellist) -> Duellist:
    return replace(
        duellist,
        bound=max(duellist.bound - 1, 0),
        silenced=max(duellist.silenced - 1, 0),
        jinxed=max(duellist.jinxed - 1, 0),
        floored=duellist.on_floor,
        cast=(),
        cast_before=duellist.cast,
    )


def begin(state: State, dice: Dice, adjustments: tuple[Adjustment, ...]) -> Turn:
    """Return the declaration to work out, as its phase stood."""
    return Turn(
        state=state,
        dice=dice,
        duellists=dict(state.duellists),
        events=[],
        hazards=list(state.hazards),
        summons=list(state.summons),
        under_way=list(state.under_way),
        insights=list(state.insights),
        adjustments=state.adjustments + adjustments,
        stirred=state.stirred,
        began=state.duellists,
        failed=set(),
        dodgers=set(),
        shields={},
        lost=[],
    )


def fault_of(name: str) -> Fault:
    """Return the fault found outside that `name` names. Raises RulesError."""
    match name:
        case "short_post" | "edited":
            return name
        case "referee" | "invalid_post":
            return "referee"
    raise RulesError(f"unknown fault {name!r}: one of short_post, edited, referee")
