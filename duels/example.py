"""Two turns of each kind of duel, played through the rules themselves: the help pages say nothing else than they do."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

import rules
from duels.sentences import spells
from rules.core import Filed, Inputs
from rules.dice import ScriptedDice
from rules.spells.book import starter

CAST = {"a": {"name": "Ondine", "wand_hand": "right"}, "b": {"name": "Basile", "wand_hand": "left"}}
_SETUP = {
    "edition": "beta",
    "kind": "training",
    "turn_hours": 48,
    "arena": "four_winds",
    "technique_limit": 5,
    "duellists": {
        "a": {"age": 15, "year": 5, "receptacle": "torso"},
        "b": {"age": 16, "year": 6, "receptacle": "head"},
    },
}
_DECLARED: tuple[dict[str, dict[str, Any]], ...] = (
    {
        "a": {"thrust": "head", "parry": "torso", "option": {"name": "rough_skin", "zones": ["left_arm"]}},
        "b": {"thrust": "torso", "parry": "left_leg", "option": {"name": "time_capsule"}},
    },
    {
        "a": {"thrust": "head", "parry": "right_leg", "option": None},
        "b": {"thrust": "left_arm", "parry": "torso", "option": {"name": "repair_receptacle"}},
    },
)
_WIND = 3


class ExampleTurn(NamedTuple):
    """A turn: what was declared, what happened, and the view of the referee after it."""

    number: int
    declared: dict[str, dict[str, Any]]
    events: list[dict[str, Any]]
    view: dict[str, Any]


@cache
def played() -> tuple[ExampleTurn, ...]:
    """Return the turns of the example."""
    ruleset = rules.get("arena")
    state = ruleset.start(_SETUP, ScriptedDice({}))
    turns = []
    for number, declared in enumerate(_DECLARED, 1):
        inputs = Inputs(filings=tuple(Filed(seat, content) for seat, content in declared.items()))
        step = ruleset.resolve(state, inputs, ScriptedDice({"wind": _WIND}))
        state, events = step.state, json.loads(ruleset.encode(step.events))
        turns.append(ExampleTurn(number, declared, events, ruleset.view(state, "referee")))
    return tuple(turns)


class ExamplePhase(NamedTuple):
    """A phase of a spell duel: who posted what, in their order, what happened, and the public view after it."""

    number: int
    name: str
    filed: tuple[tuple[str, dict[str, Any]], ...]
    events: list[dict[str, Any]]
    view: dict[str, Any]

    @property
    def declared(self) -> list[tuple[str, str]]:
        """Who posted, and what, in the reader's language."""
        book = _incantations()
        said = [
            (
                CAST[seat]["name"],
                [spells.declared(step, CAST, book) for step in declaration.get("steps", [declaration])],
            )
            for seat, declaration in self.filed
        ]
        return [(name, spells.one_after_the_other(steps)) for name, steps in said]

    @property
    def told(self) -> list[tuple[str, str]]:
        """What happened, in the reader's language, and the code of the rule that each sentence comes from."""
        book = _incantations()
        return [(spells.spell_sentence(event, CAST, book), event["rule"]) for event in self.events]


_SPELL_TERMS = {
    "mode": "free",
    "format": "1v1",
    "duellists": {"a": {"level": 3, "types": ["fire"]}, "b": {"level": 3, "types": ["water"]}},
}


def _cast(spell: str, target: str, bet: str, *, bonus: bool = False) -> dict[str, Any]:
    return {"do": "cast", "spell": spell, "target": target, "bet": bet, "bonus": bonus}


_POSTED: tuple[tuple[tuple[tuple[str, dict[str, Any]], ...], dict[str, int]], ...] = (
    (
        (
            ("a", {"steps": [_cast("flammula", "b", "1-2-3", bonus=True)]}),
            ("b", {"steps": [{"do": "move", "to": 7}, _cast("undula", "a", "4-5-6", bonus=True)]}),
        ),
        {"cast:a": 2, "cast:b": 3},
    ),
    ((("b", {"do": "dodge", "bet": "4-5-6"}),), {"dodge:b": 5}),
    (
        (
            ("b", {"steps": [_cast("glacies", "a", "3-4-5-6")]}),
            ("a", {"steps": [{"do": "move", "to": 5}, _cast("lancea", "b", "4-5-6", bonus=True)]}),
        ),
        {"cast:a": 6, "cast:b": 4},
    ),
    (
        (("a", {"do": "cast", "spell": "protego"}), ("b", {"do": "dodge", "bet": "1-2-3"})),
        {"dodge:b": 4},
    ),
)


@cache
def spells_played() -> tuple[ExamplePhase, ...]:
    """Return the phases of the example of a spell duel, with spells of the starter book."""
    ruleset = rules.get("spells")
    state = ruleset.start(ruleset.announce(_SPELL_TERMS, ScriptedDice({})), ScriptedDice({}))
    phases = []
    for posted, dice in _POSTED:
        opened = ruleset.status(state)
        inputs = Inputs(filings=tuple(Filed(seat, content) for seat, content in posted))
        step = ruleset.resolve(state, inputs, ScriptedDice(dice))
        state, events = step.state, json.loads(ruleset.encode(step.events))
        phases.append(ExamplePhase(opened.turn, opened.phase, posted, events, ruleset.view(state, "public")))
    return tuple(phases)


@cache
def _incantations() -> dict[str, str]:
    return {spell.code: spell.name for spell in starter().spells}
