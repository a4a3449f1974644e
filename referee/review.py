"""A turn as its referee reads it: everything, once it is locked; who has filed, and no more, before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from django.http import Http404

from duels import secrets
from duels.actions import framing
from duels.actions.disclosures import note_disclosure
from duels.actions.granted import granted_in, standing_rulings
from duels.actions.turns import computed_events, decided, public_parts
from duels.difference import Change, difference
from duels.markup import render
from duels.models import Duel, Entry, Phase, Post, Resolution
from duels.queries.spells import may_be_corrected, note_corrections
from duels.sentences.steps import steps
from rules import record
from rules.core import Event, State, Status
from rules.dice import SealedDice

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from rules.record import Entry as Opened

Json = dict[str, Any]


@dataclass(frozen=True)
class Publication:
    """What one seat published in a turn. `place`: 1 for the first to publish, None when nothing came."""

    letter: str
    name: str
    place: int | None
    post: Post | None
    declaration: Json | None
    versions: int
    zone: str | None
    ruling: Entry | None
    was_called: bool


@dataclass(frozen=True)
class Told:
    """One event, and what the public will be told of it: all, part (`public`), or nothing."""

    event: Json
    shown: Literal["whole", "partly", "secret"]
    public: Json | None


@dataclass(frozen=True)
class Rolled:
    """A die of the turn: the face that the seed gave, and the one rolled `elsewhere` that counts instead, if any."""

    label: str
    faces: int
    face: int
    elsewhere: int | None


@dataclass(frozen=True)
class Amendment:
    """A ruling of the referee's on the turn; `in_force` unless it was taken back, or takes another back."""

    entry: Entry
    in_force: bool

    @property
    def is_void(self) -> bool:
        """Whether it was taken back."""
        return not self.in_force and "withdraws" not in self.entry.public


@dataclass(frozen=True)
class Review:
    """A locked turn, worked out. `changes`: from what was computed without amendments to what will be published;
    `coming`: the turn that this one leaves; `words`: the referee's own, that will be published with it;
    `unpublished`: those that were not.
    """

    duel: Duel
    phase: Phase
    resolution: Resolution
    publications: tuple[Publication, ...]
    amendments: tuple[Amendment, ...]
    events: tuple[Told, ...]
    dice: tuple[Rolled, ...]
    before: Json
    after: Json
    changes: tuple[Change, ...]
    decided: Json
    coming: Status
    words: framing.Words
    unpublished: list[framing.Unpublished]

    @property
    def steps(self) -> list[tuple[str, list[Told]]]:
        """The events under the steps of the turn in which they happened."""
        named = zip(steps([told.event for told in self.events], self.phase.name), self.events, strict=True)
        grouped = groupby(named, key=lambda pair: pair[0][0])
        return [(step, [told for _named, told in pairs]) for step, pairs in grouped]

    @property
    def preamble(self) -> str:
        """The HTML of the preamble that waits to be published."""
        return render(self.words.preamble)

    @property
    def closing(self) -> str:
        """The HTML of the closing words that wait to be published."""
        return render(self.words.closing)

    @property
    def post(self) -> Post:
        """The post that publishing adds to the thread, or has added: not saved."""
        details = {"phase": self.phase.name, **granted_in(self.phase), **self.decided}
        return Post(kind=Post.Kind.RESOLUTION, turn=self.phase.number, resolution=self.shown, details=details)

    @property
    def shown(self) -> Resolution:
        """The resolution with the parts that publishing shows: not saved, while they are sealed still."""
        if self.resolution.public_view:
            return self.resolution
        state, events = secrets.open_resolution(self.duel, self.phase, self.resolution)
        view, told = public_parts(self.duel, state, events)
        return Resolution(phase=self.phase, revision=self.resolution.revision, public_view=view, public_events=told)

    @property
    def is_waiting(self) -> bool:
        """Whether it is still to be published."""
        return self.phase.status == Phase.Status.LOCKED

    @property
    def is_open_to_changes(self) -> bool:
        """Whether it can be amended: not once the hour of its publication is announced."""
        return self.is_waiting and self.phase.publish_at is None


def turn_of(duel: Duel, number: int, name: str = "turn") -> Phase:
    """Return the phase of a turn that counts, or the last one that did and was worked out. Raises Http404."""
    phases = duel.phases.filter(number=number, name=name).select_related("live", "after__phase")
    found = max(phases, key=_how_much_it_counts, default=None)
    if found is None:
        raise Http404
    return found


def posted(phase: Phase) -> Post | None:
    """Return the post in which a phase was published; None while it was not."""
    return Post.objects.filter(kind=Post.Kind.RESOLUTION, resolution__phase=phase).order_by("position").last()


