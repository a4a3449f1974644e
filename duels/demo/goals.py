"""What the demo wants of a turn: each goal says how far a turn that might be played is from it, 0 being right there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rules.core import Event, Outcome, Seat

SANCTIONS = {"relentlessness", "cowardice", "repetition", "insufficient", "failed_option"}


class Prospect(NamedTuple):
    """A turn as it would come out: the state's summary before and after, what would happen, how it would end."""

    before: dict[str, Any]
    after: dict[str, Any]
    events: tuple[Event, ...]
    outcome: Outcome | None

    def lost(self, seat: Seat) -> int:
        """Return the link points that the seat would lose."""
        return int(self.before[seat]["link"] - self.after[seat]["link"])

    @property
    def sanctions(self) -> int:
        return sum(event.code in SANCTIONS for event in self.events)

    @property
    def gap(self) -> int:
        """Return by how much the gauges of the two would differ."""
        return sum(abs(self.after["a"][gauge] - self.after["b"][gauge]) for gauge in ("link", "alchemy"))


Goal = Callable[[Prospect], float]


def calm(turn: Prospect) -> float:
    """A turn like any other: nobody is sanctioned or loses much, and the duel goes on."""
    losses = sum(max(0, turn.lost(seat) - 1) for seat in "ab")
    return losses + turn.sanctions + 20 * (turn.outcome is not None)


def even(points: int) -> Goal:
    """Both lose so many link points, and their gauges stay equal: towards an extra turn (A13.2)."""

    def goal(turn: Prospect) -> float:
        losses = sum(abs(turn.lost(seat) - points) for seat in "ab")
        return losses + 5 * turn.gap + 50 * (turn.outcome is not None)

    return goal


def beaten(loser: Seat, points: int) -> Goal:
    """The loser loses so many link points, the other next to nothing."""
    winner = "b" if loser == "a" else "a"

    def goal(turn: Prospect) -> float:
        lost_the_wrong_way = turn.outcome is not None and turn.outcome.winner != winner
        return abs(turn.lost(loser) - points) + 2 * turn.lost(winner) + 50 * lost_the_wrong_way

    return goal


def decided(turn: Prospect) -> float:
    """The extra turn tells the two apart."""
    return float(turn.outcome is None or turn.outcome.by != "extra_turn")


def transformed(turn: Prospect) -> float:
    """In the coming turn `a` has a rough skin and `b` two decoys."""
    missing = (not turn.after["a"]["rough_skin"]) + (not turn.after["b"]["decoys"])
    return 3 * missing + calm(turn)


def trapped(turn: Prospect) -> float:
    """In the coming turn `a` has two decoys."""
    return 3 * (not turn.after["a"]["decoys"]) + calm(turn)


def caught(turn: Prospect) -> float:
    """A decoy of `a` is hit: `a` owes a choice (A10.2)."""
    return 3 * (not turn.after["a"]["owes_choice"]) + calm(turn)


def pierced(turn: Prospect) -> float:
    """The receptacle of `b` is pierced (A4.2)."""
    return 3 * (not turn.after["b"]["pierced"]) + calm(turn)
