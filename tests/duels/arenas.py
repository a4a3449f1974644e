"""Duels in an arena that a test chooses, since the die would draw any."""

from tests import play


def running_in(arena, **terms):
    """Return a duel in its first turn, in that arena."""
    duel = play.announced(**terms)
    duel.arena = duel.setup["arena"] = arena
    duel.save()
    play.hide(duel)
    for letter in "ab":
        play.ask_to_start(user=play.player(duel, letter), duel_id=duel.pk, received_at=play.clock.now())
    return play.fresh(duel)


def quiet(**terms):
    """Return a duel in its first turn, where thrusts land where they aim: the circles act at the end of turns only."""
    return running_in("verdant_circles", **terms)
