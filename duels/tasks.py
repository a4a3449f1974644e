"""What the clock does, each a line over an action."""

from celery import shared_task

from .actions import sweep as sweeping


@shared_task
def sweep() -> None:
    sweeping.sweep()
