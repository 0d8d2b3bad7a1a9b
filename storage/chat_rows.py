"""Rows of chats and messages: appending one, counting a change, reading one back. For repositories; nothing here checks whose chat it is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from storage.errors import NotFound
from storage.paths import room_at
from storage.records import OFF, AuthorsNote, BinnedChat, Chat, Member, NewMessage, StoryClock, from_ms, now_ms, sha256, stable_id, to_ms
from storage.wall import offset_of
from storage.witnesses import founders_of, names_of
from storage.wording_rows import index_wording

MEMBERS = """(SELECT json_group_array(json(g.member)) FROM (
    SELECT json_array(n.character_id, n.name, n.joined) AS member FROM chat_member n WHERE n.chat_id = c.id ORDER BY n.place) g) AS members"""
"""Column beside a chat `c`: its characters where it has several."""
WEIGHT = """(SELECT count(*) FROM message n WHERE n.chat_id = c.id AND EXISTS (SELECT 1 FROM revision r WHERE r.message_id = n.id)) AS messages,
    (SELECT count(*) FROM memory y WHERE y.chat_id = c.id AND y.status <> 'deleted') AS memories"""
"""Columns beside a chat `c`: what it holds. A place in the tree whose words were erased is no message."""


@dataclass(frozen=True)
class Place:
    depth: int
    """Messages before it on its way to the root."""
    round: int


def touch(connection: sqlite3.Connection, chat_id: str, *, said: bool = True) -> None:
    """Count a change of the chat, inside the transaction that makes it; `said` moves it to the top of the list."""
    if said:
        connection.execute("UPDATE chat SET version = version + 1, updated_at = ? WHERE id = ?", (now_ms(), chat_id))
    else:
        connection.execute("UPDATE chat SET version = version + 1 WHERE id = ?", (chat_id,))


def append_message(connection: sqlite3.Connection, *, chat_id: str, branch_id: str, new: NewMessage) -> str:
    message_id = stable_id("message", chat_id, new.external_id)
    if connection.execute("SELECT 1 FROM message WHERE id = ?", (message_id,)).fetchone() is not None:
        return message_id
    parent = connection.execute(
        "SELECT m.id, m.depth, m.round FROM branch b LEFT JOIN message m ON m.id = b.head_id WHERE b.id = ? AND b.chat_id = ?",
        (branch_id, chat_id),
    ).fetchone()
    if parent is None:
        raise NotFound("This branch does not exist in this chat.")
    parent_round = parent["round"] if parent["id"] is not None else 0
    connection.execute(
        """INSERT INTO message (id, chat_id, parent_id, depth, round, role, speaker, said_at, external_id, created_at, present, room, heard, utc_offset)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            message_id,
            chat_id,
            parent["id"],
            (parent["depth"] + 1) if parent["id"] is not None else 0,
            parent_round + 1 if new.opens_round else parent_round,
            new.role.value,
            new.speaker,
            to_ms(new.said_at),
            new.external_id,
            now_ms(),
            _names(_present(connection, chat_id, branch_id, new)),
            _names(new.room) if new.room is not None else None,
            int(new.heard),
            offset_of(new.said_at),
        ),
    )
    for ordinal, text in enumerate(new.wordings or (new.text,)):
        revision_id = stable_id("revision", message_id, ordinal)
        connection.execute(
            """INSERT INTO revision (id, message_id, ordinal, text, sha256, origin, status, model, player, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (revision_id, message_id, ordinal, text, sha256(text), new.origin, new.status, new.model, new.player, now_ms()),
        )
        index_wording(connection, chat_id=chat_id, revision_id=revision_id, text=text)
    if new.chosen or new.hidden:
        connection.execute(
            "INSERT INTO selection (branch_id, message_id, revision_id, state) VALUES (?, ?, ?, ?)",
            (branch_id, message_id, stable_id("revision", message_id, new.chosen), "hidden" if new.hidden else "active"),
        )
    connection.execute("UPDATE branch SET head_id = ? WHERE id = ?", (message_id, branch_id))
    return message_id


PLAYED = """LEFT JOIN setting d ON d.scope = 'user:' || c.user_id AND d.key = 'player'
    LEFT JOIN player_persona p ON p.user_id = c.user_id AND CASE c.settings ->> '$.player[0]'
        WHEN '' THEN p.id = d.value ->> '$' AND p.removed_at IS NULL ELSE p.id = c.settings ->> '$.player[0]' END"""
"""Joins beside a chat `c`: the persona that the player has in it, `p`; of one that keeps none the default."""
PLAYER = "p.id AS player_id, p.name AS player_name"
"""Columns of that."""


def _present(connection: sqlite3.Connection, chat_id: str, branch_id: str, new: NewMessage) -> tuple[str, ...]:
    """Who of a chat's several characters witnesses a message: those who are there, and whoever says it; none where it has one character."""
    if new.present is not None:
        return new.present
    members = names_of(connection, chat_id)
    if not members:
        return ()
    room = room_at(connection, branch_id=branch_id)
    there = {*(founders_of(connection, chat_id) if room is None else room), *(new.room or ()), new.speaker}
    return tuple(name for name in members if name in there)


def _names(names: Sequence[str]) -> str:
    return json.dumps(list(names), ensure_ascii=False)


def chat_of(row: sqlite3.Row) -> Chat:
    """Of a row with PLAYER."""
    settings = json.loads(row["settings"])
    player = settings.get("player")  # (persona, its name here); two times nothing where it follows the default
    return Chat(
        id=row["id"],
        user_id=row["user_id"],
        character_id=row["character_id"],
        # As it was called when the conversation began, where its card has another name by now.
        character_name=settings.get("character", row["character_name"]),
        title=row["title"],
        language=row["language"],
        user_name=(player[1] or row["player_name"] or row["user_name"]) if player else row["user_name"],
        branch_id=row["active_branch_id"],
        version=row["version"],
        edition=row["edition"],
        created_at=from_ms(row["created_at"]),
        updated_at=from_ms(row["updated_at"]),
        group=bool(settings.get("group")),
        story=settings.get("story", "paper"),
        clock=clock_of(settings.get("clock")),
        note=AuthorsNote(*settings["note"]) if settings.get("note") else None,
        folder=settings.get("folder", ""),
        favourite=bool(settings.get("favourite")),
        archived=bool(settings.get("archived")),
        began_as=row["user_name"],
        player_id=(row["player_id"] or "") if player else "",
        follows=bool(player) and not player[0],
        sampling=settings.get("sampling", ""),
        members=tuple(Member(of, name, bool(joined)) for of, name, joined in json.loads(row["members"])),
        answers=settings.get("answers", "one"),
        listens=bool(settings.get("listens")),
        remembers=settings.get("memory") != OFF,
    )


def clock_of(kept: list[int] | None) -> StoryClock | None:
    """Of the three numbers that a chat's settings keep."""
    return StoryClock(from_ms(kept[0]), from_ms(kept[1]), bool(kept[2])) if kept else None


def binned_chat_of(row: sqlite3.Row) -> BinnedChat:
    """Of a row with WEIGHT and the rounds of its branch."""
    return BinnedChat(chat_of(row), row["rounds"], row["messages"], row["memories"], from_ms(row["deleted_at"]))
