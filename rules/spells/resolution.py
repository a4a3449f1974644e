"""Closing a phase: the first declaration, the second one, and the end of the turn (« A turn »)."""

from __future__ import annotations

from rules.core import Adjustment, Dice, Inputs, RulesError
from rules.spells import filing
from rules.spells.acting import act_on
from rules.spells.casting import effects_of
from rules.spells.ending import agreed_draw, at_the_wall, end_of_turn, look
from rules.spells.filing import Post
from rules.spells.playing import play_post
from rules.spells.state import Event, Insight, State, UnderWay
from rules.spells.terms import ABSENCE_COSTS, GAUGES, Order, SeatName, seat_of
from rules.spells.turn import Turn, begin, fault_of

_LATE = "late"  # how the record names an absence


def resolve(state: State, inputs: Inputs, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """Return the state after the open phase, and what happened.

    Seats that are awaited and stand in no filing are absent (B6.1). Raises RulesError if the duel is over already
    or the inputs cannot be played.
    """
    if state.outcome is not None:
        raise RulesError("the duel is over: nothing more is resolved")
    turn = begin(state, dice, tuple(_checked(state, adjustment) for adjustment in inputs.adjustments))
    if inputs.agreed_draw:
        agreed_draw(turn)
    elif inputs.wall:
        at_the_wall(turn, tuple(map(seat_of, inputs.absent)))
    else:
        _surrenders(turn, inputs)
    if turn.outcome is None:
        _declare(turn, inputs)
    if turn.outcome is None and state.phase == "action" and _called(turn):
        return turn.to_defence(), tuple(turn.events)
    end_of_turn(turn)
    return turn.to_next_turn(), tuple(turn.events)


def _checked(state: State, adjustment: Adjustment) -> Adjustment:
    state.duellist(adjustment.seat)
    if adjustment.gauge not in GAUGES:
        raise RulesError(f"unknown gauge {adjustment.gauge!r}: one of {', '.join(GAUGES)}")
    return adjustment


def _surrenders(turn: Turn, inputs: Inputs) -> None:
    """B3.3.1: out before the declaration, and in the eyes of those who posted too."""
    for named in inputs.surrenders or ((inputs.surrender,) if inputs.surrender else ()):
        seat = seat_of(named)
        if turn.state.duellist(seat).out is None and turn.is_in(seat):
            turn.put_out(seat, "surrender", "B3.3.1")
    turn.began = dict(turn.duellists)
    look(turn)


def _declare(turn: Turn, inputs: Inputs) -> None:
    """Absences, then posts in their order, then (second declaration) what got through."""
    posts, faults = _posts(turn, inputs)
    for seat in turn.state.awaited:
        if seat not in posts and turn.is_in(seat):
            _absence(turn, seat)
    for seat, post in posts.items():
        play_post(turn, seat, post, fault_of(faults[seat]) if seat in faults else None)
    if turn.state.phase == "defence":
        for spell in turn.under_way:
            _land(turn, spell)
    look(turn)


def _posts(turn: Turn, inputs: Inputs) -> tuple[dict[SeatName, Post], dict[SeatName, str]]:
    """The posts in the order in which they are played, and the faults found in them outside."""
    faults = {seat_of(seat): fault for seat, fault in inputs.infractions.items()}
    posts: dict[SeatName, Post] = {}
    for filed in inputs.filings:
        seat = seat_of(filed.seat)
        if seat not in turn.state.awaited:
            raise RulesError(f"seat {seat} is not called in this phase")
        if seat in posts:
            raise RulesError(f"seat {seat} filed twice: only its last filing counts")
        if faults.get(seat) != _LATE:
            posts[seat] = _read(turn.state, seat, filed.content)
    return _ordered(turn.state, posts), faults


def _read(state: State, seat: SeatName, content: object) -> Post:
    try:
        post = filing.read(content, state.phase)
    except RulesError as error:
        raise RulesError(f"post of {seat}: {error}") from error
    for step in post.steps:
        if isinstance(step, filing.Cast) and step.spell not in state.spells:
            raise RulesError(f"post of {seat}: the book has no spell {step.spell!r}")
    return post


def _ordered(state: State, posts: dict[SeatName, Post]) -> dict[SeatName, Post]:
    """B7.1: a sealed post is published with that of the Legilimens, and so played beside it, before or after as they
    say: behind whatever others published meanwhile (B4.3).
    """
    order = list(posts)
    said = [one for one in state.insights if state.phase == "action" and _says(posts, one) and one.target in posts]
    said.sort(key=lambda one: order.index(one.caster), reverse=True)
    settled: set[SeatName] = set()
    for insight in said:  # the last who had to see a post has it published; others come beside it
        is_before = _says(posts, insight) == "before"
        if insight.target in settled:
            _put_beside(order, insight.caster, insight.target, after=not is_before)
        else:
            _put_beside(order, insight.target, insight.caster, after=is_before)
            settled.add(insight.target)
    return {seat: posts[seat] for seat in order}


def _put_beside(order: list[SeatName], seat: SeatName, other: SeatName, *, after: bool) -> None:
    order.remove(seat)
    order.insert(order.index(other) + after, seat)


def _says(posts: dict[SeatName, Post], insight: Insight) -> Order | None:
    return posts[insight.caster].order if insight.caster in posts else None


def _absence(turn: Turn, seat: SeatName) -> None:
    """B6.1"""
    absences = turn.duellists[seat].absences + 1
    turn.change(seat, absences=absences)
    if absences > len(ABSENCE_COSTS):
        turn.tell("absence", seat, "B6.1")
        turn.put_out(seat, "disqualified", "B6.1")
        return
    points = ABSENCE_COSTS[absences - 1]
    turn.tell("absence", seat, "B6.1", gauge="fatigue", points=points)
    turn.lose(seat, "fatigue", points)


def _called(turn: Turn) -> bool:
    """Whether a spell is under way that somebody can answer; those whose caster is out are so no more."""
    turn.under_way = [spell for spell in turn.under_way if turn.is_in(spell.caster) and turn.is_in(spell.target)]
    return bool(turn.under_way)


def _land(turn: Turn, spell: UnderWay) -> None:
    """B4.2.1, B4.2.2, B4.3b: nothing, dodged, stopped, or its effects."""
    caster, target = spell.caster, spell.target
    if caster in turn.failed or not turn.is_in(caster) or not turn.is_in(target):
        return
    if target in turn.dodgers and _is_first(turn, spell):
        return
    if turn.shields.get(target, 0):
        turn.shields[target] -= 1
        turn.tell("shielded", target, "B4.2.2", spell=spell.spell, by=caster)
        return
    effects = effects_of(turn.state.spells[spell.spell], modulation=spell.modulation, bonus=spell.bonus)
    act_on(turn, caster, spell.spell, (target,), effects)


def _is_first(turn: Turn, spell: UnderWay) -> bool:
    """B4.2.1: only the first cast of those under way as the phase began can be dodged."""
    return next(one for one in turn.state.under_way if one.target == spell.target) == spell
