"""Compare what lists, pages and purses show with the log and the ledger; with --repair, put it right."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Model

from duels.actions.repair import audit_account, audit_duel, audit_scene, audit_texts, unbalanced_transfers
from duels.models import Account, Duel, Scene


class Command(BaseCommand):
    help = (
        "Compare every balance with its entries, and every name, counter and view that lists and pages show with what"
        " it comes from; say what differs. Harmless to run at any time. Fails if something differs and is not repaired."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--repair", action="store_true", help="put right what differs")

    def handle(self, *args: Any, repair: bool, **options: Any) -> None:
        wrong = list(self._found(repair))
        for line in wrong:
            self.stdout.write(line)
        left = list(self._found(repair=False)) if repair and wrong else wrong
        self.stdout.write(f"{len(wrong)} wrong, {len(wrong) - len(left)} repaired")
        if left:
            raise CommandError(f"{len(left)} left")

    def _found(self, repair: bool) -> Iterator[str]:
        for pk in _all(Account):
            if said := audit_account(pk, repair=repair):
                yield said
        yield from unbalanced_transfers()
        for pk in _all(Scene):
            if names := audit_scene(pk, repair=repair):
                yield f"scene {pk}: {', '.join(names)}"
        for pk in _all(Duel):
            if names := audit_duel(pk, repair=repair):
                yield f"duel {pk}: {', '.join(names)}"
        yield from audit_texts(repair=repair)


def _all(model: type[Model]) -> Iterator[int]:
    return iter(list(model._default_manager.order_by("pk").values_list("pk", flat=True)))
