"""A step about to be done: in which scene, at what price, and what a cast comes to."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from rules.spells.book import LEGILIMENS, Spell
from rules.spells.effects import Effect
from rules.spells.filing import Cast, Climb, Dodge, Move, Step
from rules.spells.state import Duellist
from rules.spells.terms import DODGE_COST, FOUR_FACES, THREE_FACES, TWO_FACES, Mode, PhaseName, SeatName


class Price(msgspec.Struct, frozen=True, gc=False):
    """What a step costs."""

    fatigue: int = 0
    magic: int = 0


FREE = Price()


class Scene(msgspec.Struct, frozen=True):
    """One seat's view of the duel, in which its steps are judged.

    `jinxed` is as the phase began, whenever the judging takes place (B4.3a); `disarmed` as the seat's post began.
    """

    seat: SeatName
    phase: PhaseName
    mode: Mode
    spells: Mapping[str, Spell]
    duellists: Mapping[SeatName, Duellist]
    jinxed: bool
    disarmed: bool

    @property
    def me(self) -> Duellist:
        return self.duellists[self.seat]

    def after_paying(self, step: Step) -> Scene:
        """Return the scene with a step counted for what it costs, not for what it does (B4.3a)."""
        return replace(self, duellists={**self.duellists, self.seat: paid(self.me, price(self, step))})

    def is_in(self, seat: SeatName | None) -> bool:
        """Whether somebody fights at that seat, and is still in."""
        duellist = self.duellists.get(seat) if seat else None
        return duellist is not None and duellist.out is None


class Casting:
    """A spell about to be cast: by whom, how, and what follows from that. Asked often, so worked out once.

    `level` is the one that counts, a modulation's own (B4.1.3). `is_sure`: it succeeds without a bet (B4.1.4), which
    above one's level none does (B4.1.6). `target` is None when it names a zone, or nobody where it should.
    """

    __slots__ = ("is_above_level", "is_legilimens", "is_sure", "level", "me", "scene", "spell", "step", "target")

    def __init__(self, scene: Scene, spell: Spell, step: Cast) -> None:
        self.scene = scene
        self.spell = spell
        self.step = step
        self.me = scene.duellists[scene.seat]
        self.level: int = spell.modulation.level if step.modulation and spell.modulation else spell.level
        self.is_legilimens = spell.code == LEGILIMENS
        self.is_above_level = self.level > self.me.level and not self.is_legilimens
        self.is_sure = not self.is_above_level and ("auto" in spell.tags or "heal" in spell.tags)
        self.target = self._target()

    def _target(self) -> SeatName | None:
        if self.spell.names_zone:
            return None
        return self.step.target if self.spell.range is not None else self.step.target or self.scene.seat

    @property
    def is_of_own_type(self) -> bool:
        return self.spell.type in self.me.types

    @property
    def must_bet(self) -> bool:
        return self.step.bonus or not self.is_sure

    @property
    def can_be_dodged(self) -> bool:
        return self.spell.aims_at_opponent and not self.is_sure

    @property
    def bets(self) -> tuple[str, ...]:
        """The series on offer (B4.1.1, B4.1.2, B4.1.6, jinx)."""
        if self.scene.jinxed:
            return TWO_FACES
        if self.is_above_level:
            return THREE_FACES if self.me.prodigium and self.scene.mode == "rp" else TWO_FACES
        return FOUR_FACES if self.is_of_own_type and not self.step.bonus else THREE_FACES

    @property
    def cost(self) -> int:
        """In magic, or in fatigue for what magic lacks (B4.1, B4.1.4, B7.1, B7.3)."""
        if "heal" in self.spell.tags and not self.is_above_level and not self.is_legilimens:
            return 0
        return (self.level + 1) // 2 if self.step.half_cost else self.level

    @property
    def misses(self) -> bool:
        """Whether it is out of range (B3.1.3)."""
        if self.spell.range is None:
            return False
        target = self.scene.duellists[self.target].zone if self.target else self.step.zone or 0
        return abs(target - self.me.zone) > self.spell.range

    def effects(self, *, with_bonus: bool) -> tuple[Effect, ...]:
        """What it does (B4.1.3)."""
        return effects_of(self.spell, modulation=self.step.modulation, bonus=with_bonus)


def effects_of(spell: Spell, *, modulation: bool, bonus: bool) -> tuple[Effect, ...]:
    """Return what a spell does: a modulation replaces its effects, a bonus comes after them (B4.1.3)."""
    effects = spell.modulation.effects if modulation and spell.modulation else spell.effects
    return effects + spell.bonus if bonus else effects


def price(scene: Scene, step: Step) -> Price:
    """Return what a step costs; what cannot be done costs nothing."""
    match step:
        case Cast():
            return price_of(Casting(scene, scene.spells[step.spell], step))
        case Move() | Climb():
            return FREE if step.to is None else Price(abs(step.to - scene.me.zone))
        case Dodge():
            return Price(DODGE_COST)
    return FREE


def price_of(casting: Casting) -> Price:
    """Return what a cast costs: magic first, then fatigue (B4.1)."""
    magic = min(casting.cost, casting.me.magic)
    return Price(casting.cost - magic, magic)


def paid(duellist: Duellist, cost: Price) -> Duellist:
    """Return a duellist who has paid."""
    if cost == FREE:
        return duellist
    return replace(duellist, fatigue=duellist.fatigue - cost.fatigue, magic=duellist.magic - cost.magic)
