"""The words and drawings that all pages share."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from duels import drawing, sentences
from duels.queries.books import incantations
from duels.sentences import names
from duels.shapes import SHAPES, Shape
from rules.core import Choice, Event, Finding

register = template.Library()


@register.simple_tag
def instant(moment: dt.datetime | str | None) -> SafeString | str:
    """A <time>: the exact hour with its zone, and how far from now. `moment` is aware, or ISO text; None: a dash."""
    if not moment:
        return "–"
    there = timezone.localtime(dt.datetime.fromisoformat(moment) if isinstance(moment, str) else moment)
    return format_html(
        '<time datetime="{}">{} <span class="time-relative">({})</span></time>',
        there.isoformat(timespec="seconds"),
        exact(there),
        naturaltime(there),
    )


@register.simple_tag
def ago(moment: dt.datetime) -> SafeString:
    """A short <time>: how far from now, and the exact hour with its zone as a title."""
    there = timezone.localtime(moment)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        there.isoformat(timespec="seconds"),
        exact(there),
        naturaltime(there),
    )


@register.filter
def is_past(moment: dt.datetime) -> bool:
    """Say whether an instant is past: a turn may wait for an answer after its deadline (A7)."""
    return moment < timezone.now()


@register.filter
def exact(moment: dt.datetime) -> str:
    """The day and the hour in the reader's zone, with the zone's name."""
    there = timezone.localtime(moment)
    return _exact(there.replace(tzinfo=None), there.tzname(), get_language())


@lru_cache(maxsize=4096)
def _exact(there: dt.datetime, zone: str | None, _language: str | None) -> str:
    return _("%(day)s at %(hour)s %(zone)s") % {
        "day": names.date_name(there),
        "hour": date_format(there, "TIME_FORMAT"),
        "zone": zone,
    }


@register.simple_tag
def rule(code: str) -> SafeString:
    """A link to a rule, "A10.2d", on its help page; those of a spell duel begin with B, its effects have no number."""
    page = reverse("duels:rules_spells" if code.startswith("B") or code == "effects" else "duels:rules_arena")
    said = _("effects of spells") if code == "effects" else code
    return format_html('<a class="rule" href="{}#{}">{}</a>', page, code, said)


@register.filter
def article(code: str) -> str:
    """The article or section of the rules that a rule belongs to, with its title; the effects of spells have none."""
    return str(names.ARTICLES.get(code.partition(".")[0], ""))


@register.simple_tag
def sentence(event: Event | Mapping[str, Any], cast: Mapping[str, Any], book_id: int | None = None) -> SafeString:
    """The sentence of an event, and the article that it comes from. `cast` is the duel's, `book_id` its book's key."""
    code = event.rule if isinstance(event, Event) else event.get("rule", "")
    said = sentences.sentence(event, cast, incantations(book_id))
    return format_html("{} {}", said, rule(code)) if code else format_html("{}", said)


@register.simple_tag
def verdict(outcome: Mapping[str, Any], cast: Mapping[str, Any]) -> str:
    """The sentence that ends a duel; `outcome` has its `winner` and `by`."""
    return sentences.verdict(outcome, cast)


SIGNS = {"error": "✗", "sanction": "⚖", "warning": "⚠"}


@register.simple_tag
def finding(remark: Finding) -> SafeString:
    """What a finding says, with a sign for its level and its rule."""
    return format_html(
        '<span class="finding finding-{}"><span aria-hidden="true">{}</span> {} {}</span>',
        remark.level,
        SIGNS[remark.level],
        sentences.finding_sentence(remark),
        rule(remark.rule),
    )


@register.filter
def brief(remark: Finding) -> str:
    """Two or three words for a finding, after the sign for its level."""
    return f"{SIGNS[remark.level]} {sentences.finding_brief(remark)}"


@register.inclusion_tag("duels/svg/puppet.html")
def puppet(
    view: Mapping[str, Any], letter: str, name: str, hand: str, events: Iterable[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """The puppet of a seat, from a view of the rules; `events` (JSON) add the marks of a turn."""
    return {"puppet": drawing.puppet(view, letter, name, hand, events)}


@register.simple_tag
def gauges(view: Mapping[str, Any], letter: str) -> SafeString:
    """The link (circles) and the alchemy (stars) of a seat, from a view of the rules."""
    drawn = (_gauge(gauge, get_language()) for gauge in drawing.gauges(view, letter))
    return format_html_join("\n", "{}", ((gauge,) for gauge in drawn))


@lru_cache(maxsize=1024)
def _gauge(gauge: drawing.Gauge, _language: str | None) -> SafeString:
    """A gauge drawn: there are few different ones, and a page of a thread shows many."""
    return render_to_string("duels/svg/gauge.html", {"gauge": gauge})


@register.inclusion_tag("duels/svg/zone_plan.html")
def zone_plan() -> dict[str, Any]:
    """The puppet's plan, with the names of its zones (A12.4a)."""
    return {"shapes": SHAPES}


