"""What the desk calls the dice of a turn."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from duels.models import Duel

DICE = {
    "wind": _("The four winds (1: thrust and parry are swapped)"),
    "shift": _("The runic rocks (1 up, 2 down, 3 left, 4 right)"),
    "void_zone": _("The void zone of the coming turn"),
    "new_arena": _("The arena that replaces this one"),
    "discovery": _("Discovery of a clandestine duel"),
}

ROLLS = {
    "cast": _("A spell of %(name)s"),
    "dodge": _("A dodge by %(name)s"),
    "defend": _("A defence spell of %(name)s"),
}


def die_name(label: str, duel: Duel) -> str:
    """Return what a die of a turn was rolled for; some are rolled for a seat."""
    purpose, _colon, letter = label.partition(":")
    if purpose in ROLLS:
        return str(ROLLS[purpose]) % {"name": duel.name_of(letter)}
    return str(DICE.get(label, label))
