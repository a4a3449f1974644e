"""What the pages that anyone reads need to say of a duel."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django import template
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from duels.checks import Step, Tally, Turn, first_failing
from duels.export import Opening
from duels.models import Duel
from duels.sentences import dice, names, proof, rulings
from rules.record import Entry
from rules.verify import Die, Failure, Report

register = template.Library()


@register.filter
def awaited_names(duel: Duel) -> str:
    """The names of those who have yet to file."""
    return names.enumeration([duel.name_of(letter) for letter in duel.awaited]) if duel.awaited else ""


@register.filter
def asking_to_start(duel: Duel) -> str:
    """The names of those who ask to start at once (A4.1b)."""
    return names.enumeration([duel.name_of(seat.letter) for seat in duel.seats.all() if seat.wants_start])


@register.filter
def name_of(cast: Mapping[str, Any], letter: str) -> str:
    """The name of a seat: `{{ duel.cast|name_of:post.seat }}`."""
    return str(cast[letter]["name"])


@register.filter
def rivals(cast: Mapping[str, Any], user_id: int | None) -> str:
    """The names of those against whom a user plays; of everybody, for one who does not play."""
    others = [player["name"] for player in cast.values() if player["user"] != user_id]
    return names.enumeration(others)


class Stance(NamedTuple):
    """What a seat declared in a turn: None where nothing counted."""

    letter: str
    name: str
    thrust: str | None
    parry: str | None


@register.filter
def stances(view: Mapping[str, Any], cast: Mapping[str, Any]) -> list[Stance]:
    """The thrust and the parry of each, from the public view that a turn left."""
    seats = view["seats"]
    return [
        Stance(letter, cast[letter]["name"], seats[letter]["last_thrust"], seats[letter]["last_parry"])
        for letter in sorted(seats)
    ]


@register.filter
def short(digest: str) -> str:
    """The beginning of a receipt or hash, enough to recognise it."""
    return f"{digest[:12]}…"


@register.filter
def words(number: int) -> str:
    """The number of words of a text."""
    return ngettext("%(number)d word", "%(number)d words", number) % {"number": number}


@register.filter
def hours(number: int) -> str:
    """A number of hours: "48 hours"."""
    return ngettext("%(number)d hour", "%(number)d hours", number) % {"number": number}


@register.filter
def lasting(minutes: int) -> str:
    """How long so many minutes are: "5 hours, 20 minutes"."""
    return timesince(_EPOCH, _EPOCH + dt.timedelta(minutes=minutes))


@register.filter
def enumerated(listed: Iterable[str]) -> str:
    """Names as a sentence has them: "Léo, Ada and Max"."""
    return names.enumeration(list(listed))


@register.filter
def is_past(moment: dt.datetime | str) -> bool:
    """Whether an instant is over: `{{ post.details.correctable_until|is_past }}`, aware, or ISO text."""
    return (dt.datetime.fromisoformat(moment) if isinstance(moment, str) else moment) < timezone.now()


_EPOCH = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)


@register.filter
def die_name(label: str, cast: Mapping[str, Any]) -> str:
    """What a die was rolled for."""
    return dice.die_name(label, cast)


@register.filter
def ruling_sentence(ruling: Mapping[str, Any], cast: Mapping[str, Any]) -> str:
    """What the referee has ruled, without the reason."""
    return rulings.ruling_sentence(ruling, cast)


PHASES = {"announcement": gettext_lazy("announcement"), "start": gettext_lazy("start")}


@register.filter
def phase_name(phase: str | int) -> str:
    """The phase in which a die was rolled."""
    return str(PHASES.get(str(phase)) or _("turn %(turn)s") % {"turn": phase})


@register.filter
def counted(report: Report) -> list[proof.Counted]:
    """What was checked of a record, and how many of each."""
    return list(proof.counted(report))


@register.filter
def tallied(turns: list[Turn]) -> list[tuple[str, Tally]]:
    """What was checked of a record that does not hold, and what could not be."""
    return list(proof.tallies(turns))


@register.filter
def first_broken(turns: list[Turn]) -> Entry | None:
    """The first entry of a record that does not hold."""
    return first_failing(turns)


@register.filter
def failure(found: Failure, cast: Mapping[str, Any]) -> str:
    """What does not hold in a record, where, and why."""
    return proof.failure_sentence(found, cast)


@register.filter
def broken(found: Failure, cast: Mapping[str, Any]) -> str:
    """What does not hold in an entry, and why."""
    return proof.broken_sentence(found, cast)


@register.filter
def missed(step: Step) -> str:
    """What could not be checked of an entry, in a few words."""
    return proof.missed_sentence(step)


@register.filter
def removed_texts(report: Report) -> str:
    """How many texts of a record staff took away."""
    return proof.removed_sentence(report)


@register.filter
def unchecked(report: Report) -> list[str]:
    """What a record does not hold, so that it could not be checked."""
    return proof.unchecked_sentences(report)


@register.filter
def held(step: Step) -> str:
    """What holds in an entry, in a few words; nothing where all that was checked failed."""
    return proof.held_sentence(step)


@register.filter
def entry_kind(kind: str) -> str:
    """What an entry of a record is."""
    return proof.entry_name(kind)


@register.filter
def seat_name(cast: Mapping[str, Any], letter: str) -> str:
    """The name of a seat of a record that may be anybody's: its letter, where the cast has none."""
    return str(cast[letter]["name"]) if letter in cast else letter


@register.filter
def of_entry(opened: Mapping[int, Opening], index: int) -> Opening | None:
    """What an entry had sealed."""
    return opened.get(index)


@register.filter
def die_rule(die: Die) -> str:
    """The code of the rule for which a die was rolled."""
    return dice.die_rule(die.label, die.phase)
