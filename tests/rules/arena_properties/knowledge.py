"""Who sees what, stated once more and on its own: the table of the arena's rules, on plain JSON.

Nothing here asks the rules engine: the tests compare what it shows with what this says may be shown.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.rules.play import OPTIONS, ZONES

SEALED_OPTIONS = {"cancel_option", "pin_receptacle"}
OTHER = {"a": "b", "b": "a"}


def told(event: dict[str, Any], audience: str) -> dict[str, Any] | None:
    """What `audience` may read of an event while the duel runs; None: not even that it happened."""
    if audience in ("referee", event.get("seat")):
        return event
    code, option = event["code"], event.get("option")
    if code == "option_used" and option in SEALED_OPTIONS:
        return None
    if code == "failed_option" and (option in SEALED_OPTIONS or event["rule"] in ("A10.7a", "A11.0")):
        return None
    hidden = {"zones"}
    if code == "repetition" or (code == "insufficient" and option in SEALED_OPTIONS):
        hidden |= {"option", "to"}
    shown = {key: value for key, value in event.items() if key not in hidden}
    # A10.8 or A11.4 would tell whether the option repeated is a transformation or a technique.
    return {**shown, "rule": "A5.1"} if code == "repetition" else shown


class Known:
    """What the published resolutions tell of each receptacle: its zone from when it is pierced until it moves."""

    def __init__(self) -> None:
        self.receptacle: dict[str, str | None] = {"a": None, "b": None}

    def learn(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            if event["code"] == "pierced":
                self.receptacle[event["seat"]] = event["zone"]
            elif event["code"] == "option_used" and event["option"] == "move_receptacle":
                self.receptacle[event["seat"]] = None


def with_other_secrets(random: Random, state: dict[str, Any], seat: str) -> dict[str, Any]:
    """The same state but for what only `seat` knows of itself: all of it drawn anew."""
    puppet = dict(state[seat])
    if not puppet.get("known"):
        puppet["receptacle"] = random.choice(ZONES)
    for effects in ("rough_skin", "decoys"):
        last = [state.get("turn", 1) + random.randint(0, 2) for _ in range(random.randint(0, 2))]
        puppet[effects] = [{"zone": random.choice(ZONES), "last": turn} for turn in last]
    for armed in ("cancel_armed", "pin_armed"):
        puppet[armed] = random.random() < 0.5
    puppet["last_option"] = random.choice((None, *OPTIONS))
    puppet["techniques_used"] = random.randint(0, 8)
    return {**state, seat: puppet}
