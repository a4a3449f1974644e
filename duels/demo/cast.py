"""Who lives in the demo's school: the accounts, and the characters of `characters/`, one file each."""

from __future__ import annotations

import datetime as dt
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User

from duels.actions.availability import set_availability
from duels.actions.duellists import create_duellist
from duels.clock import school_date
from duels.models import Availability, Duellist
from duels.people import REFEREES, is_referee

PASSWORD = "pantins-et-lanternes"  # noqa: S105 - of the demo only, and shown to everybody
CHARACTERS = Path(__file__).parent / "characters"
REFEREE_NAMES = ("ombeline", "tancrede")
AVAILABILITIES = {
    "ombeline": (12, "Le soir, et toute la journée du dimanche."),
    "tancrede": (10, "En semaine, entre deux cours ; plutôt les duels de pantins."),
}
STAFF_NAME = "intendance"
SPECTATOR_NAME = "spectateur"


class Character(NamedTuple):
    """A duellist of the demo. `year` is None for adults; `texts` are those that it may publish, by mood."""

    key: str
    user: str
    name: str
    age: int
    wand_hand: str
    texts: dict[str, list[str]]
    year: int | None = None

    @property
    def birth_date(self) -> dt.date:
        """A day on which the character's age is what the file says, birthdays spread over the year."""
        months_ago = 1 + len(self.name) % 10
        return school_date() - dt.timedelta(days=round(self.age * 365.25 + months_ago * 30.4))


def characters() -> dict[str, Character]:
    """Return the characters by their key, which is their file's name."""
    return {path.stem: _character(path) for path in sorted(CHARACTERS.glob("*.toml"))}


def _character(path: Path) -> Character:
    portrayed = tomllib.loads(path.read_text(encoding="utf-8"))
    portrayed["texts"] = {mood: [unwrapped(text) for text in texts] for mood, texts in portrayed["texts"].items()}
    return Character(key=path.stem, **portrayed)


def unwrapped(text: str) -> str:
    """Return a text of a file with each paragraph on one line: in a post, every line break shows."""
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in text.strip().split("\n\n"))


class Accounts(NamedTuple):
    """Who can sign in to the demo: names of users, and the password that they share."""

    password: str
    players: list[str]
    referees: list[str]
    spectator: str
    staff: str


@cache
def accounts() -> Accounts:
    """Return the accounts that `gather` makes. A referee who also plays is named as a referee."""
    players = {one.user for one in characters().values()} - set(REFEREE_NAMES)
    return Accounts(PASSWORD, sorted(players), list(REFEREE_NAMES), SPECTATOR_NAME, STAFF_NAME)


def gather(everybody: dict[str, Character]) -> dict[str, Duellist]:
    """Return the duellists by their characters' key; accounts and duellists that are missing are made."""
    password = make_password(PASSWORD)  # once: it is slow by design
    for name in sorted({SPECTATOR_NAME, *(one.user for one in everybody.values())} - set(REFEREE_NAMES)):
        _account(name, password)
    for name in REFEREE_NAMES:
        _account(name, password, group=REFEREES)
    _account(STAFF_NAME, password, is_staff=True, is_superuser=True)
    return {key: _duellist(one) for key, one in everybody.items()}


def say_availabilities() -> None:
    """Let the referees who have not done so say how many duels they take, once those of the demo are theirs."""
    for name, (at_once, note) in AVAILABILITIES.items():
        user = User.objects.get(username=name)
        if is_referee(user) and not Availability.objects.filter(user=user).exists():
            set_availability(user=user, is_available=True, at_once=at_once, note=note)


def _account(name: str, password: str, group: str | None = None, **powers: bool) -> None:
    """Make an account; one that is there already is left as it is, and given no powers."""
    email = f"{name}@demo.invalid"
    user, is_new = User.objects.get_or_create(username=name, defaults={"email": email, "password": password, **powers})
    if is_new:
        EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
        if group:
            user.groups.add(Group.objects.get_or_create(name=group)[0])


def _duellist(character: Character) -> Duellist:
    return Duellist.objects.filter(name=character.name).first() or create_duellist(
        user=User.objects.get(username=character.user),
        name=character.name,
        birth_date=character.birth_date,
        year=character.year,
        wand_hand=character.wand_hand,
    )
