"""Erasing rows for good: a chat, an account, what no branch shows any more.

Everything here runs inside the caller's transaction, on a connection that does not enforce foreign keys, and follows the keys that the tables declare,
so that a table added later is erased too. It works on databases of older schemas as well: backups are erased from by the same functions.
`storage.erasing_memory` erases one memory; `storage.erasures` records, orders and finishes all of it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from storage.erasing_annotation import erase_marked, erase_probes_of
from storage.erasing_memory import erased_memories, merge_words
from storage.erasing_receipts import redact_messages, redact_receipts
from storage.vectors import sweep_vectors
from storage.wording_rows import forget_wordings, merge_wordings

_OWNERS = {"chat_id": "chat", "user_id": "user"}
"""Columns that name an owner, declared as keys or not."""
_APART = ("memory_fts", "message_fts", "memory_terms", "sqlite_", "_sqlite", "erasure")
"""Beginnings of the names of tables that are no rows of anybody, or are seen to elsewhere."""


@dataclass(frozen=True)
class _Link:
    table: str
    column: str
    parent: str


def erase_chat(connection: sqlite3.Connection, chat_id: str) -> bool:
    """Everything of a chat, with those of its characters that are in nobody's list and that no other chat has; False if there is no such chat."""
    row = connection.execute("SELECT user_id FROM chat WHERE id = ?", (chat_id,)).fetchone()
    if row is None:
        return False
    # One that was imported, or removed from its user's list, can be reached through its chats alone: nothing would ever take its card and name away.
    alone = [
        found[0]
        for found in connection.execute(
            """SELECT DISTINCT k.id FROM character k WHERE k.user_id IS NOT NULL
            AND (k.id = (SELECT character_id FROM chat WHERE id = :chat) OR k.id IN (SELECT character_id FROM chat_member WHERE chat_id = :chat))
            AND NOT EXISTS (SELECT 1 FROM chat o WHERE o.character_id = k.id AND o.id <> :chat)
            AND NOT EXISTS (SELECT 1 FROM chat_member n WHERE n.character_id = k.id AND n.chat_id <> :chat)
            AND NOT EXISTS (SELECT 1 FROM setting s WHERE s.scope = 'user:' || k.user_id AND s.key = 'character ' || k.id
                AND s.value ->> '$.removed_at' IS NULL)""",
            {"chat": chat_id},
        )
    ]
    _delist(connection, alone)
    had = _players_of(connection, chat_id)
    erase_probes_of(connection, chat_id)
    _erase(connection, {"character": alone, "chat": [chat_id]})
    erase_players(connection, row[0], had)
    sweep_vectors(connection, row[0])
    merge_words(connection)
    merge_wordings(connection)
    return True


def _delist(connection: sqlite3.Connection, character_ids: Iterable[str]) -> None:
    """What their user's list keeps of characters."""
    connection.executemany(
        "DELETE FROM setting WHERE key IN ('character ' || :id, 'favourite ' || :id, 'plays ' || :id)",
        [{"id": character_id} for character_id in character_ids],
    )


def erase_characters(connection: sqlite3.Connection, user_id: str, character_ids: Iterable[str]) -> bool:
    """Those of a user's characters that no conversation is with; False if there is none."""
    doomed = [
        found[0]
        for found in connection.execute(
            """SELECT k.id FROM character k WHERE k.user_id = ? AND k.id IN (SELECT value FROM json_each(?))
            AND NOT EXISTS (SELECT 1 FROM chat c WHERE c.character_id = k.id)
            AND NOT EXISTS (SELECT 1 FROM chat_member n WHERE n.character_id = k.id)""",
            (user_id, json.dumps(list(character_ids))),
        )
    ]
    _delist(connection, doomed)
    _erase(connection, {"character": doomed})
    return bool(doomed)


def _players_of(connection: sqlite3.Connection, chat_id: str) -> list[str]:
    """The personas that a chat has had and that are in nobody's list any more."""
    if not _knows_players(connection):
        return []
    rows = connection.execute(
        """SELECT DISTINCT p.id FROM chat_player h JOIN player_persona p ON p.id = h.player_id
        WHERE h.chat_id = ? AND p.removed_at IS NOT NULL""",
        (chat_id,),
    )
    return [row[0] for row in rows]


def erase_players(connection: sqlite3.Connection, user_id: str, player_ids: Iterable[str]) -> bool:
    """Those of a user's personas that no conversation has or had; False if there is none."""
    if not _knows_players(connection):
        return False
    doomed = [
        found[0]
        for found in connection.execute(
            """SELECT p.id FROM player_persona p WHERE p.user_id = ? AND p.id IN (SELECT value FROM json_each(?))
            AND NOT EXISTS (SELECT 1 FROM chat_player h WHERE h.player_id = p.id)""",
            (user_id, json.dumps(list(player_ids))),
        )
    ]
    connection.executemany(
        """DELETE FROM setting WHERE scope = 'user:' || ? AND (key = 'player' OR key >= 'plays ' AND key < 'plays!') AND value ->> '$' = ?""",
        [(user_id, i) for i in doomed],
    )
    _erase(connection, {"player_persona": doomed})
    return bool(doomed)


