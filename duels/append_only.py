"""Append-only tables, enforced by the database itself: triggers refuse UPDATE, DELETE and TRUNCATE.

Installed again after every migration, since Django's table rebuilds drop them on SQLite.
The text of a post (`PostBody`) may go, never change, and only once its removal has been recorded; none takes its place.
What somebody asks and another answers (`ANSWERED`) is answered once: what was asked never changes, nor does an answer;
but words of theirs that stand nowhere else, or whose post has lost them, may be emptied (`ERASABLE`).
"""

from __future__ import annotations

from typing import Any

from django.db import connections

TABLES = (
    "duels_entry", "duels_resolution", "duels_post", "duels_removal", "duels_happening", "duels_spellbook",
    "duels_disclosure", "duels_transfer",
)  # fmt: skip
BODY = "duels_postbody"
# table → the columns of its answer, which are empty until then; `answer` says which it is
ANSWERED: dict[str, tuple[str, ...]] = {
    "duels_appeal": ("answer", "answered_at", "answered_by_id", "answer_index"),
    "duels_timeout": ("answer", "answered_at", "answered_by_id", "answer_reason"),
}
ERASABLE: dict[str, tuple[str, ...]] = {
    "duels_timeout": ("reason",)
}  # table of `ANSWERED` → the columns whose text staff may take away


def answered_once(table: str, *columns: str, erasable: tuple[str, ...] = ()) -> None:
    """Guard a table of another application likewise: `columns` are those of its answer."""
    ANSWERED[table] = columns
    ERASABLE[table] = erasable


def guarded() -> set[str]:
    """Return the tables that the database guards."""
    return {*TABLES, BODY, *ANSWERED}


def _sqlite(columns: dict[str, list[str]]) -> list[str]:
    refuse = "BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    made = []
    for table in TABLES:
        for verb in ("UPDATE", "DELETE"):
            made.append(
                f"CREATE TRIGGER IF NOT EXISTS {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                + refuse.format(table=table)
            )
    made.append(
        f"CREATE TRIGGER IF NOT EXISTS {BODY}_no_update BEFORE UPDATE OF text, post_id ON {BODY} "
        + refuse.format(table=BODY)
    )
    removed = "EXISTS (SELECT 1 FROM duels_removal WHERE post_id = {row}.post_id)"
    for verb, condition in (("DELETE", "NOT " + removed.format(row="OLD")), ("INSERT", removed.format(row="NEW"))):
        made.append(
            f"CREATE TRIGGER IF NOT EXISTS {BODY}_no_{verb.lower()} BEFORE {verb} ON {BODY} "
            f"WHEN {condition} " + refuse.format(table=BODY)
        )
    for table, answer in ANSWERED.items():
        erasable = ERASABLE.get(table, ())
        answers = ["OLD.answer = ''", "NEW.answer <> ''", *_same(columns[table], besides=answer)]
        emptied = [f"(NEW.{column} = '' OR NEW.{column} IS OLD.{column})" for column in erasable]
        touched = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in erasable) or "0"
        erases = [f"({touched})", *emptied, *_same(columns[table], besides=erasable)]
        allowed = f"({' AND '.join(answers)}) OR ({' AND '.join(erases)})"
        for verb, condition in (("UPDATE", f"WHEN NOT ({allowed}) "), ("DELETE", "")):
            trigger = f"{table}_no_{verb.lower()}"
            made.append(f"DROP TRIGGER IF EXISTS {trigger}")  # it names the columns, and a migration may add one
            made.append(f"CREATE TRIGGER {trigger} BEFORE {verb} ON {table} {condition}" + refuse.format(table=table))
    return made


def _same(columns: list[str], *, besides: tuple[str, ...]) -> list[str]:
    return [f"OLD.{column} IS NEW.{column}" for column in columns if column not in besides]


