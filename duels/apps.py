from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class DuelsConfig(AppConfig):
    name = "duels"
    verbose_name = _("Duels")

    def ready(self) -> None:
        from . import append_only

        post_migrate.connect(append_only.after_migrate, sender=self)
        post_migrate.connect(_store_starter_book, sender=self)


def _store_starter_book(using: str, **_signal: Any) -> None:
    """Receiver of `post_migrate`: a database has a spell book from its first migration on."""
    from .actions.books import store_starter
    from .append_only import is_complete

    if using == "default" and is_complete(using):
        store_starter()
