"""Encryption at rest: AES-GCM under a ring of keys, bound to what the secret belongs to.

A sealed value is: key id, a colon, 12 bytes of nonce, the ciphertext with its tag. Keys are added to the ring
(settings.SEAL_KEYS, a mapping of ids to 32-byte keys, the last one seals), never removed.
"""

from __future__ import annotations

import os
from functools import cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

NONCE = 12  # bytes


class VaultError(Exception):
    """A sealed value cannot be opened: unknown key, another place's value, or altered bytes."""


def seal(content: bytes, *bound: object) -> bytes:
    """Encrypt `content`; only `unseal` with the same `bound` (duel, phase, seat, version…) opens it."""
    key_id, key = list(settings.SEAL_KEYS.items())[-1]
    nonce = os.urandom(NONCE)
    return key_id.encode() + b":" + nonce + _cipher(key).encrypt(nonce, content, _label(bound))


def unseal(sealed: bytes | memoryview, *bound: object) -> bytes:
    """Return what was sealed. Raises VaultError."""
    key_id, _colon, rest = bytes(sealed).partition(b":")
    key = settings.SEAL_KEYS.get(key_id.decode(errors="replace"))
    if key is None:
        raise VaultError("sealed under a key that is not in the ring")
    try:
        return _cipher(key).decrypt(rest[:NONCE], rest[NONCE:], _label(bound))
    except InvalidTag:
        raise VaultError("a sealed value was altered, or belongs elsewhere") from None


@cache
def _cipher(key: bytes) -> AESGCM:
    """One a key of the ring: making it takes longer than sealing."""
    return AESGCM(key)


def _label(bound: tuple[object, ...]) -> bytes:
    return "/".join(str(part) for part in bound).encode()