def _postgresql() -> list[str]:
    made = [
        """CREATE OR REPLACE FUNCTION duels_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$""",
        """CREATE OR REPLACE FUNCTION duels_refuse_unremoved() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF EXISTS (SELECT 1 FROM duels_removal WHERE post_id = OLD.post_id) THEN RETURN OLD; END IF;
          RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
        END $$""",
        """CREATE OR REPLACE FUNCTION duels_refuse_removed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NOT EXISTS (SELECT 1 FROM duels_removal WHERE post_id = NEW.post_id) THEN RETURN NEW; END IF;
          RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
        END $$""",
        """CREATE OR REPLACE FUNCTION duels_refuse_unless_answered() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          answers text[] := string_to_array(TG_ARGV[0], ' ');
          erasable text[] := string_to_array(TG_ARGV[1], ' ');
          was jsonb := to_jsonb(OLD);
          becomes jsonb := to_jsonb(NEW);
        BEGIN
          IF OLD.answer = '' AND NEW.answer <> '' AND was - answers = becomes - answers THEN RETURN NEW; END IF;
          IF was <> becomes AND was - erasable = becomes - erasable AND NOT EXISTS (
            SELECT 1 FROM unnest(erasable) AS one(name)
            WHERE becomes -> name <> was -> name AND becomes ->> name IS DISTINCT FROM ''
          ) THEN RETURN NEW; END IF;
          RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
        END $$""",
    ]
    for table in TABLES:
        made.append(
            f"CREATE OR REPLACE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION duels_refuse()"
        )
    for table, answer in ANSWERED.items():
        columns = f"'{' '.join(answer)}', '{' '.join(ERASABLE.get(table, ()))}'"
        once, never = f"duels_refuse_unless_answered({columns})", "duels_refuse()"
        for verb, refuse in (("UPDATE", once), ("DELETE", never)):
            made.append(
                f"CREATE OR REPLACE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"FOR EACH ROW EXECUTE FUNCTION {refuse}"
            )
    for table in sorted(guarded()):
        made.append(
            f"CREATE OR REPLACE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION duels_refuse()"
        )
    made.append(
        f"CREATE OR REPLACE TRIGGER {BODY}_no_update BEFORE UPDATE OF text, post_id ON {BODY} "
        "FOR EACH ROW EXECUTE FUNCTION duels_refuse()"
    )
    made.append(
        f"CREATE OR REPLACE TRIGGER {BODY}_no_delete BEFORE DELETE ON {BODY} "
        "FOR EACH ROW EXECUTE FUNCTION duels_refuse_unremoved()"
    )
    made.append(
        f"CREATE OR REPLACE TRIGGER {BODY}_no_insert BEFORE INSERT ON {BODY} "
        "FOR EACH ROW EXECUTE FUNCTION duels_refuse_removed()"
    )
    return made


def is_complete(using: str = "default") -> bool:
    """Say whether all the tables are there: a database may be migrated up to an earlier point only."""
    return guarded() <= set(connections[using].introspection.table_names())


def install(using: str = "default") -> None:
    """Create the triggers (again) on the tables that exist; harmless when they are there already."""
    connection = connections[using]
    if not is_complete(using):
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            statements = _postgresql()
        else:
            described = connection.introspection.get_table_description
            statements = _sqlite({table: [one.name for one in described(cursor, table)] for table in ANSWERED})
        for statement in statements:
            cursor.execute(statement)


def remove(using: str = "default") -> None:
    """Drop the triggers: for the teardown of tests, which installs them again."""
    connection = connections[using]
    suffixes = ("no_change", "no_update", "no_delete", "no_insert", "no_truncate")
    with connection.cursor() as cursor:
        for table in sorted(guarded()):
            on = f" ON {table}" if connection.vendor == "postgresql" else ""
            for suffix in suffixes:
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_{suffix}{on}")


def after_migrate(using: str, **_signal: Any) -> None:
    """Receiver of `post_migrate`."""
    install(using)
