"""A tournament's way from the start to the champion: seeding, rounds, what came of the duels, the end."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Greatest

from duels.actions.arranged import arrange_duel
from duels.actions.availability import check_room, hold_rooms
from duels.actions.spell_challenges import terms_of
from duels.errors import Invalid
from duels.models import Duel, Happening
from duels.people import REFEREES
from duels.queries.eligibility import bans
from tournaments import formats, lots
from tournaments.formats.core import DRAW, LOSS, WIN
from tournaments.models import BAN, ENDED, Entrant, Match, Reign, Tournament
from tournaments.queries.ranking import by_duels_won

from .holding import end, everybody, tell

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from tournaments.formats import Pairing


def start(tournament: Tournament, *, at: dt.datetime) -> None:
    """Start a tournament that is held: seed those who have registered, and open the first round; cancel it where there
    are not two."""
    let_go(tournament, at=at)
    promote(tournament, at=at)
    registered = tournament.entrants.filter(status=Entrant.Status.REGISTERED).order_by("registered_at", "pk")
    entrants = list(registered.select_related("duellist"))
    if len(entrants) < 2:
        end(tournament, Tournament.Status.CANCELLED, at=at, seed=lots.seed_of(tournament))
        tell(tournament, "tournament_cancelled", at=at, concerns=everybody(tournament))
        return
    for place, entrant in enumerate(_seeded(tournament, entrants), start=1):
        entrant.place, entrant.status = place, Entrant.Status.IN
        _read_register(tournament, entrant)
        entrant.save(update_fields=["place", "status", "terms"])
    tournament.status = Tournament.Status.RUNNING
    tournament.started_at = at
    tell(tournament, "tournament_started", at=at, concerns=entrants)
    advance(tournament, at=at)


def _read_register(tournament: Tournament, entrant: Entrant) -> None:
    """In mode `rp` one fights as the register has one when one sits down (B1.2, B2.5), and so to the end; where that no
    longer fits the spell book, as it had one at registration."""
    if tournament.book is not None and tournament.mode == Duel.Mode.RP:
        with suppress(Invalid):
            entrant.terms = terms_of(entrant.duellist, tournament.mode, None, tournament.book)


def let_go(tournament: Tournament, *, at: dt.datetime) -> None:
    """Let those go who can play no more: banned from spell duels meanwhile (B6.0), or their account is closed. Before
    the second round substitutes take their places."""
    awaited = list(tournament.entrants.awaited().select_related("duellist__user"))
    banned = _banned(tournament, awaited, at)
    going = [entrant for entrant in awaited if entrant.pk in banned or not entrant.duellist.user.is_active]
    for entrant in going:
        send_off(tournament, entrant, reason=BAN if entrant.pk in banned else "", at=at)
    for entrant in going:
        if entrant.place is not None:
            fill(tournament, entrant, at=at)


def _banned(tournament: Tournament, entrants: Iterable[Entrant], at: dt.datetime) -> set[int]:
    """Return the keys of the entrants who are banned from the duels of this tournament."""
    if tournament.ruleset != Tournament.Ruleset.SPELLS:
        return set()
    of = {entrant.duellist_id: entrant.pk for entrant in entrants}
    return {of[duellist] for duellist in bans(of, now=at)}


def promote(tournament: Tournament, *, at: dt.datetime) -> None:
    """Before the start, let those who wait take the places that are free, the longest waiting first."""
    taken = tournament.entrants.filter(status=Entrant.Status.REGISTERED).count()
    free = max(0, tournament.capacity - taken)
    for entrant in tournament.entrants.reserves().select_related("duellist")[:free]:
        entrant.status = Entrant.Status.REGISTERED
        entrant.save(update_fields=["status"])
        tell(tournament, "tournament_place", at=at, concerns=[entrant], name=entrant)


def _seeded(tournament: Tournament, entrants: list[Entrant]) -> list[Entrant]:
    """Return the entrants from the first place to the last; equal ranks in an order drawn by lot."""
    drawn = lots.shuffled(tournament, entrants)
    if tournament.seeding == Tournament.Seeding.DRAW:
        return drawn
    won = by_duels_won(tournament.ruleset, [entrant.duellist_id for entrant in drawn])
    return sorted(drawn, key=lambda entrant: won[entrant.duellist_id], reverse=True)


def course_of(tournament: Tournament) -> formats.Course:
    """Return how the tournament has gone, as the formats read it."""
    seated = tournament.entrants.exclude(place=None).values_list("place", "status")
    places = {place for place, _status in seated if place is not None}
    taken = {place for place, status in seated if status == Entrant.Status.IN}
    results = [result for match in tournament.matches.order_by("pk") if (result := match.result)]
    return formats.Course(len(places), tuple(results), frozenset(places - taken), tournament.third_place)


def advance(tournament: Tournament, *, at: dt.datetime) -> None:
    """Take in what came of the duels, and open rounds until one has a duel to wait for, or the tournament is over."""
    harvest(tournament, at=at)
    while tournament.is_running and not tournament.matches.filter(decided_at=None).exists():
        let_go(tournament, at=at)
        course = course_of(tournament)
        pairings = tournament.format.pair(course)
        if not pairings:
            _finish(tournament, course, at=at)
            return
        _open_round(tournament, course, pairings, at=at)


def _open_round(
    tournament: Tournament, course: formats.Course, pairings: tuple[Pairing, ...], *, at: dt.datetime
) -> None:
    tournament.open_round(course.round + 1, at=at)
    sitting = _sitting(tournament)
    for pairing in pairings:
        second = sitting[pairing.b] if pairing.b is not None else None
        match = Match(
            tournament=tournament, key=pairing.key, round=pairing.round, a=pairing.a, b=pairing.b,
            first=sitting[pairing.a], second=second,
        )  # fmt: skip
        known = formats.unplayed(pairing, course.gone)
        if known is None:
            set_up_duel(tournament, match, at=at)
            match.save()
        else:
            decide(match, known.a, known.b, Match.How.WALKOVER if pairing.b else Match.How.BYE, at=at)


def _sitting(tournament: Tournament) -> dict[int | None, Entrant]:
    """Return who sits in each place, or sat there last."""
    entrants = tournament.entrants.exclude(place=None).select_related("duellist__user")
    return {entrant.place: entrant for entrant in entrants.order_by("pk")} | {
        entrant.place: entrant for entrant in entrants.filter(status=Entrant.Status.IN)
    }


def set_up_duel(tournament: Tournament, match: Match, *, at: dt.datetime) -> None:
    """Give a match its duel, announced at once, with a referee of the tournament's list."""
    if match.second is None:
        raise LookupError(f"match {match.key} is a bye")
    entrants = (match.first, match.second)
    referee = _referee_for(tournament, {entrant.duellist.user_id for entrant in entrants})
    match.duel = arrange_duel(
        ruleset_name=tournament.ruleset,
        duellists=[entrant.duellist for entrant in entrants],
        turn_hours=tournament.turn_hours,
        referee=referee,
        panel=tournament.referees.all(),
        mode=tournament.mode,
        book=tournament.book,
        terms=[entrant.terms for entrant in entrants] if tournament.book else (),
        at=at,
    )
    if referee is not None:
        Happening.objects.create(duel=match.duel, what="duel_given", at=at, concerns=[referee.pk])


