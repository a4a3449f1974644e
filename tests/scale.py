"""How much is tried: a little in the suite, everything that was promised with SCALE=full (`make soak`)."""

import os

FULL = os.environ.get("SCALE") == "full"


def scaled(few, full):
    """Return the number for the suite, or the full one."""
    return full if FULL else few
