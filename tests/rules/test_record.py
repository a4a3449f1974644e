"""The record: what its entries hold, and how the inputs of a phase follow from them."""

import hashlib
import json

import pytest

from rules import record
from rules.core import Adjustment, Filed, RulesError, Status

DUEL = "4f0c5b52-7d5c-4f0e-9d53-0d7f3e1a2b3c"
AT = "2025-01-02T03:04:05Z"
NONCE = bytes(range(32))


class Log:
    """A record under way, written as the sentences of a duel."""

    def __init__(self):
        self.entries = []

    def add(self, kind, seat=None, phase=1, **parts):
        last = self.entries[-1] if self.entries else None
        if kind in record.SEALED:
            parts.setdefault("nonce", NONCE)
        entry = record.following(DUEL, last, kind=kind, at=AT, phase=phase, seat=seat, **parts)
        self.entries.append(entry)
        return entry

    def file(self, seat, thrust, version=1, **parts):
        return self.add("filing", seat, version=version, content={"thrust": thrust}, **parts)

    def rule(self, ruling, seat, **parts):
        return self.add("ruling", public={"ruling": ruling, "seat": seat, "reason": "said in public", **parts})

    def inputs(self, phase=1, branch=0, owing=()):
        status = Status("turn", phase, 48, ("a", "b"), owing, False, None)
        return record.inputs(self.entries, branch, phase, status)


@pytest.fixture
def log():
    return Log()


class TestEntries:
    def test_each_entry_follows_the_one_before(self, log):
        first, second = log.add("surrender", "a"), log.file("b", "head")
        assert (first.index, first.previous) == (0, "0" * 64)
        assert (second.index, second.previous) == (1, first.hash)

    def test_receipt_and_hash_can_be_worked_out_by_hand(self, log):
        entry = log.file("b", "head", public={"words": 120})
        receipt = hashlib.sha256(
            f'{{"branch":0,"content":{{"thrust":"head"}},"duel":"{DUEL}","nonce":"{NONCE.hex()}",'
            f'"phase":1,"seat":"b","version":1}}'.encode()
        ).hexdigest()
        linked = (
            f'{{"at":"{AT}","branch":0,"duel":"{DUEL}","index":0,"kind":"filing","phase":1,'
            f'"previous":"{"0" * 64}","public":{{"words":120}},"receipt":"{receipt}","seat":"b","version":1}}'
        )
        assert (entry.receipt, entry.hash) == (receipt, hashlib.sha256(linked.encode()).hexdigest())

    @pytest.mark.parametrize(("kind", "nonce"), [("filing", None), ("surrender", NONCE)])
    def test_what_must_be_sealed_is_and_nothing_else(self, log, kind, nonce):
        with pytest.raises(RulesError, match="an entry"):
            log.add(kind, "a", nonce=nonce)


class TestFilings:
    def test_the_last_version_counts_in_the_order_of_the_first(self, log):
        log.file("b", "head")
        log.file("a", "torso")
        log.file("b", "left_leg", version=2)
        assert log.inputs().filings == (Filed("b", {"thrust": "left_leg"}), Filed("a", {"thrust": "torso"}))

    def test_another_phase_or_branch_is_passed_over(self, log):
        log.file("a", "head")
        log.file("a", "torso", phase=2)
        log.file("a", "left_arm", branch=1)
        assert log.inputs().filings == (Filed("a", {"thrust": "head"}),)
        assert log.inputs(branch=1).filings == (Filed("a", {"thrust": "left_arm"}),)


class TestInfractions:
    def test_the_clock_finds_late(self, log):
        log.file("a", "head")
        log.add("infraction", "b", public={"infraction": "late"})
        assert log.inputs().infractions == {"b": "late"}

    def test_the_referee_finds_a_publication_invalid(self, log):
        log.file("a", "head")
        log.rule("invalid_post", "a")
        assert log.inputs().infractions == {"a": "invalid_post"}

    def test_without_a_publication_none_is_invalid(self, log):
        log.rule("invalid_post", "a")
        assert log.inputs().infractions == {}

    def test_late_is_the_only_infraction_of_who_is_late(self, log):
        log.file("a", "head")
        log.rule("invalid_post", "a")
        log.add("infraction", "a", public={"infraction": "late"})
        assert log.inputs().infractions == {"a": "late"}