def _referee_for(tournament: Tournament, players: set[int]) -> User | None:
    """Return who of the list has room (A14), then the fewest duels of this tournament; never one who plays in this one.

    Who is on the list has promised to come, so a duel goes to somebody even where nobody has room; None where nobody is
    left.
    """
    hold_rooms(tournament.referees.all())
    able = tournament.referees.filter(is_active=True, groups__name=REFEREES).exclude(pk__in=players)
    had = Counter(Duel.objects.filter(match__tournament=tournament).values_list("referee_id", flat=True))
    return min(able, key=lambda referee: (not _has_room(referee), had[referee.pk], referee.pk), default=None)


def _has_room(referee: User) -> bool:
    try:
        check_room(referee)
    except Invalid:
        return False
    return True


def harvest(tournament: Tournament, *, at: dt.datetime) -> None:
    """Take in the matches whose duels are over."""
    for match in tournament.matches.with_all().filter(decided_at=None, duel__status__in=ENDED):
        take_in(tournament, match, at=at)


def take_in(tournament: Tournament, match: Match, *, absent: str = "", at: dt.datetime) -> None:
    """Decide a match whose duel is over. Who was disqualified in it, or silent until it was lost, is out of the
    tournament; so are the `absent` (letters of their seats), who have filed nothing by the end of the round."""
    sides = [(letter, entrant) for letter, entrant in zip("ab", (match.first, match.second), strict=True) if entrant]
    guilty = [entrant for letter, entrant in sides if letter in absent or _is_sent_off(match, letter)]
    sent_off = [entrant for entrant in guilty if not entrant.has_left]
    for entrant in sent_off:
        send_off(tournament, entrant, at=at)
    _decide_by_duel(tournament, match, len(guilty), is_absence=bool(absent), at=at)
    for entrant in sent_off:
        fill(tournament, entrant, at=at)


def send_off(tournament: Tournament, entrant: Entrant, *, reason: str = "", at: dt.datetime) -> None:
    """Note that an entrant of a tournament that is held is out of it, disqualified, and tell them."""
    entrant.status, entrant.left_at, entrant.reason = Entrant.Status.DISQUALIFIED, at, reason
    entrant.save(update_fields=["status", "left_at", "reason"])
    tell(tournament, "tournament_sent_off", at=at, concerns=[entrant], name=entrant)


