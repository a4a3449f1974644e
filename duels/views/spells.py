"""The phases of a spell duel: action and defence, from the draft to the recap."""

from __future__ import annotations

import datetime as dt
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from duels import clock, markup
from duels.actions import legilimens
from duels.actions.corrections import correctable_until
from duels.actions.filing import SHORT, file_declaration, require_page_of
from duels.actions.ledger import letter_of
from duels.errors import Invalid, TooLate, Unplayable
from duels.forms.playing import plain
from duels.forms.spells import (
    Declaration,
    Sheet,
    SpellTextForm,
    costs_of,
    declaration_in,
    fields_of,
)
from duels.models import Duel, Phase
from duels.queries import turn as queries
from duels.queries.books import spells_of, types_of
from duels.queries.legilimens import sealed_pages
from duels.queries.spells import has_corrected, posts_of_phase
from duels.queries.time_outs import deadline_of
from duels.queries.turn import Seated
from rules.core import Finding
from rules.record import WHOLE_TURN
from rules.spells.terms import FAULTS_SANCTIONED, sanction
from rules.words import MINIMUM, count_words

from .access import PlayersRequest
from .table import duel_with_phase, kept_text, page_said

__all__ = ["at_the_stage", "declaration_in", "posted"]


class Sent(NamedTuple):
    """What the form held. `as_it_is`: it may be published with what it lacks, to be corrected (B6.4)."""

    form: SpellTextForm
    declaration: Declaration
    findings: tuple[Finding, ...] = ()

    @property
    def is_fit(self) -> bool:
        return self.form.is_valid() and all(finding.level != "error" for finding in self.findings)

    @property
    def flaws(self) -> list[str]:
        """What is wrong with it, by code, as its post will say."""
        codes = [finding.code for finding in self.findings if finding.level == "error"]
        return [SHORT] * (not self.form.is_valid()) + codes

    def may_go_as_it_is(self, table: Seated) -> bool:
        """Whether something is wrong with it, and nothing but what may be corrected (B6.4)."""
        return self.form.may_be_short and bool(self.flaws) and {*self.flaws} <= {SHORT, *table.duel.rules.correctable}


def posted(request: PlayersRequest, pk: int, received_at: dt.datetime) -> HttpResponse:
    """Answer what was sent from the page of a phase."""
    if request.POST.get("do") not in ("file", "as_it_is"):
        return _answer(request, pk, received_at)
    try:
        return _file(request, pk, received_at)
    except (TooLate, Invalid, Unplayable, Duel.DoesNotExist) as refusal:
        return _answer(request, pk, received_at, refusal)


def _answer(
    request: PlayersRequest, pk: int, received_at: dt.datetime, refusal: Exception | None = None
) -> HttpResponse:
    duel = duel_with_phase(pk)
    letter = letter_of(duel, request.user)
    try:
        return _play(request, _table(request, duel, letter, received_at), refusal)
    except TooLate as late:
        return kept_text(request, duel, late)


def at_the_stage(request: PlayersRequest, duel: Duel, letter: str, at: dt.datetime) -> HttpResponse:
    """Open with the form and the draft, with what was posted, or lead on from a phase that cannot be played."""
    phase = duel.phase
    if not duel.is_running or phase is None:
        return redirect(duel if duel.announced_at else "duels:challenge", *([] if duel.announced_at else [duel.pk]))
    if not phase.is_open or at > phase.due_at or letter not in duel.awaited:
        return _waiting_page(request, duel, phase, letter)
    table = queries.seated(duel, phase, letter, at)
    if waiting := legilimens.waits_for(phase, letter, at=at):
        return _waiting_page(request, duel, phase, letter, [duel.name_of(seat) for seat in waiting])
    draft, saved_at = queries.draft_of(phase, letter)
    form = SpellTextForm(initial={"text": draft.get("text", "")})
    return _page(request, table, Sent(form, _drafted(draft, phase)), saved_at=saved_at)


def _drafted(draft: dict[str, Any], phase: Phase) -> Declaration:
    declaration: Declaration = draft.get("declaration") or ({"steps": []} if phase.name == "action" else {"do": ""})
    return declaration


