"""Checking an export: an honest one holds, and each way of cheating is found where it was done."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules import record, seal
from rules.verify import main, verify, verify_json
from tests.rules import forging, play, recording

ARENA = rules.get("arena")
CAREFUL = play.Temper(infraction=0.03, adjustment=0.1, surrender=0, draw=0, careful=1)


def honest(number=7, temper=CAREFUL, **fixed):
    return recording.export(number, ARENA, temper, **fixed)


@pytest.fixture(scope="module")
def export():
    """A duel of some length, in which decoys, rulings and adjustments were met."""
    return next(made for made in map(honest, range(200)) if turns_of(made) >= 8 and kinds_of(made) >= WANTED)


@pytest.fixture(scope="module")
def amended():
    """A duel in which a die rolled elsewhere counted instead of the duel's own, and changed a turn."""
    return next(made for made in map(honest, range(200)) if replaced(made))


def replaced(export):
    """The dice that one rolled elsewhere has replaced, with another face."""
    return [die for die in verify(export).dice if die.elsewhere not in (None, die.face)]


WANTED = {"choice", "ruling", "filing", "publication", "verdict", "receptacle"}


def kinds_of(export):
    return {entry.kind for entry in export.entries}


def turns_of(export):
    """How many turns were resolved: not the one that a surrender or an agreed draw stopped."""
    last = max(entry.phase for entry in export.entries)
    in_last = [entry for entry in export.entries if entry.phase == last]
    offers = {entry.seat for entry in in_last if entry.kind == "draw_offer"}
    [verdict] = [entry.public for entry in in_last if entry.kind == "verdict"]
    stopped = verdict["by"] == "surrender" or (verdict["by"] == "draw" and len(offers) == 2)
    return sum(entry.kind == "publication" and not (stopped and entry.phase == last) for entry in export.entries)


def changed(export, index, **parts):
    """The export with one entry altered, its hashes left as they were."""
    entries = list(export.entries)
    entries[index] = msgspec.structs.replace(entries[index], **parts)
    return msgspec.structs.replace(export, entries=tuple(entries))


def resealed(export):
    """The export with every receipt and hash made anew, as a forger who holds the database would."""
    entries, previous = [], seal.FIRST_PREVIOUS
    for index, entry in enumerate(export.entries):
        entry = msgspec.structs.replace(entry, index=index, previous=previous)
        if entry.nonce is not None:
            entry = msgspec.structs.replace(entry, receipt=entry.expected_receipt(export.duel))
        entry = msgspec.structs.replace(entry, hash=entry.expected_hash(export.duel))
        entries.append(entry)
        previous = entry.hash
    return msgspec.structs.replace(export, entries=tuple(entries))


def with_removal(export, text, **lie):
    """The export with a last entry by which staff take a text away."""
    digest = export.entries[text.entry].public["text_sha256"]
    public = {"entry": text.entry, "part": text.part, "sha256": digest, "official": 2, **lie}
    last = export.entries[-1]
    entry = record.following(
        export.duel, last, kind="removal", at=last.at, phase=last.phase, branch=last.branch, public=public
    )
    return msgspec.structs.replace(export, entries=(*export.entries, entry))


def first(export, kind, **wanted):
    return next(e for e in export.entries if e.kind == kind and all(getattr(e, k) == v for k, v in wanted.items()))


def copy(value):
    return json.loads(json.dumps(value))


def found(report):
    return {(failure.check, failure.entry) for failure in report.failures}


