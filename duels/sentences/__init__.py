"""What happens in a duel, and what the rules have to say of a filing, in the reader's language.

Sentences are made from codes and parameters, never stored. Everything returned is plain text: escape it in HTML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from rules.core import Event, Finding

from . import names
from .events import SENTENCES
from .findings import BRIEF, FINDINGS, LEVELS, SPELLS
from .spells import Book, is_of_spells, spell_sentence

Cast = Mapping[str, Any]

_PAID = ("option_used", "failed_option", "option_cancelled", "move_pinned")


def sentence(event: Event | Mapping[str, Any], cast: Cast, book: Book | None = None) -> str:
    """Return the sentence of an event, a struct or its JSON. `cast`: seat → its name, or what `Duel.cast` holds.

    `book`: spell → its incantation. What is masked in the event is not needed: the sentence is then a vaguer one.
    Raises KeyError for an unknown code.
    """
    told: Mapping[str, Any] = msgspec.to_builtins(event) if isinstance(event, Event) else event
    if is_of_spells(told):
        return spell_sentence(told, cast, book or {})
    key = next((key for key in _keys(told) if key in SENTENCES), told["code"])
    said = str(SENTENCES[key]) % _parameters(told, cast)
    price = _price(told)
    return _("%(sentence)s Cost: %(price)s.") % {"sentence": said, "price": price} if price else said


def verdict(outcome: Mapping[str, Any], cast: Cast) -> str:
    """Return the sentence that ends a duel; `outcome` has its `winner` (a seat, a team or None) and `by`."""
    if isinstance(outcome["winner"], int):
        won = {"code": "duel_over", "rule": "B3.3.1", "winner": outcome["winner"], "by": outcome["by"]}
        return sentence(won, cast)
    over = {"code": "duel_over", "seat": outcome["winner"], "by": outcome["by"]}
    return sentence(over, cast)


def finding_sentence(finding: Finding) -> str:
    """Return what a finding says: a sanction with its price, a warning, or why something is refused."""
    code, field, rule = finding.code, finding.field, finding.rule
    keys = (f"{code} {field} {rule}", f"{code} {field}", f"{code} {rule}", code)
    said = str(next(FINDINGS[key] for key in keys if key in FINDINGS))
    if finding.level == "sanction" and not finding.points and finding.code in SPELLS:
        return _("%(sentence)s Your partner may still change that; if not, it is an action fault.") % {"sentence": said}
    if not finding.points:
        return said
    loss = names.points(finding.gauge, finding.points)
    return _("%(sentence)s You would lose %(points)s.") % {"sentence": said, "points": loss}


def finding_brief(finding: Finding) -> str:
    """Return two or three words for a finding."""
    return str(BRIEF.get(finding.code) or LEVELS[finding.level])


def _keys(event: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of an event, the most particular first."""
    code, endings = event["code"], _endings(event)
    for trait in _traits(event):
        yield from (f"{code} {trait}{ending}" for ending in endings)
    yield from (f"{code}{ending}" for ending in endings)


def _traits(event: Mapping[str, Any]) -> Iterator[str]:
    by, rule, points = event.get("by"), event.get("rule"), event.get("points", 0)
    traits = (
        event.get("option"),
        event.get("infraction"),
        event.get("direction"),
        f"{by} {rule}",
        by,
        rule,
        *(kind for kind in ("option", "arena") if event.get(kind)),
        "given" if points >= 0 else "taken",
    )
    return (trait for trait in traits if trait)


def _endings(event: Mapping[str, Any]) -> tuple[str, ...]:
    zones = "+zones" if event.get("zone") or event.get("zones") else ""
    gain = "+gain" if event.get("gained") else ""
    turn = "+turn" if event.get("last_turn") else ""
    return zones + gain or turn, turn, zones, gain, ""


def _parameters(event: Mapping[str, Any], cast: Cast) -> dict[str, str]:
    seat = event.get("seat")
    name, foe = _name(cast, seat), _name(cast, _other(seat))
    zone = event.get("zone", "")
    zones = [str(names.THE_ZONE[one]) for one in event.get("zones", ())]
    gauge = event.get("gauge") or "link"
    return {
        "seat": name,
        "of_seat": names.of(name),
        "foe": foe,
        "of_foe": names.of(foe),
        "zone": str(names.THE_ZONE.get(zone, "")),
        "at_zone": str(names.AT_ZONE.get(zone, "")),
        "zones": names.enumeration(zones),
        "option": str(names.THE_OPTION.get(event.get("option", ""), "")),
        "arena": str(names.THE_ARENA.get(event.get("arena", ""), "")),
        "points": names.points(gauge, abs(event.get("points", 0))),
        "gained": names.points(_gained_gauge(event), event.get("gained", 0)),
        "last_turn": str(event.get("last_turn", "")),
    }


def _price(event: Mapping[str, Any]) -> str:
    """What an option cost, unless its sentence says so itself; nothing for what is free."""
    if event["code"] not in _PAID or not event.get("points"):
        return ""
    if event["code"] == "option_used" and event["option"] == "convert_points":
        return ""
    return names.points(event.get("gauge"), event["points"])


def _gained_gauge(event: Mapping[str, Any]) -> str:
    """An option is paid from one gauge and fills another; everything else says its own."""
    if event.get("option") == "regenerating_sap":
        return "link"
    return event.get("to") or event.get("gauge") or "link"


def _other(seat: str | None) -> str:
    return {"a": "b", "b": "a"}.get(seat or "", "")


def _name(cast: Cast, seat: str | None) -> str:
    player = cast.get(seat or "")
    if player is None:
        return _("somebody")
    return player if isinstance(player, str) else str(player["name"])
