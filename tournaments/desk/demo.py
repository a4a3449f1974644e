"""The registration desk of the demo: four who wait, each for something else, and a pairing to confirm."""

from __future__ import annotations

import datetime as dt
from typing import Any

from duels import clock
from duels.actions.challenges import accept_challenge
from duels.demo.cast import characters
from duels.demo.timeline import at_instant
from duels.models import Duel, Duellist
from tournaments.desk.actions.pairing import pair
from tournaments.desk.actions.registering import register_for_arena, register_for_spells
from tournaments.desk.models import Enrolment

TO_CONFIRM = ("kerenza", "celeste")
PAIRED_BEFORE = dt.timedelta(hours=7)


def load_desk() -> int:
    """Let people register who are not there yet; return how many did."""
    if Enrolment.objects.exists():
        return 0
    now = clock.now()
    with at_instant(now - PAIRED_BEFORE - dt.timedelta(hours=20)):
        for key in TO_CONFIRM:
            _in_arena(key, kind="training", turn_hours=24, refereed=False)
    with at_instant(now - PAIRED_BEFORE):
        pair()
        duel = Duel.objects.get(paired=True)
        accept_challenge(user=_duellist(TO_CONFIRM[0]).user, duel_id=duel.pk)
    for hours, key, terms in _WAITING:
        with at_instant(now - dt.timedelta(hours=hours)):
            _in_arena(key, **terms)
    with at_instant(now - dt.timedelta(hours=3)):
        one = _duellist("joachim")
        register_for_spells(user=one.user, duellist=one, mode="rp", format=Duel.Format.TWO, refereed=True)
    return Enrolment.objects.count()


STAKED = {"stake_currency": "liards", "stake_least": 5, "stake_most": 10}
_WAITING: tuple[tuple[int, str, dict[str, Any]], ...] = (
    (50, "fulbert", {"kind": "training", "turn_hours": 48, "refereed": True}),
    (9, "alix", {"kind": "training", "turn_hours": 48, "refereed": False}),
    (5, "dorian", {"kind": "training", "turn_hours": 24, "refereed": True, **STAKED}),
)


def _duellist(key: str) -> Duellist:
    return Duellist.objects.select_related("user").get(name=characters()[key].name)


def _in_arena(key: str, **terms: Any) -> None:
    duellist = _duellist(key)
    register_for_arena(user=duellist.user, duellist=duellist, **terms)
