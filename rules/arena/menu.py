"""What a seat may file, with what each choice costs and brings; from what that seat may know, and no more."""

from __future__ import annotations

from rules.arena import warnings
from rules.arena.judgement import cowardice, insufficient, refusal, relentlessness, repetition
from rules.arena.state import Puppet, State, other
from rules.arena.terms import GAUGES, OPTIONS, ZONES, Gauge, OptionName, SeatName, Zone, cost, need
from rules.core import Choice, Cost, Finding, Menu, Part

_PLAIN: dict[Zone, Choice] = {zone: Choice(zone) for zone in ZONES}


def prepares(seat: SeatName) -> Menu:
    """Return what `seat` hides between the announcement and the start: its receptacle, in one of the zones (A4.1)."""
    return Menu(seat, awaited=True, parts=(Part("zone", tuple(_PLAIN.values())),))


def awaits(state: State, seat: SeatName) -> Menu:
    """Return what `seat` may file: nothing once the duel is over, and first the choice that it owes (A10.2d)."""
    puppet = state.puppet(seat)
    if state.outcome is not None:
        return Menu(seat, awaited=False)
    if puppet.choice == "owed":
        foe = state.puppet(other(seat))
        owes = Part("choice", tuple(_zone(zone, warnings.of_choice(state, foe, zone)) for zone in ZONES))
        return Menu(seat, awaited=True, owes=owes)
    return Menu(seat, awaited=True, parts=(_thrust(state, puppet), _parry(state, puppet), _options(state, puppet)))


def _thrust(state: State, puppet: Puppet) -> Part:
    """A8.2"""
    return Part(
        "thrust",
        tuple(_zone(zone, relentlessness(puppet, zone) + warnings.of_thrust(state, zone)) for zone in ZONES),
    )


def _parry(state: State, puppet: Puppet) -> Part:
    """A9.2"""
    return Part(
        "parry",
        tuple(_zone(zone, cowardice(puppet, zone) + warnings.of_parry(state, puppet, zone)) for zone in ZONES),
    )


def _options(state: State, puppet: Puppet) -> Part:
    """A5.1"""
    return Part("option", tuple(_option(state, puppet, name) for name in OPTIONS), required=False)


def _option(state: State, puppet: Puppet, name: OptionName) -> Choice:
    refused = refusal(state, puppet, name, None)
    if refused is not None:
        return Choice(name, _costs(cost(state.edition, name, None)), refused=refused)
    repeated = repetition(puppet, name)
    link = puppet.link - len(repeated)
    return Choice(
        name,
        _costs(cost(state.edition, name, None)),
        (
            *repeated,
            *insufficient(state, puppet, name, None, link),
            *warnings.of_option(state, puppet, name, link),
            *warnings.of_cost(state, name, None, link),
        ),
        parts=_parts(state, puppet, name, link),
    )


def _parts(state: State, puppet: Puppet, name: OptionName, link: int) -> tuple[Part, ...]:
    if name == "convert_points":
        return (Part("option.to", tuple(_direction(state, puppet, to, link) for to in GAUGES)),)
    count = OPTIONS[name].zones
    if not count:
        return ()
    zones = tuple(_zone(zone, warnings.of_zone(state, puppet, name, zone)) for zone in ZONES)
    return (Part("option.zones", zones, count=count),)


def _direction(state: State, puppet: Puppet, to: Gauge, link: int) -> Choice:
    name: OptionName = "convert_points"
    return Choice(
        to,
        _costs(need(state.edition, name, to)),
        (
            *insufficient(state, puppet, name, to, link),
            *warnings.of_conversion(state, puppet, to, link),
            *warnings.of_cost(state, name, to, link),
        ),
        refused=refusal(state, puppet, name, to),
    )


def _zone(zone: Zone, findings: tuple[Finding, ...]) -> Choice:
    return Choice(zone, findings=findings) if findings else _PLAIN[zone]


def _costs(price: Cost | None) -> tuple[Cost, ...]:
    return () if price is None else (price,)
