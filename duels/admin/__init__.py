"""What staff see and may do. What is sealed is never shown; what the log holds is read-only."""

from . import book, duels, log, people, purse, thread

__all__ = ["book", "duels", "log", "people", "purse", "thread"]
