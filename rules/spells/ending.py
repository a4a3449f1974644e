"""The end of a turn, and of a duel (3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rules.core import Adjustment, Outcome
from rules.spells.terms import QUIET_TURNS, Gauge, SeatName, Team, seat_of, team_of
from rules.spells.turn import Turn


def look(turn: Turn) -> None:
    """B3.3.1: the duel is over when all of a team are out, a draw when all of both are."""
    beaten = [team for team in (1, 2) if not any(team_of(seat) == team for seat in turn.standing())]
    if len(beaten) > 1:
        _end(turn, None, "draw", "B3.3.1")
    elif beaten:
        by = next(turn.duellists[seat].out for seat in reversed(turn.lost) if team_of(seat) in beaten)
        _end(turn, 2 if beaten == [1] else 1, str(by), "B3.3.1")


def agreed_draw(turn: Turn) -> None:
    """B3.3.3: nothing of the turn under way is played."""
    _end(turn, None, "draw", "B3.3.3")


def at_the_wall(turn: Turn, absent: Sequence[SeatName]) -> None:
    """B3.3.4: nothing of the turn under way is played; who is absent is out. If both teams still stand, the one that
    has kept more of its fatigue wins, then of its magic."""
    for seat in absent:
        if turn.is_in(seat):
            turn.put_out(seat, "absence", "B3.3.4")
    look(turn)
    if turn.outcome is None:
        _by_gauges(turn)


def _by_gauges(turn: Turn) -> None:
    one, two = _kept(turn, 1), _kept(turn, 2)
    if one == two:
        _end(turn, None, "draw", "B3.3.4")
    else:
        _end(turn, 1 if one > two else 2, "wall", "B3.3.4")


def _kept(turn: Turn, team: Team) -> tuple[Fraction, Fraction]:
    """What is left of a team's fatigue and magic, as shares of what it started with; who is out has nothing left."""
    members = {seat: duellist for seat, duellist in turn.duellists.items() if team_of(seat) == team}
    still_in = [duellist for seat, duellist in members.items() if turn.is_in(seat)]
    fatigue = Fraction(sum(one.fatigue for one in still_in), sum(one.most.fatigue for one in members.values()))
    magic = Fraction(sum(one.magic for one in still_in), sum(one.most.magic for one in members.values()))
    return fatigue, magic


def end_of_turn(turn: Turn) -> None:
    """Hazards, summons, the referee's points, a last look; then the stalemate. The count-down is the next state's."""
    if turn.outcome is not None:
        return
    _hazards(turn)
    _summons(turn)
    for adjustment in turn.adjustments:
        _adjust(turn, adjustment)
    look(turn)
    if turn.outcome is None and not turn.stirred and turn.state.quiet_turns + 1 >= QUIET_TURNS:
        _end(turn, None, "draw", "B3.3.3")


def _hazards(turn: Turn) -> None:
    for hazard in turn.hazards:
        if hazard.since < turn.state.turn:
            for seat in turn.standing():
                if turn.duellists[seat].zone == hazard.zone:
                    turn.hurt(seat, hazard.points, "effects", zone=hazard.zone, by="hazard")


def _summons(turn: Turn) -> None:
    for summon in turn.summons:
        if summon.since < turn.state.turn:
            for seat in turn.standing():
                if _reaches(turn, seat, summon.team, summon.zone, summon.reach):
                    turn.hurt(seat, summon.points, "effects", zone=summon.zone, by="summon")


def _reaches(turn: Turn, seat: SeatName, team: Team, zone: int, reach: int) -> bool:
    return team_of(seat) != team and abs(turn.duellists[seat].zone - zone) <= reach


def _adjust(turn: Turn, adjustment: Adjustment) -> None:
    """B6.5: within the gauges; who is out stays out."""
    seat, points = seat_of(adjustment.seat), adjustment.points
    if not turn.is_in(seat):
        return
    gauge: Gauge = "fatigue" if adjustment.gauge == "fatigue" else "magic"
    turn.tell("adjusted", seat, "B6.5", gauge=gauge, points=points)
    if points < 0:
        turn.lose(seat, gauge, -points)
    else:
        turn.gain(seat, gauge, points)


def _end(turn: Turn, winner: Team | None, by: str, rule: str) -> None:
    turn.outcome = Outcome(winner, by)
    turn.tell("duel_over", None, rule, by=by, winner=winner)
