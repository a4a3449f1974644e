"""Dice, asked by label: those that a case gives, and those that a duel's secret seed gives."""

from __future__ import annotations

import hmac
from collections.abc import Mapping

from rules.core import Dice, RulesError
from rules.seal import SEED_BYTES, canonical

# A die reads 16 bits of its HMAC: enough for a d100, few enough that a test can meet the rejected values.
_SPACE = 1 << 16


class MissingDie(RulesError):  # noqa: N818
    """A die was needed that nobody gave; `label` names it."""

    def __init__(self, label: str, faces: int) -> None:
        super().__init__(f"the die {label!r} (1 to {faces}) is needed and not given")
        self.label = label


class ScriptedDice:
    """Dice whose faces are given in advance, by label."""

    def __init__(self, given: Mapping[str, int]) -> None:
        self._given = dict(given)
        self._asked: set[str] = set()

    def roll(self, label: str, faces: int) -> int:
        """Return the face given for `label`. Raises MissingDie, or RulesError if the die lacks that face."""
        if label not in self._given:
            raise MissingDie(label, faces)
        face = self._given[label]
        if type(face) is not int or not 1 <= face <= faces:
            raise RulesError(f"the die {label!r} has faces 1 to {faces}, not {face!r}")
        self._asked.add(label)
        return face

    def unused(self) -> tuple[str, ...]:
        """Return the labels given and never asked, in the order given."""
        return tuple(label for label in self._given if label not in self._asked)


class SealedDice:
    """Dice that a secret seed decides, the same each time they are asked.

    `phase` is "announcement", "start" or the number of the turn. `rolled` keeps, by label, the number of
    faces and the face. Raises RulesError when the seed has not its 32 bytes.
    """

    def __init__(self, seed: bytes, duel: str, branch: int, phase: str | int) -> None:
        if len(seed) != SEED_BYTES:
            raise RulesError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._seed = seed
        self._about = [duel, branch, phase]
        self.rolled: dict[str, tuple[int, int]] = {}

    def roll(self, label: str, faces: int) -> int:
        """Return the face, 1 to `faces`. Raises RulesError if the label was asked with other faces."""
        if not 1 <= faces <= _SPACE:
            raise RulesError(f"a die cannot have {faces} faces")
        if label not in self.rolled:
            self.rolled[label] = faces, self._draw(label, faces)
        known, face = self.rolled[label]
        if known != faces:
            raise RulesError(f"the die {label!r} has {known} faces, not {faces}")
        return face

    def _draw(self, label: str, faces: int) -> int:
        fair = _SPACE - _SPACE % faces  # values from here on would favour the first faces: drawn again
        counter = 0
        while (value := self._value(label, counter)) >= fair:
            counter += 1
        return value % faces + 1

    def _value(self, label: str, counter: int) -> int:
        drawn = hmac.digest(self._seed, canonical([*self._about, label, counter]), "sha256")
        return int.from_bytes(drawn[:2], "big")


class AmendedDice:
    """Dice of which some were rolled elsewhere, by label; the die that does not count is rolled all the same.

    So its face is known, and shown beside the other.
    """

    def __init__(self, dice: Dice, replaced: Mapping[str, int]) -> None:
        self._dice = dice
        self._replaced = replaced

    def roll(self, label: str, faces: int) -> int:
        """Return the face rolled elsewhere, if there is one. Raises RulesError if the die lacks that face."""
        drawn = self._dice.roll(label, faces)
        face = self._replaced.get(label, drawn)
        if not 1 <= face <= faces:
            raise RulesError(f"the die {label!r} has faces 1 to {faces}, not {face!r}")
        return face


def amended(dice: Dice, replaced: Mapping[str, int]) -> Dice:
    """Return the dice, or those rolled elsewhere in the place of some of them."""
    return AmendedDice(dice, replaced) if replaced else dice
