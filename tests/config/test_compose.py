"""The public site in containers: what the compose file asks for, and that the image holds what the site needs.

There is no engine in the tests: Compose's own parser reads the file in CI (scripts/check-compose).
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from config.keys import new_ring

ROOT = Path(__file__).parents[2]
SECRETS = {"SECRET_KEY", "SEAL_KEYS", "POSTGRES_PASSWORD", "EMAIL_URL"}
SITE = ("migrate", "web", "worker", "beat")


@pytest.fixture(scope="module")
def text():
    return (ROOT / "docker-compose.yml").read_text()


@pytest.fixture(scope="module")
def compose(text):
    return YAML(typ="safe").load(text)


@pytest.fixture(scope="module")
def dockerfile():
    return (ROOT / "Dockerfile").read_text()


def copied(dockerfile):
    """What the image gets of the project."""
    return [line.split()[1] for line in dockerfile.splitlines() if line.startswith("COPY ") and "--from" not in line]


def test_the_file_is_what_compose_understands():
    schema = ["--builtin-schema", "vendor.compose-spec"]
    subprocess.run([sys.executable, "-m", "check_jsonschema", *schema, ROOT / "docker-compose.yml"], check=True)


def test_no_secret_has_a_default_and_what_is_missing_is_named(text):
    asked = dict(re.findall(r"\$\{([A-Z_]+)(:?[-?]?[^}]*)\}", text))
    assert asked.keys() >= SECRETS | {"ALLOWED_HOSTS", "SITE_URL"}
    for name in SECRETS | {"ALLOWED_HOSTS", "SITE_URL"}:
        assert asked[name].startswith(f":?set {name} in .env"), name


def test_nothing_else_looks_like_a_secret(text):
    for name, value in re.findall(r"^\s+(\w*(?:KEY|PASSWORD|SECRET|TOKEN)\w*): (.+)$", text, re.MULTILINE):
        assert value.startswith("${"), name


def test_whatever_runs_for_long_says_whether_it_works(compose):
    for name, service in compose["services"].items():
        if name != "migrate":
            assert service["healthcheck"]["test"], name
            assert service["restart"] == "unless-stopped", name


def test_the_site_waits_for_what_it_stands_on(compose):
    for name in SITE[1:]:
        waits = compose["services"][name]["depends_on"]
        assert waits["database"] == waits["redis"] == {"condition": "service_healthy"}
        assert waits["migrate"] == {"condition": "service_completed_successfully"}


def test_what_must_last_stands_on_volumes(compose):
    assert set(compose["volumes"]) == {"database", "media", "redis"}
    kept = {volume.split(":")[0] for service in compose["services"].values() for volume in service["volumes"]}
    assert kept == set(compose["volumes"])


def test_a_worker_is_given_longer_to_stop_than_a_task_may_last(compose, settings):
    assert int(compose["services"]["worker"]["stop_grace_period"].rstrip("s")) > settings.CELERY_TASK_TIME_LIMIT


def test_only_the_web_is_published_and_to_this_machine_alone(compose):
    published = {name for name, service in compose["services"].items() if "ports" in service}
    assert published == {"web"}
    assert compose["services"]["web"]["ports"] == ["${PUBLISH:-127.0.0.1:8000}:8000"]


def test_nothing_of_the_site_runs_as_root_or_gains_rights(compose, dockerfile):
    assert re.findall(r"^USER (.+)$", dockerfile, re.MULTILINE) == ["duels"]
    assert dockerfile.index("\nUSER ") < dockerfile.index("\nCMD ")
    for name in SITE:
        service = compose["services"][name]
        assert "user" not in service
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["read_only"] is True


def test_nothing_reaches_the_image_but_what_is_copied(dockerfile):
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in lines
    assert {line[1:] for line in lines if line.startswith("!")} == set(copied(dockerfile))


def test_what_is_copied_makes_a_site_that_may_be_public(dockerfile, tmp_path):
    """The image's own steps, from the project's files that it gets and no other."""
    for name in copied(dockerfile):
        source, target = ROOT / name, tmp_path / "app" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        ignored = shutil.ignore_patterns("__pycache__", "*.mo")
        shutil.copytree(source, target, ignore=ignored) if source.is_dir() else shutil.copy(source, target)
    env = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")} | {
        "DEBUG": "0", "SECRET_KEY": "made-up-" * 9, "SEAL_KEYS": new_ring(), "ALLOWED_HOSTS": "duels.example",
        "BEHIND_PROXY": "1", "STATIC_ROOT": str(tmp_path / "static"), "REDIS_URL": "redis://127.0.0.1:1/0",
    }  # fmt: skip

    def run(*command):
        subprocess.run([sys.executable, *command], cwd=tmp_path / "app", env=env, check=True, capture_output=True)

    run("scripts/messages.py", "compile")
    run("manage.py", "collectstatic", "--noinput")
    run("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    run("-c", "import config.wsgi; from config.celery import app; app.loader.import_default_modules()")
    assert (tmp_path / "static" / "staticfiles.json").exists()
    assert (tmp_path / "app" / "locale" / "fr" / "LC_MESSAGES" / "django.mo").exists()


def test_the_commands_are_known(compose):
    """Each is parsed by the program that it calls, up to its `--help`."""
    for name in ("worker", "beat"):
        command = compose["services"][name]["command"]
        asked = [part.replace("${WORKERS:-2}", "2") for part in command] + ["--help"]
        said = subprocess.run([sys.executable, "-m", *asked], cwd=ROOT, check=True, capture_output=True, text=True)
        assert name in said.stdout
        assert shlex.quote(f"{name}@%h") in shlex.join(command)
