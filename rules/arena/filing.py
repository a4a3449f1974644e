"""A duellist's secret declaration, as it is filed."""

from __future__ import annotations

from typing import Any

import msgspec

from rules.arena.terms import OPTIONS, Gauge, OptionName, Zone
from rules.core import RulesError


class Option(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An optional action: `zones` for what takes zones, `to` (a gauge) for `convert_points`."""

    name: OptionName
    zones: tuple[Zone, ...] | None = None
    to: Gauge | None = None

    @property
    def aims(self) -> tuple[Zone, ...]:
        """The zones named; none when they were left out."""
        return self.zones or ()

    @property
    def is_complete(self) -> bool:
        """Whether it names as many different zones as it takes (A10.6, A11.0)."""
        return len(set(self.aims)) == OPTIONS[self.name].zones


class Declaration(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One thrust (a zone of the opponent's puppet), one parry (a zone of one's own), at most one option."""

    thrust: Zone | None = None
    parry: Zone | None = None
    option: Option | None = None


def read(content: Any) -> Declaration:
    """Return a declaration from its JSON. Raises RulesError if it cannot be played.

    Zones missing or too few can be: the option then fails (A10.6, A11.0).
    """
    try:
        declaration = msgspec.convert(content, Declaration)
    except (msgspec.ValidationError, RecursionError) as error:
        raise RulesError(str(error)) from error
    if declaration.thrust is None or declaration.parry is None:
        raise RulesError(f"a declaration without a {'parry' if declaration.thrust else 'thrust'} zone")
    if declaration.option is not None:
        _refuse_excess(declaration.option)
    return declaration


def _refuse_excess(option: Option) -> None:
    takes = OPTIONS[option.name].zones
    if len(option.aims) > takes:
        raise RulesError(f"{option.name} takes {takes or 'no'} zones, not {len(option.aims)}")
    if (option.name == "convert_points") != (option.to is not None):
        raise RulesError("convert_points needs its `to`" if option.to is None else f"{option.name} takes no `to`")
