"""Brings tournaments to each stage, through the actions that people and the clock do."""

import datetime as dt
from unittest.mock import patch

from duels import clock
from duels.actions.arranged import give_up
from duels.actions.heartbeat import beat
from duels.actions.ledger import held as held_duel
from duels.actions.preparation import start
from duels.actions.turns import lock
from duels.models import Duel, Heartbeat
from tests import play as duel_play
from tests import spells_play
from tests.factories import DuellistFactory, StaffFactory
from tournaments.actions.announcing import Announcement, announce_tournament
from tournaments.actions.leaving import withdraw
from tournaments.actions.registering import register
from tournaments.actions.sweep import sweep
from tournaments.models import Tournament


def announced(entrants=0, **terms):
    """Return a tournament that is open, with so many entrants; with a match for the third place where there is one."""
    number = Tournament.objects.count() + 1
    user = terms.pop("user", None) or StaffFactory()
    terms = {
        "name": f"Tournoi {number}",
        "ruleset": "arena",
        "kind": "single",
        "seeding": "draw",
        "starts_at": clock.now() + dt.timedelta(hours=1),
        **terms,
    }
    terms["third_place"] = terms.get("third_place", False) and terms["kind"] == "single"
    tournament = announce_tournament(user=user, announcement=Announcement(**terms))
    for _number in range(entrants):
        enter(tournament)
    return tournament


def enter(tournament, duellist=None, **more):
    duellist = duellist or (spells_play.fighter() if tournament.ruleset == "spells" else DuellistFactory())
    return register(user=duellist.user, tournament_id=tournament.pk, duellist=duellist, **more)


def unequal(tournament, random=None):
    """Return a duellist unlike those who are in already: their gauges differ, as their ages or levels do."""
    number = random.randint(0, 6) if random else tournament.entrants.count()
    if tournament.ruleset == "spells":
        year = number % 7 + 1
        return spells_play.fighter(year=year, types=["fire", "air"] if year > 5 else ["fire"])
    return DuellistFactory(birth_date=dt.date.today() - dt.timedelta(days=(15 + 10 * number) * 366))


def running(entrants=4, **terms):
    """Return a tournament in its first round."""
    tournament = announced(entrants, **terms)
    sweep_at(tournament.starts_at)
    return fresh(tournament)


def opened(tournament):
    """Let the start of a tournament have come, and its first round open now, at an hour that is not still to come."""
    now = clock.now()
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=now, wake_at=now)
    sweep_at(now)
    return fresh(tournament)


def fresh(tournament):
    return Tournament.objects.get(pk=tournament.pk)


def sweep_at(instant):
    """Let the clock of tournaments do what is due at an instant; it has worked without a silence until then."""
    beat_until(instant)
    return sweep_after_silence(instant)


def beat_until(instant):
    """Have the clock work from its last sweep on until an instant."""
    last = Heartbeat.objects.order_by("-at").first()
    if last is None:
        Heartbeat.objects.create(since=instant, at=instant)
    elif last.at < instant:
        Heartbeat.objects.filter(pk=last.pk).update(at=instant)


def sweep_after_silence(instant):
    """Let the clock of tournaments do what is due at an instant, when that of the duels has just swept."""
    beat(at=instant)
    with patch.object(clock, "now", lambda: instant):
        return sweep()


def sweep_now(tournament):
    return sweep_at(tournament.starts_at + dt.timedelta(minutes=5))


def end_duel(match, *, loser="b"):
    """Let one side of a match lose its duel."""
    start_duel(match)
    with held_duel(match.duel_id) as duel:
        give_up(duel, at=clock.now(), letter=loser)


def start_duel(match):
    """Let the duel of a match begin, if it has not yet."""
    with held_duel(match.duel_id) as duel:
        if duel.status == Duel.Status.ANNOUNCED:
            start(duel, at=max(clock.now(), duel.announced_at))


def play_round(tournament, random=None):
    """End every duel of the round that is under way, then let the clock look."""
    for match in list(tournament.matches.filter(decided_at=None)):
        end_duel(match, loser=random.choice("ab") if random else "b")
    sweep_now(tournament)
    return fresh(tournament)


def played(tournament, random=None):
    for _round in range(200):
        if not tournament.is_running:
            break
        tournament = play_round(tournament, random)
    return tournament


def file_one_and_close(duel, letter):
    """Let one side file in the open turn, and the turn lock without the other."""
    zones = [("left_arm", "left_leg"), ("torso", "right_arm")][duel_play.fresh(duel).turn % 2]
    duel_play.file(duel, letter, thrust=zones[0], parry=zones[1])
    with held_duel(duel.pk) as held:
        lock(held, at=clock.now())


def leave(entrant):
    return withdraw(user=entrant.duellist.user, tournament_id=entrant.tournament_id)
