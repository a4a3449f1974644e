"""The steps of a turn, as a referee reads it: each event under the one in which it happens (A14.0, « A turn »)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

Json = Mapping[str, Any]

_ARENA: dict[str | Promise, tuple[str, ...]] = {
    _("Zones named for decoys"): ("choice_forfeited", "zone_disabled"),
    _("Infractions"): ("infraction",),
    _("Sanctions"): ("relentlessness", "cowardice", "repetition", "insufficient"),
    _("Options"): (
        "failed_option", "option_cancelled", "move_pinned", "option_used", "arena_changed", "arena_neutralised",
    ),
    _("What the arena does"): ("swapped_zones", "shifted"),
    _("Thrusts and parries"): (
        "missed", "hit", "parried", "rough_skin_held", "decoy_hit", "stealth_struck", "pierced",
    ),
    _("Leaks"): ("leaked",),
    _("The referee’s points"): ("adjusted",),
    _("How it ends"): ("extra_turn", "duel_over", "discovered"),
    _("What the arena does at the end of the turn"): ("gauges_swapped", "zone_void"),
}  # fmt: skip
_OF_CODE = {code: step for step, codes in _ARENA.items() for code in codes}

_ABSENCES, _POSTS = _("Absences"), _("The posts, in their order")
_ANSWERS, _LANDING = _("Dodges and shields"), _("What got through, in the order cast")
_END_OF_TURN, _ENDS = pgettext_lazy("step", "The end of the turn"), _("How it ends")
_IN_ANSWERS = frozenset(
    {"action_fault", "sanction", "blocked", "dodged", "dodge_failed", "cast", "failed", "out_of_range", "succeeded",
     "healed", "cleansed"}
)  # fmt: skip


def steps(events: Iterable[Json], phase: str) -> Iterator[tuple[str, Json]]:
    """Yield each event with the name of its step; `phase` is the phase's own name ("turn", "action", "defence")."""
    step: str | Promise = ""
    for event in events:
        step = _OF_CODE[event["code"]] if phase == "turn" else _of_spells(event, phase, step)
        yield str(step), event


def _of_spells(event: Json, phase: str, before: str | Promise) -> str | Promise:
    """The step of an event of a spell duel; who goes out does so in the step that was under way."""
    code = event["code"]
    if code in ("absence", "duel_over"):
        return _ABSENCES if code == "absence" else _ENDS
    if code == "adjusted" or event.get("by") in ("hazard", "summon"):
        return _END_OF_TURN
    if code == "out" and before:
        return before
    if phase == "action":
        return _POSTS
    return _ANSWERS if code in _IN_ANSWERS else _LANDING
