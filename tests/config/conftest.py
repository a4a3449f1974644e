import pytest
from django.core.cache import cache

from tests.duels.conftest import time  # noqa: F401


@pytest.fixture(autouse=True)
def _nothing_remembered():
    """Codes that were used once are remembered in the cache, which no transaction takes back."""
    cache.clear()
