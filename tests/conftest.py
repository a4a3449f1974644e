"""What all tests share."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import TransactionTestCase
from hypothesis import settings as hypothesis_settings

from duels import append_only, clock, secrets
from rules.arena.terms import ZONES
from rules.dice import SealedDice
from tests import redis_server

if TYPE_CHECKING:
    from django.db.backends.base.operations import BaseDatabaseOperations
    from playwright.sync_api import Browser, BrowserContext, Page

    from duels.models import Duel

hypothesis_settings.register_profile("suite", deadline=None, max_examples=60)
hypothesis_settings.register_profile("soak", deadline=None, max_examples=3000)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NOW = clock.now
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what this machine cannot run, and say why; in CI a missing browser is a failure, and so is a missing Redis
    where there is PostgreSQL."""
    if item.get_closest_marker("postgres") and connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: set DATABASE_URL")
    if item.get_closest_marker("redis") and not redis_server.ADDRESS:
        _do_without("Redis", "set REDIS_URL")
    if item.get_closest_marker("browser") and CHROMIUM is None:
        _do_without("Chromium", "install Debian's package chromium")


def _do_without(what: str, remedy: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(f"no {what} here, and in CI the tests that need it must run", pytrace=False)
    pytest.skip(f"no {what} here: {remedy}")


@pytest.fixture(scope="session", autouse=True)
def emptied_tables_let_go() -> Iterator[None]:
    """A test that really commits empties the tables after it: append-only ones let go for as long as that takes."""
    empty = TransactionTestCase._fixture_teardown

    def lift_the_triggers_and_empty(case: TransactionTestCase) -> None:
        append_only.remove()
        empty(case)
        append_only.install()

    def delete_rows(ops: "BaseDatabaseOperations", style: object, tables: list[str], **_options: object) -> list[str]:
        return [f"DELETE FROM {ops.quote_name(table)}" for table in tables]  # noqa: S608

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lift_the_triggers_and_empty)
        if connection.vendor == "postgresql":  # a TRUNCATE of thirty nearly empty tables takes seconds
            # of the class: under the browser's event loop, Django makes another connection
            patch.setattr(type(connection.ops), "sql_flush", delete_rows)
        yield


@pytest.fixture(autouse=True)
def clock_left_running() -> None:
    """See to it that no test finds the clock as an earlier one has patched it."""
    assert clock.now is NOW, "an earlier test has left the clock patched: was that done in several threads?"


@pytest.fixture(autouse=True)
def no_head_in_the_void(clock_left_running: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no void zone of the first turns be the head, where tests hide receptacles: now and then, one could use no
    option (A12.3)."""
    draw = secrets.draw_seed

    def draw_another(duel: "Duel") -> None:
        draw(duel)
        while any(_void_zone(duel, phase) == "head" for phase in ("start", 1, 2, 3)):
            draw(duel)

    monkeypatch.setattr(secrets, "draw_seed", draw_another)


def _void_zone(duel: "Duel", phase: str | int) -> str:
    dice = SealedDice(secrets.seed(duel), str(duel.uid), 0, phase)
    return ZONES[dice.roll("void_zone", len(ZONES)) - 1]


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Debian's Chromium, driven by Playwright, one for the session."""
    from playwright.sync_api import sync_playwright

    # Playwright's synchronous driver runs an event loop in this thread, which Django would refuse to query from.
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def new_reader(browser: "Browser", live_server) -> Iterator[Callable[..., "BrowserContext"]]:
    """Make browsers of somebody new, with Playwright's options; relative addresses lead to the live server.

    All are closed after the test, passed or not: a connection left open outlives the server and breaks another test.
    """
    opened: list[BrowserContext] = []

    def open_one(**options: object) -> "BrowserContext":
        french = {"base_url": live_server.url, "locale": "fr-FR", "timezone_id": "Europe/Paris"}
        context = browser.new_context(**(french | options))
        context.set_default_timeout(15_000)
        opened.append(context)
        return context

    yield open_one
    for context in opened:
        context.close()


@pytest.fixture
def reader(new_reader: Callable[..., "BrowserContext"]) -> "BrowserContext":
    """The browser of somebody new; `reader.new_page()` opens a tab."""
    return new_reader()


@pytest.fixture
def page(reader: "BrowserContext") -> "Page":
    """A tab of that browser."""
    return reader.new_page()
