"""The spell duels of the demo: a post to correct, a spell that is coming, a duel of four, one over, a post that is
read before the others, a challenge."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from django.contrib.auth.models import User

from duels import clock, secrets
from duels.actions.announcement import take_duel
from duels.actions.ending import surrender
from duels.actions.filing import file_declaration
from duels.actions.preparation import ask_to_start
from duels.actions.spell_challenges import Registration, accept_spell_challenge, send_spell_challenge
from duels.actions.turns import publish_turn
from duels.models import CarriedOver, Duel, Duellist
from duels.queries.eligibility import MESSAGES
from rules.core import Choice, Filed, Inputs, Menu

from .cast import unwrapped
from .timeline import at_instant

TEXTS = Path(__file__).with_name("spell_texts.toml")
TYPES = {
    "alix": ["light"], "basile": ["fire"], "dorian": ["water"], "isaure": ["air"], "joachim": ["earth"],
    "celeste": ["light", "air"], "kerenza": ["water", "shadow"], "eudoxie": ["light", "water"],
    "fulbert": ["earth", "fire"], "gersende": ["shadow", "air"], "hippolyte": ["earth", "water"],
    "leopold": ["air", "light"], "mahaut": ["fire", "shadow"],
}  # fmt: skip
HOME_YEARS = {"isaure": 3, "alix": 3}
TRAITS = {"leopold": {"legilimens": 4}}
SHORT = "La lampe du fond s’éteint. Il lève sa baguette, et oublie tout ce qu’il voulait dire."
SEATS = "abcd"
LONGEST_POSTING, LONGEST_PUBLISHING = 4, 7  # hours
JUST_NOW = dt.timedelta(minutes=2)  # a post can be completed for half an hour (B6.4)
DRAWN = 6  # posts of each seat, of which any may be tried


class Scene(NamedTuple):
    """A spell duel: a (and c) against b (and d); how many `phases` were published; how it stands then."""

    sides: tuple[str, ...]
    message: str
    phases: int
    referee: str = "ombeline"
    # "lacking": a post waits to be completed; "filed": everybody has posted; "coming": stopped as soon as a defence
    # phase is open; "over"; "seen": a sealed post lies before the Legilimens
    then: str = ""
    mode: str = "rp"


SCENES = (
    Scene(
        ("basile", "dorian"), "Sur l’estrade, il n’y a pas de pantin derrière qui se cacher. À jeudi ?", 2,
        then="lacking",
    ),
    Scene(
        ("kerenza", "celeste"), "On dit que la lumière va plus vite que l’eau. Vérifions.", 1, "tancrede", then="coming"
    ),
    Scene(
        ("eudoxie", "gersende", "fulbert", "hippolyte"),
        "Les anciens contre les modernes, deux contre deux, et le thé pour qui tombe de l’estrade.",
        1, "tancrede", then="filed",
    ),
    Scene(
        ("mahaut", "leopold"), "La dernière fois, tu as perdu au billard. Cette fois, ce sera aux sorts.", 5,
        then="over",
    ),
    Scene(
        ("leopold", "mahaut"), "Une revanche, et cette fois je saurai ce que tu penses avant toi.", 1, then="seen"
    ),
)  # fmt: skip
CHALLENGE = Scene(
    ("isaure", "alix"), "Un vrai duel de sorts, en libre, juste pour essayer ? S’il te plaît.", 0, mode="free"
)


def register(duellists: dict[str, Duellist]) -> None:
    """Enter the characters' magic, and what their players bring along from elsewhere (B1.1, B2.5)."""
    for key, duellist in duellists.items():
        year = HOME_YEARS.get(key, duellist.year)
        Duellist.objects.filter(pk=duellist.pk).update(
            types=TYPES[key], traits=TRAITS.get(key, {}), in_chronology=True, homework_year=year
        )
        brought = {"member_since": dt.date(2020, 9, 1), "messages": 4 * MESSAGES}
        CarriedOver.objects.get_or_create(user_id=duellist.user_id, defaults=brought)


