"""Numbered schema changes, applied in order when a database is opened. A landed one is never edited."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from libraries import without

with without("pandas"):  # for tables that nobody makes here: 80 MB, and pyarrow with it
    import sqlite_utils
    from sqlite_utils.migrations import Migrations

from storage.errors import FolderTooNew
from storage.schema_1 import SCHEMA_1
from storage.schema_2 import SCHEMA_2
from storage.schema_3 import SCHEMA_3
from storage.schema_4 import SCHEMA_4
from storage.schema_5 import SCHEMA_5
from storage.schema_6 import SCHEMA_6
from storage.schema_7 import SCHEMA_7
from storage.schema_8 import SCHEMA_8
from storage.schema_9 import SCHEMA_9
from storage.schema_10 import SCHEMA_10
from storage.schema_11 import SCHEMA_11
from storage.schema_13 import SCHEMA_13
from storage.schema_14 import SCHEMA_14
from storage.schema_17 import SCHEMA_17
from storage.schema_18 import SCHEMA_18
from storage.schema_19 import SCHEMA_19
from storage.schema_20 import SCHEMA_20
from storage.schema_21 import SCHEMA_21
from storage.schema_22 import SCHEMA_22
from storage.schema_23 import SCHEMA_23
from storage.schema_24 import SCHEMA_24
from storage.schema_26 import SCHEMA_26
from storage.wording_rows import index_all, index_anew

migrations = Migrations("keepsake")


@migrations()  # type: ignore[untyped-decorator]  # the library has no types here
def m001_first_schema(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_1:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m002_forgetting_by_path(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_2:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m003_rewriting(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_3:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m004_model_use(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_4:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m005_story_ends(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_5:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m006_message_words(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_6:
        db.execute(statement)
    index_all(db.conn)


@migrations()  # type: ignore[untyped-decorator]
def m007_accounts(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_7:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m008_character_files(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_8:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m009_characters_listed(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_9:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m010_players(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_10:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m011_groups(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_11:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m013_lorebooks(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_13:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m014_annotation(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_14:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m017_probes(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_17:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m018_marking(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_18:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m019_listening(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_19:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m020_joining(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_20:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m021_probe_reviews(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_21:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m022_carried(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_22:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m023_wordings(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_23:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m024_walls(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_24:
        db.execute(statement)


@migrations()  # type: ignore[untyped-decorator]
def m025_irregular_words(db: sqlite_utils.Database) -> None:
    index_anew(db.conn)


@migrations()  # type: ignore[untyped-decorator]
def m026_turns(db: sqlite_utils.Database) -> None:
    for statement in SCHEMA_26:
        db.execute(statement)


def known() -> tuple[str, ...]:
    """Names of the migrations this program has, oldest first."""
    return tuple(m.name for m in migrations._migrations)


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the database at `path` up to date; a copy is kept beside it before an existing one is changed.

    Raises FolderTooNew if a newer program has migrated it further: an older program could lose what it does not know.
    """
    applied = applied_to(connection)
    pending = [name for name in known() if name not in applied]
    if not pending:
        return
    if applied:
        kept = path.with_name(f"{path.stem}.before-{pending[0]}.db")
        try:
            with closing(sqlite3.connect(kept)) as copy:
                connection.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error:  # a full disk: half a copy would only take more of it
            kept.unlink(missing_ok=True)
            raise
    upgrade(connection)


def applied_to(connection: sqlite3.Connection) -> list[str]:
    """Names of the migrations a database has had, oldest first; none in an empty one. Raises FolderTooNew if it has one this program does not know."""
    applied = [m.name for m in migrations.applied(sqlite_utils.Database(connection, execute_plugins=False))]
    unknown = [name for name in applied if name not in known()]
    if unknown:
        raise FolderTooNew(
            f"This data folder was written by a newer Keepsake (it has {unknown[-1]}). Nothing was changed. "
            "Start the newer version, or set KEEPSAKE_DATA_DIR to another folder.",
            migration=unknown[-1],
        )
    return applied


def strange(connection: sqlite3.Connection) -> str:
    """The first thing in a database of today's schema that this program did not make, or that is not as it made it; empty if there is none.

    A trigger or a view would act when the program writes or reads; an index of its own could refuse what is written.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        upgrade(fresh)
        ours, theirs = _shape(fresh), _shape(connection)
    return next((name for name in sorted(ours.keys() | theirs.keys()) if ours.get(name) != theirs.get(name)), "")


def acts(connection: sqlite3.Connection) -> str:
    """A trigger or a view in a database, of which no version of this program makes any; empty if there is none."""
    row = connection.execute("SELECT type || ' ' || name FROM sqlite_master WHERE type NOT IN ('table', 'index') LIMIT 1").fetchone()
    return str(row[0]) if row else ""


def _shape(connection: sqlite3.Connection) -> dict[str, object]:
    """Tables, indexes and whatever else there is, by kind and name, each with its columns. Not compared as text: SQLite's versions word it differently."""
    found: dict[str, object] = {}
    for kind, name, sql in connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'"
    ).fetchall():
        columns = connection.execute(
            "SELECT * FROM pragma_table_xinfo(?)" if kind == "table" else "SELECT * FROM pragma_index_xinfo(?)", (name,)
        )
        virtual = kind == "table" and str(sql).upper().startswith("CREATE VIRTUAL")
        found[f"{kind} {name}"] = (virtual, [tuple(column) for column in columns])
    return found


def upgrade(connection: sqlite3.Connection) -> None:
    """Apply what is pending, all of it or nothing, without keeping a copy."""
    db = sqlite_utils.Database(connection, execute_plugins=False)
    # Two processes may open a fresh folder at once: the second waits here and then finds nothing pending.
    connection.execute("BEGIN IMMEDIATE")
    try:
        migrations.apply(db)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