class TestRulings:
    def test_adjustments_stand_in_order(self, log):
        log.rule("adjustment", "a", gauge="link", points=-1)
        log.rule("adjustment", "b", gauge="alchemy", points=2)
        assert log.inputs().adjustments == (Adjustment("a", "link", -1), Adjustment("b", "alchemy", 2))

    def test_a_ruling_taken_back_counts_no_more(self, log):
        log.file("a", "head")
        first = log.rule("invalid_post", "a")
        log.rule("invalid_post", "a", withdraws=first.index)
        assert log.inputs().infractions == {}

    def test_taking_back_what_took_back_restores(self, log):
        first = log.rule("adjustment", "a", gauge="link", points=1)
        second = log.rule("adjustment", "a", withdraws=first.index)
        log.rule("adjustment", "a", withdraws=second.index)
        assert log.inputs().adjustments == (Adjustment("a", "link", 1),)

    def test_a_ground_gives_the_fault_that_the_ruleset_calls_by_its_name(self, log):
        log.file("b", "head")
        log.rule("invalid_post", "b", ground="edited", fault="edited")
        assert log.inputs().infractions == {"b": "edited"}

    def test_a_die_rolled_elsewhere_is_an_input_until_it_is_taken_back(self, log):
        first = log.rule("die", None, label="wind", face=3)
        log.rule("die", None, label="shift", face=1)
        assert log.inputs().dice == {"wind": 3, "shift": 1}
        log.rule("die", None, withdraws=first.index)
        assert log.inputs().dice == {"shift": 1}

    def test_words_alone_change_nothing(self, log):
        log.file("a", "head")
        before = log.inputs()
        log.rule("note", None)
        assert log.inputs() == before

    def test_as_computed_no_ruling_counts(self, log):
        log.file("a", "head")
        log.rule("invalid_post", "a")
        log.rule("adjustment", "a", gauge="link", points=1)
        log.rule("die", None, label="wind", face=3)
        status = Status("turn", 1, 48, ("a", "b"), (), False, None)
        given = record.inputs(log.entries, 0, 1, status, as_amended=False)
        assert (given.infractions, given.adjustments, given.dice) == ({}, (), {})

    @pytest.mark.parametrize(
        "public",
        [
            {},
            {"ruling": "exile", "seat": "a", "reason": "x"},
            {"ruling": "adjustment", "seat": "a", "reason": "x"},
            {"ruling": "adjustment", "gauge": "link", "points": 1, "reason": "x"},
            {"ruling": "die", "label": "wind", "reason": "x"},
        ],
    )
    def test_a_ruling_without_its_parts_is_refused(self, log, public):
        log.add("ruling", public=public)
        with pytest.raises(RulesError):
            log.inputs()


class TestChoices:
    def test_a_zone_named_is_an_input(self, log):
        log.add("choice", "a", public={"zone": "head"})
        assert log.inputs(owing=("a",)).choices == {"a": "head"}

    def test_nothing_named_is_forfeited(self, log):
        assert log.inputs(owing=("b",)).choices == {"b": None}

    def test_a_choice_without_zone_is_refused(self, log):
        log.add("choice", "a")
        with pytest.raises(RulesError, match="names no zone"):
            log.inputs()


class TestEndings:
    def test_who_is_absent_at_a_wall_is_an_input(self, log):
        log.add("wall", None, public={"absent": ["a", "b"]})
        assert (log.inputs().wall, log.inputs().absent) == (True, ("a", "b"))

    def test_a_wall_that_names_nobody_has_nobody_absent(self, log):
        log.add("wall", None)
        assert (log.inputs().wall, log.inputs().absent) == (True, ())

    def test_a_surrender_is_an_input(self, log):
        log.add("surrender", "b")
        assert log.inputs().surrender == "b"

    @pytest.mark.parametrize(
        ("said", "agreed"),
        [
            ("offer a, offer b", True),
            ("offer a", False),
            ("offer a, offer a", False),
            ("offer a, refused b, offer b", False),
            ("offer a, refused b, offer b, offer a", True),
        ],
    )
    def test_a_draw_needs_both_offers_with_no_refusal_between(self, log, said, agreed):
        for word, seat in (words.split() for words in said.split(", ")):
            log.add("draw_offer" if word == "offer" else "draw_refused", seat)
        assert log.inputs().agreed_draw is agreed

    def test_who_surrenders_has_lost_although_the_other_had_offered_a_draw(self, log):
        log.add("draw_offer", "a")
        log.add("surrender", "b")
        assert (log.inputs().surrender, log.inputs().agreed_draw) == ("b", False)

    def test_who_surrenders_must_be_said(self, log):
        log.add("surrender")
        with pytest.raises(RulesError, match="no seat"):
            log.inputs()


