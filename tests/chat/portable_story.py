"""A small story with everything in it that a chat can hold, and how two chats are compared."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tqdm import tqdm

from chat.assembly import Memory, open_memory
from chat.imported import ImportedConversation, ImportedMessage
from chat.importer import Cast, Importer
from memory.engine import Cue, mend_task
from storage.receipts import prompt_hash
from storage.records import Kind, NewWording, sha256
from storage.scope import Scope
from storage.store import Store
from storage.terms import index_text
from tests.chat.conftest import house_settings

START = datetime(2024, 5, 1, 12, tzinfo=UTC)
SAID = (
    ("I moved to Porto in 2019.", "A city of bridges. What do you do there?"),
    ("I work as a glassblower.", "Hot work! Do you have any pets?"),
    ("I have a dog called Biscuit.", "Good dog."),
    ("I am allergic to walnuts.", "I will remember that."),
    ("My sister Ida is a nurse.", "She must be busy."),
    ("I lost my father last year.", "I am sorry."),
    ("I love sailing and I hate crowds.", "Then the harbour at dawn is yours."),
)
TAKEN_BACK = "I no longer work as a glassblower."
TABLES = (
    *(
        "chat",
        "message",
        "branch",
        "session",
        "memory",
        "derivation",
        "recall_event",
        "forgetting_event",
        "receipt",
        "user_edit",
        "undo_log",
    ),
    *("bin_item", "task", "extraction"),
)
PARTS = {
    "revision": "message",
    "selection": "branch",
    "story_end": "branch",
    "wording_out": "branch",
    "memory_source": "memory",
    "memory_ground": "memory",
}


def tell(memory: Memory, rounds: int = 38, name: str = "Nell Garrow") -> Scope:
    """A conversation in which something is told in every other round, worked through."""
    messages = []
    for number in range(rounds):
        at = START + timedelta(hours=number)
        said, answer = SAID[number // 2 % len(SAID)] if number % 2 == 0 else (f"The fog came in {number} times.", f"Fog number {number}.")
        said = said.replace("Biscuit", f"Biscuit {number}") if number > 14 else said
        said = TAKEN_BACK if number == 7 else said
        messages.append(ImportedMessage(f"u{number}", "Ann", said, at, 1, number))
        messages.append(ImportedMessage(f"r{number}", name, answer, at + timedelta(seconds=9), 1, number))
    conversation = ImportedConversation("made", "Ann & Nell", ("Ann", name), tuple(messages), ())
    importer = Importer(memory.store, conversation, Cast("Ann", name), character_id="builtin:nell-garrow", language="en")
    with tqdm(disable=True) as progress:
        importer.write(progress)
    memory.work_off()
    return importer.scope


def full_story(path: Path) -> Scope:
    """Everything: variants, branches, a cut, something deleted, hidden and undone, receipts, decisions, forgetting; in a data folder of its own."""
    memory = open_memory(house_settings(path))
    try:
        scope = tell(memory)
        store = memory.store
        main = store.chats.chat(scope).branch_id
        rounds = {m.round: m for m in store.chats.path(scope, main, limit=200) if m.role.value == "user"}
        replies = {m.round: m for m in store.chats.path(scope, main, limit=200) if m.role.value != "user"}
        store.tree.reword(scope, main, replies[3].id, NewWording("Dogs again?", "model", model="scripted"), operation="regenerate")
        store.tree.reword(scope, main, rounds[9].id, NewWording("My brother Tom is a nurse.", "user"), operation="edit")
        store.tree.reword(scope, main, replies[3].id, NewWording("A fine dog.", "model", status="cut"), operation="regenerate")
        store.tree.swipe(scope, main, replies[3].id, 1)
        store.wordings.put_away(scope, main, replies[3].id, 3)
        store.tree.delete(scope, main, rounds[5].id)
        store.tree.hide(scope, main, replies[6].id)
        store.story.end(scope, main, replies[10].id)
        store.story.choose(scope, main, "short")
        other = store.branches.fork(scope, main, replies[20].id, "The other way", operation="branch")
        store.tree.reword(scope, other, replies[20].id, NewWording("Fog, and a lamp.", "model"), operation="regenerate")
        store.branches.fork(scope, main, replies[12].id, "checkpoint", operation="checkpoint")
        store.branches.switch(scope, main)
        store.tree.delete_from(scope, main, rounds[37].id)
        gone = store.branches.fork(scope, main, replies[8].id, "gone", operation="checkpoint")
        store.branches.remove(scope, gone)
        store.tree.undo(scope)
        store.tree.undo(scope)
        store.branches.rename(scope, other, "../../etc <script>alert(1)</script>")
        _decide(store, scope, main)
        for branch in store.branches.all(scope):
            store.tasks.add(scope, mend_task(branch.id, first_round=0))
        memory.work_off()
        _receipts(memory, scope, main)
        store.tasks.add(scope, mend_task(main, first_round=1))
        return scope
    finally:
        memory.close()


def _decide(store: Store, scope: Scope, branch_id: str) -> None:
    """Decisions as the page's controls write them."""
    visible = store.memories.visible(scope, branch_id)
    facts = list(store.memories.get(scope, visible.of_kinds((Kind.FACT,)).ids).values())
    pinned, excluded, edited = facts[:3]
    erased = next(f for f in facts if "Biscuit 16" in f.text or "Biscuit 18" in f.text)  # the only one of these words
    with store.database.write() as connection:
        connection.execute("UPDATE memory SET pinned = 1 WHERE id = ?", (pinned.id,))
        connection.execute("UPDATE memory SET excluded = 1 WHERE id = ?", (excluded.id,))
        connection.execute(
            "UPDATE memory SET origin = 'user', text = ?, text_sha256 = ? WHERE id = ?",
            ("Ann is a potter.", sha256("Ann is a potter."), edited.id),
        )
        words = "UPDATE memory_fts SET words = ? WHERE rowid = (SELECT ordinal FROM memory WHERE id = ?)"
        connection.execute(words, (index_text("Ann is a potter."), edited.id))
        connection.execute(words, ("", erased.id))
        connection.execute("UPDATE memory SET status = 'deleted', text = '', text_sha256 = '', payload = '{}' WHERE id = ?", (erased.id,))
        for memory, action, content in (
            (pinned, "pin", ""),
            (excluded, "exclude", ""),
            (edited, "edit", "Ann is a potter."),
            (erased, "tombstone", ""),
        ):
            connection.execute(
                """INSERT INTO user_edit (user_id, chat_id, memory_id, action, content, content_sha256, message_id, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, 1714600000000)""",
                (scope.user_id, scope.chat_id, memory.id, action, content, sha256(memory.text), memory.sources[-1].message_id),
            )
        connection.execute("UPDATE chat SET structure = structure + 1, version = version + 1 WHERE id = ?", (scope.chat_id,))
    store.memories.forget(scope, facts[4].sources[-1].message_id, [facts[5].id], round_number=9)


