"""Pairs of duels whose public views are equal and whose secrets differ (`tests.bouts` plays them), and who is shown
anything different.

Both are played in the same world, by the same people, at the same frozen hour and with the same dice, so that whatever
differs in what leaves the server comes from the secrets.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from django.core import mail
from django.db import connection, transaction
from django.test import Client

from duels import clock, secrets
from duels.models import Duel
from duels.vault import seal
from rules.dice import SealedDice
from rules.seal import commitment
from tests import pages, spells_play
from tests.duels.readers import as_user
from tests.factories import DuellistFactory, StaffFactory
from tests.notices import told
from tests.tournaments import play as tournaments_play
from tournaments.models import Entrant, Match, Tournament

AT_A_TIME = 1  # pages of each reader: the next pair shows the next ones
PAGE_OF_ALL = pages.Page("/duels/{duel}/")
ALWAYS_SHOWN = ("nobody", "player b", "fighter a")  # the duel itself
READERS = ("nobody", "another player", "another referee", "who decides", "its referee", "staff")


class Bringing(NamedTuple):
    """A duel at its stage: its secrets, what anyone may know of it, and who knows of its secrets, or may."""

    duel: Duel
    kept: str
    public: str
    knowing: frozenset[str]


class Side(NamedTuple):
    """One duel of a pair: what its secrets are, what anyone may know of it, and all that left the server of it."""

    kept: str
    public: str
    shown: dict[str, str]


DICE, DICE_OF = secrets.dice, secrets.dice_of
Bout = Callable[["World", str, int, int], Bringing]  # world, stage, number, which of the pair


class World:
    """The people of both duels, who are the same, and a browser of each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.people = {**told.pair(), "referee": told.referee()}
        self.decider = told.referee()
        self.fighters = [spells_play.fighter(traits={"legilimens": 3}), *(spells_play.fighter() for _ in "bcd")]
        for fighter in self.fighters:
            told.confirmed(fighter.user)
        self.users = {
            "nobody": None,
            "another player": told.confirmed(DuellistFactory().user),
            "another referee": told.referee(),
            "who decides": self.decider,
            "its referee": self.people["referee"],
            "staff": told.confirmed(StaffFactory()),
            **{f"player {letter}": self.people[letter].user for letter in "ab"},
            **{f"fighter {letter}": one.user for letter, one in zip("abcd", self.fighters, strict=True)},
        }
        self.tournaments = {ruleset: self._tournament(ruleset) for ruleset in ("arena", "spells")}
        self.clients = {who: as_user(user) for who, user in self.users.items()}
        for client in self.clients.values():
            client.get("/")
        self.cookies = {who: deepcopy(client.cookies) for who, client in self.clients.items()}
        self.keys = _next_keys()

    def _tournament(self, ruleset: str) -> Tournament:
        terms = {"mode": "rp"} if ruleset == "spells" else {}
        tournament = tournaments_play.announced(ruleset=ruleset, **terms)
        Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.RUNNING, round=1)
        two = self.fighters[:2] if ruleset == "spells" else [self.people[letter] for letter in "ab"]
        for place, duellist in enumerate(two, 1):
            Entrant.objects.create(
                tournament=tournament, duellist=duellist, status=Entrant.Status.IN, place=place,
                registered_at=clock.now(),
            )  # fmt: skip
        return tournament

    def name_match(self, duel: Duel) -> None:
        """Let a tournament name the duel too."""
        tournament = self.tournaments[duel.ruleset]
        first, second = tournament.entrants.order_by("place")
        Match.objects.create(
            tournament=tournament, key="1.1", round=1, a=1, b=2, first=first, second=second, duel=duel
        )  # fmt: skip

    def side(self, bring: Callable[[], Bringing], deal: Callable[[str], list[pages.Page]]) -> Side:
        """Play one duel, and take down what is shown of it, on the pages that `deal` gives each reader: then it has
        never been."""
        for who, client in self.clients.items():  # what was said to them while the other duel was played is forgotten
            client.cookies = deepcopy(self.cookies[who])
        _give_back(self.keys)
        with _that_never_was():
            duel, kept, public, knowing = bring()
            self.name_match(duel)
            playing = {f"{'player' if duel.ruleset == 'arena' else 'fighter'} {letter}" for letter in duel.cast}
            readers = [who for who in (*READERS, *sorted(playing)) if who not in knowing]
            return Side(kept, public, self._shown(duel, readers, knowing, deal))

    def roll_from(self, number: int) -> None:
        """Let both duels of a pair have the same seed and public number, and so the same dice."""
        seed = _digest(number)

        def draw_seed(duel: Duel) -> None:
            duel.uid = UUID(bytes=seed[:16])
            duel.sealed_seed = seal(seed, duel.uid, "seed")
            duel.commitment = commitment(seed)

        self.monkeypatch.setattr(secrets, "draw_seed", draw_seed)
        self.monkeypatch.setattr(secrets, "dice", DICE)
        self.monkeypatch.setattr(secrets, "dice_of", DICE_OF)

    def roll_otherwise(self, number: float) -> None:
        """Let the dice fall otherwise from now on: in a duel that does not come to its end."""
        seed = _digest(number)
        self.monkeypatch.setattr(secrets, "dice", lambda duel, phase: SealedDice(seed, "pair", duel.branch, phase))
        self.monkeypatch.setattr(
            secrets, "dice_of", lambda _duel, phase: SealedDice(seed, "pair", phase.branch, phase.number)
        )

    def _shown(
        self, duel: Duel, readers: list[str], knowing: frozenset[str], deal: Callable[[str], list[pages.Page]]
    ) -> dict[str, str]:
        places = pages.places(duel)
        shown = self._mailed(duel, knowing)
        for who in readers:
            for page in deal(who):
                shown[f"{page}, {who}"] = _answer(self.clients[who], page, places, duel)
        return shown

    def _mailed(self, duel: Duel, knowing: frozenset[str]) -> dict[str, str]:
        """What was written to those who may not know, letter by letter."""
        mail.outbox.clear()
        told.begin_here()
        theirs = {user.email for who, user in self.users.items() if user is not None and who in knowing}
        letters = [letter for letter in told.told_and_mailed() if not theirs & set(letter.to)]
        return {
            f"mail {place}": _neutral(f"{letter.to} {letter.subject}\n{letter.body}\n{letter.extra_headers}", duel)
            for place, letter in enumerate(letters)
        }


