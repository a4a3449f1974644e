"""The words and drawings of spell duels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.safestring import mark_safe

from duels import markup
from duels import stage as drawn
from duels.models import Duel, Phase
from duels.queries.books import incantations, number_of, spells_of, types_of
from duels.queries.waiting import review_of
from duels.sentences import book, names, spells

register = template.Library()


@register.inclusion_tag("duels/svg/stage.html")
def stage(view: Mapping[str, Any], cast: Mapping[str, Any]) -> dict[str, Any]:
    """The stage, with who stands where, from a view of the rules."""
    return {"stage": drawn.stage(view, cast)}


@register.inclusion_tag("duels/svg/bars.html")
def bars(view: Mapping[str, Any], letter: str) -> dict[str, Any]:
    """Fatigue and magic of a seat."""
    return {"bars": drawn.bars(view, letter)}


@register.filter
def seat_at(seats: Mapping[str, Any] | None, letter: str) -> Mapping[str, Any]:
    """What a view says of a seat; nothing before the start."""
    seat: Mapping[str, Any] = (seats or {}).get(letter, {})
    return seat


@register.filter
def conditions(seat: Mapping[str, Any]) -> str:
    """What works on a duellist, in words."""
    return ", ".join(drawn.conditions(seat))


@register.filter
def declared_by(declaration: Mapping[str, Any], duel: Duel) -> str:
    """What a post declares, its steps in their order, in one sentence (B2.6): `{{ declaration|declared_by:duel }}`."""
    steps = declaration.get("steps", [declaration])
    said = [spells.declared(step, duel.cast, incantations(duel.book_id)) for step in steps]
    return spells.one_after_the_other(said)


@register.filter
def fault_names(codes: Iterable[str]) -> str:
    """What a post is found to lack."""
    return names.enumeration([spells.fault_name(code) for code in codes])


@register.filter
def does_what(coming: Mapping[str, Any], duel: Duel) -> str:
    """What a spell under way will do to whom it hits, in figures."""
    spell = spells_of(duel.book_id)[coming["spell"]] if duel.book_id else {}
    return book.cast_effects(spell, bonus=coming["bonus"], modulation=coming["modulation"])


@register.filter
def spell_called(code: str, duel: Duel) -> str:
    """A spell's incantation."""
    return spells.spell_name(code, incantations(duel.book_id))


@register.filter
def type_called(code: str, duel: Duel) -> str:
    """The name of a type of magic of a duel's book."""
    return book.type_name(code, types_of(duel.book_id) if duel.book_id else {})


@register.filter
def type_in(code: str, types: Mapping[str, Mapping[str, str]]) -> str:
    """The name of a type of magic, from the types of a book."""
    return book.type_name(code, types)


@register.filter
def review_address(phase: Phase) -> str:
    """Where a phase is reviewed."""
    return review_of(phase)


@register.filter
def book_number(duel: Duel) -> int:
    """Which version of the spell book a duel keeps."""
    return number_of(duel.book_id) if duel.book_id else 0


@register.filter
def person(cast: Mapping[str, Any], letter: str) -> str:
    """The name of a seat."""
    return str(cast[letter]["name"])


@register.filter
def duellist_at(cast: Mapping[str, Any], letter: str) -> int:
    """The key of the duellist at a seat."""
    return int(cast[letter]["duellist"])


@register.filter
def has_won(duel: Duel, letter: str) -> bool:
    """Whether a seat has won: itself, or its team (a and c, b and d)."""
    return duel.winner in (letter, "1" if letter in "ac" else "2")


@register.filter
def as_markup(text: str) -> str:
    """A text as it is read in the thread."""
    return mark_safe(markup.render(text))  # noqa: S308 - sanitised by `markup.render`


@register.filter
def types_called(codes: Iterable[str], duel: Duel) -> str:
    """The names of types of magic of a duel's book."""
    types = types_of(duel.book_id) if duel.book_id else {}
    return names.enumeration([book.type_name(code, types) for code in codes])


@register.filter
def effects_called(listed: Iterable[Mapping[str, Any]]) -> str:
    """What effects do, in figures."""
    return book.effects(listed)


@register.filter
def tag_name(tag: str) -> str:
    return str(book.TAGS.get(tag, tag))


@register.filter
def trait_name(trait: str) -> str:
    return str(names.TRAITS.get(trait, trait))


@register.filter
def winner_names(duel: Duel) -> str:
    """The names of the team that has won a spell duel."""
    return spells.team_names(duel.cast, int(duel.winner))


@register.filter
def mode_name(mode: str) -> str:
    return str(names.MODES.get(mode, mode))


@register.filter
def phase_label(phase: str) -> str:
    """The name of a phase, action or defence; nothing for the one phase of a turn of the arena."""
    return str(names.PHASES.get(phase, ""))


@register.filter
def in_reader_language(said: Mapping[str, str]) -> str:
    """What a spell book says, in the reader's language."""
    return book.in_the_readers_language(said)
