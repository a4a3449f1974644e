"""The steps of which the demo's duels are made: what somebody does, and about how many hours it takes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib.auth.models import User

from duels import clock
from duels.actions.announcement import take_duel
from duels.actions.appeals import contest_resolution, decide_appeal
from duels.actions.challenges import accept_challenge, decline_challenge
from duels.actions.ending import offer_draw, surrender
from duels.actions.filing import name_zone, state_now
from duels.actions.framing import NOTHING, Words
from duels.actions.preparation import ask_to_start, hide_receptacle, zones_to_hide_in
from duels.actions.publications import announce_publication, keep_words
from duels.actions.revisions import correct_turn
from duels.actions.rulings import adjust_points, rule_invalid
from duels.actions.sweep import wake
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.actions.turns import publish_turn
from duels.models import Appeal
from rules.core import Seat

from . import rehearsal
from .bout import Bout
from .goals import Goal, calm
from .timeline import at_any_hour

SWEPT = clock.GRACE + dt.timedelta(seconds=1)
FIRST_FILED, SECOND_FILED, PUBLISHED = 4, 5, 13  # hours from the one to the next


class Step(NamedTuple):
    hours: float
    act: Callable[[Bout], None]


def _accept(bout: Bout) -> None:
    with bout.later(5):
        accept_challenge(user=bout.user("b"), duel_id=bout.duel_id)


def _decline(bout: Bout) -> None:
    with bout.later(5):
        decline_challenge(user=bout.user("b"), duel_id=bout.duel_id)


def _expire(bout: Bout) -> None:
    with bout.once((bout.duel.due_at or bout.at) + SWEPT):
        wake(bout.duel_id)


def _take(bout: Bout) -> None:
    with bout.later(4):
        take_duel(user=bout.referee, duel_id=bout.duel_id)


def hide(seat: Seat) -> Step:
    """That seat hides its receptacle, anywhere."""

    def act(bout: Bout) -> None:
        zone = bout.random.choice(zones_to_hide_in(bout.duel, seat))
        with bout.later(6) as at:
            hide_receptacle(user=bout.user(seat), duel_id=bout.duel_id, zone=zone, received_at=at)

    return Step(6, act)


def ask(seat: Seat) -> Step:
    """That seat asks to start without waiting (A4.1b)."""

    def act(bout: Bout) -> None:
        with bout.later(3) as at, at_any_hour():
            ask_to_start(user=bout.user(seat), duel_id=bout.duel_id, received_at=at)
        if bout.duel.is_running:
            bout.remember_losses()

    return Step(3, act)


def _start_on_time(bout: Bout) -> None:
    with bout.once(bout.duel.starts_at + SWEPT):
        wake(bout.duel_id)
    bout.remember_losses()


ACCEPT, DECLINE, TAKE = Step(5, _accept), Step(5, _decline), Step(4, _take)
EXPIRE = Step(7 * 24, _expire)
START_ON_TIME = Step(51, _start_on_time)
PREPARED = (hide("a"), hide("b"))
STARTED_BY_BOTH = (*PREPARED, ask("a"), ask("b"))


def filed(goal: Goal = calm, *, only: Seat | None = None) -> Step:
    """Both publish and file in the open turn, or only one of them."""
    return Step(FIRST_FILED + SECOND_FILED * (only is None), lambda bout: _file(bout, goal, only=only))


class Amended(NamedTuple):
    """What a referee does before publishing: a seat's publication found `invalid`, for giving a clue; a seat's
    alchemy `given`, so many points; each with its reason. And the `words` before the result and after it."""

    invalid: tuple[Seat, str] | None = None
    given: tuple[Seat, int, str] | None = None
    words: Words = NOTHING


AS_COMPUTED = Amended()


def turn(goal: Goal = calm, *, late: Seat | None = None, amended: Amended = AS_COMPUTED) -> Step:
    """A whole turn, published; nothing happens if the duel is over. `late` does not file."""

    def act(bout: Bout) -> None:
        duel = bout.duel
        if not duel.is_running:
            return
        _file(bout, goal, late=late, invalid=amended.invalid[0] if amended.invalid else None)
        with bout.later(PUBLISHED):
            if duel.refereed:
                _review(bout, duel.turn, amended)
        bout.remember_losses()

    return Step((24 if late else FIRST_FILED + SECOND_FILED) + PUBLISHED, act)


def turn_before_extra(goal: Goal) -> Step:
    """A whole turn, unless the extra turn has come already (A13.2)."""
    whole = turn(goal)

    def act(bout: Bout) -> None:
        if not bout.duel.public_view["extra_turn"]:
            whole.act(bout)

    return Step(whole.hours, act)


def _file(
    bout: Bout, goal: Goal, *, only: Seat | None = None, late: Seat | None = None, invalid: Seat | None = None
) -> None:
    _name_zones(bout)
    duel = bout.duel
    infractions = {seat: kind for seat, kind in ((late, "late"), (invalid, "invalid_post")) if seat}
    order = sorted(bout.random.sample("ab", 2), key=lambda seat: seat != only)
    found = rehearsal.declarations(duel, duel.current, goal, bout.random, order=order, infractions=infractions)
    seats = [seat for seat in order if seat != late and only in (None, seat)]
    for seat, hours in zip(seats, (FIRST_FILED, SECOND_FILED), strict=False):
        with bout.later(hours):
            bout.publish_text(seat, found)
    if only is None:
        _let_it_lock(bout, duel.turn)


def _name_zones(bout: Bout) -> None:
    """Whoever owes a choice names a zone (A10.2d)."""
    duel = bout.duel
    state = state_now(duel, duel.current)
    for seat in duel.rules.status(state).owing:
        owed = duel.rules.awaits(state, seat).owes
        zone = bout.random.choice([choice.value for choice in owed.choices] if owed else [])
        with bout.later(1) as at:
            name_zone(user=bout.user(seat), duel_id=duel.pk, turn=duel.turn, zone=zone, received_at=at)


def _let_it_lock(bout: Bout, number: int) -> None:
    """Wait for the deadline of a turn that somebody misses, or that is held open (A10.2d)."""
    duel = bout.duel
    if duel.is_running and duel.turn == number and duel.current.is_open:
        with bout.once((duel.due_at or bout.at) + SWEPT):
            wake(duel.pk)


def _review(bout: Bout, number: int, amended: Amended) -> None:
    place: dict[str, Any] = {"user": bout.referee, "duel_id": bout.duel_id, "turn": number}
    if amended.invalid:
        seat, reason = amended.invalid
        rule_invalid(**place, seat=seat, ground="clue", reason=reason)
    if amended.given:
        seat, points, reason = amended.given
        adjust_points(**place, seat=seat, gauge="alchemy", points=points, reason=reason)
    if amended.words != NOTHING:
        keep_words(**place, **amended.words._asdict())
    publish_turn(**place, revision=bout.duel.current.resolution.revision)


def announces(hours: int, words: Words) -> Step:
    """The referee has read the turn that waits, and announces that it is published in so many hours."""

    def act(bout: Bout) -> None:
        with bout.later(1) as at:
            duel = bout.duel
            place: dict[str, Any] = {"user": bout.referee, "duel_id": duel.pk, "turn": duel.turn}
            keep_words(**place, **words._asdict())
            revision = duel.current.resolution.revision
            announce_publication(**place, revision=revision, publish_at=at + dt.timedelta(hours=hours))

    return Step(1, act)


def asks_time_out(seat: Seat, hours: int, reason: str) -> Step:
    """That seat asks for a time-out in the open turn (A7)."""

    def act(bout: Bout) -> None:
        with bout.later(2) as at:
            ask_time_out(user=bout.user(seat), duel_id=bout.duel_id, hours=hours, reason=reason, received_at=at)

    return Step(2, act)


def grants_time_out(reason: str) -> Step:
    """The referee grants the time-out that was asked for (A7)."""

    def act(bout: Bout) -> None:
        asked = bout.duel.current.time_outs.get(answer="")
        with bout.later(3):
            answer_time_out(user=bout.referee, time_out_id=asked.pk, granted=True, reason=reason)

    return Step(3, act)


def corrects(number: int, seat: Seat, why: str, reason: str) -> Step:
    """The referee takes a published turn up again, finds a publication in it invalid, and publishes it anew."""

    def act(bout: Bout) -> None:
        with bout.later(2):
            seen = bout.duel.current.pk
            correct_turn(user=bout.referee, duel_id=bout.duel_id, turn=number, reason=why, seen=seen)
        with bout.later(1):
            _review(bout, number, Amended(invalid=(seat, reason)))
        bout.remember_losses()

    return Step(3, act)


def contests(seat: Seat, why: str) -> Step:
    """That seat contests the last resolution; another referee has yet to decide."""

    def act(bout: Bout) -> None:
        with bout.later(2) as at:
            contested = bout.duel.current.after
            if contested is not None:
                contest_resolution(
                    user=bout.user(seat), duel_id=bout.duel_id, resolution_id=contested.pk, reason=why, received_at=at
                )  # fmt: skip

    return Step(2, act)


def answers_appeal(name: str, why: str) -> Step:
    """Another referee, of that name, reads the appeal that waits and lets the resolution stand."""

    def act(bout: Bout) -> None:
        with bout.later(6):
            appeal = Appeal.objects.get(duel=bout.duel_id, answer="")
            decide_appeal(user=User.objects.get(username=name), appeal_id=appeal.pk, granted=False, reason=why)

    return Step(6, act)


def resign(seat: Seat) -> Step:
    """That seat surrenders (A13.4), unless the duel is over."""

    def act(bout: Bout) -> None:
        if bout.duel.is_over:
            return
        with bout.later(3) as at:
            surrender(user=bout.user(seat), duel_id=bout.duel_id, received_at=at)

    return Step(3, act)


def offers_draw(seat: Seat) -> Step:
    """That seat offers a draw, or accepts the other's (A13.4)."""

    def act(bout: Bout) -> None:
        with bout.later(2) as at:
            offer_draw(user=bout.user(seat), duel_id=bout.duel_id, received_at=at)

    return Step(2, act)
