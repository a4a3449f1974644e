"""A turn that is taken up again because an appeal was granted: what its referee owes before it is published anew."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from duels import secrets
from duels.errors import Invalid
from duels.models import Appeal, Duel, Entry, Phase, Post
from rules import record

from .ledger import post


def standing_rulings(phase: Phase) -> list[Entry]:
    """Return the rulings of a phase that nobody took back, in their order."""
    return _standing(phase.log)


def _standing(entries: Iterable[Entry]) -> list[Entry]:
    rulings = [entry for entry in entries if entry.kind == "ruling"]
    nothing_sealed = ""  # in a ruling, so that it is opened without the duel's key
    in_force = record.in_force([secrets.opened(entry, nothing_sealed) for entry in rulings])
    indices = {entry.index for entry in in_force}
    return [entry for entry in rulings if entry.index in indices]


def rulings_to_tell(phase: Phase) -> list[Entry]:
    """Return the rulings of a phase that its thread tells: those in force, and those that were as it was published
    before, each with what took it back since. What came and went between is for the record alone."""
    published = [entry.index for entry in phase.log if entry.kind == "publication"]
    told = {entry.index for entry in standing_rulings(phase)}
    for index in published:
        told |= {entry.index for entry in _standing(one for one in phase.log if one.index < index)}
    rulings = [entry for entry in phase.log if entry.kind == "ruling"]
    return [entry for entry in rulings if entry.public.get("withdraws", entry.index) in told]


def granting(phase: Phase) -> Entry | None:
    """Return the answer for which a phase was taken up again, while it is not published since."""
    told = [entry for entry in phase.log if entry.kind in ("appeal_answer", "publication")]
    last = told[-1] if told else None
    is_granted = last is not None and last.public.get("answer") == Appeal.Answer.GRANTED
    return last if is_granted else None


def granted_in(phase: Phase) -> dict[str, str]:
    """Return what a post says of it: whose appeal was granted; nothing where none was."""
    answer = granting(phase)
    return {"granted": answer.seat} if answer else {}


def owes_decision(phase: Phase) -> bool:
    """Say whether an appeal was granted and its turn stands as it did: nothing was ruled, nor noted in words, since."""
    answer = granting(phase)
    if answer is None:
        return False
    before = _standing(entry for entry in phase.log if entry.index < answer.index)
    return before == standing_rulings(phase)


def require_decision(phase: Phase) -> None:
    """Raise Invalid while a phase owes its decision: an appeal that was granted does not come to nothing."""
    if owes_decision(phase):
        raise Invalid(_("An appeal against this turn was granted: amend it, or note in words what was decided, first."))


def post_unread(duel: Duel, note: str, *, at: dt.datetime) -> None:
    """Say in the thread of a duel that is held that the clock publishes its turn, which nobody has read; and that an
    appeal was granted, where nobody has done what it asks for either: it can be contested anew, unless the wall of a
    round ends the duel at once."""
    details = {"note": note, **(granted_in(duel.current) if owes_decision(duel.current) else {})}
    post(duel, Post.Kind.NOTE, at=at, turn=duel.turn, details=details)
