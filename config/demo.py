"""What a public site is told about the demo."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning


def warn_of_demo(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Warn, among the deployment checks, that DEMO opens the referee's desk to passwords that everybody knows."""
    if not settings.DEMO:
        return []
    hint = "Unset DEMO, and remove the demo's accounts if they were loaded."
    return [Warning("DEMO is on: its accounts' passwords are public.", hint=hint, id="site.W001")]