def _knows_players(connection: sqlite3.Connection) -> bool:
    """Whether a database is of a schema that has personas in it."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'chat_player'").fetchone() is not None


def erase_account(connection: sqlite3.Connection, user_id: str) -> bool:
    """A user with chats, own characters, personas and settings; False if there is no such user."""
    if connection.execute("SELECT 1 FROM user WHERE id = ?", (user_id,)).fetchone() is None:
        return False
    chats = [row[0] for row in connection.execute("SELECT id FROM chat WHERE user_id = ?", (user_id,))]
    scopes = [part for name in (user_id, *chats) for part in (name, f"user:{name}", f"chat:{name}")]
    connection.execute("DELETE FROM setting WHERE scope IN (SELECT value FROM json_each(?))", (json.dumps(scopes),))
    _erase(connection, {"user": [user_id]})
    merge_words(connection)
    merge_wordings(connection)
    return True


def unshown(connection: sqlite3.Connection, chat_id: str) -> dict[str, list[str]]:
    """What no branch of a chat shows: ids of its `messages` and of deleted `branches`. Other wordings of a message that is shown are a swipe away, or in the bin."""
    parents = dict(connection.execute("SELECT id, parent_id FROM message WHERE chat_id = ?", (chat_id,)))
    branches = connection.execute("SELECT id, head_id, deleted_at FROM branch WHERE chat_id = ?", (chat_id,)).fetchall()
    shown: set[str] = set()
    for branch_id, head_id, deleted_at in branches:
        if deleted_at is not None:
            continue
        gone = {
            row[0] for row in connection.execute("SELECT message_id FROM selection WHERE branch_id = ? AND state = 'deleted'", (branch_id,))
        }
        step = head_id
        while step is not None:
            if step not in gone:
                shown.add(step)
            step = parents[step]
    worded = connection.execute(
        "SELECT DISTINCT m.id FROM message m JOIN revision r ON r.message_id = m.id WHERE m.chat_id = ?", (chat_id,)
    )
    return {
        "messages": [row[0] for row in worded if row[0] not in shown],
        "branches": [branch_id for branch_id, _, deleted_at in branches if deleted_at is not None],
    }


def resting_on(connection: sqlite3.Connection, messages: Iterable[str]) -> list[str]:
    """Ids of the memories, deleted ones aside, that have one of these messages among their sources."""
    rows = connection.execute(
        """SELECT DISTINCT memory_id FROM memory_source WHERE message_id IN (SELECT value FROM json_each(?))
        AND memory_id IN (SELECT id FROM memory WHERE status <> 'deleted')""",
        (json.dumps(sorted(messages)),),
    )
    return [row[0] for row in rows]


def erase_messages(connection: sqlite3.Connection, chat_id: str, *, messages: Iterable[str], branches: Iterable[str]) -> bool:
    """Messages with all their wordings and what was remembered of them, and whole branches, as far as the chat has them; False if it has none.

    A message that others hang on leaves its place in the tree, without a word. Undo and the bin of the chat are emptied: they lead to what is gone. So is
    what the chat keeps of extraction.
    """
    parents = dict(connection.execute("SELECT id, parent_id FROM message WHERE chat_id = ?", (chat_id,)))
    doomed = {message_id for message_id in messages if message_id in parents}
    known = dict(connection.execute("SELECT id, parent_id FROM branch WHERE chat_id = ?", (chat_id,)))
    lost = {branch_id for branch_id in branches if branch_id in known}
    if not doomed and not lost:
        return False
    needed: set[str] = set()
    for message_id in parents:
        if message_id not in doomed:
            step = parents[message_id]
            while step is not None and step not in needed:
                needed.add(step)
                step = parents[step]
    held = doomed & needed
    among = json.dumps(sorted(doomed))
    texts = {
        row[0]: row[1]
        for row in connection.execute("SELECT id, text FROM revision WHERE message_id IN (SELECT value FROM json_each(?))", (among,))
    }
    memories = erased_memories(
        connection,
        chat_id,
        resting_on(connection, doomed),
    )
    # What extraction gave is kept so that deriving again costs no model; which outputs retell an erased message cannot be known.
    for table in ("bin_item", "undo_log", "derivation"):
        if "chat_id" in _columns(connection, table):
            connection.execute(f"DELETE FROM {table} WHERE chat_id = ?", (chat_id,))
    connection.execute(
        "DELETE FROM user_edit WHERE chat_id = ? AND memory_id IN (SELECT value FROM json_each(?))",
        (chat_id, json.dumps([m.id for m in memories])),
    )
    connection.execute(
        """DELETE FROM task WHERE chat_id = ? AND EXISTS (
            SELECT 1 FROM json_tree(task.payload) p JOIN json_each(?) d ON d.value = p.atom)""",
        (chat_id, among),
    )
    _move_branches(connection, chat_id, doomed=doomed, held=held, lost=lost, parents=parents, known=known)
    wordings = [
        row[0]
        for row in connection.execute(
            "SELECT id FROM revision WHERE message_id IN (SELECT value FROM json_each(?))", (json.dumps(sorted(held)),)
        )
    ]
    erase_marked(
        connection,
        chat_id,
        [row[0] for row in connection.execute("SELECT id FROM revision WHERE message_id IN (SELECT value FROM json_each(?))", (among,))],
    )
    connection.execute(
        "UPDATE selection SET revision_id = NULL WHERE message_id IN (SELECT value FROM json_each(?))", (json.dumps(sorted(held)),)
    )
    connection.execute("UPDATE message SET speaker = '' WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(sorted(held)),))
    _erase(connection, {"message": sorted(doomed - held), "revision": wordings, "memory": [m.id for m in memories], "branch": sorted(lost)})
    redact_receipts(connection, chat_id, memories)
    redact_messages(connection, chat_id, texts)
    (user_id,) = connection.execute("SELECT user_id FROM chat WHERE id = ?", (chat_id,)).fetchone()
    sweep_vectors(connection, user_id)
    connection.execute("UPDATE chat SET version = version + 1, structure = structure + 1 WHERE id = ?", (chat_id,))
    merge_words(connection)
    merge_wordings(connection)
    return True


def _move_branches(
    connection: sqlite3.Connection,
    chat_id: str,
    *,
    doomed: set[str],
    held: set[str],
    lost: set[str],
    parents: Mapping[str, str | None],
    known: Mapping[str, str | None],
) -> None:
    """Let the branches that stay end, fork and begin at what stays, and say `deleted` of the places that are only held."""
    staying = [branch_id for branch_id in known if branch_id not in lost]
    for branch_id in staying:
        above = known[branch_id]
        while above in lost:
            above = known[above]
        connection.execute("UPDATE branch SET parent_id = ? WHERE id = ?", (above, branch_id))
        head, forked_at = connection.execute("SELECT head_id, forked_at FROM branch WHERE id = ?", (branch_id,)).fetchone()
        while head in doomed:
            head = parents[head]
        while forked_at in doomed:
            forked_at = parents[forked_at]
        connection.execute("UPDATE branch SET head_id = ?, forked_at = ? WHERE id = ?", (head, forked_at, branch_id))
        step, places = head, []
        while step is not None:
            if step in held:
                places.append((branch_id, step))
            step = parents[step]
        connection.executemany(
            """INSERT INTO selection (branch_id, message_id, revision_id, state) VALUES (?, ?, NULL, 'deleted')
            ON CONFLICT (branch_id, message_id) DO UPDATE SET revision_id = NULL, state = 'deleted'""",
            places,
        )
    if staying:
        connection.execute(
            "UPDATE chat SET active_branch_id = ? WHERE id = ? AND active_branch_id IN (SELECT value FROM json_each(?))",
            (staying[0], chat_id, json.dumps(sorted(lost))),
        )


def _erase(connection: sqlite3.Connection, roots: Mapping[str, Iterable[str]]) -> None:
    """Delete rows by table and id, with everything that refers to them."""
    links = _links(connection)
    referred = {link.parent for link in links}
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS doomed (kind TEXT, id TEXT, PRIMARY KEY (kind, id)) WITHOUT ROWID")
    connection.execute("DELETE FROM temp.doomed")
    for table, ids in roots.items():
        connection.executemany("INSERT OR IGNORE INTO temp.doomed VALUES (?, ?)", [(table, i) for i in ids])
    grown = True
    while grown:
        grown = False
        for link in links:
            if link.table in referred:
                grown |= (
                    connection.execute(
                        f"""INSERT OR IGNORE INTO temp.doomed SELECT ?, id FROM {link.table}
                        WHERE {link.column} IN (SELECT id FROM temp.doomed WHERE kind = ?)""",
                        (link.table, link.parent),
                    ).rowcount
                    > 0
                )
    connection.execute(
        """DELETE FROM memory_fts WHERE rowid IN (
            SELECT m.ordinal FROM temp.doomed d JOIN memory m ON m.id = d.id WHERE d.kind = 'memory')"""
    )
    forget_wordings(connection, "SELECT id FROM temp.doomed WHERE kind = 'revision'")
    for link in links:
        connection.execute(f"DELETE FROM {link.table} WHERE {link.column} IN (SELECT id FROM temp.doomed WHERE kind = ?)", (link.parent,))
    for table in referred:
        connection.execute(f"DELETE FROM {table} WHERE id IN (SELECT id FROM temp.doomed WHERE kind = ?)", (table,))
    connection.execute("DELETE FROM temp.doomed")


def _links(connection: sqlite3.Connection) -> list[_Link]:
    tables = [row[0] for row in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")]
    links: dict[_Link, None] = {}
    for table in tables:
        if table.startswith(_APART):
            continue
        for row in connection.execute(f"PRAGMA main.foreign_key_list({table})"):
            links[_Link(table, row[3], row[2])] = None
        for column in _columns(connection, table):
            if column in _OWNERS:
                links[_Link(table, column, _OWNERS[column])] = None
    return list(links)


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")]
