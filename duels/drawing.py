"""What the drawing of a puppet shows: six zones, what works on each, and what befell it in a turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from duels.sentences import names
from duels.shapes import CANVAS, SHAPES, Shape

View = Mapping[str, Any]


MARKS = {
    "thrust": gettext_lazy("thrust received"),
    "parry": gettext_lazy("parry"),
    "void": gettext_lazy("void"),
    "disabled": gettext_lazy("disabled"),
    "pierced": gettext_lazy("pierced receptacle"),
    "receptacle": gettext_lazy("receptacle"),
    "rough_skin": gettext_lazy("rough skin"),
    "decoy": gettext_lazy("decoy"),
}


class Mark(NamedTuple):
    """A sign on a zone; `turns` left, where it lasts. `x` and `y` are set when it is placed."""

    kind: str
    turns: int = 0
    x: int = 0
    y: int = 0

    @property
    def label(self) -> str:
        said = str(MARKS[self.kind])
        if not self.turns:
            return said
        left = ngettext("%(turns)d turn left", "%(turns)d turns left", self.turns) % {"turns": self.turns}
        return f"{said} ({left})"


class Zone(NamedTuple):
    """One zone of the puppet, with its signs."""

    name: str
    label: str
    shape: Shape
    marks: tuple[Mark, ...]

    @property
    def kinds(self) -> str:
        return " ".join(f"is-{mark.kind}" for mark in self.marks)

    @property
    def is_void(self) -> bool:
        return any(mark.kind == "void" for mark in self.marks)

    @property
    def signs(self) -> list[Mark]:
        """The marks that are drawn as signs; a void zone is hatched instead."""
        return [mark for mark in self.marks if mark.kind != "void"]

    @property
    def title(self) -> str:
        """What a screen reader says of the zone."""
        told = ", ".join(mark.label for mark in self.marks)
        return _("%(zone)s: %(marks)s") % {"zone": self.label, "marks": told} if told else self.label


class Puppet(NamedTuple):
    """A puppet to draw: `hand` holds the sword, `faces` is the side it looks to."""

    title: str
    description: str
    zones: tuple[Zone, ...]
    hand: str
    faces: str
    canvas: str = CANVAS


def puppet(view: View, letter: str, name: str, hand: str, events: Iterable[Mapping[str, Any]] = ()) -> Puppet:
    """Return the drawing of a seat's puppet: from a view of the rules, and the events of a resolution.

    `hand` holds the sword (A2.3). It shows the secrets that are in the view, and no others.
    """
    shown = tuple(events)
    zones = tuple(_zone(view, letter, zone, shown) for zone in names.ZONES)
    marked = [zone.title for zone in zones if zone.marks]
    return Puppet(
        title=_("%(of_name)s puppet") % {"of_name": names.of(name)},
        description=". ".join(marked) + "." if marked else _("Nothing to note on its six zones."),
        zones=zones,
        hand=hand,
        faces="left" if letter == "b" else "right",
    )


def _zone(view: View, letter: str, zone: str, events: tuple[Mapping[str, Any], ...]) -> Zone:
    shape = SHAPES[zone]
    seat = view.get("seats", {}).get(letter, {})
    marks = [*_lasting(view, seat, zone), *_receptacle(seat, zone), *_struck(letter, zone, events)]
    return Zone(zone, str(names.ZONES[zone]), shape, tuple(_placed(shape, marks)))


def _placed(shape: Shape, marks: list[Mark]) -> Iterable[Mark]:
    """Put the marks in a row around the middle of the zone."""
    for place, mark in enumerate(marks):
        steps = place - (len(marks) - 1) / 2
        yield mark._replace(x=round(shape.x + steps * shape.dx), y=round(shape.y + steps * shape.dy))


def _lasting(view: View, seat: View, zone: str) -> Iterable[Mark]:
    if view.get("void_zone") == zone:
        yield Mark("void")
    for kind, effects in (("disabled", "disabled"), ("rough_skin", "rough_skin"), ("decoy", "decoys")):
        for effect in seat.get(effects, ()):
            if effect["zone"] == zone:
                yield Mark(kind, effect["last"] - view["turn"] + 1)


def _receptacle(seat: View, zone: str) -> Iterable[Mark]:
    if seat.get("receptacle") == zone:
        yield Mark("pierced" if seat["pierced"] else "receptacle")


_THRUSTS = ("hit", "parried", "rough_skin_held", "decoy_hit")


def _struck(letter: str, zone: str, events: tuple[Mapping[str, Any], ...]) -> Iterable[Mark]:
    """What the events of a turn did to this zone: one mark of each kind at most."""
    codes = {event["code"] for event in events if event.get("seat") == letter and event.get("zone") == zone}
    if codes.intersection(_THRUSTS):
        yield Mark("thrust")
    if "parried" in codes:
        yield Mark("parry")


class Gauge(NamedTuple):
    """A gauge in circles (link) or stars (alchemy): `filled` of `most`."""

    kind: str
    filled: int
    most: int

    @property
    def label(self) -> str:
        """Return "6 link points of 10"."""
        counted = names.points(self.kind, self.filled)
        return _("%(points)s of %(most)d") % {"points": counted, "most": self.most}

    @property
    def figure(self) -> str:
        return names.figure(self.filled)

    @property
    def marks(self) -> list[bool]:
        """One for each circle or star: whether it is filled. Below 0 (an extra turn, A13.2a) none is."""
        return [place < self.filled for place in range(self.most)]


def gauges(view: View, letter: str) -> tuple[Gauge, Gauge]:
    """Return the two gauges of a seat."""
    seat = view["seats"][letter]
    return Gauge("link", seat["link"], seat["link_max"]), Gauge("alchemy", seat["alchemy"], seat["alchemy_max"])
