"""One command runs the whole site: everything starts and stops together, and it is said who died."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config import serving
from config.serving import DiedError, Troupe

ROOT = Path(__file__).parents[2]
PARTS = ("config", "duels", "locale", "notices", "referee", "rules", "static", "templates", "tournaments", "manage.py")
SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
STUBBORN = [
    sys.executable, "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)",
]  # fmt: skip


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2] if Path("/proc").exists() else True


def until(condition, seconds=90):
    latest = time.monotonic() + seconds
    while time.monotonic() < latest:
        if found := condition():
            return found
        time.sleep(0.1)
    return pytest.fail("it did not come about")


class TestTroupe:
    def test_it_says_who_ended_and_how(self):
        troupe = Troupe()
        troupe.start("sleeper", SLEEP)
        troupe.start("quitter", [sys.executable, "-c", "raise SystemExit(3)"])
        with pytest.raises(DiedError, match="quitter ended with code 3"):
            troupe.watch()
        troupe.stop()

    def test_it_says_who_was_killed(self):
        troupe = Troupe()
        troupe.start("sleeper", SLEEP)
        troupe.processes["sleeper"].kill()
        with pytest.raises(DiedError, match="sleeper was ended by SIGKILL"):
            troupe.watch()

    def test_the_broker_stops_last_and_nobody_is_left(self):
        troupe = Troupe()
        for name in ("broker", "worker"):
            troupe.start(name, SLEEP)
        troupe.stop()
        assert [process.returncode for process in troupe.processes.values()] == [-signal.SIGTERM] * 2

    def test_who_does_not_listen_is_ended_by_force(self, monkeypatch, capfd):
        monkeypatch.setattr(serving, "STOP_WITHIN", 0.2)
        troupe = Troupe()
        troupe.start("deaf", STUBBORN)
        until(lambda: "deaf" in capfd.readouterr().out)
        troupe.stop()
        assert troupe.processes["deaf"].returncode == -signal.SIGKILL

    def test_children_of_one_who_died_do_not_outlive_it(self, capfd):
        parent = f"import subprocess as s; print(s.Popen({SLEEP!r}).pid, flush=True); raise SystemExit(1)"
        troupe = Troupe()
        troupe.start("parent", [sys.executable, "-c", parent])
        child = int(until(lambda: capfd.readouterr().out.strip()))
        with pytest.raises(DiedError):
            troupe.watch()
        troupe.stop()
        assert until(lambda: not alive(child))

    def test_a_signal_stops_it(self):
        before = signal.getsignal(signal.SIGTERM)
        with serving.troupe() as troupe:
            troupe.start("sleeper", SLEEP)
            os.kill(os.getpid(), signal.SIGTERM)
            troupe.watch()
        assert troupe.processes["sleeper"].returncode == -signal.SIGTERM
        assert signal.getsignal(signal.SIGTERM) is before

    def test_one_who_never_answers_is_not_waited_for_for_ever(self, monkeypatch):
        monkeypatch.setattr(serving, "START_WITHIN", 0.1)
        troupe = Troupe()
        troupe.start("sleeper", SLEEP)
        with pytest.raises(TimeoutError, match="sleeper did not answer"):
            troupe.wait_until(lambda: False)
        troupe.stop()


class TestSocket:
    def test_it_is_of_this_run_alone_and_goes_with_it(self, settings, tmp_path):
        settings.RUN_DIR = tmp_path / "run"
        with serving.socket_path() as path:
            assert path == tmp_path / "run" / f"broker-{os.getpid()}.sock"
            path.touch()
        assert not path.exists()

    def test_a_path_too_long_for_a_socket_is_put_elsewhere(self, settings, tmp_path):
        settings.RUN_DIR = tmp_path / ("deep" * 30)
        with serving.socket_path() as path:
            assert len(os.fsencode(path)) <= serving.LONGEST_SOCKET
            assert path.parent.stat().st_mode & 0o077 == 0
        assert not path.parent.exists()

    def test_the_broker_answers_there_and_only_to_its_owner(self, tmp_path_factory):
        path = tmp_path_factory.mktemp("b") / "s"
        troupe = Troupe()
        troupe.start("broker", serving.broker(path))
        troupe.wait_until(lambda: serving.broker_answers(path))
        assert path.stat().st_mode & 0o077 == 0
        troupe.stop()
        assert not serving.broker_answers(path)


class TestAddress:
    def test_one_that_is_taken_is_refused_before_anything_starts(self):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            one.listen()
            with pytest.raises(CommandError, match="is taken"):
                call_command("serve", f"127.0.0.1:{one.getsockname()[1]}")

    @pytest.mark.parametrize("address", ["8000x", "127.0.0.1", "127.0.0.1:"])
    def test_one_that_is_none_is_refused(self, address):
        with pytest.raises(CommandError, match="no address"):
            call_command("serve", address)


@contextmanager
def serve(folder, tmp_path, **more):
    """Run the site from a folder, on a database of its own; yield the process and its address."""
    address = f"127.0.0.1:{free_port()}"
    env = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "DJANGO_SETTINGS_MODULE")}
    env |= {"DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3", "DEMO": "0", "DEBUG": "1"} | more
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", address],
        cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        yield process, address
    finally:
        process.terminate()  # it takes its parts down, where a kill would leave them
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def heeding_hangups():
    """Let what is started heed a closed terminal, even where the tests do not."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)