class TestHonest:
    @pytest.mark.parametrize("number", range(12))
    def test_a_duel_holds(self, number):
        export = honest(number, play.LIVELY)
        report = verify(export)
        assert report.failures == ()
        assert report.turns == turns_of(export)
        assert report.ok

    def test_everything_was_checked(self, export):
        checked = verify(export).checked
        sealed = sum(entry.nonce is not None for entry in export.entries)
        assert checked["chain"] == len(export.entries)
        assert checked["receipt"] == sealed
        assert checked["text"] == len(export.texts) > 0
        assert checked["state"] == checked["events"] + 1 == turns_of(export) + 1
        assert checked["public view"] == checked["public events"] == turns_of(export)
        assert checked["dice"] > 0
        assert checked["verdict"] == checked["commitment"] == checked["setup"] == checked["start"] == 1

    def test_an_early_start_makes_nobody_late(self):
        recorder = recording.Recorder(play.Random(3), ARENA, CAREFUL)
        recorder.announce()
        recorder.entries, recorder.now = recorder.entries[:1], recording.BEGAN
        recorder.hide("a")
        recorder.hide("b")
        recorder.start(early=True)
        while recorder.turn():
            pass
        assert verify(recorder.export()).failures == ()
        recorder.entries = [entry for entry in recorder.entries if (entry.kind, entry.seat) != ("receptacle", "b")]
        forged = resealed(recorder.export())
        assert ("start", first(forged, "start").index) in found(verify(forged))

    def test_a_second_text_for_a_publication_is_found(self, export):
        true = export.texts[0]
        forged = msgspec.structs.replace(true, text="Je n’ai jamais écrit cela.")
        report = verify(msgspec.structs.replace(export, texts=(forged, *export.texts)))
        assert [failure.check for failure in report.failures] == ["text"]
        assert f"two texts are given for entry {true.entry}" in report.failures[0].why

    def test_a_hidden_text_is_reported_and_is_no_failure(self, export):
        hidden = msgspec.structs.replace(export.texts[0], text=None)
        told = msgspec.structs.replace(export, texts=(hidden, *export.texts[1:]))
        assert found(verify(told)) == {("text", hidden.entry)}
        report = verify(with_removal(told, hidden))
        assert report.ok
        assert tuple(map(str, report.notices)) == (f"the text of entry {hidden.entry}, taken away by staff",)

    @pytest.mark.parametrize("lie", [{"sha256": "0" * 64}, {"part": "closing"}, {"entry": 0}])
    def test_a_removal_that_names_no_text_takes_none_away(self, export, lie):
        hidden = msgspec.structs.replace(export.texts[0], text=None)
        told = msgspec.structs.replace(export, texts=(hidden, *export.texts[1:]))
        assert ("removal", len(export.entries)) in found(verify(with_removal(told, hidden, **lie)))

    def test_texts_in_another_order_are_found(self, export):
        one, other, *rest = export.texts
        assert found(verify(msgspec.structs.replace(export, texts=(other, one, *rest)))) == {("text", None)}


class TestAmended:
    def test_a_die_rolled_elsewhere_stands_beside_the_one_that_it_replaces(self, amended):
        report = verify(amended)
        assert report.ok
        assert {die.elsewhere for die in replaced(amended)} == {1}
        assert report.checked["computed"] >= 1

    def test_a_forged_first_computation_is_found(self, amended):
        entry = next(e for e in amended.entries if e.kind == "publication" and "computed" in e.content)
        forged = resealed(changed(amended, entry.index, content={**entry.content, "computed": []}))
        assert found(verify(forged)) == {("computed", entry.index)}

    @pytest.mark.parametrize("lie", [{"drawn": 1}, {"faces": 20}])
    def test_a_lie_about_the_die_that_was_replaced_is_found(self, amended, lie):
        die = replaced(amended)[0]
        entry = next(e for e in amended.entries if (e.phase, e.public.get("label")) == (die.phase, die.label))
        forged = resealed(changed(amended, entry.index, public={**entry.public, **lie}))
        assert found(verify(forged)) == {("die", entry.index)}

    def test_a_die_rolled_elsewhere_that_is_forged_gives_another_duel(self, amended):
        die = replaced(amended)[0]
        entry = next(e for e in amended.entries if (e.phase, e.public.get("label")) == (die.phase, die.label))
        forged = resealed(changed(amended, entry.index, public={**entry.public, "face": 7}))
        assert "replay" in {check for check, _entry in found(verify(forged))}


