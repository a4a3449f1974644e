"""What can be done and what cannot, and why: every check is one small function with its rule.

The playing of posts, the menu and the check of a filing all ask here, so that they cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.core import Finding
from rules.spells.casting import Casting, Price, Scene, price, price_of
from rules.spells.filing import Cast, Climb, Dodge, Move, Nothing, Retrieve, Step
from rules.spells.state import Duellist
from rules.spells.terms import STAGE, THREE_FACES, TWO_FACES, PhaseName, SeatName, team_of


def misshapen(steps: Sequence[Step]) -> Finding | None:
    """Return what is wrong with a post as a whole, whatever its steps are (« A turn », B5.3, B7.4)."""
    casts = [step for step in steps if isinstance(step, Cast)]
    retrieves = sum(isinstance(step, Retrieve) for step in steps)
    if len(casts) > 1 or retrieves > 1 or (casts and retrieves and not casts[0].wandless):
        return _error("one_cast", "steps", "B6.2")
    if sum(isinstance(step, Move) for step in steps) > 1:
        return _error("one_move", "steps", "B6.2")
    if len(steps) > 1 and any(isinstance(step, Climb) for step in steps):
        return _error("climb_alone", "steps", "B5.3")
    return None


def judge(scene: Scene, step: Step) -> Finding | None:
    """Return why a step is impossible in that scene (None: it is possible)."""
    match step:
        case Cast():
            return judge_cast(Casting(scene, scene.spells[step.spell], step))
        case Retrieve():
            return _retrieve(scene)
        case Move():
            return _move(scene, step)
        case Climb():
            return _climb(scene, step)
        case Dodge():
            return _dodge(scene, step)
        case Nothing():
            return _wrong_phase(scene, "defence", "do")


def judge_cast(casting: Casting) -> Finding | None:
    """Return why a cast is impossible, as `judge` does."""
    for check in _CASTING:
        finding = check(casting)
        if finding is not None:
            return finding
    return _unpaid(casting.me, price_of(casting), "spell")


def _wrong_phase(scene: Scene, phase: PhaseName, field: str) -> Finding | None:
    return None if scene.phase == phase else _error("wrong_phase", field, "B6.2")


def _unpaid(me: Duellist, cost: Price, field: str) -> Finding | None:
    """B4.0: the last point of fatigue cannot be spent."""
    return _error("unpayable", field, "B4.0") if cost.fatigue and me.fatigue - cost.fatigue < 1 else None


def _retrieve(scene: Scene) -> Finding | None:
    if scene.phase == "defence":
        return _error("wrong_phase", "retrieve", "B6.2")
    if scene.me.on_floor:
        return _error("on_floor", "retrieve", "B5.3")
    return _error("has_wand", "retrieve", "B6.2") if scene.me.wand else None


def _move(scene: Scene, step: Move) -> Finding | None:
    """B4.2"""
    if scene.phase == "defence":
        return _error("wrong_phase", "move", "B6.2")
    if scene.me.on_floor:
        return _error("on_floor", "move", "B5.3")
    return _travel(scene, step, "move", "B4.2")


def _climb(scene: Scene, step: Climb) -> Finding | None:
    """B5.3"""
    if scene.phase == "defence":
        return _error("wrong_phase", "climb", "B6.2")
    if not scene.me.on_floor:
        return _error("not_on_floor", "climb", "B5.3")
    return _travel(scene, step, "climb", "B5.3")


def _travel(scene: Scene, step: Move | Climb, field: str, rule: str) -> Finding | None:
    if step.to is None:
        return _error("missing_zone", field, "B6.2")
    if step.to not in STAGE:
        return _error("off_stage", field, rule)
    if scene.me.bound:
        return _error("bound", field, "effects")
    return _unpaid(scene.me, price(scene, step), field)


def _dodge(scene: Scene, step: Dodge) -> Finding | None:
    """B4.2.1"""
    if scene.phase == "action":
        return _error("wrong_phase", "dodge", "B6.2")
    if scene.me.bound:
        return _error("bound", "dodge", "effects")
    return _bet(step.bet, dodge_bets(scene)) or _unpaid(scene.me, price(scene, step), "dodge")


def dodge_bets(scene: Scene) -> tuple[str, ...]:
    """Return the series that a dodge may bet on (B4.2.1, jinx)."""
    return TWO_FACES if scene.jinxed else THREE_FACES


def _bet(bet: str | None, offered: tuple[str, ...]) -> Finding | None:
    if bet is None:
        return _error("missing_bet", "bet", "B6.2")
    return None if bet in offered else _error("bet_not_offered", "bet", "B4.1.1")


def _phase_of_cast(casting: Casting) -> Finding | None:
    """B4.2.2: defence spells alone in the defence phase, and what shields only there."""
    spell, defending = casting.spell, casting.scene.phase == "defence"
    if defending and "defence" not in spell.tags:
        return _error("not_a_defence", "spell", "B4.2.2")
    return _error("only_in_defence", "spell", "B4.2.2") if spell.shields and not defending else None


def _floor(casting: Casting) -> Finding | None:
    """B5.3: whoever began the turn on the floor, and in the action phase whoever is there."""
    me = casting.me
    on_floor = me.floored or (me.on_floor and casting.scene.phase == "action")
    return _error("on_floor", "spell", "B5.3") if on_floor else None


def _silence(casting: Casting) -> Finding | None:
    return _error("silenced", "spell", "effects") if casting.me.silenced else None


def _wand(casting: Casting) -> Finding | None:
    """No wand, no cast; but for B7.4."""
    if not casting.step.wandless:
        return _error("disarmed", "spell", "B6.2") if casting.scene.disarmed else None
    me = casting.me
    if "wandless" not in me.traits or casting.level > me.traits["wandless"]:
        return _error("no_trait", "wandless", "B7.4")
    if "wandless" in me.traits_used:
        return _error("used_up", "wandless", "B7.4")
    return None if casting.scene.disarmed else _error("has_wand", "wandless", "B7.4")


def _level(casting: Casting) -> Finding | None:
    """B4.1.3, B4.1.6"""
    me = casting.me
    if not casting.is_above_level:
        return None
    if casting.step.modulation:
        return _error("above_level", "modulation", "B4.1.3")
    if casting.level > me.level + 1:
        return _error("above_level", "spell", "B4.1.6")
    return _error("used_up", "spell", "B4.1.6") if me.above_level_used else None


def _modulation(casting: Casting) -> Finding | None:
    lacking = casting.step.modulation and casting.spell.modulation is None
    return _error("no_modulation", "modulation", "B4.1.3") if lacking else None


def _legilimens(casting: Casting) -> Finding | None:
    """B7.1"""
    me = casting.me
    if not casting.is_legilimens:
        return None
    if "legilimens" not in me.traits:
        return _error("no_trait", "spell", "B7.1")
    return _error("used_up", "spell", "B7.1") if "legilimens" in me.traits_used else None


def _repetition(casting: Casting) -> Finding | None:
    """B4.1.7, B4.1.9"""
    me, spell = casting.me, casting.spell
    if spell.code in me.cast or spell.code in me.cast_before:
        return _error("repeated", "spell", "B4.1.7")
    spent = spell.uses is not None and me.used.count(spell.code) >= spell.uses
    return _error("used_up", "spell", "B4.1.9") if spent else None


def _bonus(casting: Casting) -> Finding | None:
    """B4.1.2, B4.1.6"""
    if not casting.step.bonus:
        return None
    if not casting.spell.bonus:
        return _error("no_bonus", "bonus", "B4.1.2")
    if not casting.is_of_own_type:
        return _error("other_type", "bonus", "B4.1.2")
    return _error("above_level", "bonus", "B4.1.6") if casting.is_above_level else None


def _half_cost(casting: Casting) -> Finding | None:
    """B7.3; Legilimens at its full cost (B7.1)."""
    me = casting.me
    if not casting.step.half_cost:
        return None
    if "dark_mage" not in me.traits:
        return _error("no_trait", "half_cost", "B7.3")
    if "curse" not in casting.spell.tags or casting.is_legilimens:
        return _error("not_a_curse", "half_cost", "B7.3")
    return _error("used_up", "half_cost", "B7.3") if "dark_mage" in me.traits_used else None


def _aim(casting: Casting) -> Finding | None:
    """B4.1.5, B4.1.8"""
    if casting.spell.names_zone:
        if casting.step.zone is None:
            return _error("missing_zone", "zone", "B6.2")
        return None if casting.step.zone in STAGE else _error("off_stage", "zone", "B4.1.5")
    if casting.target is None:
        return _error("missing_target", "target", "B6.2")
    if not _may_aim(casting, casting.target):
        return _error("wrong_target", "target", "B4.1.8")
    return None if casting.scene.is_in(casting.target) else _error("target_out", "target", "B3.3.1")


def _may_aim(casting: Casting, target: SeatName) -> bool:
    seat = casting.scene.seat
    if casting.spell.aims_at_opponent:
        return team_of(target) != team_of(seat)
    return target == seat or (casting.spell.helps_partner and team_of(target) == team_of(seat))


def _cast_bet(casting: Casting) -> Finding | None:
    return _bet(casting.step.bet, casting.bets) if casting.must_bet else None


# In the order in which a player would want to hear of them.
_CASTING: tuple[Callable[[Casting], Finding | None], ...] = (
    _phase_of_cast, _floor, _legilimens, _modulation, _level, _silence, _wand, _repetition, _bonus, _half_cost,
    _aim, _cast_bet,
)  # fmt: skip


def _error(code: str, field: str, rule: str) -> Finding:
    return Finding("error", code, field, rule)
