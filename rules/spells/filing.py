"""What a duellist posts in a phase: steps in the action phase, one answer in the defence phase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from rules.core import RulesError
from rules.spells.book import Spell
from rules.spells.terms import Order, PhaseName, SeatName


class _Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower):
    """One thing done. What it should say and does not is a fault of the post (B6.2), not of its form."""


class Cast(_Step, frozen=True, omit_defaults=True):
    """Casting a spell. A target, a zone or a bet that the spell does not take is passed over."""

    spell: str
    target: SeatName | None = None
    zone: int | None = None
    bet: str | None = None
    bonus: bool = False
    modulation: bool = False
    half_cost: bool = False
    wandless: bool = False


class Retrieve(_Step, frozen=True):
    """Picking up one's wand."""


class Move(_Step, frozen=True):
    """Walking to a zone of the stage."""

    to: int | None = None


class Climb(_Step, frozen=True):
    """Climbing from the floor back to a zone of the stage."""

    to: int | None = None


class Dodge(_Step, frozen=True):
    """Dodging the first spell under way that one is aimed at by."""

    bet: str | None = None


class Nothing(_Step, frozen=True):
    """Answering that one does nothing."""


Step = Cast | Retrieve | Move | Climb | Dodge | Nothing


class Post(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A post as it is played. `order`: a Legilimens says whether theirs comes before or after the target's (B7.1)."""

    steps: tuple[Step, ...]
    order: Order | None = None


def read(content: Any, phase: PhaseName) -> Post:
    """Return a post from its JSON: `{"steps": [...]}` in the action phase, one step in the other.

    Raises RulesError if it is not well formed.
    """
    try:
        if phase == "action":
            return msgspec.convert(content, Post)
        return Post((msgspec.convert(content, Step),))
    except (msgspec.ValidationError, RecursionError) as error:
        raise RulesError(str(error)) from error


_LACKING = ("target", "zone", "to", "bet")  # what the right to correct may add


def completes(before: Any, after: Any, spells: Mapping[str, Spell]) -> bool:
    """Say whether `after` is the filing `before`, as JSON, with nothing but a missing zone, target or bet added (B6.4).

    Never raises: what cannot be read completes nothing, unless it is the same.
    """
    one, other = _steps(before), _steps(after)
    if not isinstance(before, dict) or not isinstance(after, dict) or len(one) != len(other):
        return False
    outer = {key: part for key, part in before.items() if key != "steps"}
    if one and outer != {key: part for key, part in after.items() if key != "steps"}:
        return False
    pairs = zip(one or [before], other or [after], strict=True)
    return all(_completed(step, full, spells) for step, full in pairs)


def _steps(content: Any) -> list[Any]:
    steps = content.get("steps") if isinstance(content, dict) else None
    return steps if isinstance(steps, list) else []


def _completed(before: Any, after: Any, spells: Mapping[str, Spell]) -> bool:
    if not isinstance(before, dict) or not isinstance(after, dict):
        return False
    kept = {key: part for key, part in before.items() if part is not None or key not in _LACKING}
    added = {key for key in after if key not in kept}
    return all(key in after and after[key] == part for key, part in kept.items()) and added <= _asked(before, spells)


def _asked(step: dict[str, Any], spells: Mapping[str, Spell]) -> set[str]:
    """What a step has to say. The target of a spell that one casts on oneself does not lack when it is left out
    (B4.1.8): naming a partner afterwards would change a valid post.
    """
    if step.get("do") != "cast":
        return {"to", "bet"}
    code = step.get("spell")
    spell = spells.get(code) if isinstance(code, str) else None
    if spell is None:
        return {"bet"}
    aims = {"zone": spell.names_zone, "target": spell.aims_at_opponent}
    return {"bet", *(aim for aim, is_asked in aims.items() if is_asked)}
