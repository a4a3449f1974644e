"""Compute all ratings anew from the log, and say which of those stored were not the same."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.actions.rating import rate_anew, rate_what_is_over


class Command(BaseCommand):
    help = "Compute all ratings anew from the duels that are over, and put right those that are not the same."

    def handle(self, *args: Any, **options: Any) -> None:
        rate_what_is_over()
        wrong = rate_anew()
        for duellist, ruleset in wrong:
            self.stdout.write(f"put right: duellist {duellist}, {ruleset}")
        self.stdout.write(f"{len(wrong)} ratings were not as the log has them.")
