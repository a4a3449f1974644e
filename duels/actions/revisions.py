"""Correcting a published turn while the duel runs: it is taken up again, and what came after it no longer counts.

Nothing is changed or taken away: the turn gets a new revision, what is filed again is of a new branch, with new dice.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from duels import clock, secrets
from duels.errors import Invalid, TooLate
from duels.models import Draft, Duel, Entry, Phase, Post, Seat

from . import legilimens
from .announced import call_off
from .filing import state_now
from .ledger import append, held, named, post, tell
from .referees import check_referee
from .time_outs import lapse
from .turns import work_out

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def correct_turn(*, user: User, duel_id: int, turn: int, reason: str, seen: int, name: str = "turn") -> Duel:
    """Take a published turn up again, to be ruled on and published anew; what came after it is superseded.

    For the duel's referee. `seen` is the key of the phase under way when they read what this does. Raises NotAllowed,
    TooLate (the duel has moved on), Invalid.
    """
    now = clock.now()
    with held(duel_id) as duel:
        phase = correctable_turn(duel, user, turn, name)
        if duel.current.pk != seen:
            raise TooLate(_("The duel has moved on since you read what this does: read it once more."))
        if not reason.strip():
            raise Invalid(_("Say why: everybody will read it."), "reason")
        take_up_again(duel, phase, at=now, by=user, reason=reason.strip())
    return duel


def correctable_turn(duel: Duel, user: User, turn: int, name: str = "turn") -> Phase:
    """Return a published phase that the user, its duel's referee, may take up again. Raises NotAllowed, TooLate."""
    check_referee(duel, user)
    if not duel.is_running:
        raise TooLate(_("This duel is not running: after the verdict, a turn can only be annotated."))
    if duel.stopped_until is not None:
        raise TooLate(_("A player contests a resolution: another referee answers first."))
    published = duel.phases.filter(status=Phase.Status.PUBLISHED, number=turn, name=name)
    phase = published.select_related("after__phase", "live").first()
    if phase is None:
        raise TooLate(_("This turn is not published, or no longer counts: there is nothing to correct."))
    return phase


def superseded_by_correcting(duel: Duel, phase: Phase) -> list[Phase]:
    """Return the phases that count and come after one that would be corrected, in the order of play."""
    counting = duel.phases.exclude(status=Phase.Status.SUPERSEDED)
    return sorted((one for one in counting if one.place > phase.place), key=lambda one: one.place)


def take_up_again(duel: Duel, phase: Phase, *, at: dt.datetime, by: User, reason: str = "") -> None:
    """Lock a published phase of a duel that is held once more, for its referee to rule on and publish anew.

    Without a reason it is ordered by whoever has granted an appeal, whose reason stays sealed until the verdict.
    """
    _supersede(duel, phase, at=at)
    duel.branch += 1
    public = {"branch": duel.branch, "reason": reason}
    append(duel, "correction", at=at, phase=phase, public=public, by=by)
    details = {"note": "correction", "referee": by.username, "reason": reason, **named(phase)}
    post(duel, Post.Kind.NOTE, at=at, turn=phase.number, details=details)
    tell(duel, "turn_taken_up", at=at, turn=phase.number, phase=phase.name)
    phase.status = Phase.Status.LOCKED
    phase.locked_at = at
    phase.offered_at = phase.publish_at = None
    phase.draw_offers = []  # what was offered before its result was read
    phase.corrections += 1
    _stand_at(duel, phase, at=at)
    work_out(duel, phase, at=at)
    phase.save()


def _supersede(duel: Duel, phase: Phase, *, at: dt.datetime) -> None:
    """Let what came after a phase count no longer; what was sealed for a Legilimens alone is published (B7.1).

    What the referee had written around it stays, for them to find when that turn comes again (`framing.unpublished`).
    """
    current = duel.current
    if current.pleas:
        lapse(duel, at=at)
    Draft.objects.filter(phase=current, seat__letter__in=current.filed).delete()
    call_off(duel, current, at=at, why="correction")
    current.status = Phase.Status.SUPERSEDED
    legilimens.release(duel, current, at=at)
    current.save()
    later = [one.pk for one in superseded_by_correcting(duel, phase)]
    Phase.objects.filter(pk__in=later).update(status=Phase.Status.SUPERSEDED)
    if duel.rules.correctable:
        _give_back_rights(duel)


def _give_back_rights(duel: Duel) -> None:
    """The right to correct is used up by a correction that counts (B6.4): one that was superseded gives it back."""
    corrections = Entry.objects.filter(duel=duel, kind="filing", version__gt=1)
    used = corrections.exclude(phase_row__status=Phase.Status.SUPERSEDED).values("seat")
    Seat.objects.filter(duel=duel, corrected=True).exclude(letter__in=used).update(corrected=False)


def _stand_at(duel: Duel, phase: Phase, *, at: dt.datetime) -> None:
    secrets.put_state(duel, secrets.state_at_opening(duel, phase))
    duel.phase = phase
    duel.turn = phase.number
    duel.awaited = duel.owing = ""
    duel.due_at = None
    duel.woken_at = at
    duel.public_view = duel.rules.view(state_now(duel, phase), "public")
    duel.arena = duel.public_view.get("arena", "")
