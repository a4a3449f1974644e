"""The secrets of a duel, sealed at rest and opened again: seed, state, contents of entries, resolutions, drafts.

Whoever calls these has made sure that the reader may see what comes out; nothing here checks it.
"""

from __future__ import annotations

import json
import os
from typing import Any, cast

import msgspec

from rules import record
from rules.core import Event, State
from rules.dice import SealedDice
from rules.record import Entry as Opened
from rules.record import Kind
from rules.seal import NONCE_BYTES, SEED_BYTES, canonical, commitment

from .models import Draft, Duel, Entry, Framing, Phase, Resolution
from .vault import VaultError, seal, unseal


def draw_seed(duel: Duel) -> None:
    """Give the duel its secret seed, and the commitment that the announcement shows."""
    seed = os.urandom(SEED_BYTES)
    duel.sealed_seed = seal(seed, duel.uid, "seed")
    duel.commitment = commitment(seed)


def seed(duel: Duel) -> bytes:
    return unseal(_there(duel.sealed_seed), duel.uid, "seed")


def _there(sealed: bytes | memoryview | None) -> bytes | memoryview:
    if sealed is None:
        raise VaultError("nothing has been sealed here yet")
    return sealed


def dice(duel: Duel, phase: str | int) -> SealedDice:
    """Return the dice of what comes next: "announcement", "start", or the number of the turn that opens."""
    return SealedDice(seed(duel), str(duel.uid), duel.branch, phase)


def dice_of(duel: Duel, phase: Phase) -> SealedDice:
    """Return the dice of a phase, whatever its branch: corrected, it keeps its own."""
    return SealedDice(seed(duel), str(duel.uid), phase.branch, phase.number)


def state_at_opening(duel: Duel, phase: Phase) -> State:
    """Return the state in which a phase opened, worked out again from what came before it."""
    return duel.rules.open(state_before(duel, phase), dice_of(duel, phase)).state


def state_before(duel: Duel, phase: Phase) -> State:
    """Return the state that the phase before left, in the revision from which this one opened; or the start."""
    if phase.after is not None:
        return open_resolution(duel, phase.after.phase, phase.after)[0]
    start = opened(duel.entries.get(kind="start"), duel.uid)
    return duel.rules.decode_state(json.dumps(start.content["state"]).encode())


def put_state(duel: Duel, state: State) -> None:
    """Keep the state in which the coming phase opens."""
    duel.sealed_state = seal(duel.rules.encode(state), duel.uid, duel.branch, "state")


def state(duel: Duel) -> State:
    return duel.rules.decode_state(unseal(_there(duel.sealed_state), duel.uid, duel.branch, "state"))


def plain(duel: Duel, value: Any) -> Any:
    """Return a state or events of the rules as the JSON that goes into an entry."""
    return msgspec.json.decode(duel.rules.encode(value))


def draw_nonce() -> bytes:
    return os.urandom(NONCE_BYTES)


def seal_entry(entry: Entry, uid: object, content: Any, nonce: bytes) -> bytes:
    packed = canonical({"content": content, "nonce": nonce.hex()})
    return seal(packed, uid, "entry", entry.index)


def opened(entry: Entry, uid: object) -> Opened:
    """Return the entry as the record has it, its content open."""
    inside = json.loads(unseal(entry.sealed, uid, "entry", entry.index)) if entry.sealed else {}
    return Opened(
        index=entry.index,
        kind=cast(Kind, entry.kind),
        branch=entry.branch,
        phase=entry.phase,
        seat=entry.seat or None,
        version=entry.version,
        at=record.stamp(entry.at),
        public=entry.public,
        receipt=entry.receipt or None,
        content=inside.get("content"),
        nonce=inside.get("nonce"),
        previous=entry.previous,
        hash=entry.hash,
    )


class _Packed(msgspec.Struct):
    """A resolution as it is sealed: the JSON of its parts, for the ruleset to read."""

    state: msgspec.Raw
    events: msgspec.Raw


def seal_resolution(duel: Duel, phase: Phase, revision: int, state: State, events: tuple[Event, ...]) -> bytes:
    packed = _Packed(msgspec.Raw(duel.rules.encode(state)), msgspec.Raw(duel.rules.encode(events)))
    return seal(msgspec.json.encode(packed), duel.uid, *_place(phase), "resolution", revision)


def _place(phase: Phase) -> tuple[object, ...]:
    """Where a resolution belongs; the phases of one turn are told apart by name."""
    name = () if phase.name == "turn" else (phase.name,)
    return (phase.branch, phase.number, *name)


def open_resolution(duel: Duel, phase: Phase, resolution: Resolution) -> tuple[State, tuple[Event, ...]]:
    """Return the state after the phase, and every event of it."""
    packed = unseal(resolution.sealed, duel.uid, *_place(phase), "resolution", resolution.revision)
    inside = msgspec.json.decode(packed, type=_Packed)
    return duel.rules.decode_state(bytes(inside.state)), duel.rules.decode_events(bytes(inside.events))


def seal_draft(seat_id: int, phase_id: int, draft: dict[str, Any]) -> bytes:
    return seal(json.dumps(draft).encode(), "draft", seat_id, phase_id)


def open_draft(draft: Draft) -> dict[str, Any]:
    """Return what was typed: `text`, and the fields of the declaration."""
    kept: dict[str, Any] = json.loads(unseal(draft.sealed, "draft", draft.seat_id, draft.phase_id))
    return kept


def seal_framing(phase_id: int, words: dict[str, str]) -> bytes:
    return seal(json.dumps(words).encode(), "framing", phase_id)


def open_framing(framing: Framing) -> dict[str, str]:
    """Return what the referee has written around a result: `preamble` and `closing`."""
    kept: dict[str, str] = json.loads(unseal(framing.sealed, "framing", framing.phase_id))
    return kept
