"""Duels of which published turns were corrected: their record verifies, and what a forger makes of that is found."""

from random import Random

import msgspec
import pytest

import rules
from rules import record
from rules.verify import verify
from tests.rules import play, recording
from tests.rules.forging import resealed

ARENA = rules.get("arena")
CALM = play.Temper(infraction=0.03, adjustment=0.1, surrender=0, draw=0, careful=1)


def recorded(number, *corrections, turns=4):
    """A duel of which some turns are played, then each of `corrections` is corrected, two turns played after each."""
    recorder = recording.Recorder(Random(number), ARENA, CALM)
    recorder.announce()
    recorder.start()
    assert all(recorder.turn() for _turn in range(turns))
    for turn in corrections:
        assert recorder.correct(turn, seat="a", gauge="link", points=1)
        assert recorder.turn()
        assert recorder.turn()
    while recorder.turn():
        pass
    return recorder.export()


def long_enough(*corrections):
    """The first duel that goes on long enough for these corrections."""
    for number in range(200):
        try:
            return recorded(number, *corrections)
        except AssertionError:
            continue
    raise LookupError(corrections)


@pytest.fixture(scope="module")
def export():
    return long_enough(2)


def the(export, kind, **wanted):
    return next(e for e in export.entries if e.kind == kind and all(getattr(e, k) == v for k, v in wanted.items()))


def checks(export, entries):
    return {failure.check for failure in verify(resealed(export, entries)).failures}


@pytest.mark.parametrize("corrections", [(1,), (4,), (3, 2), (2, 2), (1, 2), (4, 5, 1)], ids=str)
def test_a_corrected_duel_verifies(corrections):
    made = long_enough(*corrections)
    report = verify(made)
    assert report.failures == ()
    assert {entry.branch for entry in made.entries} >= {0, len(corrections)}
    assert report.turns == max(entry.phase for entry in made.entries if entry.kind == "publication")


def test_what_is_played_again_has_dice_of_its_own(export):
    dice = verify(export).dice
    assert {die.branch for die in dice if die.phase == 3} == {0, 1}
    assert {die.branch for die in dice if die.phase == 2} <= {0}


def test_a_turn_cannot_be_published_twice_without_a_correction(export):
    entries = [entry for entry in export.entries if entry.kind != "correction"]
    assert "order" in checks(export, entries)


def test_nothing_is_ruled_on_a_published_turn_that_was_not_taken_up_again(export):
    published = the(export, "publication", phase=1)
    ruling = record.following(
        export.duel, None, kind="ruling", at=published.at, phase=1,
        public={"ruling": "adjustment", "seat": "a", "gauge": "link", "points": 1, "reason": "as a favour"},
    )  # fmt: skip
    entries = list(export.entries)
    entries.insert(published.index + 1, ruling)
    assert "order" in checks(export, entries)


def test_what_was_superseded_is_closed(export):
    place = the(export, "opening", branch=1).index
    late = the(export, "filing", branch=0, phase=4)
    entries = list(export.entries)
    entries.insert(place + 1, msgspec.structs.replace(late, version=late.version + 5))
    assert "order" in checks(export, entries)


@pytest.mark.parametrize("branch", [0, 2])
def test_the_branches_are_counted(export, branch):
    entry = the(export, "correction")
    entries = list(export.entries)
    entries[entry.index] = msgspec.structs.replace(entry, public={**entry.public, "branch": branch})
    assert "order" in checks(export, entries)


def test_a_branch_says_what_it_is(export):
    entry = the(export, "correction")
    entries = list(export.entries)
    entries[entry.index] = msgspec.structs.replace(entry, public={"reason": "none"})
    assert "order" in checks(export, entries)


def test_nobody_corrects_a_turn_that_was_not_published(export):
    correction = the(export, "correction")
    entries = [entry for entry in export.entries if entry is not correction]
    entries.insert(the(export, "opening", phase=2).index + 1, correction)
    assert "order" in checks(export, entries)


def test_the_result_of_a_correction_is_computed_like_any_other(export):
    ruling = the(export, "ruling", index=the(export, "correction").index + 1)
    entries = list(export.entries)
    entries[ruling.index] = msgspec.structs.replace(ruling, public={**ruling.public, "points": 2})
    assert "events" in checks(export, entries)


@pytest.mark.parametrize("kind", ["annotation", "time_out"])
def test_after_the_verdict_there_are_but_annotations(export, kind):
    last = export.entries[-1]
    said = {"annotation": "note", "words": "…", "official": 1} if kind == "annotation" else {"hours": 24}
    public = {**said, "reason": "…"}
    added = record.following(export.duel, last, kind=kind, at=last.at, phase=last.phase, branch=1, public=public)
    found = checks(export, [*export.entries, added])
    assert ("order" in found) is (kind != "annotation")
    assert (found == set()) is (kind == "annotation")
    if kind == "annotation":
        assert "order" in checks(export, [*export.entries[:-1], added, last])


@pytest.mark.parametrize("kind", ["appeal", "appeal_answer"])
def test_only_a_published_turn_is_contested(export, kind):
    published = the(export, "publication", phase=1)
    public = {"due_at": published.at, "until": published.at}
    if kind == "appeal_answer":
        public = {"due_at": None, "answer": "upheld", "official": 2}
    appeal = record.following(
        export.duel, None, kind=kind, at=published.at, phase=1, seat="a", public=public, content={"reason": "…"},
        nonce=b"n" * 32,
    )  # fmt: skip
    entries = list(export.entries)
    entries.insert(published.index, appeal)
    assert "order" in checks(export, entries)
