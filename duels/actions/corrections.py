"""The right to correct (B6.4): the missing words, zone, target or bet of a post, within 30 minutes, once a duel."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from duels import secrets
from duels.errors import Invalid, TooLate, Unplayable
from duels.models import Duel, Entry, Phase, Post, Seat
from rules.words import MINIMUM

from .filing import add_filing, check_text, keep_draft, publish_filing, require_page_of, state_now
from .ledger import held, letter_of
from .turns import lock_if_complete, words_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def correct_filing(
    *, user: User, duel_id: int, turn: int, name: str, text: str, declaration: Any, received_at: dt.datetime,
    branch: int | None = None,
) -> Entry:  # fmt: skip
    """Publish what lacked in one's post of the open phase: `text` the words to add ("" where none lack), `declaration`
    the whole of it, completed. The post keeps its place in the order.

    Raises NotAllowed, TooLate (more than 30 minutes after it), Invalid, Unplayable.
    """
    with held(duel_id) as duel:
        letter = letter_of(duel, user)
        phase = _correctable(duel, letter, (turn, name, branch), received_at)
        check_correction(duel, phase, letter, text, declaration)
        phase.correctable = {seat: until for seat, until in phase.correctable.items() if seat != letter}
        Seat.objects.filter(duel=duel, letter=letter).update(corrected=True)
        entry = add_filing(duel, phase, letter, declaration, at=received_at, by=user, text=text)
        details = {"declaration": declaration}
        publish_filing(duel, phase, letter, entry, text, details, at=received_at, kind=Post.Kind.CORRECTION)
        lock_if_complete(duel, phase, at=received_at)
    return entry


def save_correction_draft(
    *, user: User, duel_id: int, turn: int, name: str, draft: dict[str, Any], at: dt.datetime, branch: int | None = None
) -> None:
    """Keep what a player has typed for a correction that they may still make, sealed.

    Raises NotAllowed, TooLate, Invalid (there is nothing to correct).
    """
    duel = Duel.objects.select_related("phase").get(pk=duel_id)
    letter = letter_of(duel, user)
    keep_draft(duel, _correctable(duel, letter, (turn, name, branch), at), letter, draft, at=at)


def correctable_until(phase: Phase, letter: str) -> dt.datetime | None:
    """Return until when that seat may correct its post of the open phase, or None if it may not."""
    until = phase.correctable.get(letter) if phase.is_open else None
    return dt.datetime.fromisoformat(until) if until else None


def _correctable(duel: Duel, letter: str, page: tuple[int, str, int | None], received_at: dt.datetime) -> Phase:
    """Return the phase if the seat's post in it can be corrected at that instant, its deadline past or not."""
    phase = duel.phase
    if not duel.is_running or phase is None or not phase.is_open:
        raise TooLate(_("This turn is closed: read the thread to see where the duel stands."))
    require_page_of(phase, *page)
    until = correctable_until(phase, letter)
    if until is None:
        raise Invalid(_("You have no post that can be corrected (B6.4)."))
    if received_at > until:
        raise TooLate(_("A post can be corrected for 30 minutes: what you sent came too late to count (B6.4)."))
    return phase


def check_correction(duel: Duel, phase: Phase, letter: str, text: str, declaration: Any) -> None:
    """Raise Invalid or Unplayable unless this completes what that seat has filed, and changes nothing else (B6.4)."""
    before = last_filing(duel, phase, letter)
    if not duel.rules.completes(state_now(duel, phase), before, declaration):
        raise Invalid(_("A correction adds a missing zone, target or bet; it changes nothing else (B6.4)."))
    words = words_of(phase, letter)
    if duel.rules.needs_text(declaration) and words < MINIMUM:
        check_text(text, rule=duel.rules.text_rule, before=words)
    elif text.strip():
        raise Invalid(_("Your text is long enough: a correction adds nothing to it (B6.4)."), "text")
    findings = duel.rules.check(state_now(duel, phase), letter, declaration)
    if errors := [finding for finding in findings if finding.level == "error"]:
        raise Unplayable(_("This still lacks something."), errors)


def last_filing(duel: Duel, phase: Phase, letter: str) -> Any:
    """Return what that seat has filed last in the phase. Only for its own eyes, until the phase is locked."""
    filed = [entry for entry in phase.log if entry.kind == "filing" and entry.seat == letter]
    return secrets.opened(filed[-1], duel.uid).content
