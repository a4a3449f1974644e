"""The rules of the duels: plain values in, plain values out. No clock, no randomness, no web."""

from __future__ import annotations

from rules.arena import ArenaRules
from rules.core import RulesError, Ruleset
from rules.spells import SpellRules

# Each ruleset's versions, oldest first: a duel pins the one that it began with.
_RULESETS: dict[str, tuple[Ruleset, ...]] = {"arena": (ArenaRules(),), "spells": (SpellRules(),)}


def names() -> tuple[str, ...]:
    """Return the names of the rulesets."""
    return tuple(_RULESETS)


def get(name: str, version: int | None = None) -> Ruleset:
    """Return a ruleset by its name, in its newest version unless one is asked for. Raises RulesError."""
    if name not in _RULESETS:
        raise RulesError(f"unknown ruleset {name!r}: there is {', '.join(_RULESETS)}")
    if version is None:
        return _RULESETS[name][-1]
    for ruleset in _RULESETS[name]:
        if ruleset.version == version:
            return ruleset
    raise RulesError(f"the ruleset {name!r} has no version {version!r}")
