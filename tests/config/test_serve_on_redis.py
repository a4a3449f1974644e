"""The whole site as a public one stands, on PostgreSQL and Redis: from an empty database to a turn that its clock
closes."""

import os
import re
import signal
import urllib.request
from http.cookiejar import CookieJar
from urllib.parse import urlencode

import psycopg
import pytest
import redis
from psycopg import sql

from duels.clock import GRACE
from duels.demo.cast import accounts
from tests import redis_server
from tests.clock import processes

from .test_serve import ROOT, alive, asked, children, serve, until

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

START_WITHIN = 240  # seconds: all migrations and the demo come before it is ready
PARTS = 3  # web, worker and beat: the broker is Redis


@pytest.fixture
def database():
    """An empty database of its own on the tests' server; its address."""
    name = f"served_for_a_test_{os.getpid()}"
    with psycopg.connect(processes.database_url("postgres"), autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield processes.database_url(name)
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def remembered():
    """An empty database of the tests' Redis; its address."""
    with redis_server.database() as url:
        yield url


class Browser:
    """Somebody who keeps cookies."""

    def __init__(self, address):
        self.address, self.cookies = address, CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def open(self, path, **fields):
        """Open a page, or send what was typed to it; return its text."""
        body = urlencode(fields).encode() if fields else None
        with self.opener.open(f"http://{self.address}{path}", body, timeout=30) as answer:
            return answer.read().decode()

    def sign_in(self, name, password):
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.open("/compte/login/"))[1]
        return self.open("/compte/login/", csrfmiddlewaretoken=token, login=name, password=password)

    @property
    def session(self):
        return next(cookie.value for cookie in self.cookies if cookie.name == "sessionid")


def is_ready(address):
    return (asked(address, "/readyz") or (None,))[0] == 200


def end_a_turn(rows):
    """Let the open turn of a duel without a referee be due; return the keys of the duel and of the turn."""
    duel, turn = rows.execute(
        "SELECT duel.id, turn.id FROM duels_duel AS duel JOIN duels_phase AS turn ON turn.id = duel.phase_id"
        " WHERE turn.status = 'open' AND duel.awaited <> '' AND duel.referee_id IS NULL ORDER BY duel.id LIMIT 1"
    ).fetchone()
    due_at = rows.execute("SELECT clock_timestamp()").fetchone()[0] - GRACE
    rows.execute("UPDATE duels_phase SET due_at = %s WHERE id = %s", [due_at, turn])
    rows.execute("UPDATE duels_duel SET due_at = %s, wake_at = %s WHERE id = %s", [due_at, due_at + GRACE, duel])
    return duel, turn


def how_it_stands(rows, turn):
    """Return the status of a turn and how often it was worked out."""
    return rows.execute(
        "SELECT status, (SELECT count(*) FROM duels_resolution WHERE phase_id = turn.id)"
        " FROM duels_phase AS turn WHERE id = %s",
        [turn],
    ).fetchone()


def test_somebody_signs_in_a_turn_is_closed_and_it_stops(database, remembered, tmp_path):
    told = {"DATABASE_URL": database, "REDIS_URL": remembered, "DEMO": "1", "EMAIL_URL": "dummy:"}
    with serve(ROOT, tmp_path, **told) as (process, address), redis.Redis.from_url(remembered) as kept:
        until(lambda: process.poll() is not None or is_ready(address), START_WITHIN)
        assert process.poll() is None, process.stdout.read()
        parts = children(process.pid)
        assert len(parts) == PARTS

        with psycopg.connect(database, autocommit=True) as rows:
            browser = Browser(address)
            browser.sign_in("spectateur", accounts().password)
            assert kept.exists(f"duels:1:django.contrib.sessions.cached_db{browser.session}")
            rows.execute("DELETE FROM django_session")
            assert "spectateur" in browser.open("/")  # Redis alone knows them now

            duel, turn = end_a_turn(rows)
            until(lambda: how_it_stands(rows, turn) != ("open", 0))
            assert how_it_stands(rows, turn) == ("published", 1)
            assert "spectateur" in browser.open(f"/duels/{duel}/")
        assert is_ready(address)

        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)[0]
        assert process.returncode == 0, said
        assert said.rstrip().endswith("Stopped.")
        assert not any(map(alive, parts))
