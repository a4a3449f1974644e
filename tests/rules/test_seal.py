"""Seals: canonical JSON, receipts, the chain, the commitment; each worked out by hand here."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import seal
from rules.core import RulesError

DUEL = "4f0c5b52-7d5c-4f0e-9d53-0d7f3e1a2b3c"
NONCE = bytes(range(32))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None, "x"]}, '{"a":[true,null,"x"],"b":1}'),
        ({"é": "à l'heure"}, '{"é":"à l\'heure"}'),
        ('“\n\t"\\', '"“\\n\\t\\"\\\\"'),
        ((1, (2,)), "[1,[2]]"),
        (-(2**70), "-1180591620717411303424"),
        ({}, "{}"),
    ],
)
def test_canonical_json_has_one_spelling(value, text):
    assert seal.canonical(value) == text.encode()


@pytest.mark.parametrize(
    "value",
    [1.0, float("nan"), {"a": [0.5]}, {1: 2}, {None: 1}, {"a": {2}}, b"x", object(), "\ud800", {"\udfff": 1}],
)
def test_what_has_no_single_spelling_is_refused(value):
    with pytest.raises(RulesError, match="canonical JSON"):
        seal.canonical(value)


EXACT = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(EXACT)
def test_anyone_can_write_canonical_json_with_an_ordinary_library(value):
    ordinary = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert seal.canonical(value) == ordinary.encode()


def test_a_bottomless_value_is_refused():
    nested: list = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(RulesError, match="deep"):
        seal.canonical(nested)


def test_a_receipt_can_be_worked_out_by_hand():
    made = seal.receipt(
        duel=DUEL, branch=0, phase=3, seat="a", version=2, content={"thrust": "head", "option": None}, nonce=NONCE
    )
    assert made == sha256(
        '{"branch":0,"content":{"option":null,"thrust":"head"},'
        f'"duel":"{DUEL}","nonce":"{NONCE.hex()}","phase":3,"seat":"a","version":2}}'
    )


@pytest.mark.parametrize(
    "change",
    [
        {"duel": "x"}, {"branch": 1}, {"phase": 4}, {"seat": "b"}, {"version": 3}, {"content": None},
        {"nonce": bytes(32)},
    ],
)  # fmt: skip
def test_a_receipt_holds_every_part(change):
    parts = {"duel": DUEL, "branch": 0, "phase": 3, "seat": "a", "version": 2, "content": {}, "nonce": NONCE}
    assert seal.receipt(**parts) != seal.receipt(**{**parts, **change})


def test_a_nonce_has_32_bytes():
    with pytest.raises(RulesError, match="nonce has 32 bytes, not 2"):
        seal.receipt(duel=DUEL, branch=0, phase=1, seat="a", version=1, content={}, nonce=b"ab")


def test_an_entry_hash_can_be_worked_out_by_hand():
    made = seal.entry_hash(
        duel=DUEL, index=0, kind="surrender", branch=0, phase=2, seat="b", version=0,
        at="2025-01-02T03:04:05Z", public={}, receipt=None, previous=seal.FIRST_PREVIOUS,
    )  # fmt: skip
    assert made == sha256(
        f'{{"at":"2025-01-02T03:04:05Z","branch":0,"duel":"{DUEL}","index":0,"kind":"surrender","phase":2,'
        f'"previous":"{"0" * 64}","public":{{}},"receipt":null,"seat":"b","version":0}}'
    )


def test_the_commitment_is_the_hash_of_the_seed():
    assert seal.commitment(NONCE) == hashlib.sha256(NONCE).hexdigest()


def test_a_committed_seed_has_32_bytes():
    with pytest.raises(RulesError, match="seed has 32 bytes, not 0"):
        seal.commitment(b"")


def test_a_text_is_hashed_as_written():
    assert seal.text_hash("Éclair !") == sha256("Éclair !")
