"""What cannot be read or played is said in one clear line, whatever it is."""

import copy
import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules import cases
from rules.__main__ import main
from rules.core import Adjustment, Filed, Inputs, RulesError
from tests.rules import play
from tests.rules.arena_properties.test_menus import JSON
from tests.rules.arena_properties.test_secrets import DUELS, opened_turns

ARENA = rules.get("arena")
CASES = json.loads((Path(__file__).parents[2] / "conformance" / "arena.json").read_text())


def places(value):
    """Every (container, key) of a JSON value."""
    for key, held in list(value.items()) if isinstance(value, dict) else list(enumerate(value)):
        yield value, key
        if isinstance(held, (dict, list)):
            yield from places(held)


@st.composite
def spoilt_cases(draw):
    """A conformance case with one part replaced by anything at all, left out, or doubled under another name."""
    case = copy.deepcopy(draw(st.sampled_from(CASES)))
    container, key = draw(st.sampled_from(list(places(case))))
    match draw(st.sampled_from(("replaced", "left out", "renamed"))):
        case "replaced":
            container[key] = draw(JSON)
        case "left out":
            del container[key]
        case "renamed" if isinstance(container, dict):
            container[f"{key}s"] = container.pop(key)
    return case


def output(*arguments):
    said = StringIO()
    with redirect_stdout(said):
        status = main(list(arguments))
    return status, said.getvalue().splitlines()


@given(spoilt_cases())
def test_a_spoilt_case_is_played_or_refused_in_one_line(case):
    said = refusal(lambda: cases.play(case))
    assert said is None or len(said.splitlines()) == 1


def refusal(attempt):
    """What a RulesError says, or None when there is none; any other error is one of ours."""
    try:
        attempt()
    except RulesError as error:
        return str(error)
    return None


@given(case=spoilt_cases())
def test_the_commands_answer_each_case_with_one_line(case, tmp_path_factory):
    path = tmp_path_factory.mktemp("cases") / "spoilt.json"
    path.write_text(json.dumps([case, CASES[0]]))
    status, lines = output("check", str(path))
    assert lines[-1] in ("2 passed, 0 failed", "1 passed, 1 failed")
    assert len(lines) == 1 + status
    status, lines = output("replay", str(path))
    first, second = map(json.loads, lines)
    assert ("error" in first) == bool(status)
    assert second["id"] == CASES[0]["id"]
    assert {"id", "state", "events"} == set(second)


@given(JSON)
def test_anything_may_be_given_as_terms_setup_state_or_events(junk):
    dice = play.RandomDice(Random(0))
    raw = json.dumps(junk).encode()
    for attempt in (
        lambda: ARENA.announce(junk, dice),
        lambda: ARENA.start(junk, dice),
        lambda: ARENA.decode_state(raw),
        lambda: ARENA.decode_events(raw) if junk != [] else ARENA.decode_events(b"{}"),
    ):
        with pytest.raises(RulesError) as caught:
            attempt()
        assert len(str(caught.value).splitlines()) == 1


@given(DUELS, JSON)
def test_anything_may_be_given_as_inputs(number, junk):
    """Whatever closes a turn, it is resolved or refused by a RulesError."""
    for state in opened_turns(number)[:2]:
        sound = play.inputs(Random(number), ARENA, state, play.STEADY)
        a, b = sound.filings
        for inputs in (
            Inputs(filings=(Filed("a", junk), b)),
            Inputs(filings=(a,)),
            Inputs(filings=(a, a, b)),
            Inputs(filings=(a, b, Filed("c", junk))),
            Inputs(filings=sound.filings, infractions={"c": "late"}),
            Inputs(filings=sound.filings, infractions={"a": "tired"}),
            Inputs(filings=sound.filings, surrender="c"),
            Inputs(filings=sound.filings, adjustments=(Adjustment("c", "link", 1),)),
            Inputs(filings=sound.filings, adjustments=(Adjustment("a", "luck", 1),)),
        ):
            with pytest.raises(RulesError):
                ARENA.resolve(state, inputs, play.RandomDice(Random(number)))


@pytest.mark.parametrize("seat", ["c", "", "public", "A"])
def test_a_seat_that_does_not_exist_is_refused(seat):
    state = play.started(Random(1), ARENA)
    for attempt in (
        lambda: ARENA.awaits(state, seat),
        lambda: ARENA.check(state, seat, {}),
        lambda: ARENA.choose(state, seat, "head"),
    ):
        with pytest.raises(RulesError, match="seat"):
            attempt()


@pytest.mark.parametrize("change", [{"\n": 1}, {"id": "two\nlines"}, {"setup": {"\u2028": 1}}])
def test_a_line_break_in_a_name_does_not_break_the_line(change, tmp_path):
    """Found at random: an unknown part whose name is a line break."""
    turns = {"turns": [{"dice": {}, "\r\n": 1}]}
    path = tmp_path / "case.json"
    path.write_text(json.dumps({**CASES[0], **turns, **change}))
    status, lines = output("check", str(path))
    assert (status, len(lines), lines[-1]) == (1, 2, "0 passed, 1 failed")


@pytest.mark.parametrize("codes", [None, "hit:a", [3], {"hit:a": 1}])
def test_codes_that_are_no_list_of_codes_are_refused(codes):
    """Found at random: `null` broke the command."""
    case = {**CASES[0], "expect": {"codes": codes}}
    with pytest.raises(RulesError, match="codes is to be a list of codes"):
        cases.differences(case)