def _digest(number: float) -> bytes:
    return hashlib.sha256(str(number).encode()).digest()


@contextmanager
def _that_never_was() -> Iterator[None]:
    world = transaction.atomic()
    world._from_testcase = True  # what durable transactions may stand in
    with world:
        yield
        transaction.set_rollback(True)


def _next_keys() -> list[tuple[str, int | None]]:
    """Return where the keys of each table stand; SQLite gives back by itself those of what never was."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT format('%I.%I', schemaname, sequencename), last_value FROM pg_sequences"
            " WHERE schemaname = current_schema()"
        )
        return cursor.fetchall()


def _give_back(keys: list[tuple[str, int | None]]) -> None:
    if keys:
        names, values = zip(*keys, strict=True)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT setval(name::regclass, coalesce(value, 1), value IS NOT NULL)"
                " FROM unnest(%s::text[], %s::bigint[]) AS kept (name, value)",
                [list(names), list(values)],
            )


# What differs between two duels without being a secret, each replaced by as many signs: sizes count too.
_NEUTRAL = [
    re.compile(r"(?<=csrfmiddlewaretoken\" value=\")[^\"]+"),
    re.compile(r"(?<=/avis/arret/)[\w-]+"),
    re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"),
    re.compile(r"\b[0-9a-f]{12}(?:[0-9a-f]{52})?\b"),
]


def _neutral(said: str, duel: Duel) -> str:
    for pattern in _NEUTRAL:
        said = pattern.sub(lambda found: "#" * len(found.group()), said)
    return said


def _answer(client: Client, page: pages.Page, places: dict[str, Any], duel: Duel) -> str:
    """Return an answer: status, headers (cookies by their names) and body, without what tells two duels apart. What
    sending a form does is undone."""
    address = page.address
    if "{newest}" in address:
        places = {**places, "newest": pages.newest(address)}
    address = address.format(**places)
    if page.is_sent:
        with _that_never_was():
            return _spelt(client.post(address), duel)
    return _spelt(client.get(address), duel)


def _spelt(answer: Any, duel: Duel) -> str:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    head = {key: value for key, value in answer.headers.items() if key != "Set-Cookie"}
    top = f"{answer.status_code} {sorted(head.items())} {sorted(answer.cookies)}"
    return _neutral(f"{top}\n{body.decode(errors='backslashreplace')}", duel)


def dealt(place: int, who: str) -> list[pages.Page]:
    """Return what a reader is shown of the pair of that place: the next page of a pack of their own, to staff more.

    A pack is shuffled anew each time that it was gone through, so that in the end all is shown at every stage.
    """
    count = AT_A_TIME * (2 if who == "staff" else 1)  # the administration is theirs
    size = len(_pack(who, 0))
    turns = (divmod(turn, size) for turn in range(place * count, (place + 1) * count))
    shown = [_pack(who, times)[turn] for times, turn in turns]
    return [PAGE_OF_ALL, *shown] if who in ALWAYS_SHOWN else shown


@cache
def _pack(who: str, times: int) -> list[pages.Page]:
    pack = list(pages.PAGES)
    if who == "staff":
        pack += pages.of_the_administration()
    Random(f"{who} {times}").shuffle(pack)
    return pack


def differences(
    world: World, bout: Bout, stage: str, number: int, deal: Callable[[str], list[pages.Page]]
) -> list[str] | None:
    """Play the pair of that number to a stage; return where the two are told apart, None if they are no pair.

    They are none if something public differs, or no secret does.
    """
    sides = []
    for variant in (0, 1):
        world.roll_from(number)
        sides.append(world.side(lambda variant=variant: bout(world, stage, number, variant), deal))
    one, other = sides
    if one.public != other.public or one.kept == other.kept:
        return None
    told = {page: (one.shown.get(page, ""), other.shown.get(page, "")) for page in {**one.shown, **other.shown}}
    return [f"{page}: {_first_difference(*both)}" for page, both in told.items() if both[0] != both[1]]


def _first_difference(one: str, other: str) -> str:
    place = next((place for place, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs), 0)
    return f"{one[max(place - 60, 0) : place + 60]!r} is elsewhere {other[max(place - 60, 0) : place + 60]!r}"
