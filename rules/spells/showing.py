"""Who sees what. In a spell duel everything is open, but for a post that a Legilimens sees first (B7.1).

That post is no part of a state; who may read it before the phase closes is said by the menus (`Menu.seen_by`).
"""

from __future__ import annotations

from typing import Any

from rules.spells.state import Duellist, Hazard, State, Summon
from rules.spells.terms import SEATS_OF, SeatName, team_of


def view(state: State) -> dict[str, Any]:
    """Return what everybody may know of the state, as a JSON object."""
    return {
        "mode": state.mode,
        "format": state.format,
        "turn": state.turn,
        "turn_hours": state.hours,
        "phase": state.phase,
        "awaited": list(state.awaited),
        "hazards": [_hazard(one) for one in state.hazards],
        "summons": [_summon(one) for one in state.summons],
        "under_way": [
            {"caster": one.caster, "target": one.target, "spell": one.spell, "modulation": one.modulation,
             "bonus": one.bonus} for one in state.under_way
        ],
        "insights": [{"caster": one.caster, "target": one.target, "turn": one.turn} for one in state.insights],
        "quiet_turns": state.quiet_turns,
        "outcome": _outcome(state),
        "seats": {seat: _seen(seat, state.duellists[seat]) for seat in SEATS_OF[state.format]},
    }  # fmt: skip


def _seen(seat: SeatName, duellist: Duellist) -> dict[str, Any]:
    return {
        **_summed(duellist),
        "team": team_of(seat),
        "level": duellist.level,
        "types": list(duellist.types),
        "traits": dict(duellist.traits),
        "prodigium": duellist.prodigium,
        "fatigue_max": duellist.most.fatigue,
        "magic_max": duellist.most.magic,
        "on_floor": duellist.on_floor,
        "last_cast": list(duellist.cast or duellist.cast_before),
    }


def summary(state: State) -> dict[str, Any]:
    """Return the state in the shape of a conformance case's `expect`, every key present."""
    return {
        **{seat: _summed(state.duellists[seat]) for seat in SEATS_OF[state.format]},
        "turn": state.turn,
        "quiet_turns": state.quiet_turns,
        "hazards": [_hazard(one) for one in state.hazards],
        "summons": [{key: value for key, value in _summon(one).items() if key in _SUMMED} for one in state.summons],
        "outcome": _outcome(state),
    }


_SUMMED = ("zone", "points", "turns_left")


def _summed(duellist: Duellist) -> dict[str, Any]:
    return {
        "fatigue": duellist.fatigue,
        "magic": duellist.magic,
        "zone": duellist.zone,
        "absences": duellist.absences,
        "action_faults": duellist.action_faults,
        "wand": duellist.wand,
        "bound": duellist.bound,
        "silenced": duellist.silenced,
        "jinxed": duellist.jinxed,
        "out": duellist.out,
        "above_level_used": duellist.above_level_used,
        "traits_used": sorted(duellist.traits_used),
    }


def _hazard(one: Hazard) -> dict[str, Any]:
    return {"zone": one.zone, "points": one.points, "turns_left": one.turns}


def _summon(one: Summon) -> dict[str, Any]:
    return {"zone": one.zone, "points": one.points, "turns_left": one.turns, "reach": one.reach, "team": one.team}


def _outcome(state: State) -> dict[str, Any] | None:
    outcome = state.outcome
    return None if outcome is None else {"winner": outcome.winner, "by": outcome.by}
