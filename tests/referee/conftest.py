from tests.duels.conftest import fate, time  # noqa: F401
