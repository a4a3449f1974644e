"""What a referee has ruled, in the reader's language. Plain text: escape it in HTML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from . import names
from .dice import die_name
from .names import Words

Cast = Mapping[str, Any]

GROUNDS: Words = {
    "short_post": gettext_lazy("fewer than 100 words"),
    "edited": gettext_lazy("a post edited or deleted"),
    "no_reaction": gettext_lazy("a text that does not react to the last resolution"),
    "clue": gettext_lazy("a text that gives a clue to the actions or their result"),
    "told_result": gettext_lazy("a text that tells how its own spell ends"),
    "against_rules": gettext_lazy("something impossible or against the rules"),
}
_RULED: Words = {
    "invalid_post": gettext_lazy("The referee finds the publication of %(name)s invalid."),
    "invalid_post ground": gettext_lazy("The referee finds the publication of %(name)s invalid: %(ground)s."),
    "die": gettext_lazy("A die rolled elsewhere counts (%(die)s): %(face)d instead of %(drawn)d."),
    "adjustment given": gettext_lazy("The referee gives %(name)s %(points)s."),
    "adjustment taken": gettext_lazy("The referee takes %(points)s from %(name)s."),
    "note": gettext_lazy("The referee rules."),
}
_TAKEN_BACK: Words = {
    "invalid_post": gettext_lazy("The referee takes back that the publication of %(name)s is invalid."),
    "die": gettext_lazy("The referee takes back the die rolled elsewhere (%(die)s)."),
    "adjustment": gettext_lazy("The referee takes back the points given to %(name)s, or taken."),
    "note": gettext_lazy("The referee takes back a ruling."),
}


def ruling_sentence(ruling: Mapping[str, Any], cast: Cast) -> str:
    """Return what a ruling says, without its reason: the public part of its entry, or what a post tells of it.

    One takes another back, and says so, that `withdraws` the entry of that index, or is told as `withdrawn`.
    """
    kind = ruling.get("ruling", "invalid_post")
    takes_back = ruling.get("withdrawn") or ruling.get("withdraws") is not None
    said = _TAKEN_BACK[kind] if takes_back else _RULED[_key(kind, ruling)]
    return str(said) % _parameters(ruling, cast)


def _key(kind: str, ruling: Mapping[str, Any]) -> str:
    if kind == "adjustment":
        return "adjustment given" if ruling["points"] > 0 else "adjustment taken"
    return "invalid_post ground" if ruling.get("ground") else kind


def _parameters(ruling: Mapping[str, Any], cast: Cast) -> dict[str, Any]:
    seat = ruling.get("seat") or ""
    return {
        "name": cast[seat]["name"] if seat in cast else _("somebody"),
        "ground": ground_name(ruling.get("ground", "")),
        "die": die_name(ruling["label"], cast) if "label" in ruling else "",
        "face": ruling.get("face", 0),
        "drawn": ruling.get("drawn", 0),
        "points": names.points(ruling.get("gauge"), abs(ruling.get("points", 0))),
    }


def ground_name(code: str) -> str:
    """Return in a few words for what a publication is at fault."""
    return str(GROUNDS.get(code, code))
