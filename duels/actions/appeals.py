"""Contesting a published resolution: one reason, one answer, by another referee; the clock stops meanwhile."""

from __future__ import annotations

import datetime as dt
import logging
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.utils.translation import gettext_lazy as _

from duels import clock, secrets
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Appeal, Duel, Happening, Phase, Post, Resolution
from duels.models.duel import RULED
from duels.people import is_referee
from rules import record

from . import stops
from .ledger import append, held, letter_of, named, open_phase, post, seat_of, tell
from .referees import of_panel_first
from .revisions import take_up_again
from .turns import lock_if_complete

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import QuerySet

logger = logging.getLogger(__name__)

LONGEST = 2000  # characters of a reason
_APPEALS = Appeal.objects.select_related("resolution__phase__after__phase", "resolution__phase__live", "seat")


def contest_resolution(
    *, user: User, duel_id: int, resolution_id: int, reason: str, received_at: dt.datetime
) -> Appeal:
    """Contest the last published resolution of a duel in which one plays, while the phase after it is open.

    The clock stops. The reason is sealed in the log: until the verdict only who contests, the duel's referee and those
    who may decide read it. Raises NotAllowed, TooLate, Invalid.
    """
    with held(duel_id) as duel:
        seat = seat_of(duel, user)
        stops.lapse_if_past(duel, at=received_at)
        open_to = check_may_contest(duel, user, received_at=received_at)
        resolution = next((one for one in open_to if one.pk == resolution_id), None)
        if resolution is None:
            raise TooLate(_("Another resolution was published since you opened this page: read it first."))
        reason = _said(reason, _("Say what is wrong with this resolution: another referee will read it."))
        contested: Phase = resolution.phase
        until = stops.stop(duel, at=received_at)
        public = {"until": record.stamp(until), "due_at": record.stamp(duel.current.due_at)}
        content = {"reason": reason}
        entry = append(
            duel, "appeal", at=received_at, phase=contested, seat=seat.letter, public=public, content=content, by=user
        )  # fmt: skip
        appeal = Appeal.objects.create(
            duel=duel, resolution=resolution, seat=seat, judge_id=_judge(contested), made_at=received_at,
            made_index=entry.index, until=until,
        )  # fmt: skip
        details = {"note": "appeal", "receipt": entry.receipt, "until": appeal.until.isoformat(), **named(contested)}
        post(duel, Post.Kind.NOTE, at=received_at, turn=contested.number, seat=seat.letter, details=details)
        _tell_of(duel, appeal, contested, at=received_at)
    return appeal


def _said(reason: str, lacking: object) -> str:
    """Return a reason as it is kept. Raises Invalid."""
    if not reason.strip():
        raise Invalid(lacking, "reason")
    if len(reason) > LONGEST:
        raise Invalid(_("This is too long: 2,000 characters at most."), "reason")
    return reason.strip()


def _judge(contested: Phase) -> int | None:
    """Who published what is contested last; None: the clock."""
    published = contested.entries.filter(kind="publication").order_by("index")
    return published.values_list("by", flat=True).last()


def _tell_of(duel: Duel, appeal: Appeal, contested: Phase, *, at: dt.datetime) -> None:
    turn, letter = contested.number, appeal.seat.letter
    players = [player["user"] for player in duel.cast.values()]
    known = [*players, duel.referee_id] if duel.referee_id else players
    tell(duel, "appeal_made", at=at, concerns=known, turn=turn, seat=letter)
    tell(duel, "appeal_waits", at=at, concerns=deciders(duel, appeal), turn=turn, seat=letter)


def tell_anew(now: dt.datetime) -> None:
    """Tell those who may decide on an appeal that waits, where none of them has been told: whoever was has refereed the
    duel, become its referee, or ceased to be a referee since (the clock's). One that fails does not keep the others."""
    for appeal in _APPEALS.filter(answer="", until__gt=now).select_related("duel"):
        try:
            _tell_anew(appeal, now)
        except Exception:
            logger.exception("appeal of duel %s: nobody could be told anew", appeal.duel_id)


def _tell_anew(appeal: Appeal, now: dt.datetime) -> None:
    if not _untold(appeal.duel, appeal):
        return
    with held(appeal.duel_id) as duel:
        still = _APPEALS.filter(pk=appeal.pk, answer="").first()
        if still is not None and (concerns := _untold(duel, still)):
            turn = still.resolution.phase.number
            tell(duel, "appeal_waits", at=now, concerns=concerns, turn=turn, seat=still.seat.letter)


def _untold(duel: Duel, appeal: Appeal) -> list[int]:
    """Return those who may decide, if none of them knows that they are waited for; else nobody."""
    told = Happening.objects.filter(duel=duel, what="appeal_waits", at__gte=appeal.made_at)
    known = {user for concerns in told.values_list("concerns", flat=True) for user in concerns}
    able = deciders(duel, appeal)
    return [] if known & set(able) else able


