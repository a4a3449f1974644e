"""A turn's life: opened, locked, worked out, published (A6, A14)."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from duels import clock, secrets
from duels.difference import difference, public_difference
from duels.errors import Invalid, TooLate
from duels.models import Draft, Duel, Entry, Phase, Post, Resolution
from rules import record
from rules.core import Audience, Event, Inputs, Outcome, State
from rules.hours import HOUR, TO_CHOOSE

from . import framing, legilimens, stops
from .granted import granted_in, require_decision, rulings_to_tell
from .ledger import append, held, named, post, tell
from .referees import check_referee
from .stakes import pay_out

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def open_turn(duel: Duel, state: State, *, at: dt.datetime) -> None:
    """Open the coming turn of a duel that is held, unless it ends there (A3.2)."""
    turn = duel.rules.status(state).turn
    step = duel.rules.open(state, secrets.dice(duel, turn))
    status = duel.rules.status(step.state)
    secrets.put_state(duel, step.state)
    phase = Phase(
        duel=duel, branch=duel.branch, number=turn, name=status.phase,
        after=duel.phase.live if duel.phase else None,
        opened_at=at, due_at=at + status.hours * HOUR,
        choice_until=at + TO_CHOOSE if status.owing else None,
    )  # fmt: skip
    if status.outcome:
        phase.status = Phase.Status.ABANDONED
    legilimens.foresee(duel, phase, step.state)
    phase.save(force_insert=True)
    phase.log = []
    public = {"turn": turn, "discovered": bool(status.outcome), "due_at": record.stamp(phase.due_at)}
    if phase.choice_until:
        public["choice_until"] = record.stamp(phase.choice_until)
    append(duel, "opening", at=at, phase=phase, public=public)
    _stand_at(duel, phase, step.state)
    if status.outcome:
        _tell_discovery(duel, step.events, at=at)
        end(duel, step.state, step.events, status.outcome, at=at)
    else:
        called = [duel.cast[letter]["user"] for letter in status.awaited]
        tell(duel, "turn_opened", at=at, concerns=called, turn=turn, phase=phase.name)


def _tell_discovery(duel: Duel, events: tuple[Event, ...], *, at: dt.datetime) -> None:
    """The thread shows the die that gave a clandestine duel away (A3.2)."""
    faces = [event["face"] for event in secrets.plain(duel, events) if event["code"] == "discovered"]
    for face in faces:
        post(duel, Post.Kind.NOTE, at=at, turn=duel.turn, details={"note": "discovered", "face": face})


def _stand_at(duel: Duel, phase: Phase, state: State) -> None:
    status = duel.rules.status(state)
    duel.phase = phase
    duel.turn = phase.number
    duel.public_view = duel.rules.view(state, "public")
    duel.arena = duel.public_view.get("arena", "")  # change_arena may have replaced it (A11.6)
    duel.awaited = "".join(status.awaited)
    duel.owing = "".join(status.owing)
    duel.due_at = phase.due_at
    duel.woken_at = phase.opened_at


def lock(duel: Duel, *, at: dt.datetime) -> None:
    """Lock the open phase of a duel that is held, note who is missing, and work it out (A6.2, A6.3)."""
    phase = duel.current
    phase.status = Phase.Status.LOCKED
    phase.locked_at = at
    legilimens.release(duel, phase, at=at)
    append(duel, "lock", at=at, phase=phase)
    for letter in duel.awaited:
        append(duel, "infraction", at=at, phase=phase, seat=letter, public={"infraction": "late"})
    duel.awaited = duel.owing = ""
    work_out(duel, phase, at=at)
    if duel.refereed:
        duel.due_at = None
        reviews = [duel.referee_id] if duel.referee_id else []
        tell(duel, "turn_locked", at=at, turn=phase.number, phase=phase.name, concerns=reviews)
    else:
        publish(duel, at=at)


def lock_if_complete(duel: Duel, phase: Phase, *, at: dt.datetime) -> None:
    """Lock the open phase once everyone has filed, unless something in it may still change (A10.2d, B6.4)."""
    if duel.awaited or duel.stopped_until is not None:
        return
    holds = held_open_until(phase)
    if holds and at < holds:
        duel.due_at = holds
    else:
        lock(duel, at=at)


def held_open_until(phase: Phase) -> dt.datetime | None:
    """Return until when a phase stays open in which everyone has filed, or None if nothing in it may change."""
    return phase.corrected_by or (phase.holds_until and min(phase.holds_until, phase.due_at))


def words_of(phase: Phase, letter: str) -> int:
    """Return how many words a seat has published in a phase, its correction counted."""
    filed = [entry for entry in phase.log if entry.kind == "filing" and entry.seat == letter]
    return sum(entry.public.get("words", 0) for entry in filed)


def inputs_of(duel: Duel, phase: Phase, state: State) -> Inputs:
    """Return what closes the phase that opened in `state`, as the log has it. It is locked, or ends unresolved."""
    entries = [secrets.opened(entry, duel.uid) for entry in phase.log]
    return record.inputs(entries, phase.branch, phase.number, duel.rules.status(state))


def computed_events(duel: Duel, phase: Phase, state: State) -> tuple[Event, ...] | None:
    """Return what happens in a phase without the rulings in force; None where there are none but words."""
    if not any(entry.kind == "ruling" for entry in phase.log):
        return None
    entries = [secrets.opened(entry, duel.uid) for entry in phase.log]
    if all(entry.public["ruling"] == "note" for entry in record.in_force(entries)):
        return None
    given = record.inputs(entries, phase.branch, phase.number, duel.rules.status(state), as_amended=False)
    return duel.rules.resolve(state, given, secrets.dice_of(duel, phase)).events


def work_out(duel: Duel, phase: Phase, *, at: dt.datetime) -> Resolution:
    """Resolve a locked phase from the log; done again, it is a new revision, and the one that counts.

    What would end the duel stays sealed until it is published: everything is open then, and a ruling may yet undo it.
    """
    state = secrets.state(duel)
    step = duel.rules.resolve(state, inputs_of(duel, phase, state), secrets.dice_of(duel, phase))
    over = duel.rules.status(step.state).outcome is not None
    shown = ({}, []) if over else public_parts(duel, step.state, step.events)
    return _revise(duel, phase, step.state, step.events, shown, at=at)


def public_parts(duel: Duel, state: State, events: tuple[Event, ...]) -> tuple[Any, Any]:
    """Return the view and the events that publishing shows; everything, once the duel is over."""
    audience: Audience = "referee" if duel.rules.status(state).outcome else "public"
    return duel.rules.view(state, "public"), secrets.plain(duel, duel.rules.redact(events, audience))


def _revise(
    duel: Duel, phase: Phase, state: State, events: tuple[Event, ...], shown: tuple[Any, Any], *, at: dt.datetime
) -> Resolution:
    revision = phase.live.revision + 1 if phase.live else 1
    sealed = secrets.seal_resolution(duel, phase, revision, state, events)
    view, told = shown
    resolution = Resolution.objects.create(
        phase=phase, revision=revision, computed_at=at, sealed=sealed, public_view=view, public_events=told
    )
    phase.live = resolution
    return resolution


def publish_turn(*, user: User, duel_id: int, turn: int, revision: int, name: str = "turn") -> Duel:
    """Publish a phase as its referee has read it, with the words that they have kept for it.

    Raises NotAllowed, TooLate (already done, or worked out again), Invalid (its publication is announced for later, or
    nothing was ruled yet on an appeal that was granted).
    """
    now = clock.now()
    with held(duel_id) as duel:
        phase = require_review(duel, user, turn, name)
        require_unannounced(phase)
        require_decision(phase)
        require_revision(phase, revision)
        publish(duel, at=now, by=user, framed=True)
    return duel


def require_revision(phase: Phase, revision: int) -> None:
    """Raise TooLate unless that revision is the one that counts."""
    if phase.resolution.revision != revision:
        raise TooLate(_("This turn was worked out again since you read it: read it once more, then publish."))


def require_unannounced(phase: Phase) -> None:
    """Raise Invalid while the publication of a phase is announced for an hour: it is published as it was read."""
    if phase.publish_at is not None:
        raise Invalid(_("The publication of this turn is announced: call it off first, then change what you wish."))


def require_review(duel: Duel, user: User, turn: int, name: str = "turn") -> Phase:
    """Return the phase that waits to be published; for the duel's referee. Raises NotAllowed, TooLate."""
    check_referee(duel, user)
    phase = duel.phase
    if phase is None or (phase.number, phase.name) != (turn, name) or phase.status != Phase.Status.LOCKED:
        raise TooLate(_("This turn has already been published, or is no longer to be."))
    return phase


