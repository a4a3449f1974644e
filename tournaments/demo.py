"""The tournaments of the demo: one over, one under way, one open; played by those who live in its school."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from random import Random

from django.contrib.auth.models import User

from duels import clock
from duels.demo.bout import Bout
from duels.demo.cast import REFEREE_NAMES, STAFF_NAME, Character, characters
from duels.demo.goals import beaten, calm
from duels.demo.steps import Step, ask, filed, hide, resign, turn
from duels.demo.timeline import at_instant
from duels.models import Duellist

from .actions.announcing import Announcement, announce_tournament
from .actions.counting import count_what_is_over
from .actions.leaving import withdraw
from .actions.rating import rate_what_is_over
from .actions.registering import register
from .actions.sweep import wake
from .models import Match, Tournament

SWEPT = dt.timedelta(minutes=1)
READY = (hide("a"), hide("b"), ask("a"), ask("b"))
SHORT = (*READY, turn(beaten("b", 2)), turn(beaten("b", 2)), resign("b"))
UPSET = (*READY, turn(calm), turn(beaten("a", 2)), resign("a"))
OPENED = (*READY, filed(only="a"))


def load_tournaments() -> int:
    """Load the tournaments that are missing; return how many there were."""
    missing = [load for slug, load in _LOADS.items() if not Tournament.objects.filter(slug=slug).exists()]
    for load in missing:
        load()
    rate_what_is_over()
    count_what_is_over()
    return len(missing)


class _Story:
    """A tournament being played, at `at` in its own time."""

    def __init__(self, at: dt.datetime, entrants: Sequence[str], **terms: object) -> None:
        self.at = at
        self.characters = characters()
        self.by_name = {one.name: one for one in self.characters.values()}
        referees = [User.objects.get(username=name) for name in REFEREE_NAMES]
        with at_instant(at):
            announcement = Announcement(starts_at=at + dt.timedelta(days=3), referees=referees, **terms)  # type: ignore[arg-type]
            staff = User.objects.get(username=STAFF_NAME)
            self.tournament = announce_tournament(user=staff, announcement=announcement)
        for key in entrants:
            self.at += dt.timedelta(hours=3)
            duellist = self.duellist(self.characters[key])
            with at_instant(self.at):
                register(user=duellist.user, tournament_id=self.tournament.pk, duellist=duellist)

    def duellist(self, character: Character) -> Duellist:
        return Duellist.objects.select_related("user").get(name=character.name)

    def start(self) -> None:
        self.at = self.tournament.starts_at + SWEPT
        self.sweep()

    def sweep(self) -> None:
        with at_instant(self.at):
            wake(self.tournament.pk)

    def play(self, *stories: Sequence[Step]) -> None:
        """Play the duels that are undecided, side by side, each its story; then let the clock look."""
        matches = self.tournament.matches.filter(decided_at=None).select_related("first__duellist", "second__duellist")
        ends = [self._bout(match, steps) for match, steps in zip(list(matches), stories, strict=False)]
        self.at = max(ends) + SWEPT
        self.sweep()

    def _bout(self, match: Match, steps: Sequence[Step]) -> dt.datetime:
        if match.second is None or match.duel is None:
            raise LookupError(f"match {match.key} has no duel")
        duellists = {"a": self.duellist(self.by_name[match.first.duellist.name])}
        duellists["b"] = self.duellist(self.by_name[match.second.duellist.name])
        bout = Bout(
            players={seat: self.by_name[one.name] for seat, one in duellists.items()},
            duellists=duellists,
            referee=match.duel.referee.username if match.duel.referee else "",
            begins_at=self.at,
            random=Random(match.key),  # noqa: S311 - a demo's whims, no secret
        )
        bout.duel_id = match.duel.pk
        for step in steps:
            step.act(bout)
        return bout.at


def _lanterns() -> None:
    """A knock-out of autumn, with its champion."""
    story = _Story(
        clock.now() - dt.timedelta(days=58), ("mahaut", "eudoxie", "fulbert", "celeste", "dorian"),
        name="Coupe des Lanternes", ruleset="arena", kind="single", seeding="ranking", third_place=True, capacity=8,
        description="Quand les lanternes s’allument dans la grande cour, quatre pantins suffisent à faire une fête.",
    )  # fmt: skip
    story.start()
    story.play(SHORT)
    story.play(UPSET, SHORT)
    story.play(SHORT, SHORT)


def _moon() -> None:
    """Everybody loses twice before leaving; the second round has begun."""
    entrants = ("kerenza", "isaure", "gersende", "hippolyte", "basile", "celeste", "alix")
    played = sum(step.hours for step in SHORT) + sum(step.hours for step in OPENED)
    story = _Story(
        clock.now() - dt.timedelta(days=3, hours=played + 8), entrants,
        name="Tournoi de la Pleine Lune", ruleset="arena", kind="double", seeding="draw", capacity=6,
        description="Deux défaites pour sortir : la lune, elle aussi, revient.",
    )  # fmt: skip
    story.start()
    story.play(SHORT, UPSET)
    story.play(OPENED, READY[:2])


def _stage() -> None:
    """Spell duels to come: registration is open."""
    story = _Story(
        clock.now() - dt.timedelta(hours=30), ("eudoxie", "basile", "mahaut", "dorian"),
        name="Grand prix de l’Estrade", ruleset="spells", mode="rp", kind="swiss", seeding="draw", capacity=16,
        round_days=20, description="Quatre rondes sur l’estrade. Les chocogrenouilles sont offertes à l’entrée.",
    )  # fmt: skip
    gone = story.duellist(story.characters["dorian"])
    with at_instant(story.at + dt.timedelta(hours=1)):
        withdraw(user=gone.user, tournament_id=story.tournament.pk)


_LOADS = {
    "coupe-des-lanternes": _lanterns,
    "tournoi-de-la-pleine-lune": _moon,
    "grand-prix-de-lestrade": _stage,
}
