"""Duels brought to every stage at which somebody keeps a secret, for `tests.pairs`: what all may know is drawn from
one source, the secret from another.
"""

from __future__ import annotations

import datetime as dt
import json
from random import Random
from typing import Any

from duels import clock, secrets
from duels.actions.annotations import annotate_verdict
from duels.actions.appeals import contest_resolution, decide_appeal
from duels.actions.ending import surrender
from duels.actions.filing import file_declaration, name_zone, replace_declaration, save_draft
from duels.actions.publications import announce_publication, keep_words
from duels.actions.revisions import correct_turn
from duels.actions.rulings import adjust_points, note_ruling, standing_rulings, withdraw_ruling
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.actions.turns import publish_turn
from duels.models import Appeal, Duel, Phase
from duels.queries.turn import seated
from referee.actions.hand_overs import answer_hand_over, ask_hand_over
from tests import play, spells_play
from tests.pairs import Bringing, World
from tests.rules import play as arena_player
from tests.rules import spells_play as spells_player

CAREFUL = arena_player.Temper(careful=1, wild=0)


class Stage:
    """A duel under way: `plan` draws what is the same in both of a pair, `mine` what is not.

    `hides` says whose secret differs: a duellist's `draft` or what they have `filed`, how the `dice` fell, what its
    `referee` has prepared, or why somebody `contests`.
    """

    letter: str  # the seat that keeps something to itself
    who: str  # and the browser of the one who sits there

    def __init__(self, world: World, duel: Duel, plan: Random, mine: Random, hides: str) -> None:
        self.world = world
        self.duel = duel
        self.plan = plan
        self.mine = mine
        self.hides = hides
        self.kept: list[Any] = []
        self.knowing = {self.who}

    @property
    def at(self) -> dict[str, Any]:
        """The phase that is open or locked, as actions are told."""
        return {"duel_id": self.duel.pk, "turn": self.duel.turn, "name": self.duel.phase.name}

    def by_referee(self) -> dict[str, Any]:
        return {"user": self.world.people["referee"], **self.at}

    def look(self) -> None:
        self.duel = play.fresh(self.duel)

    def words(self, whose: str) -> str:
        """Some words: another text in each of the pair, of another length, if they are the secret."""
        random = self.mine if self.hides == whose else self.plan
        said = "Il fallait y penser " * random.randint(1, 20) + str(random.random())
        if self.hides == whose:
            self.kept.append(said)
        return said

    def draft(self) -> None:
        """Type something for the open phase, without filing it."""
        text = "Ébauche " * self.mine.randint(1, 50) + str(self.mine.random())
        save_draft(user=play.player(self.duel, self.letter), **self.at, draft={"text": text}, at=clock.now())
        if self.hides == "draft":
            self.kept.append(text)

    def lock(self) -> None:
        raise NotImplementedError

    def locked(self) -> None:
        self.lock()

    def publish(self) -> None:
        self.look()
        publish_turn(**self.by_referee(), revision=self.duel.phase.resolution.revision)
        self.look()

    def rule(self) -> None:
        """Give points and note something, and take one of both back again, sometimes.

        How often something was ruled is no secret of the pair: the keys of rows, which staff see, count it.
        """
        random = self.mine if self.hides == "referee" else self.plan
        gauge, points = random.choice(self.duel.rules.gauges), random.choice((-2, -1, 1, 2))
        adjust_points(**self.by_referee(), seat="a", gauge=gauge, points=points, reason=self.words("referee"))
        if self.plan.random() < 0.5:
            note_ruling(**self.by_referee(), reason=self.words("referee"))
        if self.plan.random() < 0.3:
            index = standing_rulings(Phase.objects.get(pk=self.duel.phase_id))[-1].index
            withdraw_ruling(**self.by_referee(), index=index, reason=self.words("referee"))
        self.look()

    def ruled(self) -> None:
        self.lock()
        self.rule()

    def framed(self) -> None:
        self.lock()
        keep_words(**self.by_referee(), preamble=self.words("referee"), closing=self.words("referee"))
        self.look()

    def announced(self) -> None:
        """Announce the hour of the publication: what all know, of what nobody knows."""
        self.framed()
        if self.plan.random() < 0.5:
            self.rule()
        revision = self.duel.phase.resolution.revision
        announce_publication(**self.by_referee(), revision=revision, publish_at=clock.now() + dt.timedelta(hours=3))

    def amended(self) -> None:
        self.ruled()
        self.publish()

    def time_out(self) -> None:
        user = play.player(self.duel, self.letter)
        self.asked = ask_time_out(
            user=user, duel_id=self.duel.pk, hours=24, reason="Des examens.", received_at=clock.now()
        )
        self.draft()

    def answered_time_out(self) -> None:
        self.time_out()
        granted = self.plan.random() < 0.5
        user = self.world.people["referee"]
        answer_time_out(user=user, time_out_id=self.asked.pk, granted=granted, reason="Comme convenu.")

    def contested(self) -> None:
        """Contest the last resolution, for a reason that the others do not learn; who may decide reads everything."""
        self.draft()
        self.look()
        resolution = self.duel.phase.after
        self.appeal: Appeal = contest_resolution(
            user=play.player(self.duel, self.letter), duel_id=self.duel.pk, resolution_id=resolution.pk,
            reason=self.words("contests"), received_at=clock.now(),
        )  # fmt: skip
        if self.hides != "draft":
            self.knowing |= {"its referee", "another referee", "who decides"}

    def decided(self, *, granted: bool) -> None:
        self.contested()
        self.knowing -= {"another referee"}
        decide_appeal(user=self.world.decider, appeal_id=self.appeal.pk, granted=granted, reason=self.words("contests"))
        self.look()

    def upheld(self) -> None:
        self.decided(granted=False)

    def granted(self) -> None:
        self.decided(granted=True)

    def corrected(self) -> None:
        """Take the last published phase up again."""
        self.draft()
        self.look()
        published = self.duel.phase.after.phase
        correct_turn(
            user=self.world.people["referee"], duel_id=self.duel.pk, turn=published.number, name=published.name,
            reason="Une parade oubliée.", seen=self.duel.phase_id,
        )  # fmt: skip
        self.look()
        self.rule()

    def published_anew(self) -> None:
        self.corrected()
        self.publish()

    def hand_over(self) -> None:
        self.draft()
        ask_hand_over(
            user=self.world.people["referee"], duel_id=self.duel.pk, to_id=self.world.decider.pk, message="Je pars."
        )

    def handed_over(self) -> None:
        self.hand_over()
        answer_hand_over(user=self.world.decider, duel_id=self.duel.pk, accepted=True)
        if "its referee" in self.knowing:
            self.knowing.add("who decides")

    def over(self) -> None:
        self.draft()
        surrender(user=play.player(self.duel, "b"), duel_id=self.duel.pk, received_at=clock.now())
        if len(self.duel.cast) == 4:
            surrender(user=play.player(self.duel, "d"), duel_id=self.duel.pk, received_at=clock.now())
        self.look()

    def annotated(self) -> None:
        self.over()
        annotate_verdict(
            user=self.world.people["referee"],
            duel_id=self.duel.pk,
            kind="note",
            words="Beau duel.",
            reason="Il le faut.",
        )

    def bringing(self) -> Bringing:
        self.look()
        return Bringing(self.duel, json.dumps(self.kept), self.public(), frozenset(self.knowing))

    def public(self) -> str:
        """What the rules let anyone know: the view, the events of every publication that there was, who is awaited."""
        published = self.duel.entries.filter(kind="publication").order_by("index")
        events = [entry.public["events"] for entry in published]
        duel = self.duel
        return json.dumps([duel.status, duel.awaited, duel.owing, duel.public_view, events], sort_keys=True)


