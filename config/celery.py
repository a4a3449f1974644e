"""The worker's application; everything it needs stands in the settings, under CELERY_.

The schedule is static, and each task is harmless when it is sent twice: so is a second beat. While much is due, sweeps
are sent faster than they end, and several workers share it.
"""

import os
from typing import Any

from celery import Celery
from kombu.transport.redis import Channel

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

SWEEP_EVERY = 2  # seconds: a phase that nobody completes closes that long after its grace at most
TELL_EVERY = 20  # seconds
SETTLE_EVERY = 900  # seconds: what was asked for and is done without anything to tell, or too late, is marked as read
# What no worker took for so long is dropped, or days without a worker would leave thousands to do. It is stamped by the
# clock of beat and judged by that of the worker: one that is less ahead than this drops nothing.
EXPIRES = 900  # seconds


def every(seconds: int, task: str) -> dict[str, Any]:
    """Return a schedule's entry."""
    return {"task": task, "schedule": seconds, "options": {"expires": EXPIRES}}


# Where the broker goes away while tasks wait in a worker, Kombu would hand them back over the connection that is no
# more, and the worker would end by that. They need not be handed back: what is due is sent again before long.
Channel.do_restore = False

app = Celery("config")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "sweep": every(SWEEP_EVERY, "duels.tasks.sweep"),
    "tournaments": every(TELL_EVERY, "tournaments.tasks.sweep"),
    "ratings": every(TELL_EVERY, "tournaments.tasks.rate"),
    "desk": every(TELL_EVERY, "tournaments.tasks.pair"),
    "statistics": every(TELL_EVERY, "tournaments.tasks.count"),
    "notices": every(TELL_EVERY, "notices.tasks.drain"),
    "settling": every(SETTLE_EVERY, "notices.tasks.settle"),
    "mail": every(TELL_EVERY, "notices.tasks.send_mail"),
}
