"""Holding a duel, and adding to it: entries of its log, posts of its thread, happenings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F, Model, QuerySet
from django.utils.translation import gettext_lazy as _

from duels import markup, secrets
from duels.errors import Hidden, NotAllowed, TooLate
from duels.models import Duel, Entry, Happening, Phase, Post, PostBody, Resolution, Seat
from duels.models.thread import last_position
from duels.wakes import next_wake
from rules import record, seal
from rules.record import WHOLE_TURN
from rules.words import count_words

if TYPE_CHECKING:
    from django.contrib.auth.models import User


_WRITTEN: tuple[type[Model], ...] = (Entry, Post, PostBody, Happening)  # in this order: each may point at one before


@contextmanager
def held(duel_id: int) -> Iterator[Duel]:
    """Hold a duel's row in a transaction of its own; the duel, the phase under way and what happened are saved at the
    end. Raises Duel.DoesNotExist."""
    with transaction.atomic(durable=True):
        # the lock first, then a new look: rows joined to the one waited for would be as they were before the wait
        Duel.objects.hold(duel_id)
        with changing(duel_id) as duel:
            yield duel


@contextmanager
def changing(duel_id: int) -> Iterator[Duel]:
    """Read a duel whose row is held, and save at the end what was changed of it, and added to it."""
    duel = _look(duel_id)
    phase = duel.phase
    before = columns(duel), columns(phase)
    yield duel
    if phase is not None and duel.phase is phase:  # one that another has followed was saved before it
        _save(phase, before[1])
    settle(duel, before[0])


@cache
def _under_way() -> QuerySet[Any]:
    """The logs of phases under way: put together once, since that takes longer than asking; sorted by who asks."""
    entries = Entry.objects.filter(phase_row=F("duel__phase")).order_by()
    return entries.select_related("duel__thread", "phase_row").annotate(last_position=last_position("duel"))


def _look(duel_id: int) -> Duel:
    """Read a duel that is held with its thread, the phase under way and its log: one query, once it has started."""
    log = sorted(_under_way().filter(duel=duel_id), key=attrgetter("index"))
    if not log:
        return Duel.objects.select_related("phase", "thread").get(pk=duel_id)
    first = log[0]
    duel: Duel = first.duel
    duel.phase = first.phase_row
    duel.current.log = log
    duel.thread.post_count = first.last_position or 0
    return duel


def columns(row: Model | None) -> dict[str, Any]:
    """Return what a row holds, to know later what has changed of it; nothing of None."""
    return {} if row is None else {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def _save(row: Model, before: dict[str, Any]) -> None:
    """Save what has changed of a row since its columns were as `before`."""
    now = columns(row)
    row.save(update_fields=[name for name, value in before.items() if now[name] != value])


def settle(duel: Duel, before: dict[str, Any]) -> None:
    """Save what has changed of a duel since its columns were as `before`, with the next instant for the clock, and
    write down what was added to it, each table at one go."""
    duel.wake_at = next_wake(duel)
    _save(duel, before)
    for model in _WRITTEN:
        model._default_manager.bulk_create([row for row in duel.unwritten if isinstance(row, model)])
    duel.unwritten.clear()


def letter_of(duel: Duel, user: User) -> str:
    """Return the letter of the user's seat. Raises NotAllowed; Hidden, while the duel is nobody else's business."""
    for letter, player in duel.cast.items():
        if player["user"] == user.pk:
            return str(letter)
    raise (NotAllowed if duel.announced_at else Hidden)(_("You do not play in this duel."))


def seat_of(duel: Duel, user: User) -> Seat:
    """Return the user's seat. Raises NotAllowed."""
    return duel.seats.get(letter=letter_of(duel, user))


