"""What was written stays written: the database itself refuses to change it."""

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.models import ProtectedError

from duels import append_only, clock
from duels.models import (
    Account,
    Appeal,
    Disclosure,
    Duel,
    Entry,
    Happening,
    Phase,
    Post,
    PostBody,
    Removal,
    Resolution,
    Thread,
    TimeOut,
    Transfer,
)
from referee.models import Candidacy, HandOver
from tests.factories import DuellistFactory, StaffFactory, UserFactory

KEYS = dict.fromkeys([*append_only.TABLES, *append_only.ANSWERED], "id") | {append_only.BODY: "post_id"}
ASKED = {"duels_appeal": Appeal, "duels_timeout": TimeOut, "referee_handover": HandOver, "referee_candidacy": Candidacy}
EVERYWHERE = {
    "update": "UPDATE {table} SET {key} = {key}",
    "delete": "DELETE FROM {table}",
}
ON_SQLITE = {
    "replace": "REPLACE INTO {table} SELECT * FROM {table}",
    "insert or replace": "INSERT OR REPLACE INTO {table} SELECT * FROM {table}",
    "update or replace": "UPDATE OR REPLACE {table} SET {key} = {key}",
    "upsert": "INSERT INTO {table} SELECT * FROM {table} WHERE true ON CONFLICT DO UPDATE SET {key} = {key}",
}
ON_POSTGRESQL = {
    "truncate": "TRUNCATE {table} CASCADE",
    "truncate what it hangs on": "TRUNCATE duels_duel CASCADE",
    "upsert": "INSERT INTO {table} SELECT * FROM {table} ON CONFLICT ({key}) DO UPDATE SET {key} = EXCLUDED.{key}",
    "merge": "MERGE INTO {table} t USING {table} s ON t.{key} = s.{key} WHEN MATCHED THEN DELETE",
}
STATEMENTS = EVERYWHERE | (ON_POSTGRESQL if connection.vendor == "postgresql" else ON_SQLITE)


@pytest.fixture
def written(db):
    """One row in each append-only table; return the post and its kept text's post."""
    now = clock.now()
    duel = Duel.objects.create(ruleset_version=1, kind="training", turn_hours=48, created_at=now, starts_at=now)
    phase = Phase.objects.create(duel=duel, number=1, opened_at=now, due_at=now)
    entry = Entry.objects.create(duel=duel, phase_row=phase, index=0, kind="opening", at=now, previous="0" * 64)
    resolution = Resolution.objects.create(
        phase=phase, revision=1, computed_at=now, sealed=b"x", public_view={}, public_events=[]
    )
    thread = Thread.objects.create(duel=duel)
    removed, kept = (
        Post.objects.create(thread=thread, position=n, kind="rp", posted_at=now, entry=entry, resolution=resolution)
        for n in (1, 2)
    )
    PostBody.objects.create(post=kept, text="Il s'incline.", html="<p>Il s'incline.</p>")
    Removal.objects.create(post=removed, by=StaffFactory(), at=now, reason="un nom véritable")
    Happening.objects.create(duel=duel, what="filed", at=now)
    Disclosure.objects.create(phase=phase, seats="ab", by=StaffFactory(), at=now)
    staff, rules = (Account.objects.create(source=source, currency="dust") for source in ("staff", "rules"))
    Transfer.objects.create(payer=staff, payee=rules, amount=1, what="grant", at=now)
    asked(duel, phase, resolution)
    connection.check_constraints()  # now, since PostgreSQL truncates nothing that has a check to come
    return kept, removed


def asked(duel, phase, resolution):
    """One row in each table of what somebody asks and another answers, not answered yet."""
    now = clock.now()
    seat = duel.seats.create(letter="a", duellist=DuellistFactory())
    Appeal.objects.create(duel=duel, resolution=resolution, seat=seat, made_at=now, made_index=1, until=now)
    TimeOut.objects.create(phase=phase, seat=seat, hours=24, reason="Un examen.", asked_at=now)
    HandOver.objects.create(duel=duel, asked_by=UserFactory(), to=UserFactory(), asked_at=now)
    Candidacy.objects.create(user=UserFactory(), message="Moi.", sent_at=now)


def execute(statement, **names):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(**names))
        return cursor.rowcount


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
@pytest.mark.parametrize("table", KEYS)
def test_the_database_refuses_to_change_what_was_written(written, table, statement):
    with pytest.raises(DatabaseError, match="append-only"):
        execute(statement, table=table, key=KEYS[table])


@pytest.mark.parametrize("table", KEYS)
def test_the_same_statements_would_succeed_without_the_triggers(written, table):
    append_only.remove()
    assert execute(EVERYWHERE["update"], table=table, key=KEYS[table]) >= 1


def answered(table):
    """Answer its row as an action does, all columns written."""
    row = ASKED[table].objects.get()
    row.answer, row.answered_at = "declined", clock.now()
    row.save()
    connection.check_constraints()
    return row


def test_every_table_that_is_answered_is_tried_here():
    assert set(ASKED) == set(append_only.ANSWERED)


