"""What waits for somebody, soonest deadline first; apart from it, what any referee may take."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from duels.actions.corrections import correctable_until
from duels.actions.filing import may_choose
from duels.actions.legilimens import waits_for
from duels.models import Duel, Phase
from duels.people import is_referee
from duels.wakes import answer_until, hide_by
from rules.hours import TAKEN_OVER

from .appeals import for_staff
from .reading import UNUSED, letter_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User

UNDER_WAY = (Duel.Status.CHALLENGED, Duel.Status.AGREED, Duel.Status.ANNOUNCED, Duel.Status.RUNNING)
OFFERED = 20  # duels without a referee, and turns to take over, shown to each
OFFERS = ("take_over", "take")  # to any referee: they wait for nobody in particular


class Task(NamedTuple):
    """One thing that somebody has to do: `what`, where, and until when, or since when where there is no deadline."""

    what: str
    duel: Duel
    url: str
    until: dt.datetime | None = None
    since: dt.datetime | None = None

    @property
    def due(self) -> dt.datetime:
        """The deadline; of what has none, when others may see to it."""
        return self.until or (self.since or self.duel.created_at) + TAKEN_OVER

    @property
    def is_offer(self) -> bool:
        return self.what in OFFERS


class Waiting(NamedTuple):
    """What waits for somebody, what is offered to them as a referee, and their duels that wait for others."""

    tasks: list[Task]
    offers: list[Task]
    others: list[Duel]


def waiting_for(user: User) -> Waiting:
    """Return what waits for a member, as a player and as a referee."""
    now = timezone.now()
    mine = list(_of_player(user))
    tasks = [task for duel in mine for task in player_tasks(duel, user, now)]
    busy = {task.duel.pk for task in tasks}
    if is_referee(user):
        tasks += [task for duel in _of_referee(user) for task in referee_tasks(duel, user)]
    elif user.is_staff:
        tasks += [task for duel in for_staff(user) for task in referee_tasks(duel, user)]
    tasks.sort(key=lambda task: task.due)
    return Waiting(
        [task for task in tasks if not task.is_offer],
        [task for task in tasks if task.is_offer],
        [duel for duel in mine if duel.pk not in busy],
    )


def _of_player(user: User) -> Iterator[Duel]:
    duels = Duel.objects.of(user).filter(status__in=UNDER_WAY)
    yield from duels.select_related("phase").prefetch_related("seats").defer(*UNUSED)


def _of_referee(user: User) -> Iterator[Duel]:
    duels = Duel.objects.select_related("phase").defer(*UNUSED)
    mine = Q(phase__status=Phase.Status.LOCKED) | Q(phase__status=Phase.Status.OPEN, phase__pleas__gt=0)
    yield from duels.filter(mine, referee=user, status=Duel.Status.RUNNING)
    yield from duels.contested_for(user).order_by("stopped_until")[:OFFERED]
    yield from duels.offered_to(user).order_by("phase__locked_at")[:OFFERED]
    yield from duels.filter(status=Duel.Status.AGREED, referee=None, refereed=True).order_by("starts_at")[:OFFERED]


def player_tasks(duel: Duel, user: User, now: dt.datetime) -> Iterator[Task]:
    """Yield what one duel asks of a player, the most pressing first."""
    letter = letter_of(duel, user)
    if duel.status == Duel.Status.CHALLENGED and _is_to_answer(duel, letter):
        what = "confirm" if duel.paired else "answer"
        yield Task(what, duel, reverse("duels:challenge", args=[duel.pk]), until=duel.due_at)
    elif duel.status == Duel.Status.ANNOUNCED and letter:
        yield from _preparation(duel, letter, now)
    elif duel.is_running and letter:
        yield from _turn(duel, duel.current, letter, now)


def _is_to_answer(duel: Duel, letter: str) -> bool:
    """Whether that seat has not accepted yet: of a 2v2 three have to, of a pairing all (B1.3)."""
    return any(seat.letter == letter and seat.accepted_at is None for seat in duel.seats.all())


def _preparation(duel: Duel, letter: str, now: dt.datetime) -> Iterator[Task]:
    """A4.1: without a receptacle hidden, until 24 hours before the start; then late, until the start. A4.1b: where
    another asks to start at once, the answer."""
    seats = {seat.letter: seat for seat in duel.seats.all()}
    mine = seats.pop(letter)
    in_time = hide_by(duel)
    url = reverse("duels:preparation", args=[duel.pk])
    if duel.ruleset == "arena" and not mine.hidden_version:
        is_late = now > in_time
        yield Task("prepare_late" if is_late else "prepare", duel, url, until=duel.starts_at if is_late else in_time)
    elif not mine.wants_start and any(seat.wants_start for seat in seats.values()):
        yield Task("start", duel, url, until=duel.starts_at)


def _turn(duel: Duel, phase: Phase, letter: str, now: dt.datetime) -> Iterator[Task]:
    if until := correctable_until(phase, letter):
        yield Task("correct", duel, reverse("duels:correction", args=[duel.pk]), until=until)
    if duel.stopped_until is not None:  # nobody files until the appeal is answered
        pass
    elif phase.is_open and letter in duel.owing and may_choose(phase, now):
        yield Task("choose", duel, reverse("duels:choice", args=[duel.pk]), until=phase.choice_until)
    elif phase.is_open and letter in duel.awaited and now <= phase.due_at and not waits_for(phase, letter, at=now):
        yield Task("play", duel, reverse("duels:turn", args=[duel.pk]), until=phase.due_at)
    may_agree = letter not in {*phase.draw_offers, *phase.left}
    if phase.draw_offers and may_agree:  # at any time: while the referee reads too (A13.4)
        until = phase.due_at if phase.is_open else None
        yield Task("answer_draw", duel, reverse("duels:draw", args=[duel.pk]), until=until, since=phase.locked_at)


def review_of(phase: Phase) -> str:
    """Return the address at which a phase is reviewed."""
    named = [] if phase.name == "turn" else [phase.name]
    return reverse("referee:review", args=[phase.duel_id, phase.number, *named])


def referee_tasks(duel: Duel, user: User) -> Iterator[Task]:
    """Yield what one duel asks of a referee: a turn to review, a time-out to answer, a turn or the duel to be taken."""
    if duel.status == Duel.Status.AGREED and duel.referee_id is None and not letter_of(duel, user):
        yield Task("take", duel, reverse("referee:queue"), until=duel.starts_at)
    elif duel.stopped_until is not None and duel.referee_id != user.pk and not letter_of(duel, user):
        yield Task("appeal", duel, reverse("referee:appeal", args=[duel.pk]), until=duel.stopped_until)
    elif duel.is_running and duel.referee_id == user.pk:
        yield from _of_its_referee(duel, duel.current)
    elif duel.is_running and _is_offered(duel.current) and not letter_of(duel, user):
        yield Task("take_over", duel, reverse("referee:take_over", args=[duel.pk]), since=duel.current.locked_at)


def _is_offered(phase: Phase) -> bool:
    return phase.status == Phase.Status.LOCKED and phase.offered_at is not None


def _of_its_referee(duel: Duel, phase: Phase) -> Iterator[Task]:
    if phase.status == Phase.Status.LOCKED and phase.publish_at is None:
        yield Task("review", duel, review_of(phase), since=phase.locked_at)
    elif phase.is_open and phase.pleas:
        yield Task("time_out", duel, reverse("referee:time_out", args=[duel.pk]), until=answer_until(phase))


def _is_for(task: Task, user: User) -> bool:
    """Whether what is asked of referees is asked of this one, who may not be of the duel's panel."""
    asked = {"take_over": Duel.objects.offered_to, "appeal": Duel.objects.contested_for}.get(task.what)
    return asked is None or asked(user).filter(pk=task.duel.pk).exists()


def tasks_here(duel: Duel, user: User) -> list[Task]:
    """Return what one duel asks of a member, player or referee."""
    now = timezone.now()
    decides = is_referee(user) or (user.is_staff and duel.stopped_until is not None and duel in for_staff(user))
    asked = [task for task in referee_tasks(duel, user) if _is_for(task, user)] if decides else []
    return [*player_tasks(duel, user, now), *asked]
