"""What a seat may post in the open phase, with what each choice costs and why what is not offered is not.

Each step is judged alone, as things stand: the costs of two steps add up, and `check` judges the post as a whole.
A spell's `way` is one of the combinations in which it can be cast: "plain", or its options joined by "+".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from rules.core import Choice, Cost, Finding, Menu, Part
from rules.spells.book import Spell
from rules.spells.casting import Casting, Price, Scene, price, price_of
from rules.spells.filing import Cast, Climb, Dodge, Move, Nothing, Retrieve, Step
from rules.spells.judgement import dodge_bets, judge, judge_cast
from rules.spells.standing import may_be_lifted, out_of_range, scene_of
from rules.spells.state import Insight, State
from rules.spells.terms import FOUR_FACES, STAGE, THREE_FACES, TWO_FACES, SeatName, team_of

OPTIONS = ("bonus", "modulation", "half_cost", "wandless")
PLAIN = "plain"


def awaits(state: State, seat: SeatName) -> Menu:
    """Return what `seat` may post: nothing if it is not called."""
    state.duellist(seat)
    if seat not in state.awaited:
        return Menu(seat, awaited=False)
    scene = scene_of(state, seat)
    if state.phase == "defence":
        return Menu(seat, awaited=True, parts=(_defences(state, scene),))
    return Menu(
        seat,
        awaited=True,
        parts=tuple(_actions(state, scene)),
        waits_for=next((one.target for one in _insights(state) if one.caster == seat), None),
        share=0.5 if any(one.target == seat for one in _insights(state)) else 1.0,
        seen_by=tuple(one.caster for one in _insights(state) if one.target == seat),
    )


def _insights(state: State) -> tuple[Insight, ...]:
    """B7.1: those that still have somebody to see, and somebody who sees."""
    standing = state.standing
    return tuple(one for one in state.insights if one.caster in standing and one.target in standing)


def _actions(state: State, scene: Scene) -> Iterator[Part]:
    if scene.me.on_floor:
        yield Part("climb", tuple(_travel(state, scene, Climb(zone), zone) for zone in STAGE), required=False)
    else:
        yield Part("cast", tuple(_spell(state, scene, spell) for spell in state.spells.values()), required=False)
        yield Part("retrieve", (_choice(state, scene, "retrieve", Retrieve()),), required=False)
        yield Part("move", tuple(_travel(state, scene, Move(zone), zone) for zone in STAGE), required=False)
    if any(one.caster == scene.seat for one in _insights(state)):
        yield Part("order", (Choice("before"), Choice("after")), required=False)


def _defences(state: State, scene: Scene) -> Part:
    bets = Part("bet", tuple(map(Choice, dodge_bets(scene))))
    dodge = _choice(state, scene, "dodge", Dodge(bets.choices[0].value), parts=(bets,))
    shields = tuple(_spell(state, scene, spell) for spell in state.spells.values() if "defence" in spell.tags)
    return Part("do", (_choice(state, scene, "nothing", Nothing()), dodge, *_casts(shields)))


def _casts(spells: tuple[Choice, ...]) -> tuple[Choice, ...]:
    if not spells:
        return ()
    offered = any(spell.refused is None for spell in spells)
    refused = None if offered else spells[0].refused
    return (Choice("cast", parts=(Part("cast", spells),) if offered else (), refused=refused),)


def _travel(state: State, scene: Scene, step: Move | Climb, zone: int) -> Choice:
    return _choice(state, scene, str(zone), step)


def _choice(state: State, scene: Scene, value: str, step: Step, parts: tuple[Part, ...] = ()) -> Choice:
    """One thing to do: refused, or with what it would bring."""
    return _verdict(state, scene, value, price(scene, step), judge(scene, step), parts)


def _verdict(
    state: State, scene: Scene, value: str, cost: Price, finding: Finding | None, parts: tuple[Part, ...] = ()
) -> Choice:
    if finding is None:
        return Choice(value, _costs(cost), parts=parts)
    lifted = may_be_lifted(state, scene.seat, finding)
    if lifted is None:
        return Choice(value, _costs(cost), refused=finding)
    return Choice(value, _costs(cost), findings=(lifted,), parts=parts)


def _spell(state: State, scene: Scene, spell: Spell) -> Choice:
    """A spell with all its ways; if none is offered, with what speaks against the first."""
    ways: list[Choice] = []
    for options in _combinations(scene, spell):
        ways.append(_way(state, scene, spell, options))
        refused = ways[0].refused
        if refused is not None and refused.code in _WHATEVER_THE_WAY:
            break
    if all(way.refused is not None for way in ways):
        return Choice(spell.code, ways[0].costs, refused=ways[0].refused)
    return Choice(spell.code, parts=(Part("cast.way", tuple(ways)), *_aims(state, scene, spell)))


# What speaks against a spell in whatever way it is cast.
_WHATEVER_THE_WAY = frozenset(
    {"only_in_defence", "not_a_defence", "on_floor", "no_trait", "above_level", "silenced", "repeated", "used_up"}
)


def _combinations(scene: Scene, spell: Spell) -> Iterator[tuple[str, ...]]:
    """The options that this spell and this duellist have, in all combinations, the plain way first."""
    traits = scene.me.traits
    there = {
        "bonus": bool(spell.bonus) and spell.type in scene.me.types,
        "modulation": spell.modulation is not None,
        "half_cost": "dark_mage" in traits and "curse" in spell.tags,
        "wandless": "wandless" in traits,
    }
    options = [option for option in OPTIONS if there[option]]
    for count in range(len(options) + 1):
        yield from combinations(options, count)


def _way(state: State, scene: Scene, spell: Spell, options: tuple[str, ...]) -> Choice:
    casting = Casting(scene, spell, _aimed(scene, spell, options))
    parts: tuple[Part, ...] = ()
    if casting.must_bet:
        parts = (_BETS[casting.bets],)
        casting.step = replace(casting.step, bet=casting.bets[0])
    return _verdict(state, scene, "+".join(options) or PLAIN, price_of(casting), judge_cast(casting), parts)


_BETS: dict[tuple[str, ...], Part] = {
    bets: Part("cast.bet", tuple(map(Choice, bets))) for bets in (TWO_FACES, THREE_FACES, FOUR_FACES)
}


def _aimed(scene: Scene, spell: Spell, options: tuple[str, ...]) -> Cast:
    """A cast aimed at where it may be aimed, so that only the rest of it is judged."""
    return Cast(
        spell.code,
        target=_opponent(scene) if spell.aims_at_opponent else scene.seat,
        zone=STAGE[0],
        bonus="bonus" in options,
        modulation="modulation" in options,
        half_cost="half_cost" in options,
        wandless="wandless" in options,
    )


def _opponent(scene: Scene) -> SeatName:
    """One of the other team who is still in."""
    return next(seat for seat in scene.duellists if team_of(seat) != team_of(scene.seat) and scene.is_in(seat))


def _aims(state: State, scene: Scene, spell: Spell) -> Iterator[Part]:
    """B4.1.5, B4.1.8: where or whom, with a warning where it would miss from here."""
    if spell.names_zone:
        yield Part("cast.zone", tuple(_aim(scene, spell, Cast(spell.code, zone=zone), str(zone)) for zone in STAGE))
        return
    if spell.aims_at_opponent:
        seats = [seat for seat in state.standing if team_of(seat) != team_of(scene.seat)]
    else:
        helped = [seat for seat in state.standing if spell.helps_partner and team_of(seat) == team_of(scene.seat)]
        seats = helped if len(helped) > 1 else []
    if seats:
        yield Part("cast.target", tuple(_aim(scene, spell, Cast(spell.code, target=seat), seat) for seat in seats))


def _aim(scene: Scene, spell: Spell, step: Cast, value: str) -> Choice:
    return Choice(value, findings=out_of_range(Casting(scene, spell, step)))


def _costs(cost: Price) -> tuple[Cost, ...]:
    costs = (Cost("magic", cost.magic), Cost("fatigue", cost.fatigue))
    return tuple(one for one in costs if one.points)
