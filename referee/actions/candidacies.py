"""Applying to become a referee, and the referees' answer (A14)."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.actions.availability import check_at_once, write_availability
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Happening
from duels.people import REFEREES, is_referee
from referee.eligibility import Missing, missing
from referee.models import Candidacy

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Answer = Candidacy.Answer


@transaction.atomic(durable=True)
def apply(*, user: User, message: str, at_once: int, note: str = "") -> Candidacy:
    """Apply to become a referee, with what one would say of one's availability. Raises NotAllowed, TooLate, Invalid."""
    now = clock.now()
    get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)  # two at once: the second sees the first
    if is_referee(user):
        raise NotAllowed(_("You are a referee already."))
    if Candidacy.objects.filter(user=user, answer="").exists():
        raise TooLate(_("You have applied already: the referees have not answered yet."))
    lacking: Missing | None = missing(user, now=now)
    if lacking is not None:
        raise NotAllowed(lacking.message)
    if not message.strip():
        raise Invalid(_("Say a word about yourself: the referees decide by it."), "message")
    check_at_once(at_once)
    sent = Candidacy.objects.create(user=user, message=message.strip(), at_once=at_once, note=note.strip(), sent_at=now)
    _tell("candidacy_sent", sent, concerns=_all_referees(), at=now)
    return sent


@transaction.atomic(durable=True)
def answer_candidacy(*, user: User, candidacy_id: int, accepted: bool, reason: str = "") -> Candidacy:
    """Accept a candidacy, which makes a referee at once, or decline it with a reason; for referees, never one's own.

    Raises NotAllowed, TooLate (answered or taken back), Invalid (no reason), Candidacy.DoesNotExist.
    """
    now = clock.now()
    candidacy = _held(candidacy_id)
    if not is_referee(user) or candidacy.user_id == user.pk:
        raise NotAllowed(_("The referees decide on a candidacy, and nobody on their own."))
    if candidacy.answer:
        raise TooLate(_("This candidacy was answered already, or taken back."))
    if not accepted and not reason.strip():
        raise Invalid(_("Say why you decline: the candidate reads it."), "reason")
    candidacy.answer = Answer.ACCEPTED if accepted else Answer.DECLINED
    candidacy.answered_at, candidacy.answered_by, candidacy.reason = now, user, reason.strip()
    candidacy.save()
    if accepted:
        _appoint(candidacy)
    _tell(f"candidacy_{candidacy.answer}", candidacy, concerns=[candidacy.user_id], at=now)
    return candidacy


@transaction.atomic(durable=True)
def withdraw_candidacy(*, user: User, candidacy_id: int) -> None:
    """Take one's own candidacy back. Raises NotAllowed, TooLate, Candidacy.DoesNotExist."""
    now = clock.now()
    candidacy = _held(candidacy_id)
    if candidacy.user_id != user.pk:
        raise NotAllowed(_("Only who has applied can take a candidacy back."))
    if candidacy.answer:
        raise TooLate(_("This candidacy was answered already, or taken back."))
    candidacy.answer, candidacy.answered_at = Answer.WITHDRAWN, now
    candidacy.save(update_fields=["answer", "answered_at"])
    _tell("candidacy_withdrawn", candidacy, concerns=_all_referees(), at=now)


def _held(candidacy_id: int) -> Candidacy:
    return Candidacy.objects.select_related("user").select_for_update(no_key=True, of=("self",)).get(pk=candidacy_id)


def _all_referees() -> list[int]:
    return list(get_user_model().objects.filter(groups__name=REFEREES, is_active=True).values_list("pk", flat=True))


def _appoint(candidacy: Candidacy) -> None:
    group, _is_new = Group.objects.get_or_create(name=REFEREES)
    candidacy.user.groups.add(group)
    write_availability(candidacy.user, is_available=True, at_once=candidacy.at_once, note=candidacy.note)


def _tell(what: str, candidacy: Candidacy, *, concerns: list[int], at: dt.datetime) -> None:
    details = {"candidacy": candidacy.pk, "user": candidacy.user.username}
    Happening.objects.create(duel=None, what=what, at=at, concerns=concerns, details=details)