def publish(duel: Duel, *, at: dt.datetime, by: User | None = None, told: bool = True, framed: bool = False) -> None:
    """Publish the locked phase of a duel that is held; the next one opens, or the duel is over.

    Not `told`, it is entered in the log only: a turn that a surrender or a draw has ended (A13.4). `framed`: with what
    the referee has written around it.
    """
    phase = duel.current
    resolution = phase.resolution
    state, events = secrets.open_resolution(duel, phase, resolution)
    if not resolution.public_view:
        resolution = _revise(duel, phase, state, events, public_parts(duel, state, events), at=at)
    computed = computed_events(duel, phase, secrets.state(duel))
    granted = granted_in(phase)
    words = framing.taken(phase) if told and framed else framing.NOTHING
    public = {
        "revision": resolution.revision,
        "view": resolution.public_view,
        "events": resolution.public_events,
        **framing.digests(words),
    }
    content = {"state": secrets.plain(duel, state), "events": secrets.plain(duel, events)}
    if computed is not None:
        content["computed"] = secrets.plain(duel, computed)
    entry = append(
        duel, "publication", at=at, phase=phase, version=phase.corrections, public=public, content=content, by=by
    )  # fmt: skip
    phase.status = Phase.Status.PUBLISHED
    phase.published_at = at
    phase.publish_at = None
    outcome = duel.rules.status(state).outcome
    if told:
        over = outcome is not None
        details = named(phase) | granted | decided(duel, phase, computed, events, over=over)
        details |= _corrected(duel, phase, resolution, events, over=over)
        with framing.around(duel, entry, words, at=at):
            post(
                duel, Post.Kind.RESOLUTION, at=at, turn=phase.number, entry=entry, resolution=resolution,
                details=details,
            )  # fmt: skip
        what = "turn_corrected" if phase.corrections else "turn_published"
        tell(duel, what, at=at, turn=phase.number, phase=phase.name)
    if phase.filed:  # what was filed is no draft any more
        Draft.objects.filter(phase=phase, seat__letter__in=phase.filed).delete()
    if outcome:
        end(duel, state, events, outcome, at=at)
    else:
        phase.save()
        open_turn(duel, state, at=at)


