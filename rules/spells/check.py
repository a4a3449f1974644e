"""What there is to say of a post: never raises, whatever the post is.

Errors whose code is in `CORRECTABLE` are those that the right to correct is for (B6.4): the post may be published
with them all the same, and is then at fault unless it is corrected.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from rules.core import Finding, RulesError, Seat
from rules.spells import filing
from rules.spells.casting import Casting, Scene
from rules.spells.filing import Cast, Climb, Move, Post, Step
from rules.spells.judgement import judge, misshapen
from rules.spells.standing import may_be_lifted, out_of_range, scene_of
from rules.spells.state import State
from rules.spells.terms import SeatName, seat_of

CORRECTABLE = frozenset({"missing_zone", "missing_target", "missing_bet"})
_CLOSED = Finding("error", "duel_over", "post", "B3.3.1")
_NOT_CALLED = Finding("error", "not_called", "post", "B4.2.1")
_MALFORMED = Finding("error", "malformed", "post", "B6.2")
_NO_ORDER = Finding("error", "unexpected", "order", "B7.1")


def check(state: State, seat: Seat, content: Any) -> tuple[Finding, ...]:
    """Return the errors of a post; if it has none, the faults that it risks and its warnings."""
    duellist = seat_of(seat)
    state.duellist(seat)
    if state.outcome is not None:
        return (_CLOSED,)
    if duellist not in state.awaited:
        return (_NOT_CALLED,)
    try:
        post = filing.read(content, state.phase)
    except RulesError:
        return (_malformed(content, state.phase),)
    unknown = _unknown_spells(state, post)
    return unknown or tuple(_findings(state, duellist, post))


def _malformed(content: Any, phase: str) -> Finding:
    """The first step that cannot be read, by its place; the post if it is not even a list of them."""
    steps = content.get("steps") if isinstance(content, dict) else None
    if phase == "action" and isinstance(steps, list):
        for place, step in enumerate(steps, 1):
            try:
                filing.read({"steps": [step]}, "action")
            except RulesError:
                return Finding("error", "malformed", f"steps {place}", "B6.2")
    return _MALFORMED


def _unknown_spells(state: State, post: Post) -> tuple[Finding, ...]:
    unknown = any(isinstance(step, Cast) and step.spell not in state.spells for step in post.steps)
    return (Finding("error", "unknown", "spell", "B2.2"),) if unknown else ()


def _findings(state: State, seat: SeatName, post: Post) -> Iterator[Finding]:
    if post.order is not None and not any(one.caster == seat for one in state.insights):
        yield _NO_ORDER
    fault = misshapen(post.steps)
    if fault is not None:
        yield fault
        return
    scene = ahead = scene_of(state, seat)
    for step in post.steps:
        finding = judge(scene, step)
        if finding is None:
            yield from _warnings(ahead, step)
            scene, ahead = scene.after_paying(step), _moved(ahead, step)
        else:
            yield may_be_lifted(state, seat, finding) or finding


def _moved(scene: Scene, step: Step) -> Scene:
    """Where one stands when the next step is played: what it can reach is measured from there (B3.1.3)."""
    if not isinstance(step, Move | Climb) or step.to is None:
        return scene
    return replace(scene, duellists={**scene.duellists, scene.seat: replace(scene.me, zone=step.to)})


def _warnings(scene: Scene, step: Step) -> Iterator[Finding]:
    if isinstance(step, Cast):
        yield from out_of_range(Casting(scene, scene.spells[step.spell], step))
    elif isinstance(step, Move | Climb) and step.to == scene.me.zone:
        yield Finding("warning", "no_effect", "move", "B4.2")
