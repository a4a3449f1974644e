"""Whole tournaments through real duels, with silence, infractions, withdrawals, substitutes, outages and walls."""

from random import Random

import pytest

from tests.duels.conftest import time  # noqa: F401
from tests.duels.purses import assert_balanced
from tests.scale import scaled

from .living import Life

pytestmark = pytest.mark.django_db(transaction=True)

SEEDS = range(scaled(4, 150))


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_people_do_it_ends_as_the_format_says(time, seed):  # noqa: F811
    random = Random(f"life {seed}")
    life = Life(time, random, most=scaled(5, random.choice([8, 16, 64]))).live()
    life.check()
    assert_balanced()
