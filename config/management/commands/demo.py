"""Load the demo: a school whose duels and tournaments stand at every stage, and whose desk is busy."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from duels.demo.cast import accounts
from duels.demo.load import load_school
from referee.demo import load_bench
from tournaments.demo import load_tournaments
from tournaments.desk.demo import load_desk


class Command(BaseCommand):
    help = "Load the demo: accounts that share one known password, duellists, duels and tournaments at every stage."

    def handle(self, *args: Any, **options: Any) -> None:
        if not (settings.DEMO or settings.DEBUG):
            raise CommandError(
                "The demo's accounts share a password that everybody knows: it is loaded only with DEMO=1 (or DEBUG=1)."
            )
        duels, tournaments, registered = load_school(), load_tournaments(), load_desk()
        asked = load_bench()
        loaded = f"The demo is loaded: {duels} duels, {tournaments} tournaments, {registered} registered at the desk."
        self.stdout.write(loaded if duels or tournaments or registered or asked else "The demo is there already.")
        self.stdout.write(doors())


def doors() -> str:
    """Return the lines that say who can log in."""
    known = accounts()
    return "\n".join(
        (
            f"Demo accounts, all with the password {known.password}",
            f"  players     {', '.join(known.players)}",
            f"  referees    {', '.join(known.referees)}",
            f"  spectator   {known.spectator}",
            f"  staff       {known.staff} (sets up a second factor at the first login)",
        )
    )
