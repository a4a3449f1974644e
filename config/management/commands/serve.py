"""Run the whole site on one machine."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from config import serving
from notices.actions.telling import drain


class Command(BaseCommand):
    help = (
        "Migrate, then run the broker (unless REDIS_URL names one), web, worker and beat, until Ctrl-C or SIGTERM. "
        "They end together: if one dies, this says which, and exits with an error."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", nargs="?", default="127.0.0.1:8000", help="host:port (127.0.0.1:8000)")

    def handle(self, *args: Any, address: str, **options: Any) -> None:
        self._check(address)
        call_command("migrate", verbosity=0)
        if settings.DEMO:
            self._load_demo()
        connections.close_all()
        try:
            self._serve(address)
        except (serving.DiedError, TimeoutError) as failure:
            raise CommandError(str(failure)) from None

    def _check(self, address: str) -> None:
        try:
            taken = serving.is_taken(address)
        except ValueError:
            raise CommandError(f"{address!r} is no address: write host:port, for instance 127.0.0.1:8000.") from None
        if taken:
            raise CommandError(f"{address} is taken: stop what listens there, or choose another port (PORT=8080).")

    def _load_demo(self) -> None:
        """Load it; what its people did before stands on their pages of notices, and is mailed to nobody."""
        call_command("demo", stdout=self.stdout)
        drain(mailed=False)

    def _serve(self, address: str) -> None:
        with ExitStack() as stack:
            env = {}
            path = None if settings.REDIS_URL else stack.enter_context(serving.socket_path())
            troupe = stack.enter_context(serving.troupe())
            if path:
                env["BROKER_SOCKET"] = str(path)
                troupe.start("broker", serving.broker(path))
                troupe.wait_until(lambda: serving.broker_answers(path))
            troupe.start("web", serving.web(address), env)
            troupe.start("worker", serving.worker(), env)
            troupe.start("beat", serving.beat(), env)
            troupe.wait_until(lambda: serving.is_taken(address))
            if not troupe.stopping.is_set():
                self._say(address)
            troupe.watch()
        self.stdout.write("Stopped.")

    def _say(self, address: str) -> None:
        self.stdout.write(f"\nThe site: http://{address}/   (Ctrl+C stops it; mail is printed here)")
        self.stdout.flush()