def load(duellists: dict[str, Duellist]) -> int:
    """Load the spell duels that are missing; return how many there were."""
    missing = [scene for scene in (*SCENES, CHALLENGE) if not Duel.objects.filter(message=scene.message).exists()]
    if missing:
        register(duellists)
    for scene in missing:
        if scene.then == "seen":
            waive_the_wait(duellists, scene)
        _Bout(scene, [_fresh(duellists[key]) for key in scene.sides]).play()
    return len(missing)


def waive_the_wait(duellists: dict[str, Duellist], scene: Scene) -> None:
    """Let them duel again so soon, as staff may (B2.1)."""
    Duellist.objects.filter(pk__in=[duellists[key].pk for key in scene.sides]).update(wait_waived_at=clock.now())


def _fresh(duellist: Duellist) -> Duellist:
    """The duellist with the magic that was entered."""
    return Duellist.objects.select_related("user").get(pk=duellist.pk)


def _age(scene: Scene) -> dt.timedelta:
    """How long ago its challenge was sent: nothing of it waits past its deadline."""
    phases = scene.phases + (scene.then == "filed")
    hours = phases * (LONGEST_PUBLISHING + LONGEST_POSTING * len(scene.sides))
    return dt.timedelta(hours=hours + LONGEST_POSTING + 1, days=9 * (scene.then == "over"))