def open_phase(duel: Duel, *, received_at: dt.datetime, although_stopped: bool = False) -> Phase:
    """Return the phase that is open at that instant; its clock runs, unless `although_stopped`. Raises TooLate."""
    phase = duel.phase
    if not duel.is_running or phase is None or not phase.is_open:
        raise TooLate(_("This turn is closed: read the thread to see where the duel stands."))
    if duel.stopped_until is not None:
        if although_stopped:
            return phase
        raise TooLate(_("A resolution is contested: the duel stands still until it is answered, 48 hours at most."))
    if received_at > phase.due_at:
        raise TooLate(_("The deadline of this turn has passed: what you sent came too late to count."))
    return phase


def append(
    duel: Duel,
    kind: str,
    *,
    at: dt.datetime,
    phase: Phase | None = None,
    seat: str = "",
    version: int = 0,
    public: dict[str, Any] | None = None,
    content: Any = None,
    by: User | None = None,
) -> Entry:
    """Add an entry to the log of a duel that is held; `content`, when there is one, is sealed.

    It is chained at once, and written when the duel is saved.
    """
    entry = Entry(
        duel=duel,
        phase_row=phase,
        index=duel.entry_count,
        kind=kind,
        branch=phase.branch if phase else duel.branch,
        phase=phase.number if phase else 0,
        seat=seat,
        version=version,
        at=at,
        public={
            **(public or {}),
            **(named(phase) if phase else {}),
            **({"official": duel.official(by)} if kind in record.OFFICIAL else {}),
        },
        previous=duel.chain_head,
        by=by,
    )
    if content is not None:
        nonce = secrets.draw_nonce()
        entry.sealed = secrets.seal_entry(entry, duel.uid, content, nonce)
        entry.receipt = seal.receipt(
            duel=str(duel.uid), branch=entry.branch, phase=entry.phase, seat=seat or None,
            version=version, content=content, nonce=nonce,
        )  # fmt: skip
    entry.hash = _link(duel, entry)
    if phase is not None:
        phase.log.append(entry)
    duel.unwritten.append(entry)
    duel.entry_count += 1
    duel.chain_head = entry.hash
    return entry


def named(phase: Phase) -> dict[str, str]:
    """Return the name of a phase as entries and posts bear it: where a turn has several, and only there."""
    return {} if phase.name == WHOLE_TURN else {"phase": phase.name}


def _link(duel: Duel, entry: Entry) -> str:
    return seal.entry_hash(
        duel=str(duel.uid), index=entry.index, kind=entry.kind, branch=entry.branch, phase=entry.phase,
        seat=entry.seat or None, version=entry.version, at=record.stamp(entry.at), public=entry.public,
        receipt=entry.receipt or None, previous=entry.previous,
    )  # fmt: skip


def post(
    duel: Duel,
    kind: Post.Kind,
    *,
    at: dt.datetime,
    turn: int = 0,
    seat: str = "",
    text: str = "",
    entry: Entry | None = None,
    resolution: Resolution | None = None,
    details: dict[str, Any] | None = None,
) -> Post:
    """Add a post to the thread of a duel that is held, written when the duel is saved; its position is given under the
    duel's lock."""
    thread = duel.thread
    thread.post_count += 1
    made = Post(
        thread=thread,
        position=thread.post_count,
        kind=kind,
        turn=turn,
        seat=seat,
        duellist_id=duel.cast[seat]["duellist"] if seat else None,
        posted_at=at,
        text_sha256=markup.digest(text) if text else "",
        words=count_words(text),
        entry=entry,
        resolution=resolution,
        details=details or {},
    )
    duel.unwritten.append(made)
    if text:
        duel.unwritten.append(PostBody(post=made, text=text, html=markup.render(text)))
    return made


def tell(duel: Duel, what: str, *, at: dt.datetime, concerns: list[int] | None = None, **details: Any) -> None:
    """Note a happening, to be appended as the duel is saved; it concerns the two players unless `concerns` says."""
    if concerns is None:
        concerns = [player["user"] for player in duel.cast.values()]
    duel.unwritten.append(Happening(duel=duel, what=what, at=at, concerns=concerns, details=details))
