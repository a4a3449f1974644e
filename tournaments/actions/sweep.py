"""What the clock does for tournaments: starts, walls, and what came of the duels; one tournament at a time."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from duels import clock
from duels.actions import heartbeat
from duels.actions.failing import count_failure
from duels.actions.heartbeat import Silence, is_silent
from duels.actions.outage import LATELY
from tournaments.models import Tournament

from .holding import held
from .rounds import advance, start
from .walls import come_to_the_wall, give_back, is_at_the_wall

logger = logging.getLogger(__name__)

MOST = 100  # tournaments a sweep


def sweep() -> dict[str, int]:
    """Do what is due; return how many tournaments were `done`, and `failed`.

    Running it twice, late, or several times at once changes nothing more: each is held, and looked at again.
    """
    done = failed = 0
    now = clock.now()
    if is_silent(now):  # the sweep of the duels notes what the silence was as it goes on; then it is made good here
        return {"done": done, "failed": failed}
    silences = heartbeat.silences(now - LATELY, now)
    due = Tournament.objects.due(now, silent_until=silences[-1].until if silences else None)
    for tournament_id in list(due.values_list("pk", flat=True)[:MOST]):
        try:
            wake(tournament_id, silences)
            done += 1
        except Exception as error:
            # whatever is wrong with one tournament, the others go on; it is set aside after three times
            logger.exception("sweep: tournament %s failed", tournament_id)
            failed += 1
            count_failure(Tournament.objects.filter(pk=tournament_id), error)
    return {"done": done, "failed": failed}


def wake(tournament_id: int, silences: Sequence[Silence] = ()) -> None:
    """Do what is due for one tournament: duels that stand at the round's wall first, each in its own transaction.

    `silences` of the clock are made good before.
    """
    now = clock.now()
    with held(tournament_id) as tournament:
        give_back(tournament, silences, at=now)
    if is_at_the_wall(tournament, at=now):
        come_to_the_wall(tournament)
    with held(tournament_id) as tournament:
        if tournament.is_open and now >= tournament.starts_at:
            start(tournament, at=now)
        elif tournament.is_running:
            advance(tournament, at=now)
        tournament.failures = 0


def take_up_again(*, tournament_id: int) -> None:
    """Let the clock try again a tournament that it has set aside (staff has seen to what was wrong)."""
    with held(tournament_id) as tournament:
        tournament.failures = 0
