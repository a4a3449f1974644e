"""Whether the site works, for machines: /healthz and /readyz. Nothing in the answers is secret."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Manager, Min
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse

from duels import clock
from duels.actions.heartbeat import last_beat
from duels.models import Duel
from duels.models.duel import SET_ASIDE
from tournaments.models import Tournament

SWEEP_LATE = dt.timedelta(minutes=2)  # many sweeps missed
OVERDUE = dt.timedelta(minutes=2)  # beyond the grace
PATIENCE = 1  # seconds for the broker to answer


@dataclass(frozen=True)
class State:
    """Where the site stands. Ages are in seconds: None where it is not known, or nothing is overdue (a duel; the start
    or the end of a round of a tournament). `set_aside`: how many duels and tournaments wait for staff."""

    database: bool
    broker: bool
    last_sweep: float | None = None
    oldest_overdue: float | None = None
    oldest_overdue_tournament: float | None = None
    set_aside: int = 0

    @property
    def reasons(self) -> list[str]:
        """Why the site is not ready; empty when it is. What is set aside waits for staff, and stops nothing else."""
        late = "no sweep yet" if self.last_sweep is None else f"no sweep for {self.last_sweep:.0f} s"
        duel, tournament = self.oldest_overdue or 0, self.oldest_overdue_tournament or 0
        wrong = {
            "the database does not answer": not self.database,
            "the broker does not answer": not self.broker,
            late: self.database and (self.last_sweep is None or self.last_sweep > SWEEP_LATE.total_seconds()),
            f"a duel is overdue by {duel:.0f} s": duel > OVERDUE.total_seconds(),
            f"a tournament is overdue by {tournament:.0f} s": tournament > OVERDUE.total_seconds(),
        }
        return [reason for reason, holds in wrong.items() if holds]

    @property
    def is_ready(self) -> bool:
        return not self.reasons


def state() -> State:
    """Ask the database and the broker."""
    broker = broker_answers()
    try:
        now = clock.now()
        return State(
            True, broker, _age(last_beat(), now), _overdue(Duel.objects, now), _overdue(Tournament.objects, now),
            _set_aside(),
        )  # fmt: skip
    except DatabaseError:
        return State(False, broker)


def _age(instant: dt.datetime | None, now: dt.datetime) -> float | None:
    return None if instant is None else round((now - instant).total_seconds(), 1)


def _overdue(rows: Manager[Any], now: dt.datetime) -> float | None:
    """For how long the clock has had something to do, where nothing keeps it from that."""
    due = rows.filter(wake_at__lte=now, failures__lt=SET_ASIDE)
    return _age(due.aggregate(oldest=Min("wake_at"))["oldest"], now)


def _set_aside() -> int:
    return sum(rows.filter(failures__gte=SET_ASIDE).count() for rows in (Duel.objects, Tournament.objects))


def broker_answers() -> bool:
    """Say whether the broker of the settings answers a ping within a second."""
    patience: dict[str, Any] = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
    try:
        if settings.REDIS_URL:
            broker = redis.Redis.from_url(settings.REDIS_URL, **patience)
        elif settings.BROKER_SOCKET:
            broker = redis.Redis(unix_socket_path=settings.BROKER_SOCKET, **patience)
        else:
            return False
        with broker:
            return bool(broker.ping())
    except redis.RedisError:
        return False


def healthz() -> HttpResponse:
    """The process answers."""
    return JsonResponse({"alive": True})


def readyz() -> HttpResponse:
    """All that the site stands on answers, and the clock keeps up; 503 with the reasons otherwise."""
    found = state()
    told = {"ready": found.is_ready, "reasons": found.reasons, **asdict(found)}
    return JsonResponse(told, status=200 if found.is_ready else 503)


ANSWERS = {"/healthz": healthz, "/readyz": readyz}


class HealthMiddleware:
    """Answer those who watch the site, before anything else: whatever host they name, with no session and over HTTP."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        answer = ANSWERS.get(request.path)
        if answer is None:
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        response = answer()
        response["Cache-Control"] = "no-store"
        return response
