"""Registering for a tournament."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.actions.spell_challenges import Registration, terms_of
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Duellist
from duels.queries.eligibility import missing
from tournaments.models import Entrant, Tournament

from .holding import held
from .rounds import fill_vacated

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django_stubs_ext import StrOrPromise

    from tournaments.queries.showing import Reader

BETWEEN_DUELS = {"other_duel", "wait"}  # B2.1 keeps nobody out of a tournament, nor its rounds apart


def register(
    *, user: User, tournament_id: int, duellist: Duellist, registration: Registration | None = None
) -> Entrant:
    """Register a duellist of one's own; as a substitute where all places are taken, or the tournament has started.

    `registration` in spell duels of mode `free` only. Raises NotAllowed, Invalid, TooLate.
    """
    now = clock.now()
    with held(tournament_id) as tournament:
        if duellist.user_id != user.pk:
            raise NotAllowed(_("Choose one of your own duellists."))
        if closed := why_closed(tournament, user):
            raise TooLate(closed)
        if tournament.entrants.awaited().filter(duellist__user=user).exists():
            raise Invalid(_("You are registered already: one duellist each."), "duellist")
        known = tournament.entrants.filter(duellist=duellist).first()
        entrant = known or Entrant(tournament=tournament, duellist=duellist)
        entrant.terms = _terms(tournament, duellist, registration, now)
        entrant.status = _first_status(tournament, now)
        entrant.registered_at, entrant.left_at, entrant.reason = now, None, ""
        entrant.save()
        if tournament.is_running:
            fill_vacated(tournament, at=now)
            entrant.refresh_from_db()
    return entrant


def why_closed(tournament: Tournament, user: Reader) -> StrOrPromise | None:
    """Return why a tournament takes nobody any more, or not this user again; None if it does."""
    if not (tournament.is_open or tournament.takes_substitutes):
        return _("Registration is closed: substitutes are taken until the second round.")
    left = tournament.entrants.gone_for_good().filter(duellist__user=user.pk).first() if user.pk else None
    if left is None:
        return None
    if left.status == Entrant.Status.WITHDRAWN:
        return _("You have left this tournament, and cannot come back.")
    if not left.reason:
        return _("You were disqualified from this tournament, and cannot come back.")
    message = _("You were disqualified from this tournament (%(reason)s), and cannot come back.")
    return message % {"reason": left.reason}


def _first_status(tournament: Tournament, now: dt.datetime) -> Entrant.Status:
    taken = tournament.entrants.filter(status=Entrant.Status.REGISTERED).count()
    is_place_left = tournament.is_open and now < tournament.starts_at and taken < tournament.capacity
    return Entrant.Status.REGISTERED if is_place_left else Entrant.Status.RESERVE


def _terms(
    tournament: Tournament, duellist: Duellist, registration: Registration | None, now: dt.datetime
) -> dict[str, Any]:
    """Return what its duels keep of a duellist (B1.2, B2.5); nothing in the arena. Raises Invalid."""
    if tournament.book is None:
        return {}
    lacking = [one for one in missing(duellist, tournament.mode, now=now) if one.code not in BETWEEN_DUELS]
    if lacking:
        raise Invalid(" ".join(f"{one.message} ({one.rule})" for one in lacking), "duellist")
    return terms_of(duellist, tournament.mode, registration, tournament.book)
