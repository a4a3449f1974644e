"""Where a duellist sits in a turn: what they may know, may file and have filed. Nothing here is for anybody else."""

from __future__ import annotations

import datetime as dt
from typing import Any, NamedTuple, cast

from duels import secrets
from duels.actions.filing import may_choose, state_now
from duels.models import Draft, Duel, Entry, Phase
from rules.core import Audience, Finding, Menu, State


class Seated(NamedTuple):
    """An open turn as the seat `letter` may see it at an instant."""

    duel: Duel
    phase: Phase
    letter: str
    state: State
    menu: Menu
    at: dt.datetime

    @property
    def foe(self) -> str:
        return next(letter for letter in self.duel.rules.seats if letter != self.letter)

    @property
    def foe_name(self) -> str:
        return self.duel.name_of(self.foe)

    @property
    def name(self) -> str:
        return self.duel.name_of(self.letter)

    @property
    def has_filed(self) -> bool:
        return self.letter in self.phase.filed

    @property
    def foe_has_filed(self) -> bool:
        return self.foe in self.phase.filed

    @property
    def view(self) -> dict[str, Any]:
        return self.duel.rules.view(self.state, cast(Audience, self.letter))

    def check(self, declaration: dict[str, Any]) -> tuple[Finding, ...]:
        return self.duel.rules.check(self.state, self.letter, declaration)


def seated(duel: Duel, phase: Phase, letter: str, at: dt.datetime) -> Seated:
    """Return the open turn as that seat sees it; a choice no longer possible counts as forfeited (A10.2)."""
    state = state_now(duel, phase)
    menu = duel.rules.awaits(state, letter)
    if menu.owes is not None and not may_choose(phase, at):
        state = duel.rules.choose(state, letter, None).state
        menu = duel.rules.awaits(state, letter)
    return Seated(duel, phase, letter, state, menu, at)


def last_events(duel: Duel, letter: str) -> list[dict[str, Any]]:
    """Return the events of the last published turn, as that seat may read them."""
    before = Phase.objects.filter(duel=duel, status=Phase.Status.PUBLISHED)
    last = before.select_related("live").order_by("number", "pk").last()
    if last is None:
        return []
    _state, events = secrets.open_resolution(duel, last, last.resolution)
    told: list[dict[str, Any]] = secrets.plain(duel, duel.rules.redact(events, cast(Audience, letter)))
    return told


def filings_of(duel: Duel, phase: Phase, letter: str) -> list[Entry]:
    """Return what that seat has filed in the turn, version by version, each with its post."""
    entries = duel.entries.filter(phase_row=phase, kind="filing", seat=letter)
    return list(entries.prefetch_related("posts").order_by("version"))


def declared(duel: Duel, entry: Entry) -> dict[str, Any]:
    """Return the declaration of one's own entry, opened."""
    content: dict[str, Any] = secrets.opened(entry, duel.uid).content
    return content


def draft_of(phase: Phase, letter: str) -> tuple[dict[str, Any], dt.datetime | None]:
    """Return what that seat has typed and not filed in the turn (empty: nothing), and when it was kept."""
    draft = Draft.objects.filter(phase=phase, seat__letter=letter, seat__duel=phase.duel_id).first()
    return (secrets.open_draft(draft), draft.saved_at) if draft else ({}, None)


def unfiled_text(duel: Duel, letter: str, *, besides: Phase | None = None) -> str:
    """Return the text that a seat has typed and never filed, the latest, `besides` what is for a phase still open."""
    drafts = Draft.objects.filter(seat__duel=duel, seat__letter=letter)
    latest = (drafts.exclude(phase=besides) if besides else drafts).order_by("phase").last()
    return str(secrets.open_draft(latest).get("text", "")) if latest else ""