def _table(request: PlayersRequest, duel: Duel, letter: str, at: dt.datetime) -> Seated:
    """Sit down at the open phase that the page was made for. Raises TooLate."""
    phase = duel.phase
    if not duel.is_running or phase is None or not phase.is_open:
        raise TooLate(_("This turn is closed: read the thread to see where the duel stands."))
    if at > phase.due_at:
        raise TooLate(_("The deadline of this turn has passed: what you sent came too late to count."))
    if phase.name == WHOLE_TURN:
        raise TooLate(_("This page was for an earlier turn: open the current one."))
    require_page_of(phase, **page_said(request), name=request.POST.get("phase", ""))
    if letter not in duel.awaited:
        raise TooLate(_("You have posted already in this phase: a post cannot be changed."))
    return queries.seated(duel, phase, letter, at)


def _file(request: PlayersRequest, pk: int, received_at: dt.datetime) -> HttpResponse:
    """Publish what the recap showed; the actions check all of it under the duel's lock. Raises Refused."""
    entry = file_declaration(
        user=request.user, duel_id=pk, **page_said(request), name=request.POST["phase"],
        text=plain(request.POST.get("text", "")), declaration=declaration_in(request.POST), received_at=received_at,
        as_it_is=request.POST["do"] == "as_it_is",
    )  # fmt: skip
    phase = entry.duel.phase
    if phase is not None and correctable_until(phase, entry.seat):
        messages.warning(request, _("Your post is published as it is: you have 30 minutes to add what it lacks."))
        return redirect("duels:correction", pk)
    sealed = phase is not None and phase.pk == entry.phase_row_id and legilimens.is_sealed(phase, entry.seat)
    messages.success(request, _("Your post is sealed.") if sealed else _("Your post is published."))
    return redirect("duels:duel", pk)


def _play(request: PlayersRequest, table: Seated, refusal: Exception | None) -> HttpResponse:
    """Go from the form to the recap, or back; or say what refused to be published."""
    if isinstance(refusal, TooLate):
        raise refusal
    declaration = declaration_in(request.POST)
    needed = table.duel.rules.needs_text(declaration)
    form = SpellTextForm(request.POST, is_needed=needed)
    if request.POST.get("do") == "change":
        form = SpellTextForm(initial={"text": plain(request.POST.get("text", ""))})
        return _page(request, table, Sent(form, declaration))
    sent = Sent(form, declaration, table.check(declaration))
    if isinstance(refusal, Unplayable):
        sent, refusal = sent._replace(findings=refusal.findings), None
    elif isinstance(refusal, Invalid) and refusal.correctable:
        refusal = None  # the form says the same
    refusal = refusal or _refused_order(table, declaration)
    if refusal is None and sent.is_fit:
        return _recap(request, table, sent)
    may_go = refusal is None and sent.may_go_as_it_is(table)
    if may_go and request.POST.get("do") == "recap_as_it_is":
        return _recap(request, table, sent, flaws=sent.flaws, **_fault(table))
    return _page(request, table, sent, refusal=refusal, as_it_is=may_go, status=422)


def _fault(table: Seated) -> dict[str, Any]:
    """What an action fault would cost besides the post: fatigue (B6.3), and one's own spells under way (B6.2)."""
    me = table.view["seats"][table.letter]
    is_sanctioned = me["action_faults"] + 1 >= FAULTS_SANCTIONED
    lost = [spell["spell"] for spell in table.view["under_way"] if spell["caster"] == table.letter]
    return {"fine": sanction(me["level"]) if is_sanctioned else 0, "lost": lost}


def _refused_order(table: Seated, declaration: Declaration) -> Invalid | None:
    """What a Legilimens has forgotten to say, before or after, or cannot say (B7.1)."""
    try:
        legilimens.require_turn_to_file(table.duel, table.phase, table.letter, declaration, at=table.at)
    except Invalid as refusal:
        return refusal
    return None


