"""The referee's answer to a time-out (A7)."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from duels import clock
from duels.actions.time_outs import answer_time_out, would_end_at
from duels.errors import Invalid, TooLate
from duels.models import Duel, TimeOut
from duels.numbers import natural
from duels.views.access import PlayersRequest, add_refusal
from duels.wakes import answer_until

from . import queries
from .access import access, referees_only
from .forms import AnswerForm


@referees_only
@require_http_methods(["GET", "POST"])
def time_out(request: PlayersRequest, duel_id: int) -> HttpResponse:
    """The time-outs of a duel that wait for an answer; grant or refuse one, with a reason. For the duel's referee."""
    duel = access(request, duel_id)
    return _answer(request, duel) if request.method == "POST" else _page(request, duel)


def _answer(request: PlayersRequest, duel: Duel) -> HttpResponse:
    key = request.POST.get("time_out", "")
    asked = get_object_or_404(TimeOut, pk=natural(key, digits=18), phase__duel=duel)
    form = AnswerForm(request.POST, prefix=key)
    answer = request.POST.get("answer")
    if answer not in ("grant", "refuse"):
        form.add_error(None, _("Say whether you grant it or refuse it."))
    if not form.is_valid():
        return _page(request, duel, form, status=422)
    granted = answer == "grant"
    try:
        answer_time_out(user=request.user, time_out_id=asked.pk, granted=granted, reason=form.cleaned_data["reason"])
    except (Invalid, TooLate) as refusal:
        add_refusal(form, refusal)
        return _page(request, duel, form, status=409 if isinstance(refusal, TooLate) else 422)
    messages.success(request, _("The time-out is granted.") if granted else _("The time-out is refused."))
    return redirect("referee:queue")


def _page(request: PlayersRequest, duel: Duel, sent: AnswerForm | None = None, *, status: int = 200) -> HttpResponse:
    now = clock.now()
    waiting = list(queries.time_outs(request.user).filter(phase__duel=duel))
    keys = {str(asked.pk) for asked in waiting}
    context = {
        "duel": duel,
        "phase": duel.phase,
        "panels": [
            {
                "asked": asked,
                "form": sent if sent and sent.prefix == str(asked.pk) else AnswerForm(prefix=str(asked.pk)),
                "would_end_at": would_end_at(duel, asked.phase, asked.hours),
                "would_be_over": would_end_at(duel, asked.phase, asked.hours) < now,
                "until": answer_until(asked.phase),
            }
            for asked in waiting
        ],
        "sent": sent,
        "kept": sent["reason"].value() if sent and sent.prefix not in keys else "",
    }
    return render(request, "referee/time_out.html", context, status=status)
