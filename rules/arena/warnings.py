"""What is accepted in a declaration and worth knowing first. Asked by the menu and by the check of a filing.

It depends on what the seat may know, and on nothing else.
"""

from __future__ import annotations

from rules.arena.state import Puppet, State, is_held
from rules.arena.terms import CONVERTED, MOST_ALCHEMY, Gauge, OptionName, Zone, need
from rules.core import Finding

Findings = tuple[Finding, ...]


def of_thrust(state: State, zone: Zone) -> Findings:
    """A12.3: a thrust into the void zone misses."""
    return (_warning("void_zone", "thrust", "A12.3"),) if zone == state.void_zone else ()


def of_parry(state: State, puppet: Puppet, zone: Zone) -> Findings:
    """A12.3, A10.2c: a parry that protects nothing. On the rocks it will be somewhere else anyway."""
    if zone == state.void_zone:
        return (_warning("void_zone", "parry", "A12.3"),)
    if is_held(puppet.disabled, zone, state.turn) and not state.in_force("runic_rocks"):
        return (_warning("disabled_zone", "parry", "A10.2c"),)
    return ()


def of_choice(state: State, foe: Puppet, zone: Zone) -> Findings:
    """A10.2: a zone of the opponent's puppet that is disabled already."""
    return (_warning("disabled_zone", "choice", "A10.2"),) if is_held(foe.disabled, zone, state.turn) else ()


def of_option(state: State, puppet: Puppet, name: OptionName, link: int) -> Findings:
    """An option that would be paid and counted for nothing, when sanctions have left `link`."""
    rule = _idle(state, puppet, name, link)
    return (_warning("no_effect", "option", rule),) if rule else ()


def _idle(state: State, puppet: Puppet, name: OptionName, link: int) -> str | None:
    """Return the rule by which an option has nothing to act on."""
    if name == "regenerating_sap" and link >= puppet.link_max:
        return "A2.2"
    if name == "repair_receptacle" and not puppet.pierced:
        return "A11.0"
    if name == "change_arena" and state.neutralised and state.turn <= state.protected:
        return "A11.6"
    if (name == "cancel_option" and puppet.cancel_armed) or (name == "pin_receptacle" and puppet.pin_armed):
        return "A11.2"
    return None


def of_zone(state: State, puppet: Puppet, name: OptionName, zone: Zone) -> Findings:
    """A zone named for an option, on which it fails (A11.0) or does nothing as long as that lasts (A10.6)."""
    if name == "move_receptacle":
        return _of_move(state, puppet, zone)
    if is_held(puppet.disabled, zone, state.turn + 1):
        return (_warning("disabled_zone", "option.zones", "A10.6"),)
    return ()


def _of_move(state: State, puppet: Puppet, zone: Zone) -> Findings:
    if zone == puppet.receptacle:
        return (_warning("same_zone", "option.zones", "A11.0"),)
    if is_held(puppet.disabled, zone, state.turn):
        return (_warning("disabled_zone", "option.zones", "A11.0"),)
    return (_warning("void_zone", "option.zones", "A12.3a"),) if zone == state.void_zone else ()


def of_conversion(state: State, puppet: Puppet, to: Gauge, link: int) -> Findings:
    """A gain of `convert_points` that would be lost, in whole or in part (A11.5, A2.2)."""
    if to == "link":
        lost = "A2.2" if link + CONVERTED > puppet.link_max else None
    elif puppet.pierced:
        lost = "A4.2"
    elif state.unusable(puppet, puppet.receptacle):
        lost = "A12.3"
    else:
        lost = "A2.2" if puppet.alchemy + CONVERTED > MOST_ALCHEMY else None
    return (_warning("gain_lost", "option.to", lost),) if lost else ()


def of_cost(state: State, name: OptionName, to: Gauge | None, link: int) -> Findings:
    """A11.5: an option that takes the last link, when sanctions have left `link`; not in an extra turn (A13.2a)."""
    needed = need(state.edition, name, to)
    if needed is not None and needed.gauge == "link" and needed.points == link and not state.extra_turn:
        return (_warning("breaks_link", "option", "A11.5"),)
    return ()


def _warning(code: str, field: str, rule: str) -> Finding:
    return Finding("warning", code, field, rule)
