"""A worker's part in the clock, without a broker: `python -m tests.clock.sweeper` sweeps until it is ended."""

import os
import signal
import sys
import time

import django
import time_machine


def main(seconds_ahead: str = "0") -> None:
    """Sweep until SIGTERM, with this process's own clock so many seconds ahead of what it is."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from django.db import OperationalError, connection

    from duels.actions.sweep import sweep

    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    if float(seconds_ahead):
        time_machine.travel(time.time() + float(seconds_ahead)).start()
    connection.ensure_connection()
    print("ready", flush=True)
    while True:
        try:
            if not sweep(seconds=5)["done"]:
                time.sleep(0.05)
        except OperationalError:  # cut off: what Celery would do with the task, the next round does
            connection.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