class TestPrepared:
    SETUP = {"arena": "four_winds", "duellists": {"a": {"age": 16, "year": 6}, "b": {"age": 25, "year": "adult"}}}

    def hide(self, log, seat, zone, late=False, version=1):
        log.add("receptacle", seat, phase=0, version=version, content={"zone": zone}, public={"late": late})

    def test_the_last_version_and_its_lateness_count(self, log):
        self.hide(log, "a", "torso")
        self.hide(log, "b", "head")
        self.hide(log, "a", "left_leg", late=True, version=2)
        setup = record.prepared(self.SETUP, log.entries)
        assert setup["duellists"] == {
            "a": {"age": 16, "year": 6, "receptacle": "left_leg", "late_preparation": True},
            "b": {"age": 25, "year": "adult", "receptacle": "head", "late_preparation": False},
        }
        assert record.late_seats(setup) == ["a"]

    def test_nothing_hidden_is_late(self, log):
        self.hide(log, "a", "torso")
        setup = record.prepared(self.SETUP, log.entries)
        assert setup["duellists"]["b"]["receptacle"] is None
        assert record.late_seats(setup) == ["b"]

    @pytest.mark.parametrize("setup", [{}, {"duellists": []}, {"duellists": {"a": 3}}])
    def test_a_setup_without_duellists_is_refused(self, log, setup):
        with pytest.raises(RulesError, match="no duellists"):
            record.prepared(setup, log.entries)


class TestExport:
    def test_an_export_survives_its_json(self, log):
        log.file("a", "head")
        log.add("surrender", "b")
        export = record.Export(1, DUEL, "arena", 1, "ab" * 32, tuple(log.entries), (record.Text(0, "a", "Été"),))
        assert record.decode(record.encode(export)) == export

    @pytest.mark.parametrize(
        "raw",
        [b"", b"{", b"[]", b"\xff", b'{"format":2}', b"[" * 100_000, b'{"format":1,"duel":"x"}', b'"\\ud800"'],
    )
    def test_what_is_no_export_is_refused_in_one_line(self, raw):
        with pytest.raises(RulesError, match="not the export of a duel") as caught:
            record.decode(raw)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize("twice", ['"duel":"x","duel":', '"seat":"a","seat":', '"zone":"a","zone":'])
    def test_a_key_that_stands_twice_is_refused(self, log, twice):
        log.add("choice", "b", public={"zone": "head"})
        raw = record.encode(record.Export(1, DUEL, "arena", 1, "ab" * 32, tuple(log.entries)))
        key = twice.rpartition(",")[2].encode()
        forged = raw.replace(key, twice.encode(), 1)
        assert forged != raw
        with pytest.raises(RulesError, match="stands twice in one object"):
            record.decode(forged)

    def test_spaces_and_escapes_are_nothing_that_stands_twice(self, log):
        log.add("surrender", "b")
        export = record.Export(1, DUEL, "arena", 1, "ab" * 32, tuple(log.entries), (record.Text(0, "a", "Été"),))
        assert record.decode(json.dumps(json.loads(record.encode(export)), indent=1).encode()) == export

    def test_an_unknown_part_is_refused(self, log):
        log.add("surrender", "b")
        export = record.Export(1, DUEL, "arena", 1, "ab" * 32, tuple(log.entries))
        spelt = json.loads(record.encode(export))
        spelt["entries"][0]["aside"] = "not covered by the hash"
        with pytest.raises(RulesError, match="aside"):
            record.decode(json.dumps(spelt).encode())
