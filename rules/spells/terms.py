"""The vocabulary and the figures of the spell duel: seats, stage, gauges, bets and sanctions."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from rules.core import RulesError

SeatName = Literal["a", "b", "c", "d"]
Team = Literal[1, 2]
Mode = Literal["rp", "free"]
Format = Literal["1v1", "2v2"]
PhaseName = Literal["action", "defence"]
Level = Literal[1, 2, 3, 4, 5, 6, 7, 8]
Gauge = Literal["fatigue", "magic"]
Trait = Literal["legilimens", "occlumens", "dark_mage", "wandless"]
Fault = Literal["short_post", "edited", "referee"]
Out = Literal["fatigue", "disqualified", "surrender", "absence"]
Order = Literal["before", "after"]

SEATS: tuple[SeatName, ...] = get_args(SeatName)
SEATS_OF: dict[Format, tuple[SeatName, ...]] = {"1v1": ("a", "b"), "2v2": SEATS}
GAUGES: tuple[Gauge, ...] = get_args(Gauge)
FAULTS: tuple[Fault, ...] = get_args(Fault)

FIRST_ZONE, LAST_ZONE = 1, 11
STAGE = range(FIRST_ZONE, LAST_ZONE + 1)
FLOOR = (FIRST_ZONE - 1, LAST_ZONE + 1)
START_ZONES: dict[Team, int] = {1: 4, 2: 8}  # B3.1
OWN_ENDS: dict[Team, int] = {1: FLOOR[0], 2: FLOOR[1]}

# B4.1.1, B4.1.2, B4.1.6, jinx: the series that may be bet on, by the number of their faces.
TWO_FACES = ("1-2", "3-4", "5-6")
THREE_FACES = ("1-2-3", "4-5-6")
FOUR_FACES = ("1-2-3-4", "3-4-5-6")
FACES = 6

DODGE_COST = 2  # B4.2.1
FALL_COST = 1  # B5.3
ABSENCE_COSTS = (2, 4)  # B6.1
FAULTS_SANCTIONED = 2  # B6.3
QUIET_TURNS = 6  # B3.3.3
HOURS: Literal[48] = 48  # B1.4
TWO_TYPES_FROM = 6  # B2.5


class Gauges(NamedTuple):
    """What a duellist starts with, and can never have more of."""

    fatigue: int
    magic: int


_FIGURES = ((10, 5), (13, 7), (16, 8), (19, 10), (22, 12), (25, 15), (28, 18), (32, 20))
_GAUGES = tuple(Gauges(fatigue, magic) for fatigue, magic in _FIGURES)


def gauges(level: int) -> Gauges:
    """Return the starting gauges of a level, 1 to 8 (B2.4)."""
    return _GAUGES[level - 1]


def types_at(level: int) -> int:
    """Return how many types of magic a duellist of that level has (B2.5)."""
    return 2 if level >= TWO_TYPES_FROM else 1


def sanction(level: int) -> int:
    """Return the fatigue that a second action fault costs: a tenth of the start, rounded up (B6.3)."""
    return -(-gauges(level).fatigue // 10)


def team_of(seat: SeatName) -> Team:
    """Return the team of a seat: a and c against b and d."""
    return 1 if seat in ("a", "c") else 2


def seat_of(value: str) -> SeatName:
    """Return the seat that `value` names. Raises RulesError."""
    for seat in SEATS:
        if value == seat:
            return seat
    raise RulesError(f"unknown seat {value!r}: one of {', '.join(SEATS)}")


def wins(bet: str, face: int) -> bool:
    """Whether a die's face is in the series bet on."""
    return str(face) in bet.split("-")
