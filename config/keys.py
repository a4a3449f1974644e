"""The secrets that the site runs on: read from the environment, or made once for a developer's machine."""

import base64
import binascii
import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

KEY_BYTES = 32


def new_ring() -> str:
    """Return a ring of one fresh key, in the form that `SEAL_KEYS` takes."""
    return "dev:" + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def parse_ring(text: str) -> dict[str, bytes]:
    """Read `SEAL_KEYS`, "id:base64,id:base64", oldest first, into keys by id.

    The last key seals; every key opens what was sealed under its id, so keys are added and never removed.
    Raises ImproperlyConfigured naming the key (never its value) that is not 32 bytes of base64.
    """
    ring: dict[str, bytes] = {}
    for item in filter(None, (part.strip() for part in text.split(","))):
        key_id, _, encoded = item.partition(":")
        if not key_id or key_id in ring:
            raise ImproperlyConfigured(f"SEAL_KEYS: every key needs an id of its own; {key_id!r} is empty or repeated.")
        ring[key_id] = _decode(key_id, encoded)
    if not ring:
        raise ImproperlyConfigured("SEAL_KEYS is empty: give at least one key, as id:base64 of 32 random bytes.")
    return ring


def _decode(key_id: str, encoded: str) -> bytes:
    try:
        key = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        key = b""
    if len(key) != KEY_BYTES:
        raise ImproperlyConfigured(f"SEAL_KEYS: key {key_id!r} must be base64 of {KEY_BYTES} random bytes.")
    return key


def kept_on_this_machine(folder: Path, name: str, fresh: str) -> str:
    """Return the secret kept in `folder`, making it from `fresh` if there is none yet.

    Several processes may start at once: the first one's link wins and all read the same secret.
    """
    path = folder / name
    if not path.exists():
        folder.mkdir(mode=0o700, exist_ok=True)
        draft = folder / f".{name}.{os.getpid()}.{secrets.token_hex(4)}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(fresh)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()