def _is_sent_off(match: Match, letter: str) -> bool:
    """A13.3, B6.1: three infractions, or two absences and one more."""
    duel = match.duel
    if duel is None or not duel.is_over:
        return False
    seat = duel.public_view["seats"][letter]
    if duel.ruleset == Tournament.Ruleset.ARENA:
        return bool(seat["infractions"] >= 3)
    return bool(seat["out"] == "disqualified")


def _decide_by_duel(tournament: Tournament, match: Match, guilty: int, *, is_absence: bool, at: dt.datetime) -> None:
    duel = match.duel
    winner = duel.winner if duel and duel.is_over else ""
    how = Match.How.ABSENCE if is_absence else _how(match)
    if guilty == 2:
        decide(match, LOSS, LOSS, how, at=at)
    elif winner:
        first_wins = winner in ("a", "1")
        decide(match, WIN if first_wins else LOSS, LOSS if first_wins else WIN, how, at=at)
    elif tournament.format.needs_winner:
        first_wins = lots.first_by_lot(tournament, match.key)
        decide(match, WIN if first_wins else LOSS, LOSS if first_wins else WIN, Match.How.LOT, at=at)
    else:
        decide(match, DRAW, DRAW, how, at=at)


def _how(match: Match) -> Match.How:
    """Whether the wall has decided the duel, be it a draw."""
    is_wall = match.duel is not None and match.duel.entries.filter(kind="wall").exists()
    return Match.How.WALL if is_wall else Match.How.DUEL


def fill(tournament: Tournament, entrant: Entrant, *, at: dt.datetime) -> None:
    """Let a substitute take a place that was left and that has something to play yet."""
    if tournament.format.plays_on(course_of(tournament), entrant.place or 0):
        substitute(tournament, entrant, at=at)


def fill_vacated(tournament: Tournament, *, at: dt.datetime) -> None:
    """Let those who wait take the places that were left before they came."""
    sitting = _sitting(tournament)
    for place in sorted(course_of(tournament).gone):
        fill(tournament, sitting[place], at=at)


def substitute(tournament: Tournament, entrant: Entrant, *, at: dt.datetime) -> Entrant | None:
    """Seat the first who waits, and may play, in the place of who has left, results included; None where nobody waits,
    or it is too late."""
    if not tournament.takes_substitutes:
        return None
    reserves = list(tournament.entrants.reserves().select_related("duellist__user"))
    banned = _banned(tournament, reserves, at)
    able = (one for one in reserves if one.pk not in banned and one.duellist.user.is_active)
    waiting = next(able, None)
    if waiting is None:
        return None
    waiting.status, waiting.place, waiting.replaces = Entrant.Status.IN, entrant.place, entrant
    _read_register(tournament, waiting)
    waiting.save()
    tell(tournament, "tournament_place", at=at, concerns=[waiting], name=waiting)
    return waiting


def decide(match: Match, a: int, b: int, how: Match.How, *, at: dt.datetime) -> None:
    """Note what came of a match."""
    match.a_points, match.b_points, match.how, match.decided_at = a, b, how, at
    match.save()


def _finish(tournament: Tournament, course: formats.Course, *, at: dt.datetime) -> None:
    end(tournament, Tournament.Status.OVER, at=at, seed=lots.seed_of(tournament))
    place = formats.champion(tournament.format, course)
    if place is None:
        tell(tournament, "tournament_vacant", at=at, concerns=everybody(tournament))
    else:
        crown(tournament, tournament.entrants.get(place=place, status=Entrant.Status.IN), at=at)


def crown(tournament: Tournament, champion: Entrant, *, at: dt.datetime) -> Reign:
    """Make the winner the champion (A15), and tell everybody who took part.

    No purse is touched: no rule gives a prize for a title, nor takes anything as a reign ends. What the duels of the
    tournament brought was paid with their verdicts (B3.3.2).
    """
    try:
        reign = _enthrone(tournament, champion, at=at)
    except IntegrityError:  # another tournament of these rules was won at that instant: its champion reigned till now
        reign = _enthrone(tournament, champion, at=at)
    tell(tournament, "tournament_won", at=at, concerns=everybody(tournament), name=champion)
    return reign


@transaction.atomic
def _enthrone(tournament: Tournament, champion: Entrant, *, at: dt.datetime) -> Reign:
    Reign.objects.filter(ruleset=tournament.ruleset, until=None).update(until=Greatest(at, F("since")))
    return Reign.objects.create(tournament=tournament, duellist=champion.duellist, ruleset=tournament.ruleset, since=at)