# Whose secret may differ at each stage; more than one: now one, now another.
OF_BOTH = {
    "drafted": ("draft",),
    "locked": ("filed",),
    "published": ("filed",),
    "ruled": ("referee", "filed"),
    "framed": ("referee", "filed"),
    "announced": ("referee", "filed"),
    "amended": ("filed",),
    "time_out": ("draft", "filed"),
    "answered_time_out": ("draft", "filed"),
    "contested": ("contests", "draft"),
    "upheld": ("contests", "draft"),
    "granted": ("contests", "draft"),
    "corrected": ("referee", "filed"),
    "published_anew": ("draft", "filed"),
    "hand_over": ("draft", "filed"),
    "handed_over": ("draft", "filed"),
    "over": ("draft",),
    "annotated": ("draft",),
}
ARENA = {"prepared": ("filed",), **OF_BOTH, "filed": ("filed",), "replaced": ("filed",)}
SPELLS = {
    "registered": ("filed",),
    **{stage: tuple("dice" if one == "filed" else one for one in hides) for stage, hides in OF_BOTH.items()},
    "sealed": ("filed",),
    **dict.fromkeys(("published", "amended", "published_anew"), ("draft",)),
    **dict.fromkeys(("time_out", "answered_time_out", "hand_over", "handed_over"), ("draft",)),
}
AFTER_A_TURN = {"contested", "upheld", "granted", "corrected", "published_anew"}


