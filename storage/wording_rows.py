"""Wordings in the word index. For repositories; nothing here checks whose they are."""

from __future__ import annotations

import sqlite3

from storage.memory_rows import scope_token
from storage.terms import index_text


def index_wording(connection: sqlite3.Connection, *, chat_id: str, revision_id: str, text: str) -> None:
    """Make a wording searchable, inside the transaction that writes it."""
    ordinal = connection.execute("INSERT INTO revision_words (revision_id) VALUES (?)", (revision_id,)).lastrowid
    connection.execute("INSERT INTO message_fts (rowid, scope, words) VALUES (?, ?, ?)", (ordinal, scope_token(chat_id), index_text(text)))


def index_all(connection: sqlite3.Connection) -> None:
    """Make every wording of a database searchable that is not yet."""
    rows = connection.execute(
        """SELECT r.id, r.text, m.chat_id FROM revision r JOIN message m ON m.id = r.message_id
        WHERE r.id NOT IN (SELECT revision_id FROM revision_words) ORDER BY m.rowid, r.ordinal"""
    )
    for revision_id, text, chat_id in rows.fetchall():
        index_wording(connection, chat_id=chat_id, revision_id=revision_id, text=text)


def index_anew(connection: sqlite3.Connection) -> None:
    """Bring the terms of every wording and memory up to how terms are made now, those that differ."""
    for index, texts in (
        ("message_fts", "SELECT w.ordinal, r.text FROM revision_words w JOIN revision r ON r.id = w.revision_id"),
        ("memory_fts", "SELECT ordinal, text FROM memory"),
    ):
        held = dict(connection.execute(f"SELECT rowid, words FROM {index}").fetchall())
        changed = [
            (words, ordinal)
            for ordinal, text in connection.execute(texts).fetchall()
            if ordinal in held and (words := index_text(text)) != held[ordinal]
        ]
        connection.executemany(f"UPDATE {index} SET words = ? WHERE rowid = ?", changed)


def forget_wordings(connection: sqlite3.Connection, revisions: str) -> None:
    """Take wordings out of the index, in a database of whatever schema. revisions: SQL that selects their ids. The terms are gone once it is merged."""
    if connection.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'revision_words'").fetchone() is not None:
        connection.execute(
            f"DELETE FROM message_fts WHERE rowid IN (SELECT ordinal FROM revision_words WHERE revision_id IN ({revisions}))"
        )


def merge_wordings(connection: sqlite3.Connection) -> None:
    """Write the index anew from its rows, as `storage.erasing_memory.merge_words` does that of memories."""
    if connection.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'message_fts'").fetchone() is not None:
        connection.execute("INSERT INTO message_fts (message_fts) VALUES ('rebuild')")
