"""What a player of a spell duel sends from the page of a phase, and its drawing from the menu of the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from duels.actions.filing import LONGEST, check_text
from duels.errors import Invalid
from duels.numbers import natural
from duels.sentences import finding_sentence
from duels.sentences.spells import OPTIONS
from rules.core import Choice, Cost, Finding, Menu, Part

from .playing import plain

Declaration = dict[str, Any]
Book = Mapping[str, Mapping[str, Any]]

PLAIN = "plain"  # a spell cast without any of its options
SHORT_RULE = "B2.6"


class SpellTextForm(forms.Form):
    """The RP text. `before`: words of it that are published already (a correction's)."""

    text = forms.CharField(label=_("Text"), strip=False, required=False, widget=forms.Textarea)

    def __init__(self, *args: Any, is_needed: bool = True, before: int = 0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_needed = is_needed
        self.before = before

    def clean_text(self) -> str:
        text = plain(self.cleaned_data["text"])
        if not self.is_needed:
            return text
        try:
            check_text(text, rule=SHORT_RULE, before=self.before)
        except Invalid as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return text

    @property
    def may_be_short(self) -> bool:
        """Whether nothing but its length speaks against the text (B6.4)."""
        return 0 < len(plain(self.data.get("text", ""))) <= LONGEST


def declaration_in(posted: QueryDict) -> Declaration:
    """Return the post that a form holds. Of the spells' fields only the chosen one's are read.

    What is missing or unknown is left for the rules to judge.
    """
    if posted.get("phase") == "defence":
        return _defence_in(posted)
    declaration: Declaration = {"steps": _climb_in(posted) if "climb" in posted else _steps_in(posted)}
    if order := posted.get("order"):
        declaration["order"] = order
    return declaration


def _climb_in(posted: QueryDict) -> list[Declaration]:
    """On the floor there is nothing else to do (B5.3)."""
    return [{"do": "climb", "to": _number(posted["climb"])}] if posted["climb"] else []


def _steps_in(posted: QueryDict) -> list[Declaration]:
    done = {"cast": _cast_in(posted), "retrieve": _retrieve_in(posted), "move": _move_in(posted)}
    sequence = [name for name in posted.get("sequence", "").split() if name in done]
    ordered = dict.fromkeys([*sequence, *done])
    return [step for name in ordered if (step := done[name]) is not None]


def _defence_in(posted: QueryDict) -> Declaration:
    do = posted.get("do_defence", "")
    if do == "dodge":
        bet = posted.get("dodge.bet")
        return {"do": "dodge", "bet": bet} if bet else {"do": "dodge"}
    if do == "cast":
        return _cast_in(posted) or {"do": "cast"}
    return {"do": do}


def _cast_in(posted: QueryDict) -> Declaration | None:
    """A spell: which, its way and its bet ("bonus+modulation|1-2-3"), whom or where."""
    code = posted.get("cast")
    if not code:
        return None
    way, _bar, bet = posted.get(f"{code}.how", "").partition("|")
    step: Declaration = {"do": "cast", "spell": code}
    if target := posted.get(f"{code}.target"):
        step["target"] = target
    if zone := posted.get(f"{code}.zone"):
        step["zone"] = _number(zone)
    if bet:
        step["bet"] = bet
    return step | {option: True for option in way.split("+") if option in OPTIONS}


def _retrieve_in(posted: QueryDict) -> Declaration | None:
    return {"do": "retrieve"} if posted.get("retrieve") else None


def _move_in(posted: QueryDict) -> Declaration | None:
    return {"do": "move", "to": _number(posted["move"])} if posted.get("move") else None


def _number(said: Any) -> int | str:
    """A zone's number; what is none, as it is: the rules refuse it."""
    number = natural(said, digits=3)
    return str(said) if number is None else number


def fields_of(declaration: Declaration, phase: str) -> Iterator[tuple[str, str]]:
    """Yield the form fields that hold a post: the inverse of `declaration_in`."""
    steps = [declaration] if phase == "defence" else declaration["steps"]
    for step in steps:
        yield from _fields_of_step(step, phase)
    yield "sequence", " ".join(step["do"] for step in steps)
    if declaration.get("order"):
        yield "order", declaration["order"]


def _fields_of_step(step: Declaration, phase: str) -> Iterator[tuple[str, str]]:
    if phase == "defence":
        yield "do_defence", step["do"]
    match step["do"]:
        case "cast" if step.get("spell"):
            code = step["spell"]
            yield "cast", code
            yield f"{code}.how", how_of(step)
            yield from ((f"{code}.{aim}", str(step[aim])) for aim in ("target", "zone") if step.get(aim))
        case "retrieve":
            yield "retrieve", "on"
        case "move" | "climb" as travel:
            yield travel, str(step["to"])
        case "dodge" if step.get("bet"):
            yield "dodge.bet", step["bet"]


def way_of(step: Declaration) -> str:
    """Return the way in which a step casts its spell, as the menu names it."""
    return "+".join(option for option in ("bonus", "modulation", "half_cost", "wandless") if step.get(option)) or PLAIN


def how_of(step: Declaration) -> str:
    """Return what a spell's `how` field holds: its way and its bet."""
    return f"{way_of(step)}|{step.get('bet') or ''}"


class Way:
    """One way to cast a spell: its options, cost, and bets; what replaces its effects, what is added to them."""

    def __init__(self, choice: Choice, spell: Mapping[str, Any], how: str) -> None:
        self.choice = choice
        self.options = [OPTIONS[option] for option in choice.value.split("+") if option in OPTIONS]
        bets = next((part.choices for part in choice.parts if part.field == "cast.bet"), ())
        self.answers = [(f"{choice.value}|{bet.value}", bet.value) for bet in bets] or [(f"{choice.value}|", "")]
        self.chosen = how
        self.replaced = spell["modulation"]["effects"] if "modulation" in choice.value else ()
        self.added = spell["bonus"] if "bonus" in choice.value else ()


class SpellChoice:
    """A spell as the form shows it: the menu's choice, what the book says of it, and what of it was chosen."""

    def __init__(self, choice: Choice, spell: Mapping[str, Any], chosen: Declaration) -> None:
        self.choice = choice
        self.value = choice.value
        self.spell = spell
        self.selected = chosen.get("spell") == choice.value
        picked = chosen if self.selected else {}
        parts = {part.field: part for part in choice.parts}
        how = how_of(picked) if picked else ""
        ways = parts["cast.way"].choices if "cast.way" in parts else ()
        self.ways = [Way(way, spell, how) for way in ways if way.refused is None]
        self.unoffered = [way for way in ways if way.refused is not None]
        self.targets = parts["cast.target"].choices if "cast.target" in parts else ()
        self.zones = parts["cast.zone"].choices if "cast.zone" in parts else ()
        self.target = picked.get("target")
        self.zone = str(picked.get("zone", ""))
        if len(self.ways) == 1 and len(self.ways[0].answers) == 1:  # nothing to choose
            self.ways[0].chosen = self.ways[0].answers[0][0]


class Sheet:
    """A post as the page draws it: the menu, what was chosen, and what is wrong with it."""

    def __init__(self, menu: Menu, book: Book, declaration: Declaration, findings: tuple[Finding, ...] = ()) -> None:
        self.declaration = declaration
        self.errors = errors_in(findings, declaration)
        self.steps = {step.get("do"): step for step in declaration.get("steps", [declaration])}
        self._parts = {part.field: part for part in menu.parts}
        self._book = book
        self.moves = self._choices("move")
        self.climbs = self._choices("climb")
        self.is_on_floor = "climb" in self._parts
        self.retrieve = next(iter(self._choices("retrieve")), None)
        self.orders = self._choices("order")
        self.order = declaration.get("order")
        self.answers = {choice.value: choice for choice in self._choices("do")}

    def _choices(self, field: str) -> tuple[Choice, ...]:
        part = self._parts.get(field)
        return part.choices if part else ()

    @property
    def spells(self) -> list[SpellChoice]:
        """Every spell of the menu."""
        choices = self._choices("cast")
        if "cast" in self.answers:
            choices = tuple(choice for part in self.answers["cast"].parts for choice in part.choices)
        chosen = self.steps.get("cast", {})
        return [SpellChoice(choice, self._book[choice.value], chosen) for choice in choices]

    @property
    def casts_offered(self) -> bool:
        """Whether the chosen spell is among those on offer, where what is wrong with it stands beside it."""
        return any(spell.selected and spell.choice.refused is None for spell in self.spells)

    @property
    def refused_zones(self) -> list[tuple[Finding, list[str]]]:
        """Why some zones cannot be gone to, with their numbers."""
        return refusals(self.climbs if self.is_on_floor else self.moves)

    @property
    def chosen_move(self) -> str:
        return str(self.steps.get("move", {}).get("to", ""))

    @property
    def chosen_climb(self) -> str:
        return str(self.steps.get("climb", {}).get("to", ""))

    @property
    def retrieves(self) -> bool:
        return "retrieve" in self.steps

    @property
    def dodge_bets(self) -> tuple[Choice, ...]:
        return next((part.choices for part in self.answers["dodge"].parts if part.field == "bet"), ())

    @property
    def sequences(self) -> list[tuple[str, ...]]:
        """The orders in which the steps can be done; with a wand to pick up, both can come with a spell (B7.4)."""
        steps = ("cast", "retrieve", "move") if self.retrieve and not self.retrieve.refused else ("cast", "move")
        return list(permutations(steps))

    @property
    def sequence(self) -> tuple[str, ...]:
        """The order that was chosen."""
        done = [name for name in self.steps if isinstance(name, str)]
        kept = next((one for one in self.sequences if [name for name in one if name in done] == done), None)
        return kept or self.sequences[0]


def errors_in(findings: tuple[Finding, ...], declaration: Declaration) -> dict[str, list[str]]:
    """Return the sentences of the errors among findings, by part: spell, move, dodge…"""
    others = "dodge" if declaration.get("do") == "dodge" else "spell"  # both have a bet
    errors: dict[str, list[str]] = defaultdict(list)
    for finding in findings:
        if finding.level == "error":
            errors[PARTS.get(finding.field, others)].append(finding_sentence(finding))
    return dict(errors)


PARTS = {"move": "move", "climb": "climb", "retrieve": "retrieve", "dodge": "dodge", "do": "defence", "order": "order",
         "post": "post", "steps": "post"}  # fmt: skip


def refusals(choices: Iterable[Choice]) -> list[tuple[Finding, list[str]]]:
    """Return why some of the choices are refused: each reason, with those that it is for."""
    refused: dict[Finding, list[str]] = defaultdict(list)
    for choice in choices:
        if choice.refused is not None:
            refused[choice.refused].append(choice.value)
    return list(refused.items())


def costs_of(menu: Menu, declaration: Declaration) -> list[Cost]:
    """Return what a post that the rules accept costs, gauge by gauge, as the menu says of each step alone."""
    sums: dict[str, int] = defaultdict(int)
    for step in declaration.get("steps", [declaration]):
        for cost in _choice_of(menu.parts, step).costs:
            sums[cost.gauge] += cost.points
    return [Cost(gauge, points) for gauge, points in sums.items() if points]


def _choice_of(parts: tuple[Part, ...], step: Declaration) -> Choice:
    match step["do"]:
        case "move" | "climb" as travel:
            return _chosen(parts, travel, str(step["to"]))
        case "retrieve":
            return _chosen(parts, "retrieve", "retrieve")
        case "cast":
            return _chosen(_chosen(_castable(parts), "cast", step["spell"]).parts, "cast.way", way_of(step))
    return _chosen(parts, "do", step["do"])


def _castable(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Where a menu has its spells: in the defence phase they are one of the answers."""
    return _chosen(parts, "do", "cast").parts if any(part.field == "do" for part in parts) else parts


def _chosen(parts: tuple[Part, ...], field: str, value: str) -> Choice:
    return next(choice for part in parts if part.field == field for choice in part.choices if choice.value == value)


class Lack:
    """What a step of a published post lacks, and what may be added to it (B6.4)."""

    def __init__(self, place: int, step: Declaration, menu: Menu, finding: Finding) -> None:
        self.place = place
        self.step = step
        self.code = finding.code
        self.part = {"missing_bet": "bet", "missing_target": "target"}.get(finding.code) or _zone_part(step)
        self.name = f"step{place}.{self.part}"
        self.said = finding_sentence(finding)
        self.choices = tuple(_completions(menu, step, self.part))
        self.chosen = ""

    def completed(self, step: Declaration) -> Declaration:
        """Return a step with what was chosen for this part of it."""
        return {**step, **self._part(self.chosen)} if self.chosen else step

    def with_part(self, chosen: str) -> Declaration:
        """Return the step with this part."""
        return {**self.step, **self._part(chosen)}

    def _part(self, chosen: str) -> Declaration:
        return {self.part: _number(chosen) if self.part in ("zone", "to") else chosen}


def _zone_part(step: Declaration) -> str:
    return "zone" if step["do"] == "cast" else "to"


def _completions(menu: Menu, step: Declaration, part: str) -> Iterator[str]:
    """What the menu offers for the part that a step lacks."""
    if step["do"] == "dodge":
        parts = _chosen(menu.parts, "do", "dodge").parts
    elif part == "to":
        parts = tuple(one for one in menu.parts if one.field == step["do"])
    else:
        spell = _chosen(_castable(menu.parts), "cast", step["spell"])
        parts = _chosen(spell.parts, "cast.way", way_of(step)).parts if part == "bet" else spell.parts
    for one in parts:
        if one.field.rpartition(".")[2] in (part, step["do"]) and one.field not in ("cast.way",):
            yield from (choice.value for choice in one.choices if choice.refused is None)
