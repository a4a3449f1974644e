"""What a spell duel brings (B3.3.2)."""

from __future__ import annotations

from rules.core import Reward
from rules.spells.state import Duellist, State
from rules.spells.terms import SeatName, team_of

REWARDED_FROM = 3  # the turn before which a surrender or an agreement leaves everybody without a reward
RULE = "B3.3.2"
WON_DAYS, DRAWN_DAYS = 4, 2
UNREWARDED = ("disqualified", "absence")


def rewards(state: State) -> tuple[Reward, ...]:
    """Return the rewards of everybody who was neither disqualified nor absent, in seat order."""
    if state.outcome is None or _is_arranged(state):
        return ()
    seats = [seat for seat, duellist in state.duellists.items() if duellist.out not in UNREWARDED]
    return tuple(reward for seat in seats for reward in _of(seat, state.outcome.winner))


def _of(seat: SeatName, winner: int | None) -> tuple[Reward, ...]:
    if winner is None:
        return (Reward(seat, "salary", DRAWN_DAYS, RULE),)
    if team_of(seat) == winner:
        return (Reward(seat, "points", 1, RULE), Reward(seat, "salary", WON_DAYS, RULE))
    return (Reward(seat, "frogs", 1, RULE),)


def _is_arranged(state: State) -> bool:
    """Whether it ended before its third turn by surrender or agreement: in a draw that was agreed, both teams stand."""
    if state.turn >= REWARDED_FROM or state.outcome is None:
        return False
    out = [duellist.out for duellist in state.duellists.values()]
    if state.outcome.winner is None:
        return "surrender" in out or _both_stand(state.duellists)
    return state.outcome.by == "surrender"


def _both_stand(duellists: dict[SeatName, Duellist]) -> bool:
    return len({team_of(seat) for seat, duellist in duellists.items() if duellist.out is None}) > 1