def _receipts(memory: Memory, scope: Scope, branch_id: str) -> None:
    recall = memory.engine.recall(scope, branch_id, Cue("Where do I live?", 30))
    prompt = [["system", "You are Nell."], ["user", "Where do I live? </script>"]]
    body: dict[str, object] = {
        "query": "Where do I live?",
        "recipe": recall.recipe,
        "model": "scripted",
        "embedder": "e5",
        "degraded": "",
        "recall_ms": 12.5,
        "first_token_ms": None,
        "candidates": [
            {
                "memory_id": c.memory_id,
                "dense": c.dense,
                "sparse": c.sparse,
                "context": None,
                "fused": c.fused,
                "effect": "",
                "delivered": True,
                "reason": "",
            }
            for c in recall.candidates[:5]
        ],
        "pinned": list(recall.pinned),
        "sections": [{"name": "card", "tokens": 300, "items": 1}],
        "first_round": 3,
        "prompt": prompt,
        "sha256": prompt_hash(prompt),
        "tail": len(prompt[-1][1]),
        "window": 4_096,
        "reply": 512,
    }
    newest = memory.store.chats.path(scope, branch_id, limit=4)
    body["sources"] = ["", newest[-1].revision.id]
    for message in newest:
        if message.role.value != "user":
            memory.store.receipts.add(scope, message_id=message.id, revision_id=message.revision.id, body=body)
    memory.store.receipts.add(scope, message_id=newest[-1].id, revision_id=None, body=body)