class ArenaStage(Stage):
    letter, who = "a", "player a"

    def drafted(self) -> None:
        if not self._choose():
            self.draft()

    def lock(self) -> None:
        self._both_file(open_secret=self.hides == "filed")
        self.look()

    def filed(self) -> None:
        self._both_file(open_secret=True, alone=True)

    def replaced(self) -> None:
        self.filed()
        self.look()
        self.kept.append(self._declaration("a", self.mine))
        replace_declaration(
            user=play.player(self.duel, "a"), duel_id=self.duel.pk, turn=self.duel.turn, declaration=self.kept[-1],
            received_at=clock.now(),
        )  # fmt: skip

    def published(self) -> None:
        self.a_turn()

    def amended(self) -> None:
        self._both_file(open_secret=False)
        self.look()
        self.rule()
        self.publish()

    def a_turn(self) -> None:
        """Play a turn and publish it: what a declares in it differs in what nobody sees only."""
        self._both_file(open_secret=False)
        self.publish()

    def _both_file(self, *, open_secret: bool, alone: bool = False) -> None:
        """File for both, a first. If its turn is not published, a declares another thing in each of the pair."""
        self.look()
        self._choose(named=True)
        self.look()
        one, other = self._declaration("a", self.plan), self._declaration("b", self.plan)
        if open_secret:
            one = self._declaration("a", self.mine)
        elif self.hides == "filed":
            one = self._with_other_zones(one)
        if self.hides == "filed":
            self.kept.append(one)
        for letter, declaration in (("a", one), ("b", other))[: 1 if alone else 2]:
            file_declaration(
                user=play.player(self.duel, letter), duel_id=self.duel.pk, turn=self.duel.turn, text=play.TEXT,
                declaration=declaration, received_at=clock.now(),
            )  # fmt: skip

    def _declaration(self, letter: str, random: Random) -> dict[str, Any]:
        sat = seated(self.duel, self.duel.phase, letter, clock.now())
        return arena_player.filing(Random(random.random()), sat.menu, CAREFUL)

    def _with_other_zones(self, declaration: dict[str, Any]) -> dict[str, Any]:
        """The same declaration to all who see it published: holes and rough skin do not say where they are (A5.1)."""
        option = declaration["option"] or {}
        if not option.get("zones"):
            return declaration
        zones = self.mine.sample(arena_player.ZONES, len(option["zones"]))
        changed = {**declaration, "option": {**option, "zones": zones}}
        sat = seated(self.duel, self.duel.phase, "a", clock.now())
        return declaration if any(one.level == "error" for one in sat.check(changed)) else changed

    def _choose(self, *, named: bool = False) -> bool:
        """Name the zones that decoys disable, or (half of the time, unless `named`) leave them owed; say whether one
        is."""
        for letter in self.duel.owing:
            if not named and self.plan.random() < 0.5:
                return True
            name_zone(
                user=play.player(self.duel, letter), duel_id=self.duel.pk, turn=self.duel.turn,
                zone=self.plan.choice(arena_player.ZONES), received_at=clock.now(),
            )  # fmt: skip
        self.look()
        return False

    def public(self) -> str:
        """What anyone may know, and what b knows too."""
        duel = self.duel
        state = None if duel.is_over else duel.rules.view(secrets.state(duel), "b")
        return json.dumps([super().public(), state], sort_keys=True)


