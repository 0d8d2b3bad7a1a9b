"""A conversation of several as a file and back: who spoke, who was there, and who knows what."""

from __future__ import annotations

import json
from pathlib import Path

from tqdm import tqdm

from chat.assembly import open_memory
from chat.cast import character_named
from chat.import_formats import read_conversations, select
from chat.importer import Cast, Importer
from chat.portable import Portable
from storage.records import Role
from storage.scope import LOCAL_USER, Scope
from tests.chat.company import MOTH, NELL, company
from tests.chat.conftest import Talk, house_settings
from tests.chat.portable_story import rows_of

TRUMPET = "I buried the silver trumpet under the boathouse."


def told(talk: Talk) -> Scope:
    group = company(talk)
    group.tell("I have a grey cat called Biscuit.", "A cat.")
    group.out(MOTH)
    group.tell(TRUMPET, "That stays with me.")
    group.back(MOTH)
    group.tell("I work as a baker.", "Bread.", to=MOTH)
    group.tell("Good night.", "Good night.")
    group.remembered()
    return group.scope


def words_of(memory: object, scope: Scope, name: str) -> str:
    store = memory.store  # type: ignore[attr-defined]
    mind = scope.seen_by(name)
    seen = store.memories.on_path(mind, store.chats.chat(scope).branch_id)
    return "\n".join(sorted(m.text for m in store.memories.get(mind, seen.ids).values()))


def test_a_bundle_is_the_same_chat_elsewhere_and_a_copy_shares_nothing(talk: Talk, tmp_path: Path) -> None:
    scope = told(talk)
    here = talk.house.memory
    bundle = Portable(here.store).export(LOCAL_USER, scope.chat_id)
    copy = Portable(here.store).load(LOCAL_USER, bundle)
    other = open_memory(house_settings(tmp_path / "other"))
    try:
        assert Portable(other.store).load(LOCAL_USER, bundle) == scope.chat_id
        other.work_off()
        for name in (NELL, MOTH):
            assert words_of(other, scope, name) == words_of(here, scope, name)
            assert words_of(here, Scope.of(LOCAL_USER, copy), name) == words_of(here, scope, name)
        assert "trumpet" not in words_of(other, scope, MOTH)
        assert other.store.groups.names(scope) == (NELL, MOTH)
        before = rows_of(here.store.folder.database, scope.chat_id)
        after = rows_of(other.store.folder.database, scope.chat_id)
        for table in ("message", "memory", "recall_event", "forgetting_event"):
            assert after[table] == before[table], table
    finally:
        other.close()
    assert here.store.chats.chat(Scope.of(LOCAL_USER, copy)).members == here.store.chats.chat(scope).members


def test_lines_for_other_programs_say_who_spoke_and_come_back_with_who_was_there(talk: Talk, tmp_path: Path) -> None:
    scope = told(talk)
    here = talk.house.memory
    path = Portable(here.store).export(LOCAL_USER, scope.chat_id, form="jsonl")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][1:]
    said = [line for line in lines if line["mes"] == TRUMPET]
    assert [line["extra"]["keepsake"]["present"] for line in said] == [[NELL]]
    assert {line["name"] for line in lines if not line["is_user"] and not line["is_system"]} == {NELL, MOTH}
    assert [line["extra"]["keepsake"]["room"] for line in lines if line["is_system"]] == [[NELL], [NELL, MOTH]]
    other = open_memory(house_settings(tmp_path / "other"))
    try:
        conversation = select(read_conversations(path), user="You", character=NELL, sample=None)
        importer = Importer(other.store, conversation, Cast("You", NELL), character_id="builtin:nell-garrow", language="en")

        with tqdm(disable=True) as progress:
            importer.write(progress)
        other.work_off()
        assert other.store.groups.names(importer.scope) == (NELL, MOTH)
        assert "trumpet" in words_of(other, importer.scope, NELL)
        assert "trumpet" not in words_of(other, importer.scope, MOTH)
        moved = [m for m in other.store.chats.path(importer.scope, other.store.chats.chat(importer.scope).branch_id, limit=99) if m.room]
        assert [m.role for m in moved] == [Role.NARRATOR] * 2
    finally:
        other.close()


def test_markdown_says_who_heard_what(talk: Talk) -> None:
    scope = told(talk)
    text = Portable(talk.house.memory.store).export(LOCAL_USER, scope.chat_id, form="markdown").read_text(encoding="utf-8")
    assert f"only {NELL} heard it" in text
    assert f"*{MOTH} leaves.*" in text
    assert f"{NELL}, {MOTH} with You" in text
    plain = Portable(talk.house.memory.store).export(LOCAL_USER, scope.chat_id, form="text").read_text(encoding="utf-8")
    assert f"Narrator: {MOTH} leaves." in plain
    assert f"{NELL}: That stays with me." in plain


def test_a_group_of_another_program_comes_in_with_its_characters_who_all_were_there(talk: Talk, tmp_path: Path) -> None:
    lines = [
        {"chat_metadata": {}, "user_name": "unused", "character_name": "unused"},
        {"name": "Mara", "is_user": True, "mes": "Is anybody there?", "send_date": "2024-05-01T18:30:00.000Z"},
        {"name": "Sully", "is_user": False, "mes": "I am.", "original_avatar": "sully.png"},
        {"name": "Quill", "is_user": False, "mes": "So am I.", "original_avatar": "quill.png"},
    ]
    path = tmp_path / "group.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    conversation = select(read_conversations(path), user="Mara", character="Quill", sample=None)
    assert conversation.members == ("Sully", "Quill")
    store = talk.house.memory.store
    made = character_named(store, LOCAL_USER, "Quill", language="en")
    importer = Importer(store, conversation, Cast("Mara", "Quill"), character_id=made, language="en")
    with tqdm(disable=True) as progress:
        importer.write(progress)
    assert store.groups.names(importer.scope) == ("Quill", "Sully")
    path_there = store.chats.path(importer.scope.seen_by("Sully"), store.chats.chat(importer.scope).branch_id, limit=9)
    assert [m.speaker for m in path_there] == ["Quill", "Sully", "Mara"]