def decided(
    duel: Duel, phase: Phase, computed: tuple[Event, ...] | None, events: tuple[Event, ...], *, over: bool
) -> dict[str, Any]:
    """Return what is published of who was late, of each ruling, with its reason, and of what the rulings changed."""
    rulings = _rulings_told(rulings_to_tell(phase))
    late = [entry.seat for entry in phase.log if entry.kind == "infraction"]
    if computed is None:
        return {"rulings": rulings, "late": late}
    changes = [change._asdict() for change in public_difference(duel, computed, events, over=over)]
    return {"rulings": rulings, "late": late, "changes": changes}


def _rulings_told(rulings: list[Entry]) -> list[dict[str, Any]]:
    """Return what the thread says of each ruling, everything of which is public.

    One that takes another back is `withdrawn`; the other has the reason of that in `void`, so that it is nowhere read
    as if it stood.
    """
    void = {entry.public["withdraws"]: entry.public["reason"] for entry in rulings if "withdraws" in entry.public}
    return [_ruling_told(entry, void.get(entry.index)) for entry in rulings]


def _ruling_told(entry: Entry, void: str | None) -> dict[str, Any]:
    untold = ("withdraws", "phase", "official")
    said = {key: value for key, value in entry.public.items() if key not in untold}
    told = {**said, "withdrawn": "withdraws" in entry.public}
    return told if void is None else {**told, "void": void}


def _corrected(
    duel: Duel, phase: Phase, resolution: Resolution, events: tuple[Event, ...], *, over: bool
) -> dict[str, Any]:
    """Return what a turn that was taken up again tells otherwise than it did when it was published before."""
    *_, before, _now = [None, *(entry for entry in phase.log if entry.kind == "publication")]
    if before is None:
        return {}
    if over:  # everything is told now: it is compared with everything there was
        changes = difference(secrets.opened(before, duel.uid).content["events"], secrets.plain(duel, events))
    else:
        changes = difference(before.public["events"], resolution.public_events)
    return {"corrected": [change._asdict() for change in changes]}


def end(duel: Duel, state: State, events: tuple[Event, ...], outcome: Outcome, *, at: dt.datetime) -> None:
    """End a duel that is held: the verdict; everything sealed is open from now on, stakes and rewards are paid."""
    if duel.stopped_until is not None:
        stops.lapse(duel, at=at)
    secrets.put_state(duel, state)
    duel.status = Duel.Status.OVER
    duel.ended_at = at
    duel.due_at = None
    duel.awaited = duel.owing = ""
    duel.public_view = duel.rules.view(state, "public")
    duel.winner = str(outcome.winner or "")
    duel.ended_by = outcome.by
    verdict = {"winner": outcome.winner, "by": outcome.by}
    append(duel, "verdict", at=at, phase=duel.phase, public=verdict)
    paid = pay_out(duel, state, events, outcome, at=at)
    post(duel, Post.Kind.VERDICT, at=at, turn=duel.turn, details={**verdict, "paid": paid} if paid else verdict)
    tell(duel, "over", at=at, **verdict)
