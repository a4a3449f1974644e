"""From the challenge to the agreement (A3, A6.1)."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

import rules
from duels import clock, training
from duels.errors import Invalid, NotAllowed, TooLate, check_all
from duels.models import Duel, Duellist, Post, Scene, Seat, Thread
from duels.queries.scenes import leading_to

from .announcement import agreed_start, announce
from .blame import not_to_blame
from .ledger import columns, held, post, settle, tell
from .sendings import done, once
from .stakes import check_stake, promise, require_free

if TYPE_CHECKING:
    from django.contrib.auth.models import User

EXPIRES_AFTER = dt.timedelta(days=7)
STARTS_WITHIN = dt.timedelta(days=90)
CHOSEN = (Duel.Kind.TRAINING, Duel.Kind.CLANDESTINE)  # by who duels; tournaments arrange theirs (article 3)


@transaction.atomic(durable=True)
def send_challenge(
    *,
    user: User,
    challenger: Duellist,
    opponent: Duellist,
    kind: str,
    turn_hours: int,
    starts_at: dt.datetime,
    refereed: bool = True,
    message: str = "",
    stake: int = 0,
    stake_currency: str = "",
    sending: uuid.UUID | None = None,
) -> Duel:
    """Challenge another user's duellist; both put down the `stake`, if there is one.

    Raises NotAllowed, Invalid, AlreadySent.
    """
    now = clock.now()
    Duellist.objects.hold(challenger, opponent)  # so that a challenge sent twice at once is one
    sent = once(user, sending, challenger.pk, opponent.pk, at=now)
    check_challenge(
        user=user, challenger=challenger, opponent=opponent, kind=kind, starts_at=starts_at, stake=stake,
        stake_currency=stake_currency, now=now,
    )  # fmt: skip
    scene = check_kind(kind=kind, duellists=(challenger, opponent), starts_at=starts_at)
    duel = arena_duel(
        kind=kind, turn_hours=turn_hours, refereed=refereed, message=message, scene=scene, stake=stake,
        stake_currency=stake_currency if stake else "", starts_at=starts_at, created_at=now,
    )  # fmt: skip
    seats = [Seat(letter="a", duellist=challenger, accepted_at=now), Seat(letter="b", duellist=opponent)]
    propose(duel, seats, "challenged", concerns=[opponent.user_id])
    done(sent, reverse("duels:challenge", args=[duel.pk]))
    return duel


def arena_duel(**terms: Any) -> Duel:
    """Return an arena duel on these terms, under the rules of today, not stored yet."""
    ruleset = rules.get("arena")
    return Duel(ruleset=ruleset.name, ruleset_version=ruleset.version, edition=settings.ARENA_EDITION, **terms)


def propose(
    duel: Duel,
    seats: Sequence[Seat],
    what: str,
    *,
    concerns: list[int] | None = None,
    within: dt.timedelta = EXPIRES_AFTER,
) -> None:
    """Store a new duel with its seats, and tell those whom it concerns (None: all) that it awaits their answer."""
    duel.due_at = duel.created_at + within
    duel.save()
    before = columns(duel)
    for seat in seats:
        seat.duel = duel
    Seat.objects.bulk_create(seats)
    duel.recast()
    tell(duel, what, at=duel.created_at, concerns=concerns)
    settle(duel, before)


def check_challenge(
    *,
    user: User,
    opponent: Duellist,
    now: dt.datetime,
    challenger: Duellist | None = None,
    kind: str | None = None,
    starts_at: dt.datetime | None = None,
    stake: int = 0,
    stake_currency: str = "",
) -> None:
    """Raise NotAllowed, or Invalid with everything that is wrong by field, unless this challenge may be sent.

    What is None is not known yet, and not looked at.
    """
    if challenger is not None and challenger.user_id != user.pk:
        raise NotAllowed(_("Choose one of your own duellists."))
    to_come = starts_at if starts_at is not None and starts_at > now else None
    checks: list[Callable[[], object]] = [lambda: check_start(starts_at, now)]
    if challenger is not None:
        checks.append(lambda: _check_pair(user, challenger, opponent))
    if challenger is not None and kind is not None:
        checks.append(lambda: check_kind(kind=kind, duellists=(challenger, opponent), starts_at=to_come))
    checks.append(lambda: _check_stake(challenger, kind, stake, stake_currency))
    check_all(*checks)


def check_start(starts_at: dt.datetime | None, now: dt.datetime) -> None:
    """Raise Invalid unless a duel may be to start then; None is not known yet."""
    if starts_at is None:
        return
    if starts_at > now + STARTS_WITHIN:
        raise Invalid(_("The start must lie within the next 90 days."), "starts_at")
    if starts_at <= now:
        raise Invalid(_("The start must lie in the future."), "starts_at")


def _check_stake(challenger: Duellist | None, kind: str | None, stake: int, currency: str) -> None:
    if kind is not None:
        check_stake(kind=kind, stake=stake, currency=currency)
    if challenger is not None:
        require_free(challenger, stake, currency)


def _check_pair(user: User, challenger: Duellist, opponent: Duellist) -> None:
    if opponent.user_id == user.pk:
        raise Invalid(_("You cannot challenge one of your own duellists: choose somebody else's."), "opponent")
    pending = Duel.objects.filter(ruleset="arena", status=Duel.Status.CHALLENGED, seats__duellist=challenger)
    if pending.filter(seats__in=Seat.objects.filter(duellist=opponent)).exists():
        raise Invalid(_("A challenge between these two already awaits an answer."), "opponent")


def check_kind(*, kind: str, duellists: Sequence[Duellist], starts_at: dt.datetime | None = None) -> Scene | None:
    """Raise Invalid, naming the field, unless these two may fight a duel of that kind (then, if it is asked); return
    the scene that leads to it, if it takes one (A3.1)."""
    are_students = all(duellist.is_student for duellist in duellists)
    if kind not in CHOSEN:
        raise Invalid(_("Only a tournament arranges a duel of that kind: choose another."), "kind")
    if kind == Duel.Kind.CLANDESTINE:
        if not are_students:
            raise Invalid(_("A clandestine duel is for two students (A3.1)."), "kind")
        scene = leading_to(duellists[0], duellists[1])
        if scene is None:
            raise Invalid(
                _("Before a clandestine duel the two write a scene, three posts of 100 words each at least (A3.1)."),
                "kind",
            )
        return scene
    if kind == Duel.Kind.TRAINING and are_students and starts_at is not None and not training.is_open(starts_at):
        message = _(
            "Students train in training hours only, next on %(opening)s: outside of them a duel is clandestine."
        )
        raise Invalid(message % {"opening": training.instant_in_words(training.next_opening(starts_at))}, "starts_at")
    return None


def accept_challenge(*, user: User, duel_id: int) -> Duel:
    """Accept: a referee is looked for, or the duel is announced at once where none was asked for.

    Raises NotAllowed, TooLate, Invalid (a purse does not cover the stake).
    """
    now = clock.now()
    with held(duel_id) as duel:
        seat = require_answerable(duel, user, now)
        if duel.ruleset != "arena":
            raise Invalid(_("Accept this challenge from its own page: it asks for your level and types of magic."))
        require_free(seat.duellist, duel.stake, duel.stake_currency, besides=duel)
        if duel.kind == Duel.Kind.CLANDESTINE:
            check_kind(kind=duel.kind, duellists=[seat.duellist for seat in duel.seats.select_related("duellist")])
        seat.accepted_at = now
        seat.save(update_fields=["accepted_at"])
        if not wait_for_others(duel, at=now, seat=seat.letter):
            promise(duel)
            seal_agreement(duel, at=now, seat=seat.letter)
    return duel


def wait_for_others(duel: Duel, *, at: dt.datetime, seat: str) -> bool:
    """Say whether somebody has not answered yet; if so, tell the others that `seat` has agreed."""
    if not duel.seats.filter(accepted_at=None).exists():
        return False
    tell(duel, "pairing_confirmed" if duel.paired else "partly_accepted", at=at, seat=seat)
    return True


def seal_agreement(duel: Duel, *, at: dt.datetime, seat: str) -> None:
    """Everybody has agreed to a duel that is held, `seat` last: it gets its thread, and looks for a referee if it wants
    one. A start that can no longer be kept is moved, without using up a chance to find one."""
    duel.status = Duel.Status.AGREED
    duel.agreed_at = at
    Thread.objects.create(duel=duel)
    tell(duel, "pairing_agreed" if duel.paired else "accepted", at=at, seat=seat)
    _settle_start(duel, at=at)
    if not duel.refereed:
        announce(duel, at=at)


def _settle_start(duel: Duel, *, at: dt.datetime) -> None:
    proposed, duel.starts_at = duel.starts_at, agreed_start(duel, at)
    duel.due_at = duel.starts_at
    if duel.starts_at > proposed:
        details = {"note": "start_moved", "proposed": proposed.isoformat(), "starts_at": duel.starts_at.isoformat()}
        post(duel, Post.Kind.NOTE, at=at, details=details)
        tell(duel, "start_moved", at=at)


def decline_challenge(*, user: User, duel_id: int) -> Duel:
    """Decline: the challenge is over."""
    now = clock.now()
    with held(duel_id) as duel:
        seat = require_answerable(duel, user, now)
        _drop(duel, Duel.Status.DECLINED)
        if duel.paired:
            _tell_of_lapse(duel, at=now, kept=[other for other in duel.cast if other != seat.letter])
        else:
            tell(duel, "declined", at=now, seat=seat.letter)
    return duel


def withdraw_challenge(*, user: User, duel_id: int) -> Duel:
    """Take one's own challenge back while it has no answer."""
    now = clock.now()
    with held(duel_id) as duel:
        _require_pending(duel)
        if duel.cast["a"]["user"] != user.pk or duel.paired:
            raise NotAllowed(_("Only who sent a challenge can take it back."))
        _drop(duel, Duel.Status.CANCELLED)
        tell(duel, "withdrawn", at=now)
    return duel


