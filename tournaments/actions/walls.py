"""A round's wall: the end at which what is undecided is decided as it stands, moved by what silences took of it."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence

from duels import clock
from duels.actions.arranged import decide_at_the_wall
from duels.actions.heartbeat import Silence
from duels.clock import GRACE
from tournaments.models import Match, Tournament

from .holding import held
from .rounds import take_in

logger = logging.getLogger(__name__)


def give_back(tournament: Tournament, silences: Sequence[Silence], *, at: dt.datetime) -> None:
    """Have the round under way of a tournament that is held end later by what each silence took of it, once."""
    heard = tournament.heard_until
    if not tournament.is_running or heard is None:
        return
    for silence in silences:
        if silence.until > heard and silence.since < tournament.wall:
            lost = silence.until - max(silence.since, heard)
            tournament.put_off_wall(tournament.wall + lost, at=at)
            tournament.heard_until = silence.until


def is_at_the_wall(tournament: Tournament, *, at: dt.datetime) -> bool:
    """Say whether the time of the round under way is over."""
    return tournament.is_running and at >= tournament.wall + GRACE


def come_to_the_wall(tournament: Tournament) -> None:
    """Decide what stands at the wall, each duel in its own transaction; if something is wrong with one of them, the
    others are decided all the same."""
    undecided = tournament.matches.filter(decided_at=None, round=tournament.round)
    failed: Exception | None = None
    for match_id in list(undecided.values_list("pk", flat=True)):
        try:
            _decide(tournament.pk, match_id)
        except Exception as error:
            # raised again below, so that it is counted
            logger.exception("wall: match %s failed", match_id)
            failed = error
    if failed is not None:
        raise failed


def _decide(tournament_id: int, match_id: int) -> None:
    """Decide a match, unless it was decided meanwhile, or its round was put off: looked at again once it is held."""
    now = clock.now()
    with held(tournament_id) as tournament:
        match = Match.objects.with_all().filter(pk=match_id, decided_at=None, round=tournament.round).first()
        if match is None or match.duel_id is None or not is_at_the_wall(tournament, at=now):
            return
        absent = decide_at_the_wall(duel_id=match.duel_id)
        match.refresh_from_db(fields=["duel"])
        take_in(tournament, match, absent=absent, at=now)