def _how_much_it_counts(phase: Phase) -> tuple[bool, bool, int]:
    return phase.status != Phase.Status.SUPERSEDED, phase.live is not None, phase.branch


def reviewed(duel: Duel, phase: Phase, *, reader: User) -> Review:
    """Open a turn for its referee, who has been found to be one; who was shown it is noted, for its players to know.

    Raises LookupError when it is not worked out.
    """
    resolution = phase.resolution
    note_disclosure(user=reader, duel=duel, phase=phase, seats=duel.cast)
    opened = [secrets.opened(entry, duel.uid) for entry in phase.log]
    dice = secrets.dice_of(duel, phase)
    before = duel.rules.open(secrets.state_before(duel, phase), dice).state
    elsewhere = _roll_again(duel, phase, before, opened, dice)
    after, events = secrets.open_resolution(duel, phase, resolution)
    over = duel.rules.status(after).outcome is not None
    computed = computed_events(duel, phase, before)
    return Review(
        duel=duel,
        phase=phase,
        resolution=resolution,
        publications=_publications(duel, phase, opened),
        amendments=_amendments(phase),
        events=tuple(_told(duel, event, over=over) for event in events),
        dice=tuple(Rolled(label, *die, elsewhere.get(label)) for label, die in dice.rolled.items()),
        before=duel.rules.view(before, "referee"),
        after=duel.rules.view(after, "referee"),
        changes=_changes(duel, computed, events),
        decided=decided(duel, phase, computed, events, over=over),
        coming=duel.rules.status(after),
        words=framing.kept(phase) if phase.status == Phase.Status.LOCKED else framing.NOTHING,
        unpublished=framing.unpublished(phase),
    )


def _changes(duel: Duel, computed: tuple[Event, ...] | None, events: tuple[Event, ...]) -> tuple[Change, ...]:
    if computed is None:
        return ()
    return difference(secrets.plain(duel, computed), secrets.plain(duel, events))


def _amendments(phase: Phase) -> tuple[Amendment, ...]:
    standing = {entry.index for entry in standing_rulings(phase)}
    return tuple(Amendment(entry, entry.index in standing) for entry in phase.log if entry.kind == "ruling")


def _roll_again(duel: Duel, phase: Phase, before: State, opened: Sequence[Opened], dice: SealedDice) -> dict[str, int]:
    """Resolve the turn once more for the sake of the dice, which note what they were asked; the seed decides them.

    Returns the faces of those that were rolled elsewhere, by label.
    """
    given = record.inputs(opened, phase.branch, phase.number, duel.rules.status(before))
    duel.rules.resolve(before, given, dice)
    return given.dice


def _publications(duel: Duel, phase: Phase, opened: Sequence[Opened]) -> tuple[Publication, ...]:
    filings = [entry for entry in opened if entry.kind == "filing"]
    order = list(dict.fromkeys(entry.seat for entry in filings))
    last = {entry.seat: entry for entry in filings}
    posts = {post.seat: post for post in _texts(duel, phase)}
    rulings = {entry.public["seat"]: entry for entry in standing_rulings(phase) if _finds_fault(entry)}
    late = {entry.seat for entry in opened if entry.kind == "infraction"}
    return tuple(
        Publication(
            letter=letter,
            name=duel.name_of(letter),
            place=order.index(letter) + 1 if letter in order else None,
            post=posts.get(letter),
            declaration=last[letter].content if letter in last else None,
            versions=phase.filed.get(letter, 0),
            zone=phase.choices.get(letter),
            ruling=rulings.get(letter),
            was_called=letter in order or letter in late,
        )
        for letter in sorted(duel.cast)
    )


def _texts(duel: Duel, phase: Phase) -> list[Post]:
    published = Post.objects.filter(thread__duel=duel, kind=Post.Kind.RP, entry__phase_row=phase)
    posts = list(published.select_related("body", "removal").with_phase())
    if may_be_corrected(posts):
        corrections = Post.objects.filter(thread__duel=duel, kind=Post.Kind.CORRECTION)
        note_corrections(posts, corrections.select_related("body").with_phase())
    return posts


def _finds_fault(entry: Entry) -> bool:
    return bool(entry.public["ruling"] == "invalid_post")


def _told(duel: Duel, event: Any, *, over: bool) -> Told:
    """Once the duel is over everything is public; until then, what `redact` leaves."""
    plain = secrets.plain(duel, event)
    shown = secrets.plain(duel, duel.rules.redact((event,), "referee" if over else "public"))
    if not shown:
        return Told(plain, "secret", None)
    return Told(plain, "whole" if shown[0] == plain else "partly", shown[0])
