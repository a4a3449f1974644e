"""What the clock does for tournaments and at the registration desk, each a line over an action."""

from celery import shared_task

from .actions import counting, rating
from .actions import sweep as sweeping
from .desk.actions import pairing


@shared_task
def sweep() -> None:
    sweeping.sweep()


@shared_task
def rate() -> None:
    rating.rate_what_is_over()


@shared_task
def pair() -> None:
    pairing.pair()


@shared_task
def count() -> None:
    counting.count_what_is_over()