def check_may_contest(duel: Duel, user: User, *, received_at: dt.datetime) -> list[Resolution]:
    """Return the resolutions that a player may contest, the last one first. Raises NotAllowed, TooLate, Invalid."""
    letter = letter_of(duel, user)
    if not duel.refereed:
        raise NotAllowed(_("This duel has no referee: its turns are published as they are worked out."))
    waiting = Appeal.objects.filter(duel=duel, answer="").select_related("seat").first()
    if waiting is not None and not stops.is_past(duel, received_at):
        name = duel.name_of(waiting.seat.letter)
        raise Invalid(_("%(name)s has contested a resolution: it is answered first.") % {"name": name})
    phase = open_phase(duel, received_at=received_at, although_stopped=True)
    if phase.after is None:
        raise Invalid(_("No turn has been published yet: there is nothing to contest."))
    contested = set(Appeal.objects.filter(duel=duel, seat__letter=letter).values_list("resolution", flat=True))
    open_to = [one for one in _since_the_last_deadline(duel, letter, phase.after) if one.pk not in contested]
    if not open_to:
        raise Invalid(_("You have contested this resolution already: there is one answer, and it stands."))
    return open_to


def _since_the_last_deadline(duel: Duel, letter: str, last: Resolution) -> list[Resolution]:
    """The last resolution; for who was not called in the phase that it closes, the one before of the same turn too:
    those who were called may have closed that phase at once."""
    before = last.phase.after
    if before is None or before.phase.number != last.phase.number:
        return [last]
    called = duel.rules.status(secrets.state_at_opening(duel, last.phase)).awaited
    return [last] if letter in called else [last, before]


def decide_appeal(*, user: User, appeal_id: int, granted: bool, reason: str) -> Appeal:
    """Answer an appeal: the resolution stands, or its turn is taken up again, to be corrected by the duel's referee.

    For a referee who had no hand in the duel, as `_barred` says; staff where there is none. Raises
    NotAllowed, TooLate, Invalid.
    """
    now = clock.now()
    duel_id = Appeal.objects.values_list("duel", flat=True).get(pk=appeal_id)
    with held(duel_id) as duel:
        appeal = _APPEALS.get(pk=appeal_id)
        check_may_decide(duel, appeal, user)
        if appeal.answer or now > appeal.until:
            raise TooLate(_("This appeal has been answered already, or its 48 hours have passed."))
        reason = _said(reason, _("Say why: who contested, and the duel's referee, will read it."))
        said = Appeal.Answer.GRANTED if granted else Appeal.Answer.UPHELD
        stops.answer(duel, appeal, said, at=now, reason=reason, by=user)
        if granted:
            take_up_again(duel, appeal.resolution.phase, at=now, by=user)
        else:
            lock_if_complete(duel, duel.current, at=now)
    return appeal


def check_may_decide(duel: Duel, appeal: Appeal, user: User) -> None:
    """Raise NotAllowed unless the user may answer that appeal."""
    if user.pk in _barred(duel, appeal):
        raise NotAllowed(
            _("You play in this duel, have refereed it or ruled on what is contested: somebody else decides.")
        )
    able = _referees(duel, appeal)
    if is_referee(user):
        if not able.filter(pk=user.pk).exists():
            raise NotAllowed(_("The other referees of this duel’s tournament decide on this appeal."))
    elif not (user.is_active and user.is_staff) or able.exists():
        raise NotAllowed(_("Appeals are for referees to decide; for staff only where no other referee can."))


def deciders(duel: Duel, appeal: Appeal) -> list[int]:
    """Return the keys of those who may answer: the other referees (of its panel first), or else staff."""
    found = list(_referees(duel, appeal).values_list("pk", flat=True))
    if found:
        return found
    staff = get_user_model().objects.filter(is_staff=True, is_active=True).exclude(pk__in=_barred(duel, appeal))
    return list(staff.values_list("pk", flat=True))


def _referees(duel: Duel, appeal: Appeal) -> QuerySet[User]:
    return of_panel_first(duel, besides=_barred(duel, appeal))


def _barred(duel: Duel, appeal: Appeal) -> set[int]:
    """Who never decides: who plays in the duel, whoever has been its referee, and who had a hand in what is contested,
    in any of its revisions: ruled on it, published it, or had it corrected."""
    players = {player["user"] for player in duel.cast.values()}
    contested = appeal.resolution.phase.entries.filter(kind__in=RULED, by__isnull=False)
    had_a_hand = [*contested.values_list("by", flat=True), *duel.former_referees.values_list("pk", flat=True)]
    return {key for key in (*players, duel.referee_id, *had_a_hand) if key is not None}
