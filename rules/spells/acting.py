"""What effects do, one function for each, when a spell acts (the vocabulary of effects)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import msgspec

from rules.spells import effects as book
from rules.spells.effects import Effect
from rules.spells.state import Hazard, Insight, Summon
from rules.spells.terms import FALL_COST, FIRST_ZONE, FLOOR, LAST_ZONE, OWN_ENDS, STAGE, SeatName, team_of
from rules.spells.turn import Turn


class Acting(msgspec.Struct, frozen=True):
    """A spell that acts: whose, which, and where its caster stands as it does."""

    turn: Turn
    caster: SeatName
    spell: str
    source: int


def act_on(turn: Turn, caster: SeatName, spell: str, seats: Iterable[SeatName], effects: Iterable[Effect]) -> None:
    """Let effects act on each seat in their order, until it is out."""
    acting = Acting(turn, caster, spell, turn.duellists[caster].zone)
    listed = tuple(effects)
    for seat in seats:
        for effect in listed:
            act = _ACTS.get(type(effect))
            if act is not None and turn.is_in(seat):
                act(acting, seat, effect)


def act_in(turn: Turn, caster: SeatName, spell: str, zone: int, effects: Iterable[Effect]) -> None:
    """Let hazards and creatures take their place in a zone (B4.1.5). They act from the next turn on."""
    since = turn.state.turn
    for effect in effects:
        if isinstance(effect, book.Hazard):
            turn.hazards.append(Hazard(zone, effect.points, effect.turns + 1, since))
            turn.tell("hazard_set", caster, "effects", spell=spell, zone=zone, points=effect.points, turns=effect.turns)
        elif isinstance(effect, book.Summon):
            team = team_of(caster)
            turn.summons.append(Summon(zone, effect.points, effect.turns + 1, since, effect.reach, team))
            turn.tell("summoned", caster, "effects", spell=spell, zone=zone, points=effect.points, turns=effect.turns)


def _fatigue(acting: Acting, seat: SeatName, effect: book.Fatigue) -> None:
    acting.turn.hurt(seat, effect.points, "effects", spell=acting.spell, by=acting.caster)


def _drain(acting: Acting, seat: SeatName, effect: book.Drain) -> None:
    lost = acting.turn.lose(seat, "magic", effect.points)
    if lost:
        acting.turn.tell("magic_lost", seat, "effects", gauge="magic", points=lost, spell=acting.spell)


def _heal(acting: Acting, seat: SeatName, effect: book.Heal) -> None:
    gained = acting.turn.gain(seat, "fatigue", effect.points)
    if gained:
        acting.turn.tell("healed", seat, "effects", gauge="fatigue", points=gained, spell=acting.spell)


def _recharge(acting: Acting, seat: SeatName, effect: book.Recharge) -> None:
    gained = acting.turn.gain(seat, "magic", effect.points)
    if gained:
        acting.turn.tell("healed", seat, "effects", gauge="magic", points=gained, spell=acting.spell)


def _push(acting: Acting, seat: SeatName, effect: book.Push) -> None:
    """Away from the caster; from the same zone, towards one's own end. Not on the floor (B5.3)."""
    duellist = acting.turn.duellists[seat]
    if duellist.on_floor:
        return
    if duellist.zone == acting.source:
        away = 1 if OWN_ENDS[team_of(seat)] > duellist.zone else -1
    else:
        away = 1 if duellist.zone > acting.source else -1
    _shift(acting, seat, duellist.zone + away * effect.zones)


def _shift(acting: Acting, seat: SeatName, zone: int) -> None:
    turn = acting.turn
    if zone in STAGE:
        turn.change(seat, zone=zone)
        turn.tell("moved", seat, "effects", zone=zone, spell=acting.spell)
        return
    floor = FLOOR[0] if zone < FIRST_ZONE else FLOOR[1]
    turn.change(seat, zone=floor)
    turn.tell("fell", seat, "B5.3", zone=floor, spell=acting.spell, gauge="fatigue", points=FALL_COST)
    turn.lose(seat, "fatigue", FALL_COST)


def _pull(acting: Acting, seat: SeatName, effect: book.Pull) -> None:
    """Towards the caster, no further than there, and never off the stage. Not on the floor (B5.3)."""
    duellist = acting.turn.duellists[seat]
    goal = min(max(acting.source, FIRST_ZONE), LAST_ZONE)
    if duellist.on_floor or duellist.zone == goal:
        return
    zones = min(effect.zones, abs(goal - duellist.zone))
    _shift(acting, seat, duellist.zone + (zones if goal > duellist.zone else -zones))


def _disarm(acting: Acting, seat: SeatName, effect: book.Disarm) -> None:
    if acting.turn.duellists[seat].wand:
        acting.turn.change(seat, wand=False)
        acting.turn.tell("disarmed", seat, "effects", spell=acting.spell)


def _hex(code: Literal["bound", "silenced", "jinxed"]) -> Callable[[Acting, SeatName, Any], None]:
    """A status: the one that ends later counts."""

    def act(acting: Acting, seat: SeatName, effect: book.Bind | book.Silence | book.Jinx) -> None:
        turns = effect.turns + 1  # this one included
        if turns > getattr(acting.turn.duellists[seat], code):
            acting.turn.change(seat, **{code: turns})
            acting.turn.tell(code, seat, "effects", spell=acting.spell, turns=effect.turns)

    return act


def _cleanse(acting: Acting, seat: SeatName, effect: book.Cleanse) -> None:
    duellist = acting.turn.duellists[seat]
    if duellist.bound or duellist.silenced or duellist.jinxed or not duellist.wand:
        acting.turn.change(seat, bound=0, silenced=0, jinxed=0, wand=True)
        acting.turn.tell("cleansed", seat, "effects", spell=acting.spell)


def _shield(acting: Acting, seat: SeatName, effect: book.Shield) -> None:
    """B4.2.2"""
    turn = acting.turn
    covered = [seat] if effect.scope == "self" else [one for one in turn.standing() if team_of(one) == team_of(seat)]
    for one in covered:
        turn.shields[one] = turn.shields.get(one, 0) + 1


def _reveal(acting: Acting, seat: SeatName, effect: book.Reveal) -> None:
    """B7.1, B7.2"""
    turn = acting.turn
    rank = turn.duellists[acting.caster].traits.get("legilimens", 0)
    if turn.duellists[seat].traits.get("occlumens", 0) >= rank:
        turn.tell("reveal_blocked", seat, "B7.2", by=acting.caster)
        return
    turn.tell("revealed", seat, "B7.1", by=acting.caster)
    if not _closes_circle(turn, acting.caster, seat):
        turn.insights.append(Insight(acting.caster, seat, turn.state.turn + 1))


def _closes_circle(turn: Turn, caster: SeatName, target: SeatName) -> bool:
    """Whether target already waits for caster, so that neither could post: then who cast first sees."""
    seen = {one.caster: one.target for one in turn.insights if one.turn > turn.state.turn}
    seat: SeatName | None = target
    while seat is not None and seat != caster:
        seat = seen.get(seat)
    return seat == caster


_ACTS: dict[type, Callable[[Acting, SeatName, Any], None]] = {
    book.Fatigue: _fatigue,
    book.Drain: _drain,
    book.Heal: _heal,
    book.Recharge: _recharge,
    book.Push: _push,
    book.Pull: _pull,
    book.Disarm: _disarm,
    book.Bind: _hex("bound"),
    book.Silence: _hex("silenced"),
    book.Jinx: _hex("jinxed"),
    book.Cleanse: _cleanse,
    book.Shield: _shield,
    book.Reveal: _reveal,
}
