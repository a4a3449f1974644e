"""What the referee rules on a turn before publishing it: inputs to a new computation (A6.2, A14.1, B6.2, B6.5)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from duels import clock, secrets
from duels.errors import Invalid
from duels.models import Duel, Entry, Phase
from duels.queries.waiting import review_of
from rules.dice import SealedDice
from rules.parts import MOST_POINTS

from .granted import standing_rulings
from .ledger import append, held, tell
from .sendings import done, once
from .turns import inputs_of, require_review, require_unannounced, work_out

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.contrib.auth.models import User

    Ruled = Callable[[Duel, Phase], dict[str, Any]]

LONGEST_REASON = 1000  # characters


class Place(NamedTuple):
    """Which phase of which duel a referee rules on."""

    user: User
    duel_id: int
    turn: int
    name: str


def rule_invalid(
    *, user: User, duel_id: int, turn: int, seat: str, reason: str, name: str = "turn", ground: str = ""
) -> Duel:
    """Find a publication at fault, on a ground of the ruleset, and say why (A6.2, B6.2).

    Raises NotAllowed, TooLate, Invalid.
    """

    def ruled(duel: Duel, phase: Phase) -> dict[str, Any]:
        if seat not in phase.filed:
            raise Invalid(_("Nothing was published for this seat in this turn."), "seat")
        if any(_is_on(entry, "invalid_post", seat=seat) for entry in standing_rulings(phase)):
            raise Invalid(_("This publication is already marked invalid."), "seat")
        return {"ruling": "invalid_post", "seat": seat, **_ground(duel, ground)}

    return _rule(Place(user, duel_id, turn, name), reason, ruled)


def _ground(duel: Duel, code: str) -> dict[str, str]:
    if not code:
        return {}
    for ground in duel.rules.grounds:
        if ground.code == code:
            return {"ground": code, "fault": ground.fault, "rule": ground.rule}
    raise Invalid(_("Say which rule the publication breaks."), "ground")


def replace_die(*, user: User, duel_id: int, turn: int, label: str, face: int, reason: str, name: str = "turn") -> Duel:
    """Let a die that was rolled elsewhere count instead of the duel's own, and say why.

    Raises NotAllowed, TooLate, Invalid.
    """

    def ruled(duel: Duel, phase: Phase) -> dict[str, Any]:
        dice = dice_of(duel, phase)
        if label not in dice:
            raise Invalid(_("No such die was rolled in this turn."), "label")
        if any(_is_on(entry, "die", label=label) for entry in standing_rulings(phase)):
            raise Invalid(_("This die is replaced already: take that back first."), "label")
        faces, drawn = dice[label]
        if not 1 <= face <= faces:
            raise Invalid(_("This die has the faces 1 to %(faces)d.") % {"faces": faces}, "face")
        return {"ruling": "die", "label": label, "faces": faces, "drawn": drawn, "face": face}

    return _rule(Place(user, duel_id, turn, name), reason, ruled)


def dice_of(duel: Duel, phase: Phase) -> dict[str, tuple[int, int]]:
    """Return the dice that a locked phase of a duel that is held rolls: label → faces, and the face of the seed."""
    dice: SealedDice = secrets.dice_of(duel, phase)
    state = secrets.state(duel)
    duel.rules.resolve(state, inputs_of(duel, phase, state), dice)
    return dice.rolled


def adjust_points(
    *,
    user: User,
    duel_id: int,
    turn: int,
    seat: str,
    gauge: str,
    points: int,
    reason: str,
    name: str = "turn",
    sending: uuid.UUID | None = None,
) -> Duel:
    """Give points of a gauge to a seat, or take them (`points` below 0), and say why (A14.1, B6.5).

    Raises NotAllowed, TooLate, Invalid, AlreadySent.
    """

    def ruled(duel: Duel, phase: Phase) -> dict[str, Any]:
        if seat not in duel.cast:
            raise Invalid(_("Say whose points they are."), "seat")
        if gauge not in duel.rules.gauges:
            raise Invalid(_("Say which points they are."), "gauge")
        if not points or abs(points) > MOST_POINTS:
            message = ngettext(
                "At least 1 point, at most %(most)d.", "At least 1 point, at most %(most)d.", MOST_POINTS
            )
            raise Invalid(message % {"most": MOST_POINTS}, "points")
        rule = duel.rules.adjustment_rule
        return {"ruling": "adjustment", "seat": seat, "gauge": gauge, "points": points, "rule": rule}

    return _rule(Place(user, duel_id, turn, name), reason, ruled, sending)


def note_ruling(
    *, user: User, duel_id: int, turn: int, reason: str, name: str = "turn", sending: uuid.UUID | None = None
) -> Duel:
    """Note a ruling that changes no figure, in words, for all to read.

    Raises NotAllowed, TooLate, Invalid, AlreadySent.
    """
    return _rule(Place(user, duel_id, turn, name), reason, lambda _duel, _phase: {"ruling": "note"}, sending)


def withdraw_ruling(*, user: User, duel_id: int, turn: int, index: int, reason: str, name: str = "turn") -> Duel:
    """Take back the ruling whose entry has that index, and say why. Raises NotAllowed, TooLate, Invalid."""

    def ruled(_duel: Duel, phase: Phase) -> dict[str, Any]:
        for entry in standing_rulings(phase):
            if entry.index == index:
                said = {key: value for key, value in entry.public.items() if key not in _OF_EACH}
                return {**said, "withdraws": index}
        raise Invalid(_("There is no such ruling to take back: it was taken back already."))

    return _rule(Place(user, duel_id, turn, name), reason, ruled)


_OF_EACH = ("reason", "phase", "official")  # parts of a ruling that are its own, whatever it takes back


def _rule(place: Place, reason: str, ruled: Ruled, sending: uuid.UUID | None = None) -> Duel:
    """Add a ruling to the log, and work the turn out again; `ruled` checks it, and returns its public part.

    What could stand twice comes with the key of its form (`sending`); of a fault or a die there is one.
    """
    now = clock.now()
    with held(place.duel_id) as duel:
        phase = require_review(duel, place.user, place.turn, place.name)
        require_unannounced(phase)
        public = {**ruled(duel, phase), "reason": _reason(reason)}
        sent = once(place.user, sending, public, at=now)
        append(duel, "ruling", at=now, phase=phase, public=public, by=place.user)
        work_out(duel, phase, at=now)
        tell(duel, "ruled", at=now, turn=place.turn, concerns=[place.user.pk])
        done(sent, f"{review_of(phase)}#amendments")
    return duel


def _reason(reason: str) -> str:
    said = reason.strip()
    if not said:
        raise Invalid(_("Say why: the reason is published with the resolution."), "reason")
    if len(said) > LONGEST_REASON:
        raise Invalid(_("This reason is too long: 1,000 characters at most."), "reason")
    return said


def _is_on(entry: Entry, ruling: str, **about: str) -> bool:
    said = {"ruling": ruling, **about}
    return {key: entry.public.get(key) for key in said} == said
