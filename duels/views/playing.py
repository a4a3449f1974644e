"""A turn to play, from the draft to the recap."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from duels import clock, markup
from duels.actions.filing import file_declaration, name_zone, replace_declaration, require_page_of, save_draft
from duels.actions.ledger import letter_of
from duels.errors import Invalid, TooLate, Unplayable
from duels.forms.playing import (
    Declaration,
    DeclarationSheet,
    TextForm,
    costs_of,
    declaration_in,
    errors_in,
    fields_of,
    plain,
)
from duels.models import Duel
from duels.queries import turn as queries
from duels.queries.time_outs import deadline_of
from duels.queries.turn import Seated
from rules.core import Finding
from rules.words import MINIMUM, count_words

from . import corrections, spells
from .access import PlayersRequest, keeps_text, private
from .ending import draw, surrender
from .table import duel_with_phase, kept_draft, kept_text, page_said


@keeps_text
@private
@require_http_methods(["GET", "POST"])
def turn(request: PlayersRequest, pk: int) -> HttpResponse:
    """The turn to play; for the two who duel, each with their own secrets."""
    received_at = clock.received(request)
    if "phase" in request.POST:  # of a ruleset whose turns have several
        return spells.posted(request, pk, received_at)
    if request.POST.get("do") != "file":
        return _at_the_table(request, pk, received_at)
    try:
        return _file(request, pk, received_at)
    except (TooLate, Invalid, Unplayable, Duel.DoesNotExist) as refusal:
        return _at_the_table(request, pk, received_at, refusal)


def _at_the_table(
    request: PlayersRequest, pk: int, received_at: dt.datetime, refusal: Exception | None = None
) -> HttpResponse:
    """Show where the turn stands; `refusal` is what has just kept it from being filed."""
    duel = duel_with_phase(pk)
    letter = letter_of(duel, request.user)
    if duel.ruleset == "spells":
        return spells.at_the_stage(request, duel, letter, received_at)
    try:
        table = _table(duel, letter, received_at)
        if request.method == "POST":
            require_page_of(table.phase, **page_said(request), name=table.phase.name)
            return _play(request, table, refusal)
    except TooLate as late:
        return (
            kept_text(request, duel, late) if request.method == "POST" else _closed(request, duel, letter, received_at)
        )
    if table.menu.owes is not None:
        return redirect("duels:choice", pk)
    return _opening_page(request, table)


def _table(duel: Duel, letter: str, at: dt.datetime) -> Seated:
    """Sit down at the open turn. Raises TooLate."""
    phase = duel.phase
    if not duel.is_running or phase is None or not phase.is_open:
        raise TooLate(_("This turn is closed: read the thread to see where the duel stands."))
    if at > phase.due_at:
        raise TooLate(_("The deadline of this turn has passed: what you sent came too late to count."))
    return queries.seated(duel, phase, letter, at)


def _opening_page(request: HttpRequest, table: Seated) -> HttpResponse:
    """Open with the declaration filed, or with the draft."""
    if table.has_filed:
        last = queries.filings_of(table.duel, table.phase, table.letter)[-1]
        return _turn_page(request, table, Sent(None, queries.declared(table.duel, last)))
    draft, saved_at = queries.draft_of(table.phase, table.letter)
    form = TextForm(initial={"text": draft.get("text", "")})
    return _turn_page(request, table, Sent(form, draft.get("declaration", {})), saved_at=saved_at)


class Sent(NamedTuple):
    """What the form held. `form`: the text's; None when only the declaration is filed again."""

    form: TextForm | None
    declaration: Declaration
    findings: tuple[Finding, ...] = ()

    @property
    def is_fit(self) -> bool:
        return (self.form is None or self.form.is_valid()) and not errors_in(self.findings)