# Comparing


def rows_of(database: Path, chat_id: str) -> dict[str, list[tuple[object, ...]]]:
    """Every row of a chat, without what counts rows or says when something is due here; JSON as JSON."""
    connection = sqlite3.connect(database)
    connection.row_factory = sqlite3.Row
    found = {
        table: connection.execute(f"SELECT * FROM {table} WHERE {'id' if table == 'chat' else 'chat_id'} = ?", (chat_id,)).fetchall()
        for table in TABLES
    }
    for table, whole in PARTS.items():
        found[table] = connection.execute(
            f"SELECT p.* FROM {table} p JOIN {whole} w ON w.id = p.{whole}_id WHERE w.chat_id = ?", (chat_id,)
        ).fetchall()
    found["memory_fts"] = connection.execute(
        "SELECT f.scope, f.words, m.id FROM memory_fts f JOIN memory m ON m.ordinal = f.rowid WHERE m.chat_id = ? AND m.status <> 'deleted'",
        (chat_id,),
    ).fetchall()
    found["task"] = [r for r in found["task"] if r["kind"] != "index"]
    connection.close()
    return {table: sorted(_row(table, row) for row in rows) for table, rows in found.items()}


def _row(table: str, row: sqlite3.Row) -> tuple[object, ...]:
    left_out = {"version", "structure"} if table == "chat" else {"ordinal"} if table == "memory" else set()
    if table in ("forgetting_event", "user_edit", "undo_log", "task"):
        left_out.add("id")
    if table == "task":
        left_out |= {"not_before", "leased_until", "error", "attempts", "rank"}
        left_out |= {"key"} if row["kind"] == "mend" else set()
    values = []
    for key in row.keys():  # noqa: SIM118 - a Row's own keys
        if key not in left_out:
            value = row[key]
            if isinstance(value, str) and value[:1] in ("{", "["):
                value = json.dumps(json.loads(value), sort_keys=True)
            values.append(repr(value))
    return tuple(values)


def panels(memory: Memory, scope: Scope) -> dict[str, object]:
    """What a person and recall see of every branch, without ids: words, kinds, scores, pins."""
    shown: dict[str, object] = {}
    for branch in memory.store.branches.all(scope):
        seen = memory.store.memories.visible(scope, branch.id)
        lost = memory.store.memories.forgotten(scope, branch.id)
        scores = memory.engine.scored(scope, branch.id, current_round=40)
        found = memory.store.memories.get(scope, (*seen.ids, *lost.ids))
        shown[branch.name] = (
            [(found[i].kind, found[i].text, round(scores[i].value, 12), i in seen.pinned, i in seen.excluded) for i in seen.ids],
            sorted(found[i].text for i in lost.ids),
            [m.text for m in memory.store.chats.path(scope, branch.id, limit=500)],
            repr([(p.lines, p.span) for p in memory.engine.overview.story(scope, branch.id, current_round=38).chapters]),
            [(e.key.name, [v.text for v in e.values]) for e in memory.engine.overview.sketch(scope, branch.id)],
            [
                (i.memory.text, [f.text for f in i.facts], i.forgotten)
                for i in memory.engine.overview.insights(scope, branch.id, current_round=40)
            ],
            [
                (c.fused, found[c.memory_id].text)
                for c in memory.engine.recall(scope, branch.id, Cue("Where do I live?", 30)).candidates[:9]
            ],
        )
    return shown
