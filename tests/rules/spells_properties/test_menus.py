"""What a menu offers is accepted, and what it does not offer is refused."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.core import Inputs
from tests.rules import spells_play as play

SPELLS = rules.get("spells")
FEW = settings(max_examples=max(settings().max_examples // 20, 1))
numbers = st.integers(0, 2**32)


def open_phases(number, **fixed):
    """Every seat called in every phase of a random duel, with its menu."""
    for phase in play.duel(Random(number), SPELLS, **fixed):
        for seat in SPELLS.status(phase.opened).awaited:
            yield phase.opened, seat, {part.field: part for part in SPELLS.awaits(phase.opened, seat).parts}


def errors(state, seat, content):
    return [finding for finding in SPELLS.check(state, seat, content) if finding.level == "error"]


def sanctions(state, seat, content):
    return [finding for finding in SPELLS.check(state, seat, content) if finding.level == "sanction"]


@FEW
@given(numbers)
def test_a_step_that_is_offered_is_accepted(number):
    random = Random(number)
    for state, seat, parts in open_phases(number):
        if "do" in parts:
            for choice in play.offered(parts["do"]):
                assert errors(state, seat, play.answer(random, choice)) == []
        for part in parts.values():
            for step in play.steps_of(random, part):
                assert errors(state, seat, {"steps": [step]}) == [], step


@FEW
@given(numbers)
def test_a_step_that_is_not_offered_is_refused(number):
    for state, seat, parts in open_phases(number):
        for field in ("move", "climb"):
            for choice in parts[field].choices if field in parts else ():
                step = {"do": field, "to": int(choice.value)}
                assert bool(errors(state, seat, {"steps": [step]})) == (choice.refused is not None)
        for choice in parts["cast"].choices if "cast" in parts else ():
            if choice.refused is not None:
                for bet in ("1-2", "1-2-3", "1-2-3-4"):
                    step = {"do": "cast", "spell": choice.value, "target": "b" if seat in "ac" else "a", "bet": bet}
                    assert errors(state, seat, {"steps": [{**step, "zone": 5}]})


@FEW
@given(numbers)
def test_a_way_of_casting_that_is_refused_is_refused_when_filed(number):
    for state, seat, parts in open_phases(number):
        for spell in play.offered(parts["cast"]) if "cast" in parts else ():
            ways = next(part for part in spell.parts if part.field == "cast.way")
            for choice in ways.choices:
                if choice.refused is not None:
                    step = {"do": "cast", "spell": spell.value, "zone": 5, "target": "b" if seat in "ac" else "a"}
                    step |= play.way(choice.value)
                    assert errors(state, seat, {"steps": [step]})


@FEW
@given(numbers)
def test_what_check_finds_nothing_in_brings_no_fault_when_it_is_played_first(number):
    random = Random(number)
    for state, seat, _ in open_phases(number, format="1v1"):
        content = play.filing(random, SPELLS.awaits(state, seat))
        if errors(state, seat, content):
            continue
        filings = (play.Filed(seat, content),)
        step = SPELLS.resolve(state, Inputs(filings=filings), play.RandomDice(random))
        absent = any(event.code == "absence" for event in step.events)
        gone = step.state.duellists[seat].out
        faults = [event for event in step.events if event.code == "action_fault" and event.seat == seat]
        assert not faults or (absent and gone)


NONSENSE = [
    None, 3, "x", [], {}, {"steps": 3}, {"steps": [3]}, {"steps": [{"do": "fly"}]}, {"do": "cast"},
    {"steps": [{"do": "move", "to": "5"}]}, {"steps": [], "more": 1}, {"do": "dodge", "bet": 3},
    {"steps": [{"do": "cast", "spell": "unheard_of"}]},
]  # fmt: skip


@FEW
@given(numbers, st.sampled_from(NONSENSE))
def test_nonsense_gives_findings_and_no_exception(number, content):
    state = play.started(Random(number), SPELLS)
    findings = SPELLS.check(state, "a", content)
    assert findings
    assert all(finding.level == "error" and finding.field and finding.rule for finding in findings)
