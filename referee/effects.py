"""What still works after a turn, up to which turn, for the referee: secrets included, and marked as such."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from duels.sentences import names
from duels.sentences.spells import Book, spell_name

View = Mapping[str, Any]


class Running(NamedTuple):
    """One effect: on whom (empty: the whole duel), what, up to which turn (None: until something ends it)."""

    name: str
    what: str
    last: int | None
    rule: str
    secret: bool = False


def running(view: View, cast: Mapping[str, Any], book: Book | None = None) -> list[Running]:
    """Return what still works, from the referee's view of the state that a turn leaves; nothing once it is over.

    `book`: spell → its incantation.
    """
    if view["outcome"]:
        return []
    return list(_of_spells(view, cast, book or {}) if "hazards" in view else _of_arena(view, cast))


def _of_arena(view: View, cast: Mapping[str, Any]) -> Iterator[Running]:
    coming = view["turn"]
    if view["neutralised"]:
        yield Running("", _("The arena is neutralised, and stays so at least up to this turn"), view["protected_until"],
                      "A11.6")  # fmt: skip
    if view["capsule_turns"]:
        said = _("A time capsule: turns of %(hours)d hours") % {"hours": view["turn_hours"]}
        yield Running("", said, coming + view["capsule_turns"] - 1, "A10.5")
    if view["void_zone"]:
        yield Running("", _("Void zone: %(zone)s") % {"zone": names.ZONES[view["void_zone"]]}, coming, "A12.3")
    for letter, seat in sorted(view["seats"].items()):
        yield from _on_puppet(cast[letter]["name"], seat, coming)


_ON_ZONES = (("disabled", "A10.2c", False), ("rough_skin", "A10.1", True), ("decoys", "A10.2", True))


def _on_puppet(name: str, seat: View, coming: int) -> Iterator[Running]:
    said = {"disabled": _("Disabled"), "rough_skin": _("Rough skin"), "decoys": _("Decoy")}
    for kind, rule, secret in _ON_ZONES:
        for effect in seat[kind]:
            where = _("%(what)s: %(zone)s") % {"what": said[kind], "zone": names.ZONES[effect["zone"]]}
            yield Running(name, where, effect["last"], rule, secret)
    if seat["stealth_ready"]:
        yield Running(name, _("Stealth thrust ready"), coming, "A10.4")
    if seat["pierced"]:
        yield Running(name, _("Pierced receptacle, which leaks"), None, "A4.2")
    if seat["cancel_armed"]:
        yield Running(name, _("Waits to cancel the opponent’s next option"), None, "A11.2", secret=True)
    if seat["pin_armed"]:
        yield Running(name, _("Waits to pin the opponent’s receptacle"), None, "A11.2", secret=True)


def _of_spells(view: View, cast: Mapping[str, Any], book: Book) -> Iterator[Running]:
    coming = view["turn"]  # or the turn under way, before its defence phase: it counts among the turns left
    for spell in view["under_way"]:
        flies = {"spell": spell_name(spell["spell"], book), "target": cast[spell["target"]]["name"]}
        what = _("%(spell)s is under way to %(target)s") % flies
        yield Running(cast[spell["caster"]]["name"], what, coming, "B4.3b")
    for letter, seat in sorted(view["seats"].items()):
        yield from _on_duellist(cast[letter]["name"], seat, coming)
    perils = {
        "hazards": _("Hazard in zone %(zone)d: %(points)s"),
        "summons": _("Creature in zone %(zone)d: %(points)s"),
    }
    for peril, said in perils.items():
        for one in view[peril]:
            what = said % {"zone": one["zone"], "points": names.points("fatigue", one["points"])}
            yield Running("", what, coming + one["turns_left"] - 1, "effects")


def _on_duellist(name: str, seat: View, coming: int) -> Iterator[Running]:
    for status, said in (("bound", _("Bound")), ("silenced", _("Silenced")), ("jinxed", _("Jinxed"))):
        if seat[status]:
            yield Running(name, said, coming + seat[status] - 1, "effects")
    if not seat["wand"]:
        yield Running(name, _("Without a wand"), None, "effects")