class TestClumsyForger:
    def test_a_filing_changed_is_not_what_was_sealed(self, export):
        entry = first(export, "filing")
        report = verify(changed(export, entry.index, content={**entry.content, "thrust": "left_leg", "parry": "head"}))
        assert ("receipt", entry.index) in found(report)

    @pytest.mark.parametrize(
        "parts", [{"seat": "b"}, {"at": "2025-01-01T00:00:00Z"}, {"public": {"winner": "a", "by": "draw"}}]
    )
    def test_an_entry_changed_breaks_the_chain(self, export, parts):
        entry = first(export, "verdict")
        assert ("chain", entry.index) in found(verify(changed(export, entry.index, **parts)))

    def test_an_entry_taken_out_breaks_the_chain(self, export):
        entry = first(export, "ruling")
        entries = [other for other in export.entries if other is not entry]
        report = verify(msgspec.structs.replace(export, entries=tuple(entries)))
        assert ("chain", entry.index + 1) in found(report)

    def test_a_text_changed_is_not_the_one_published(self, export):
        text = msgspec.structs.replace(export.texts[0], text=export.texts[0].text + "!")
        report = verify(msgspec.structs.replace(export, texts=(text, *export.texts[1:])))
        assert found(report) == {("text", text.entry)}

    def test_a_text_left_out_is_missed(self, export):
        report = verify(msgspec.structs.replace(export, texts=export.texts[1:]))
        assert found(report) == {("text", export.texts[0].entry)}

    def test_a_text_of_nowhere_is_refused(self, export):
        stray = record.Text(0, "a", "Je n’ai rien publié ici.")
        assert found(verify(msgspec.structs.replace(export, texts=(*export.texts, stray)))) == {("text", None)}

    def test_another_seed_is_not_the_one_committed_to(self, export):
        report = verify(msgspec.structs.replace(export, seed="00" * 32))
        assert ("commitment", 0) in found(report)

    def test_a_seal_never_opened_is_a_failure(self, export):
        entry = first(export, "filing")
        report = verify(changed(export, entry.index, nonce=None))
        assert ("receipt", entry.index) in found(report)


