"""Playing a post: it is judged as a whole, then its steps are done one after the other (B4.3, B6.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.core import Finding
from rules.spells.acting import act_in, act_on
from rules.spells.casting import Casting, paid, price
from rules.spells.filing import Cast, Climb, Dodge, Move, Nothing, Post, Retrieve, Step
from rules.spells.judgement import judge, misshapen
from rules.spells.state import UnderWay
from rules.spells.terms import FACES, FAULTS_SANCTIONED, Fault, SeatName, Trait, sanction, wins
from rules.spells.turn import Turn


def play_post(turn: Turn, seat: SeatName, post: Post, found: Fault | None) -> None:
    """Play the post of a seat, with the fault `found` in it outside of the rules. Who is out plays nothing."""
    if not turn.is_in(seat):
        return
    if found is not None:
        action_fault(turn, seat, Finding("error", found, "post", "B6.2"))
        return
    finding = _fault_in(turn, seat, post)
    if finding is not None:
        action_fault(turn, seat, finding)
        return
    disarmed = not turn.duellists[seat].wand
    for step in post.steps:
        if turn.is_in(seat):
            _do(turn, seat, step, disarmed)


def _fault_in(turn: Turn, seat: SeatName, post: Post) -> Finding | None:
    """What makes the whole post fail: a step impossible as the phase began and as the post's turn comes (B4.3a)."""
    finding = misshapen(post.steps)
    first, now = turn.first_scene(seat), turn.scene(seat)
    for step in post.steps:
        if finding is not None:
            break
        at_first, finding = judge(first, step), judge(now, step)
        if at_first is None:
            first = first.after_paying(step)
        if finding is None:
            now = now.after_paying(step)
        elif at_first is None:
            finding = None
    return finding


def action_fault(turn: Turn, seat: SeatName, finding: Finding) -> None:
    """B6.2, and at the second one B6.3. A fault in the defence phase takes one's own spell under way with it."""
    turn.tell("action_fault", seat, finding.rule, fault=finding.code, step=finding.field)
    turn.failed.add(seat)
    faults = turn.duellists[seat].action_faults + 1
    if faults < FAULTS_SANCTIONED:
        turn.change(seat, action_faults=faults)
        return
    turn.change(seat, action_faults=0)
    points = sanction(turn.duellists[seat].level)
    turn.tell("sanction", seat, "B6.3", gauge="fatigue", points=points)
    turn.lose(seat, "fatigue", points)


def _do(turn: Turn, seat: SeatName, step: Step, disarmed: bool) -> None:
    scene = turn.scene(seat, disarmed=disarmed)
    finding = judge(scene, step)
    if finding is not None:
        named = step.spell if isinstance(step, Cast) else None
        turn.tell("blocked", seat, "B4.3a", fault=finding.code, step=_name(step), spell=named)
        return
    turn.duellists[seat] = paid(turn.duellists[seat], price(scene, step))
    if isinstance(step, Cast):
        _cast(turn, Casting(scene, scene.spells[step.spell], step))
    else:
        _DEEDS[type(step)](turn, seat, step)


def _name(step: Step) -> str:
    return type(step).__name__.lower()


def _retrieve(turn: Turn, seat: SeatName, step: Retrieve) -> None:
    turn.change(seat, wand=True)
    turn.tell("retrieved", seat, "effects")


def _move(turn: Turn, seat: SeatName, step: Move) -> None:
    """B4.2"""
    if step.to is not None and step.to != turn.duellists[seat].zone:
        turn.change(seat, zone=step.to)
        turn.tell("moved", seat, "B4.2", zone=step.to, step="move")


def _climb(turn: Turn, seat: SeatName, step: Climb) -> None:
    """B5.3"""
    if step.to is not None:
        turn.change(seat, zone=step.to)
        turn.tell("climbed", seat, "B5.3", zone=step.to)


def _dodge(turn: Turn, seat: SeatName, step: Dodge) -> None:
    """B4.2.1"""
    face = turn.dice.roll(f"dodge:{seat}", FACES)
    dodged = wins(step.bet or "", face)
    if dodged:
        turn.dodgers.add(seat)
    turn.tell("dodged" if dodged else "dodge_failed", seat, "B4.2.1", bet=step.bet, face=face)


def _nothing(turn: Turn, seat: SeatName, step: Nothing) -> None:
    """It needs only to be posted."""


_DEEDS: dict[type, Callable[[Turn, SeatName, Any], None]] = {
    Retrieve: _retrieve,
    Move: _move,
    Climb: _climb,
    Dodge: _dodge,
    Nothing: _nothing,
}


def _cast(turn: Turn, casting: Casting) -> None:
    """B4.1, B3.1.3, B4.1.1, B4.1.4: what is paid is paid and what is used up is used up, whatever comes of it."""
    seat, step, spell = casting.scene.seat, casting.step, casting.spell
    _note(turn, casting)
    turn.tell(
        "cast", seat, "B4.1", spell=spell.code, target=casting.target, zone=step.zone if spell.names_zone else None,
        bet=step.bet if casting.must_bet else None, bonus=step.bonus, modulation=step.modulation,
        above_level=casting.is_above_level, half_cost=step.half_cost, wandless=step.wandless,
    )  # fmt: skip
    if casting.misses:
        turn.tell("out_of_range", seat, "B3.1.3", spell=spell.code)
        return
    face = _roll(turn, casting) if casting.must_bet else None
    won = face is None or wins(step.bet or "", face)
    if not won and not casting.is_sure:
        turn.tell("failed", seat, "B4.1.1", spell=spell.code, face=face)
        return
    turn.tell("succeeded", seat, "B4.1.1" if face else "B4.1.4", spell=spell.code, face=face, bonus=step.bonus and won)
    _release(turn, casting, with_bonus=step.bonus and won)


def _roll(turn: Turn, casting: Casting) -> int:
    kind = "defend" if casting.scene.phase == "defence" else "cast"
    return turn.dice.roll(f"{kind}:{casting.scene.seat}", FACES)


def _note(turn: Turn, casting: Casting) -> None:
    """B4.1.7, B4.1.8, B4.1.9: what this cast counts for, and what it uses up."""
    caster, code = casting.me, casting.spell.code
    limited = casting.spell.uses is not None
    turn.change(
        casting.scene.seat,
        cast=(*caster.cast, code),
        used=(*caster.used, code) if limited else caster.used,
        above_level_used=caster.above_level_used or casting.is_above_level,
        traits_used=tuple(sorted({*caster.traits_used, *_traits(casting)})),
    )


def _traits(casting: Casting) -> list[Trait]:
    used: dict[Trait, bool] = {
        "legilimens": casting.is_legilimens,
        "dark_mage": casting.step.half_cost,
        "wandless": casting.step.wandless,
    }
    return [trait for trait, is_used in used.items() if is_used]


def _release(turn: Turn, casting: Casting, *, with_bonus: bool) -> None:
    """A spell that can be dodged is under way; any other acts at once (« Casting », last rule)."""
    seat, spell, target = casting.scene.seat, casting.spell, casting.target
    effects = casting.effects(with_bonus=with_bonus)
    if target is None:
        zone = casting.step.zone or 0
        touched = [one for one in turn.standing() if turn.duellists[one].zone == zone]
        act_on(turn, seat, spell.code, touched, effects)
        act_in(turn, seat, spell.code, zone, effects)
    elif casting.can_be_dodged:
        turn.under_way.append(UnderWay(seat, target, spell.code, casting.step.modulation, with_bonus))
    else:
        act_on(turn, seat, spell.code, (target,), effects)
