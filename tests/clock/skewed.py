"""Celery in a process whose own clock is off: `python -m tests.clock.skewed SECONDS_AHEAD ARGUMENTS…`."""

import sys
import time

import time_machine
from celery.__main__ import main

if __name__ == "__main__":
    ahead = float(sys.argv.pop(1))
    time_machine.travel(time.time() + ahead).start()
    main()
