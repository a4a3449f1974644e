"""Simple strategies for the spell duel, in a 1v1 with the book that is shipped."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from rules.core import Filed, Inputs
from rules.simulation.tables import Duel, Side
from rules.spells import effects as book
from rules.spells.book import Spell, starter
from rules.spells.casting import Casting, Scene, effects_of, price
from rules.spells.effects import Effect
from rules.spells.filing import Cast, Climb, Dodge, Move, Nothing, Retrieve, Step
from rules.spells.judgement import judge
from rules.spells.preparation import Entrant, start
from rules.spells.resolution import resolve
from rules.spells.standing import scene_of
from rules.spells.state import Event, State
from rules.spells.terms import SEATS_OF, SeatName, seat_of, types_at, wins

SEATS = SEATS_OF["1v1"]
STYLES = ("striker", "guardian", "gambler")
# What a point, a zone or a turn of an effect is worth to a strategy, in points of fatigue.
_WORTH: dict[type, float] = {
    book.Fatigue: 1, book.Drain: 0.5, book.Push: 0.3, book.Pull: 0.1, book.Bind: 0.4, book.Silence: 1.6,
    book.Jinx: 0.6, book.Hazard: 0.5, book.Summon: 0.8, book.Recharge: 0.5, book.Heal: 0.8,
}  # fmt: skip
_DISARMED = 2.4
_THRIFT = {"striker": 0.45, "guardian": 0.6, "gambler": 0.3}  # what a point spent weighs
_NOISE = {"striker": (0.8, 1.2), "guardian": (0.8, 1.2), "gambler": (0.3, 1.7)}


class _Dice:
    """Dice that draw."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def roll(self, label: str, faces: int) -> int:
        return self._random.randint(1, faces)


class Option(msgspec.Struct, frozen=True, gc=False):
    """A way to cast a spell: what it is worth, what it costs, and what it does that is worth more or less at times."""

    cast: Cast
    worth: float
    cost: int
    uses: int | None
    disarms: bool
    cleanses: bool
    heals: int
    recharges: int


def types() -> tuple[str, ...]:
    """Return the types of magic of the shipped book."""
    return tuple(starter().types)


def play(seed: str, *, level: int | None = None, own: str | None = None) -> Duel:
    """Play one duel: both at the same level, of any types, by the same style; `own` is a type of a's."""
    random = Random(seed)  # noqa: S311
    fought_at = level or random.randint(1, 8)
    entrants = _entrants(random, fought_at, own)
    style = random.choice(STYLES)
    first = random.choice("ab")
    state = replace(_first_state(), duellists={seat: one.enter(seat) for seat, one in entrants.items()})
    dice = _Dice(random)
    used: Counter[str] = Counter()
    succeeded: Counter[str] = Counter()
    while state.outcome is None:
        posts = [Filed(seat, _post(random, state, seat, style)) for seat in sorted(state.awaited, reverse=first == "b")]
        state, events = resolve(state, Inputs(filings=tuple(posts)), dice)
        _count(events, used, succeeded)
    sides = tuple(_side(entrants[seat].types, seat, seat == first, fought_at, state, own) for seat in SEATS)
    told = sides[:1] if own else sides
    return Duel(state.turn, state.outcome.by, told, dict(used), dict(succeeded))


@cache
def _first_state() -> State:
    """A duel of two nobodies, whose seats others take: the book is read once."""
    nobody = {"level": 1, "types": ["fire"]}
    spells = msgspec.to_builtins(starter().spells)
    return start({"mode": "free", "format": "1v1", "spells": spells, "duellists": {"a": nobody, "b": nobody}})


def _entrants(random: Random, level: int, own: str | None) -> dict[SeatName, Entrant]:
    drawn = {seat: random.sample(types(), types_at(level)) for seat in SEATS}
    if own is not None:
        others = [kind for kind in types() if kind != own]
        drawn["a"] = [own, *random.sample(others, types_at(level) - 1)]
    return {seat: msgspec.convert({"level": level, "types": drawn[seat]}, Entrant) for seat in SEATS}


