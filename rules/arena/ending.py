"""Steps 7 to 9 of a turn, and the other ways in which a duel ends (articles 3, 12, 13)."""

from __future__ import annotations

from msgspec.structs import replace

from rules.arena.choices import without_choices
from rules.arena.state import Event, Puppet, State, other
from rules.arena.terms import LAST_INFRACTION, SEATS, ZONES, SeatName, face_of, seat_of
from rules.arena.turn import Fighter, Turn
from rules.core import Dice, Inputs, Outcome, RulesError

_End = tuple[Outcome, Event]


def end_check(turn: Turn) -> None:
    """Infractions (A13.3), then link (A13.1, A13.2); in an extra turn, who has more (A13.2a)."""
    if not turn.state.extra_turn:  # A14.0a
        for fighter in turn.fighters:
            if fighter.link < 0:
                fighter.link = 0
    end = _by_infractions(turn) or (_after_extra_turn(turn) if turn.state.extra_turn else _by_link(turn))
    if end is not None:
        turn.outcome, event = end
        turn.events.append(event)


def swap_gauges(turn: Turn) -> None:
    """A12.5, A12.5a: on even turns; what steps 1 and 2 cost in link stays with its author."""
    if turn.state.turn % 2 or turn.extra_turn or not turn.state.in_force("verdant_circles"):
        return
    a, b = turn.fighters
    a_link, b_link = _taking_over(a, b), _taking_over(b, a)
    a.link, b.link = a_link, b_link
    a.alchemy, b.alchemy = b.alchemy, a.alchemy  # both within the same bounds
    turn.events.append(Event("gauges_swapped", None, "A12.5"))
    end_check(turn)


def _taking_over(fighter: Fighter, foe: Fighter) -> int:
    return min(foe.link + foe.fined, fighter.before.link_max) - fighter.fined


def draw_void_zone(turn: Turn) -> None:
    """A12.3: if the sand will be in force in the coming turn."""
    if turn.arena == "playful_sand" and not turn.neutralised:
        face = turn.dice.roll("void_zone", len(ZONES))
        turn.void_zone = face_of(ZONES, face)
        turn.events.append(Event("zone_void", None, "A12.3", zone=turn.void_zone, face=face))


def _by_infractions(turn: Turn) -> _End | None:
    """A6.2, A13.3"""
    guilty = [fighter.seat for fighter in turn.fighters if fighter.infractions >= LAST_INFRACTION]
    if not guilty:
        return None
    return _end(None, "draw", "A13.3") if len(guilty) > 1 else _end(other(guilty[0]), "infractions", "A13.3")


def _by_link(turn: Turn) -> _End | None:
    """A13.1, A13.2; calls the extra turn."""
    a, b = turn.fighters
    if a.link > 0 and b.link > 0:
        return None
    if a.link > 0 or b.link > 0:
        return _end("a" if a.link > 0 else "b", "link_broken", "A13.1")
    if a.alchemy != b.alchemy:
        return _end("a" if a.alchemy > b.alchemy else "b", "alchemy", "A13.2")
    turn.extra_turn = True
    turn.events.append(Event("extra_turn", None, "A13.2"))
    return None


def _after_extra_turn(turn: Turn) -> _End:
    """A13.2a"""
    winner = _richer(*turn.fighters)
    if winner:
        return _end(winner, "extra_turn", "A13.2a")
    return _end(turn.first_post, "first_post" if turn.first_post else "draw", "A13.2a")


def discovery(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """A3.2: a clandestine duel may be found out when turn 2, 3, … opens; not before an extra turn (A3.2a)."""
    if state.kind != "clandestine" or state.turn < 2 or state.extra_turn or state.outcome is not None:
        return state, ()
    face = dice.roll("discovery", 100)
    if face <= 100 - 2 * (state.turn - 1):
        return state, ()
    winner = _richer(state.a, state.b) or state.first_post
    outcome, event = _end(winner, "discovered" if winner else "draw", "A3.2")
    return replace(state, outcome=outcome), (Event("discovered", None, "A3.2", face=face), event)


def stopped(state: State, inputs: Inputs) -> tuple[State, tuple[Event, ...]] | None:
    """A13.4, A15.1: an agreed draw, a surrender or a wall; nothing of the turn is resolved. None without."""
    if inputs.agreed_draw:
        outcome, event = _end(None, "draw", "A13.4")
    elif inputs.surrender is not None:
        outcome, event = _end(other(seat_of(inputs.surrender)), "surrender", "A13.4")
    elif inputs.wall:
        outcome, event = _at_the_wall(state, inputs)
    else:
        return None
    return replace(without_choices(state), outcome=outcome), (event,)


def _at_the_wall(state: State, inputs: Inputs) -> _End:
    """A15.1: who is absent loses; else as A3.2 decides a duel that ends before its end."""
    if state.kind != "tournament":
        raise RulesError(f"a {state.kind} duel has no round that could end (A15.1)")
    absent = {seat_of(seat) for seat in inputs.absent}
    if absent:
        present = [seat for seat in SEATS if seat not in absent]
        return _end(present[0], "absence", "A15.1") if present else _end(None, "draw", "A15.1")
    winner = _richer(state.a, state.b) or state.first_post
    return _end(winner, "wall" if winner else "draw", "A15.1")


def _richer(a: Fighter | Puppet, b: Fighter | Puppet) -> SeatName | None:
    """The higher link, then the higher alchemy; None when they are equal."""
    if (a.link, a.alchemy) == (b.link, b.alchemy):
        return None
    return "a" if (a.link, a.alchemy) > (b.link, b.alchemy) else "b"


def _end(winner: SeatName | None, by: str, rule: str) -> _End:
    return Outcome(winner, by), Event("duel_over", winner, rule, by=by)
