"""The staff's page on whether the site works, and on what the clock and the post have set aside."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from config import health
from duels.actions.sweep import take_up_again
from duels.models import Duel
from duels.models.duel import SET_ASIDE
from duels.numbers import natural
from duels.views.access import PlayersRequest, private
from notices.actions import mail
from notices.kinds import KINDS
from notices.models import Delivery
from tournaments.actions import happenings, sweep
from tournaments.desk.actions import pairing
from tournaments.models import Enrolment, LeftOut, Pairing, Tournament

logger = logging.getLogger(__name__)

SHOWN = 50  # rows of each kind


@private
@require_http_methods(["GET", "POST"])
def state(request: PlayersRequest) -> HttpResponse:
    """What /readyz says, and the rows set aside, each with a button to try it again; for staff."""
    if not request.user.is_staff:
        raise PermissionDenied(_("Only staff can see this page."))
    if request.method == "POST":
        return _try_again(request)
    context = {
        "found": health.state(),
        "duels": _duels()[:SHOWN],
        "tournaments": _tournaments()[:SHOWN],
        "left_out": _left_out()[:SHOWN],
        "pairings": Pairing.objects.set_aside()[:SHOWN],
        "enrolments": Enrolment.objects.set_aside()[:SHOWN],
        "mails": [_told(one) for one in _mails()[:SHOWN]],
    }
    return render(request, "etat.html", context)


def _duels() -> QuerySet[Duel]:
    return Duel.objects.filter(failures__gte=SET_ASIDE).select_related("phase")


def _tournaments() -> QuerySet[Tournament]:
    return Tournament.objects.filter(failures__gte=SET_ASIDE)


def _left_out() -> QuerySet[LeftOut]:
    return LeftOut.objects.filter(is_tried_again=False).select_related("duel")


def _mails() -> QuerySet[Delivery]:
    return Delivery.objects.filter(status=Delivery.Status.ASIDE).select_related("happening__duel", "user")


def _told(delivery: Delivery) -> tuple[Delivery, str]:
    return delivery, str(KINDS[delivery.happening.what].name)


def _try_again(request: PlayersRequest) -> HttpResponse:
    kind, _colon, said = request.POST.get("row", "").partition(":")
    key = natural(said, digits=18)
    if kind not in _ASIDE or key is None:
        raise Http404
    rows, again = _ASIDE[kind]
    row = rows().filter(pk=key).first()
    if row is None:
        messages.info(request, _("This is not set aside any more."))
        return redirect("state")
    again(row.pk)
    _note(request.user, row)
    messages.success(request, _("It will be tried again within a minute."))
    return redirect("state")


_ASIDE: dict[str, tuple[Callable[[], QuerySet[Any]], Callable[[int], object]]] = {
    "duel": (_duels, lambda key: take_up_again(duel_id=key)),
    "tournament": (_tournaments, lambda key: sweep.take_up_again(tournament_id=key)),
    "left_out": (_left_out, lambda key: happenings.try_again(left_out_id=key)),
    "pairing": (Pairing.objects.set_aside, lambda key: pairing.take_up_again(pairing_id=key)),
    "enrolment": (Enrolment.objects.set_aside, lambda key: pairing.put_back(enrolment_id=key)),
    "mail": (_mails, lambda key: mail.take_up_again(delivery_id=key)),
}


def _note(user: User, row: Model) -> None:
    """Write down in the staff's log who had it tried again."""
    LogEntry.objects.log_actions(
        user.pk, [row], CHANGE, change_message="tried again after it was set aside", single_object=True
    )
    logger.info("%s %s is tried again, as user %s asked", row._meta.model_name, row.pk, user.pk)
