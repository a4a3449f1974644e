"""Plays whole tournaments of one format with made-up results: absences, people who leave, substitutes."""

from random import Random

from tournaments import formats
from tournaments.formats import Course, Result
from tournaments.formats.core import DRAW, LOSS, WIN


class Season:
    """One tournament, played to its end; `course` is how it went, `sitting` who has sat in each place."""

    def __init__(self, name, places, random, *, third_place=False, leaving=0.0, replaced=0.5):
        self.format = formats.get(name)
        self.random = random
        self.leaving = leaving
        self.replaced = replaced
        self.course = Course(places, third_place=third_place)
        self.rounds = []
        self.sitting = {place: [f"duellist {place}"] for place in range(1, places + 1)}

    def play(self):
        while pairings := self.format.pair(self.course):
            self.rounds.append(pairings)
            assert len(self.rounds) <= self.format.rounds(self.course)
            self._play_round(pairings)
            if len(self.rounds) == 1:
                self._take_substitutes()
        return self

    def _play_round(self, pairings):
        gone = set(self.course.gone)
        results = []
        for pairing in pairings:
            gone |= {place for place in (pairing.a, pairing.b) if place and self.random.random() < self.leaving}
            results.append(formats.unplayed(pairing, frozenset(gone)) or self._duel(pairing))
        self.course = Course(
            self.course.places, (*self.course.results, *results), frozenset(gone), self.course.third_place
        )

    def _duel(self, pairing):
        scores = [(WIN, LOSS), (LOSS, WIN)] + ([] if self.format.needs_winner else [(DRAW, DRAW)])
        return Result(pairing, *self.random.choice(scores))

    def _take_substitutes(self):
        """Until the second round, somebody else may sit down in a place that was left."""
        back = {place for place in sorted(self.course.gone) if self.random.random() < self.replaced}
        for place in back:
            self.sitting[place].append(f"substitute {place}")
        self.course = Course(self.course.places, self.course.results, self.course.gone - back, self.course.third_place)


def played(name, places, seed=0, **more):
    return Season(name, places, Random(seed), **more).play()
