"""Brings spell duels to each stage of their life, through the actions that people and the clock do."""

import datetime as dt

from duels import clock
from duels.actions.announcement import take_duel
from duels.actions.corrections import correct_filing
from duels.actions.filing import file_declaration
from duels.actions.preparation import ask_to_start
from duels.actions.spell_challenges import Registration, accept_spell_challenge, send_spell_challenge
from duels.actions.turns import publish_turn
from duels.models import CarriedOver

from .factories import DuellistFactory, RefereeFactory
from .play import TEXT, fresh, player

NOTHING = {"do": "nothing"}
STAY = {"steps": []}


def fighter(**parts):
    """Return an adult who may fight spell duels, in the chronology, with two types of magic."""
    parts = {"types": ["fire", "air"], "in_chronology": True, **parts}
    duellist = DuellistFactory(**parts)
    CarriedOver.objects.get_or_create(
        user=duellist.user, defaults={"member_since": dt.date(2020, 1, 1), "messages": 50}
    )
    return duellist


def challenged(count=2, mode="rp", registration=None, sides=(), **terms):
    """Return a challenge between `count` duellists: a (and c) against b (and d)."""
    sides = [*sides, *(fighter() for _ in range(count - len(sides)))]
    a, b, *rest = sides
    return send_spell_challenge(
        user=a.user,
        challenger=a,
        opponents=[b, *rest[1:]],
        partner=rest[0] if rest else None,
        mode=mode,
        registration=registration,
        **{"starts_at": clock.now() + dt.timedelta(days=3), **terms},
    )


def agreed(registration=None, **terms):
    duel = challenged(registration=registration, **terms)
    for letter in sorted(duel.cast)[1:]:
        duel = accept_spell_challenge(user=player(duel, letter), duel_id=duel.pk, registration=registration)
    return duel


def announced(referee=None, **terms):
    duel = agreed(**terms)
    return take_duel(user=referee or RefereeFactory(), duel_id=duel.pk) if duel.refereed else duel


def running(**terms):
    """Return a duel in its first action phase."""
    duel = announced(**terms)
    for letter in duel.cast:
        ask_to_start(user=player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    return fresh(duel)


def file(duel, letter, *steps, order=None, text=TEXT, at=None, **more):
    """Post in the open phase: the steps of an action, or the one answer of a defence."""
    duel = fresh(duel)
    declaration = {"steps": list(steps), **({"order": order} if order else {})}
    if duel.phase.name == "defence":
        declaration = steps[0] if steps else NOTHING
    return file_declaration(
        user=player(duel, letter),
        duel_id=duel.pk,
        turn=duel.turn,
        name=duel.phase.name,
        text=text,
        declaration=declaration,
        received_at=at or clock.now(),
        **more,
    )


def correct(duel, letter, declaration, *, text="", at=None):
    duel = fresh(duel)
    return correct_filing(
        user=player(duel, letter),
        duel_id=duel.pk,
        turn=duel.turn,
        name=duel.phase.name,
        text=text,
        declaration=declaration,
        received_at=at or clock.now(),
    )


def publish(duel):
    """Publish the phase that waits, if one does; return the duel as it then stands."""
    duel = fresh(duel)
    if duel.referee and duel.phase.status == "locked":
        publish_turn(
            user=duel.referee,
            duel_id=duel.pk,
            turn=duel.turn,
            name=duel.phase.name,
            revision=duel.phase.resolution.revision,
        )
    return fresh(duel)


def all_file(duel, **steps):
    """File for everybody awaited (nothing, unless `steps` says), then publish."""
    for letter in fresh(duel).awaited:
        file(duel, letter, *steps.get(letter, ()))
    return publish(duel)


def cast(spell, **parts):
    return {"do": "cast", "spell": spell, **parts}


def move(zone):
    return {"do": "move", "to": zone}


def free(level, *types):
    return Registration(level, types)
