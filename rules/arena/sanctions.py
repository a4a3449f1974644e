"""Steps 1 and 2 of a turn: infractions, and sanctions on the declarations as declared."""

from __future__ import annotations

from rules.arena.judgement import judge
from rules.arena.state import Event
from rules.arena.terms import INFRACTIONS, named
from rules.arena.turn import Fighter, Turn
from rules.core import Finding


def infractions(turn: Turn) -> None:
    """A6.2: one point of link, and no thrust, parry or option in this turn."""
    for fighter in turn.fighters:
        found = turn.inputs.infractions.get(fighter.seat)
        if found is not None:
            fighter.infractions += 1
            fighter.fine(1)
            kind = named("infraction", found, INFRACTIONS)
            turn.events.append(Event("infraction", fighter.seat, "A6.2", infraction=kind, gauge="link", points=1))


def sanctions(turn: Turn) -> None:
    """A8.2, A9.2, A10.7, A10.8, A11.3, A11.4; an option that A11.0 or A10.7a refuses is put aside first."""
    for fighter in turn.fighters:
        if fighter.declaration is None:
            continue
        found, refused = judge(turn.state, fighter.before, fighter.declaration)
        if refused is not None and fighter.option is not None:
            turn.events.append(Event("failed_option", fighter.seat, refused.rule, option=fighter.option.name))
            fighter.option = None
        for sanction in found:
            fighter.fine(sanction.points)
            turn.events.append(_sanction(fighter, sanction))
            if sanction.code == "insufficient":
                fighter.option = None


def _sanction(fighter: Fighter, finding: Finding) -> Event:
    """Tell a sanction, with the zone or the option that it is for."""
    zones = {"thrust": fighter.thrust, "parry": fighter.parry}
    return Event(
        finding.code,
        fighter.seat,
        finding.rule,
        zone=zones.get(finding.field),
        option=fighter.option.name if fighter.option and finding.field == "option" else None,
        gauge=finding.gauge,
        points=finding.points,
    )
