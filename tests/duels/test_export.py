"""The export of a duel that is over: it verifies, by the same means that anybody has."""

import subprocess
import sys

import msgspec
import pytest

from duels import clock, export
from duels.actions.ending import surrender
from duels.actions.publications import keep_words
from duels.actions.removal import remove_post
from duels.actions.time_outs import answer_time_out, ask_time_out
from duels.actions.turns import publish_turn
from duels.errors import NotAllowed
from duels.models import Duel, Post
from rules import record
from rules.verify import verify, verify_json
from tests import play
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db


def test_the_export_of_a_finished_duel_verifies():
    report = verify(export.of(play.over()))
    assert report.failures == ()
    assert report.checked["text"] == 2
    assert report.checked["dice"] > 0


def test_a_duel_without_a_referee_verifies_too():
    assert verify(export.of(play.over(refereed=False))).failures == ()


def test_a_duel_with_time_outs_verifies_too():
    duel = play.running()
    for letter, granted in (("a", True), ("b", False)):
        user = play.player(duel, letter)
        asked = ask_time_out(user=user, duel_id=duel.pk, hours=5, reason="Des examens.", received_at=clock.now())
        answer_time_out(user=duel.referee, time_out_id=asked.pk, granted=granted, reason="Bon courage.")
    play.play_turn(duel, b={"thrust": "torso", "parry": "right_arm"})
    surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    exported = export.of(play.fresh(duel))
    assert [entry.kind for entry in exported.entries if "time_out" in entry.kind] == ["time_out", "time_out_answer"] * 2
    assert verify(exported).failures == ()


def test_it_verifies_as_a_file_by_the_command_that_its_page_names(tmp_path):
    path = tmp_path / "duel-1.json"
    path.write_bytes(record.encode(export.of(play.over())))
    command = [sys.executable, "-m", "rules", "verify", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1].startswith("verified: ")


def test_a_changed_word_shows():
    raw = record.encode(export.of(play.over()))
    changed = raw.replace("s'éveillent".encode(), b"s'endorment", 1)
    assert changed != raw
    assert [failure.check for failure in verify_json(changed).failures] == ["text"]


def test_a_text_removed_by_staff_is_reported_and_no_failure():
    duel = play.running()
    play.play_turn(duel, b={"thrust": "torso", "parry": "right_arm"})
    surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    remove_post(user=StaffFactory(), post_id=Post.objects.filter(kind="rp").first().pk, reason="Un nom véritable.")
    exported = export.of(play.fresh(duel))
    assert exported.entries[-1].public == {
        "entry": exported.texts[0].entry, "part": "post", "official": 2,
        "sha256": exported.entries[exported.texts[0].entry].public["text_sha256"],
    }  # fmt: skip
    report = verify(exported)
    assert report.failures == ()
    assert len(report.notices) == 1
    assert "pantins s'éveillent" not in (exported.texts[0].text or "")


def test_what_the_referee_wrote_around_a_result_is_exported_and_checked():
    duel = play.locked()
    words = {"preamble": "Le bois parle.", "closing": "On se tait."}
    keep_words(user=duel.referee, duel_id=duel.pk, turn=1, **words)
    publish_turn(user=duel.referee, duel_id=duel.pk, turn=1, revision=duel.phase.resolution.revision)
    surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    exported = export.of(play.fresh(duel))
    assert {text.part: text.text for text in exported.texts if text.part != "post"} == words
    report = verify(exported)
    assert report.failures == ()
    assert report.checked["text"] == 4
    without = [text for text in exported.texts if text.part != "closing"]
    assert [one.check for one in verify(msgspec.structs.replace(exported, texts=tuple(without))).failures] == ["text"]


@pytest.mark.parametrize("stage", [play.agreed, play.announced, play.running, play.locked])
def test_a_duel_that_is_not_over_keeps_its_secrets(stage):
    with pytest.raises(NotAllowed):
        export.of(Duel.objects.get(pk=stage().pk))


def test_the_proof_opens_what_was_sealed_and_names_every_die():
    proof = export.prove(export.of(play.over(receptacles=("left_leg", "torso"))))
    opened = list(proof.opened.values())
    assert [opening.zone for opening in opened if opening.zone] == ["left_leg", "torso"]
    assert opened[-1].declaration["thrust"] == "torso"
    dice = [die for turn in proof.turns for die in turn.dice]
    assert {die.label for die in dice} >= {"arena", "technique_limit"}
    assert all(1 <= die.face <= die.faces for die in dice)
    assert len(set(dice)) == len(dice)


def test_every_turn_lists_each_of_its_entries_with_what_was_checked_of_it():
    exported = export.of(play.over())
    turns = export.prove(exported).turns
    assert [turn.number for turn in turns] == sorted({entry.phase for entry in exported.entries})
    assert [step.entry for turn in turns for step in turn.steps] == sorted(exported.entries, key=lambda one: one.phase)
    made = {step.entry.kind: set(step.made) for turn in turns for step in turn.steps}
    assert made["filing"] >= {"chain", "parts", "receipt", "version", "text"}
    assert made["publication"] >= {"state", "events", "public view", "public events"}
    assert not any(turn.failures for turn in turns)
