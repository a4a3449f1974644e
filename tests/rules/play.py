"""A random player of duels, for tests and benchmarks: `rules/` itself draws nothing at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rules.core import Adjustment, Choice, Filed, Inputs, Menu, Part, Ruleset, Seat, State, Status, Step

ZONES = ("head", "left_arm", "right_arm", "torso", "left_leg", "right_leg")

OPTIONS = {  # and how many zones each takes
    "rough_skin": 1, "gaping_hole": 2, "regenerating_sap": 0, "stealth_thrust": 0, "time_capsule": 0,
    "move_receptacle": 1, "change_arena": 0, "repair_receptacle": 0, "cancel_option": 0, "pin_receptacle": 0,
    "neutralise_arena": 0, "convert_points": 0,
}  # fmt: skip


@dataclass
class RandomDice:
    """Dice that draw; the same face each time for the same label."""

    random: Random
    rolled: dict[str, int] = field(default_factory=dict)

    def roll(self, label: str, faces: int) -> int:
        return self.rolled.setdefault(label, self.random.randint(1, faces))


@dataclass(frozen=True)
class Temper:
    """How a random duel goes: the chance of each thing in a turn, and the points that a referee may give.

    `careful` players avoid sanctions; `wild` ones declare an option that no menu offers, and that the rules must play
    all the same: above their year, past the limit, zones missing or equal.
    """

    infraction: float = 0.05
    forfeit: float = 0.1
    surrender: float = 0.005
    draw: float = 0.005
    adjustment: float = 0.05
    careful: float = 0.5
    wild: float = 0.1
    points: tuple[int, ...] = (-2, -1, 1, 2)


LIVELY = Temper()
STEADY = Temper(infraction=0, surrender=0, draw=0, adjustment=0, careful=1, wild=0)
LASTING = Temper(infraction=0, surrender=0, draw=0, adjustment=1, careful=1, wild=0, points=(4,))


@dataclass(frozen=True)
class Turn:
    """One turn as it was played: the state before it opened, as it opened, what closed it, the dice, and the step."""

    before: State
    opened: Step
    inputs: Inputs
    dice: dict[str, int]
    closed: Step


def terms(random: Random, **fixed: Any) -> dict[str, Any]:
    """Return terms of any edition, kind, turn length, ages and years, but for what is `fixed`."""
    kind = fixed.get("kind") or random.choice(("training", "clandestine", "tournament"))
    return {
        "edition": random.choice(("beta", "classic")),
        "kind": kind,
        "turn_hours": random.choice((24, 48)),
        "duellists": {seat: _duellist(random, kind) for seat in "ab"},
        **fixed,
    }


def _duellist(random: Random, kind: str) -> dict[str, Any]:
    student = kind == "clandestine" or random.random() < 0.5
    return {"age": random.randint(11, 100), "year": random.randint(1, 7) if student else "adult"}


def hidden(random: Random, setup: dict[str, Any], forgotten: float = 0.2) -> dict[str, Any]:
    """Return an announced setup with receptacles, some of them late or forgotten."""
    duellists = {
        seat: {
            **duellist,
            "receptacle": None if random.random() < forgotten else random.choice(ZONES),
            "late_preparation": random.random() < forgotten,
        }
        for seat, duellist in setup["duellists"].items()
    }
    return {**setup, "duellists": duellists}


def started(random: Random, ruleset: Ruleset, **fixed: Any) -> State:
    """Return the first state of a random duel."""
    setup = ruleset.announce(terms(random, **fixed), RandomDice(random))
    return ruleset.start(hidden(random, setup), RandomDice(random))


def duel(random: Random, ruleset: Ruleset, temper: Temper = LIVELY, **fixed: Any) -> Iterator[Turn]:
    """Play a random duel to its end."""
    state = started(random, ruleset, **fixed)
    while ruleset.status(state).outcome is None:
        dice = RandomDice(random)
        opened = ruleset.open(state, dice)
        if ruleset.status(opened.state).outcome is not None:
            yield Turn(state, opened, Inputs(), dice.rolled, Step(opened.state, ()))
            return
        given = inputs(random, ruleset, opened.state, temper)
        closed = ruleset.resolve(opened.state, given, dice)
        yield Turn(state, opened, given, dice.rolled, closed)
        state = closed.state


def inputs(random: Random, ruleset: Ruleset, state: State, temper: Temper) -> Inputs:
    """Return random inputs that close the open phase, drawn from the menus of its seats."""
    status = ruleset.status(state)
    choices, state = _choices(random, ruleset, state, status, temper)
    infractions = {
        seat: random.choice(("late", "invalid_post")) for seat in status.awaited if random.random() < temper.infraction
    }
    order = random.sample(status.awaited, len(status.awaited))
    return Inputs(
        filings=tuple(
            Filed(seat, _wild(random, filing(random, ruleset.awaits(state, seat), temper), temper))
            for seat in order
            if infractions.get(seat) != "late"
        ),
        infractions=infractions,
        choices=choices,
        surrender=random.choice("ab") if random.random() < temper.surrender else None,
        agreed_draw=random.random() < temper.draw,
        adjustments=(_adjustment(random, temper),) if random.random() < temper.adjustment else (),
    )


def _choices(
    random: Random, ruleset: Ruleset, state: State, status: Status, temper: Temper
) -> tuple[dict[Seat, str | None], State]:
    choices: dict[Seat, str | None] = {}
    for seat in status.owing:
        owed = ruleset.awaits(state, seat).owes
        assert owed is not None, f"{seat} owes a choice and is not asked for it"
        choices[seat] = None
        if random.random() >= temper.forfeit:
            choices[seat] = random.choice(offered(owed)).value
        state = ruleset.choose(state, seat, choices[seat]).state
    return choices, state


def _adjustment(random: Random, temper: Temper) -> Adjustment:
    return Adjustment(random.choice("ab"), random.choice(("link", "alchemy")), random.choice(temper.points))


def offered(part: Part) -> list[Choice]:
    """Return the choices of a part that are not refused."""
    return [choice for choice in part.choices if choice.refused is None]


def filing(random: Random, menu: Menu, temper: Temper = LIVELY) -> dict[str, Any]:
    """Return a filing drawn from a menu: every part answered, with what its choices ask for."""
    content: dict[str, Any] = {"thrust": None, "parry": None, "option": None}
    for part in menu.parts:
        _answer(random, content, part, temper)
    return content


def _wild(random: Random, content: dict[str, Any], temper: Temper) -> dict[str, Any]:
    if random.random() >= temper.wild:
        return content
    name, takes = random.choice(tuple(OPTIONS.items()))
    option: dict[str, Any] = {"name": name, "zones": random.choices(ZONES, k=random.randint(0, takes))}
    if name == "convert_points":
        option["to"] = random.choice(("link", "alchemy"))
    return {**content, "option": option}


def _answer(random: Random, content: dict[str, Any], part: Part, temper: Temper) -> None:
    choices = offered(part)
    if random.random() < temper.careful:
        choices = [choice for choice in choices if not choice.findings] or choices
    if not part.required and (not choices or random.random() < 0.3):
        return
    picked = random.sample(choices, part.count)
    _write(content, part, [choice.value for choice in picked])
    for inner in (inner for choice in picked for inner in choice.parts):
        _answer(random, content, inner, temper)


def _write(content: dict[str, Any], part: Part, values: list[str]) -> None:
    match part.field.split("."):
        case ["option"]:
            content["option"] = {"name": values[0]}
        case ["option", "zones"]:
            content["option"]["zones"] = values
        case ["option", inner]:
            content["option"][inner] = values[0]
        case [plain]:
            content[plain] = values[0]
