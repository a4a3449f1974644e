"""What holds in every spell duel, whoever plays and however badly."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

import rules
from rules.core import Inputs
from rules.spells.terms import gauges
from tests.rules import spells_play as play
from tests.rules.play import RandomDice

SPELLS = rules.get("spells")
FEW = settings(max_examples=max(settings().max_examples // 10, 1))
numbers = st.integers(0, 2**32)


def assert_within_bounds(state):
    for duellist in state.duellists.values():
        most = gauges(duellist.level)
        assert 0 <= duellist.fatigue <= most.fatigue
        assert 0 <= duellist.magic <= most.magic
        assert 0 <= duellist.zone <= 12
        assert (duellist.fatigue > 0) or duellist.out
        assert 0 <= duellist.action_faults < 2
        assert 0 <= duellist.absences <= 3
        assert (duellist.absences == 3) == (duellist.out == "disqualified")
        assert min(duellist.bound, duellist.silenced, duellist.jinxed) >= 0


@FEW
@given(numbers)
def test_a_random_duel_stays_within_its_bounds_and_ends(number):
    phases = list(play.duel(Random(number), SPELLS))
    for phase in phases:
        assert_within_bounds(phase.closed.state)
    assert SPELLS.status(phases[-1].closed.state).outcome is not None
    assert [event.code for event in phases[-1].closed.events].count("duel_over") == 1


@FEW
@given(numbers)
def test_nobody_who_is_out_comes_back_or_is_touched(number):
    for phase in play.duel(Random(number), SPELLS, format="2v2"):
        for seat, before in phase.opened.duellists.items():
            if before.out:
                after = phase.closed.state.duellists[seat]
                kept = (after.fatigue, after.magic, after.zone, after.out, after.wand)
                assert kept == (before.fatigue, before.magic, before.zone, before.out, before.wand)
                assert not any(event.seat == seat for event in phase.closed.events)


@FEW
@given(numbers)
def test_states_and_events_survive_their_json(number):
    for phase in play.duel(Random(number), SPELLS):
        state, events = phase.closed.state, phase.closed.events
        assert SPELLS.decode_state(SPELLS.encode(state)) == state
        assert SPELLS.decode_events(SPELLS.encode(events)) == events


SWAP = {"a": "b", "b": "a", "c": "d", "d": "c"}


def mirrored(state):
    """The same duel with the teams swapped and the stage turned round."""
    return replace(
        state,
        duellists={seat: replace(state.duellists[SWAP[seat]], zone=12 - state.duellists[SWAP[seat]].zone)
                   for seat in state.duellists},
        hazards=tuple(replace(one, zone=12 - one.zone) for one in state.hazards),
        summons=tuple(replace(one, zone=12 - one.zone, team=3 - one.team) for one in state.summons),
        under_way=tuple(replace(one, caster=SWAP[one.caster], target=SWAP[one.target]) for one in state.under_way),
        insights=tuple(replace(one, caster=SWAP[one.caster], target=SWAP[one.target]) for one in state.insights),
        adjustments=tuple(replace(one, seat=SWAP[one.seat]) for one in state.adjustments),
        outcome=state.outcome and replace(state.outcome, winner={1: 2, 2: 1, None: None}[state.outcome.winner]),
    )  # fmt: skip


def mirrored_step(step):
    turned = dict(step)
    if "target" in turned:
        turned["target"] = SWAP[turned["target"]]
    for key in ("zone", "to"):
        if key in turned:
            turned[key] = 12 - turned[key]
    return turned


def mirrored_filing(filed):
    content = filed.content
    if "steps" in content:
        turned = {**content, "steps": [mirrored_step(step) for step in content["steps"]]}
    else:
        turned = mirrored_step(content)
    return replace(filed, seat=SWAP[filed.seat], content=turned)


def mirrored_inputs(given):
    return Inputs(
        filings=tuple(mirrored_filing(filed) for filed in given.filings),
        infractions={SWAP[seat]: fault for seat, fault in given.infractions.items()},
        surrender=given.surrender and SWAP[given.surrender],
        agreed_draw=given.agreed_draw,
        adjustments=tuple(replace(one, seat=SWAP[one.seat]) for one in given.adjustments),
    )


class Same:
    """The dice of the duel as it was played, by the other team's labels."""

    def __init__(self, rolled):
        self.rolled = rolled

    def roll(self, label, faces):
        kind, _, seat = label.partition(":")
        return self.rolled[f"{kind}:{SWAP[seat]}"]


@FEW
@given(numbers)
def test_the_teams_are_symmetric(number):
    for phase in play.duel(Random(number), SPELLS):
        swapped = SPELLS.resolve(mirrored(phase.opened), mirrored_inputs(phase.inputs), Same(phase.dice))
        assert swapped.state == mirrored(phase.closed.state)


class WholeDuel(RuleBasedStateMachine):
    """A duel in either format, played phase by phase with whatever inputs hypothesis thinks of."""

    @initialize(number=numbers, kind=st.sampled_from(("1v1", "2v2")))
    def start(self, number, kind):
        self.state = play.started(Random(number), SPELLS, format=kind)
        self.ended = None

    @precondition(lambda self: self.ended is None)
    @rule(number=numbers)
    def close_the_phase(self, number):
        before = self.state
        self.state = play.phase(Random(number), SPELLS, before).closed.state
        self.ended = SPELLS.status(self.state).outcome
        assert self.state.turn in (before.turn, before.turn + 1)
        assert (self.state.phase == "defence") <= (self.state.turn == before.turn and before.phase == "action")

    @precondition(lambda self: self.ended is None)
    @rule()
    def nobody_posts(self):
        before = self.state
        self.state = SPELLS.resolve(before, Inputs(), RandomDice(Random(0))).state
        self.ended = SPELLS.status(self.state).outcome
        for seat in before.awaited:
            assert self.state.duellists[seat].absences == before.duellists[seat].absences + 1

    @invariant()
    def the_state_is_sound(self):
        assert_within_bounds(self.state)
        status = SPELLS.status(self.state)
        assert bool(status.awaited) == (status.outcome is None)
        assert set(SPELLS.view(self.state, "public")["seats"]) == set(self.state.duellists)

    @precondition(lambda self: self.ended is not None)
    @rule()
    def nothing_more_is_played(self):
        assert all(not SPELLS.awaits(self.state, seat).awaited for seat in self.state.duellists)
        assert self.state.outcome == self.ended


TestWholeDuel = WholeDuel.TestCase
TestWholeDuel.settings = settings(max_examples=max(settings().max_examples // 20, 1), stateful_step_count=25)
