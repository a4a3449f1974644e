"""What the parts of a record are called, and what stands in them, in the reader's language."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from . import names
from .names import Words
from .rulings import GROUNDS
from .spells import FAULTS

PARTS: Words = {
    "above_level": gettext_lazy("above one’s level"),
    "above_level_used": gettext_lazy("spell above one’s level, used"),
    "absences": gettext_lazy("absences"),
    "absent": gettext_lazy("who is absent"),
    "action_faults": gettext_lazy("faults in posts"),
    "adjustments": gettext_lazy("points given or taken"),
    "age": gettext_lazy("age"),
    "alchemy": gettext_lazy("alchemy points"),
    "alchemy_max": gettext_lazy("most alchemy points"),
    "arena": gettext_lazy("arena"),
    "awaited": gettext_lazy("who is awaited"),
    "bet": gettext_lazy("bet"),
    "bonus": gettext_lazy("bonus"),
    "bound": gettext_lazy("bound"),
    "branch": gettext_lazy("correction"),
    "by": gettext_lazy("by what, or by whom"),
    "cancel_armed": gettext_lazy("cancelling armed"),
    "capsule": gettext_lazy("time capsule"),
    "capsule_turns": gettext_lazy("turns of the time capsule"),
    "cast": gettext_lazy("spells cast in this turn"),
    "cast_before": gettext_lazy("spells cast in the turn before"),
    "caster": gettext_lazy("who casts"),
    "choice": gettext_lazy("zone to name"),
    "code": gettext_lazy("what happened"),
    "commitment": gettext_lazy("seal of the dice"),
    "dark_mage": gettext_lazy("dark mage"),
    "decoys": gettext_lazy("decoys"),
    "descriptions": gettext_lazy("descriptions"),
    "direction": gettext_lazy("direction"),
    "disabled": gettext_lazy("disabled zones"),
    "discovered": gettext_lazy("discovery"),
    "duellists": gettext_lazy("duellists"),
    "early": gettext_lazy("early start"),
    "edition": gettext_lazy("version of the rules"),
    "effects": gettext_lazy("effects"),
    "extra_turn": gettext_lazy("extra turn"),
    "face": gettext_lazy("face of the die"),
    "fatigue": gettext_lazy("fatigue points"),
    "fatigue_max": gettext_lazy("most fatigue points"),
    "fault": gettext_lazy("fault"),
    "first_post": gettext_lazy("who published first"),
    "floored": gettext_lazy("began on the floor"),
    "format": gettext_lazy("format"),
    "gained": gettext_lazy("points won"),
    "gauge": gettext_lazy("gauge"),
    "half_cost": gettext_lazy("half the cost"),
    "hazards": gettext_lazy("zones that hurt"),
    "helps_partner": gettext_lazy("helps the partner"),
    "hours": gettext_lazy("hours of a turn"),
    "infraction": gettext_lazy("infraction"),
    "infractions": gettext_lazy("infractions"),
    "insights": gettext_lazy("posts that a Legilimens sees first"),
    "jinxed": gettext_lazy("jinxed"),
    "kind": gettext_lazy("kind of duel"),
    "known": gettext_lazy("receptacle known to everybody"),
    "last": gettext_lazy("last turn of it"),
    "last_cast": gettext_lazy("last spells cast"),
    "last_option": gettext_lazy("last option"),
    "last_parry": gettext_lazy("last parry"),
    "last_thrust": gettext_lazy("last thrust"),
    "last_turn": gettext_lazy("last turn of it"),
    "late": gettext_lazy("who is late"),
    "late_preparation": gettext_lazy("receptacle hidden late"),
    "legilimens": gettext_lazy("Legilimens"),
    "level": gettext_lazy("level"),
    "link": gettext_lazy("link points"),
    "link_max": gettext_lazy("most link points"),
    "magic": gettext_lazy("magic points"),
    "magic_max": gettext_lazy("most magic points"),
    "mode": gettext_lazy("mode"),
    "modulation": gettext_lazy("modulation"),
    "name": gettext_lazy("name"),
    "names": gettext_lazy("names"),
    "neutralised": gettext_lazy("arena neutralised"),
    "occlumens": gettext_lazy("Occlumens"),
    "on_floor": gettext_lazy("on the floor"),
    "option": gettext_lazy("option"),
    "out": gettext_lazy("out of the duel"),
    "outcome": gettext_lazy("end of the duel"),
    "owes_choice": gettext_lazy("zone to name"),
    "parry": gettext_lazy("parry"),
    "phase": gettext_lazy("phase"),
    "pierced": gettext_lazy("receptacle pierced"),
    "pin_armed": gettext_lazy("pinning armed"),
    "points": gettext_lazy("points"),
    "prodigium": gettext_lazy("prodigium"),
    "protected": gettext_lazy("neutralised until turn"),
    "protected_until": gettext_lazy("neutralised until turn"),
    "quiet_turns": gettext_lazy("turns without a blow"),
    "range": gettext_lazy("range"),
    "reach": gettext_lazy("reach"),
    "receptacle": gettext_lazy("receptacle"),
    "rough_skin": gettext_lazy("rough skin"),
    "rule": gettext_lazy("rule"),
    "scope": gettext_lazy("whom it covers"),
    "seat": gettext_lazy("who"),
    "silenced": gettext_lazy("silenced"),
    "since": gettext_lazy("since turn"),
    "spell": gettext_lazy("spell"),
    "spells": gettext_lazy("spells"),
    "starts_at": gettext_lazy("start"),
    "stealth": gettext_lazy("stealth thrust"),
    "stealth_ready": gettext_lazy("stealth thrust ready"),
    "step": gettext_lazy("step of the post"),
    "stirred": gettext_lazy("a blow in this turn"),
    "summons": gettext_lazy("creatures"),
    "tags": gettext_lazy("kinds of spell"),
    "target": gettext_lazy("target"),
    "team": gettext_lazy("team"),
    "technique_limit": gettext_lazy("limit of secret techniques"),
    "techniques_used": gettext_lazy("secret techniques used"),
    "thrust": gettext_lazy("thrust"),
    "to": gettext_lazy("into which gauge, or where"),
    "traits": gettext_lazy("traits"),
    "traits_used": gettext_lazy("traits used"),
    "turn": gettext_lazy("turn"),
    "turn_hours": gettext_lazy("hours of a turn"),
    "turns": gettext_lazy("turns"),
    "turns_left": gettext_lazy("turns left"),
    "type": gettext_lazy("type of magic"),
    "types": gettext_lazy("types of magic"),
    "under_way": gettext_lazy("spells under way"),
    "used": gettext_lazy("spells whose uses count"),
    "uses": gettext_lazy("uses"),
    "version": gettext_lazy("version"),
    "void_zone": gettext_lazy("void zone"),
    "wand": gettext_lazy("wand in hand"),
    "wandless": gettext_lazy("magic without a wand"),
    "winner": gettext_lazy("winner"),
    "year": gettext_lazy("year of study"),
    "zone": gettext_lazy("zone"),
    "zones": gettext_lazy("zones"),
}
_HOLDERS = frozenset({"seats", "state", "terms", "setup"})  # what they hold says it all
_VALUES: Words = {
    **names.ZONES, **names.OPTIONS, **names.ARENAS, **names.KINDS, **names.EDITIONS, **names.GAUGES, **names.PHASES,
    **names.MODES, **names.TRAITS, **names.DIRECTIONS, **names.ENDINGS, **FAULTS, **GROUNDS,
}  # fmt: skip


def part_name(path: str, cast: Mapping[str, Any]) -> str:
    """Return what the part at a path of a record is called: "Maude, link points" of "seats.a.link"."""
    return ", ".join(_step(step, cast) for step in path.split(".") if step not in _HOLDERS)


def _step(step: str, cast: Mapping[str, Any]) -> str:
    if step in cast:
        return str(cast[step]["name"])
    if step.isdecimal() and len(step) < 6:
        return _("no. %(number)s") % {"number": int(step) + 1}
    return str(PARTS.get(step) or _("“%(written)s”") % {"written": f"{step:.40}"})


def value_name(value: Any, cast: Mapping[str, Any]) -> str | None:
    """Return a value of a record as readers say it; None of one for which the site has no words."""
    match value:
        case None:
            return _("nothing")
        case bool():
            return _("yes") if value else _("no")
        case int() if abs(value) < 10**6:
            return names.figure(value)
        case str() if value in cast:
            return str(cast[value]["name"])
        case str() if value in _VALUES:
            return str(_VALUES[value])
        case str():
            return _instant(value)
    return None


def _instant(written: str) -> str | None:
    try:
        at = dt.datetime.fromisoformat(written)
        return date_format(timezone.localtime(at), "DATETIME_FORMAT")
    except (ValueError, OverflowError):
        return None
