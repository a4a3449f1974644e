"""What several processes remember together: in Redis, and in each one's own memory while Redis does not answer."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError, TimeoutError

logger = logging.getLogger(__name__)

BRIEF = 60  # seconds
REST = 5  # seconds without a new try: no page waits for what is down


class SteadyRedisCache(RedisCache):
    """Redis, as long as it answers; pages do not fail with it, and tries to log in are counted meanwhile too."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        apart = {key: value for key, value in params.items() if key != "OPTIONS"}  # the options are Redis's
        self._memory = LocMemCache("while-redis-is-down", apart)
        self._resting_until = 0.0

    def _forget(self) -> None:
        """Leave nothing of one outage for the next one to find: it would be stale by then."""
        if self._resting_until:
            self._memory.clear()
            self._resting_until = 0.0


def _steady(name: str) -> Callable[..., Any]:
    """Return RedisCache's method of that name, which turns to memory while Redis does not answer."""

    def method(self: SteadyRedisCache, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= self._resting_until:
            try:
                found = getattr(RedisCache, name)(self, *args, **kwargs)
                self._forget()
                return found
            except (ConnectionError, TimeoutError) as failure:
                logger.warning("Redis does not answer (%s): this process's memory serves.", type(failure).__name__)
                self._resting_until = time.monotonic() + REST
        return getattr(self._memory, name)(*args, **kwargs)

    method.__name__ = name
    return method


for _name in ("add", "get", "set", "touch", "delete", "get_many", "has_key", "incr", "set_many", "delete_many"):
    setattr(SteadyRedisCache, _name, _steady(_name))


class BriefRedisCache(SteadyRedisCache):
    """Remembers nothing for longer than a minute: what was deleted elsewhere while Redis was down is gone by then."""

    def set(self, key: str, value: Any, timeout: float | None = BRIEF, version: int | None = None) -> None:
        brief = BRIEF if timeout is None else min(timeout, BRIEF)
        super().set(key, value, brief, version)
