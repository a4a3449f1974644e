"""Reviewing a turn, ruling on it, publishing it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from duels.actions.granted import owes_decision
from duels.errors import Invalid, Refused, TooLate
from duels.models import Duel, Phase
from duels.queries.appeals import granted_against
from duels.queries.books import incantations
from duels.views.access import PlayersRequest, add_refusal, private

from .access import access, access_to_read, referees_only
from .amending import Amending
from .effects import running
from .names import die_name
from .review import Review, posted, reviewed, turn_of
from .states import rows as state_rows

WHOLE = "turn"  # the phase of a turn that has but one


def place(phase: Phase) -> list[int | str]:
    """Return what the address of a phase holds."""
    return [phase.duel_id, phase.number] if phase.name == WHOLE else [phase.duel_id, phase.number, phase.name]


@private
@require_GET
def review(request: PlayersRequest, duel_id: int, turn: int, name: str = WHOLE) -> HttpResponse:
    """A turn of a duel of this referee's: worked out once it is locked, read-only once it is published.

    For whoever decides on an appeal in the duel too.
    """
    return show_review(request, turn_of(access_to_read(request, duel_id), turn, name))


@referees_only
def amend(request: PlayersRequest, duel_id: int, turn: int, name: str = WHOLE) -> HttpResponse:
    """Amend a turn, or take an amendment back, with a reason; it is worked out again. For the duel's referee."""
    duel = access(request, duel_id)
    phase = turn_of(duel, turn, name)
    if request.method != "POST":  # reloaded by its address, or come back to after signing in
        return redirect("referee:review", *place(phase))
    if phase.live is None:
        return show_review(request, phase, refusal=TooLate(_("This turn is not worked out yet.")))
    amending = Amending(reviewed(duel, phase, reader=request.user), request.POST)
    form = amending.chosen
    if form is None:
        refusal = TooLate(_("This cannot be ruled any more: look at the turn as it is now."))
        return show_review(request, phase, refusal=refusal)
    if form.is_valid():
        try:
            amending.act(user=request.user, duel_id=duel_id, turn=turn, name=name)
        except TooLate as refusal:
            return show_review(request, phase, refusal=refusal)
        except Invalid as refusal:
            add_refusal(form, refusal)
        else:
            messages.success(request, _("The turn has been worked out again: see what has changed."))
            return redirect(reverse("referee:review", args=place(phase)) + "#amendments")
    return show_review(request, phase, amending=amending)


def show_review(
    request: PlayersRequest, phase: Phase, *, amending: Amending | None = None, refusal: Refused | None = None
) -> HttpResponse:
    """A turn to review, with what was refused; what was typed for it comes back."""
    duel = access_to_read(request, phase.duel_id)
    phase = turn_of(duel, phase.number, phase.name)
    status = 409 if refusal else 422 if amending else 200
    context: dict[str, Any] = {"duel": duel, "phase": phase, "turn": phase.number, "refusal": refusal}
    if refusal:
        context["typed"] = [request.POST[key] for key in request.POST if key.endswith(TYPED)]
    if phase.live is None:
        return render(request, "referee/before.html", {**context, "filed": _who_filed(duel, phase)}, status=status)
    read = amending.review if amending else reviewed(duel, phase, reader=request.user)
    context |= _review_context(read, amending or Amending(read))
    context["appeal"] = granted_against(duel, phase, request.user)
    return render(request, "referee/review.html", context, status=status)


TYPED = ("reason", "preamble", "closing")


def _review_context(read: Review, amending: Amending) -> dict[str, Any]:
    duel, phase, forms = read.duel, read.phase, amending.forms
    return {
        "review": read,
        "sent": amending.chosen,
        "amend_url": reverse("referee:amend", args=place(phase)),
        "publish_url": reverse("referee:publish", args=place(phase)),
        "panels": [(publication, forms.get(f"fault-{publication.letter}")) for publication in read.publications],
        "amendments": [(one, forms.get(f"withdraw-{one.entry.index}")) for one in read.amendments],
        "amending": forms,
        "dice": [(die_name(die.label, duel), die) for die in read.dice],
        "running": running(read.after, duel.cast, incantations(duel.book_id)),
        "states": [(duel.name_of(seat), state_rows(read.before, read.after, seat)) for seat in sorted(duel.cast)],
        "posted": posted(phase),
        "owes": owes_decision(phase),
    }


def _who_filed(duel: Duel, phase: Phase) -> list[tuple[str, bool]]:
    return [(duel.name_of(letter), letter in phase.filed) for letter in sorted(duel.cast)]
