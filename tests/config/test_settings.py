"""The site starts as it should, or says why it does not."""

import base64
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from config.keys import kept_on_this_machine, new_ring, parse_ring

ROOT = Path(__file__).resolve().parent.parent.parent
KEY = base64.b64encode(bytes(32)).decode()
PUBLIC = {
    "DEBUG": "0",
    "SECRET_KEY": "x1y2z3-" * 10,
    "SEAL_KEYS": new_ring(),
    "ALLOWED_HOSTS": "duels.example",
    "BEHIND_PROXY": "1",
}


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py as on a machine where only `environment` is set."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=kept | environment, capture_output=True, text=True, check=False)


def test_a_public_site_passes_the_deployment_checks():
    result = manage("check", "--deploy", "--fail-level", "WARNING", **PUBLIC)
    assert result.returncode == 0, result.stderr


def test_a_public_site_is_warned_of_the_demo():
    result = manage("check", "--deploy", "--fail-level", "WARNING", **PUBLIC, DEMO="1")
    assert result.returncode != 0
    assert "site.W001" in result.stderr


def test_behind_a_proxy_it_is_asked_who_calls():
    said = "from django.conf import settings; print(settings.ALLAUTH_TRUSTED_PROXY_COUNT)"
    assert manage("shell", "--no-imports", "-c", said, **PUBLIC).stdout.strip() == "1"
    assert manage("shell", "--no-imports", "-c", said, **PUBLIC | {"BEHIND_PROXY": "0"}).returncode != 0


@pytest.mark.parametrize("variable", ["SECRET_KEY", "SEAL_KEYS", "ALLOWED_HOSTS"])
def test_a_public_site_refuses_to_start_without(variable):
    result = manage("check", **{name: value for name, value in PUBLIC.items() if name != variable})
    assert result.returncode != 0
    assert f"{variable} is not set" in result.stderr


def test_a_local_site_needs_nothing_set():
    result = manage("check")
    assert result.returncode == 0, result.stderr


def test_models_and_migrations_agree():
    result = manage("makemigrations", "--check", "--dry-run")
    assert result.returncode == 0, result.stdout


class TestRing:
    """The ring of keys that seals what is secret at rest."""

    def test_keys_stand_in_the_order_given(self):
        first, last = new_ring().replace("dev", "k1"), new_ring().replace("dev", "k2")
        assert list(parse_ring(f"{first}, {last}")) == ["k1", "k2"]

    @pytest.mark.parametrize("text", ["", " , ", "k1", "k1:", "k1:zzz", f":{KEY}", f"k1:{KEY},k1:{KEY}"])
    def test_a_bad_ring_is_refused(self, text):
        with pytest.raises(ImproperlyConfigured, match="SEAL_KEYS"):
            parse_ring(text)

    def test_a_refusal_shows_no_key(self):
        short = base64.b64encode(b"sixteen bytes ..").decode()
        with pytest.raises(ImproperlyConfigured) as refusal:
            parse_ring(f"k1:{short}")
        assert short not in str(refusal.value)


class TestKeptSecret:
    """A developer's machine makes its secrets once."""

    def test_the_first_one_made_stays(self, tmp_path):
        folder = tmp_path / "run"
        assert kept_on_this_machine(folder, "secret_key", "first") == "first"
        assert kept_on_this_machine(folder, "secret_key", "second") == "first"
        assert [path.name for path in folder.iterdir()] == ["secret_key"]

    def test_only_its_owner_reads_it(self, tmp_path):
        kept_on_this_machine(tmp_path / "run", "secret_key", "first")
        assert stat.S_IMODE((tmp_path / "run" / "secret_key").stat().st_mode) == 0o600


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="asks SQLite how it is set up")
def test_sqlite_sees_replacements_and_waits_for_writers():
    expected = {"recursive_triggers": 1, "busy_timeout": 20_000, "foreign_keys": 1}
    with connection.cursor() as cursor:
        said = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in expected}
    assert said == expected
