"""Numbers from outside are decimal digits, and not too many of them."""

import pytest

from duels.numbers import natural


@pytest.mark.parametrize(("said", "number"), [("0", 0), ("7", 7), ("007", 7), ("999", 999)])
def test_digits_spell_a_number(said, number):
    assert natural(said, digits=3) == number


@pytest.mark.parametrize("said", ["", "1000", "-1", "+1", " 1", "1_0", "1.0", "²", "٣", "one"])
def test_anything_else_spells_none(said):
    assert natural(said, digits=3) is None
