"""A happening as one reader sees it: whether it is still true, where it leads, and which deadline it is about."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse

from duels.models import Duel, Happening, Phase
from duels.wakes import REMINDERS, hide_by

Holds = Callable[["News"], bool]


@dataclass(frozen=True)
class News:
    """A happening as one reader sees it; `about` is its duel, if it is about one, and `now` is when."""

    happening: Happening
    about: Duel | None
    reader: int
    now: dt.datetime

    @property
    def duel(self) -> Duel:
        """The duel that it is about. Raises LookupError."""
        if self.about is None:
            raise LookupError(f"{self.happening.what} is about no duel")
        return self.about

    @property
    def turn(self) -> int | None:
        turn: int | None = self.happening.details.get("turn")
        return turn

    @property
    def letter(self) -> str:
        """The reader's seat, or nothing for one who does not play."""
        return next((letter for letter, player in self.duel.cast.items() if player["user"] == self.reader), "")

    @property
    def phase(self) -> Phase | None:
        """The phase that is told of, as long as it is the duel's own: not another of that turn, opened since."""
        phase = self.duel.phase
        if phase is None or not self.duel.is_running or self.turn not in (None, self.duel.turn):
            return None
        return phase if phase.opened_at <= self.happening.at else None


def always(news: News) -> bool:
    return True


def status(*wanted: Duel.Status) -> Holds:
    return lambda news: news.duel.status in wanted


def _is_open(news: News) -> bool:
    return news.phase is not None and news.phase.is_open and news.now <= news.phase.due_at


def turn_is_open(news: News) -> bool:
    return _is_open(news) and news.duel.stopped_until is None


def reader_is_awaited(news: News) -> bool:
    return turn_is_open(news) and news.letter in news.duel.awaited and bool(news.letter)


def time_is_short(what: str) -> Holds:
    """A reminder says how much time is left; a time-out or an outage may have given more since."""
    return lambda news: reader_is_awaited(news) and turn_ends_within(news, REMINDERS[what])


def turn_ends_within(news: News, time: dt.timedelta) -> bool:
    return news.phase is not None and news.phase.due_at - news.now <= time


def reader_may_file_again(news: News) -> bool:
    holds_until = news.phase.holds_until if news.phase else None
    return turn_is_open(news) and holds_until is not None and news.now <= holds_until


def draw_is_offered(news: News) -> bool:
    return news.phase is not None and news.happening.details["seat"] in news.phase.draw_offers


def turn_waits(news: News) -> bool:
    return news.phase is not None and news.phase.status == Phase.Status.LOCKED


def turn_waits_for_reader(news: News) -> bool:
    return turn_waits(news) and news.duel.referee_id == news.reader and not publication_is_announced(news)


def turn_waits_for_another(news: News) -> bool:
    return turn_waits(news) and news.duel.referee_id != news.reader


def publication_is_announced(news: News) -> bool:
    return turn_waits(news) and publication_comes(news) is not None


def publication_is_not_announced(news: News) -> bool:
    return turn_waits(news) and publication_comes(news) is None


def time_out_waits(news: News) -> bool:
    phase = news.phase
    return phase is not None and phase.is_open and phase.pleas > 0 and news.duel.referee_id == news.reader


def is_handed_over(news: News) -> bool:
    alive = news.duel.status in (Duel.Status.ANNOUNCED, Duel.Status.RUNNING)
    return alive and news.duel.referee_id == news.happening.details["by"]


def appeal_waits(news: News) -> bool:
    until = news.duel.stopped_until
    return until is not None and news.now <= until and news.happening.at + dt.timedelta(hours=48) >= until


def appeal_waits_for_reader(news: News) -> bool:
    return appeal_waits(news) and news.duel.referee_id != news.reader


def appeal_ends(news: News) -> dt.datetime | None:
    return news.duel.stopped_until


def the_duel(news: News) -> str:
    return news.duel.get_absolute_url()


def at_duel(name: str) -> Callable[[News], str]:
    return lambda news: reverse(name, args=[news.duel.pk])


def at_review(news: News) -> str:
    phase = news.phase
    named = [phase.name] if phase is not None and phase.name != "turn" else []
    return reverse("referee:review", args=[news.duel.pk, news.turn, *named])


def at_queue(news: News) -> str:
    return reverse("referee:queue")


def at_page(name: str) -> Callable[[News], str]:
    return lambda news: reverse(name)


def at_tournament(news: News) -> str:
    return reverse("tournaments:tournament", args=[news.happening.details["slug"]])


def at_candidacy(news: News) -> str:
    return reverse("referee:candidacy", args=[news.happening.details["candidacy"]])


def at_post(news: News) -> str:
    return reverse("duels:post", args=[news.duel.pk, news.happening.details["position"]])


def hiding_ends(news: News) -> dt.datetime:
    hides = news.duel.ruleset == "arena"
    return hide_by(news.duel) if hides else news.duel.starts_at


def turn_ends(news: News) -> dt.datetime | None:
    return news.phase.due_at if news.phase else None


def publication_comes(news: News) -> dt.datetime | None:
    return news.phase.publish_at if news.phase else None


def filing_again_ends(news: News) -> dt.datetime | None:
    return news.phase.holds_until if news.phase else None
