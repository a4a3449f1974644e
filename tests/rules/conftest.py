"""How many random duels are played: few at each run of the suite, many more under `HYPOTHESIS_PROFILE=soak`."""

import os

from hypothesis import HealthCheck, settings

_SLOW_TO_DRAW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile("quick", max_examples=40, stateful_step_count=30, deadline=None)
settings.register_profile(
    "soak", max_examples=3000, stateful_step_count=80, deadline=None, suppress_health_check=_SLOW_TO_DRAW
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
