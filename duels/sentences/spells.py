"""One sentence for each thing that happens in a spell duel, in the words of a referee.

A key is the event's code, then its variant: what it is aimed at, who did it, how somebody went out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from . import names
from .names import Words

Cast = Mapping[str, Any]
Book = Mapping[str, str]  # code of a spell → its incantation

SENTENCES: Words = {
    "absence": gettext_lazy("%(seat)s did not answer in time, for the third time: disqualification."),
    "absence points": gettext_lazy("%(seat)s did not answer in time, which costs %(points)s."),
    "action_fault": gettext_lazy("Action fault by %(seat)s: %(fault)s. Nothing of this post takes place."),
    "sanction": gettext_lazy("Second action fault: %(seat)s loses %(points)s."),
    "blocked": gettext_lazy("Something that %(seat)s wanted to do had become impossible: %(fault)s."),
    "blocked spell": gettext_lazy("%(seat)s could no longer cast %(spell)s: %(fault)s. It costs nothing."),
    "retrieved": gettext_lazy("%(seat)s picks up the wand."),
    "moved move": gettext_lazy("%(seat)s walks to zone %(zone)s."),
    "moved": gettext_lazy("%(spell)s takes %(seat)s to zone %(zone)s."),
    "climbed": gettext_lazy("%(seat)s climbs back onto the stage, to zone %(zone)s."),
    "fell": gettext_lazy("%(spell)s throws %(seat)s off the stage: the fall costs %(points)s."),
    "dodged": gettext_lazy("%(seat)s bets on %(bet)s and rolls %(face)s: dodged."),
    "dodge_failed": gettext_lazy("%(seat)s bets on %(bet)s and rolls %(face)s: the dodge has failed."),
    "cast": gettext_lazy("%(seat)s casts %(spell)s%(details)s."),
    "cast target": gettext_lazy("%(seat)s casts %(spell)s on %(target)s%(details)s."),
    "cast zone": gettext_lazy("%(seat)s casts %(spell)s on zone %(zone)s%(details)s."),
    "out_of_range": gettext_lazy("Out of range: %(spell)s misses."),
    "failed": gettext_lazy("The die shows %(face)s: %(spell)s fails."),
    "succeeded": gettext_lazy("%(spell)s succeeds."),
    "succeeded bonus": gettext_lazy("The die shows %(face)s: %(spell)s succeeds, with its bonus."),
    "succeeded face": gettext_lazy("The die shows %(face)s: %(spell)s succeeds."),
    "shielded": gettext_lazy("%(seat)s is shielded: %(spell)s is stopped."),
    "fatigue_lost": gettext_lazy("%(spell)s costs %(seat)s %(points)s."),
    "fatigue_lost hazard": gettext_lazy("What smoulders in zone %(zone)s costs %(seat)s %(points)s."),
    "fatigue_lost summon": gettext_lazy("The creature of zone %(zone)s attacks %(seat)s: %(points)s lost."),
    "magic_lost": gettext_lazy("%(spell)s drains %(seat)s of %(points)s."),
    "healed": gettext_lazy("%(spell)s gives %(seat)s %(points)s."),
    "disarmed": gettext_lazy("%(of_seat)s wand flies away."),
    "bound": gettext_lazy("%(spell)s binds %(seat)s: no moving, climbing or dodging for %(turns)s."),
    "silenced": gettext_lazy("%(spell)s silences %(seat)s: no casting for %(turns)s."),
    "jinxed": gettext_lazy("%(spell)s jinxes %(seat)s: bets on two faces only for %(turns)s."),
    "cleansed": gettext_lazy("%(spell)s frees %(seat)s of every hex, and gives the wand back."),
    "hazard_set": gettext_lazy("%(spell)s haunts zone %(zone)s for %(turns)s: %(points)s each."),
    "summoned": gettext_lazy("A creature appears in zone %(zone)s, for %(turns)s: %(points)s each."),
    "revealed": gettext_lazy("%(by)s reads the mind of %(seat)s: the next post will be seen first."),
    "reveal_blocked": gettext_lazy("%(seat)s closes the mind: %(by)s reads nothing."),
    "adjusted given": gettext_lazy("The referee gave %(seat)s %(points)s."),
    "adjusted taken": gettext_lazy("The referee took %(points)s from %(seat)s."),
    "out fatigue": gettext_lazy("%(seat)s has no fatigue left, and is out of the duel."),
    "out disqualified": gettext_lazy("%(seat)s is disqualified, and out of the duel."),
    "out surrender": gettext_lazy("%(seat)s has surrendered, and is out of the duel."),
    "out absence": gettext_lazy("%(seat)s has filed nothing by the end of the round, and is out of the duel."),
    "duel_over fatigue": gettext_lazy("The duel is over, its adversaries exhausted: it is won by %(winners)s."),
    "duel_over disqualified": gettext_lazy("The duel is over by disqualification: it is won by %(winners)s."),
    "duel_over surrender": gettext_lazy("The duel is over by surrender: it is won by %(winners)s."),
    "duel_over absence": gettext_lazy("The time of the round is over, the others absent: it is won by %(winners)s."),
    "duel_over wall": gettext_lazy("The time of the round is over; the gauges decide: it is won by %(winners)s."),
    "duel_over draw B3.3.4": gettext_lazy("The time of the round is over, and the gauges are equal: it is a draw."),
    "duel_over draw": gettext_lazy("The duel is over: it is a draw."),
    "duel_over draw B3.3.3": gettext_lazy("The duel is over: a draw, agreed on or after six turns without a blow."),
}

FAULTS: Words = {
    "short_post": gettext_lazy("fewer than 100 words"),
    "edited": gettext_lazy("a post edited or deleted"),
    "referee": gettext_lazy("found by the referee"),
    "missing_zone": gettext_lazy("no zone named"),
    "missing_target": gettext_lazy("no target named"),
    "missing_bet": gettext_lazy("no series bet on"),
    "repeated": gettext_lazy("the same spell in two turns running"),
    "one_cast": gettext_lazy("more than one spell in a post"),
    "one_move": gettext_lazy("more than one move in a post"),
    "climb_alone": gettext_lazy("who climbs does nothing else"),
    "above_level": gettext_lazy("above one’s level"),
    "used_up": gettext_lazy("what could be done once is used up"),
    "silenced": gettext_lazy("silenced"),
    "bound": gettext_lazy("bound"),
    "disarmed": gettext_lazy("without a wand"),
    "has_wand": gettext_lazy("the wand is in hand already"),
    "unpayable": gettext_lazy("a cost that cannot be paid"),
    "on_floor": gettext_lazy("on the floor"),
    "not_on_floor": gettext_lazy("not on the floor"),
    "off_stage": gettext_lazy("off the stage"),
    "wrong_phase": gettext_lazy("not in this phase"),
    "not_a_defence": gettext_lazy("not a defence spell"),
    "only_in_defence": gettext_lazy("a shield outside the defence phase"),
    "bet_not_offered": gettext_lazy("a series that cannot be bet on"),
    "wrong_target": gettext_lazy("a target that cannot be aimed at"),
    "target_out": gettext_lazy("a target who is out"),
    "no_trait": gettext_lazy("without the trait for it"),
    "no_bonus": gettext_lazy("a spell without a bonus"),
    "other_type": gettext_lazy("a bonus on a spell of another type"),
    "no_modulation": gettext_lazy("a spell without a modulation"),
    "not_a_curse": gettext_lazy("not a curse"),
}


def is_of_spells(event: Mapping[str, Any]) -> bool:
    """Say whether an event is one of a spell duel: its rule says so."""
    rule = str(event.get("rule", ""))
    return rule.startswith("B") or rule == "effects"


def spell_sentence(event: Mapping[str, Any], cast: Cast, book: Book) -> str:
    """Return the sentence of an event of a spell duel. Raises KeyError for an unknown code."""
    code = event["code"]
    key = next((f"{code} {variant}" for variant in _variants(event) if f"{code} {variant}" in SENTENCES), code)
    return str(SENTENCES[key]) % _parameters(event, cast, book)


def spell_name(code: str | None, book: Book) -> str:
    """Return a spell's incantation; of one that the book does not have, what its code spells."""
    return book.get(code or "") or (code or "").replace("_", " ").title()


