"""Count all duels that are over anew from their records, and say which tallies were not the same."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.actions.counting import count_anew, count_what_is_over


class Command(BaseCommand):
    help = "Count all duels that are over anew for the statistics, and put right the tallies that are not the same."

    def handle(self, *args: Any, **options: Any) -> None:
        count_what_is_over()
        wrong = count_anew()
        for duellist, ruleset, subject, value in wrong:
            self.stdout.write(f"put right: {duellist or 'all'}, {ruleset}, {subject} {value}")
        self.stdout.write(f"{len(wrong)} tallies were not as the records have them.")
