"""Seats are names only, and what is written down can be read again."""

import json
from random import Random

import msgspec
from hypothesis import given

import rules
from rules.arena import filing
from rules.arena.cases import CODES
from rules.core import Adjustment, Filed, Inputs
from rules.dice import ScriptedDice
from tests.rules import play
from tests.rules.arena_properties.knowledge import OTHER
from tests.rules.arena_properties.test_secrets import DUELS, plain

ARENA = rules.get("arena")


def swapped(value):
    """A JSON value with the seats a and b exchanged, wherever they stand as keys or values."""
    if isinstance(value, dict):
        return {OTHER.get(key, key): swapped(held) for key, held in value.items()}
    if isinstance(value, list):
        return [swapped(held) for held in value]
    return OTHER.get(value, value) if isinstance(value, str) else value


def swapped_inputs(inputs):
    return Inputs(
        filings=tuple(Filed(OTHER[filed.seat], filed.content) for filed in inputs.filings),
        infractions={OTHER[seat]: found for seat, found in inputs.infractions.items()},
        choices={OTHER[seat]: zone for seat, zone in inputs.choices.items()},
        surrender=OTHER.get(inputs.surrender),
        agreed_draw=inputs.agreed_draw,
        adjustments=tuple(Adjustment(OTHER[one.seat], one.gauge, one.points) for one in inputs.adjustments),
    )


def in_any_order(events):
    return sorted(json.dumps(event, sort_keys=True) for event in events)


@given(DUELS)
def test_swapping_the_seats_swaps_the_result(number):
    random = Random(number)
    state = play.started(random, ARENA)
    while ARENA.status(state).outcome is None:
        dice = play.RandomDice(random)
        state = ARENA.open(state, dice).state
        if ARENA.status(state).outcome is not None:
            return
        inputs = play.inputs(random, ARENA, state, play.LIVELY)
        step = ARENA.resolve(state, inputs, dice)
        mirror = ARENA.decode_state(json.dumps(swapped(plain(state))).encode())
        mirrored = ARENA.resolve(mirror, swapped_inputs(inputs), ScriptedDice(dice.rolled))
        assert plain(mirrored.state) == swapped(plain(step.state))
        assert in_any_order(plain(mirrored.events)) == in_any_order(swapped(plain(step.events)))
        state = step.state


@given(DUELS)
def test_states_and_events_survive_their_json(number):
    for turn in play.duel(Random(number), ARENA):
        for state in (turn.before, turn.opened.state, turn.closed.state):
            assert ARENA.decode_state(ARENA.encode(state)) == state
        for events in (turn.opened.events, turn.closed.events):
            assert ARENA.decode_events(ARENA.encode(events)) == events


@given(DUELS)
def test_filings_survive_their_json(number):
    for turn in play.duel(Random(number), ARENA):
        for filed in turn.inputs.filings:
            declaration = filing.read(filed.content)
            assert filing.read(json.loads(ARENA.encode(declaration))) == declaration
            assert msgspec.json.decode(msgspec.json.encode(turn.inputs), type=Inputs) == turn.inputs


@given(DUELS)
def test_the_same_turn_played_twice_gives_the_same(number):
    for turn in play.duel(Random(number), ARENA):
        if ARENA.status(turn.opened.state).outcome is None:
            before = ARENA.encode(turn.opened.state)
            dice = play.RandomDice(Random(number))
            first = ARENA.resolve(turn.opened.state, turn.inputs, dice)
            again = ARENA.resolve(turn.opened.state, turn.inputs, ScriptedDice(dice.rolled))
            assert first == again
            assert ARENA.encode(turn.opened.state) == before


def test_random_duels_meet_everything_that_can_happen():
    """Were some event or ending never met, the properties would say nothing of it."""
    codes, endings = set(), set()
    for number in range(150):
        for turn in play.duel(Random(number), ARENA):
            codes |= {event.code for event in (*turn.opened.events, *turn.closed.events)}
            outcome = ARENA.status(turn.closed.state).outcome
            endings |= {outcome.by} if outcome else set()
    assert codes == CODES
    assert endings == {
        "link_broken", "alchemy", "extra_turn", "first_post", "infractions", "discovered", "surrender", "draw",
    }  # fmt: skip
