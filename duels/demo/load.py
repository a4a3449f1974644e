"""Loading the demo's school. What is there already is left as it is."""

from __future__ import annotations

import datetime as dt
from random import Random

from duels import clock, training
from duels.actions.challenges import send_challenge
from duels.models import Duel, Duellist
from rules.core import Seat

from . import purses, spells
from .bout import Bout
from .cast import Character, characters, gather, say_availabilities
from .programme import LIVE, OVER, WEDNESDAYS, Scene
from .timeline import at_instant, under_edition

ARENAS = 4
START_AFTER = dt.timedelta(hours=72)


def load_school() -> int:
    """Load the accounts, the duellists and the duels that are missing; return how many duels were played."""
    everybody = characters()
    duellists = gather(everybody)
    purses.fill(duellists)
    purses.write_scenes(duellists)
    missing = [scene for scene in (*OVER, *LIVE) if not is_loaded(scene, duellists)]
    for scene in sorted(missing, key=lambda scene: -_age(scene)):
        play(scene, everybody, duellists)
    played = len(missing) + _fill_the_wednesdays(everybody, duellists) + spells.load(duellists)
    say_availabilities()
    return played


def _fill_the_wednesdays(everybody: dict[str, Character], duellists: dict[str, Duellist]) -> int:
    played = 0
    for scene in WEDNESDAYS:
        if Duel.objects.exclude(arena="").values("arena").distinct().count() >= ARENAS:
            break
        if not is_loaded(scene, duellists):
            play(scene, everybody, duellists)
            played += 1
    return played


def is_loaded(scene: Scene, duellists: dict[str, Duellist]) -> bool:
    """Say whether this scene's duel is there, whatever has become of it."""
    challenged = Duel.objects.filter(message=scene.message, seats__letter="a", seats__duellist=duellists[scene.a])
    return challenged.filter(cast__b__duellist=duellists[scene.b].pk).exists()


def play(scene: Scene, everybody: dict[str, Character], duellists: dict[str, Duellist]) -> Duel:
    """Send the scene's challenge and take its steps; return the duel as it then stands."""
    players: dict[Seat, str] = {"a": scene.a, "b": scene.b}
    bout = Bout(
        players={seat: everybody[key] for seat, key in players.items()},
        duellists={seat: duellists[key] for seat, key in players.items()},
        referee=scene.referee,
        begins_at=clock.now() - dt.timedelta(hours=_age(scene)),
        random=Random(scene.message),  # noqa: S311 - a demo's whims, no secret
    )
    with at_instant(bout.at), under_edition(scene.edition):
        bout.duel_id = _challenge(scene, bout).pk
    for step in scene.steps:
        step.act(bout)
    return bout.duel


def _age(scene: Scene) -> float:
    """Return how many hours ago the scene's challenge was sent."""
    return sum(step.hours for step in scene.steps) + scene.since


def _challenge(scene: Scene, bout: Bout) -> Duel:
    starts_at = bout.at + START_AFTER
    if scene.kind == Duel.Kind.TRAINING and all(duellist.is_student for duellist in bout.duellists.values()):
        starts_at = training.next_opening(starts_at)  # article 3
    return send_challenge(
        user=bout.user("a"),
        challenger=bout.duellists["a"],
        opponent=bout.duellists["b"],
        kind=scene.kind,
        turn_hours=scene.hours,
        starts_at=starts_at,
        refereed=scene.refereed,
        message=scene.message,
        stake=scene.stake,
        stake_currency=scene.staked_in,
    )
