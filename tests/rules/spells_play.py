"""A random player of spell duels, for tests and benchmarks: it takes from the menus, and sometimes errs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from rules.core import Adjustment, Choice, Filed, Inputs, Menu, Part, Ruleset, State, Step
from rules.spells.book import starter
from tests.rules.play import RandomDice, offered

TRAITS = ("legilimens", "occlumens", "dark_mage", "wandless")


@dataclass(frozen=True)
class Phase:
    """One phase as it was played."""

    opened: State
    inputs: Inputs
    dice: dict[str, int]
    closed: Step


def terms(random: Random, **fixed: Any) -> dict[str, Any]:
    """Return terms of any mode, format, levels, types and traits, but for what is `fixed`."""
    kind = fixed.get("format") or random.choice(("1v1", "2v2"))
    seats = "ab" if kind == "1v1" else "abcd"
    return {
        "mode": random.choice(("rp", "free")),
        "format": kind,
        "duellists": {seat: entrant(random) for seat in seats},
        **fixed,
    }


def entrant(random: Random) -> dict[str, Any]:
    level = random.randint(1, 8)
    return {
        "level": level,
        "types": random.sample(sorted(starter().types), 2 if level > 5 else 1),
        "traits": {trait: random.randint(1, 3) for trait in TRAITS if random.random() < 0.3},
        "prodigium": random.random() < 0.3,
    }


@cache
def _spells(ruleset: Ruleset) -> list[Any]:
    free = {"mode": "free", "format": "1v1", "duellists": {s: {"level": 1, "types": ["fire"]} for s in "ab"}}
    return ruleset.announce(free, RandomDice(Random(0)))["spells"]


def started(random: Random, ruleset: Ruleset, **fixed: Any) -> State:
    return ruleset.start({**terms(random, **fixed), "spells": _spells(ruleset)}, RandomDice(random))


def duel(random: Random, ruleset: Ruleset, **fixed: Any) -> Iterator[Phase]:
    """Play a random duel to its end."""
    state = started(random, ruleset, **fixed)
    while ruleset.status(state).outcome is None:
        played = phase(random, ruleset, state)
        yield played
        state = played.closed.state


def phase(random: Random, ruleset: Ruleset, state: State) -> Phase:
    dice = RandomDice(random)
    given = inputs(random, ruleset, state)
    return Phase(state, given, dice.rolled, ruleset.resolve(state, given, dice))


def inputs(random: Random, ruleset: Ruleset, state: State) -> Inputs:
    """Return random inputs that close the open phase, drawn from the menus of its seats."""
    status = ruleset.status(state)
    present = [seat for seat in status.awaited if random.random() < 0.95]
    order = random.sample(present, len(present))
    faults = {seat: random.choice(("short_post", "edited", "referee")) for seat in order if random.random() < 0.03}
    adjustments = ()
    if random.random() < 0.05:
        points = random.choice((-3, -1, 2))
        adjustments = (Adjustment(random.choice(status.standing), random.choice(("fatigue", "magic")), points),)
    return Inputs(
        filings=tuple(Filed(seat, filing(random, ruleset.awaits(state, seat))) for seat in order),
        infractions=faults,
        surrender=random.choice(status.standing) if random.random() < 0.005 else None,
        agreed_draw=random.random() < 0.002,
        adjustments=adjustments,
    )


def filing(random: Random, menu: Menu) -> dict[str, Any]:
    """Return a post drawn from a menu."""
    parts = {part.field: part for part in menu.parts}
    if "do" in parts:
        return answer(random, random.choice(offered(parts["do"])))
    steps = [random.choice(steps_of(random, part)) for part in parts.values() if steps_of(random, part)]
    kept = [step for step in steps if random.random() < 0.8]
    if any(step["do"] == "cast" for step in kept):
        kept = [step for step in kept if step["do"] != "retrieve"]
    random.shuffle(kept)
    content: dict[str, Any] = {"steps": kept}
    if "order" in parts:
        content["order"] = random.choice(parts["order"].choices).value
    return content


def steps_of(random: Random, part: Part) -> list[dict[str, Any]]:
    """Return a step for each choice that a part of an action menu offers."""
    if part.field in ("move", "climb"):
        return [{"do": part.field, "to": int(choice.value)} for choice in offered(part)]
    if part.field == "retrieve":
        return [{"do": "retrieve"} for _ in offered(part)]
    if part.field == "cast":
        return [cast(random, choice) for choice in offered(part)]
    return []


def answer(random: Random, choice: Choice) -> dict[str, Any]:
    """Return an answer of the defence phase."""
    if choice.value == "cast":
        return cast(random, random.choice(offered(choice.parts[0])))
    bets = {part.field: random.choice(part.choices).value for part in choice.parts}
    return {"do": choice.value, **bets}


def cast(random: Random, spell: Choice) -> dict[str, Any]:
    """Return one way to cast a spell of a menu, aimed somewhere that it offers."""
    step: dict[str, Any] = {"do": "cast", "spell": spell.value}
    for part in spell.parts:
        picked = random.choice(offered(part))
        if part.field == "cast.way":
            step |= way(picked.value)
            for inner in picked.parts:
                step["bet"] = random.choice(inner.choices).value
        elif part.field == "cast.zone":
            step["zone"] = int(picked.value)
        else:
            step["target"] = picked.value
    return step


def way(value: str) -> dict[str, bool]:
    """Return the options that a way of casting stands for."""
    return {} if value == "plain" else dict.fromkeys(value.split("+"), True)
