"""The right to correct (B6.4): adding what a published post of a spell duel lacks, from the draft to the recap."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from duels import clock, markup
from duels.actions.corrections import (
    check_correction,
    correct_filing,
    correctable_until,
    last_filing,
    save_correction_draft,
)
from duels.actions.filing import SHORT, require_page_of
from duels.actions.ledger import letter_of
from duels.actions.turns import words_of
from duels.errors import Invalid, TooLate, Unplayable
from duels.forms.playing import plain
from duels.forms.spells import Declaration, Lack
from duels.models import Duel, Phase
from duels.queries.legilimens import own_text
from duels.queries.turn import Seated, draft_of, seated
from rules.words import MINIMUM

from .access import PlayersRequest, keeps_text, private
from .table import duel_with_phase, kept_draft, kept_text, page_said

CHOSEN = "chosen"  # in a draft of a correction: what was chosen, by the name of its field


@keeps_text
@private
@require_http_methods(["GET", "POST"])
def correction(request: PlayersRequest, pk: int) -> HttpResponse:
    """Add what one's post of the open phase lacks (B6.4); for its author, for 30 minutes."""
    received_at = clock.received(request)
    duel = duel_with_phase(pk)
    letter = letter_of(duel, request.user)
    phase = duel.phase
    if phase is None or correctable_until(phase, letter) is None:
        if request.method == "POST":
            return kept_text(request, duel, TooLate(_("You have no post that can be corrected (B6.4).")))
        return redirect("duels:turn", pk)
    if request.method == "POST":
        try:
            require_page_of(phase, **page_said(request), name=request.POST.get("phase", ""))
        except TooLate as refusal:
            return kept_text(request, duel, refusal)
    lacking = _lacking(duel, phase, letter, received_at)
    if request.method == "GET":
        return _opening_page(request, lacking)
    lacking.choose(request.POST)
    if request.POST.get("do") == "change":
        return _correction_page(request, lacking)
    if request.POST.get("do") == "file":
        return _correct(request, lacking, received_at)
    return _correction_recap(request, lacking)


class Lacking(NamedTuple):
    """What a published post lacks: words, and parts of its steps."""

    duel: Duel
    phase: Phase
    letter: str
    declaration: Declaration
    lacks: list[Lack]
    words: int

    @property
    def is_short(self) -> bool:
        return self.duel.rules.needs_text(self.declaration) and self.words < MINIMUM

    @property
    def missing(self) -> int:
        return MINIMUM - self.words

    @property
    def flaws(self) -> list[str]:
        """Everything that it lacks, by code."""
        return [SHORT] * self.is_short + [lack.code for lack in self.lacks]

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Note what was chosen for each of its lacks, by the name of its field."""
        for lack in self.lacks:
            lack.chosen = chosen.get(lack.name, "")

    def completed(self) -> Declaration:
        """Return the declaration with what was chosen."""
        steps = list(self.declaration.get("steps", [self.declaration]))
        for lack in self.lacks:
            steps[lack.place] = lack.completed(steps[lack.place])
        return {**self.declaration, "steps": steps} if "steps" in self.declaration else steps[0]


def _lacking(duel: Duel, phase: Phase, letter: str, at: dt.datetime) -> Lacking:
    declaration = last_filing(duel, phase, letter)
    table = seated(duel, phase, letter, at)
    steps = declaration.get("steps", [declaration])
    lacks = [lack for place, step in enumerate(steps) for lack in _lacks_of(table, place, step)]
    return Lacking(duel, phase, letter, declaration, lacks, words_of(phase, letter))


def _lacks_of(table: Seated, place: int, step: Declaration) -> Iterator[Lack]:
    """Yield what a step lacks, part after part: the rules name the next one once the first is there."""
    while True:
        alone = {"steps": [step]} if table.phase.name == "action" else step
        found = [one for one in table.check(alone) if one.code in table.duel.rules.correctable]
        lack = Lack(place, step, table.menu, found[0]) if found else None
        if lack is None or not lack.choices:
            return
        yield lack
        step = lack.with_part(lack.choices[0])


def _opening_page(request: PlayersRequest, lacking: Lacking) -> HttpResponse:
    """Open with what was typed already."""
    draft, saved_at = draft_of(lacking.phase, lacking.letter)
    if CHOSEN not in draft:  # what was typed before the post was published
        return _correction_page(request, lacking)
    lacking.choose(draft[CHOSEN])
    return _correction_page(request, lacking, text=draft["text"], saved_at=saved_at)


def _added_text(request: HttpRequest, lacking: Lacking) -> str:
    return plain(request.POST.get("text", "")) if lacking.is_short else ""


def _correction_recap(request: PlayersRequest, lacking: Lacking) -> HttpResponse:
    """Say what the post will be once it is corrected, before it is: this cannot be taken back."""
    text, declaration = _added_text(request, lacking), lacking.completed()
    try:
        check_correction(lacking.duel, lacking.phase, lacking.letter, text, declaration)
    except (Invalid, Unplayable) as refusal:
        return _correction_page(request, lacking, refusal=refusal, status=422)
    context = {
        "duel": lacking.duel,
        "phase": lacking.phase,
        "until": correctable_until(lacking.phase, lacking.letter),
        "declaration": declaration,
        "fields": [(lack.name, lack.chosen) for lack in lacking.lacks],
        "text": text,
        "html": markup.render(text),
    }
    return render(request, "duels/spells/correction_recap.html", context)


def _correct(request: PlayersRequest, lacking: Lacking, received_at: dt.datetime) -> HttpResponse:
    try:
        correct_filing(
            user=request.user, duel_id=lacking.duel.pk, **page_said(request), name=request.POST.get("phase", ""),
            text=_added_text(request, lacking), declaration=lacking.completed(), received_at=received_at,
        )  # fmt: skip
    except TooLate as late:
        return kept_text(request, lacking.duel, late)
    except (Invalid, Unplayable) as refusal:
        return _correction_page(request, lacking, refusal=refusal, status=422)
    messages.success(request, _("Your correction is published; your post keeps its place."))
    return redirect("duels:duel", lacking.duel.pk)


def _correction_page(request: HttpRequest, lacking: Lacking, *, status: int = 200, **shown: Any) -> HttpResponse:
    context = {
        "duel": lacking.duel,
        "phase": lacking.phase,
        "lacking": lacking,
        "until": correctable_until(lacking.phase, lacking.letter),
        "mine": own_text(lacking.duel, lacking.phase, lacking.letter),
        "text": plain(request.POST.get("text", "")),
        "is_sent": request.method == "POST",
        **shown,
    }
    return render(request, "duels/spells/correction.html", context, status=status)


@private
@require_POST
def correction_draft(request: PlayersRequest, pk: int) -> HttpResponse:
    """Keep what was typed for a correction, sealed."""
    duel = duel_with_phase(pk)
    chosen = {name: value for name, value in request.POST.items() if name.startswith("step")}
    draft = {"text": plain(request.POST.get("text", "")), CHOSEN: chosen}
    save = partial(
        save_correction_draft, user=request.user, duel_id=pk, **page_said(request), draft=draft,
        at=clock.received(request), name=request.POST.get("phase", ""),
    )  # fmt: skip
    return kept_draft(request, duel, save, back_to="duels:correction")
