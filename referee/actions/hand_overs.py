"""Handing a duel over to another referee, who accepts or declines (A14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.actions.availability import IN_HAND
from duels.actions.ledger import held, tell
from duels.actions.referees import change_referee, check_may_referee, check_referee, successors
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Duel
from referee.models import HandOver

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Answer = HandOver.Answer


def ask_hand_over(*, user: User, duel_id: int, to_id: int, message: str = "") -> HandOver:
    """Ask another referee to go on with a duel; until they accept, it stays one's own. Raises NotAllowed, TooLate,
    Invalid (nobody who may referee it)."""
    now = clock.now()
    with held(duel_id) as duel:
        check_referee(duel, user)
        check_in_hand(duel)
        to = successors(duel).filter(pk=to_id).first()
        if to is None:
            raise Invalid(_("Choose a referee of the list: one who plays in this duel cannot referee it."), "to")
        _close_stale(duel)
        if HandOver.objects.filter(duel=duel, answer="").exists():
            raise TooLate(_("You have asked a referee already: take that back before you ask another."))
        asked = HandOver.objects.create(duel=duel, asked_by=user, to=to, message=message.strip(), asked_at=now)
        tell(duel, "hand_over_asked", at=now, concerns=[to.pk], by=user.pk, user=user.username)
    return asked


def check_in_hand(duel: Duel) -> None:
    """Raise TooLate unless the duel has yet to be refereed."""
    if duel.status not in IN_HAND:
        raise TooLate(_("This duel is over: there is nothing left to referee."))


def _close_stale(duel: Duel) -> None:
    """What a referee before had asked is asked no longer: another has taken the duel over since."""
    stale = HandOver.objects.filter(duel=duel, answer="").exclude(asked_by=duel.referee_id)
    stale.update(answer=Answer.VOID, answered_at=clock.now())


def answer_hand_over(*, user: User, duel_id: int, accepted: bool) -> Duel:
    """Accept a duel that its referee hands over to oneself, and be its referee from now on; or decline.

    Raises NotAllowed, TooLate (taken back, or over), Invalid (away or full).
    """
    now = clock.now()
    with held(duel_id) as duel:
        asked = _require_asked(duel, user)
        if accepted:
            check_may_referee(duel, user)
            change_referee(duel, user, at=now, note="handed_over")
        else:
            tell(duel, "hand_over_declined", at=now, concerns=[asked.asked_by_id], user=user.username)
        asked.answer, asked.answered_at = (Answer.ACCEPTED if accepted else Answer.DECLINED), now
        asked.save(update_fields=["answer", "answered_at"])
    return duel


def _require_asked(duel: Duel, user: User) -> HandOver:
    asked = HandOver.objects.filter(duel=duel, answer="", asked_by=duel.referee_id).first()
    if asked is None or duel.status not in IN_HAND:
        raise TooLate(_("This duel is no longer handed over: it was taken back, answered, or is over."))
    if asked.to_id != user.pk:
        raise NotAllowed(_("Another referee was asked to go on with this duel."))
    return asked


def withdraw_hand_over(*, user: User, duel_id: int) -> None:
    """Take back what one has asked. Raises NotAllowed, TooLate."""
    now = clock.now()
    with held(duel_id) as duel:
        check_referee(duel, user)
        asked = HandOver.objects.filter(duel=duel, answer="", asked_by=user).first()
        if asked is None:
            raise TooLate(_("There is nothing to take back: the referee whom you asked has answered."))
        asked.answer, asked.answered_at = Answer.WITHDRAWN, now
        asked.save(update_fields=["answer", "answered_at"])
        tell(duel, "hand_over_withdrawn", at=now, concerns=[asked.to_id], user=user.username)
