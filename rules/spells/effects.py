"""The vocabulary of effects: what a spell book may say that a spell does."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Count = Annotated[int, msgspec.Meta(ge=1, le=99)]
Reach = Annotated[int, msgspec.Meta(ge=0, le=99)]


class _Effect(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do", tag=str.lower):
    """What each effect is: its name in the book under `do`, and its own figures."""


class Fatigue(_Effect, frozen=True):
    """The target loses `points` of fatigue."""

    points: Count


class Drain(_Effect, frozen=True):
    """The target loses `points` of magic."""

    points: Count


class Heal(_Effect, frozen=True):
    """The target gains `points` of fatigue, up to its starting gauge."""

    points: Count


class Recharge(_Effect, frozen=True):
    """The target gains `points` of magic, up to its starting gauge."""

    points: Count


class Push(_Effect, frozen=True):
    """Away from the caster by `zones`; past the end of the stage one falls (B5.3)."""

    zones: Count


class Pull(_Effect, frozen=True):
    """Towards the caster by `zones`, not further, and never off the stage."""

    zones: Count


class Disarm(_Effect, frozen=True):
    """The wand is gone until it is retrieved."""


class Bind(_Effect, frozen=True):
    """No moving, climbing or dodging, to the end of the turn that comes `turns` after."""

    turns: Count


class Silence(_Effect, frozen=True):
    """No casting, to the end of the turn that comes `turns` after."""

    turns: Count


class Jinx(_Effect, frozen=True):
    """Every bet is on two faces, to the end of the turn that comes `turns` after."""

    turns: Count


class Cleanse(_Effect, frozen=True):
    """Ends bind, silence and jinx, and gives the wand back."""


class Shield(_Effect, frozen=True):
    """Stops one spell for each one covered: the one that it is cast on, or both of the team (B4.2.2)."""

    scope: Literal["self", "team"]


class Hazard(_Effect, frozen=True):
    """Whoever stands in the zone at the end of the next `turns` turns loses `points` of fatigue."""

    points: Count
    turns: Count


class Summon(_Effect, frozen=True):
    """A creature: at the end of the next `turns` turns opponents within `reach` lose `points` of fatigue."""

    points: Count
    reach: Reach
    turns: Count


class Reveal(_Effect, frozen=True):
    """The next post of the target is shown to the caster alone (B7.1)."""


Effect = (
    Fatigue | Drain | Heal | Recharge | Push | Pull | Disarm | Bind | Silence | Jinx | Cleanse | Shield
    | Hazard | Summon | Reveal
)  # fmt: skip
