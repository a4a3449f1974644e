"""Where PostgreSQL is, if anywhere."""

from __future__ import annotations

import os

ON_THIS_MACHINE = (
    "postgres://postgres@127.0.0.1:5432/postgres",
    "postgres://duels_tests:duels_tests@127.0.0.1:5432/postgres",
)


def postgresql() -> str | None:
    """Return the address of a server that lets us in: of DATABASE_URL, or on this machine; None if there is none."""
    import psycopg

    named = os.environ.get("DATABASE_URL", "")
    for url in (named, *ON_THIS_MACHINE):
        if url.startswith("postgres"):
            try:
                psycopg.connect(url, connect_timeout=2).close()
            except psycopg.OperationalError:
                continue
            return url
    return None
