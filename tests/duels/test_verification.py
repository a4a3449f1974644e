"""The page that checks the record of a duel, sent as a file: whether it holds, where it does not, and what is none."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone, translation

from duels import clock, export
from duels.actions.ending import surrender
from duels.checks import by_turn
from duels.forms import verification as form
from duels.models import Duel
from duels.sentences.dice import die_name
from duels.sentences.parts import PARTS, part_name, value_name
from duels.sentences.proof import CHECKS, ENTRIES, WHY, reason_sentence
from duels.views import verification
from rules import record
from rules.record import Text
from rules.verify import REASONS, verify
from tests import play, spells_play
from tests.duels.readers import as_user
from tests.rules.test_verify import honest, resealed

pytestmark = pytest.mark.django_db
ADDRESS = "/preuve/"
NOBODY = {seat: {"name": seat.upper()} for seat in "abcd"}


@pytest.fixture(autouse=True)
def nobody_else_checks():
    cache.clear()


def send(raw, **options):
    return in_english(as_user(**options)).post(
        ADDRESS, {"record": SimpleUploadedFile("duel.json", raw, content_type="application/json")}
    )


def in_english(client):
    client.cookies["django_language"] = "en"
    return client


def said(answer):
    return " ".join(answer.content.decode().split())


def forged(exported, kind, **parts):
    """The export with one entry of that kind altered, its hashes left as they were."""
    entries = list(exported.entries)
    place = next(place for place, entry in enumerate(entries) if entry.kind == kind)
    entries[place] = msgspec.structs.replace(entries[place], **parts)
    return place, msgspec.structs.replace(exported, entries=tuple(entries))


class TestAHeadThatWasKept:
    def shown(self, duel):
        """The heads that the thread shows, in its order."""
        thread = in_english(as_user()).get(duel.get_absolute_url()).content.decode()
        return re.findall(r"<summary>Head of the record.*?<br><code>([0-9a-f]{64})</code>", thread, re.DOTALL)

    def look_for(self, duel, head):
        file = SimpleUploadedFile("duel.json", record.encode(export.of(duel)), content_type="application/json")
        return in_english(as_user()).post(ADDRESS, {"record": file, "head": head})

    @pytest.mark.parametrize("play", [play, spells_play])
    def test_each_receipt_and_each_resolution_shows_the_head(self, play):
        duel = play.running()
        play.file(duel, "a")
        filed = duel.entries.get(kind="filing").hash
        assert self.shown(duel) == [filed]
        play.file(duel, "b")
        duel = play.publish(duel)
        assert self.shown(duel)[-1] == duel.entries.filter(kind="publication").last().hash
        assert self.shown(duel)[0] == filed

    def test_a_head_that_stands_is_found_at_its_entry(self):
        duel = play.running()
        play.file(duel, "a")
        (head,) = self.shown(duel)
        surrender(user=play.player(duel, "a"), duel_id=duel.pk, received_at=clock.now())
        place = duel.entries.get(hash=head).index
        answer = self.look_for(play.fresh(duel), head)
        assert f"Yes, at entry {place}: up to there" in said(answer)

    def test_a_head_of_elsewhere_is_not(self):
        answer = self.look_for(play.over(), "0" * 64)
        assert answer.status_code == 200
        assert "No entry of this record bears it" in said(answer)

    def test_a_record_that_does_not_hold_proves_nothing_of_a_head(self):
        exported = export.of(play.over())
        place, altered = forged(exported, "verdict", public={"winner": "b", "by": "surrender"})
        file = SimpleUploadedFile("duel.json", record.encode(altered), content_type="application/json")
        answer = in_english(as_user()).post(ADDRESS, {"record": file, "head": exported.entries[place].hash})
        assert f"Entry {place} says that it bears it; but this record does not hold." in said(answer)

    @pytest.mark.parametrize("typed", ["abc", "G" * 64, "0" * 65])
    def test_what_is_no_head_is_said_beside_the_field(self, typed):
        answer = self.look_for(play.over(), typed)
        assert answer.status_code == 422
        assert "A head has 64 signs" in said(answer)

    def test_none_is_asked_for(self):
        assert "Does the head" not in said(send(record.encode(export.of(play.over()))))


class TestARecordThatHolds:
    def test_the_record_of_a_duel_of_this_site_is_known_as_such(self):
        duel = play.over()
        answer = send(record.encode(export.of(duel)))
        assert answer.status_code == 200
        assert "This record holds" in said(answer)
        assert "the record that this site keeps of" in said(answer)
        assert reverse("duels:proof", args=[duel.pk]) in said(answer)

    def test_what_was_checked_is_counted(self):
        duel = play.over()
        exported = export.of(duel)
        told = said(send(record.encode(exported)))
        assert f"<td>entries of the record, chained</td><td>{len(exported.entries)}</td>" in told
        assert "<td>receipts opened</td><td>" in told
        assert "<td>dice rolled again</td><td>" in told

    def test_a_duel_of_elsewhere_holds_for_itself_alone(self):
        told = said(send(record.encode(honest())))
        assert "This record holds" in told
        assert "rulings of the referee" in told
        assert "true of the file alone" in told

    def test_a_duel_that_runs_here_is_not_told_from_one_of_elsewhere(self):
        """Its number could be guessed from nowhere, but a page must not say what nobody may know."""
        running = play.running()
        brought = msgspec.structs.replace(honest(), duel=str(running.uid))
        assert "true of the file alone" in said(send(record.encode(brought)))

    def test_nothing_is_kept(self):
        before = Duel.objects.count()
        send(record.encode(honest()))
        assert Duel.objects.count() == before
        assert "no-store" in send(record.encode(honest()))["Cache-Control"]

    def test_the_spell_duel_too(self):
        duel = spells_play.all_file(spells_play.running())
        surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
        assert "This record holds" in said(send(record.encode(export.of(play.fresh(duel)))))


class TestTurnByTurn:
    def test_every_receipt_hash_and_die_stands_there(self):
        exported = export.of(play.over())
        told = said(send(record.encode(exported)))
        for entry in exported.entries:
            assert entry.hash in told
            assert entry.receipt is None or told.count(entry.receipt) == 1
        for die in verify(exported).dice:
            assert die_name(die.label, NOBODY) in told
        assert "/regles/arene/#A12.1" in told

    def test_a_turn_that_fails_comes_first_and_is_open(self):
        _place, other = forged(export.of(play.over()), "filing", content={"thrust": "head", "parry": "head"})
        turns = said(send(record.encode(other))).split('<details class="checked-turn"')[1:]
        assert "<strong>Turn 1</strong>" in turns[0]
        assert "What was sealed is not what its receipt says.</p>" in turns[0]
        opened = [turn.startswith(" open>") for turn in turns]
        assert opened == sorted(opened, reverse=True)
        assert not all(opened)

    def test_nobody_is_named_where_this_site_knows_nobody(self):
        assert "· A <span" in said(send(record.encode(honest())))


def test_a_french_reader_is_told_why_in_french():
    why = {reason.code for made in TAMPERED for one in verify(made(honest())).failures if (reason := one.reason)}
    assert len(why) > 3
    with translation.override("fr"):
        for made in TAMPERED:
            for one in verify(made(honest())).failures:
                assert one.why not in reason_sentence(one.reason)
    assert WHY.keys() == REASONS.keys()
    assert set(get_args(record.Kind)) <= ENTRIES.keys()


class TestARecordThatDoesNotHold:
    def test_the_turn_and_the_reason_are_said(self):
        place, other = forged(export.of(play.over()), "filing", content={"thrust": "head", "parry": "head"})
        told = said(send(record.encode(other)))
        assert "This record does not hold" in told
        assert f"Turn 1, entry {place}: what was sealed is not what its receipt says." in told

    def test_a_whole_duel_made_up_in_the_place_of_one_of_this_site_is_found_out(self):
        duel = play.over()
        made_up = resealed(msgspec.structs.replace(honest(), duel=str(duel.uid)))
        told = said(send(record.encode(made_up)))
        assert "From entry 0 on, it is not the record that this site keeps" in told

    def test_a_text_changed_is_said_though_the_chain_is_ours(self):
        exported = export.of(play.over())
        texts = (Text(exported.texts[0].entry, exported.texts[0].seat, "Autre chose."), *exported.texts[1:])
        told = said(send(record.encode(msgspec.structs.replace(exported, texts=texts))))
        assert "a text is not as it was published. Its hash is not the one that its entry shows." in told
        assert "what it holds was changed" in told

    def test_the_entries_left_out_at_the_end_are_missed(self):
        exported = export.of(play.over())
        told = said(send(record.encode(msgspec.structs.replace(exported, entries=exported.entries[:-1]))))
        assert f"From entry {len(exported.entries) - 1} on" in told

    def test_in_french_too(self):
        client = as_user()
        _, other = forged(export.of(play.over()), "verdict", public={"winner": "b", "by": "surrender"})
        answer = client.post(ADDRESS, {"record": SimpleUploadedFile("duel.json", record.encode(other))})
        assert "Ce registre n’est pas intact" in said(answer)


def spell_duel():
    duel = spells_play.all_file(spells_play.running())
    surrender(user=play.player(duel, "b"), duel_id=duel.pk, received_at=clock.now())
    return export.of(play.fresh(duel))


def tallies(told):
    """The rows of the table of what was checked, by name."""
    rows = re.findall(r"<tr><td>([^<]+)</td>((?:<td>\d+</td>){4})</tr>", told)
    return {name: [int(number) for number in re.findall(r"\d+", cells)] for name, cells in rows}


class TestHowFarItWasChecked:
    def test_what_holds_before_the_first_failure_is_told_from_what_was_compared_after(self):
        exported = honest()
        place, other = forged(exported, "filing", content={"thrust": "head", "parry": "head"})
        told = said(send(record.encode(other)))
        assert f"What comes before entry {place}, in turn 1, holds as far as it was checked." in told
        before, after, failed, missed = tallies(told)["entries of the record, chained"]
        assert [before, after, failed, missed] == [place, len(exported.entries) - place, 0, 0]
        assert tallies(told)["receipts opened"][2] == 1

    def test_what_could_not_be_checked_is_counted_and_no_turn_of_it_is_said_to_hold(self):
        exported = honest()
        turns = sum(entry.kind == "publication" for entry in exported.entries)
        told = said(send(record.encode(msgspec.structs.replace(exported, ruleset="chess"))))
        assert tallies(told)["states worked out again"] == [0, 0, 0, turns + 1]
        assert "Could not be checked: </p>" not in told
        assert 'class="visually-hidden">holds:</span>' not in told
        assert told.count("not checked in full:") + told.count("does not hold:") == told.count("checked-turn")

    def test_what_is_wrong_with_the_whole_is_no_entry_s_fault(self):
        exported = export.of(play.over())
        text = exported.texts[0]
        twice = msgspec.structs.replace(exported, texts=(text, *exported.texts))
        told = said(send(record.encode(twice)))
        assert "What does not hold is in no entry of its own" in told
        assert tallies(told)["entries of the record, chained"] == [len(exported.entries), 0, 0, 0]

    def test_all_that_an_honest_record_calls_for_was_checked(self):
        for made in (honest(), export.of(play.over()), spell_duel()):
            assert not any(turn.missed for turn in by_turn(made, verify(made)))

    def test_no_text_of_a_record_of_the_first_format_is_said_to_have_been_removed(self):
        told = said(send(Path("tests/corpus/arena-1-004.json").read_bytes()))
        assert "A record of the first format holds neither deadlines nor who refereed." in told
        assert "removed by staff" not in told


class TestInTheWordsOfTheSite:
    def test_a_value_that_was_changed_is_said_as_readers_say_it(self):
        duel = play.over()
        exported = export.of(duel)
        [published, *_] = [entry for entry in exported.entries if entry.kind == "publication"]
        seats = published.public["view"]["seats"]
        view = {**published.public["view"], "seats": {**seats, "a": {**seats["a"], "link": 77}}}
        _place, other = forged(exported, "publication", public={**published.public, "view": view})
        told = said(send(record.encode(other)))
        name, link = duel.cast["a"]["name"], seats["a"]["link"]
        assert f"{name}, link points: recorded as 77, where the rules give {link}." in told
        assert "a.link" not in told

    @pytest.mark.parametrize(
        ("path", "name"),
        [
            ("seats.a.link", "A, points de liaison"),
            ("state.b.last_thrust", "B, dernier estoc"),
            ("3.face", "n° 4, face du dé"),
            ("chase", "«\u00a0chase\u00a0»"),
        ],
    )
    def test_a_part_is_called_by_its_label(self, path, name):
        with translation.override("fr"):
            assert part_name(path, NOBODY) == name

    @pytest.mark.parametrize(
        ("value", "name"),
        [(None, "rien"), (True, "oui"), (-2, "−2"), ("left_arm", "bras gauche"), ("b", "B"), ("00ff", None),
         ([1], None), ("9999-12-31T23:59:59.999999+00:00", None), (10**50, None)],
    )  # fmt: skip
    def test_a_value_is_said_or_left_out(self, value, name):
        with translation.override("fr"), timezone.override("Europe/Paris"):
            assert value_name(value, NOBODY) == name

    @pytest.mark.parametrize("made", [honest, spell_duel])
    def test_every_part_of_what_is_compared_has_a_label(self, made):
        exported = made()
        compared = [entry.public for entry in exported.entries if entry.kind in ("start", "verdict", "opening")]
        for entry in exported.entries:
            compared += [entry.public.get(part) for part in ("view", "events", "setup")]
            compared += [entry.content.get(part) for part in ("state", "events") if isinstance(entry.content, dict)]
        assert {*keys_of(compared)} - {*NOBODY, "seats", "due_at"} <= PARTS.keys()

    def test_a_text_that_is_missing_is_said_once(self):
        exported = export.of(play.over())
        told = said(send(record.encode(msgspec.structs.replace(exported, texts=exported.texts[1:]))))
        assert told.count("A text is not as it was published. It is missing.") == 1
        assert "published, or is missing" not in told

    def test_nothing_is_said_twice_by_a_check_and_its_reason(self):
        _place, other = forged(honest(), "filing", content={"thrust": "head", "parry": "head"})
        assert "Its content is not what was sealed" not in said(send(record.encode(other)))


def keys_of(value):
    if isinstance(value, list):
        for one in value:
            yield from keys_of(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield key
            if key != "spells":  # a book is compared as a whole
                yield from keys_of(one)


class TestWhatIsNoRecord:
    def test_a_key_that_stands_twice_is_named(self):
        raw = record.encode(honest()).replace(b'"kind":"start"', b'"kind":"start","kind":"start"', 1)
        answer = send(raw)
        assert answer.status_code == 422
        assert "“kind” stands twice in one place of it" in said(answer)
        assert "not the record of a duel" not in said(answer)

    @pytest.mark.parametrize(
        ("raw", "why"),
        [
            (b"", "This file is empty."),
            (b"not JSON", "This file is not the record of a duel"),
            (b"\xff\xfe\x00", "This file is not the record of a duel"),
            (b"{}", "This file is not the record of a duel"),
            (b"[" * 100_000, "This file is not the record of a duel"),
            (b" " * (form.HEAVIEST + 1), "too heavy"),
        ],
    )
    def test_is_explained_beside_the_field(self, raw, why):
        answer = send(raw)
        assert answer.status_code == 422
        assert why in said(answer)

    def test_no_file_at_all(self):
        answer = in_english(as_user()).post(ADDRESS)
        assert answer.status_code == 422
        assert "Choose the file to check." in said(answer)

    def test_more_entries_than_any_duel_has_are_not_played(self, monkeypatch):
        monkeypatch.setattr(form, "MOST_ENTRIES", 3)
        answer = send(record.encode(honest()))
        assert answer.status_code == 422
        assert "longer than any duel" in said(answer)

    @pytest.mark.parametrize("depth", [50, 400, 800, 950, 5_000])
    def test_what_is_nested_too_deep_breaks_nothing(self, depth):
        raw = record.encode(honest())
        deep = raw.replace(b'"revision":1', b'"revision":' + b"[" * depth + b"]" * depth, 1)
        assert deep != raw
        answer = send(deep)
        assert "does not hold" in said(answer) or "not the record of a duel" in said(answer)

    def test_a_request_far_too_heavy_is_not_read(self, settings):
        settings.HEAVIEST_REQUEST = 1_000
        answer = send(b" " * 2_000)
        assert answer.status_code == 400
        assert "4 MB at most" in said(answer)


def test_many_at_once_are_asked_to_wait(monkeypatch):
    monkeypatch.setattr(verification, "A_MINUTE", 1)
    assert send(record.encode(honest())).status_code == 200
    answer = send(record.encode(honest()))
    assert answer.status_code == 429
    assert "Send yours again in a minute" in said(answer)


def test_without_its_token_nothing_is_checked():
    client = as_user(enforce_csrf_checks=True)
    assert client.post(ADDRESS, {"record": SimpleUploadedFile("duel.json", b"{}")}).status_code == 403


def test_a_get_asks_for_the_file_and_the_footer_leads_there():
    assert f'href="{ADDRESS}"' in said(as_user().get("/"))
    assert 'type="file"' in said(as_user().get(ADDRESS))


def test_every_check_has_a_name_and_says_what_it_means_that_it_fails():
    found = verify(honest())
    failed = {one.check for export in TAMPERED for one in verify(export(honest())).failures}
    assert {*found.checked, *failed, "export"} <= CHECKS.keys()


TAMPERED = (
    lambda made: msgspec.structs.replace(made, ruleset="chess"),
    lambda made: msgspec.structs.replace(made, seed="00" * 32),
    lambda made: msgspec.structs.replace(made, texts=()),
    lambda made: msgspec.structs.replace(made, entries=made.entries[::-1]),
)
