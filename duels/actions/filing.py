"""What a player files in a phase: text and declaration together, a new declaration, a zone for a decoy, a draft."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from duels import secrets
from duels.errors import Invalid, NotAllowed, TooLate, Unplayable
from duels.markup import digest
from duels.models import Draft, Duel, Entry, Phase, Post, Seat
from rules import record
from rules.core import Finding, State
from rules.hours import AFTER_A_CHOICE, TO_CORRECT
from rules.words import MINIMUM, count_words

from . import legilimens, stops
from .ledger import append, held, letter_of, named, open_phase, post, tell
from .time_outs import lapse
from .turns import lock_if_complete

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SHORT = "short_post"  # the one flaw of a text; those of a declaration are named by the rules
LONGEST = 50_000  # characters of a text


def file_declaration(
    *,
    user: User,
    duel_id: int,
    turn: int,
    text: str,
    declaration: Any,
    received_at: dt.datetime,
    name: str = "turn",
    branch: int | None = None,
    as_it_is: bool = False,
) -> Entry:
    """Publish the RP text and file the declaration with it (A5, A6, B2.6); the phase locks once everyone has filed.

    `name` is the phase's own ("turn"; "action", "defence"), `branch` is that in which the page knew it: a
    turn is opened anew when one before it is corrected. `as_it_is`: publish it even with what may be corrected
    (B6.4); it holds the phase open for 30 minutes, in which `corrections.correct_filing` adds what lacks.
    Raises NotAllowed, TooLate, Invalid (the text), Unplayable (the declaration); `correctable` says of the last two
    whether it could be published as it is.
    """
    with held(duel_id) as duel:
        letter, phase = letter_and_phase(duel, user, (turn, name, branch), received_at)
        if letter in phase.filed:
            raise Invalid(_already_filed(duel))
        if letter not in duel.awaited:
            raise Invalid(_("Nothing is asked of you in this phase."))
        legilimens.require_turn_to_file(duel, phase, letter, declaration, at=received_at)
        flaws = _flaws(duel, phase, letter, text, declaration, received_at, as_it_is=as_it_is)
        fault = SHORT if SHORT in flaws else None
        entry = add_filing(duel, phase, letter, declaration, at=received_at, by=user, text=text, fault=fault)
        details = _open_details(duel, declaration) | _hold_for_correction(duel, phase, letter, flaws, at=received_at)
        publish_filing(duel, phase, letter, entry, text, details, at=received_at)
        lock_if_complete(duel, phase, at=received_at)
    return entry


def _open_details(duel: Duel, declaration: Any) -> dict[str, Any]:
    return {"declaration": declaration} if duel.rules.in_the_open else {}


def _already_filed(duel: Duel) -> object:
    if duel.rules.in_the_open:
        return _("You have posted already in this phase: a post cannot be changed.")
    return _("Your text is published and cannot change; your declaration can be replaced.")


def _flaws(
    duel: Duel, phase: Phase, letter: str, text: str, declaration: Any, at: dt.datetime, *, as_it_is: bool
) -> list[str]:
    """Return what lacks in a post that is published as it is; nothing, if it is in order. Raises Invalid, Unplayable.

    Of a text and a declaration that are both refused, the text is named first.
    """
    short = _refusal_of_text(duel, text, declaration)
    errors = _errors(duel, phase, letter, declaration, at)
    refusal = short or (Unplayable(_("This declaration cannot be filed as it is."), errors) if errors else None)
    if refusal is None:
        return []
    has_right = bool(duel.rules.correctable and text.strip()) and len(text) <= LONGEST
    refusal.correctable = has_right and all(error.code in duel.rules.correctable for error in errors)
    if not (as_it_is and refusal.correctable):
        raise refusal
    return [SHORT] * (short is not None) + [error.code for error in errors]


def _refusal_of_text(duel: Duel, text: str, declaration: Any) -> Invalid | None:
    if not duel.rules.needs_text(declaration):
        return None
    try:
        check_text(text, rule=duel.rules.text_rule)
    except Invalid as refusal:
        return refusal
    return None


def _hold_for_correction(duel: Duel, phase: Phase, letter: str, flaws: list[str], *, at: dt.datetime) -> dict[str, Any]:
    """Open the right to correct of a post that is not in order, unless it is used up; return what its post says."""
    if not flaws:
        return {}
    if Seat.objects.filter(duel=duel, letter=letter, corrected=True).exists():
        return {"flaws": flaws}
    until = (at + TO_CORRECT).isoformat()
    phase.correctable = {**phase.correctable, letter: until}
    return {"flaws": flaws, "correctable_until": until}


def publish_filing(
    duel: Duel, phase: Phase, letter: str, entry: Entry, text: str, details: dict[str, Any], *, at: dt.datetime,
    kind: Post.Kind = Post.Kind.RP,
) -> None:  # fmt: skip
    """Show in the thread what was filed: its text and receipt, and where it is in the open, what it declares (B2.6).

    A post that a Legilimens sees first is sealed instead; theirs brings with it those that waited for it (B7.1).
    """
    details = {"receipt": entry.receipt, "version": entry.version, **named(phase), **details}
    page = legilimens.Page(letter, entry.index, kind.value, text, details)
    if legilimens.is_sealed(phase, letter):
        legilimens.seal(duel, phase, page, at=at)
        legilimens.release(duel, phase, at=at)
    else:
        legilimens.release(duel, phase, at=at, along_with=page)


def replace_declaration(
    *, user: User, duel_id: int, turn: int, declaration: Any, received_at: dt.datetime, name: str = "turn",
    branch: int | None = None,
) -> Entry:  # fmt: skip
    """File another declaration instead of one's last, while the turn is open (A6.3).

    Raises NotAllowed, TooLate, Invalid (nothing filed yet, or what was filed is in the open), Unplayable.
    """
    with held(duel_id) as duel:
        letter, phase = letter_and_phase(duel, user, (turn, name, branch), received_at)
        if letter not in phase.filed:
            raise Invalid(_("There is no declaration of yours to replace yet."))
        if duel.rules.in_the_open:
            raise Invalid(_already_filed(duel))
        if errors := _errors(duel, phase, letter, declaration, received_at):
            raise Unplayable(_("This declaration cannot be filed as it is."), errors)
        entry = add_filing(duel, phase, letter, declaration, at=received_at, by=user)
        details = {"receipt": entry.receipt, "version": entry.version}
        post(duel, Post.Kind.REPLACEMENT, at=received_at, turn=turn, seat=letter, entry=entry, details=details)
        lock_if_complete(duel, phase, at=received_at)
    return entry


def name_zone(
    *, user: User, duel_id: int, turn: int, zone: str, received_at: dt.datetime, branch: int | None = None
) -> Entry:
    """Name the zone that a decoy disables; announced at once, and the opponent may file again for 12 hours (A10.2d)."""
    with held(duel_id) as duel:
        letter, phase = letter_and_phase(duel, user, (turn, "turn", branch), received_at)
        menu = duel.rules.awaits(state_now(duel, phase), letter)
        if menu.owes is None or not may_choose(phase, received_at):
            raise Invalid(_("You have no zone to name."))
        if zone not in {choice.value for choice in menu.owes.choices}:
            raise Invalid(_("Choose one of the six zones of the opposing puppet."), "zone")
        phase.choices = {**phase.choices, letter: zone}
        again_until = received_at + AFTER_A_CHOICE
        phase.due_at = max(phase.due_at, again_until)
        phase.holds_until = again_until
        duel.owing = duel.owing.replace(letter, "")
        duel.due_at = phase.due_at
        duel.public_view = duel.rules.view(state_now(duel, phase), "public")
        public = {"zone": zone, "due_at": record.stamp(phase.due_at)}
        entry = append(duel, "choice", at=received_at, phase=phase, seat=letter, public=public, by=user)
        post(duel, Post.Kind.CHOICE, at=received_at, turn=turn, seat=letter, details={"zone": zone})
        tell(duel, "zone_named", at=received_at, turn=turn, seat=letter)
    return entry


def may_choose(phase: Phase, at: dt.datetime) -> bool:
    """Say whether an owed choice may still be named: 24 hours from the published resolution (A10.2)."""
    return phase.choice_until is not None and at <= phase.choice_until


def state_now(duel: Duel, phase: Phase) -> State:
    """Return the state of the open phase, the zones already named for decoys in force."""
    state = secrets.state(duel)
    for letter, zone in sorted(phase.choices.items()):
        state = duel.rules.choose(state, letter, zone).state
    return state


def check_text(text: str, *, rule: str = "A6.2", before: int = 0) -> None:
    """Raise Invalid unless the text can be published, `before` being the words published already (`rule`)."""
    if len(text) > LONGEST:
        raise Invalid(_("This text is too long: 50,000 characters at most."), "text")
    missing = MINIMUM - before - count_words(text)
    if missing > 0:
        message = ngettext(
            "%(missing)d more word is needed: a publication has %(minimum)d words at least (%(rule)s).",
            "%(missing)d more words are needed: a publication has %(minimum)d words at least (%(rule)s).",
            missing,
        )
        raise Invalid(message % {"missing": missing, "minimum": MINIMUM, "rule": rule}, "text")


def letter_and_phase(
    duel: Duel, user: User, page: tuple[int, str, int | None], received_at: dt.datetime
) -> tuple[str, Phase]:
    """Return the user's seat and the open phase of a duel that is held, if it is the one that their page was for.

    Raises NotAllowed, TooLate.
    """
    letter = letter_of(duel, user)
    stops.lapse_if_past(duel, at=received_at)
    phase = open_phase(duel, received_at=received_at)
    require_page_of(phase, *page)
    return letter, phase


def require_page_of(phase: Phase, turn: int, name: str, branch: int | None) -> None:
    """Raise TooLate unless a page made for a phase was made for this one, in its branch where the page says which."""
    if (phase.number, phase.name) != (turn, name):
        raise TooLate(_("This page was for an earlier turn: open the current one."))
    if branch is not None and phase.branch != branch:
        raise TooLate(_("A turn before this one was corrected since you opened this page: this one is played anew."))


def _errors(duel: Duel, phase: Phase, letter: str, declaration: Any, received_at: dt.datetime) -> list[Finding]:
    """Return what the rules refuse in a declaration. Raises Invalid while a zone is to be named first (A10.2)."""
    state = state_now(duel, phase)
    if duel.rules.awaits(state, letter).owes is not None:
        if may_choose(phase, received_at):
            raise Invalid(_("Your decoy was hit: first name the zone that it disables (A10.2)."))
        state = duel.rules.choose(state, letter, None).state
    return [finding for finding in duel.rules.check(state, letter, declaration) if finding.level == "error"]


def add_filing(
    duel: Duel, phase: Phase, letter: str, declaration: Any, *, at: dt.datetime, by: User, text: str = "",
    fault: str | None = None,
) -> Entry:  # fmt: skip
    """Enter the next version of what a seat files; its `fault` counts unless a later version is without (B6.4)."""
    version = phase.filed.get(letter, 0) + 1
    phase.filed = {**phase.filed, letter: version}
    duel.awaited = duel.awaited.replace(letter, "")
    public: dict[str, Any] = {"text_sha256": digest(text), "words": count_words(text)} if text else {}
    if fault:
        public["fault"] = fault
    entry = append(
        duel, "filing", at=at, phase=phase, seat=letter, version=version,
        public=public, content=declaration, by=by,
    )  # fmt: skip
    if phase.holds_until and all(_has_answered(phase, chooser) for chooser in phase.choices):
        phase.holds_until = None
    if phase.pleas:
        lapse(duel, at=at, letter=letter)  # who files needs no more time (A7)
    tell(duel, "filed", at=at, turn=phase.number, phase=phase.name, seat=letter)
    return entry


def _has_answered(phase: Phase, chooser: str) -> bool:
    """Say whether the opponent has filed since that seat named a zone for its decoy (A10.2d)."""
    named_at = next(entry.index for entry in phase.log if entry.kind == "choice" and entry.seat == chooser)
    return any(entry.kind == "filing" and entry.seat != chooser and entry.index > named_at for entry in phase.log)


def save_draft(
    *,
    user: User,
    duel_id: int,
    turn: int,
    draft: dict[str, Any],
    at: dt.datetime,
    name: str = "turn",
    branch: int | None = None,
) -> None:
    """Keep what a player has typed for a phase that is open, sealed. Raises NotAllowed, TooLate, Invalid."""
    duel = Duel.objects.select_related("phase").get(pk=duel_id)
    letter = letter_of(duel, user)
    phase = open_phase(duel, received_at=at, although_stopped=True)
    require_page_of(phase, turn, name, branch)
    if letter in phase.filed:
        raise Invalid(_("Your text is published: there is no draft to keep."))
    keep_draft(duel, phase, letter, draft, at=at)


def keep_draft(duel: Duel, phase: Phase, letter: str, draft: dict[str, Any], *, at: dt.datetime) -> None:
    """Keep, sealed, what a seat has typed, instead of what it had typed before. Raises NotAllowed if it is too long."""
    if len(str(draft)) > 2 * LONGEST:
        raise NotAllowed(_("This draft is too long to be kept."))
    seat = duel.seats.get(letter=letter)
    Draft.objects.update_or_create(
        seat=seat,
        phase=phase,
        defaults={"sealed": secrets.seal_draft(seat.pk, phase.pk, draft), "saved_at": at},
    )
