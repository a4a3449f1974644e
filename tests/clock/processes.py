"""Processes of the tests' own: started on the tests' database, ended by their own id and that of their group."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import quote

from django.conf import settings
from django.db import connection

from config import serving
from tests import redis_server


def database_url(name=None):
    """Return the address of a database on the tests' server: of the tests' own, unless another is named."""
    told = connection.settings_dict
    account = quote(told["USER"]) + (f":{quote(told['PASSWORD'])}" if told["PASSWORD"] else "")
    return f"postgres://{account}@{told['HOST']}:{told['PORT'] or 5432}/{quote(name or told['NAME'])}"


def environment(**more):
    """Return what a process needs to work on the database of this one."""
    told = {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "tests.settings", "C_FORCE_ROOT": "1"}
    return os.environ | told | more


def start(*arguments, **more):
    """Start a module of Python's, in a group of its own; return the process, whose standard output can be read."""
    return subprocess.Popen(
        [sys.executable, "-m", *arguments],
        cwd=settings.BASE_DIR, env=environment(**more), stdout=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def stop(process):
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        kill(process)
    process.communicate()


def kill(process):
    """End a process and all its children, at the same instant."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def children(process):
    """Return the ids of the children of a process."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return [int(pid) for pid, parent in rows if int(parent) == process.pid]


@contextmanager
def running(processes):
    """End the processes of a list whatever happens."""
    try:
        yield processes
    finally:
        for process in processes:
            stop(process)


@contextmanager
def broker(folder):
    """A broker that nobody else uses: in the Redis that the tests were given, or else the one that the site brings
    along, on a socket in that folder; yield its address."""
    if redis_server.ADDRESS:
        with redis_server.database() as url:
            yield url
    else:
        with broker_of_our_own(folder / "broker"):
            yield on_socket(folder / "broker")


@contextmanager
def broker_of_our_own(path):
    """Run a broker on that socket; yield a Troupe that it can be stopped in, and that `start_broker` starts it in."""
    troupe = serving.Troupe()
    start_broker(troupe, path)
    try:
        yield troupe
    finally:
        troupe.stop()


def start_broker(troupe, path):
    """Start the broker that the site brings along; where the tests were given a Redis, Redis if it is installed."""
    program, *arguments = serving.broker(path)
    redis = shutil.which("redis-server") if redis_server.ADDRESS else None
    troupe.start("broker", [redis or program, *arguments])
    troupe.wait_until(lambda: serving.broker_answers(path))


def on_socket(path):
    """Return the address of a broker on that socket."""
    return f"redis+socket://{path}"


def worker(url, number=4, **more):
    """Start Celery with so many worker processes on that broker."""
    return start("celery", *_CELERY, "worker", "--concurrency", str(number), *_ALONE, **_told(url), **more)


def skewed_worker(url, seconds_ahead):
    """Start Celery with one worker process whose own clock is so many seconds ahead."""
    arguments = ("worker", "--pool", "solo", "--hostname", f"{seconds_ahead}@%h", *_ALONE)
    return start("tests.clock.skewed", str(seconds_ahead), *_CELERY, *arguments, **_told(url))


def beat(url):
    return start("celery", *_CELERY, "beat", *_LOG, **_told(url))


_CELERY = ("-A", "config")
# Pytest shows the log of a test that fails; a measurement does without.
_LOG = ("--loglevel", "INFO" if "PYTEST_VERSION" in os.environ else "WARNING")
_ALONE = (*_LOG, "--without-gossip", "--without-mingle")


def _told(url):
    return {"CELERY_BROKER_URL": url}


@contextmanager
def sweepers(number, seconds_ahead=0):
    """Let so many processes sweep; yield a list of those to be ended."""
    processes = start_sweepers(number, seconds_ahead)
    with running(processes):
        yield processes


def start_sweepers(number, seconds_ahead=0):
    """Return so many processes that sweep, all of them ready."""
    started = [start("tests.clock.sweeper", str(seconds_ahead)) for _each in range(number)]
    for process in started:
        assert process.stdout.readline() == b"ready\n"
    return started
