"""The appeals of a duel, and what of them somebody may read: both texts are open to everybody after the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from duels import secrets
from duels.actions.appeals import check_may_decide
from duels.actions.granted import granting
from duels.errors import NotAllowed
from duels.models import Appeal, Duel, Phase
from duels.people import is_referee

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User


class Reading(NamedTuple):
    """An appeal as somebody reads it: `reason` and `answer` are None where they are not for them, or not there."""

    appeal: Appeal
    name: str
    reason: str | None
    answer: str | None

    @property
    def contested(self) -> Phase:
        return self.appeal.resolution.phase


def appeals_of(duel: Duel, reader: User | AnonymousUser) -> list[Reading]:
    """Return the appeals of a duel, the last first; before the verdict its texts are for those concerned only."""
    found = Appeal.objects.filter(duel=duel).select_related("resolution__phase", "seat", "answered_by")
    return [_read(duel, appeal, reader) for appeal in found.order_by("-pk")]


def waiting_in(duel: Duel) -> Appeal | None:
    """Return the appeal that waits for its answer, if there is one."""
    waiting = Appeal.objects.filter(duel=duel, answer="").select_related("resolution__phase", "seat")
    return waiting.first()


def reason_of(duel: Duel, appeal: Appeal) -> str:
    """Return why somebody contests; whoever asks has made sure that the reader may know."""
    return _opened(duel, appeal.made_index)


def granted_against(duel: Duel, phase: Phase, reader: User) -> Reading | None:
    """Return the appeal for which a phase is taken up again, whose answer says what is to be decided anew."""
    answer = granting(phase)
    if answer is None:
        return None
    found = Appeal.objects.select_related("resolution__phase", "seat", "answered_by")
    return _read(duel, found.get(duel=duel, answer_index=answer.index), reader)


def may_decide(duel: Duel, appeal: Appeal, user: User) -> bool:
    """Say whether the user may answer an appeal."""
    try:
        check_may_decide(duel, appeal, user)
    except NotAllowed:
        return False
    return True


def for_staff(user: User) -> list[Duel]:
    """Return the duels in which an appeal waits that only staff can answer: no other referee is left."""
    found = Duel.objects.contested_for(user).select_related("phase").order_by("stopped_until")
    waiting = ((duel, waiting_in(duel)) for duel in found)
    return [duel for duel, appeal in waiting if appeal is not None and may_decide(duel, appeal, user)]


def _read(duel: Duel, appeal: Appeal, reader: User | AnonymousUser) -> Reading:
    name = duel.name_of(appeal.seat.letter)
    if not (duel.is_over or _concerns(duel, appeal, reader)):
        return Reading(appeal, name, None, None)
    answer = _opened(duel, appeal.answer_index) if appeal.answer_index is not None else None
    return Reading(appeal, name, _opened(duel, appeal.made_index), answer or None)


def _concerns(duel: Duel, appeal: Appeal, reader: User | AnonymousUser) -> bool:
    """Whether the reader contests, referees or judged, or has answered; who was dismissed since does none of these."""
    if not reader.is_authenticated:
        return False
    if reader.pk == duel.cast[appeal.seat.letter]["user"]:
        return True
    officials = (duel.referee_id, appeal.judge_id, appeal.answered_by_id)
    return reader.pk in officials and (is_referee(reader) or reader.is_staff)


def _opened(duel: Duel, index: int) -> str:
    content: dict[str, Any] = secrets.opened(duel.entries.get(index=index), duel.uid).content
    return str(content["reason"])
