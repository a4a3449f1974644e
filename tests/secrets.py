"""Looking for secrets in what people are shown.

Two duels are played alike, but for what one seat keeps secret: what anybody else is shown of the one must be, to the
letter, what they are shown of the other. And recognisable secrets are looked for by every name they have.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from django.db import transaction
from django.test import Client
from django.utils import translation
from django.utils.html import escape

from duels import secrets, sentences
from duels.models import Duel
from duels.sentences import names
from rules.dice import ScriptedDice
from tests import play
from tests.duels.readers import as_user
from tests.factories import DuellistFactory, RefereeFactory, StaffFactory

Address = Callable[[Duel], str]
FACES = {"arena": 4, "technique_limit": 6, "wind": 2}  # the four winds, which do nothing


class Secrets(NamedTuple):
    """What seat a keeps secret: where its receptacle is, and what it declares in two turns."""

    receptacle: str
    first: dict
    second: dict


def declared(thrust: str, parry: str, option: str, *zones: str) -> dict:
    """Return a declaration, as keyword arguments of `play.file`."""
    return {"thrust": thrust, "parry": parry, "option": {"name": option, "zones": list(zones)} if option else None}


# Published, the first turn shows the same of both: thrust, parry, and that holes gape, not where.
ONE = Secrets(
    "right_leg",
    declared("left_arm", "head", "gaping_hole", "right_leg", "left_arm"),
    declared("right_arm", "left_leg", "cancel_option"),
)
OTHER = Secrets(
    "left_leg",
    declared("left_arm", "head", "gaping_hole", "head", "right_arm"),
    declared("torso", "right_leg", "rough_skin", "right_leg"),
)
# Two second turns that show the same when they are published: arming is masked.
ONE_ARMED = ONE._replace(second=declared("right_arm", "left_leg", "cancel_option"))
OTHER_ARMED = OTHER._replace(second=declared("right_arm", "left_leg", "pin_receptacle"))
FOE = declared("torso", "right_arm", "")
FOE_AGAIN = declared("left_leg", "head", "")
STAGES = ("hidden", "filed", "locked", "published", "armed")


class School:
    """The people of both duels, and a client of each: they are the same, so that only the secrets differ."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for dice in ("dice", "dice_of"):
            monkeypatch.setattr(secrets, dice, lambda _duel, _phase: ScriptedDice(FACES))
        self.people = {"a": DuellistFactory(), "b": DuellistFactory(), "referee": RefereeFactory()}
        self.clients = {
            "nobody": as_user(),
            "the player": as_user(self.people["a"].user),
            "the opponent": as_user(self.people["b"].user),
            "another player": as_user(DuellistFactory().user),
            "its referee": as_user(self.people["referee"]),
            "another referee": as_user(RefereeFactory()),
            "staff": as_user(StaffFactory()),
        }

    def ignorant(self, stage: str) -> list[str]:
        """Return who may not know seat a's secrets: not even the referee, before the turn is locked."""
        knowing = {"the player"} if stage in ("hidden", "filed") else {"the player", "its referee"}
        return [who for who in self.clients if who not in knowing]

    def bring(self, kept: Secrets, stage: str) -> Duel:
        """Bring a duel to a stage: "hidden", "filed", "locked", "published" (a's second filing made), "armed"
        (the second turn published too)."""
        if stage == "hidden":
            duel = play.announced(**self.people)
            play.hide(duel, a=kept.receptacle)
            return play.fresh(duel)
        duel = play.running((kept.receptacle, "torso"), **self.people)
        play.file(duel, "a", **kept.first)
        if stage != "filed":
            play.file(duel, "b", **FOE)
        if stage in ("published", "armed"):
            play.publish(duel)
            play.file(duel, "a", **kept.second)
        if stage == "armed":
            play.file(duel, "b", **FOE_AGAIN)
            play.publish(duel)
        return play.fresh(duel)

    def shown(self, kept: Secrets, stage: str, addresses: list[Address], readers: list[str]) -> dict[str, str]:
        """Return what those readers are shown of a duel with these secrets; afterwards it has never been."""
        world = transaction.atomic()
        world._from_testcase = True  # what durable transactions may stand in
        with world:
            duel = self.bring(kept, stage)
            pages = [address(duel) for address in addresses]
            told = {
                spelt_address(page, duel) + f", {who}": spelt(self.clients[who], page, duel)
                for who in readers
                for page in pages
            }
            transaction.set_rollback(True)
        return told


# What differs between two duels without being a secret: keys, hashes and nonces, tokens, hours.
_NEUTRAL = [
    (re.compile(r'name="csrfmiddlewaretoken" value="[^"]+"'), "TOKEN"),
    (re.compile(r"<time.*?</time>", re.DOTALL), "TIME"),
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "UID"),
    (re.compile(r"\b[0-9a-f]{12,}\b"), "HASH"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.+]+Z?"), "INSTANT"),
]
_HEADERS = ("Set-Cookie", "Content-Length", "Content-Security-Policy", "ETag", "Expires", "Last-Modified")


def spelt_address(said: str, duel: Duel) -> str:
    """Return a text in which the duel's key cannot be told."""
    return re.sub(rf'((?:/duels/|/defis/|/arbitrage/|duel-|data-draft="\d+:)){duel.pk}\b', r"\1DUEL", said)


def spelt(client: Client, address: str, duel: Duel) -> str:
    """Return an answer, headers and body, without what tells two duels apart."""
    answer = client.get(address)
    head = "".join(f"{key}: {value}\n" for key, value in sorted(answer.headers.items()) if key not in _HEADERS)
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    said = f"{answer.status_code}\n{head}\n{body.decode(errors='backslashreplace')}"
    for pattern, neutral in _NEUTRAL:
        said = pattern.sub(neutral, said)
    return spelt_address(said, duel)


def differences(
    school: School, pair: tuple[Secrets, Secrets], stage: str, addresses: list[Address], readers: list[str]
) -> list[str]:
    """Return the pages, each with its reader, that differ between two duels which differ in seat a's secrets only."""
    one, other = (school.shown(kept, stage, addresses, readers) for kept in pair)
    assert one.keys() == other.keys()
    return [page for page in one if one[page] != other[page]]


def assert_kept(
    monkeypatch: pytest.MonkeyPatch, stage: str, addresses: list[Address], pair: tuple[Secrets, Secrets] | None = None
) -> None:
    """Fail where somebody who may not know is shown different things of two duels that differ in secrets only.

    `addresses` are functions from a duel to an address (of a page, of a download).
    """
    school = School(monkeypatch)
    pair = pair or ((ONE_ARMED, OTHER_ARMED) if stage == "armed" else (ONE, OTHER))
    assert differences(school, pair, stage, addresses, school.ignorant(stage)) == []


def every_name(option: str, cast: dict[str, str]) -> Iterator[str]:
    """Yield all that an option is called, in both languages and in the code, and what is said when it is used."""
    yield option
    used = {"code": "option_used", "seat": "a", "option": option}
    for language in ("fr", "en"):
        with translation.override(language):
            yield str(names.OPTIONS[option])
            yield str(names.THE_OPTION[option])
            yield sentences.sentence(used, cast)


def naming(school: School, told: dict[str, str], *options: str) -> list[str]:
    """Return the pages that name one of seat a's options, among those that `School.shown` returned."""
    cast = {letter: school.people[letter].name for letter in "ab"}
    forbidden = [escape(name).lower() for option in options for name in every_name(option, cast)]
    return [page for page, said in told.items() if any(name in said.lower() for name in forbidden)]
