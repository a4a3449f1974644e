"""How fast a page of a thread is: queries and the best of many times, for its first and last page, by its length.

Measured on SQLite, and on PostgreSQL where DATABASE_URL names one or this machine has one that lets us in; each in a
database of its own, made and dropped. A page is the whole answer, from the middleware to the last tag.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bench.postgresql import postgresql

if TYPE_CHECKING:
    from duels.models import Duel

LENGTHS = (1_000, 10_000)  # posts
ROUNDS = 100


def main() -> None:
    """Print one table for each database, each measured in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for url in (f"sqlite:///{Path(folder) / 'bench.sqlite3'}", postgresql()):
            if url is None:
                print("\nno PostgreSQL here: set DATABASE_URL to measure it")
            else:
                environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
                subprocess.run([sys.executable, "-m", __spec__.name, "measure"], env=environment, check=True)  # noqa: S603


def measure() -> None:
    """Make a database, fill it, and print its table."""
    import django

    django.setup()
    from django.db import connection

    name = connection.settings_dict["NAME"] if connection.vendor == "sqlite" else "duels_bench"
    connection.settings_dict["TEST"]["NAME"] = f"{name}_made" if connection.vendor == "sqlite" else name
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        pages = _pages()
        for _round in range(ROUNDS):  # in turn, so that a busy moment of the machine falls on all alike
            for page in pages:
                page.ask()
        print(f"\n| thread on {connection.display_name} | reader | queries | ms in all | ms in the database |")
        print("| --- | --- | ---: | ---: | ---: |")
        for page in pages:
            print(page.row())
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def _pages() -> list[Page]:
    from django.test import Client

    from tests.factories import UserFactory

    member = Client()
    member.force_login(UserFactory())
    cookies = {"anybody": "", "member": f"sessionid={member.cookies['sessionid'].value}"}
    duels = {length: _long(length).get_absolute_url() for length in LENGTHS}
    return [
        Page(f"{length:,} posts, {what} page", f"{address}?page={number}", reader, cookie)
        for length, address in duels.items()
        for number, what in ((1, "first"), ((length + 19) // 20, "last"))
        for reader, cookie in cookies.items()
    ]


class Page:
    """A page, asked for as its reader does; its best times in seconds."""

    def __init__(self, name: str, address: str, reader: str, cookie: str) -> None:
        from django.core.handlers.wsgi import WSGIHandler
        from django.test import RequestFactory

        self.name, self.reader = name, reader
        self.site = WSGIHandler()
        self.environ = RequestFactory().get(address, headers={"Cookie": cookie}).environ
        self.queries: list[float] = []
        self.best = self.best_of_database = float("inf")

    def ask(self) -> None:
        """Ask once more, all that the server does for it included."""
        from django.db import connection

        self.queries = []
        with connection.execute_wrapper(self._time):
            begun = perf_counter()
            _whole = b"".join(self.site(dict(self.environ), self._expect))
            self.best = min(self.best, perf_counter() - begun)
        self.best_of_database = min(self.best_of_database, sum(self.queries))

    def _time(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        begun = perf_counter()
        found = execute(*arguments)
        self.queries.append(perf_counter() - begun)
        return found

    def _expect(self, status: str, _headers: object) -> None:
        if status != "200 OK":
            raise SystemExit(f"{self.environ['PATH_INFO']}: {status}")

    def row(self) -> str:
        times = f"{self.best * 1000:.1f} | {self.best_of_database * 1000:.1f}"
        return f"| {self.name} | {self.reader} | {len(self.queries)} | {times} |"


def _long(length: int) -> Duel:
    from tests.duels.long_threads import lengthen
    from tests.play import play_turn, running

    duel = running()
    play_turn(duel)
    lengthen(duel, length)
    return duel


if __name__ == "__main__":
    measure() if sys.argv[1:] == ["measure"] else main()