def arena(world: World, stage: str, number: int, variant: int) -> Bringing:
    """Play an arena duel to a stage; player a, its referee, or who contests keeps something from the others."""
    plan, mine = Random(f"arena {number}"), Random(f"arena {number} {variant}")
    hides = plan.choice(ARENA[stage])
    zones = plan.choice(arena_player.ZONES), plan.choice(arena_player.ZONES)
    differs = hides == "filed"
    receptacle = mine.choice(arena_player.ZONES) if differs else zones[0]
    if stage == "prepared":
        duel = play.announced(**world.people)
        play.hide(duel, receptacle, "torso")
        return Bringing(play.fresh(duel), receptacle, "", frozenset({"player a"}))
    duel = play.running((receptacle, zones[1]), **world.people)
    at = ArenaStage(world, duel, plan, mine, hides)
    at.kept += [receptacle] if differs else []
    for _turn in range(max(plan.choice((0, 0, 1, 2)), stage in AFTER_A_TURN)):
        if not at.duel.is_over:
            at.a_turn()
    if differs and (at.duel.turn > 1 or stage not in ("drafted", "filed", "replaced", "time_out", "answered_time_out")):
        at.knowing.add("its referee")
    _say_who_knows(at)
    if not at.duel.is_over:
        getattr(at, stage)()
    return at.bringing()


def _say_who_knows(at: Stage) -> None:
    if at.hides in ("referee", "dice"):
        at.knowing = {"its referee"}


class SpellsStage(Stage):
    letter, who = "b", "fighter b"

    def drafted(self) -> None:
        self.draft()

    def lock(self) -> None:
        if self.hides == "dice":
            self.world.roll_otherwise(self.mine.random())
        self._all_file()
        if self.hides == "dice":
            _state, events = secrets.open_resolution(self.duel, self.duel.phase, self.duel.phase.resolution)
            self.kept.append(secrets.plain(self.duel, events))

    def published(self) -> None:
        self.a_phase()
        self.draft()

    def amended(self) -> None:
        self.ruled()
        self.publish()
        self.draft()

    def published_anew(self) -> None:
        super().published_anew()
        self.draft()

    def sealed(self) -> None:
        """In the second turn b's post is sealed for a, who casts Legilimens in the first."""
        duel = spells_play.all_file(self.duel, a=[spells_play.move(5), spells_play.cast("legilimens", target="b")])
        self.duel = spells_play.publish(duel)
        post = spells_player.filing(self.mine, self.duel.rules.awaits(secrets.state(self.duel), "b"))
        text = " ".join([play.TEXT, "encore"] + ["et encore"] * self.mine.randint(0, 60))
        self.kept += [post, text]
        file_declaration(
            user=play.player(self.duel, "b"), **self.at, text=text, declaration=post, received_at=clock.now()
        )
        self.knowing.add("fighter a")

    def a_phase(self) -> None:
        self._all_file()
        self.publish()

    def _all_file(self) -> None:
        self.look()
        for letter in self.duel.awaited:
            menu = self.duel.rules.awaits(secrets.state(self.duel), letter)
            declaration = spells_player.filing(Random(self.plan.random()), menu)
            file_declaration(
                user=play.player(self.duel, letter), **self.at, text=play.TEXT, declaration=declaration,
                received_at=clock.now(),
            )  # fmt: skip
        self.look()


def spells(world: World, stage: str, number: int, variant: int) -> Bringing:
    """Play a spell duel to a stage; b, its referee, the dice or who contests keep something from the others."""
    plan, mine = Random(f"spells {number}"), Random(f"spells {number} {variant}")
    if stage == "registered":
        return _registered(world, plan, mine)
    sides = world.fighters[: plan.choice((2, 4))]
    duel = spells_play.running(sides=sides, count=len(sides), referee=world.people["referee"])
    at = SpellsStage(world, duel, plan, mine, plan.choice(SPELLS[stage]))
    if stage in AFTER_A_TURN:
        at.a_phase()
    _say_who_knows(at)
    if not at.duel.is_over:
        getattr(at, stage)()
    return at.bringing()


def _registered(world: World, plan: Random, mine: Random) -> Bringing:
    """In mode free, level and types of magic are chosen with the challenge: its sides are shown them, others not."""
    types = mine.choice(("fire", "water", "air", "earth"))
    duel = spells_play.challenged(
        mode="free", sides=[world.fighters[1], world.fighters[0]],
        registration=spells_play.free(plan.randint(1, 5), types),
    )  # fmt: skip
    return Bringing(play.fresh(duel), types, duel.status, frozenset({"fighter a", "fighter b"}))
