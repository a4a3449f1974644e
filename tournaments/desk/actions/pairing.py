"""Pairing those who wait, and settling what has come of earlier pairings: what the clock does at the desk.

Locks: those who wait, then the duellists of one group; or a duel, its duellists, then those whom it has paired. Nobody
who holds one who waits waits for a duel, or for one who does not wait any more.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Iterable, Sequence, Set

from django.db import transaction
from django.utils import timezone

from duels import clock, training
from duels.actions.failing import CUT_OFF, count_failure
from duels.actions.ledger import held
from duels.actions.pairings import pair_for_arena, pair_for_spells
from duels.models import Duel, Duellist, Happening
from duels.queries.books import current_book
from duels.queries.eligibility import bans
from duels.queries.referees import capacity
from tournaments.desk.conditions import obstacles, registration_of
from tournaments.desk.meeting import closest, common_stake, parties, seated
from tournaments.desk.models import Enrolment, Pairing
from tournaments.desk.queries.line import known_of

logger = logging.getLogger(__name__)

FIRST_START = dt.timedelta(days=4)  # to confirm, to find a referee, and the 48 hours of A4.1b
EVENING = dt.time(20)  # of the school


def pair() -> dict[str, int]:
    """Settle what has come of pairings, then pair whoever can be; return how many were `settled` and `paired`.

    Running it twice, late, or several times at once pairs nobody twice: who waits is held, and looked at again.
    """
    settled = _each(_settle, _answered()) + _each(_bring_back, _unrefereed())
    return {"settled": settled, "paired": sum(map(_pair_all, Enrolment.Ruleset.values))}


def _each(act: Callable[[int], bool], duel_ids: Iterable[int]) -> int:
    """Return for how many duels of pairings something was done; one on which it fails three times is set aside."""
    done = 0
    for duel_id in duel_ids:
        try:
            done += act(duel_id)
        except Exception as error:
            logger.exception("desk: the pairing of duel %s could not be settled", duel_id)
            count_failure(Pairing.objects.filter(duel=duel_id), error)
    return done


def _pair_all(ruleset: str) -> int:
    """Pair all who can be, the closest first; who has an obstacle is « free » for nobody. Return how many duels."""
    now = clock.now()
    waiting = Enrolment.objects.waiting().filter(ruleset=ruleset)
    passed_over = {one.pk for one in waiting if _is_barred(one, now)}
    paired = 0
    while (barred := _pair_next(ruleset, passed_over)) is not None:
        passed_over |= barred
        paired += not barred
    return paired


@transaction.atomic(durable=True)
def _pair_next(ruleset: str, passed_over: Set[int]) -> set[int] | None:
    """Pair the closest of the others; return who of them cannot be, none once they are paired; None: nobody is left.

    One group a transaction: whoever held the duellists of one, and then those of another, would hold them in any order.
    """
    now = clock.now()
    line = Enrolment.objects.waiting().filter(ruleset=ruleset).held()
    waiting = [one for one in line if one.pk not in passed_over]
    group = closest(parties(waiting), known_of(waiting, ruleset), now=now)
    if group is None:
        return None
    barred = _barred(group, now)
    if not barred and not _propose(seated(group), now):
        barred = group
    return {one.pk for one in barred}


def _barred(group: Sequence[Enrolment], now: dt.datetime) -> Sequence[Enrolment]:
    """Return those of a group who cannot be paired now; all of it, where no referee is left who does not play in it."""
    Duellist.objects.hold(*(one.duellist for one in group))  # B2.1: one at a time
    barred = [one for one in group if _is_barred(one, now)]
    if barred or not group[0].refereed:
        return barred
    return [] if capacity(besides=[one.duellist.user_id for one in group]).is_enough else group


def _is_barred(enrolment: Enrolment, now: dt.datetime) -> bool:
    """Say whether something keeps somebody from being paired now, if only that it cannot be told."""
    try:
        with transaction.atomic():
            return bool(obstacles(enrolment, now=now))
    except CUT_OFF:
        raise
    except Exception as error:
        _note_failure([enrolment], error)
        return True


def _propose(group: Sequence[Enrolment], now: dt.datetime) -> bool:
    """Make the duel; whatever is wrong with one group, the others are paired all the same."""
    try:
        with transaction.atomic():
            pairing = Pairing.objects.create(duel=_duel_of(group, now), made_at=now)
            chosen = Enrolment.objects.filter(pk__in=[one.pk for one in group])
            chosen.update(status=Enrolment.Status.PAIRED, pairing=pairing, failures=0)
    except CUT_OFF:
        raise
    except Exception as error:
        _note_failure(group, error)
        return False
    return True


def _note_failure(group: Sequence[Enrolment], error: Exception) -> None:
    """Count that these could not be paired; after three times they have an obstacle, which staff sees."""
    keys = [one.pk for one in group]
    logger.error("desk: registrations %s could not be paired", keys, exc_info=error)
    count_failure(Enrolment.objects.filter(pk__in=keys), error)


def _duel_of(group: Sequence[Enrolment], now: dt.datetime) -> Duel:
    first = group[0]
    duellists = [one.duellist for one in group]
    if first.is_spells:
        return pair_for_spells(
            duellists=duellists, mode=first.mode, book=current_book(),
            registrations=[registration_of(one) for one in group],
            refereed=first.refereed, starts_at=start_after(now), at=now,
        )  # fmt: skip
    stake = common_stake(*group) or 0
    return pair_for_arena(
        duellists=duellists, kind=first.kind, turn_hours=max(one.turn_hours for one in group),
        stake=stake, stake_currency=first.stake_currency if stake else "",
        refereed=first.refereed, starts_at=start_after(now, of_students=_train(first, duellists)), at=now,
    )  # fmt: skip


def _train(first: Enrolment, duellists: Sequence[Duellist]) -> bool:
    return first.kind == Duel.Kind.TRAINING and all(duellist.is_student for duellist in duellists)


def start_after(now: dt.datetime, *, of_students: bool = False) -> dt.datetime:
    """Return the start that the desk proposes, four days later: an evening of the school, or, for students who train,
    when training hours next begin (article 3)."""
    if of_students:
        return training.next_opening(now + FIRST_START)
    zone = timezone.get_default_timezone()
    return dt.datetime.combine((now + FIRST_START).astimezone(zone).date(), EVENING, tzinfo=zone)


def _answered() -> list[int]:
    """Return the duels of pairings that have had their answers, or their time."""
    waiting = Pairing.objects.sound().filter(settled_at=None).exclude(duel__status=Duel.Status.CHALLENGED)
    return list(waiting.order_by("pk").values_list("duel_id", flat=True))


def _settle(duel_id: int) -> bool:
    """Close what a pairing was made of: agreed, or those who are not to blame first in line again."""
    with held(duel_id) as duel:
        now = clock.now()
        pairing = Pairing.objects.get(duel=duel)
        if pairing.settled_at is not None:
            return False
        pairing.settled_at, pairing.failures = now, 0
        pairing.save(update_fields=["settled_at", "failures"])
        if duel.agreed_at is not None:
            pairing.enrolments.update(status=Enrolment.Status.AGREED, closed_at=now)
        else:
            back = pairing.enrolments.filter(duellist__user__in=_not_to_blame(duel))
            back.update(status=Enrolment.Status.WAITING, returned_at=now, pairing=None)
            pairing.enrolments.update(status=Enrolment.Status.LAPSED, closed_at=now)
    return True


def _unrefereed() -> list[int]:
    """Return the duels of pairings that all had confirmed, and that no referee took, or that could not begin."""
    cancelled = Pairing.objects.sound().filter(duel__status=Duel.Status.CANCELLED)
    agreed = cancelled.filter(enrolments__status=Enrolment.Status.AGREED)
    return list(agreed.order_by("pk").values_list("duel_id", flat=True).distinct())


def _bring_back(duel_id: int) -> bool:
    """Put those whose duel no referee took, or could not begin, back in line, where they stood; who registered anew
    since stays there, and who is banned from spell duels is out (B6.0)."""
    with held(duel_id) as duel:
        agreed = Enrolment.objects.filter(pairing__duel=duel, status=Enrolment.Status.AGREED)
        Duellist.objects.hold(*(one.duellist for one in agreed.select_related("duellist")))  # none registers meanwhile
        enrolments = list(agreed.held())
        banned = bans([one.duellist_id for one in enrolments if one.is_spells], now=clock.now())
        for one in enrolments:
            anew = Enrolment.objects.open().filter(duellist=one.duellist_id, ruleset=one.ruleset).exists()
            if anew or one.duellist_id in banned:
                one.status = Enrolment.Status.WITHDRAWN
            else:
                one.status, one.pairing, one.closed_at = Enrolment.Status.WAITING, None, None
            one.save(update_fields=["status", "pairing", "closed_at"])
        Pairing.objects.filter(duel=duel).update(failures=0)
    return bool(enrolments)


def _not_to_blame(duel: Duel) -> list[int]:
    """Return the users who were told that they are first in line again; all, of a duel that staff have cancelled."""
    told = Happening.objects.filter(duel=duel, what="pairing_lapsed").first()
    return told.concerns if told else [player["user"] for player in duel.cast.values()]


def take_up_again(*, pairing_id: int) -> None:
    """Have a pairing that was set aside settled after all (staff has seen to what was wrong)."""
    Pairing.objects.filter(pk=pairing_id).update(failures=0)


def put_back(*, enrolment_id: int) -> None:
    """Have a registration that was set aside looked at again (staff has seen to what was wrong)."""
    Enrolment.objects.filter(pk=enrolment_id).update(failures=0)
