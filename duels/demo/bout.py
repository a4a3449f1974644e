"""One duel of the demo, brought along by the actions of those who play it, at the instants of its story."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from django.contrib.auth.models import User

from duels.actions.filing import file_declaration
from duels.models import Duel, Duellist
from rules.core import Seat

from .cast import Character
from .rehearsal import Declarations
from .timeline import at_instant


class Bout:
    """`at` is where its story stands in time; `players` are its characters by seat, `duel` the row as it is now."""

    def __init__(
        self, *, players: dict[Seat, Character], duellists: dict[Seat, Duellist], referee: str, begins_at: dt.datetime,
        random: Random,
    ) -> None:  # fmt: skip
        self.players, self.duellists, self.referee_name = players, duellists, referee
        self.at, self.random = begins_at, random
        self.duel_id = 0
        self._links: dict[Seat, int] = {}
        self._lost: dict[Seat, int] = {}
        self._published: set[str] = set()

    @property
    def duel(self) -> Duel:
        return Duel.objects.select_related("phase").get(pk=self.duel_id)

    @property
    def referee(self) -> User:
        return User.objects.get(username=self.referee_name)

    def user(self, seat: Seat) -> User:
        """Return who plays that seat."""
        return self.duellists[seat].user

    @contextmanager
    def later(self, hours: float) -> Iterator[dt.datetime]:
        """Act so many hours later, give or take six minutes."""
        self.at += dt.timedelta(hours=hours + self.random.uniform(-0.1, 0.1))
        with at_instant(self.at) as instant:
            yield instant

    @contextmanager
    def once(self, instant: dt.datetime) -> Iterator[dt.datetime]:
        """Act at an instant that the duel itself sets."""
        self.at = max(self.at, instant)
        with at_instant(self.at):
            yield self.at

    def publish_text(self, seat: Seat, filed: Declarations) -> None:
        """Publish a text of the seat's character, and its declaration with it, at the clock's instant."""
        duel = self.duel
        file_declaration(
            user=self.user(seat),
            duel_id=duel.pk,
            turn=duel.turn,
            text=self._text(duel, seat),
            declaration=filed[seat],
            received_at=self.at,
        )

    def remember_losses(self) -> None:
        """Note what the last published turn cost each: the texts of the coming one react to it."""
        links = {seat: puppet["link"] for seat, puppet in self.duel.public_view["seats"].items()}
        self._lost = {seat: self._links.get(seat, link) - link for seat, link in links.items()}
        self._links = links

    def _text(self, duel: Duel, seat: Seat) -> str:
        texts = self.players[seat].texts
        for mood in (self._mood(duel, seat), "mid", "hit", "held", "extra"):
            for text in texts.get(mood, ()):
                if text not in self._published:
                    self._published.add(text)
                    return text
        raise LookupError(f"{self.players[seat].name} has no text left for turn {duel.turn} of this duel")

    def _mood(self, duel: Duel, seat: Seat) -> str:
        if duel.public_view["extra_turn"]:
            return "extra"
        if duel.turn == 1:
            return "opening"
        return "hit" if self._lost[seat] > 0 else "held"
