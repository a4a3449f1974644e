from typing import Any

from django.core.management.base import BaseCommand

from duels.actions.sweep import sweep


class Command(BaseCommand):
    help = "Close what is due: turns, starts, challenges."

    def handle(self, *args: Any, **options: Any) -> None:
        done = sweep()
        self.stdout.write(f"{done['done']} done, {done['failed']} failed")