def _page(request: PlayersRequest, table: Seated, sent: Sent, *, status: int = 200, **shown: Any) -> HttpResponse:
    sheet = Sheet(table.menu, spells_of(_book(table.duel)), sent.declaration, sent.findings)
    context = {
        **_setting(request, table),
        "form": sent.form,
        "sheet": sheet,
        "groups": _groups(table, sheet),
        "refused_spells": [spell for spell in sheet.spells if spell.choice.refused is not None],
        "events": queries.last_events(table.duel, table.letter),
        "unfiled": queries.unfiled_text(table.duel, table.letter, besides=table.phase),
        "minimum": MINIMUM,
        **shown,
    }
    return render(request, "duels/spells/turn.html", context, status=status)


def _book(duel: Duel) -> int:
    if duel.book_id is None:
        raise LookupError(f"spell duel {duel.pk} has no book")
    return duel.book_id


def _groups(table: Seated, sheet: Sheet) -> list[tuple[str, list[Any], bool]]:
    """The spells on offer by type of magic, one's own types first: the type, its spells, whether it stands open."""
    own = table.view["seats"][table.letter]["types"]
    offered = [spell for spell in sheet.spells if spell.choice.refused is None]
    codes = sorted(types_of(_book(table.duel)), key=lambda code: code not in own)
    groups = [(code, [spell for spell in offered if spell.spell["type"] == code]) for code in codes]
    shown = [(code, spells) for code, spells in groups if spells]
    return [
        (code, spells, code in own or len(shown) == 1 or any(spell.selected for spell in spells))
        for code, spells in shown
    ]


def _setting(request: PlayersRequest, table: Seated) -> dict[str, Any]:
    duel, phase, view = table.duel, table.phase, table.view
    return {
        "table": table,
        "duel": duel,
        "phase": phase,
        "view": view,
        "me": view["seats"][table.letter],
        "has_corrected": has_corrected(phase, table.letter),
        "posts": posts_of_phase(phase),
        "pages": sealed_pages(duel, phase, request.user),
        "seers": [duel.name_of(seat) for seat in legilimens.seers_of(phase, table.letter)],
        "coming": _coming(table),
        "is_first_turn": phase.number == 1,
        "timing": deadline_of(duel, table.at),
    }


def _recap(request: PlayersRequest, table: Seated, sent: Sent, **shown: Any) -> HttpResponse:
    """Say what publishing this will do, before it is done; all of it travels in the body of the next request."""
    text = plain(request.POST.get("text", ""))
    context = {
        **_setting(request, table),
        "declaration": sent.declaration,
        "findings": [finding for finding in sent.findings if finding.level != "error"],
        "costs": costs_of(table.menu, sent.declaration),
        "fields": list(fields_of(sent.declaration, table.phase.name)),
        "text": text,
        "words": count_words(text),
        "html": markup.render(text),
        "hits": _left_to_hit(table, sent.declaration),
        **shown,
    }
    return render(request, "duels/spells/recap.html", context)


def _left_to_hit(table: Seated, declaration: Declaration) -> list[dict[str, Any]]:
    """The spells under way that an answer of the defence phase lets land: the dodge is of the first alone (B4.2.1)."""
    coming = _coming(table)
    return {"nothing": coming, "dodge": coming[1:]}.get(declaration.get("do", ""), [])


def _coming(table: Seated) -> list[dict[str, Any]]:
    return [spell for spell in table.view["under_way"] if spell["target"] == table.letter]


def _waiting_page(
    request: PlayersRequest, duel: Duel, phase: Phase, letter: str, waits_for: list[str] | None = None
) -> HttpResponse:
    """Say who is awaited, and until when; lead to the correction of one's post, if it can be made."""
    context = {
        "duel": duel,
        "phase": phase,
        "posts": posts_of_phase(phase),
        "pages": sealed_pages(duel, phase, request.user),
        "correctable_until": correctable_until(phase, letter),
        "waits_for": waits_for,
        "has_posted": letter in phase.filed,
        "may_still_correct": {
            duel.name_of(seat): until for seat, until in sorted(phase.correctable.items()) if seat != letter
        },
        "timing": deadline_of(duel, clock.now()),
        "is_called": letter in duel.awaited,
    }
    return render(request, "duels/spells/waiting.html", context)
