"""What the clock does for notices, each a line over an action."""

from celery import shared_task

from .actions import mail, reading, telling


@shared_task
def drain() -> None:
    telling.drain()


@shared_task
def send_mail() -> None:
    mail.send_waiting()


@shared_task
def settle() -> None:
    reading.settle()