def _play(request: PlayersRequest, table: Seated, refusal: Exception | None) -> HttpResponse:
    """Go from the form to the recap, or back; or say what refused to be filed."""
    is_first = "text" in request.POST
    if is_first and table.has_filed:
        raise TooLate(_("Your text is published and cannot change; your declaration can be replaced."))
    declaration = declaration_in(request.POST)
    sent = Sent(TextForm(request.POST) if is_first else None, declaration, table.check(declaration))
    step = request.POST.get("do")
    if step == "change":
        form = TextForm(initial={"text": plain(request.POST["text"])}) if is_first else None
        return _turn_page(request, table, Sent(form, declaration))
    if not sent.is_fit:
        return _missing(request, sent) if step == "glance" else _turn_page(request, table, sent, status=422)
    if step == "file":
        return _not_filed(request, table, sent, refusal)
    return _recap(request, table, sent)


def _file(request: PlayersRequest, pk: int, received_at: dt.datetime) -> HttpResponse:
    """File what the recap showed; the actions check all of it under the duel's lock. Raises Refused."""
    declaration = declaration_in(request.POST)
    if "text" in request.POST:
        entry = file_declaration(
            user=request.user, duel_id=pk, **page_said(request), text=plain(request.POST["text"]),
            declaration=declaration, received_at=received_at,
        )  # fmt: skip
    else:
        entry = replace_declaration(
            user=request.user, duel_id=pk, **page_said(request), declaration=declaration, received_at=received_at
        )
    messages.success(request, _("Your declaration is filed and sealed."))
    moved_on = entry.duel.is_over or entry.duel.turn != entry.phase
    return redirect("duels:duel" if moved_on else "duels:turn", pk)


def _not_filed(request: PlayersRequest, table: Seated, sent: Sent, refusal: Exception | None) -> HttpResponse:
    """Show the form again, with what kept it from being filed."""
    if isinstance(refusal, TooLate):
        raise refusal
    if isinstance(refusal, Unplayable):
        return _turn_page(request, table, sent._replace(findings=refusal.findings), status=422)
    return _turn_page(request, table, sent, refusal=refusal, status=422)


def _turn_page(request: HttpRequest, table: Seated, sent: Sent, *, status: int = 200, **shown: Any) -> HttpResponse:
    duel, letter = table.duel, table.letter
    filings = queries.filings_of(duel, table.phase, letter) if table.has_filed else []
    context = {
        **_setting(table),
        "form": sent.form,
        "sheet": DeclarationSheet(table.menu, sent.declaration, sent.findings),
        "events": queries.last_events(duel, letter),
        "filings": filings,
        "filed": queries.declared(duel, filings[-1]) if filings else None,
        "unfiled": "" if filings else queries.unfiled_text(duel, letter, besides=table.phase),
        "minimum": MINIMUM,
        **shown,
    }
    return render(request, "duels/turn.html", context, status=status)


def _setting(table: Seated) -> dict[str, Any]:
    view = table.view
    return {
        "table": table,
        "duel": table.duel,
        "phase": table.phase,
        "view": view,
        "me_hand": table.duel.cast[table.letter]["wand_hand"],
        "foe_hand": table.duel.cast[table.foe]["wand_hand"],
        "timing": deadline_of(table.duel, table.at),
        "me": view["seats"][table.letter],
        "foe": view["seats"][table.foe],
    }


def _recap(request: HttpRequest, table: Seated, sent: Sent) -> HttpResponse:
    """Say what filing this will do, before it is filed; all of it travels in the body of the next request."""
    text = sent.form.cleaned_data["text"] if sent.form else ""
    context = {
        **_setting(table),
        "declaration": sent.declaration,
        "findings": sent.findings,
        "costs": costs_of(table.menu, sent.declaration),
        "fields": fields_of(sent.declaration),
        "text": text,
        "words": count_words(text),
        "html": markup.render(text),
        "is_first": sent.form is not None,
    }
    inline = request.POST.get("do") == "glance"
    return render(request, "duels/turn_recap_card.html" if inline else "duels/turn_recap.html", context)


def _missing(request: HttpRequest, sent: Sent) -> HttpResponse:
    """Answer the page's own script: what still keeps this from being filed."""
    return render(request, "duels/turn_missing.html", {"form": sent.form, "errors": errors_in(sent.findings)})


