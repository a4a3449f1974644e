"""Simple strategies for the arena: each takes from its menu at random, some of them wary of sanctions."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import rules
from rules.core import Choice, Filed, Inputs, Menu, Part, State
from rules.simulation.tables import Duel, Side

ZONES = ("head", "left_arm", "right_arm", "torso", "left_leg", "right_leg")
STYLES = ("wary", "rash")


class _Dice:
    """Dice that draw, the same face each time for the same label."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._rolled: dict[str, int] = {}

    def roll(self, label: str, faces: int) -> int:
        return self._rolled.setdefault(label, self._random.randint(1, faces))


def play(seed: str) -> Duel:
    """Play one training duel between two of the same age and year, by the same style."""
    random = Random(seed)  # noqa: S311
    ruleset = rules.get("arena")
    setup = _setup(random)
    state = ruleset.start(setup, _Dice(random))
    style, first = random.choice(STYLES), random.choice("ab")
    used: Counter[str] = Counter()
    succeeded: Counter[str] = Counter()
    while (status := ruleset.status(state)).outcome is None:
        opened = ruleset.open(state, _Dice(random)).state
        step = ruleset.resolve(opened, _inputs(random, opened, status.owing, style, first), _Dice(random))
        for event in step.events:
            name = getattr(event, "option", None)
            if event.code in ("option_used", "failed_option", "option_cancelled", "move_pinned") and name:
                used[name] += 1
                succeeded[name] += event.code == "option_used"
        state = step.state
    winner = status.outcome.winner
    sides = tuple(_side(seat, first, winner, setup) for seat in "ab")
    return Duel(status.turn, status.outcome.by, sides, dict(used), dict(succeeded))


def _setup(random: Random) -> dict[str, Any]:
    year = random.choice((1, 2, 3, 4, 5, 6, 7, "adult"))
    age = random.randint(18, 60) if year == "adult" else 10 + int(year)
    duellists = {seat: {"age": age, "year": year, "receptacle": random.choice(ZONES)} for seat in "ab"}
    terms = {"edition": "beta", "kind": "training", "turn_hours": 48, "duellists": duellists}
    setup: dict[str, Any] = rules.get("arena").announce(terms, _Dice(random))
    return setup


def _side(seat: str, first: str, winner: str | None, setup: dict[str, Any]) -> Side:
    labels: dict[str, tuple[str, ...]] = {
        "side": (seat,),
        "posts": ("first" if seat == first else "second",),
        "year": (str(setup["duellists"][seat]["year"]),),
        "arena": (setup["arena"],),
    }
    return Side(labels, 0.5 if winner is None else float(winner == seat))


def _inputs(random: Random, state: State, owing: tuple[str, ...], style: str, first: str) -> Inputs:
    ruleset = rules.get("arena")
    choices: dict[str, str | None] = {}
    for seat in owing:
        owed = ruleset.awaits(state, seat).owes
        choices[seat] = random.choice(owed.choices).value if owed else None
        state = ruleset.choose(state, seat, choices[seat]).state
    order = sorted("ab", reverse=first == "b")
    filings = tuple(Filed(seat, _filing(random, ruleset.awaits(state, seat), style)) for seat in order)
    return Inputs(filings=filings, choices=choices)


def _filing(random: Random, menu: Menu, style: str) -> dict[str, Any]:
    content: dict[str, Any] = {"option": None}
    for part in menu.parts:
        if part.field != "option":
            content[part.field] = _pick(random, part, style)[0].value
        elif random.random() < 0.7:
            content["option"] = _option(random, part, style)
    return content


def _option(random: Random, part: Part, style: str) -> dict[str, Any] | None:
    picked = _pick(random, part, style)
    if not picked:
        return None
    option: dict[str, Any] = {"name": picked[0].value}
    for inner in picked[0].parts:
        values = [choice.value for choice in _pick(random, inner, style)]
        option[inner.field.removeprefix("option.")] = values if inner.field == "option.zones" else values[0]
    return option


def _pick(random: Random, part: Part, style: str) -> list[Choice]:
    """As many choices as the part takes; without sanctions where a wary one can."""
    offered = [choice for choice in part.choices if choice.refused is None]
    safe = [choice for choice in offered if not choice.findings]
    pool = safe if style == "wary" and len(safe) >= part.count else offered
    return random.sample(pool, part.count) if len(pool) >= part.count else []
