"""Steps 4 to 6 of a turn: the arena's doings, the thrusts, the leaks, and the referee's points."""

from __future__ import annotations

import msgspec

from rules.arena.filing import Declaration
from rules.arena.state import Event, is_held
from rules.arena.terms import DIRECTIONS, MOST_ALCHEMY, SEATS, SHIFTS, Zone, face_of, seat_of
from rules.arena.turn import Fighter, Turn
from rules.core import RulesError


def wind(turn: Turn) -> None:
    """A12.6: on a 1 each duellist's thrust zone and parry zone are swapped."""
    if turn.state.in_force("four_winds"):
        face = turn.dice.roll("wind", 4)
        if face == 1:
            for fighter in turn.fighters:
                fighter.thrust, fighter.parry = fighter.parry, fighter.thrust
            turn.events.append(Event("swapped_zones", None, "A12.6", face=face))


def shift(turn: Turn) -> None:
    """A12.4: thrusts and parries move by one zone, or off the puppet."""
    if turn.state.in_force("runic_rocks"):
        face = turn.dice.roll("shift", len(DIRECTIONS))
        direction = face_of(DIRECTIONS, face)
        moved = SHIFTS[direction]
        for fighter in turn.fighters:
            fighter.thrust = moved.get(fighter.thrust) if fighter.thrust else None
            fighter.parry = moved.get(fighter.parry) if fighter.parry else None
        turn.events.append(Event("shifted", None, "A12.4", direction=direction, face=face))


def thrusts(turn: Turn) -> None:
    """A8.1, A9.1: both at once."""
    for attacker in turn.fighters:
        if attacker.declaration is not None:
            _thrust(turn, attacker, attacker.declaration)


def _thrust(turn: Turn, attacker: Fighter, declared: Declaration) -> None:
    zone, number = attacker.thrust, turn.state.turn
    if zone is None or zone == turn.state.void_zone:
        rule = "A12.4a" if zone is None else "A12.3"
        turn.events.append(Event("missed", attacker.seat, rule, zone=zone or declared.thrust))
        return
    defender = turn.foe(attacker)
    guard = _guard(turn, attacker, defender, zone)
    is_decoy = guard.stands and is_held(defender.before.decoys, zone, number)
    if is_decoy:  # A10.2a
        defender.decoy_hit = True
        turn.events.append(Event("decoy_hit", defender.seat, "A10.2", zone=zone))
    if guard.parry:
        _reward(turn, defender, "parried", "A9.1", zone)
    if guard.rough_skin:
        _reward(turn, defender, "rough_skin_held", "A10.1", zone)  # A10.1a
    if not (is_decoy or guard.parry or guard.rough_skin):
        _hit(turn, defender, zone, passed=guard.passed)


class _Guard(msgspec.Struct, gc=False):
    """What protects a zone from one thrust: `stands` unless disabled; `passed` when a stealth thrust got through."""

    stands: bool
    parry: bool = False
    rough_skin: bool = False
    passed: bool = False


def _guard(turn: Turn, attacker: Fighter, defender: Fighter, zone: Zone) -> _Guard:
    number, puppet = turn.state.turn, defender.before
    if is_held(puppet.disabled, zone, number):  # A10.2c
        return _Guard(stands=False)
    parry = defender.parry == zone
    skins = [effect for effect in puppet.rough_skin if effect.zone == zone and effect.holds(number)]
    if not (attacker.before.stealth and turn.first_post == attacker.seat):
        return _Guard(True, parry, bool(skins))
    seasoned = any(not skin.is_new(number) for skin in skins)  # A10.4
    return _Guard(True, False, seasoned, passed=parry or bool(skins))


def _reward(turn: Turn, defender: Fighter, code: str, rule: str, zone: Zone) -> None:
    gained = turn.gain_alchemy(defender, 1)
    turn.events.append(Event(code, defender.seat, rule, zone=zone, gauge="alchemy", gained=gained))


def _hit(turn: Turn, defender: Fighter, zone: Zone, *, passed: bool) -> None:
    """A8.1, A10.4, A4.2"""
    defender.link -= 1
    turn.events.append(Event("hit", defender.seat, "A8.1", zone=zone, gauge="link", points=1))
    if passed:
        turn.events.append(Event("stealth_struck", defender.seat, "A10.4", zone=zone))
    if defender.receptacle == zone and not defender.pierced:
        defender.pierced = defender.known = True
        turn.events.append(Event("pierced", defender.seat, "A4.2", zone=zone))


def leaks(turn: Turn) -> None:
    """A4.2: from the turn after it was pierced, and not in the one in which it is repaired."""
    for fighter in turn.fighters:
        if fighter.before.pierced and not fighter.repaired and fighter.alchemy > 0:
            fighter.alchemy -= 1
            turn.events.append(Event("leaked", fighter.seat, "A4.2", gauge="alchemy", points=1))


def adjustments(turn: Turn) -> None:
    """A14.1: the referee's points reach a pierced or unusable receptacle too."""
    for given in turn.inputs.adjustments:
        fighter = turn.fighters[SEATS.index(seat_of(given.seat))]
        if given.gauge == "link":
            fighter.link = min(fighter.link + given.points, fighter.before.link_max)
        elif given.gauge == "alchemy":
            fighter.alchemy = max(0, min(fighter.alchemy + given.points, MOST_ALCHEMY))
        else:
            raise RulesError(f"unknown gauge {given.gauge!r}: link or alchemy")
        turn.events.append(Event("adjusted", given.seat, "A14.1", gauge=given.gauge, points=given.points))
