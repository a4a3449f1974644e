"""The formats of a tournament: who meets whom, how they stand, and who wins it.

Plain Python, nothing stored: a format reads a `Course` (how many places there are, every result so far) and answers.
Places are numbered by the seeding, 1 first; who sits in one is not its business, so a substitute changes nothing here.
"""

from .core import Course, Format, Pairing, Place, Result, Standing, champion, unplayed
from .elimination import DoubleElimination, SingleElimination
from .round_robin import RoundRobin
from .swiss import Swiss

FORMATS: dict[str, Format] = {
    one.name: one for one in (SingleElimination(), DoubleElimination(), RoundRobin(), Swiss())
}


def get(name: str) -> Format:
    """Return the format of that name. Raises KeyError."""
    return FORMATS[name]


__all__ = ["FORMATS", "Course", "Format", "Pairing", "Place", "Result", "Standing", "champion", "get", "unplayed"]
