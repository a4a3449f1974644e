"""Where the puppets stood before a turn and after it, in rows for the referee, secrets included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.sentences import names

View = Mapping[str, Any]


class Row(NamedTuple):
    """One thing about a puppet, before the turn and after it, in words."""

    label: str
    before: str
    after: str

    @property
    def has_changed(self) -> bool:
        return self.before != self.after


def rows(before: View, after: View, letter: str) -> list[Row]:
    """Return what the referee's views say of a seat, in the order in which it is read."""
    then, now = before["seats"][letter], after["seats"][letter]
    said = {**_SAID, **_SAID_OF_SPELLS}
    return [Row(str(label), say(then[key]), say(now[key])) for key, (label, say) in said.items() if key in then]


def _zone(zone: str | None) -> str:
    return str(names.ZONES[zone]) if zone else "–"


def _effects(effects: list[Mapping[str, Any]]) -> str:
    told = (_("%(zone)s up to turn %(turn)d") % {"zone": _zone(one["zone"]), "turn": one["last"]} for one in effects)
    return ", ".join(told) or "–"


def _yes(holds: bool) -> str:
    return _("yes") if holds else _("no")


def _option(option: str | None) -> str:
    return str(names.OPTIONS[option]) if option else "–"


def _out(how: str | None) -> str:
    return str(names.ENDINGS[how]) if how else _("no")


_SAID: dict[str, tuple[Any, Callable[[Any], str]]] = {
    "link": (gettext_lazy("Link"), names.figure),
    "alchemy": (gettext_lazy("Alchemy"), names.figure),
    "infractions": (gettext_lazy("Infractions"), str),
    "receptacle": (gettext_lazy("Receptacle"), _zone),
    "pierced": (gettext_lazy("Pierced"), _yes),
    "rough_skin": (gettext_lazy("Rough skin"), _effects),
    "decoys": (gettext_lazy("Decoys"), _effects),
    "disabled": (gettext_lazy("Disabled zones"), _effects),
    "owes_choice": (gettext_lazy("Has a zone to name"), _yes),
    "cancel_armed": (gettext_lazy("Cancels the next option"), _yes),
    "pin_armed": (gettext_lazy("Pins the next move"), _yes),
    "stealth_ready": (gettext_lazy("Stealth thrust ready"), _yes),
    "last_option": (gettext_lazy("Last option"), _option),
    "techniques_used": (gettext_lazy("Techniques used"), str),
}
_SAID_OF_SPELLS: dict[str, tuple[Any, Callable[[Any], str]]] = {
    "fatigue": (gettext_lazy("Fatigue"), str),
    "magic": (gettext_lazy("Magic"), str),
    "zone": (gettext_lazy("Zone"), str),
    "wand": (gettext_lazy("Wand in hand"), _yes),
    "bound": (gettext_lazy("Bound, turns left"), str),
    "silenced": (gettext_lazy("Silenced, turns left"), str),
    "jinxed": (gettext_lazy("Jinxed, turns left"), str),
    "absences": (gettext_lazy("Absences"), str),
    "action_faults": (gettext_lazy("Action faults"), str),
    "out": (gettext_lazy("Out of the duel"), _out),
}
