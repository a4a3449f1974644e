"""A happening as one reader sees it: whether it is still true, where it leads, and which deadline it is about."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse

from duels.models import Duel, Happening, Phase, Seat
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
    def seat(self) -> Seat | None:
        """The reader's seat as it now stands, or None for one who does not play."""
        return self.duel.seats.filter(letter=self.letter).first()

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


def reader_has_to_answer(news: News) -> bool:
    """Until everybody has answered, a challenge or a pairing stands for those alone who have not."""
    duel, seat = news.duel, news.seat
    in_time = duel.due_at is not None and news.now <= duel.due_at
    return duel.status == Duel.Status.CHALLENGED and in_time and seat is not None and seat.accepted_at is None


def reader_has_to_prepare(news: News) -> bool:
    """The announcement of an arena duel asks for a receptacle, until it is hidden."""
    duel, seat = news.duel, news.seat
    is_hidden = duel.ruleset == "arena" and seat is not None and bool(seat.hidden_version)
    return duel.status == Duel.Status.ANNOUNCED and not is_hidden


def reader_may_ask_to_start(news: News) -> bool:
    """Who has asked to start at once has answered those who ask; but not where it has become clandestine since."""
    seats = list(news.duel.seats.all()) if news.duel.status == Duel.Status.ANNOUNCED else []
    is_secret = any(seat.accepts_clandestine for seat in seats)
    have_asked = {seat.letter for seat in seats if seat.wants_start and (seat.accepts_clandestine or not is_secret)}
    return bool(seats) and news.letter not in have_asked


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
    """A draw is still offered by whoever told it, to a reader who is still in and has not offered it too."""
    phase = news.phase
    if phase is None or news.letter in phase.left:
        return False
    return news.happening.details["seat"] in phase.draw_offers and news.letter not in phase.draw_offers


def deadline_stands(news: News) -> bool:
    said = news.happening.details.get("due_at")
    return turn_is_open(news) and (said is None or dt.datetime.fromisoformat(said) == turn_ends(news))


def turn_waits(news: News) -> bool:
    return news.phase is not None and news.phase.status == Phase.Status.LOCKED


def turn_waits_for_reader(news: News) -> bool:
    return turn_waits(news) and news.duel.referee_id == news.reader and not publication_is_announced(news)


def turn_waits_for_another(news: News) -> bool:
    is_offered = news.phase is not None and news.phase.offered_at is not None
    return turn_waits(news) and is_offered and news.duel.referee_id != news.reader


def publication_is_announced(news: News) -> bool:
    return turn_waits(news) and publication_comes(news) is not None


def publication_is_not_announced(news: News) -> bool:
    return turn_waits(news) and publication_comes(news) is None


def time_out_waits(news: News) -> bool:
    """Whether the time-out of the seat that is told of has no answer yet."""
    phase, seat = news.phase, news.happening.details["seat"]
    if phase is None or not phase.is_open or news.duel.referee_id != news.reader:
        return False
    return phase.pleas > 0 and phase.time_outs.filter(seat__letter=seat, answer="").exists()


def is_in_hand(news: News) -> bool:
    return news.duel.status in (Duel.Status.ANNOUNCED, Duel.Status.RUNNING)


def reader_referees(news: News) -> bool:
    return is_in_hand(news) and news.duel.referee_id == news.reader


def is_handed_over(news: News) -> bool:
    """Whether a referee still asks the reader to go on: one alone is asked at a time, and may take it back."""
    if not is_in_hand(news) or news.duel.referee_id != news.happening.details["by"]:
        return False
    return not _since(news).filter(duel=news.duel, what__startswith="hand_over_").exists()


def candidacy_waits(news: News) -> bool:
    """Whether a candidacy has neither been answered nor taken back."""
    same = news.happening.details["candidacy"]
    return not _since(news).filter(duel=None, what__startswith="candidacy_", details__candidacy=same).exists()


def _since(news: News) -> QuerySet[Happening]:
    return Happening.objects.filter(pk__gt=news.happening.pk)


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
