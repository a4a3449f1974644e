"""What a referee's amendments have changed: between the turn as it was computed first and as it is published."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from duels import secrets

if TYPE_CHECKING:
    from duels.models import Duel
    from rules.core import Event

Json = dict[str, Any]


class Change(NamedTuple):
    """An event that the turn, worked out again, has no longer or has now."""

    sign: Literal["−", "+"]
    event: Json


def difference(old: Sequence[Json], new: Sequence[Json]) -> tuple[Change, ...]:
    """Return which events of `old` are gone in `new`, and which are new, in their order."""
    texts = [[json.dumps(event, sort_keys=True) for event in events] for events in (old, new)]
    changes: list[Change] = []
    for _tag, i, j, k, m in SequenceMatcher(a=texts[0], b=texts[1], autojunk=False).get_opcodes():
        if texts[0][i:j] != texts[1][k:m]:
            changes += [Change("−", event) for event in old[i:j]]
            changes += [Change("+", event) for event in new[k:m]]
    return tuple(changes)


def public_difference(duel: Duel, old: Sequence[Event], new: Sequence[Event], *, over: bool) -> tuple[Change, ...]:
    """Return of the difference what anybody may read; everything, once the duel is over."""
    told = [tuple(events) if over else duel.rules.redact_difference(tuple(events)) for events in (old, new)]
    return difference(*(secrets.plain(duel, events) for events in told))
