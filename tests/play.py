"""Brings duels to each stage of their life, through the actions that people and the clock do."""

import datetime as dt

from django.contrib.auth import get_user_model

from duels import clock
from duels.actions.announcement import take_duel
from duels.actions.challenges import accept_challenge, send_challenge
from duels.actions.ending import surrender
from duels.actions.filing import file_declaration
from duels.actions.preparation import ask_to_start, hide_receptacle
from duels.actions.turns import publish_turn
from duels.models import Duel

from .factories import DuellistFactory, RefereeFactory

TEXT = (
    "La lumière tombe en biais sur la piste, et les pantins s'éveillent l'un après l'autre. "
    "Elle resserre les doigts autour de sa baguette, cherche le regard de son adversaire et n'y trouve "
    "qu'un calme irritant. Sur les gradins, on se tait enfin. Le bois craque, l'épée se lève, "
    "et le pantin fait un pas de côté comme pour éprouver le sol. Elle se souvient de ce que lui répétait "
    "son professeur : ne jamais regarder la lame, toujours l'épaule. Alors elle regarde l'épaule, elle attend, "
    "elle respire, et lorsque le vent retombe elle lance son geste, sans colère et sans hâte, avec la patience "
    "de ceux qui savent que la partie sera longue et qu'un seul instant suffit à la perdre pour de bon."
)


def player(duel, letter):
    """Return the user who plays that seat."""
    return get_user_model().objects.get(pk=duel.cast[letter]["user"])


def challenged(**terms):
    """Return a duel that awaits an answer; `a` and `b` are duellists, the rest terms of the challenge."""
    a = terms.pop("a", None) or DuellistFactory()
    b = terms.pop("b", None) or DuellistFactory()
    terms = {
        "kind": "training",
        "turn_hours": 48,
        "starts_at": clock.now() + dt.timedelta(days=3),
        **terms,
    }
    return send_challenge(user=a.user, challenger=a, opponent=b, **terms)


def agreed(**terms):
    duel = challenged(**terms)
    return accept_challenge(user=player(duel, "b"), duel_id=duel.pk)


def announced(referee=None, **terms):
    """Return a duel whose referee has taken it (or, with `refereed=False`, that needs none)."""
    duel = agreed(**terms)
    if duel.refereed:
        duel = take_duel(user=referee or RefereeFactory(), duel_id=duel.pk)
    return duel


def hide(duel, a="head", b="head"):
    for letter, zone in (("a", a), ("b", b)):
        hide_receptacle(user=player(duel, letter), duel_id=duel.pk, zone=zone, received_at=clock.now())


def running(receptacles=("head", "head"), **terms):
    """Return a duel in its first turn: both have hidden their receptacle and asked to start at once."""
    duel = announced(**terms)
    hide(duel, *receptacles)
    for letter in "ab":
        ask_to_start(user=player(duel, letter), duel_id=duel.pk, received_at=clock.now())
    return fresh(duel)


def fresh(duel):
    return Duel.objects.select_related("phase", "thread", "referee").get(pk=duel.pk)


def file(duel, letter, *, thrust="left_arm", parry="left_leg", option=None, text=TEXT, turn=None):
    """File one seat's publication and declaration in the open turn; return the entry."""
    return file_declaration(
        user=player(duel, letter),
        duel_id=duel.pk,
        turn=turn or fresh(duel).turn,
        text=text,
        declaration={"thrust": thrust, "parry": parry, "option": option},
        received_at=clock.now(),
    )


def play_turn(duel, a=None, b=None):
    """File for both, and publish when there is a referee; `a` and `b` are keyword arguments of `file`."""
    for letter, declaration in (("a", a), ("b", b)):
        file(duel, letter, **(declaration or {}))
    return publish(duel)


def locked(**terms):
    """Return a duel whose first turn waits for its referee."""
    duel = running(**terms)
    file(duel, "a")
    file(duel, "b", thrust="torso", parry="right_arm")
    return fresh(duel)


def publish(duel):
    """Publish the turn that waits, if one does; return the duel as it then stands."""
    duel = fresh(duel)
    if duel.referee and duel.phase.status == "locked":
        publish_turn(user=duel.referee, duel_id=duel.pk, turn=duel.turn, revision=duel.phase.resolution.revision)
    return fresh(duel)


def over(**terms):
    """Return a duel of one resolved turn, surrendered in the second."""
    duel = running(**terms)
    play_turn(duel, b={"thrust": "torso", "parry": "right_arm"})
    surrender(user=player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    return fresh(duel)