class TestForgerOfEverything:
    """Receipts and chain are made anew, so that only playing the duel again can tell."""

    def forged(self, export, index, **parts):
        return verify(resealed(changed(export, index, **parts)))

    @pytest.mark.parametrize("part", ["state", "events"])
    def test_what_the_rules_did_not_give(self, export, part):
        entry = first(export, "publication", phase=3)
        content = copy(entry.content)
        if part == "state":
            content["state"]["a"]["link"] += 1
        else:
            content["events"] = content["events"][1:]
        assert found(self.forged(export, entry.index, content=content)) == {(part, entry.index)}

    def test_the_first_difference_is_named(self, export):
        entry = first(export, "publication", phase=3)
        content = copy(entry.content)
        content["state"]["b"]["alchemy"] = 77
        (failure,) = self.forged(export, entry.index, content=content).failures
        assert "b.alchemy is recorded as 77, the rules give" in failure.why
        assert str(failure).startswith(f"entry {entry.index}, turn 3: state: ")

    def test_a_secret_published(self, export):
        entry = first(export, "publication", phase=2)
        public = {**entry.public, "events": entry.content["events"], "view": {**entry.public["view"], "secret": 1}}
        assert ("public view", entry.index) in found(self.forged(export, entry.index, public=public))

    def test_an_event_kept_from_the_public(self, export):
        entry = first(export, "publication", phase=2)
        public = {**entry.public, "events": entry.public["events"][:-1]}
        assert found(self.forged(export, entry.index, public=public)) == {("public events", entry.index)}

    def test_a_declaration_changed_after_the_dice(self, export):
        entry = first(export, "filing")
        content = {**entry.content, "thrust": "head" if entry.content["thrust"] != "head" else "torso"}
        report = self.forged(export, entry.index, content=content)
        assert ("state", first(export, "publication", phase=entry.phase).index) in found(report)

    def test_a_filing_after_the_publication(self, export):
        published = first(export, "publication", phase=1)
        entry = first(export, "filing", phase=2)
        late = msgspec.structs.replace(entry, phase=1, version=9)
        entries = list(export.entries)
        entries.insert(published.index + 1, late)
        report = verify(resealed(msgspec.structs.replace(export, entries=tuple(entries))))
        assert {("order", published.index + 1), ("version", published.index + 1)} <= found(report)

    @pytest.mark.parametrize(
        ("kind", "asked"),
        [
            ("time_out", {"hours": 24, "reason": "exams"}),
            ("time_out_answer", {"answer": "refused", "reason": "no", "official": 1}),
        ],
    )
    def test_a_time_out_belongs_before_the_publication_of_its_turn(self, export, kind, asked):
        published = first(export, "publication")
        due = {} if kind == "time_out" else {"due_at": first(export, "opening").public["due_at"]}
        entry = record.following(
            export.duel, None, kind=kind, at=published.at, phase=published.phase, seat="a", public=asked | due
        )
        entries = list(export.entries)
        entries.insert(published.index + 1, entry)
        report = verify(forging.resealed(export, entries))
        assert ("order", published.index + 1) in found(report)
        assert {"parts", "chain", "receipt"}.isdisjoint({failure.check for failure in report.failures})

    @pytest.mark.parametrize("said", [{}, {"reason": "exams", "text_sha256": "0" * 64}])
    def test_a_time_out_has_one_reason(self, export, said):
        opened = first(export, "opening")
        entry = record.following(
            export.duel, None, kind="time_out", at=opened.at, phase=1, seat="a", public={"hours": 24} | said
        )
        entries = list(export.entries)
        entries.insert(opened.index + 1, entry)
        assert ("parts", opened.index + 1) in found(verify(forging.resealed(export, entries)))

    def test_a_wall_after_the_publication_of_its_turn(self, export):
        published = first(export, "publication", phase=1)
        wall = record.following(export.duel, None, kind="wall", at=published.at, phase=1)
        entries = list(export.entries)
        entries.insert(published.index + 1, wall)
        report = verify(resealed(msgspec.structs.replace(export, entries=tuple(entries))))
        assert ("order", published.index + 1) in found(report)

    def test_a_wall_that_was_added_decides_otherwise_than_was_published(self, export):
        published = first(export, "publication", phase=1)
        wall = record.following(export.duel, None, kind="wall", at=published.at, phase=1)
        entries = list(export.entries)
        entries.insert(published.index, wall)
        report = verify(resealed(msgspec.structs.replace(export, entries=tuple(entries))))
        assert not report.ok
        assert {failure.check for failure in report.failures} & {"state", "replay"}

    def test_an_arena_that_was_not_drawn(self, export):
        entry = export.entries[0]
        setup = {**entry.public["setup"], "arena": "nowhere"}
        report = self.forged(export, 0, public={**entry.public, "setup": setup})
        assert ("setup", 0) in found(report)

    def test_a_receptacle_moved_afterwards(self, export):
        *_, entry = (entry for entry in export.entries if entry.kind == "receptacle")
        zone = "head" if entry.content["zone"] != "head" else "torso"
        report = self.forged(export, entry.index, content={"zone": zone})
        assert ("state", first(export, "start").index) in found(report)

    @pytest.mark.parametrize("public", [{"late": ["a", "b", "c"]}, {"void_zone": "nowhere"}, {"extra": 1}])
    def test_a_start_that_the_seed_does_not_give(self, export, public):
        entry = first(export, "start")
        assert ("start", entry.index) in found(self.forged(export, entry.index, public={**entry.public, **public}))

    def test_a_discovery_that_was_not_rolled(self, export):
        entry = first(export, "opening", phase=2)
        report = self.forged(export, entry.index, public={**entry.public, "turn": 2, "discovered": True})
        assert found(report) == {("opening", entry.index)}

    def test_a_verdict_that_is_not_the_rules(self, export):
        entry = first(export, "verdict")
        winner = "b" if entry.public["winner"] == "a" else "a"
        report = self.forged(export, entry.index, public={**entry.public, "winner": winner})
        assert found(report) == {("verdict", entry.index)}

    def test_a_revision_that_goes_back(self, export):
        entry = first(export, "publication", phase=1)
        assert found(self.forged(export, entry.index, public={**entry.public, "revision": 0})) == {
            ("revision", entry.index)
        }

    def test_a_duel_without_end(self, export):
        unfinished = msgspec.structs.replace(export, entries=export.entries[:-1])
        assert found(verify(unfinished)) == {("replay", None)}

    def test_an_announcement_struck_out(self, export):
        headless = resealed(msgspec.structs.replace(export, entries=export.entries[1:]))
        assert ("replay", first(headless, "start").index) in found(verify(headless))

    def test_something_sealed_where_nothing_is(self, export):
        entry = first(export, "opening")
        report = self.forged(export, entry.index, content={"x": 1}, nonce="00" * 32)
        assert ("receipt", entry.index) in found(report)