def _side(kinds: tuple[str, ...], seat: SeatName, is_first: bool, level: int, state: State, own: str | None) -> Side:
    winner = state.outcome.winner if state.outcome else None
    score = 0.5 if winner is None else float(winner == (1 if seat == "a" else 2))
    labels = {
        "side": (seat,),
        "posts": ("first" if is_first else "second",),
        "level": (str(level),),
        "type of magic": (own,) if own else kinds,
    }
    return Side(labels, score)


def _count(events: tuple[Event, ...], used: Counter[str], succeeded: Counter[str]) -> None:
    for event in events:
        if event.spell and event.code == "cast":
            used[event.spell] += 1
        elif event.spell and event.code == "succeeded":
            succeeded[event.spell] += 1


def _post(random: Random, state: State, seat: str, style: str) -> Any:
    scene = scene_of(state, seat_of(seat))
    if state.phase == "defence":
        return msgspec.to_builtins(_defend(random, state, scene, style))
    return {"steps": msgspec.to_builtins(_act(random, scene, style))}


def _act(random: Random, scene: Scene, style: str) -> list[Step]:
    me, foe = scene.me, _foe(scene)
    if me.on_floor:
        climb = Climb(1 if me.zone == 0 else 11)
        return [climb] if judge(scene, climb) is None else []
    if not me.wand:
        return [Retrieve()]
    low, high = _NOISE[style]
    useful = [(weight, option) for option in _options(scene) if (weight := _weight(scene, option, style)) > 0]
    weighed = [(weight * random.uniform(low, high), option) for weight, option in useful]
    for _, option in sorted(weighed, key=lambda pair: -pair[0]):
        steps = _in_range(random, scene, option.cast, foe)
        if steps:
            return steps
    return _approach(scene, foe)


def _in_range(random: Random, scene: Scene, cast: Cast, foe: SeatName) -> list[Step]:
    """The cast, after the steps that bring its target within range; nothing if that cannot be done."""
    spell = scene.spells[cast.spell]
    aimed = replace(cast, target=foe if spell.aims_at_opponent else None, zone=_place(scene, foe))
    casting = Casting(scene, spell, aimed)
    if casting.must_bet:
        aimed = replace(aimed, bet=random.choice(casting.bets))
    steps: list[Step] = [aimed]
    if spell.range is not None and casting.misses:
        there, here = scene.duellists[foe].zone, scene.me.zone
        steps.insert(0, Move(there - spell.range if there > here else there + spell.range))
    return steps if _possible(scene, steps) else []


def _place(scene: Scene, foe: SeatName) -> int:
    return min(max(scene.duellists[foe].zone, 1), 11)


def _possible(scene: Scene, steps: list[Step]) -> bool:
    for step in steps:
        if judge(scene, step) is not None:
            return False
        scene = scene.after_paying(step)
    return True


def _approach(scene: Scene, foe: SeatName) -> list[Step]:
    """A step towards the opponent when there is nothing to cast, if there is strength for it."""
    there, here = scene.duellists[foe].zone, scene.me.zone
    step = Move(here + (there > here) - (there < here))
    return [step] if abs(there - here) > 4 and scene.me.fatigue > 2 and judge(scene, step) is None else []


def _options(scene: Scene) -> tuple[Option, ...]:
    me = scene.me
    return _known(me.level, tuple(me.types), me.jinxed > 0)


@cache
def _known(level: int, own: tuple[str, ...], jinxed: bool) -> tuple[Option, ...]:
    """The best ways to cast each spell of that level or below in the action phase, modulated and not."""
    options: list[Option] = []
    for spell in starter().spells:
        if spell.level <= level and not spell.shields and spell.code != "legilimens":
            ways = [_option(spell, cast, own, jinxed) for cast in _ways(spell, level, own)]
            for modulated in (False, True):
                alike = [way for way in ways if way.cast.modulation == modulated]
                options += [max(alike, key=lambda way: way.worth)] if alike else []
    return tuple(options)


