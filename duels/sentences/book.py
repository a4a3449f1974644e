"""What a spell book says, in words and figures: spells, types of magic, tags, effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from . import names
from .names import Words

Spell = Mapping[str, Any]

TAGS: Words = {
    "auto": gettext_lazy("sure: succeeds without a bet"),
    "heal": gettext_lazy("heals: sure, and free"),
    "zone": gettext_lazy("touches everybody in a zone"),
    "summon": gettext_lazy("summons into a zone"),
    "curse": gettext_lazy("curse"),
    "defence": gettext_lazy("defence spell"),
}


def in_the_readers_language(said: Mapping[str, str]) -> str:
    """Return what a book says in the reader's language, or else in French, or in whatever there is."""
    language = (get_language() or "fr")[:2]
    return said.get(language) or said.get("fr") or next(iter(said.values()), "")


def type_name(code: str, types: Mapping[str, Mapping[str, str]]) -> str:
    """Return the name of a type of magic."""
    return in_the_readers_language(types.get(code, {})) or code


def effects(listed: Iterable[Mapping[str, Any]]) -> str:
    """Return what effects do, in their order, in figures."""
    return ", ".join(effect(one) for one in listed)


def effect(one: Mapping[str, Any]) -> str:
    """Return what one effect does, in figures."""
    does = one["do"]
    if does in _POINTS:
        gauge, said = _POINTS[does]
        return str(said) % {"points": names.points(gauge, one["points"])}
    if does in _ZONES:
        zones = ngettext("%(zones)d zone", "%(zones)d zones", one["zones"]) % {"zones": one["zones"]}
        return str(_ZONES[does]) % {"zones": zones}
    if does == "shield":
        return _("stops one spell") if one["scope"] == "self" else _("stops one spell for each of the team")
    parameters = {"turns": _turns(one.get("turns", 0)), "reach": zones_around(one.get("reach", 0))}
    parameters["points"] = names.points("fatigue", one.get("points", 0))
    return str(_OTHERS[does]) % parameters


def zones_around(reach: int) -> str:
    """Return how far from its own zone a creature reaches, in words."""
    if reach == 0:
        return _("in its zone")
    return ngettext("up to %(reach)d zone away", "up to %(reach)d zones away", reach) % {"reach": reach}


def cast_effects(spell: Spell, *, bonus: bool, modulation: bool) -> str:
    """Return what a spell does as it was cast, in figures: a modulation replaces its effects, a bonus adds to them."""
    replaced = spell["modulation"]["effects"] if modulation else spell["effects"]
    return effects([*replaced, *(spell["bonus"] if bonus else ())])


def _turns(number: int) -> str:
    return ngettext("%(turns)d turn", "%(turns)d turns", number) % {"turns": number}


_POINTS = {
    "fatigue": ("fatigue", gettext_lazy("%(points)s lost")),
    "drain": ("magic", gettext_lazy("%(points)s lost")),
    "heal": ("fatigue", gettext_lazy("%(points)s won back")),
    "recharge": ("magic", gettext_lazy("%(points)s won back")),
}
_ZONES: Words = {"push": gettext_lazy("pushes by %(zones)s"), "pull": gettext_lazy("pulls by %(zones)s")}
_OTHERS: Words = {
    "disarm": gettext_lazy("disarms"),
    "bind": gettext_lazy("binds for %(turns)s"),
    "silence": gettext_lazy("silences for %(turns)s"),
    "jinx": gettext_lazy("jinxes for %(turns)s"),
    "cleanse": gettext_lazy("ends every hex, gives the wand back"),
    "hazard": gettext_lazy("whoever stands there loses %(points)s at the end of the next turns (%(turns)s)"),
    "summon": gettext_lazy("a creature that takes %(points)s %(reach)s, at the end of the next turns (%(turns)s)"),
    "reveal": gettext_lazy("shows the target’s next post before its publication"),
}