class _Bout:
    """A scene being played, at `at` in its own time."""

    def __init__(self, scene: Scene, sides: list[Duellist]) -> None:
        self.scene, self.sides = scene, sides
        self.at = clock.now() - _age(scene)
        self.random = Random(scene.message)  # noqa: S311 - a demo's whims, no secret
        self.duel_id = 0
        self.posted = 0

    @property
    def duel(self) -> Duel:
        return Duel.objects.select_related("phase", "referee").get(pk=self.duel_id)

    def play(self) -> None:
        """Bring the duel where the scene wants it."""
        with at_instant(self.at):
            self._agree()
        if self.scene is CHALLENGE:
            return
        if self.scene.then == "seen":
            self._foresee()
            return
        for _phase in range(self.scene.phases):
            if self._is_there():
                break
            self._phase()
            self._publish()
        self._end()

    def _foresee(self) -> None:
        """Let a read what b posts in the second turn, before anybody else (B7.1)."""
        self._post("a", {"steps": [{"do": "cast", "spell": "legilimens", "target": "b"}]})
        self._post("b", {"steps": [{"do": "move", "to": 7}]})
        self._publish()
        self._post("b", {"steps": [{"do": "move", "to": 6}]})

    def _is_there(self) -> bool:
        return self.scene.then == "coming" and self.duel.current.name == "defence"

    def _agree(self) -> None:
        a, b, *rest = self.sides
        free = Registration(3, (TYPES["isaure"][0],)) if self.scene.mode == "free" else None
        self.duel_id = send_spell_challenge(
            user=a.user, challenger=a, opponents=[b, *rest[1:]], partner=rest[0] if rest else None,
            mode=self.scene.mode, starts_at=self.at + dt.timedelta(days=3), registration=free,
            message=self.scene.message,
        ).pk  # fmt: skip
        if self.scene is CHALLENGE:
            return
        for one in self.sides[1:]:
            accept_spell_challenge(user=one.user, duel_id=self.duel_id)
        take_duel(user=User.objects.get(username=self.scene.referee), duel_id=self.duel_id)
        for one in self.sides:
            ask_to_start(user=one.user, duel_id=self.duel_id, received_at=self.at)

    def _phase(self) -> None:
        """Everybody who is awaited posts."""
        posts = self._posts(self.duel)
        for letter, declaration in posts.items():
            self._post(letter, declaration)

    def _post(self, letter: str, declaration: dict[str, Any]) -> None:
        self.at += dt.timedelta(hours=self.random.uniform(2, LONGEST_POSTING))
        text = "" if declaration == {"do": "nothing"} else texts()[self.posted % len(texts())]
        self.posted += bool(text)
        self._file(letter, declaration, text)

    def _file(self, letter: str, declaration: dict[str, Any], text: str) -> None:
        duel = self.duel
        with at_instant(self.at):
            file_declaration(
                user=self.sides[SEATS.index(letter)].user,
                duel_id=duel.pk, turn=duel.turn, name=duel.current.name, text=text, declaration=declaration,
                received_at=self.at, as_it_is=text == SHORT,
            )  # fmt: skip

    def _publish(self) -> None:
        duel = self.duel
        self.at += dt.timedelta(hours=self.random.uniform(3, LONGEST_PUBLISHING))
        if duel.referee is None or duel.is_over:
            return
        with at_instant(self.at):
            publish_turn(
                user=duel.referee, duel_id=duel.pk, turn=duel.turn, name=duel.current.name,
                revision=duel.current.resolution.revision,
            )  # fmt: skip

    def _end(self) -> None:
        if self.scene.then == "filed":
            self._phase()
        elif self.scene.then == "over" and not self.duel.is_over:
            with at_instant(self.at):
                surrender(user=self.sides[1].user, duel_id=self.duel_id, received_at=self.at)
        elif self.scene.then == "lacking":
            letter = self.duel.awaited[0]
            self.at = clock.now() - JUST_NOW
            self._file(letter, self._posts(self.duel)[letter], SHORT)

    def _posts(self, duel: Duel) -> dict[str, dict[str, Any]]:
        """What those awaited post: of what is drawn from their menus, the first that lets a spell get under way."""
        state = secrets.state(duel)
        awaited = duel.rules.status(state).awaited
        drawn = [list(self._drawn(duel.rules.awaits(state, letter))) for letter in awaited]
        tried = list(product(*drawn))
        dice = secrets.dice_of(duel, duel.current)
        for contents in tried[:60]:
            filings = tuple(Filed(letter, content) for letter, content in zip(awaited, contents, strict=True))
            step = duel.rules.resolve(state, Inputs(filings=filings), dice)
            if duel.rules.status(step.state).phase == "defence":
                break
        else:
            contents = tried[0]
        return dict(zip(awaited, contents, strict=True))

    def _drawn(self, menu: Menu) -> Iterator[dict[str, Any]]:
        parts = {part.field: part.choices for part in menu.parts}
        if "do" in parts:
            dodge = next(choice for choice in parts["do"] if choice.value == "dodge")
            yield {"do": "dodge", "bet": "1-2-3"} if dodge.refused is None else {"do": "nothing"}
            return
        if "climb" in parts:
            yield {"steps": [{"do": "climb", "to": 3 if menu.seat in "ac" else 9}]}
            return
        spells = [cast for choice in parts["cast"] if choice.refused is None for cast in _casts(choice)]
        for spell in self.random.sample(spells, min(DRAWN, len(spells))):
            yield {"steps": [spell]}
        yield {"steps": [{"do": "move", "to": 5 if menu.seat in "ac" else 7}]}


def _casts(spell: Choice) -> Iterator[dict[str, Any]]:
    """The plain ways to cast a spell at somebody within range."""
    parts = {part.field: part.choices for part in spell.parts}
    ways = [way for way in parts["cast.way"] if way.value == "plain" and way.refused is None]
    bets = [bet.value for way in ways for part in way.parts for bet in part.choices]
    targets = [target.value for target in parts.get("cast.target", ()) if not target.findings]
    for bet, target in product(bets, targets):
        yield {"do": "cast", "spell": spell.value, "target": target, "bet": bet}


@cache
def texts() -> list[str]:
    """Return the texts of the spell duels, each paragraph on one line."""
    return [unwrapped(text) for text in tomllib.loads(TEXTS.read_text(encoding="utf-8"))["texts"]]
