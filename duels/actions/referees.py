"""What keeps a turn from waiting for a referee who does not come."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.errors import NotAllowed, TooLate
from duels.models import Duel, Phase, Post
from duels.models.duel import HAS_ROOM, referees
from duels.people import is_referee

from .announced import call_off
from .availability import check_room
from .ledger import append, held, post, tell

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def check_referee(duel: Duel, user: User) -> None:
    """Raise NotAllowed unless the user is the referee of that duel, and one of the referees still."""
    if duel.referee_id != user.pk:
        raise NotAllowed(_("Only the referee of this duel can do this."))
    if not is_referee(user):
        raise NotAllowed(_("You are no longer a referee: what waits in this duel is for the others, after 48 hours."))


def remind_referee(duel: Duel, *, at: dt.datetime) -> None:
    """Remind the referee of a turn that waits (the clock's; the duel is held)."""
    if duel.referee_id is not None:
        tell(duel, "reminder_referee", at=at, concerns=[duel.referee_id], turn=duel.turn, phase=duel.current.name)


def offer_turn(duel: Duel, *, at: dt.datetime) -> None:
    """Offer a turn unpublished for 48 hours to the other referees (the clock's; the duel is held)."""
    duel.current.offered_at = at
    concerns = [referee.pk for referee in successors(duel)]
    post(duel, Post.Kind.NOTE, at=at, turn=duel.turn, details={"note": "offered"})
    tell(duel, "turn_offered", at=at, concerns=concerns, turn=duel.turn, phase=duel.current.name)


def successors(duel: Duel) -> QuerySet[User]:
    """Return the referees who may go on with a duel: not its own, nor one who plays in it; of its panel only, while one
    of them has room."""
    return of_panel_first(duel, besides={duel.referee_id}, able=HAS_ROOM)


def of_panel_first(duel: Duel, *, besides: Collection[int | None], able: Q | None = None) -> QuerySet[User]:
    """Return the referees of a duel's panel who do not play in it and are `able`; where there is none, all referees who
    do not play in it. Never those `besides`."""
    players = [player["user"] for player in duel.cast.values()]
    others = referees().exclude(pk__in=[*players, *(key for key in besides if key is not None)])
    listed = others.filter(Q(panels=duel.pk), able or Q())
    return listed if listed.exists() else others


def check_may_referee(duel: Duel, user: User) -> None:
    """Raise NotAllowed unless the user is a referee who does not play in that duel (A14)."""
    if not is_referee(user):
        raise NotAllowed(_("Only referees can take a duel."))
    if any(player["user"] == user.pk for player in duel.cast.values()):
        raise NotAllowed(_("You play in this duel: another referee must take it."))
    if not _is_open_to(duel, user):
        raise NotAllowed(_("This duel stays among the referees of its tournament, while one of them can take it."))


def _is_open_to(duel: Duel, user: User) -> bool:
    """Whether the user is of the duel's panel, or it has none, or nobody of it has room."""
    panel = duel.panel.all() if duel.kind == Duel.Kind.TOURNAMENT else duel.panel.none()
    return panel.filter(pk=user.pk).exists() or not panel.exists() or successors(duel).filter(pk=user.pk).exists()


def check_offered(duel: Duel, user: User) -> None:
    """Raise NotAllowed or TooLate unless the user may take over the turn of that duel."""
    check_may_referee(duel, user)
    if duel.referee_id == user.pk:
        raise TooLate(_("You are this duel's referee already: review the turn."))
    phase = duel.phase
    if phase is None or phase.status != Phase.Status.LOCKED or phase.offered_at is None:
        raise TooLate(_("This turn is no longer offered: it was published, or somebody took it over."))


def take_over(*, user: User, duel_id: int) -> Duel:
    """Become the referee of a duel whose turn is offered. Raises NotAllowed, TooLate, Invalid (away or full)."""
    now = clock.now()
    with held(duel_id) as duel:
        check_offered(duel, user)
        change_referee(duel, user, at=now)
    return duel


def change_referee(duel: Duel, user: User, *, at: dt.datetime, note: str = "taken_over") -> None:
    """Make a referee who may be that duel's (it is held) its referee; the thread says so, and all are told.

    The one way of changing it: `note` says whether it was taken over, or handed over. An hour that was announced for
    the turn's publication no longer stands, since nobody signs what another has read. Raises Invalid (away or full).
    """
    check_room(user)
    before = duel.referee_id
    if duel.phase is not None:
        call_off(duel, duel.phase, at=at, why="referee")
    if before:
        duel.former_referees.add(before)
    duel.referee = user
    append(duel, "referee", at=at, phase=duel.phase, public={"how": note}, by=user)
    post(duel, Post.Kind.NOTE, at=at, turn=duel.turn, details={"note": note, "referee": user.username})
    concerns = [player["user"] for player in duel.cast.values()] + ([before] if before else [])
    tell(duel, "taken_over", at=at, concerns=concerns, turn=duel.turn)
