"""Contests a resolution, and answers, through the actions that people do."""

from duels import clock
from duels.actions.appeals import contest_resolution, decide_appeal
from duels.actions.rulings import note_ruling
from tests import play

WHY = "La parade de la tête n'a pas compté (A9.1)."
BECAUSE = "Le vent avait échangé les zones : voyez le dé."
NOTED = "La parade de la tête compte."


def contest(duel, letter="a", at=None, **parts):
    duel = play.fresh(duel)
    said = {"resolution_id": duel.phase.after_id, "reason": WHY, **parts}
    return contest_resolution(user=play.player(duel, letter), duel_id=duel.pk, received_at=at or clock.now(), **said)


def decide(appeal, user, granted=False, reason=BECAUSE):
    return decide_appeal(user=user, appeal_id=appeal.pk, granted=granted, reason=reason)


def note(duel):
    """The duel's referee notes in words what was decided; return the duel."""
    duel = play.fresh(duel)
    phase = duel.phase
    note_ruling(user=duel.referee, duel_id=duel.pk, turn=phase.number, name=phase.name, reason=NOTED)
    return play.fresh(duel)
