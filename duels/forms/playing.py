"""What a player sends from the page of a turn, and its drawing from the menu of the rules."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from duels.actions.filing import check_text
from duels.errors import Invalid
from duels.sentences import finding_sentence
from rules.core import Choice, Finding, Menu, Part

Declaration = dict[str, Any]


class TextForm(forms.Form):
    """The RP text. `cleaned_data["text"]` has plain line ends."""

    text = forms.CharField(label=_("Text"), strip=False, required=False, widget=forms.Textarea)

    def clean_text(self) -> str:
        text = plain(self.cleaned_data["text"])
        try:
            check_text(text)
        except Invalid as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return text


def plain(text: str) -> str:
    """Return a text as written, without what browsers do to the ends of its lines and without NUL (no text has it)."""
    return text.replace("\r\n", "\n").replace("\0", "").strip()


def declaration_in(posted: QueryDict) -> Declaration:
    """Return the declaration that a form holds. Of the options' zones and directions only the chosen one's are read.

    What is missing or unknown is left for the rules to judge.
    """
    return {
        "thrust": posted.get("thrust") or None,
        "parry": posted.get("parry") or None,
        "option": _option_in(posted),
    }


def _option_in(posted: QueryDict) -> dict[str, Any] | None:
    name = posted.get("option")
    if not name:
        return None
    option: dict[str, Any] = {"name": name}
    if zones := posted.getlist(f"{name}.zones"):
        option["zones"] = zones
    if to := posted.get(f"{name}.to"):
        option["to"] = to
    return option


def fields_of(declaration: Declaration) -> list[tuple[str, str]]:
    """Return the form fields that hold a declaration: the inverse of `declaration_in`."""
    fields = [(part, declaration[part]) for part in ("thrust", "parry") if declaration.get(part)]
    option = declaration.get("option")
    if option:
        name = option["name"]
        fields.append(("option", name))
        fields += [(f"{name}.zones", zone) for zone in option.get("zones") or ()]
        fields += [(f"{name}.to", to) for to in (option.get("to"),) if to]
    return fields


class OptionChoice:
    """An option as the form shows it: the menu's choice, its questions, and what of it was chosen."""

    def __init__(self, choice: Choice, chosen: dict[str, Any]) -> None:
        self.choice = choice
        self.value = choice.value
        self.selected = chosen.get("name") == choice.value
        picked = chosen if self.selected else {}
        self.zones = next((part for part in choice.parts if part.field == "option.zones"), None)
        self.directions = next((part for part in choice.parts if part.field == "option.to"), None)
        self.picked_zones = picked.get("zones") or ()
        self.picked_direction = picked.get("to")


class DeclarationSheet:
    """The declaration as the page draws it: the menu, what was chosen, and what is wrong with it."""

    def __init__(self, menu: Menu, declaration: Declaration, findings: tuple[Finding, ...] = ()) -> None:
        self.declaration = declaration
        self.errors = errors_in(findings)
        parts = {part.field: part for part in menu.parts}
        self.thrust, self.parry = parts["thrust"], parts["parry"]
        chosen = self.declaration.get("option") or {}
        options = [OptionChoice(choice, chosen) for choice in parts["option"].choices]
        self.offered = [option for option in options if option.choice.refused is None]
        self.refused = [option for option in options if option.choice.refused is not None]
        self.has_none = not chosen


def errors_in(findings: tuple[Finding, ...]) -> dict[str, list[str]]:
    """Return the sentences of the errors among findings, by part: thrust, parry, option."""
    errors: dict[str, list[str]] = defaultdict(list)
    for finding in findings:
        if finding.level == "error":
            errors[finding.field.partition(".")[0]].append(finding_sentence(finding))
    return dict(errors)


def costs_of(menu: Menu, declaration: Declaration) -> tuple[Any, ...]:
    """Return what the declared option costs, as the menu says."""
    option = declaration.get("option")
    if not option:
        return ()
    choice = _chosen(_part(menu.parts, "option"), option["name"])
    directions = [part for part in choice.parts if part.field == "option.to"]
    return choice.costs + tuple(cost for part in directions for cost in _chosen(part, option["to"]).costs)


def _part(parts: tuple[Part, ...], field: str) -> Part:
    return next(part for part in parts if part.field == field)


def _chosen(part: Part, value: str) -> Choice:
    return next(choice for choice in part.choices if choice.value == value)
