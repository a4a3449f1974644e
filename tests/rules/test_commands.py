"""`python -m rules check` and `replay`, as a person or a script uses them."""

import copy
import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from rules.__main__ import main

FILE = Path(__file__).parents[1] / "conformance" / "arena.json"
CASES = {case["id"]: case for case in json.loads(FILE.read_text(encoding="utf-8"))}
FIRST = CASES["arena-A8.1-1"]


def changed(case=FIRST, **keys):
    """A case with something else in its first turn, or in its `setup`, `expect` or `id`."""
    other = copy.deepcopy(case)
    for key, value in keys.items():
        if key in ("setup", "expect"):
            other[key] |= value
        elif key in ("id", "ruleset", "turns"):
            other[key] = value
        else:
            other["turns"][0][key] = value
    return other


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command on a file that holds `content` (standard input, for `stdin`); return status and lines."""

    def run(command, content=None, stdin=None):
        arguments = [command]
        if stdin is not None:
            monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(stdin.encode())))
        else:
            file = tmp_path / "cases.json"
            file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
            arguments.append(str(file))
        status = main(arguments)
        return status, capsys.readouterr().out.splitlines()

    return run


def test_the_whole_file_passes(capsys):
    assert main(["check", str(FILE)]) == 0
    assert capsys.readouterr().out == f"{len(CASES)} passed, 0 failed\n"


def test_one_case_alone_may_be_a_file(run):
    assert run("check", FIRST) == (0, ["1 passed, 0 failed"])


def test_what_differs_is_said_with_what_was_expected_and_what_came(run):
    wrong = changed(expect={"turn": 3, "a": {"link": 1, "rough_skin": []}, "codes": ["leaked:a"], "not_codes": ["hit"]})
    status, lines = run("check", [wrong, FIRST])
    assert (status, lines[1]) == (1, "1 passed, 1 failed")
    name, _, differences = lines[0].partition(": ")
    assert name == FIRST["id"]
    assert set(differences.split("; ")) == {
        "a.link: expected 1, came 6",
        'a.rough_skin: expected [], came ["left_arm"]',
        "turn: expected 3, came 2",
        "leaked:a: expected, did not come",
        "hit: came, was not to",
    }


@pytest.mark.parametrize(
    ("case", "told"),
    [
        (changed(dice={}), "wind"),
        (changed(dice={"wind": 5}), "wind"),
        (changed(dice={"wind": "2"}), "dice"),
        (changed(declarations={}), "seat a has neither filed"),
        (changed(posted=["a"]), "seat b has neither filed"),
        (changed(posted=["a", "b", "a"]), "twice"),
        (changed(posted=["a", "c"]), "'c'"),
        (changed(infractions={"a": "yawned"}), "yawned"),
        (changed(choices={"a": "tail"}), "tail"),
        (changed(adjustments=[{"seat": "a", "gauge": "mood", "points": 1}]), "mood"),
        (changed(weather="rain"), "weather"),
        (changed(declarations={"a": {"thrust": "tail"}}), "tail"),
        (changed(setup={"arena": "swamp"}), "swamp"),
        (changed(setup={"technique_limit": None}), "technique_limit"),
        (changed(setup={"dice": {"receptacle:a": "six"}}), "setup.dice"),
        (changed(ruleset="chess"), "chess"),
        (changed(turns=7), "turns"),
        (changed(expect={"mood": 1}), "mood"),
        (changed(expect={"a": {"mood": 1}}), "mood"),
        (changed(expect={"codes": ["yawned"]}), "yawned"),
        ({"id": "bare"}, "ruleset"),
        ({key: value for key, value in FIRST.items() if key != "expect"}, "expect"),
        (7, "object"),
    ],
)
def test_a_case_that_cannot_be_played_fails_with_one_line_that_says_why(run, case, told):
    status, lines = run("check", case)
    assert (status, lines[-1], len(lines)) == (1, "0 passed, 1 failed", 2)
    assert told in lines[0]


@pytest.mark.parametrize("content", ["", "{", "[1,", "\x00", "[" * 100_000])
def test_what_is_not_json_fails_with_one_line(run, content):
    status, lines = run("check", content)
    assert (status, lines[-1], len(lines)) == (1, "0 passed, 1 failed", 2)
    assert "not JSON" in lines[0]


def test_a_file_that_is_not_there_fails_and_the_others_are_played(capsys):
    assert main(["check", "no such file", str(FILE)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("no such file: cannot be read")
    assert lines[-1] == f"{len(CASES)} passed, 1 failed"


def test_replay_prints_one_object_a_case_with_every_key(run):
    status, lines = run("replay", [FIRST])
    (answer,) = map(json.loads, lines)
    assert (status, list(answer)) == (0, ["id", "state", "events"])
    assert set(answer["state"]) == {
        "a", "b", "arena", "neutralised", "void_zone", "turn", "turn_hours", "extra_turn", "outcome",
    }  # fmt: skip
    assert set(answer["state"]["a"]) == {
        "link", "alchemy", "receptacle", "pierced", "infractions", "techniques_used", "cancel_armed", "pin_armed",
        "owes_choice", "rough_skin", "decoys", "disabled", "last_option",
    }  # fmt: skip
    assert all({"code", "seat"} <= set(event) for event in answer["events"])


def test_an_event_of_nobody_says_so(run):
    _, (line,) = run("replay", CASES["arena-A12.6-1"])
    assert {"code": "swapped_zones", "seat": None}.items() <= json.loads(line)["events"][0].items()


def test_replay_reads_one_case_a_line_and_answers_those_after_one_that_it_cannot_read(run):
    stdin = "\n".join((json.dumps(FIRST), "{", "", json.dumps(changed(id="broken", dice={})), json.dumps(FIRST)))
    status, lines = run("replay", stdin=stdin)
    answers = [json.loads(line) for line in lines]
    assert (status, [answer["id"] for answer in answers]) == (1, [FIRST["id"], None, "broken", FIRST["id"]])
    assert "wind" in answers[2]["error"]
    assert answers[0] == answers[3]


def test_a_file_of_lines_is_replayed_line_by_line(run):
    status, lines = run("replay", f"{json.dumps(FIRST)}\n{json.dumps(FIRST)}\n")
    assert (status, len(lines)) == (0, 2)


def test_expectations_and_dice_that_are_not_needed_are_passed_over(run):
    case = changed(dice={"wind": 2, "shift": 9, "new_arena": 1})
    del case["expect"]
    assert run("replay", case)[0] == 0


def test_turns_after_the_end_are_not_played(run):
    over = changed(surrender="a")
    over["turns"].append({"declarations": {"a": {"thrust": "head"}}})
    status, (line,) = run("replay", over)
    assert (status, json.loads(line)["state"]["outcome"]["by"]) == (0, "surrender")


def test_posted_left_out_is_a_then_b_without_the_offenders(run):
    case = changed(infractions={"a": "late"})
    del case["turns"][0]["posted"]
    assert run("replay", case)[0] == 0


def test_an_export_is_verified_by_name(tmp_path, capsys):
    file = tmp_path / "duel.json"
    file.write_text("{}", encoding="utf-8")
    assert main(["verify", str(file)]) == 1
    assert "not verified" in capsys.readouterr().out


def test_without_a_command_the_usage_is_printed(capsys):
    with pytest.raises(SystemExit):
        main([])
    assert "usage: python -m rules" in capsys.readouterr().err


def test_the_module_itself_is_the_command():
    run = subprocess.run(
        [sys.executable, "-m", "rules", "replay"], input=json.dumps(FIRST), capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr, json.loads(run.stdout)["id"]) == (0, "", FIRST["id"])
