"""What the record of a duel says of itself, finished or not."""

from duels import export
from rules.verify import verify


def failures(duel, *, moved=False):
    """Return what does not hold in the record of a duel; that an unfinished one has no verdict is no failure.

    Where a test has `moved` a deadline behind the record's back, what the record says of hours does not count.
    """
    found = [str(failure) for failure in verify(export.so_far(duel)).failures]
    found = [why for why in found if not (moved and ": deadline: " in why)]
    return [why for why in found if duel.is_over or "a finished duel has one 'verdict'" not in why]