def _ways(spell: Spell, level: int, own: tuple[str, ...]) -> list[Cast]:
    ways = [Cast(spell.code)]
    if spell.modulation and spell.modulation.level <= level:
        ways.append(Cast(spell.code, modulation=True))
    if spell.bonus and spell.type in own:
        ways += [replace(way, bonus=True) for way in ways]
    return ways


def _option(spell: Spell, cast: Cast, own: tuple[str, ...], jinxed: bool) -> Option:
    plain = _worth(effects_of(spell, modulation=cast.modulation, bonus=False))
    extra = _worth(spell.bonus) if cast.bonus else 0
    chance = 1 / 3 if jinxed else 2 / 3 if spell.type in own and not cast.bonus else 1 / 2
    sure = "auto" in spell.tags or "heal" in spell.tags
    modulation = spell.modulation if cast.modulation else None
    return Option(
        cast=cast,
        worth=plain + chance * extra if sure else chance * (plain + extra),
        cost=0 if "heal" in spell.tags else modulation.level if modulation else spell.level,
        uses=spell.uses,
        disarms=any(isinstance(effect, book.Disarm) for effect in spell.effects),
        cleanses=any(isinstance(effect, book.Cleanse) for effect in spell.effects),
        heals=sum(effect.points for effect in spell.effects if isinstance(effect, book.Heal)),
        recharges=sum(effect.points for effect in spell.effects if isinstance(effect, book.Recharge)),
    )


def _worth(effects: tuple[Effect, ...]) -> float:
    return sum(_figure(effect) * _WORTH.get(type(effect), 0) for effect in effects)


def _figure(effect: Effect) -> float:
    match effect:
        case book.Hazard() | book.Summon():
            return effect.points * effect.turns
        case book.Push() | book.Pull():
            return effect.zones
        case book.Bind() | book.Silence() | book.Jinx():
            return effect.turns
        case book.Fatigue() | book.Drain() | book.Heal() | book.Recharge():
            return effect.points
    return 0


def _weight(scene: Scene, option: Option, style: str) -> float:
    """What a way is worth now: nothing where it has nothing to act on."""
    me, foe = scene.me, scene.duellists[_foe(scene)]
    code = option.cast.spell
    if code in me.cast_before or (option.uses and me.used.count(code) >= option.uses):
        return 0
    if option.heals and me.most.fatigue - me.fatigue < option.heals:
        return 0
    if option.recharges and me.most.magic - me.magic < option.recharges:
        return 0
    worth = option.worth
    if option.disarms and foe.wand:
        worth += _DISARMED / 2
    if option.cleanses:
        worth += 1.5 * (me.bound + me.jinxed)
    magic = min(option.cost, me.magic)
    return worth - _THRIFT[style] * (magic * 0.5 + (option.cost - magic) * 1.5)


def _foe(scene: Scene) -> SeatName:
    return "b" if scene.seat == "a" else "a"


def _defend(random: Random, state: State, scene: Scene, style: str) -> Step:
    """A shield or a dodge against what hurts more than that costs."""
    under_way = next(one for one in state.under_way if one.target == scene.seat)
    spell = state.spells[under_way.spell]
    threat = _worth(effects_of(spell, modulation=under_way.modulation, bonus=under_way.bonus))
    shield = Cast("protego")
    if style != "gambler" and threat > 4 and judge(scene, shield) is None and price(scene, shield).fatigue == 0:
        return shield
    bet = random.choice(("1-2", "3-4", "5-6") if scene.jinxed else ("1-2-3", "4-5-6"))
    dodge = Dodge(bet)
    chance = 1 / 3 if scene.jinxed else 1 / 2
    if threat * chance > 2.5 and wins(bet, int(bet[0])) and judge(scene, dodge) is None:
        return dodge
    return Nothing()
