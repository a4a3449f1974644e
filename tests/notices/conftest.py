"""The clock of these tests, which they move on, and the dice."""

from tests.duels.conftest import fate, time  # noqa: F401