@register.inclusion_tag("duels/svg/legend.html")
def puppet_legend() -> dict[str, Any]:
    """What each sign on a puppet means."""
    return {"marks": drawing.MARKS}


class Cell(NamedTuple):
    """A zone of the picker: `remarks` are what choosing it brings, or why it is refused."""

    value: str
    shape: Shape
    selected: bool
    refused: bool
    remarks: tuple[Finding, ...]


@register.inclusion_tag("duels/svg/zone_picker.html")
def zone_picker(
    name: str,
    choices: Iterable[Choice],
    selected: str | Iterable[str] | None = None,
    legend: str = "",
    count: int = 1,
    required: bool = True,
    error_id: str = "",
) -> dict[str, Any]:
    """The six zones as a form field called `name`: radio buttons, or checkboxes where `count` zones are asked for.

    `choices` are a menu's; `selected` is a zone or several; `error_id` the element that says what is wrong.
    """
    chosen = {selected} if isinstance(selected, str) else set(selected or ())
    cells = [_cell(choice, chosen) for choice in choices]
    return {
        "name": name,
        "prefix": f"id_{name}".replace(".", "-"),
        "legend": legend,
        "kind": "radio" if count == 1 else "checkbox",
        "required": required and count == 1,
        "error_id": error_id,
        "cells": cells,
        "remarked": [cell for cell in cells if cell.remarks],
    }


def _cell(choice: Choice, chosen: set[str]) -> Cell:
    refused = (choice.refused,) if choice.refused else ()
    return Cell(choice.value, SHAPES[choice.value], choice.value in chosen, bool(refused), refused or choice.findings)


@register.filter
def zone_name(zone: str) -> str:
    return str(names.ZONES.get(zone, zone))


@register.filter
def option_name(option: str | None) -> str:
    """The option's name; of None, that there is none."""
    return str(names.OPTIONS.get(option, option)) if option else _("no option")


@register.filter
def arena_name(arena: str) -> str:
    return str(names.ARENAS.get(arena, arena))


@register.filter
def kind_name(kind: str) -> str:
    return str(names.KINDS.get(kind, kind))


@register.filter
def edition_name(edition: str) -> str:
    return str(names.EDITIONS.get(edition, edition))


@register.filter
def gauge_name(gauge: str) -> str:
    return str(names.GAUGES.get(gauge, gauge))


@register.filter
def how_name(by: str) -> str:
    """How a duel ended."""
    return str(names.ENDINGS.get(by, by))


@register.filter
def year_name(year: int | str | None) -> str:
    return names.year_name(year)


@register.filter
def points(number: int, gauge: str) -> str:
    """The number of points of a gauge: `{{ cost.points|points:cost.gauge }}`."""
    return names.points(gauge, number)


@register.filter
def of(name: str) -> str:
    """The genitive of a name, in the reader's language."""
    return names.of(name)
