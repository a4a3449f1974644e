"""The vocabulary and the figures of the arena: zones, arenas, options and what they cost."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeVar, get_args

from rules.core import Cost, RulesError

T = TypeVar("T")

SeatName = Literal["a", "b"]
Zone = Literal["head", "left_arm", "right_arm", "torso", "left_leg", "right_leg"]
Arena = Literal["playful_sand", "runic_rocks", "verdant_circles", "four_winds"]
Direction = Literal["up", "down", "left", "right"]
Gauge = Literal["link", "alchemy"]
Edition = Literal["beta", "classic"]
Kind = Literal["training", "clandestine", "tournament"]
Hours = Literal[24, 48]
Year = Literal[1, 2, 3, 4, 5, 6, 7, "adult"]
Infraction = Literal["late", "invalid_post"]
OptionName = Literal[
    "rough_skin",
    "gaping_hole",
    "regenerating_sap",
    "stealth_thrust",
    "time_capsule",
    "move_receptacle",
    "change_arena",
    "repair_receptacle",
    "cancel_option",
    "pin_receptacle",
    "neutralise_arena",
    "convert_points",
]

SEATS: tuple[SeatName, SeatName] = ("a", "b")
ZONES: tuple[Zone, ...] = get_args(Zone)
ARENAS: tuple[Arena, ...] = get_args(Arena)
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
GAUGES: tuple[Gauge, ...] = get_args(Gauge)
INFRACTIONS: tuple[Infraction, ...] = get_args(Infraction)

FIRST_ALCHEMY, MOST_ALCHEMY = 5, 8  # A2.2
LAST_INFRACTION = 3  # A6.2
EFFECT_TURNS = 2  # A10.1, A10.2, A10.2b, A11 year 6
CAPSULE_TURNS = 3  # A10.5
CONVERTED = 2  # A11 year 7

_YOUNGEST = 11
_LINK_BY_DECADE = (6, 10, 14, 18, 22, 18, 14, 10, 6)  # A2.1: 11-20, 21-30, …, 91 and over

# A12.4a: where each direction takes a zone; a zone that is absent leaves the puppet.
SHIFTS: dict[Direction, dict[Zone, Zone]] = {
    "up": {"torso": "head", "left_leg": "left_arm", "right_leg": "right_arm"},
    "down": {"head": "torso", "left_arm": "left_leg", "right_arm": "right_leg"},
    "left": {"right_arm": "torso", "torso": "left_arm", "right_leg": "left_leg"},
    "right": {"left_arm": "torso", "torso": "right_arm", "left_leg": "right_leg"},
}


class OptionRule(NamedTuple):
    """What the rules say of an option: `year` is 0 for a transformation, `zones` how many it takes."""

    rule: str
    year: int = 0
    zones: int = 0
    classic: Cost | None = None


# Articles 10 and 11. What `convert_points` costs depends on its direction: see `cost`.
OPTIONS: dict[OptionName, OptionRule] = {
    "rough_skin": OptionRule("A10.1", zones=1),
    "gaping_hole": OptionRule("A10.2", zones=2),
    "regenerating_sap": OptionRule("A10.3"),
    "stealth_thrust": OptionRule("A10.4"),
    "time_capsule": OptionRule("A10.5"),
    "move_receptacle": OptionRule("A11.0", 1, zones=1, classic=Cost("link", 1)),
    "change_arena": OptionRule("A11.6", 2, classic=Cost("alchemy", 1)),
    "repair_receptacle": OptionRule("A4.2", 3, classic=Cost("link", 1)),
    "cancel_option": OptionRule("A11.2", 4, classic=Cost("alchemy", 1)),
    "pin_receptacle": OptionRule("A11.2", 5, classic=Cost("link", 2)),
    "neutralise_arena": OptionRule("A11.6", 6, classic=Cost("alchemy", 2)),
    "convert_points": OptionRule("A11.5", 7),
}

_TRANSFORMATION = Cost("alchemy", 1)
_COSTS: dict[Edition, dict[OptionName, Cost | None]] = {
    "beta": {name: None if rule.year else _TRANSFORMATION for name, rule in OPTIONS.items()},
    "classic": {name: rule.classic if rule.year else _TRANSFORMATION for name, rule in OPTIONS.items()},
}
_CONVERSION: dict[Gauge | None, Cost | None] = {
    "alchemy": Cost("link", CONVERTED),
    "link": Cost("alchemy", CONVERTED),
    None: None,
}


def starting_link(age: int) -> int:
    """Return the link that a character of `age` years starts with (A2.1). Raises RulesError under 11."""
    if age < _YOUNGEST:
        raise RulesError(f"a duellist of {age}: they must be at least {_YOUNGEST} (A2.1)")
    return _LINK_BY_DECADE[min((age - _YOUNGEST) // 10, len(_LINK_BY_DECADE) - 1)]


def need(edition: Edition, name: OptionName, to: Gauge | None) -> Cost | None:
    """Return what must be there for an option: what it costs or converts (A10.7, A11.3)."""
    return _CONVERSION[to] if name == "convert_points" else _COSTS[edition][name]


def cost(edition: Edition, name: OptionName, to: Gauge | None) -> Cost | None:
    """Return what an edition makes an option cost, cancelled or not (articles 10 and 11, A11.2)."""
    return None if edition == "beta" and name == "convert_points" else need(edition, name, to)


def named(what: str, value: str, known: tuple[T, ...]) -> T:
    """Return the one of `known` that `value` names. Raises RulesError, which says `what` it is to be."""
    for one in known:
        if value == one:
            return one
    raise RulesError(f"unknown {what} {value!r}: one of {', '.join(map(str, known))}")


def seat_of(value: str) -> SeatName:
    """Return the seat that `value` names. Raises RulesError."""
    if value == "a":
        return "a"
    return "b" if value == "b" else named("seat", value, SEATS)


def face_of(faces: tuple[T, ...], face: int) -> T:
    """Return what a die's face stands for, counted from 1 in the order of `faces`."""
    return faces[face - 1]
