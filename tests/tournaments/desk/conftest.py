from tests.duels.conftest import in_english, time

__all__ = ["in_english", "time"]
