"""What people call the things of a duel: labels, and the forms that sentences need."""

from __future__ import annotations

import datetime as dt
import unicodedata

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

Words = dict[str, Promise]

ZONES: Words = {
    "head": _("head"),
    "left_arm": _("left arm"),
    "right_arm": _("right arm"),
    "torso": _("torso"),
    "left_leg": _("left leg"),
    "right_leg": _("right leg"),
}
THE_ZONE: Words = {
    "head": _("the head"),
    "left_arm": _("the left arm"),
    "right_arm": _("the right arm"),
    "torso": _("the torso"),
    "left_leg": _("the left leg"),
    "right_leg": _("the right leg"),
}
AT_ZONE: Words = {
    "head": _("at the head"),
    "left_arm": _("at the left arm"),
    "right_arm": _("at the right arm"),
    "torso": _("at the torso"),
    "left_leg": _("at the left leg"),
    "right_leg": _("at the right leg"),
}

OPTIONS: Words = {
    "rough_skin": _("Rough skin"),
    "gaping_hole": _("Gaping hole"),
    "regenerating_sap": _("Regenerating sap"),
    "stealth_thrust": _("Stealth thrust"),
    "time_capsule": _("Time capsule"),
    "move_receptacle": _("Year 1 technique: move the receptacle"),
    "change_arena": _("Year 2 technique: change the arena"),
    "repair_receptacle": _("Year 3 technique: repair the receptacle"),
    "cancel_option": _("Year 4 technique: cancel the next option"),
    "pin_receptacle": _("Year 5 technique: pin the receptacle"),
    "neutralise_arena": _("Year 6 technique: neutralise the arena"),
    "convert_points": _("Year 7 technique: convert points"),
}
THE_OPTION: Words = {
    "rough_skin": _("the rough skin"),
    "gaping_hole": _("the gaping hole"),
    "regenerating_sap": _("the regenerating sap"),
    "stealth_thrust": _("the stealth thrust"),
    "time_capsule": _("the time capsule"),
    "move_receptacle": _("the year 1 technique (moving the receptacle)"),
    "change_arena": _("the year 2 technique (changing the arena)"),
    "repair_receptacle": _("the year 3 technique (repairing the receptacle)"),
    "cancel_option": _("the year 4 technique (cancelling the next option)"),
    "pin_receptacle": _("the year 5 technique (pinning the receptacle)"),
    "neutralise_arena": _("the year 6 technique (neutralising the arena)"),
    "convert_points": _("the year 7 technique (converting points)"),
}

RULESETS: Words = {"arena": _("Arena duel"), "spells": _("Spell duel")}
ARENAS: Words = {
    "playful_sand": _("Playful sand field"),
    "runic_rocks": _("Runic rocks"),
    "verdant_circles": _("Verdant circles"),
    "four_winds": _("Plain of the four winds"),
}
THE_ARENA: Words = {
    "playful_sand": _("the playful sand field"),
    "runic_rocks": _("the runic rocks"),
    "verdant_circles": _("the verdant circles"),
    "four_winds": _("the plain of the four winds"),
}

KINDS: Words = {
    "training": _("training duel"),
    "clandestine": _("clandestine duel"),
    "tournament": _("tournament duel"),
}
EDITIONS: Words = {"beta": _("beta version"), "classic": _("classic version")}
GAUGES: Words = {
    "link": _("link points"),
    "alchemy": _("alchemy points"),
    "fatigue": _("fatigue points"),
    "magic": _("magic points"),
}
PHASES: Words = {"action": _("action"), "defence": _("defence")}
ARTICLES: Words = {
    "A2": _("article 2, puppet and duellist"),
    "A3": _("article 3, kinds of duel"),
    "A4": _("article 4, preparation"),
    "A5": _("article 5, publication"),
    "A6": _("article 6, length of a turn and infractions"),
    "A7": _("article 7, time-out"),
    "A8": _("article 8, the thrust"),
    "A9": _("article 9, the parry"),
    "A10": _("article 10, transformations"),
    "A11": _("article 11, secret techniques"),
    "A12": _("article 12, the arena"),
    "A13": _("article 13, the end"),
    "A14": _("article 14, refereeing"),
    "B1": _("section 1, who may duel"),
    "B2": _("section 2, wands, gauges and posts"),
    "B3": _("section 3, stage, turn and end"),
    "B4": _("section 4, casting, moving, defending"),
    "B5": _("section 5, losing points"),
    "B6": _("section 6, faults"),
    "B7": _("section 7, traits"),
}
MODES: Words = {"rp": _("role play"), "free": pgettext_lazy("mode of a duel", "free")}
TRAITS: Words = {
    "legilimens": _("Legilimens"),
    "occlumens": _("Occlumens"),
    "dark_mage": _("dark mage"),
    "wandless": _("magic without a wand"),
}
DIRECTIONS: Words = {"up": _("up"), "down": _("down"), "left": _("to the left"), "right": _("to the right")}

ENDINGS: Words = {
    "link_broken": _("link broken"),
    "alchemy": _("decided by alchemy"),
    "extra_turn": _("decided by the extra turn"),
    "first_post": _("decided by the first publication"),
    "infractions": _("third infraction"),
    "discovered": _("discovered by a teacher"),
    "surrender": _("surrender"),
    "wall": _("decided at the end of the round"),
    "draw": _("draw"),
    "fatigue": _("exhaustion"),
    "disqualified": _("disqualification"),
    "absence": pgettext_lazy("how a duel ended", "absence"),
}


def year_name(year: int | str | None) -> str:
    """Return the year of study in words; "adult" or None: an adult."""
    if year in (None, "adult"):
        return gettext("adult")
    return gettext("year 1") if year == 1 else gettext("year %(year)s") % {"year": year}


def figure(number: int) -> str:
    """Return a number as it is printed, with a minus sign and not a hyphen: "−2"."""
    return f"−{-number}" if number < 0 else str(number)


def points(gauge: str | None, number: int) -> str:
    """Return "1 link point", "2 alchemy points"."""
    if gauge == "alchemy":
        said = ngettext("%(number)d alchemy point", "%(number)d alchemy points", number)
    elif gauge == "fatigue":
        said = ngettext("%(number)d fatigue point", "%(number)d fatigue points", number)
    elif gauge == "magic":
        said = ngettext("%(number)d magic point", "%(number)d magic points", number)
    else:
        said = ngettext("%(number)d link point", "%(number)d link points", number)
    return ("−" if number < 0 else "") + said % {"number": abs(number)}


def of(name: str) -> str:
    """Return the genitive of a person's name: "Ana’s"; in French "d’Ana", "de Léon"."""
    if _is_french():
        return f"d’{name}" if _elides(name) else f"de {name}"
    return f"{name}’s"


def date_name(day: dt.date) -> str:
    """Return a date in words; in French the first of a month is « 1er »."""
    said = date_format(day, "DATE_FORMAT")
    return f"1er{said[1:]}" if day.day == 1 and _is_french() else said


def _is_french() -> bool:
    return (get_language() or "").startswith("fr")


_VOWELS = frozenset("aeiouœæ")


def _elides(name: str) -> bool:
    """Whether French drops the e of "de" before a name: a vowel, a mute h (as in Hector), a y before a consonant."""
    first, *rest = list(unicodedata.normalize("NFD", name).lower())
    if first == "y":
        return not _VOWELS.intersection(rest[:1])
    return first in _VOWELS or first == "h"


def enumeration(parts: list[str]) -> str:
    """Return "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    *before, last = parts
    return gettext("%(first)s and %(last)s") % {"first": ", ".join(before), "last": last}
