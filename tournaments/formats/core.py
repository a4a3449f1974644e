"""What the formats share: the values that go in and come out, and what follows from them in every format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

Place = int  # in the seeding, from 1

WIN, DRAW, LOSS = 2, 1, 0  # points, in halves of what tables show


class Pairing(NamedTuple):
    """Two places that meet in a round (from 1); `b` is None for a bye. `key` is unique in its tournament."""

    key: str
    round: int
    a: Place
    b: Place | None


class Result(NamedTuple):
    """What came of a pairing: points of each side (2, 1 or 0; both 0 when nobody came)."""

    pairing: Pairing
    a: int
    b: int
    is_played: bool = True

    @property
    def winner(self) -> Place | None:
        """The one who goes on; None after a draw, or when nobody came."""
        if self.a == self.b:
            return None
        return self.pairing.a if self.a > self.b else self.pairing.b

    @property
    def loser(self) -> Place | None:
        if self.a == self.b:
            return None
        return self.pairing.b if self.a > self.b else self.pairing.a


@dataclass(frozen=True)
class Course:
    """How a tournament has gone so far: `gone` are the places that nobody sits in any more."""

    places: int
    results: tuple[Result, ...] = ()
    gone: frozenset[Place] = frozenset()
    third_place: bool = False

    @property
    def round(self) -> int:
        """The last round of which there is a result, 0 before the first."""
        return max((result.pairing.round for result in self.results), default=0)

    @property
    def still_in(self) -> list[Place]:
        return [place for place in range(1, self.places + 1) if place not in self.gone]


class Standing(NamedTuple):
    """Where a place stands. `points` and the tie-breaks count halves; none where who loses is out."""

    rank: int
    place: Place
    wins: int
    draws: int
    losses: int
    points: int = 0
    tie_breaks: tuple[int, ...] = ()


class Format(Protocol):
    """One way to hold a tournament. `needs_winner`: a draw decides nothing, so the keeper must break it before."""

    name: str
    needs_winner: bool

    def rounds(self, course: Course) -> int:
        """Return how many rounds it takes at most."""

    def pair(self, course: Course) -> tuple[Pairing, ...]:
        """Return the pairings of the round that comes after those of the course; none when the tournament is over.

        Every pairing of the course must have its result.
        """

    def plays_on(self, course: Course, place: Place) -> bool:
        """Say whether a place has something to play yet."""

    def standings(self, course: Course) -> list[Standing]:
        """Return the places, the first first."""

    def winner(self, course: Course) -> Place | None:
        """Return who has won a tournament that is over; None where nobody came to the last match."""


def unplayed(pairing: Pairing, gone: frozenset[Place]) -> Result | None:
    """Return the result of a bye or a walkover; None for a pairing that is to be played."""
    if pairing.b is None:
        return Result(pairing, WIN, LOSS, is_played=False)
    a_is_in, b_is_in = pairing.a not in gone, pairing.b not in gone
    if a_is_in and b_is_in:
        return None
    return Result(pairing, WIN if a_is_in else LOSS, WIN if b_is_in else LOSS, is_played=False)


def champion(form: Format, course: Course) -> Place | None:
    """Return the champion of a tournament that is over: who has won it, and has not left; None where nobody has.

    Raises ValueError before the end.
    """
    if form.pair(course):
        raise ValueError("the tournament is not over")
    winner = form.winner(course)
    return None if winner in course.gone else winner


class Tally(NamedTuple):
    """Wins, draws and losses; a bye counts as a win."""

    wins: int
    draws: int
    losses: int


def tally(course: Course, place: Place) -> Tally:
    """Return what a place has won, drawn and lost."""
    won = drawn = lost = 0
    for result in course.results:
        if place in (result.pairing.a, result.pairing.b):
            mine = result.a if place == result.pairing.a else result.b
            won += mine == WIN
            drawn += mine == DRAW
            lost += mine == LOSS
    return Tally(won, drawn, lost)
