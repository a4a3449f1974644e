"""What keeps a registration from being paired: each obstacle with its rule, and when it ends by itself."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from duels.actions.challenges import CHOSEN
from duels.actions.spell_challenges import Registration, terms_of
from duels.actions.stakes import check_stake, require_free
from duels.errors import Invalid
from duels.models import Duel
from duels.queries.books import current_book
from duels.queries.eligibility import Missing, missing
from duels.queries.referees import capacity
from duels.queries.scenes import has_companion

from .models import Enrolment

FOR_A_TIME = {"wait", "no_referee"}  # one registers all the same, and is paired once they are over (B2.1, A14)


def registration_of(enrolment: Enrolment) -> Registration | None:
    """Return what was chosen in mode `free` (B2.5)."""
    return Registration(enrolment.level, tuple(enrolment.types)) if enrolment.level else None


def obstacles(enrolment: Enrolment, *, now: dt.datetime) -> list[Missing]:
    """Return all that keeps somebody from being paired now; nothing: they only wait for an opponent."""
    if enrolment.is_set_aside:
        message = _("The desk has failed to pair %(name)s: staff sees it, and has it tried again.")
        return [Missing("aside", "B1.3", message % {"name": enrolment.duellist})]
    found = list(_of_spells(enrolment, now) if enrolment.is_spells else _of_arena(enrolment))
    if enrolment.refereed and (why_not := capacity(besides=[enrolment.duellist.user_id]).why_not):
        later = _("One is paired as soon as a referee has room.")
        found.append(Missing("no_referee", "A14", f"{why_not} {later}"))
    return found


def refusals(enrolment: Enrolment, *, now: dt.datetime) -> list[Missing]:
    """Return what keeps somebody from registering at all."""
    return [one for one in obstacles(enrolment, now=now) if one.code not in FOR_A_TIME]


def _of_arena(enrolment: Enrolment) -> Iterator[Missing]:
    """A3.1, A3.3: who may fight in secret, and what somebody may stake."""
    if enrolment.kind not in CHOSEN:
        message = _("Only a tournament arranges a duel of that kind: withdraw, and register for another.")
        yield Missing("kind", "A3.1", message)
    if enrolment.is_clandestine and not enrolment.duellist.is_student:
        yield Missing("students", "A3.1", _("A clandestine duel is for students only."))
    elif enrolment.is_clandestine and not has_companion(enrolment.duellist):
        message = _(
            "A clandestine duel follows a scene of the two students, three posts of 100 words of each at least:"
            " %(name)s has none so far."
        )
        yield Missing("scene", "A3.1", message % {"name": enrolment.duellist})
    try:
        check_stake(kind=enrolment.kind, stake=enrolment.stake_most, currency=enrolment.stake_currency)
        require_free(enrolment.duellist, enrolment.stake_most, enrolment.stake_currency)
    except Invalid as refusal:
        yield Missing("stake", "A3.3", refusal.message)


def _of_spells(enrolment: Enrolment, now: dt.datetime) -> Iterator[Missing]:
    """B1.1, B1.2, B2.1, B2.5, B6.0; what was chosen may have gone out of order since (another book, another year)."""
    found = missing(enrolment.duellist, enrolment.mode, now=now)
    yield from found
    if enrolment.mode == Duel.Mode.FREE:
        try:
            terms_of(enrolment.duellist, enrolment.mode, registration_of(enrolment), current_book())
        except Invalid as refusal:
            yield Missing("registration", "B2.5", refusal.message)
