"""Between the announcement and the start (A4): hiding the receptacle, starting early, starting."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from duels import secrets, training
from duels.errors import Invalid, TooLate
from duels.models import Currency, Duel, Entry, Post, Scene, Seat
from duels.queries.eligibility import Missing, barred
from duels.queries.scenes import leading_to
from duels.wakes import hide_by
from rules import record

from .ledger import append, held, post, seat_of, tell
from .stakes import hold_stakes
from .turns import open_turn

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def hide_receptacle(*, user: User, duel_id: int, zone: str, received_at: dt.datetime) -> Entry:
    """Hide the receptacle, or move it, until the start; in the last 24 hours it counts as late (A4.1)."""
    with held(duel_id) as duel:
        _require_announced(duel, received_at)
        seat = seat_of(duel, user)
        if zone not in zones_to_hide_in(duel, seat.letter):
            raise Invalid(_("Choose one of the six zones of your puppet."), "zone")
        seat.hidden_version += 1
        seat.hidden_late = received_at > hide_by(duel)
        seat.save(update_fields=["hidden_version", "hidden_late"])
        return append(
            duel, "receptacle", at=received_at, seat=seat.letter, version=seat.hidden_version,
            public={"late": seat.hidden_late}, content={"zone": zone}, by=user,
        )  # fmt: skip


def zones_to_hide_in(duel: Duel, letter: str) -> tuple[str, ...]:
    """Return the zones in which that seat may hide its receptacle (A4.1)."""
    part = duel.rules.prepares(duel.setup, letter).parts[0]
    return tuple(choice.value for choice in part.choices)


def ask_to_start(*, user: User, duel_id: int, received_at: dt.datetime, as_clandestine: bool = False) -> Duel:
    """Ask to start without waiting; it starts as soon as all have hidden (if there is anything to) and ask (A4.1b).

    Outside of training hours students' training would be clandestine then (article 3): `as_clandestine` says that one
    wants it all the same, and it starts once both have said so. Raises NotAllowed, TooLate, Invalid.
    """
    with held(duel_id) as duel:
        _require_announced(duel, received_at)
        seat = seat_of(duel, user)
        if to_hide(duel) and not seat.hidden_version:
            raise Invalid(_("Hide your receptacle first, then ask to start."))
        if bars := barred(duel, now=received_at):
            raise Invalid(" ".join(f"{bar.message} ({bar.rule})" for bar in bars.values()))
        scene = scene_if_clandestine(duel, received_at)
        if scene is not None and not as_clandestine:
            raise TooLate(_("Training hours are over: read what starting at once means now, and ask again."))
        seat.wants_start = True
        seat.accepts_clandestine = seat.accepts_clandestine or as_clandestine
        seat.save(update_fields=["wants_start", "accepts_clandestine"])
        if all(_is_ready(duel, one, in_secret=scene is not None) for one in duel.seats.all()):
            Seat.objects.filter(duel=duel).update(hidden_late=False)
            start(duel, at=received_at, early=True, scene=scene)
        else:
            tell(duel, "start_asked", at=received_at, concerns=_others(duel, user))
    return duel


def _is_ready(duel: Duel, seat: Seat, *, in_secret: bool) -> bool:
    is_hidden = bool(seat.hidden_version) or not to_hide(duel)
    return is_hidden and seat.wants_start and (seat.accepts_clandestine or not in_secret)


def scene_if_clandestine(duel: Duel, at: dt.datetime) -> Scene | None:
    """Return the scene that leads to a duel which is clandestine if it starts at that instant, None where it is not:
    students' training outside of training hours (article 3).

    Raises Invalid, if it cannot be a clandestine one: without a scene of the two (A3.1), or with Runes staked (A3.3).
    """
    if not duel.trains_students or training.is_open(at):
        return None
    one, other = (seat.duellist for seat in duel.seats.select_related("duellist"))
    scene = leading_to(one, other)
    hours = {"opening": training.instant_in_words(training.next_opening(at))}
    if scene is None:
        message = _(
            "Outside of training hours, next on %(opening)s, a duel is clandestine, and follows a scene that the two"
            " have written, three posts of 100 words each at least (A3.1): write one, or wait."
        )
        raise Invalid(message % hours)
    if duel.stake and duel.stake_currency != Currency.LIARDS:
        message = _(
            "Outside of training hours, next on %(opening)s, a duel is clandestine, and nothing but Liards is staked in"
            " it (A3.3): wait for them."
        )
        raise Invalid(message % hours)
    return scene


def to_hide(duel: Duel) -> bool:
    """Say whether the duellists have a receptacle to hide (A4.1)."""
    return any(duel.rules.prepares(duel.setup, letter).awaited for letter in duel.cast)


def setup_of(duel: Duel) -> dict[str, Any]:
    """Return the setup as it was announced, the spells of the book included."""
    setup: dict[str, Any] = duel.setup
    if duel.book_id is None:
        return setup
    return {**setup, "spells": duel.entries.get(kind="announcement").public["setup"]["spells"]}


def _others(duel: Duel, user: User) -> list[int]:
    return [player["user"] for player in duel.cast.values() if player["user"] != user.pk]


def _require_announced(duel: Duel, received_at: dt.datetime) -> None:
    if duel.status != Duel.Status.ANNOUNCED or received_at >= duel.starts_at:
        raise TooLate(_("The preparation is over: the duel has started, or is no longer to be."))


def start(duel: Duel, *, at: dt.datetime, early: bool = False, scene: Scene | None = None) -> None:
    """Start a duel that is held: technique limit, first void zone, receptacles that nobody hid (A4.1a).

    With a `scene` it becomes clandestine as it starts (article 3). A spell duel that somebody may not begin by then
    does not take place (B2.1, B6.0).
    """
    if bars := barred(duel, now=at):
        _do_not_begin(duel, bars, at=at)
        return
    if scene is not None:
        duel.kind, duel.scene = Duel.Kind.CLANDESTINE, scene
    hidden = [secrets.opened(entry, duel.uid) for entry in duel.entries.filter(kind="receptacle")]
    setup = setup_of(duel)
    if to_hide(duel):
        setup = record.prepared(setup, hidden, early=early, in_secret=scene is not None)
    state = duel.rules.start(setup, secrets.dice(duel, "start"))
    duel.status = Duel.Status.RUNNING
    duel.started_at = at
    duel.public_view = duel.rules.view(state, "public")
    public = {
        "early": early,
        **({"kind": duel.kind} if scene is not None else {}),
        **{key: duel.public_view[key] for key in record.DRAWN if key in duel.public_view},
        "late": record.late_seats(setup),
    }
    content = {"state": secrets.plain(duel, state)}
    append(duel, "start", at=at, public=public, content=content)
    receipts = {entry.seat: entry.receipt for entry in hidden}  # of the last version of each
    post(duel, Post.Kind.START, at=at, turn=1, details={**public, "receipts": receipts})
    tell(duel, "started", at=at)
    hold_stakes(duel, at=at)
    open_turn(duel, state, at=at)


def _do_not_begin(duel: Duel, bars: Mapping[str, Missing], *, at: dt.datetime) -> None:
    """Cancel an announced duel that is held, and say who may not begin it; nothing has been staked by then (A3.3)."""
    duel.status = Duel.Status.CANCELLED
    duel.due_at = None
    concerns = [player["user"] for player in duel.cast.values()]
    if duel.referee_id is not None:
        concerns.append(duel.referee_id)
    for letter, bar in bars.items():
        post(duel, Post.Kind.NOTE, at=at, seat=letter, details={"note": "not_begun", "why": bar.code})
        tell(duel, "not_begun", at=at, concerns=concerns, seat=letter)
