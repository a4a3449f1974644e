"""Brings people to the registration desk, through the actions that they and the clock do."""

from duels import clock
from duels.actions.challenges import accept_challenge, decline_challenge
from duels.actions.ending import surrender
from duels.actions.spell_challenges import accept_spell_challenge
from duels.models import Duel
from tests import spells_play
from tests.factories import DuellistFactory
from tests.play import player
from tests.spells_play import fighter
from tournaments.desk.actions.pairing import pair
from tournaments.desk.actions.registering import register_for_arena, register_for_spells

ACCEPT = {"arena": accept_challenge, "spells": accept_spell_challenge}


def in_arena(duellist=None, *, year=None, **terms):
    """Register somebody for an arena duel."""
    duellist = duellist or DuellistFactory(year=year)
    terms = {"kind": "training", "turn_hours": 48, "refereed": False, **terms}
    return register_for_arena(user=duellist.user, duellist=duellist, **terms)


def in_spells(duellist=None, *, year=None, **terms):
    """Register somebody who may fight for a spell duel."""
    types = ["fire", "air"] if year is None or year > 5 else ["fire"]
    duellist = duellist or fighter(year=year, types=types)
    terms = {"mode": "rp", "format": "1v1", "refereed": False, **terms}
    return register_for_spells(user=duellist.user, duellist=duellist, **terms)


def confirm(duel, letter):
    return ACCEPT[duel.ruleset](user=player(duel, letter), duel_id=duel.pk)


def decline(duel, letter):
    return decline_challenge(user=player(duel, letter), duel_id=duel.pk)


def paired(*enrolments):
    """Let the desk pair, and return the one duel that comes of it: of two for the arena, unless others
    have registered."""
    enrolments or (in_arena(), in_arena())
    pair()
    return Duel.objects.get(paired=True)


def spell_duel_over():
    """Return a spell duel that ended by a surrender."""
    duel = spells_play.running(refereed=False)
    surrender(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    return duel


def names(duel):
    """Return who duels against whom."""
    return {frozenset(player["name"] for _letter, player in team) for team in duel.teams}
