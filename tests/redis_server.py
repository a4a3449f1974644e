"""The Redis that the tests were given by REDIS_URL, one of its numbered databases at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
import redis

ADDRESS = os.environ.get("REDIS_URL", "")
NUMBERS = range(1, 16)  # a server has 16 unless it was told otherwise; 0 is left to whoever uses it without a thought
TAKEN = "taken-by-a-test"


@contextmanager
def database() -> Iterator[str]:
    """Take a database that is empty, yield its address, and empty it again. One that holds anything is let be."""
    for number in NUMBERS:
        url = urlsplit(ADDRESS)._replace(path=f"/{number}").geturl()
        with redis.Redis.from_url(url) as client:
            if _take(client):
                try:
                    yield url
                finally:
                    client.flushdb()
                return
    pytest.fail("databases 1 to 15 of the Redis of REDIS_URL all hold something: empty one that nobody needs")


def _take(client: redis.Redis) -> bool:
    """Take the database, unless it holds anything or another test was faster."""
    if client.dbsize() or not client.set(TAKEN, os.getpid(), nx=True):
        return False
    alone = client.dbsize() == 1
    if not alone:
        client.delete(TAKEN)
    return alone