def expire_challenge(duel: Duel, *, at: dt.datetime) -> None:
    """End a challenge that nobody answered in seven days, or a pairing that somebody has not confirmed in 48 hours
    (the clock's; the duel is held)."""
    _drop(duel, Duel.Status.EXPIRED)
    if duel.paired:
        _tell_of_lapse(duel, at=at, kept=not_to_blame(duel, at=at), is_late=True)
    else:
        tell(duel, "expired", at=at)


def remind_of_confirming(duel: Duel, *, at: dt.datetime) -> None:
    """Remind those who have not confirmed a pairing (the clock's; the duel is held)."""
    silent = duel.seats.filter(accepted_at=None).values_list("letter", flat=True)
    tell(duel, "confirmation_due", at=at, concerns=[duel.cast[letter]["user"] for letter in silent])


def _tell_of_lapse(duel: Duel, *, at: dt.datetime, kept: Iterable[str], is_late: bool = False) -> None:
    """Tell who goes back to the desk, first in line; and, of a pairing that was not confirmed in time, who does not."""
    kept = set(kept)
    tell(duel, "pairing_lapsed", at=at, concerns=[duel.cast[letter]["user"] for letter in duel.cast if letter in kept])
    if not is_late:
        return
    confirmed = set(duel.seats.exclude(accepted_at=None).values_list("letter", flat=True))
    for what, out in (("pairing_missed", {*duel.cast} - confirmed - kept), ("pairing_hindered", confirmed - kept)):
        if out:
            tell(duel, what, at=at, concerns=[duel.cast[letter]["user"] for letter in sorted(out)])


def _drop(duel: Duel, status: Duel.Status) -> None:
    duel.status = status
    duel.due_at = None


def _require_pending(duel: Duel) -> None:
    if duel.status != Duel.Status.CHALLENGED and duel.paired:
        raise TooLate(_("This pairing has already been confirmed by all, or has come to nothing."))
    if duel.status != Duel.Status.CHALLENGED:
        raise TooLate(_("This challenge has already been answered, taken back, or has expired."))


def require_answerable(duel: Duel, user: User, now: dt.datetime) -> Seat:
    """Return the user's seat in a challenge that it has not answered yet. Raises NotAllowed, TooLate."""
    _require_pending(duel)
    seat = duel.seats.select_related("duellist__user").filter(duellist__user=user).first()
    if seat is None or (seat.letter == "a" and not duel.paired):
        raise NotAllowed(_("Only who was challenged can answer."))
    if seat.accepted_at is not None:
        raise TooLate(_("You have accepted already: the others have not answered yet."))
    if duel.due_at is not None and now > duel.due_at:
        if duel.paired:
            raise TooLate(_("The time to confirm this pairing is over: register again at the desk."))
        raise TooLate(_("This challenge has expired: send a new one."))
    return seat