class TestBadInput:
    @pytest.mark.parametrize("raw", [b"", b"null", b"{}", b"\xff\xfe", b"[" * 50_000, b'{"format":1}'])
    def test_what_is_no_export_is_a_failure(self, raw):
        report = verify_json(raw)
        assert [failure.check for failure in report.failures] == ["export"]

    @pytest.mark.parametrize(("ruleset", "version"), [("chess", 1), ("arena", 99), ("arena", -1), ("", 0)])
    def test_rules_that_are_not_kept_are_a_failure(self, export, ruleset, version):
        other = msgspec.structs.replace(export, ruleset=ruleset, version=version)
        assert ("ruleset", None) in found(verify(other))

    @given(st.data())
    def test_any_leaf_changed_is_found_and_nothing_breaks(self, data):
        spelt = json.loads(record.encode(honest(11)))
        place, key = data.draw(st.sampled_from(list(leaves(spelt))), label="leaf")
        value = data.draw(JUNK.filter(lambda junk: junk != place[key] or type(junk) is not type(place[key])))
        hidden = key == "text" and value is None
        place[key] = value
        report = verify_json(json.dumps(spelt).encode())
        assert report.ok is hidden

    @given(st.data())
    def test_a_forger_with_junk_breaks_nothing(self, data):
        export = honest(11)
        entry = data.draw(st.sampled_from(export.entries))
        spelt = {"public": copy(entry.public), "content": copy(entry.content)}
        place, key = data.draw(st.sampled_from(list(leaves(spelt)) or [(spelt, "public")]))
        place[key] = data.draw(JUNK)
        public = spelt["public"] if isinstance(spelt["public"], dict) else {}
        forged = changed(export, entry.index, public=public, content=spelt["content"])
        assert verify(resealed(forged)).turns >= 0


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 2**70), st.text(max_size=5), st.just([]), st.just({}), st.just([[None]])
)


def leaves(value):
    """Every (container, key) whose value is neither a list nor an object, or is an empty one."""
    for key, held in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(held, (dict, list)) and held:
            yield from leaves(held)
        else:
            yield value, key


class TestCommand:
    def test_an_honest_export_is_verified(self, export, tmp_path, capsys):
        path = tmp_path / "duel.json"
        path.write_bytes(record.encode(export))
        assert main(str(path)) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[-1] == f"verified: {turns_of(export)} turns"
        assert f"checked: chain ({len(export.entries)})" in lines

    def test_failures_are_listed(self, export, tmp_path, capsys):
        path = tmp_path / "duel.json"
        path.write_bytes(record.encode(msgspec.structs.replace(export, texts=export.texts[1:])))
        assert main(str(path)) == 1
        lines = capsys.readouterr().out.splitlines()
        assert lines[-2].startswith(f"FAILED: entry {export.texts[0].entry}, turn 1: text: ")
        assert lines[-1] == "not verified: 1 failed"

    @pytest.mark.parametrize("raw", [b"not JSON", b"[]"])
    def test_a_malformed_file_gives_one_clear_line(self, raw, tmp_path, capsys):
        path = tmp_path / "duel.json"
        path.write_bytes(raw)
        assert main(str(path)) == 1
        assert capsys.readouterr().out.splitlines()[0].startswith("FAILED: export: not the export of a duel")

    def test_a_file_that_is_not_there_is_named(self, tmp_path, capsys):
        assert main(str(tmp_path / "none.json")) == 1
        assert "none.json: No such file" in capsys.readouterr().out