def team_names(cast: Cast, team: int) -> str:
    """Return the names of a team: a and c are the first, b and d the second (B1.3)."""
    seats = ("a", "c") if team == 1 else ("b", "d")
    return names.enumeration([_name(cast, seat) for seat in seats if seat in cast])


def _variants(event: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a sentence may depend on, the most particular first."""
    by, face = event.get("by"), event.get("face")
    if event["code"] == "succeeded" and face:
        yield "bonus" if event.get("bonus") else "face"
    if by:
        yield f"{by} {event.get('rule')}"
        yield str(by)
    yield "given" if event.get("points", 0) >= 0 else "taken"
    if event.get("target") not in (None, event.get("seat")):
        yield "target"
    yield from (part for part in ("zone", "spell", "points") if event.get(part))
    yield str(event.get("step"))


def _parameters(event: Mapping[str, Any], cast: Cast, book: Book) -> dict[str, str]:
    name = _name(cast, event.get("seat"))
    turns = event.get("turns", 0)
    winner = event.get("winner")
    return {
        "seat": name,
        "of_seat": names.of(name),
        "target": _target(event, cast),
        "by": _name(cast, event.get("by")),
        "spell": spell_name(event.get("spell"), book),
        "zone": str(event.get("zone", "")),
        "bet": str(event.get("bet", "")),
        "face": str(event.get("face", "")),
        "fault": fault_name(event.get("fault")),
        "points": names.points(event.get("gauge") or "fatigue", abs(event.get("points", 0))),
        "turns": ngettext("%(turns)d turn", "%(turns)d turns", turns) % {"turns": turns},
        "winners": team_names(cast, int(winner)) if winner else "",
        "details": _details(event),
    }


def _target(event: Mapping[str, Any], cast: Cast) -> str:
    target = event.get("target")
    return _("themselves") if target == event.get("seat") else _name(cast, target)


def _details(event: Mapping[str, Any]) -> str:
    """How a spell is cast: what it bets on, and its options."""
    said = [_("bet on %(bet)s") % {"bet": event["bet"]}] if event.get("bet") else []
    said += [str(name) for option, name in OPTIONS.items() if event.get(option)]
    return f" ({', '.join(said)})" if said else ""


OPTIONS: Words = {
    "bonus": gettext_lazy("with its bonus"),
    "modulation": gettext_lazy("modulated"),
    "above_level": gettext_lazy("above level"),
    "half_cost": gettext_lazy("at half its cost"),
    "wandless": gettext_lazy("without a wand"),
}


def fault_name(code: str | None) -> str:
    """Return what a fault consists in, in a few words."""
    return str(FAULTS.get(code or "", code or ""))


def _name(cast: Cast, seat: str | None) -> str:
    player = cast.get(seat or "")
    if player is None:
        return _("somebody")
    return player if isinstance(player, str) else str(player["name"])


def declared(step: Mapping[str, Any], cast: Cast, book: Book) -> str:
    """Return what a step of a post says, in the open (B2.6): "casts Repulso on Léo (bet on 1-2-3)"."""
    zone = step.get("to", step.get("zone"))
    said = {
        "spell": spell_name(step.get("spell"), book),
        "target": _name(cast, step.get("target")) if step.get("target") else "",
        "zone": "?" if zone is None else str(zone),
        "bet": step.get("bet") or "?",
        "details": _details(step),
    }
    return str(DECLARED[_deed(step)]) % said


def one_after_the_other(steps: Sequence[str]) -> str:
    """Return the steps of a post as one sentence: "Casts Repulso on Léo, then moves to zone 5"."""
    if not steps:
        return str(DECLARED["nothing"])
    first, *others = steps
    return first + "".join(_(", then %(step)s") % {"step": step[:1].lower() + step[1:]} for step in others)


def _deed(step: Mapping[str, Any]) -> str:
    if step["do"] != "cast":
        return str(step["do"])
    return "cast target" if step.get("target") else "cast zone" if step.get("zone") else "cast"


DECLARED: Words = {
    "cast": gettext_lazy("Casts %(spell)s%(details)s"),
    "cast target": gettext_lazy("Casts %(spell)s on %(target)s%(details)s"),
    "cast zone": gettext_lazy("Casts %(spell)s on zone %(zone)s%(details)s"),
    "retrieve": gettext_lazy("Picks up the wand"),
    "move": gettext_lazy("Moves to zone %(zone)s"),
    "climb": gettext_lazy("Climbs back to zone %(zone)s"),
    "dodge": gettext_lazy("Dodges (bet on %(bet)s)"),
    "nothing": gettext_lazy("Does nothing"),
}
