"""The conformance cases of the arena, each a test."""

from pathlib import Path

import pytest

from rules import cases

FILES = sorted((Path(__file__).parents[2] / "conformance").glob("arena*.json"))
CASES = [case for file in FILES for case in cases.read(file.read_bytes())]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_case_comes_out_as_it_expects(case):
    assert cases.differences(case) == []


def test_the_cases_are_all_there():
    assert len(CASES) >= 52
    assert len({case["id"] for case in CASES}) == len(CASES)
