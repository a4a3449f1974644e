"""Ending a duel before its end: surrender, and a draw that both agree on (A13.4)."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from duels import secrets
from duels.errors import Invalid, TooLate
from duels.models import Duel, Phase, Post
from rules.core import Status

from . import legilimens
from .announced import call_off
from .ledger import append, held, letter_of, post, tell
from .time_outs import lapse
from .turns import lock_if_complete, publish, work_out

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def surrender(*, user: User, duel_id: int, received_at: dt.datetime) -> Duel:
    """Surrender: the turn under way is not resolved, the others win; unless one's partner is still in (B3.3.1).

    Raises NotAllowed, TooLate.
    """
    with held(duel_id) as duel:
        phase = _under_way(duel)
        letter = _standing_letter(duel, phase, user)
        append(duel, "surrender", at=received_at, phase=phase, seat=letter, by=user)
        phase.left += letter
        if any(set(side) <= set(phase.left) for side in _status(duel).sides):
            stop(duel, phase, at=received_at)
        else:
            _leave_partner(duel, phase, letter, at=received_at)
    return duel


def _leave_partner(duel: Duel, phase: Phase, letter: str, *, at: dt.datetime) -> None:
    """Note that one of a team has surrendered; the duel goes on, unless all others have offered a draw (B3.3.3)."""
    phase.draw_offers = [offering for offering in phase.draw_offers if offering != letter]
    agreed = _all_agree(duel, phase)
    details = {"note": "surrendered", "agreed": agreed}
    post(duel, Post.Kind.NOTE, at=at, turn=phase.number, seat=letter, details=details)
    if agreed:
        stop(duel, phase, at=at)
    else:
        _go_on_without(duel, phase, letter, at=at)


def _go_on_without(duel: Duel, phase: Phase, letter: str, *, at: dt.datetime) -> None:
    """Let a duel go on when one of a team has surrendered: they are out before the posts of the phase are played."""
    tell(duel, "surrendered", at=at, turn=phase.number, seat=letter)
    if not phase.is_open:
        call_off(duel, phase, at=at)  # what was announced was read without this
        work_out(duel, phase, at=at)
        return
    duel.awaited = duel.awaited.replace(letter, "")
    if phase.pleas:
        lapse(duel, at=at, letter=letter)
    phase.correctable = {seat: until for seat, until in phase.correctable.items() if seat != letter}
    legilimens.release(duel, phase, at=at)
    lock_if_complete(duel, phase, at=at)


def offer_draw(*, user: User, duel_id: int, received_at: dt.datetime) -> Duel:
    """Offer a draw for this turn; accepting the other's offer is the same, and ends the duel.

    Raises Invalid, NotAllowed, TooLate.
    """
    with held(duel_id) as duel:
        phase = _under_way(duel)
        letter = _standing_letter(duel, phase, user)
        if letter in phase.draw_offers:
            raise Invalid(_("You have already offered a draw in this turn; your opponent has not answered yet."))
        phase.draw_offers = [*phase.draw_offers, letter]
        append(duel, "draw_offer", at=received_at, phase=phase, seat=letter, by=user)
        if _all_agree(duel, phase):
            stop(duel, phase, at=received_at)
        else:
            tell(duel, "draw_offered", at=received_at, seat=letter)
    return duel


def refuse_draw(*, user: User, duel_id: int, received_at: dt.datetime) -> Duel:
    """Refuse the other's offer of a draw: the duel goes on. Raises Invalid, NotAllowed, TooLate."""
    with held(duel_id) as duel:
        phase = _under_way(duel)
        letter = _standing_letter(duel, phase, user)
        if not set(phase.draw_offers) - {letter}:
            raise Invalid(_("There is no offer of a draw to refuse."))
        phase.draw_offers = []
        append(duel, "draw_refused", at=received_at, phase=phase, seat=letter, by=user)
        tell(duel, "draw_refused", at=received_at, seat=letter)
    return duel


def _all_agree(duel: Duel, phase: Phase) -> bool:
    """Say whether all who are still in have offered a draw in this phase (A13.4, B3.3.3)."""
    return set(_status(duel).standing) - set(phase.left) <= set(phase.draw_offers)


def _under_way(duel: Duel) -> Phase:
    if not duel.is_running or duel.phase is None:
        raise TooLate(_("This duel is not running: it can no longer be ended this way."))
    return duel.phase


def _standing_letter(duel: Duel, phase: Phase, user: User) -> str:
    """Return the user's seat, if it is still in. Raises NotAllowed, TooLate."""
    letter = letter_of(duel, user)
    if letter in phase.left or letter not in _status(duel).standing:
        raise TooLate(_("You are out of this duel: it goes on without you."))
    return letter


def _status(duel: Duel) -> Status:
    return duel.rules.status(secrets.state(duel))


def stop(duel: Duel, phase: Phase, *, at: dt.datetime) -> None:
    """End a duel that is held without resolving the turn under way, as the log now says."""
    phase.status = Phase.Status.LOCKED
    phase.locked_at = phase.locked_at or at
    legilimens.release(duel, phase, at=at)
    work_out(duel, phase, at=at)
    publish(duel, at=at, told=False)
    phase.status = Phase.Status.ABANDONED
