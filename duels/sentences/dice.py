"""What the dice of a duel are rolled for, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from . import names
from .names import Words

DICE: Words = {
    "arena": gettext_lazy("arena drawn"),
    "technique_limit": gettext_lazy("limit of secret techniques"),
    "void_zone": gettext_lazy("void zone"),
    "wind": gettext_lazy("wind"),
    "shift": gettext_lazy("runic shift"),
    "new_arena": gettext_lazy("new arena"),
    "discovery": gettext_lazy("discovery"),
}
RULES = {
    "arena": "A12.1", "technique_limit": "A11.1", "void_zone": "A12.2", "wind": "A12.6", "shift": "A12.4",
    "new_arena": "A11.6", "discovery": "A3.2", "receptacle": "A4.1a", "cast": "B4.1.1", "dodge": "B4.2.1",
    "defend": "B4.1.1",
}  # fmt: skip
ROLLS: Words = {
    "cast": gettext_lazy("a spell of %(name)s"),
    "dodge": gettext_lazy("a dodge by %(name)s"),
    "defend": gettext_lazy("a defence spell of %(name)s"),
}


def die_name(label: str, cast: Mapping[str, Any]) -> str:
    """Return what a die was rolled for; some are rolled for a seat."""
    purpose, _colon, letter = label.partition(":")
    if purpose in ROLLS:
        return str(ROLLS[purpose]) % {"name": cast[letter]["name"]}
    if letter:
        return _("place of the receptacle, %(of_name)s") % {"of_name": names.of(str(cast[letter]["name"]))}
    return str(DICE.get(purpose, label))


def die_rule(label: str, phase: str | int) -> str:
    """Return the code of the rule for which a die was rolled in a phase, nothing for a label that no rule knows."""
    if label == "void_zone" and isinstance(phase, int):
        return "A12.3"  # it moves at the end of a turn
    return RULES.get(label.partition(":")[0], "")
