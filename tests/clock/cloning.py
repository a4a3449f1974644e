"""Thousands of duels in seconds: one is played through the actions, the others go its way again, row by row.

Dice and seals are bound to a duel's uid. So a copy does not take over what came of the original's dice: it is worked
out again from what was filed, sealed and chained anew, and its record can be verified like any other.
"""

import copy
import uuid

from django.db.models import OuterRef, Subquery

from duels import clock, secrets
from duels.actions.ledger import append
from duels.models import Duel, Entry, Phase, Post, PostBody, Resolution, Seat, Thread
from rules import record
from rules.core import RulesError
from rules.seal import FIRST_PREVIOUS

BATCH = 500  # duels
ROWS = 1_000  # in one statement: PostgreSQL takes 65,535 values


def copies(duel, number):
    """Add so many copies of a duel, at the stage at which it stands; return their keys."""
    original = Original(duel)
    made = []
    for begun in range(0, number, BATCH):
        again = [_like(original) for _time in range(min(BATCH, number - begun))]
        made += _store(again)
    return made


def _like(original):
    """Return a copy whose dice have led to where the original stands: whose turn it is, who owes what."""
    for _try in range(500):
        try:
            made = Copy(original)
        except RulesError:  # what was filed cannot be played with these dice
            continue
        if made.state is None or made.duel.rules.status(made.state) == original.status:
            return made
    raise AssertionError("no dice lead there")


def make_due(keys, at):
    """Let the open turns of these duels end at `at`."""
    opened = Phase.objects.filter(duel__in=keys, status=Phase.Status.OPEN)
    opened.update(due_at=at)
    Duel.objects.filter(phase__in=opened).update(due_at=at, wake_at=at + clock.GRACE)


class Original:
    """A duel as it was played, read once."""

    def __init__(self, duel):
        self.duel = Duel.objects.get(pk=duel.pk)
        self.seats = list(duel.seats.all())
        self.phases = list(duel.phases.all())
        self.log = [(row, secrets.opened(row, duel.uid)) for row in duel.entries.order_by("index")]
        self.posts = list(Post.objects.filter(thread__duel=duel).select_related("entry", "resolution", "body"))
        self.status = self.duel.rules.status(secrets.state(self.duel)) if self.duel.sealed_state else None


