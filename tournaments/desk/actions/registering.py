"""Registering at the desk, and withdrawing."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from duels import clock
from duels.actions.challenges import CHOSEN
from duels.actions.sendings import done, once
from duels.actions.spell_challenges import Registration, check_chosen
from duels.actions.stakes import check_stake, require_free
from duels.errors import Invalid, NotAllowed, TooLate
from duels.models import Duel, Duellist
from duels.queries.books import current_book
from tournaments.desk.conditions import refusals
from tournaments.desk.models import Enrolment

if TYPE_CHECKING:
    from django.contrib.auth.models import User

ABOUT_KIND = dict.fromkeys(("students", "scene"), "kind")  # what another kind of duel does not ask for (A3.1)


def register_for_arena(
    *,
    user: User,
    duellist: Duellist,
    kind: str,
    turn_hours: int,
    refereed: bool,
    stake_currency: str = "",
    stake_least: int = 0,
    stake_most: int = 0,
    sending: uuid.UUID | None = None,
) -> Enrolment:
    """Register a duellist of one's own for an arena duel; turns last 48 hours unless both want 24 (A6.1).

    The stake lies between `stake_least` and `stake_most` (0: without one). Raises NotAllowed, Invalid (with all that
    stops them), AlreadySent.
    """
    _require_own(user, duellist)
    if kind not in CHOSEN:
        raise Invalid(_("Choose the kind of duel."), "kind")
    if not 0 <= stake_least <= stake_most:
        raise Invalid(_("The highest stake is not below the least."), "stake_most")
    try:
        check_stake(kind=kind, stake=stake_most, currency=stake_currency)
        require_free(duellist, stake_most, stake_currency)
    except Invalid as refusal:  # of a range, the highest is what is too much
        raise Invalid(refusal.message, "stake_most" if refusal.field == "stake" else refusal.field) from None
    return _register(
        duellist, ruleset="arena", kind=kind, turn_hours=turn_hours, refereed=refereed,
        stake_currency=stake_currency if stake_most else "", stake_least=stake_least, stake_most=stake_most,
        sending=sending,
    )  # fmt: skip


def register_for_spells(
    *,
    user: User,
    duellist: Duellist,
    mode: str,
    format: str,
    refereed: bool,
    registration: Registration | None = None,
    partner: Duellist | None = None,
    sending: uuid.UUID | None = None,
) -> Enrolment:
    """Register a duellist of one's own for a spell duel; `registration` in mode `free` only (B1.2, B1.3, B2.5).

    A `partner`, in two against two, registers too and names this duellist. Raises NotAllowed, Invalid,
    AlreadySent.
    """
    _require_own(user, duellist)
    if mode not in Duel.Mode.values:
        raise Invalid(_("Choose one of the two modes: role play, or free."), "mode")
    if partner is not None and format != Duel.Format.TWO:
        raise Invalid(_("A partner is for two against two (B1.3)."), "partner")
    if partner is not None and partner.user_id == user.pk:
        raise Invalid(_("Your partner is played by somebody else."), "partner")
    check_chosen(duellist, mode, registration, current_book())
    chosen = {"level": registration.level, "types": list(registration.types)} if registration else {}
    return _register(
        duellist, ruleset="spells", mode=mode, format=format, refereed=refereed, partner=partner,
        sending=sending, **chosen,
    )  # fmt: skip


def _require_own(user: User, duellist: Duellist) -> None:
    if duellist.user_id != user.pk:
        raise NotAllowed(_("Choose one of your own duellists."))


@transaction.atomic(durable=True)
def _register(duellist: Duellist, *, sending: uuid.UUID | None, **terms: Any) -> Enrolment:
    now = clock.now()
    Duellist.objects.hold(duellist)  # so that a form sent twice at once registers once
    sent = once(duellist.user, sending, duellist.pk, at=now)
    enrolment = Enrolment(duellist=duellist, registered_at=now, **terms)
    if Enrolment.objects.open().filter(duellist=duellist, ruleset=enrolment.ruleset).exists():
        raise Invalid(
            _("%(name)s is registered already: withdraw to change the terms.") % {"name": duellist}, "duellist"
        )
    if found := refusals(enrolment, now=now):
        fields = {ABOUT_KIND.get(one.code, "duellist") for one in found}
        said = " ".join(f"{one.message} ({one.rule})" for one in found)
        raise Invalid(said, fields.pop() if len(fields) == 1 else "duellist")
    enrolment.save()
    done(sent, reverse("desk:desk"))
    return enrolment


@transaction.atomic(durable=True)
def withdraw(*, user: User, enrolment_id: int) -> Enrolment:
    """Leave the line. Raises Enrolment.DoesNotExist (none of one's own), TooLate (paired meanwhile, or closed)."""
    enrolment = Enrolment.objects.of(user).held().get(pk=enrolment_id)
    if enrolment.status == Enrolment.Status.PAIRED:
        raise TooLate(_("The desk has paired you meanwhile: confirm that duel, or decline it."))
    if not enrolment.is_waiting:
        raise TooLate(_("This registration has ended already."))
    enrolment.status = Enrolment.Status.WITHDRAWN
    enrolment.closed_at = clock.now()
    enrolment.save(update_fields=["status", "closed_at"])
    return enrolment
