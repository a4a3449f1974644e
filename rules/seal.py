"""Seals: what lets anyone check, once a duel is over, that nothing in its record was changed.

Nothing is drawn here: seeds and nonces are given by the caller.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from rules.core import RulesError, Seat

SEED_BYTES = 32
NONCE_BYTES = 32
FIRST_PREVIOUS = "0" * 64  # what the first entry of a record says that it follows

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """Return the one JSON text of `value`: UTF-8, sorted keys, no spaces, nothing escaped needlessly.

    Takes None, booleans, integers, texts, lists or tuples, and dicts keyed by texts. Raises RulesError
    for anything else, floats included: they have no single spelling.
    """
    try:
        _check(value)
        return _encoder.encode(value)
    except UnicodeEncodeError as error:
        raise RulesError("canonical JSON cannot hold half a surrogate pair") from error
    except RecursionError as error:
        raise RulesError("canonical JSON cannot hold a value nested this deep") from error


_PLAIN = frozenset({type(None), bool, int, str})


def _check(value: Any) -> None:
    if value is None or isinstance(value, (str, int)):
        return
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise RulesError(f"canonical JSON has texts as keys, not {key!r}")
        inside: Iterable[Any] = value.values()
    elif isinstance(value, (list, tuple)):
        inside = value
    else:
        raise RulesError(f"canonical JSON cannot hold a {type(value).__name__}")
    for held in inside:
        if type(held) not in _PLAIN:  # most are, and an export has tens of thousands
            _check(held)


def sha256(value: bytes) -> str:
    """Return the SHA-256 of `value`, in hexadecimal."""
    return hashlib.sha256(value).hexdigest()


def commitment(seed: bytes) -> str:
    """Return what the announcement shows of the duel's secret seed: its SHA-256."""
    if len(seed) != SEED_BYTES:
        raise RulesError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return sha256(seed)


def text_hash(text: str) -> str:
    """Return the SHA-256 of a publication's text as written (UTF-8)."""
    return sha256(text.encode(errors="surrogatepass"))


def receipt(*, duel: str, branch: int, phase: int, seat: Seat | None, version: int, content: Any, nonce: bytes) -> str:
    """Return what is shown of a sealed content until it is opened. Raises RulesError (`canonical`)."""
    if len(nonce) != NONCE_BYTES:
        raise RulesError(f"a nonce has {NONCE_BYTES} bytes, not {len(nonce)}")
    sealed = {
        "duel": duel, "branch": branch, "phase": phase, "seat": seat,
        "version": version, "content": content, "nonce": nonce.hex(),
    }  # fmt: skip
    return sha256(canonical(sealed))


def entry_hash(
    *,
    duel: str,
    index: int,
    kind: str,
    branch: int,
    phase: int,
    seat: Seat | None,
    version: int,
    at: str,
    public: Any,
    receipt: str | None,
    previous: str,
) -> str:
    """Return the hash of one entry of a record, which holds the hash of the entry before it."""
    linked = {
        "duel": duel, "index": index, "kind": kind, "branch": branch, "phase": phase, "seat": seat,
        "version": version, "at": at, "public": public, "receipt": receipt, "previous": previous,
    }  # fmt: skip
    return sha256(canonical(linked))
