"""Step 3 of a turn: the options, both at the same time (articles 10 and 11)."""

from __future__ import annotations

from collections.abc import Callable

from rules.arena.filing import Option
from rules.arena.state import Effect, Event, is_held
from rules.arena.terms import (
    ARENAS,
    CAPSULE_TURNS,
    CONVERTED,
    EFFECT_TURNS,
    OPTIONS,
    OptionName,
    Zone,
    cost,
    face_of,
    need,
)
from rules.arena.turn import Fighter, Turn
from rules.core import Cost

_Play = tuple[Fighter, Option]


def options(turn: Turn) -> None:
    """First what opposing techniques cancel, then costs, then effects, or the failure for want of zones (A14.0)."""
    played = [(fighter, fighter.option) for fighter in turn.fighters if fighter.option is not None]
    if not played:
        return
    free = [play for play in played if not _is_stopped(turn, *play)]
    for fighter, option in free:
        _pay(fighter, option, need(turn.state.edition, option.name, option.to))
    used = [play for play in free if not _fails(turn, *play)]
    for fighter, option in used:
        _use(turn, fighter, option)
    _change_arena(turn, [fighter for fighter, option in used if option.name == "change_arena"])
    _neutralise_arena(turn, [fighter for fighter, option in used if option.name == "neutralise_arena"])


def _is_stopped(turn: Turn, fighter: Fighter, option: Option) -> bool:
    """A11 years 4 and 5, A11.2: what was armed before this turn acts, and is used up; what it stops is paid."""
    foe = turn.foe(fighter)
    if foe.cancel_armed:
        foe.cancel_armed, code = False, "option_cancelled"
    elif foe.pin_armed and option.name == "move_receptacle":
        foe.pin_armed, code = False, "move_pinned"
    else:
        return False
    price = cost(turn.state.edition, option.name, option.to)
    _pay(fighter, option, price)
    turn.events.append(_told(code, "A11.2", fighter, option, price))
    return True


def _pay(fighter: Fighter, option: Option, price: Cost | None) -> None:
    """Pay for an option, and count it (A10.6a, A11.0)."""
    if price is not None:
        fighter.spend(price)
    fighter.last_option = option.name
    if OPTIONS[option.name].year:
        fighter.techniques_used += 1


def _fails(turn: Turn, fighter: Fighter, option: Option) -> bool:
    """A10.6, A11.0: zones missing, too few, equal, or of no use to a move."""
    if option.is_complete and not (option.name == "move_receptacle" and _is_idle(turn, fighter, option.aims[0])):
        return False
    rule = "A11.0" if OPTIONS[option.name].year else "A10.6"
    turn.events.append(_told("failed_option", rule, fighter, option, cost(turn.state.edition, option.name, option.to)))
    return True


def _is_idle(turn: Turn, fighter: Fighter, zone: Zone) -> bool:
    """Whether the receptacle cannot move there: it is there already, or the zone is disabled (A11.0, A10.2c)."""
    return zone == fighter.receptacle or is_held(fighter.before.disabled, zone, turn.state.turn)


def _use(turn: Turn, fighter: Fighter, option: Option) -> None:
    effect = _EFFECTS.get(option.name)
    gained = effect(turn, fighter, option) if effect else 0
    price = need(turn.state.edition, option.name, option.to)
    turn.events.append(_told("option_used", OPTIONS[option.name].rule, fighter, option, price, gained))


def _rough_skin(turn: Turn, fighter: Fighter, option: Option) -> int:
    """A10.1"""
    fighter.rough_skin = (Effect(option.aims[0], turn.state.turn + EFFECT_TURNS),)
    return 0


def _gaping_hole(turn: Turn, fighter: Fighter, option: Option) -> int:
    """A10.2"""
    fighter.decoys = tuple(Effect(zone, turn.state.turn + EFFECT_TURNS) for zone in option.aims)
    return 0


def _regenerating_sap(turn: Turn, fighter: Fighter, option: Option) -> int:
    """A10.3"""
    return turn.gain_link(fighter, 1)


def _stealth_thrust(turn: Turn, fighter: Fighter, option: Option) -> int:
    """A10.4"""
    fighter.stealth = True
    return 0


def _time_capsule(turn: Turn, fighter: Fighter, option: Option) -> int:
    """A10.5, A10.5a"""
    turn.capsule = CAPSULE_TURNS
    return 0


def _move_receptacle(turn: Turn, fighter: Fighter, option: Option) -> int:
    """A11 year 1: a pierced one stays pierced, and nobody knows any more where it is."""
    fighter.receptacle = option.aims[0]
    fighter.known = False
    return 0


def _repair_receptacle(turn: Turn, fighter: Fighter, option: Option) -> int:
    """A11 year 3; no leak in this turn (A4.2)."""
    fighter.pierced = False
    fighter.repaired = True
    return 0


def _cancel_option(turn: Turn, fighter: Fighter, option: Option) -> int:
    """A11 year 4"""
    fighter.cancel_armed = True
    return 0


def _pin_receptacle(turn: Turn, fighter: Fighter, option: Option) -> int:
    """A11 year 5"""
    fighter.pin_armed = True
    return 0


def _convert_points(turn: Turn, fighter: Fighter, option: Option) -> int:
    """A11 year 7, A11.5: what it takes is paid already."""
    gain = turn.gain_link if option.to == "link" else turn.gain_alchemy
    return gain(fighter, CONVERTED)


# The two that act on the arena are settled together: `_change_arena`, `_neutralise_arena`.
_EFFECTS: dict[OptionName, Callable[[Turn, Fighter, Option], int]] = {
    "rough_skin": _rough_skin,
    "gaping_hole": _gaping_hole,
    "regenerating_sap": _regenerating_sap,
    "stealth_thrust": _stealth_thrust,
    "time_capsule": _time_capsule,
    "move_receptacle": _move_receptacle,
    "repair_receptacle": _repair_receptacle,
    "cancel_option": _cancel_option,
    "pin_receptacle": _pin_receptacle,
    "convert_points": _convert_points,
}


def _change_arena(turn: Turn, users: list[Fighter]) -> None:
    """A11 year 2, A11.6: one draw for both, and none while a neutralised arena is protected."""
    state = turn.state
    if not users or (state.neutralised and state.turn <= state.protected):
        return
    others = tuple(arena for arena in ARENAS if arena != state.arena)
    face = turn.dice.roll("new_arena", len(others))
    turn.arena, turn.neutralised = face_of(others, face), False
    for fighter in users:
        turn.events.append(Event("arena_changed", fighter.seat, "A11.6", arena=turn.arena, face=face))


def _neutralise_arena(turn: Turn, users: list[Fighter]) -> None:
    """A11 year 6, A11.6: the arena of the coming turn, changed already if it was to change."""
    if not users:
        return
    turn.neutralised = True
    turn.protected = turn.state.turn + EFFECT_TURNS
    for fighter in users:
        turn.events.append(
            Event("arena_neutralised", fighter.seat, "A11.6", arena=turn.arena, last_turn=turn.protected)
        )


def _told(code: str, rule: str, fighter: Fighter, option: Option, price: Cost | None, gained: int = 0) -> Event:
    return Event(
        code,
        fighter.seat,
        rule,
        option=option.name,
        zones=option.aims,
        to=option.to,
        gauge=price.gauge if price else None,
        points=price.points if price else 0,
        gained=gained,
    )
