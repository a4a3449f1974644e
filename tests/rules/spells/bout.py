"""Short ways to set up and play a spell duel in a test."""

from __future__ import annotations

from typing import Any

import rules
from rules.core import Filed, Inputs, Step
from rules.dice import ScriptedDice
from rules.spells.state import State

SPELLS = rules.get("spells")

EMBER = {"code": "ember", "level": 1, "range": 5, "type": "fire", "effects": [{"do": "fatigue", "points": 2}],
         "bonus": [{"do": "fatigue", "points": 1}],
         "modulation": {"level": 3, "effects": [{"do": "fatigue", "points": 4}]}}  # fmt: skip
FLASH = {"code": "flash", "level": 2, "range": 6, "type": "light", "tags": ["auto"],
         "effects": [{"do": "fatigue", "points": 1}]}  # fmt: skip
HUSH = {"code": "hush", "level": 1, "range": 9, "type": "air", "tags": ["auto"],
        "effects": [{"do": "silence", "turns": 1}]}  # fmt: skip
RACK = {"code": "rack", "level": 1, "range": 6, "type": "shadow", "tags": ["curse"],
        "effects": [{"do": "fatigue", "points": 1}]}  # fmt: skip
FOG = {"code": "fog", "level": 1, "range": 4, "type": "water", "tags": ["zone"],
       "effects": [{"do": "fatigue", "points": 1}]}  # fmt: skip
FREE = {"code": "free", "level": 1, "type": "light", "tags": ["auto", "defence"], "effects": [{"do": "cleanse"}],
        "helps_partner": True}  # fmt: skip
WARD = {"code": "ward", "level": 1, "type": "water", "tags": ["auto", "defence"],
        "effects": [{"do": "shield", "scope": "self"}]}  # fmt: skip
MIND = {"code": "legilimens", "level": 8, "range": 6, "type": "mind", "tags": ["auto"], "effects": [{"do": "reveal"}]}
BOOK = [EMBER, FLASH, HUSH, RACK, FOG, FREE, WARD, MIND]


def entrant(level: int = 1, *types: str, **traits: int) -> dict[str, Any]:
    chosen = types or (("metal",) if level < 6 else ("metal", "wood"))
    return {"level": level, "types": list(chosen), "traits": traits}


def duel(*entrants: dict[str, Any], spells: list[dict[str, Any]] = BOOK) -> State:
    """Return the first state of a duel between two, or four, in the order of their seats."""
    setup = {
        "mode": "rp",
        "format": "1v1" if len(entrants) == 2 else "2v2",
        "spells": spells,
        "duellists": dict(zip("abcd", entrants, strict=False)),
    }
    return SPELLS.start(setup, ScriptedDice({}))


def cast(spell: str, target: str | None = None, bet: str | None = None, **options: Any) -> dict[str, Any]:
    named = {"target": target, "bet": bet, **options}
    return {"do": "cast", "spell": spell, **{key: value for key, value in named.items() if value is not None}}


def act(state: State, posts: dict[str, Any], dice: dict[str, int] | None = None, **inputs: Any) -> Step:
    """Close the open phase with the posts in their order: steps in the action phase, one answer in the other."""
    filings = tuple(Filed(seat, {"steps": post} if isinstance(post, list) else post) for seat, post in posts.items())
    return SPELLS.resolve(state, Inputs(filings=filings, **inputs), ScriptedDice(dice or {}))


def codes(step: Step) -> list[str]:
    return [event.code if event.seat is None else f"{event.code}:{event.seat}" for event in step.events]