class Copy:
    """Another duel of the same people who file the same."""

    def __init__(self, original):
        self.duel = _again(original.duel, uid=uuid.uuid4(), phase=None, entry_count=0, chain_head=FIRST_PREVIOUS)
        secrets.draw_seed(self.duel)
        self.thread = Thread(duel=self.duel)
        self.seats = [_again(seat, duel=self.duel) for seat in original.seats]
        self.phases = {phase.number: self._phase(phase) for phase in original.phases}
        self.resolutions = {}
        self.shown = {}  # by kind of entry, what its post shows too
        self.state = None
        for row, opened in original.log:
            self._go_on(row, opened)
        if self.state is not None:
            secrets.put_state(self.duel, self.state)
            self._resolve_what_waits(original)
            self.duel.public_view = self.duel.rules.view(self.state, "public")
        self.entries = list(self.duel.unwritten)
        self.posts = [self._post(post) for post in original.posts]
        self.bodies = [
            _again(old.body, post=post)
            for old, post in zip(original.posts, self.posts, strict=True)
            if hasattr(old, "body")
        ]

    def _phase(self, phase):
        made = _again(phase, duel=self.duel, live=None, after=None)
        made.log = []
        return made

    def _go_on(self, row, opened):
        """Add the entry that stands at the same place; what the rules draw or work out there is made anew."""
        work_out = getattr(self, f"_{opened.kind}", lambda opened: (opened.public, opened.content))
        public, content = work_out(opened)
        phase = self.phases.get(opened.phase)
        append(
            self.duel, opened.kind, at=row.at, phase=phase, seat=row.seat, version=row.version,
            public=public, content=content, by=row.by,
        )  # fmt: skip

    def _opened(self):
        return [secrets.opened(entry, self.duel.uid) for entry in self.duel.unwritten]

    def _announcement(self, opened):
        duel = self.duel
        duel.setup = duel.rules.announce(opened.public["terms"], secrets.dice(duel, "announcement"))
        duel.arena = duel.setup["arena"]
        drawn = {"setup": duel.setup, "commitment": duel.commitment}
        self.shown["announcement"] = {"arena": duel.arena, "commitment": duel.commitment}
        return {**opened.public, **drawn}, None

    def _start(self, opened):
        early = opened.public["early"]
        setup = record.prepared(self.duel.setup, self._opened(), early=early)
        self.state = self.duel.rules.start(setup, secrets.dice(self.duel, "start"))
        view = self.duel.rules.view(self.state, "public")
        self.shown["start"] = {key: view[key] for key in ("technique_limit", "void_zone")}
        return {**opened.public, **self.shown["start"]}, {"state": secrets.plain(self.duel, self.state)}

    def _opening(self, opened):
        self.state = self.duel.rules.open(self.state, secrets.dice(self.duel, opened.phase)).state
        return opened.public, None

    def _publication(self, opened):
        step, made = self._resolve(self.phases[opened.phase], opened.public["revision"])
        self.state = step.state
        public = {"revision": made.revision, "view": made.public_view, "events": made.public_events}
        told = {"state": secrets.plain(self.duel, step.state), "events": secrets.plain(self.duel, step.events)}
        return public, told

    def _resolve_what_waits(self, original):
        for phase in original.phases:
            if phase.status == Phase.Status.LOCKED:
                self._resolve(self.phases[phase.number], phase.live.revision)

    def _resolve(self, phase, revision):
        duel = self.duel
        given = record.inputs(self._opened(), phase.branch, phase.number, duel.rules.status(self.state))
        step = duel.rules.resolve(self.state, given, secrets.dice(duel, phase.number))
        audience = "referee" if duel.rules.status(step.state).outcome else "public"
        made = self.resolutions[phase.number] = Resolution(
            phase=phase, revision=revision, computed_at=phase.locked_at,
            sealed=secrets.seal_resolution(duel, phase, revision, step.state, step.events),
            public_view=duel.rules.view(step.state, "public"),
            public_events=secrets.plain(duel, duel.rules.redact(step.events, audience)),
        )  # fmt: skip
        return step, made

    def _post(self, post):
        entry = self.entries[post.entry.index] if post.entry else None
        details = {**post.details, **self.shown.get(post.kind, {})}
        if entry and "receipt" in details:
            details["receipt"] = entry.receipt
        resolution = self.resolutions[post.turn] if post.resolution else None
        return _again(post, thread=self.thread, entry=entry, resolution=resolution, details=details)


def _again(row, **changed):
    """Return a row like another, not stored yet."""
    made = copy.copy(row)
    made._state = copy.copy(row._state)
    made._state.adding, made._state.fields_cache = True, {}
    made.__dict__ = {name: value for name, value in made.__dict__.items() if name != "unwritten"}
    made.pk = None
    for name, value in changed.items():
        setattr(made, name, value)
    return made


def _store(again):
    """Write copies down; return the keys of their duels."""
    Duel.objects.bulk_create((one.duel for one in again), batch_size=ROWS)
    Thread.objects.bulk_create((one.thread for one in again), batch_size=ROWS)
    Seat.objects.bulk_create((seat for one in again for seat in one.seats), batch_size=ROWS)
    Phase.objects.bulk_create((phase for one in again for phase in one.phases.values()), batch_size=ROWS)
    Resolution.objects.bulk_create(
        (resolution for one in again for resolution in one.resolutions.values()), batch_size=ROWS
    )
    Entry.objects.bulk_create((entry for one in again for entry in one.entries), batch_size=ROWS)
    Post.objects.bulk_create((post for one in again for post in one.posts), batch_size=ROWS)
    PostBody.objects.bulk_create((body for one in again for body in one.bodies), batch_size=ROWS)
    keys = [one.duel.pk for one in again]
    _point(keys)
    return keys


def _point(keys):
    """Let duels point at their last phase, and phases at their resolution."""
    Phase.objects.filter(duel__in=keys).update(
        live=Subquery(Resolution.objects.filter(phase=OuterRef("pk")).order_by("-revision").values("pk")[:1])
    )
    Duel.objects.filter(pk__in=keys).update(
        phase=Subquery(Phase.objects.filter(duel=OuterRef("pk")).order_by("-number").values("pk")[:1])
    )
