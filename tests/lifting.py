"""Lifts the guards of the database for a moment, where a test makes a past that no action makes."""

from collections.abc import Iterator
from contextlib import contextmanager

from duels import append_only


@contextmanager
def lifted() -> Iterator[None]:
    append_only.remove()
    yield
    append_only.install()