def asked(address, path):
    """Ask one page; return its status and body, or None while nobody answers."""
    try:
        with urllib.request.urlopen(f"http://{address}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return None


def children(pid):
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    return {int(row[0]): row[2] for row in rows if int(row[1]) == pid}


def test_the_whole_site_runs_in_a_path_with_a_space_and_stops_together(tmp_path):
    folder = tmp_path / "a b"
    folder.mkdir()
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, folder / part)
    with serve(folder, tmp_path) as (process, address):
        until(lambda: asked(address, "/healthz"))
        parts = children(process.pid)
        assert len(parts) == 4
        assert asked(address, "/")[0] == asked(address, "/static/css/site.css")[0] == 200
        until(lambda: asked(address, "/readyz")[0] == 200)  # beat, broker and worker have swept
        assert json.loads(asked(address, "/readyz")[1])["last_sweep"] < 60
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)[0]
        assert process.returncode == 0, said
        assert f"http://{address}/" in said
        assert said.rstrip().endswith("Stopped.")
        assert not any(map(alive, parts))
        assert list((folder / ".run").glob("broker-*.sock")) == []


def test_it_stops_when_its_terminal_is_closed(tmp_path):
    with heeding_hangups(), serve(ROOT, tmp_path) as (process, _address):
        parts = until(lambda: len(found := children(process.pid)) == 4 and found)
        process.send_signal(signal.SIGHUP)
        said = process.communicate(timeout=60)[0]
        assert process.returncode == 0, said
        assert not any(map(alive, parts))


def test_it_outlives_its_terminal_when_it_was_told_to():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with serving.troupe() as troupe:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not troupe.stopping.is_set()
    finally:
        signal.signal(signal.SIGHUP, before)


def is_worker(command):
    return " worker " in command


def test_it_says_which_one_died_and_takes_the_others_down(tmp_path):
    with serve(ROOT, tmp_path) as (process, _address):
        # a child that has just been made bears the command of its parent for a moment
        parts = until(
            lambda: len(found := children(process.pid)) == 4 and any(map(is_worker, found.values())) and found
        )
        worker = next(pid for pid, command in parts.items() if is_worker(command))
        os.kill(worker, signal.SIGKILL)
        said = process.communicate(timeout=60)[0]
        assert process.returncode == 1
        assert "worker was ended by SIGKILL" in said
        assert not any(map(alive, parts))
