"""Duels that others have arranged, as a tournament does: made with everybody's consent, and ended when it says so."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction

import rules
from duels import clock
from duels.models import Duel, Duellist, Phase, Post, Seat, SpellBook, Thread
from rules.hours import NOTICE
from rules.spells.terms import HOURS

from .announcement import announce
from .ending import stop
from .granted import post_unread
from .ledger import append, changing, columns, post, settle, tell
from .preparation import start
from .turns import publish

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SLOWNESS = dt.timedelta(minutes=10)  # by which clocks that open a round, then start its duels, may have put off a turn


@transaction.atomic
def arrange_duel(
    *,
    ruleset_name: str,
    duellists: Sequence[Duellist],
    turn_hours: int,
    referee: User | None,
    panel: Collection[User] = (),
    mode: str = "",
    book: SpellBook | None = None,
    terms: Sequence[dict[str, Any]] = (),
    at: dt.datetime,
) -> Duel:
    """Make a duel between two who have agreed to it beforehand, and announce it; it starts 48 hours later.

    Part of the caller's transaction, if there is one. `panel`: the referees among whom it stays, as long as one of
    them can. `mode`, `book` and `terms` (of each, as `terms_of` gives them)
    are of a spell duel.
    """
    ruleset = rules.get(ruleset_name)
    duel = Duel.objects.create(
        ruleset=ruleset.name,
        ruleset_version=ruleset.version,
        edition="" if book else settings.ARENA_EDITION,
        kind=Duel.Kind.TOURNAMENT,
        mode=mode,
        book=book,
        turn_hours=HOURS if book else turn_hours,
        refereed=referee is not None,
        referee=referee,
        status=Duel.Status.AGREED,
        created_at=at,
        agreed_at=at,
        starts_at=at + NOTICE,
    )
    before = columns(duel)
    duel.panel.set(panel)
    Thread.objects.create(duel=duel)
    frozen = terms or [{} for _one in duellists]
    Seat.objects.bulk_create(
        Seat(duel=duel, letter=letter, duellist=duellist, accepted_at=at, terms=one)
        for letter, duellist, one in zip("ab", duellists, frozen, strict=True)
    )
    duel.recast()
    announce(duel, at=at, by=referee)
    settle(duel, before)
    return duel


def decide_at_the_wall(*, duel_id: int) -> str:
    """Decide a duel whose round is over as it stands (A15.1, B3.3.4); nothing is left to do for one that is over.
    Return the letters of those who are absent: who has filed nothing in all of a duel that was under way, and let a
    deadline pass.

    Part of the caller's transaction, who holds what says that the round is over. A duel that has not started yet
    starts, and a turn that waits to be published is published as computed, before. If one alone is absent, the other
    wins, and is rewarded as for any victory; if both are, nobody wins and nobody is rewarded.
    """
    Duel.objects.hold(duel_id)
    now = clock.now()
    with changing(duel_id) as duel:
        absent = _absent(duel, at=now) if duel.is_running else ""
        _bring_to_an_open_phase(duel, at=now)
    with changing(duel_id) as duel:
        phase = duel.phase
        if not duel.is_running or phase is None or not phase.is_open:
            return ""  # that publication has decided it
        for letter in absent:
            post(duel, Post.Kind.NOTE, at=now, turn=phase.number, seat=letter, details={"note": "absent"})
        append(duel, "wall", at=now, phase=phase, public={"absent": list(absent)} if absent else {})
        stop(duel, phase, at=now)
    return absent


def _absent(duel: Duel, *, at: dt.datetime) -> str:
    """Return the seats that have filed nothing, except those whose time to file their first declaration still runs,
    as a time-out may have it (A7, B1.4)."""
    done = set(duel.entries.filter(kind__in=("filing", "infraction")).values_list("seat", "kind"))
    awaited = "" if duel.due_at is None or duel.due_at <= at + SLOWNESS else duel.awaited
    silent = {letter for letter in duel.cast if (letter, "filing") not in done}
    return "".join(sorted(letter for letter in silent if (letter, "infraction") in done or letter not in awaited))


def _bring_to_an_open_phase(duel: Duel, *, at: dt.datetime) -> None:
    if duel.status == Duel.Status.ANNOUNCED:
        start(duel, at=at)
    elif duel.is_running and duel.current.status == Phase.Status.LOCKED:
        post_unread(duel, "unread_at_the_wall", at=at)
        publish(duel, at=at)


def give_up(duel: Duel, *, at: dt.datetime, letter: str) -> None:
    """End a running duel that is held for somebody who is there no more: the other wins, as by a surrender (A13.4)."""
    phase = duel.current
    post(duel, Post.Kind.NOTE, at=at, turn=phase.number, seat=letter, details={"note": "left"})
    append(duel, "surrender", at=at, phase=phase, seat=letter)
    phase.left += letter
    stop(duel, phase, at=at)


def call_off(duel: Duel, *, at: dt.datetime, letter: str = "") -> None:
    """Cancel an announced duel that is held: the duellist of that seat will not come, or (without one) nobody."""
    duel.status = Duel.Status.CANCELLED
    duel.due_at = None
    post(duel, Post.Kind.NOTE, at=at, seat=letter, details={"note": "called_off"})
    if letter:
        tell(duel, "called_off", at=at, seat=letter)
    else:
        tell(duel, "called_off", at=at)