def _closed(request: HttpRequest, duel: Duel, letter: str, at: dt.datetime) -> HttpResponse:
    """Lead on from a turn that cannot be played: to what comes before it, after it, or what is awaited."""
    if duel.is_over:
        return redirect(duel)
    if not duel.is_running:
        return redirect("duels:preparation" if duel.status == Duel.Status.ANNOUNCED else "duels:challenge", duel.pk)
    phase = duel.current
    filings = queries.filings_of(duel, phase, letter)
    context = {
        "duel": duel,
        "phase": phase,
        "filings": filings,
        "filed": queries.declared(duel, filings[-1]) if filings else None,
        "unfiled": "" if filings else queries.unfiled_text(duel, letter),
        "timing": deadline_of(duel, at),
    }
    return render(request, "duels/turn_closed.html", context)


@private
@require_POST
def draft(request: PlayersRequest, pk: int) -> HttpResponse:
    """Keep what was typed for a turn, sealed."""
    received_at = clock.received(request)
    duel = duel_with_phase(pk)
    letter_of(duel, request.user)
    name = request.POST.get("phase", "turn")
    declaration = declaration_in(request.POST) if name == "turn" else spells.declaration_in(request.POST)
    typed = {"text": plain(request.POST.get("text", "")), "declaration": declaration}
    save = partial(
        save_draft, user=request.user, duel_id=pk, **page_said(request), draft=typed, at=received_at, name=name
    )
    return kept_draft(request, duel, save, back_to="duels:turn")


@private
@require_http_methods(["GET", "POST"])
def choice(request: PlayersRequest, pk: int) -> HttpResponse:
    """Name the zone that a decoy disables (A10.2); for whom the decoy was."""
    received_at = clock.received(request)
    duel = duel_with_phase(pk)
    letter = letter_of(duel, request.user)
    try:
        table = _table(duel, letter, received_at)
        if request.method == "POST":
            require_page_of(table.phase, **page_said(request), name=table.phase.name)
            return _name(request, table, received_at)
    except TooLate as refusal:
        if request.method == "POST":
            messages.error(request, str(refusal))
        return redirect("duels:turn", pk)
    return redirect("duels:turn", pk) if table.menu.owes is None else _choice_page(request, table)


def _name(request: PlayersRequest, table: Seated, received_at: dt.datetime) -> HttpResponse:
    """Ask whether they are sure of the zone, then name it."""
    zone = request.POST.get("zone", "")
    owes = table.menu.owes
    if owes is None:
        raise TooLate(_("You have no zone to name."))
    if zone not in {offered.value for offered in owes.choices}:
        return _choice_page(request, table, refusal=_("Choose one of the six zones of the opposing puppet."))
    if request.POST.get("sure") != "yes":
        return _choice_page(request, table, asked=zone)
    try:
        name_zone(user=request.user, duel_id=table.duel.pk, **page_said(request), zone=zone, received_at=received_at)
    except Invalid as refusal:
        return _choice_page(request, table, refusal=str(refusal))
    messages.success(request, _("The zone is named, and announced."))
    return redirect("duels:turn", table.duel.pk)


def _choice_page(request: HttpRequest, table: Seated, *, asked: str = "", refusal: str = "") -> HttpResponse:
    context = {**_setting(table), "asked": asked, "refusal": refusal}
    return render(request, "duels/choice.html", context, status=422 if refusal else 200)


urlpatterns: list[URLPattern] = [
    path("duels/<int:pk>/tour/", turn, name="turn"),
    path("duels/<int:pk>/tour/brouillon/", draft, name="draft"),
    path("duels/<int:pk>/tour/correction/", corrections.correction, name="correction"),
    path("duels/<int:pk>/tour/correction/brouillon/", corrections.correction_draft, name="correction_draft"),
    path("duels/<int:pk>/zone/", choice, name="choice"),
    path("duels/<int:pk>/abandon/", surrender, name="surrender"),
    path("duels/<int:pk>/nulle/", draw, name="draw"),
]
