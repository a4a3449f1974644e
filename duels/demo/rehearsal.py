"""Finding the declarations that bring a turn where the demo wants it.

The loader holds the keys, so it may rehearse: it draws declarations from the menus, works the turn out with the
duel's own dice, and keeps the pair that comes nearest to the goal. What it then files is filed like anybody's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import inf
from random import Random
from typing import Any

from duels import secrets
from duels.actions.filing import state_now
from duels.models import Duel, Phase
from rules.core import Choice, Filed, Inputs, Menu, Part, Seat

from .goals import Goal, Prospect

DRAWN = 4  # declarations of each seat for each option that brings no warning, and more without; any pair may be tried
Declarations = dict[Seat, dict[str, Any]]


def declarations(
    duel: Duel, phase: Phase, goal: Goal, random: Random, *, order: Sequence[Seat], infractions: dict[Seat, str]
) -> Declarations:
    """Return what the two should file in the open turn, in that `order`, to come nearest to the goal."""
    state = state_now(duel, phase)
    pairs = product(*(_drawn(duel.rules.awaits(state, seat), random) for seat in order))
    rehearse = _rehearsal(duel, phase, infractions)
    best, distance = next(pairs), inf
    for pair in pairs:
        if (now := goal(rehearse(pair))) < distance:
            best, distance = pair, now
        if not distance:
            break
    return {one.seat: one.content for one in best}


def _drawn(menu: Menu, random: Random) -> list[Filed]:
    offered = _offered(next(part for part in menu.parts if not part.required))
    options = [*[None] * 5, *(option for option in offered if not option.findings)]
    drawn = [Filed(menu.seat, draw(menu, option, random)) for option in options for _ in range(DRAWN)]
    return random.sample(drawn, len(drawn))


def _rehearsal(duel: Duel, phase: Phase, infractions: dict[Seat, str]) -> Callable[[tuple[Filed, ...]], Prospect]:
    """Return what works the turn out for given filings."""
    rules, state, dice = duel.rules, secrets.state(duel), secrets.dice_of(duel, phase)
    before = rules.summary(state)
    choices = {**dict.fromkeys(rules.status(state).owing), **phase.choices}

    def rehearse(filings: tuple[Filed, ...]) -> Prospect:
        step = rules.resolve(state, Inputs(filings=filings, infractions=infractions, choices=choices), dice)
        return Prospect(before, rules.summary(step.state), step.events, rules.status(step.state).outcome)

    return rehearse


def draw(menu: Menu, option: Choice | None, random: Random) -> dict[str, Any]:
    """Return a declaration with that option, its zones mostly among those that bring no sanction or warning."""
    zones = {part.field: _pick(part, random)[0] for part in menu.parts if part.required}
    return {**zones, "option": option and _completed(option, random)}


def _completed(option: Choice, random: Random) -> dict[str, Any]:
    declared: dict[str, Any] = {"name": option.value}
    for part in option.parts:
        values = _pick(part, random)
        declared[part.field.removeprefix("option.")] = values if part.field == "option.zones" else values[0]
    return declared


def _pick(part: Part, random: Random) -> list[str]:
    choices = _offered(part)
    plain = [choice for choice in choices if not choice.findings]
    if len(plain) >= part.count and random.random() < 0.7:
        choices = plain
    return [choice.value for choice in random.sample(choices, part.count)]


def _offered(part: Part) -> list[Choice]:
    """What may be chosen; no time capsule, which would let a deadline pass before the demo is even loaded."""
    return [choice for choice in part.choices if choice.refused is None and choice.value != "time_capsule"]