@pytest.mark.parametrize("table", ASKED)
def test_what_is_asked_is_answered_once(written, table):
    row = answered(table)
    assert ASKED[table].objects.get().answer == "declined"
    for again in ("accepted", ""):
        row.answer = again
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            row.save()
    for statement in STATEMENTS.values():
        with pytest.raises(DatabaseError, match="append-only"):
            execute(statement, table=table, key="id")


@pytest.mark.parametrize(
    ("table", "column", "said"),
    [
        ("duels_appeal", "until", "'2020-01-01 00:00:00+00'"),
        ("duels_appeal", "made_index", "2"),
        ("duels_timeout", "reason", "'Un autre.'"),
        ("duels_timeout", "hours", "120"),
        ("referee_handover", "to_id", "asked_by_id"),
        ("referee_candidacy", "message", "'Un autre.'"),
    ],
)
def test_answering_changes_nothing_of_what_was_asked(written, table, column, said):
    alone = "UPDATE {table} SET {column} = {said}"
    for statement in (alone, f"{alone}, answer = 'declined'"):
        with pytest.raises(DatabaseError, match="append-only"):
            execute(statement, table=table, column=column, said=said)
    assert ASKED[table].objects.get().answer == ""


ERASABLE = [(table, column) for table, columns in append_only.ERASABLE.items() for column in columns]


def test_words_that_can_be_erased_are_those_that_stand_nowhere_else_or_whose_post_loses_them():
    assert ERASABLE == [
        ("duels_timeout", "reason"), ("referee_handover", "message"), ("referee_candidacy", "message"),
        ("referee_candidacy", "note"), ("referee_candidacy", "reason"),
    ]  # fmt: skip


ALSO = {
    "duels_timeout": "hours = hours + 1",
    "referee_handover": "to_id = asked_by_id",
    "referee_candidacy": "at_once = at_once + 1",
}


@pytest.mark.parametrize(("table", "column"), ERASABLE)
def test_words_can_be_emptied_before_and_after_the_answer_and_nothing_else(written, table, column):
    erased = "UPDATE {table} SET {column} = ''"
    also = ALSO[table]
    for _before_and_after in range(2):
        append_only.remove()
        ASKED[table].objects.update(**{column: "Une grossièreté."})
        append_only.install()
        for refused in (
            "UPDATE {table} SET {column} = 'Autre.'",
            erased + ", {also}",
            erased + ", answered_at = NULL, id = 7",
        ):
            with pytest.raises(DatabaseError, match="append-only"):
                execute(refused, table=table, column=column, also=also)
        assert execute(erased, table=table, column=column) == 1
        with pytest.raises(DatabaseError, match="append-only"):
            execute(erased, table=table, column=column)  # nothing is erased by that
        if ASKED[table].objects.get().answer == "":
            answered(table)
    assert ASKED[table].objects.get().answer == "declined"


def test_the_words_of_a_text_cannot_change_but_its_html_can_be_made_again(written):
    kept, _removed = written
    with pytest.raises(DatabaseError, match="append-only"):
        execute("UPDATE duels_postbody SET text = 'Il frappe.'")
    PostBody.objects.filter(post=kept).update(html="<p>Il s’incline.</p>")
    assert PostBody.objects.get(post=kept).html == "<p>Il s’incline.</p>"


def test_a_text_goes_only_once_its_removal_is_recorded_and_no_other_takes_its_place(written):
    kept, _removed = written
    Removal.objects.create(post=kept, by=StaffFactory(), at=clock.now(), reason="un nom véritable")
    assert execute("DELETE FROM duels_postbody") == 1
    with pytest.raises(DatabaseError, match="append-only"):
        PostBody.objects.create(post=kept, text="Autre chose.", html="")


def test_the_models_refuse_too(written):
    entry = Entry.objects.get()
    entry.kind = "filing"
    for change in (entry.save, Entry.objects.all().delete, Duel.objects.all().delete):
        with pytest.raises((DatabaseError, ProtectedError)), transaction.atomic():
            change()


def trigger_names():
    every = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }
    with connection.cursor() as cursor:
        cursor.execute(every[connection.vendor])
        return {name for (name,) in cursor.fetchall()}


def test_migrating_puts_the_triggers_back(db):
    there = trigger_names()
    assert len(there) > 2 * len(KEYS)
    append_only.remove()
    assert trigger_names() == set()
    call_command("migrate", verbosity=0)
    assert trigger_names() == there


def test_putting_them_back_twice_is_harmless(db):
    there = trigger_names()
    append_only.install()
    append_only.install()
    assert trigger_names() == there


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("time", ["once", "twice"])
def test_tests_that_commit_empty_the_tables_and_leave_the_triggers(time):
    assert len(trigger_names()) > 2 * len(KEYS)
    assert not Happening.objects.exists()
    now = clock.now()
    duel = Duel.objects.create(ruleset_version=1, kind="training", turn_hours=48, created_at=now, starts_at=now)
    Happening.objects.create(duel=duel, what="filed", at=now)
