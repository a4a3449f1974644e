"""Whether dice fell as fair ones do: Pearson's chi-square test."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

WIDEST = 20  # faces told apart; of a die with more, ten faces count as one
ENOUGH = 5  # rolls expected of each face, below which the test says nothing (Cochran 1954)
RARE, ODD = 0.05, 0.001


class Face(NamedTuple):
    """One face of a die, or several that count as one (`first` to `last`), and how often it fell."""

    first: int
    last: int
    times: int

    @property
    def width(self) -> int:
        return self.last - self.first + 1


class Fairness(NamedTuple):
    """How the rolls of one kind of die are spread over its faces."""

    faces: int
    fell: tuple[Face, ...]

    @property
    def rolls(self) -> int:
        return sum(face.times for face in self.fell)

    @property
    def needed(self) -> int:
        """The rolls that it takes to say anything."""
        return math.ceil(ENOUGH * self.faces / min(face.width for face in self.fell))

    @property
    def freedom(self) -> int:
        """Degrees of freedom."""
        return len(self.fell) - 1

    def expected(self, face: Face) -> float:
        """How often fair dice would have shown it, on average."""
        return self.rolls * face.width / self.faces

    @property
    def chi_square(self) -> float:
        """Pearson's statistic: 0 for dice that fell as evenly as can be. There is one roll at least."""
        return sum((face.times - self.expected(face)) ** 2 / self.expected(face) for face in self.fell)

    @property
    def p(self) -> float | None:
        """The probability (0 to 1) that fair dice would be as uneven, or more; None where the rolls are too few."""
        return chance_of(self.chi_square, self.freedom) if self.rolls >= self.needed else None

    @property
    def verdict(self) -> str:
        """Return "too_few", "fair", "rare" or "odd"."""
        if self.p is None:
            return "too_few"
        return "fair" if self.p >= RARE else "rare" if self.p >= ODD else "odd"


def fairness(faces: int, fell: Mapping[int, int]) -> Fairness:
    """Return how the dice of so many faces (2 or more) are spread, of which face 1 to `faces` fell so often."""
    step = 1 if faces <= WIDEST else 10
    groups = [range(first, min(first + step, faces + 1)) for first in range(1, faces + 1, step)]
    return Fairness(
        faces, tuple(Face(group[0], group[-1], sum(fell.get(face, 0) for face in group)) for group in groups)
    )


def chance_of(chi_square: float, freedom: int) -> float:
    """Return the probability that chi-square with `freedom` degrees (1 or more) is at least that large.

    It is Q(freedom / 2, chi_square / 2), the regularised incomplete gamma function, by its recurrence
    Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1) (DLMF 8.8.6) from Q(1/2, x) = erfc √x or Q(1, x) = e^-x.
    """
    half = chi_square / 2
    if half <= 0:
        return 1.0
    a, chance = (0.5, math.erfc(math.sqrt(half))) if freedom % 2 else (1.0, math.exp(-half))
    while a < freedom / 2:
        chance += math.exp(a * math.log(half) - half - math.lgamma(a + 1))
        a += 1
    return min(chance, 1.0)
