"""Playing an arena duel in a test, turn by turn, in as few words as the rules use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import rules
from rules.core import Adjustment, Filed, Inputs
from rules.dice import ScriptedDice

ARENA = rules.get("arena")
ADULT = {"age": 25, "year": "adult", "receptacle": "right_leg", "late_preparation": False}  # 10 link
PUPIL = {"age": 16, "year": 6, "receptacle": "right_leg", "late_preparation": False}  # 6 link
SETUP = {"edition": "beta", "kind": "training", "turn_hours": 48, "arena": "four_winds", "technique_limit": 8}

# What is declared when a test says nothing: both thrusts land on an unprotected zone that is not the receptacle's,
# and neither zone is that of the turn before. By parity of the turn, then seat: (thrust, parry).
QUIET = {
    1: {"a": ("head", "torso"), "b": ("left_arm", "left_leg")},
    0: {"a": ("torso", "left_leg"), "b": ("right_arm", "head")},
}


def option(name: str, *zones: str, to: str | None = None) -> dict[str, Any]:
    """Return an option as it is filed."""
    return {"name": name, **({"zones": list(zones)} if zones else {}), **({"to": to} if to else {})}


class Bout:
    """A duel under way. Each die that a turn is given must be used; the wind blows no swap unless given."""

    def __init__(self, *, a: dict[str, Any] = ADULT, b: dict[str, Any] = ADULT, **setup: Any) -> None:
        terms = {**SETUP, **setup}
        if terms["edition"] == "classic":
            terms["technique_limit"] = None
        self.state = ARENA.start({**terms, "duellists": {"a": {**ADULT, **a}, "b": {**ADULT, **b}}}, ScriptedDice({}))
        self.events: tuple[Any, ...] = ()

    def turn(
        self,
        a: Any = None,
        b: Any = None,
        *,
        posted: str = "ab",
        late: str = "",
        choices: dict[str, str | None] | None = None,
        adjust: tuple[tuple[str, str, int], ...] = (),
        **dice: int,
    ) -> Bout:
        """Resolve a turn. A declaration is (thrust, parry) or (thrust, parry, option); an option alone, or nothing,
        goes with quiet zones. `late` seats commit an infraction.
        """
        if self.state.in_force("four_winds") and dice.get("discovery", 0) < 100:
            dice.setdefault("wind", 2)
        scripted = ScriptedDice(dice)
        opened = ARENA.open(self.state, scripted)
        self.state, self.events = opened.state, opened.events
        if self.state.outcome is None:
            filings = tuple(
                Filed(seat, self.declaration(seat, {"a": a, "b": b}[seat])) for seat in posted if seat not in late
            )
            self._close(
                Inputs(filings, dict.fromkeys(late, "late"), choices or {}, adjustments=tuple(_points(adjust))),
                scripted,
            )
        assert scripted.unused() == ()
        return self

    def stop(self, **how: Any) -> Bout:
        """Surrender, or agree on a draw."""
        self.events = ()
        self._close(Inputs(**how), ScriptedDice({}))
        return self

    def _close(self, inputs: Inputs, dice: ScriptedDice) -> None:
        step = ARENA.resolve(self.state, inputs, dice)
        self.state, self.events = step.state, (*self.events, *step.events)

    def declaration(self, seat: str, given: Any) -> dict[str, Any]:
        """Return a declaration as it is filed."""
        zones = given[:2] if isinstance(given, tuple) else QUIET[self.state.turn % 2][seat]
        used = given if isinstance(given, dict) else given[2] if isinstance(given, tuple) and len(given) > 2 else None
        return {"thrust": zones[0], "parry": zones[1], "option": used}

    def __getitem__(self, key: str) -> Any:
        """Return a part of the state as a case's `expect` names it."""
        return ARENA.summary(self.state)[key]

    @property
    def codes(self) -> list[str]:
        """What happened in the last turn, in order, each with its seat if it has one."""
        return [f"{event.code}:{event.seat}" if event.seat else event.code for event in self.events]

    def gauges(self, seat: str) -> tuple[int, int]:
        """Return link and alchemy."""
        return self[seat]["link"], self[seat]["alchemy"]


def _points(adjust: tuple[tuple[str, str, int], ...]) -> Iterator[Adjustment]:
    return (Adjustment(*given) for given in adjust)
