"""How things stand for a seat while a phase is open, and what could still change before its post is played."""

from __future__ import annotations

from msgspec.structs import replace

from rules.core import Finding
from rules.spells.casting import Casting, Scene
from rules.spells.state import State
from rules.spells.terms import SeatName, team_of

# What a partner's post, played before, can make possible again: a cleanse, a heal, a recharge (B4.3, B4.3a).
_LIFTED_BY_PARTNER = frozenset({"silenced", "bound", "disarmed", "unpayable"})


def scene_of(state: State, seat: SeatName) -> Scene:
    """Return the scene in which the steps of a seat are judged as the phase stands open."""
    me = state.duellists[seat]
    return Scene(
        seat=seat,
        phase=state.phase,
        mode=state.mode,
        spells=state.spells,
        duellists=state.duellists,
        jinxed=me.jinxed > 0,
        disarmed=not me.wand,
    )


def may_be_lifted(state: State, seat: SeatName, finding: Finding) -> Finding | None:
    """Return the finding as a sanction if a partner still in could make the step possible before its turn comes.

    It is then accepted, and brings an action fault unless that happens (B4.3a). None: it is a fault for certain.
    """
    partners = [one for one in state.awaited if one != seat and team_of(one) == team_of(seat)]
    if finding.code in _LIFTED_BY_PARTNER and partners:
        return replace(finding, level="sanction")
    return None


def out_of_range(casting: Casting) -> tuple[Finding, ...]:
    """Return a warning if the spell would miss from where things stand (B3.1.3)."""
    return (Finding("warning", "out_of_range", "target", "B3.1.3"),) if casting.misses else ()
