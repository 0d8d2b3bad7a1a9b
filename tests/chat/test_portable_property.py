"""Whatever small tree is made of a conversation: its bundle is the same chat elsewhere, and a copy here."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.cast import enrol_built_in
from chat.portable import Portable
from errors import KeepsakeError
from memory.episodes import episode_of
from storage.folder import DataFolder
from storage.records import Effect, Kind, NewWording, RecallEvent, stable_id
from storage.scope import LOCAL_USER, Scope
from storage.store import Store
from storage.wall import zone_of
from tests.chat.portable_story import rows_of
from tests.conftest import OpenChat, open_chat

STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ("say", "say", "reword", "swipe", "delete", "cut", "hide", "fork", "switch", "undo", "redo", "restore", "remember")
        ),
        st.integers(0, 30),
    ),
    min_size=1,
    max_size=25,
)


def _do(chat: OpenChat, number: int, step: str, pick: int) -> None:
    """One step of a person, on the active branch."""
    store, scope = chat.store, chat.scope
    branch = store.chats.chat(scope).branch_id
    here = OpenChat(store, scope, branch)
    path = store.chats.path(scope, branch, limit=100)
    if step == "say" or not path:
        zone = zone_of((0, 480, -300, 330, 840, -840)[pick % 6])
        here.say(f"said {number}", f"answer {number}" if pick % 3 else None, number=number, zone=zone)
        return
    message = path[pick % len(path)]
    match step:
        case "reword":
            store.tree.reword(scope, branch, message.id, NewWording(f"otherwise {number}", "model"), operation="regenerate")
        case "swipe":
            store.tree.swipe(scope, branch, message.id, pick % len(store.tree.wordings(scope, message.id)))
        case "delete":
            store.tree.delete(scope, branch, message.id)
        case "cut":
            store.tree.delete_from(scope, branch, message.id)
        case "hide":
            store.tree.hide(scope, branch, message.id)
        case "fork":
            store.branches.fork(scope, branch, message.id, f"branch {number}", operation="branch" if pick % 2 else "checkpoint")
        case "switch":
            branches = store.branches.all(scope)
            store.branches.switch(scope, branches[pick % len(branches)].id)
        case "undo":
            store.tree.undo(scope)
        case "redo":
            store.tree.redo(scope)
        case "restore":
            items = store.bin.items(scope, branch)
            store.bin.restore(scope, items[pick % len(items)].id if items else "none")
        case "remember":
            episode = episode_of(scope.chat_id, [m for m in path if m.round == message.round][::-1])
            by_hand = replace(
                episode, id=secrets.token_hex(16), kind=Kind.FACT, text=f"fact {number}", derivation_key=secrets.token_hex(16)
            )
            key = stable_id("insight", number)
            on = replace(
                episode,
                id=stable_id("memory", scope.chat_id, key, by_hand.id),
                kind=Kind.INSIGHT,
                derivation_key=key,
                grounds=(by_hand.id,),
            )
            store.memories.add(scope, [episode, by_hand, replace(on, slot="s", slot_rank=f"{number:04d}|{by_hand.id}")])
            if not store.memories.has_events(scope, message.id):
                store.memories.record_events(scope, message.id, [RecallEvent(by_hand.id, message.round, Effect.REINFORCED)])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_any_tree_comes_through(store: Store, tmp_path: Path, steps: list[tuple[str, int]]) -> None:
    enrol_built_in(store)
    chat = open_chat(store)
    with store.database.write() as connection:
        connection.execute("UPDATE chat SET character_id = 'builtin:nell-garrow' WHERE id = ?", (chat.scope.chat_id,))
    for number, (step, pick) in enumerate(steps):
        try:
            _do(chat, number, step, pick)
        except KeepsakeError:
            continue  # nothing to undo, nothing in the bin
    chat_id = chat.scope.chat_id
    bundle = Portable(store).export(LOCAL_USER, chat_id)
    other = Store(DataFolder(tmp_path / secrets.token_hex(8)), durable=False)
    other.chats.ensure_user(LOCAL_USER, "")
    enrol_built_in(other)
    assert Portable(other).load(LOCAL_USER, bundle) == chat_id
    assert rows_of(other.folder.database, chat_id) == rows_of(store.folder.database, chat_id)
    copy = Portable(store).load(LOCAL_USER, bundle)
    mine, theirs = rows_of(store.folder.database, chat_id), rows_of(store.folder.database, copy)
    assert {t: len(rows) for t, rows in mine.items()} == {t: len(rows) for t, rows in theirs.items()}
    assert chat_id not in json.dumps(theirs)
    assert _seen(store, copy) == _seen(store, chat_id)
    while _undone(store, chat_id) and _undone(store, copy):
        assert _seen(store, copy) == _seen(store, chat_id)
    assert store.tree.undoable(Scope.of(LOCAL_USER, copy)) == store.tree.undoable(chat.scope)
    other.close()


def _undone(store: Store, chat_id: str) -> bool:
    try:
        store.tree.undo(Scope.of(LOCAL_USER, chat_id))
    except KeepsakeError:
        return False
    return True


def _seen(store: Store, chat_id: str) -> object:
    """Every branch as it reads, with what is visible of its memory, the bin, and the active one."""
    scope = Scope.of(LOCAL_USER, chat_id)
    active = store.chats.chat(scope).branch_id
    shown = []
    for branch in store.branches.all(scope):
        visible = store.memories.visible(scope, branch.id)
        found = store.memories.get(scope, visible.ids)
        path = store.chats.path(scope, branch.id, limit=200)
        items = store.bin.items(scope, branch.id)
        shown.append(
            (
                branch.name,
                branch.id == active,
                [(m.text, m.hidden, m.revision.ordinal) for m in path],
                [(found[i].kind, found[i].text) for i in visible.ids],
                sorted((i.kind, len(store.bin.tail(scope, i))) for i in items),
                sorted((e.round, e.effect.value) for e in store.memories.events(scope, branch.id)),
            )
        )
    return shown
