"""Chats that were lived in, with everything that comes to hang on what is said, and the search for what is left of them."""

from __future__ import annotations

import json
import secrets
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from memory.episodes import episode_of
from storage.backup import Backups
from storage.records import Kind, Memory, Message, NewTask, sha256
from storage.store import Store
from tests.conftest import OpenChat


def traces(root: Path, *texts: str) -> list[str]:
    """Files of a folder that hold one of the texts, as UTF-8, UTF-16 or in JSON's ASCII."""
    found = []
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        content = path.read_bytes()
        for text in texts:
            forms = (text.encode(), text.encode("utf-16-le"), text.encode("utf-16-be"), json.dumps(text)[1:-1].encode())
            found += [f"{path.relative_to(root)}: {text}" for form in forms if form in content]
    return found


def remember(chat: OpenChat, messages: list[Message], text: str, kind: Kind = Kind.FACT, *, grounds: tuple[str, ...] = ()) -> Memory:
    made = replace(
        episode_of(chat.scope.chat_id, messages), id=secrets.token_hex(8), kind=kind, text=text, grounds=grounds, payload={"quote": text}
    )
    chat.store.memories.add(chat.scope, [made])
    return made


def embed(store: Store, user_id: str, *texts: str) -> None:
    for role in ("passage", "query"):
        store.vectors.put(user_id, "f/4", role, {sha256(text): np.ones(4, dtype=np.float32) for text in texts})


def tell(chat: OpenChat, messages: list[Message], *memories: Memory, named: str = "") -> None:
    """A receipt of a reply whose prompt told memories."""
    lines = [
        f"- ({m.said_at:%Y-%m-%d}, round {m.round_first}) {' / '.join(m.text.replace('The player', named or 'The player').splitlines())}"
        for m in memories
    ]
    body = {
        "query": messages[0].text,
        "candidates": [{"memory_id": m.id, "delivered": True} for m in memories],
        "pinned": [],
        "prompt": [
            ["system", "You are Mara."],
            ["user", messages[0].text],
            ["assistant", messages[-1].text],
            ["user", "\n".join(["[What Mara remembers]", *lines, "[End of memories]"]) + "\n\n" + messages[0].text],
        ],
    }
    chat.store.receipts.add(chat.scope, message_id=messages[-1].id, revision_id=None, body=body)


def live(chat: OpenChat, *texts: str, start: int = 1) -> list[list[Message]]:
    """Rounds in which these things are said, with everything that hangs on them."""
    said = []
    for number, text in enumerate(texts, start=start):
        messages = chat.say(text, f"I see: {text}", number=number)
        said.append(messages)
        episode = episode_of(chat.scope.chat_id, messages)
        chat.store.memories.add(chat.scope, [episode])
        fact = remember(chat, messages, f"The player said: {text}")
        remember(chat, messages, f"Mara thinks of: {text}", Kind.INSIGHT, grounds=(fact.id,))
        tell(chat, messages, episode, fact)
        embed(chat.store, chat.scope.user_id, text, episode.text, fact.text)
        chat.store.tasks.add(
            chat.scope,
            NewTask("episode", chat.branch_id, (messages[0].revision.id,), {"message_ids": [m.id for m in messages], "text": text}),
        )
        with chat.store.database.write() as connection:
            connection.execute(
                "INSERT INTO derivation (chat_id, key, kind, version, output, created_at) VALUES (?, ?, 'fact', '1', ?, 0)",
                (chat.scope.chat_id, secrets.token_hex(8), json.dumps({"facts": [{"text": fact.text, "quote": text}]})),
            )
            connection.execute(
                "INSERT INTO user_edit (user_id, chat_id, memory_id, action, content, created_at) VALUES (?, ?, ?, 'edit', ?, 0)",
                (chat.scope.user_id, chat.scope.chat_id, fact.id, f"Edited: {text}"),
            )
            connection.execute(
                "INSERT INTO undo_log (chat_id, branch_id, operation, forward, backward, created_at) VALUES (?, ?, 'edit', ?, '{}', 0)",
                (chat.scope.chat_id, chat.branch_id, json.dumps({"text": text})),
            )
            connection.execute(
                "INSERT INTO recall_event (memory_id, message_id, chat_id, round, rank, effect, created_at) VALUES (?, ?, ?, 1, 1, 'reinforced', 0)",
                (fact.id, messages[0].id, chat.scope.chat_id),
            )
            connection.execute(
                "INSERT INTO extraction (revision_id, question_id, version, chat_id) VALUES (?, '', '1', ?)",
                (messages[0].revision.id, chat.scope.chat_id),
            )
    return said


def content(store: Store, chat_id: str) -> dict[str, list[tuple[object, ...]]]:
    """Every row of a chat, by table."""
    read = store.database.read()
    rows = {
        table: [tuple(r) for r in read.execute(f"SELECT * FROM {table} WHERE chat_id = ? ORDER BY 1, 2", (chat_id,))]
        for table in ("message", "memory", "branch", "receipt", "task", "derivation", "user_edit", "undo_log", "recall_event", "extraction")
    }
    rows["revision"] = [
        tuple(r)
        for r in read.execute("SELECT r.* FROM revision r JOIN message m ON m.id = r.message_id WHERE m.chat_id = ? ORDER BY 1", (chat_id,))
    ]
    rows["words"] = [
        tuple(r)
        for r in read.execute(
            "SELECT f.* FROM memory_fts f JOIN memory m ON m.ordinal = f.rowid WHERE m.chat_id = ? ORDER BY m.ordinal", (chat_id,)
        )
    ]
    return rows


def copies(store: Store) -> None:
    """A backup, and the copy of a migration."""
    assert Backups(store.folder, keep=3).make()
    with closing(sqlite3.connect(store.folder.root / "keepsake.before-m003_rewriting.db")) as copy:
        store.database.read().backup(copy)


def dangling(store: Store) -> list[object]:
    return [tuple(row) for row in store.database.read().execute("PRAGMA foreign_key_check")]
