"""A chat as a bundle and back: nothing is lost, nothing is doubled, and a copy is a chat of its own."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chat.assembly import Memory, open_house, open_memory, open_store
from chat.importer import main as importer
from chat.portable import Portable, main, write_file
from memory.engine import INDEXED, Cue, mend_task
from models.scripted import ScriptedModel
from settings import VERSION as PROGRAM
from storage.bundle import COLUMNS
from storage.scope import LOCAL_USER, Scope
from tests.chat.conftest import Talk, house_settings
from tests.chat.portable_story import full_story, panels, rows_of


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """(data folder, chat id), to be copied."""
    folder = tmp_path_factory.mktemp("story") / "data"
    return folder, full_story(folder).chat_id


@pytest.fixture
def folder(story: tuple[Path, str], tmp_path: Path) -> Path:
    return Path(shutil.copytree(story[0], tmp_path / "data"))


def _bundle(folder: Path, chat_id: str) -> Path:
    store = open_store(house_settings(folder))
    path = Portable(store).export(LOCAL_USER, chat_id)
    store.close()
    return path


def _load(folder: Path, bundle: Path) -> str:
    store = open_store(house_settings(folder))
    chat_id = Portable(store).load(LOCAL_USER, bundle)
    store.close()
    return chat_id


def test_in_another_folder_it_is_the_same_chat_row_for_row(story: tuple[Path, str], folder: Path, tmp_path: Path) -> None:
    bundle = _bundle(folder, story[1])
    other = tmp_path / "other"
    assert _load(other, bundle) == story[1]
    before, after = rows_of(folder / "keepsake.db", story[1]), rows_of(other / "keepsake.db", story[1])
    with closing(sqlite3.connect(folder / "keepsake.db")) as connection:
        ((key,),) = connection.execute("SELECT import_key FROM chat WHERE id = ?", (story[1],)).fetchall()
    assert key, "what an import is known by does not travel: a file could lead a later import into its chat"
    before["chat"] = [tuple("None" if cell == repr(key) else cell for cell in row) for row in before["chat"]]
    assert before.pop("derivation"), "readings by rule, which whoever reads the file makes anew"
    assert after.pop("derivation") == []
    for table, rows in before.items():
        assert rows, table
        assert after[table] == rows, table
    again = _bundle(other, story[1])
    old, new = ([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] for path in (bundle, again))
    for was, now in zip(old[1:-1], new[1:-1], strict=True):
        if was["type"] == "chat":
            assert (was.pop("import_key"), now.pop("import_key", None)) == (key, None)
            assert (now.pop("version"), now.pop("structure")) == (was.pop("version") + 1, was.pop("structure") + 1)
        if was["type"] == "character":
            now.update(created_at=was["created_at"], updated_at=was["updated_at"])  # a built-in one is this folder's own
        if was["type"] == "task" and was["kind"] == "mend":
            was["key"] = now["key"]
        assert was == now


def test_a_copy_in_the_same_folder_shows_the_same_and_shares_nothing(story: tuple[Path, str], folder: Path) -> None:
    chat_id = _load(folder, _bundle(folder, story[1]))
    assert chat_id != story[1]
    before, after = rows_of(folder / "keepsake.db", story[1]), rows_of(folder / "keepsake.db", chat_id)
    del before["derivation"], after["derivation"]
    assert {t: len(rows) for t, rows in before.items()} == {t: len(rows) for t, rows in after.items()}
    ids = {
        value for table in ("message", "memory", "branch", "receipt", "revision", "bin_item") for row in before[table] for value in row[:1]
    }
    mine = json.dumps(after)
    assert not [i for i in ids if i.strip("'") in mine]
    memory = open_memory(house_settings(folder))
    try:
        memory.engine.reconcile()
        memory.work_off()
        assert panels(memory, Scope.of(LOCAL_USER, chat_id)) == panels(memory, Scope.of(LOCAL_USER, story[1]))
    finally:
        memory.close()


def test_deriving_again_makes_nothing_new_and_does_to_a_copy_what_it_does_to_the_chat(story: tuple[Path, str], folder: Path) -> None:
    copy = _load(folder, _bundle(folder, story[1]))
    memory = open_memory(house_settings(folder))
    try:
        memory.work_off()
        for chat_id in (story[1], copy):
            before = _memories(memory, chat_id)
            with memory.store.database.write() as connection:
                connection.execute("UPDATE task SET state = 'queued', attempts = 0 WHERE chat_id = ?", (chat_id,))
                connection.execute("DELETE FROM extraction WHERE chat_id = ?", (chat_id,))
            scope = Scope.of(LOCAL_USER, chat_id)
            for branch in memory.store.branches.all(scope):
                memory.store.tasks.add(scope, mend_task(branch.id, first_round=0))
            assert memory.work_off() > 70
            assert _memories(memory, chat_id) == before
        assert panels(memory, Scope.of(LOCAL_USER, copy)) == panels(memory, Scope.of(LOCAL_USER, story[1]))
    finally:
        memory.close()


def _memories(memory: Memory, chat_id: str) -> list[tuple[str, str, str]]:
    rows = memory.store.database.read().execute("SELECT id, kind, text, status FROM memory WHERE chat_id = ? ORDER BY id", (chat_id,))
    return [tuple(row) for row in rows]  # type: ignore[misc]


def test_a_bundle_holds_no_vector_no_owner_and_no_text_that_was_deleted_for_good(story: tuple[Path, str], folder: Path) -> None:
    raw = _bundle(folder, story[1]).read_text(encoding="utf-8")
    assert '"user_id"' not in raw
    assert '"vector"' not in raw
    lines = [json.loads(line) for line in raw.splitlines()]
    assert (lines[0]["format"], lines[0]["version"], lines[0]["program"]) == ("keepsake-chat", 1, PROGRAM)
    (erased,) = [m for m in lines if m["type"] == "memory" and m.get("status") == "deleted"]
    assert erased["text"] == ""
    assert erased["sha256"] == hashlib.sha256(b"").hexdigest(), "its own would tell a short text"


def _texts(value: object) -> list[str]:
    if isinstance(value, dict | list):
        return [text for item in (value.values() if isinstance(value, dict) else value) for text in _texts(item)]
    return [value] if isinstance(value, str) else []


def test_what_a_person_decided_holds_in_every_copy_and_what_they_erased_stays_away(talk: Talk, tmp_path: Path) -> None:
    service, controls = talk.house.service, talk.house.service.controls
    portable = Portable(talk.house.memory.store, wake=talk.house.memory.worker.wake)

    def told(chat_id: str) -> list[str]:
        Talk(talk.house, talk.model, chat_id).remembered()
        return sorted(m.text for m in service.memories(LOCAL_USER, chat_id, shelf="fact").memories)

    for line in ("I live in a small flat in Porto.", "I'm allergic to walnuts and to shellfish.", "My sister Ida is a nurse.", "Hm."):
        talk.say(line, "Noted.")
    (erased,) = [text for text in told(talk.chat_id) if "walnuts" in text]
    (home,) = [text for text in told(talk.chat_id) if "Porto" in text]
    ids = {word: m.id for m in service.memories(LOCAL_USER, talk.chat_id).memories for word in ("walnuts", "Ida") if word in m.text}
    controls.delete(LOCAL_USER, talk.chat_id, ids["walnuts"])
    controls.edit(LOCAL_USER, talk.chat_id, ids["Ida"], "Ida is a vet.")
    view = service.transcript(LOCAL_USER, talk.chat_id)
    message = next(m for m in view.messages if "walnuts" in m.text)
    service.rewriting.edit_in_branch(
        LOCAL_USER, talk.chat_id, message.id, "I'm allergic to walnuts and to shellfish. Oh.", edition=view.edition
    )
    talk.say("Well.", "Fine.")
    here = told(talk.chat_id)
    assert here == [home]
    bundle = tmp_path / "decided.keepsake.jsonl"
    write_file(bundle, portable.lines(LOCAL_USER, talk.chat_id))
    texts = _texts([json.loads(line) for line in bundle.read_text(encoding="utf-8").splitlines()])
    assert not [text for text in texts if erased in text or json.dumps(erased)[1:-1] in text]
    for _ in range(2):
        copy = portable.load(LOCAL_USER, bundle)
        assert told(copy) == here
        controls.rebuild(LOCAL_USER, copy)
        assert told(copy) == here
        main_line = next(b for b in service.rewriting.tree(LOCAL_USER, copy).branches if not b.parent_id)
        service.rewriting.switch(LOCAL_USER, copy, main_line.id, edition=service.transcript(LOCAL_USER, copy).edition)
        assert told(copy) == sorted(["Ida is a vet.", home])
        service.conversations.erase(LOCAL_USER, copy)
    assert told(talk.chat_id) == here


def test_every_table_of_a_chat_travels_or_is_made_anew(folder: Path) -> None:
    """A column that a later schema adds must be in the bundle, or here with the reason why not."""
    not_of_a_chat = {"user", "vector", "reranker_state", "setting", "erasure", "_sqlite_migrations", "migrations"}
    not_of_a_chat |= {"account", "login", "login_failure"}  # who may come in is a matter of the house
    not_of_a_chat.add("lorebook")  # its user's, for many conversations; docs/bundle.md says that it stays
    not_of_a_chat.add("listen_token")  # opens one conversation of this house; a copy has its own
    not_of_a_chat.add("model_use")  # what this house has spent; a copy has cost nothing
    left_out = {
        ("chat", "player_persona_id"),  # nothing writes it: which persona a chat has is among its settings
        ("chat", "deleted_at"),  # a chat in the bin is not exported
        ("task", "id"),
        ("task", "attempts"),
        ("task", "not_before"),
        ("task", "leased_until"),
        ("task", "error"),  # may tell of the machine
        ("forgetting_event", "id"),
        ("user_edit", "id"),
        ("undo_log", "id"),
    }
    store = open_store(house_settings(folder))
    connection = store.database.read()
    names = [r["name"] for r in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in names:
        if table in not_of_a_chat or table.startswith(("sqlite_", "memory_fts", "memory_terms", "message_fts", "annotation_")):
            continue
        columns = {r["name"] for r in connection.execute(f"PRAGMA table_info({table})")}
        assert columns - set(COLUMNS[table]) == {column for t, column in left_out if t == table}, table
    store.close()


def test_the_program_in_the_header_is_this_one() -> None:
    text = (Path(__file__).resolve().parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{PROGRAM}"' in text


def test_as_commands(
    story: tuple[Path, str], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEEPSAKE_DATA_DIR", str(folder))
    file = tmp_path / "story.keepsake.jsonl"
    assert main(["list"]) == 0
    assert story[1] in capsys.readouterr().out
    assert main(["export", story[1], str(file)]) == 0
    assert file.stat().st_mode & 0o077 == 0
    assert main(["export", story[1], str(file)]) == 1
    assert "there already" in capsys.readouterr().err
    assert main(["export", "0" * 32, str(tmp_path / "none")]) == 1
    assert not (tmp_path / "none").exists()
    monkeypatch.setenv("KEEPSAKE_DATA_DIR", str(tmp_path / "new"))
    assert importer([str(file)]) == 0
    assert f"chat {story[1]}" in capsys.readouterr().out
    assert main(["import", str(file)]) == 0
    copy = capsys.readouterr().out.split()[1]
    assert copy != story[1]
    # The import did open work of its chat as well, if there was time before it ended: what was exported is in the first folder.
    shown = []
    for where, chat_id in ((tmp_path / "new", copy), (folder, story[1])):
        memory = open_memory(house_settings(where))
        try:
            shown.append(panels(memory, Scope.of(LOCAL_USER, chat_id)))
        finally:
            memory.close()
    assert shown[0] == shown[1]


def test_beside_a_running_app_the_command_writes_and_the_app_fills_its_index(
    story: tuple[Path, str], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = _bundle(folder, story[1])
    house = open_house(house_settings(tmp_path / "running"), model=ScriptedModel())
    house.start(worker=True)
    try:
        monkeypatch.setenv("KEEPSAKE_DATA_DIR", str(tmp_path / "running"))
        assert main(["import", str(bundle)]) == 0
        assert "app is running" in capsys.readouterr().err
        scope = Scope.of(LOCAL_USER, story[1])
        branch_id = house.memory.store.chats.chat(scope).branch_id
        candidates = house.memory.engine.recall(scope, branch_id, Cue("What is my job?", 30)).candidates
        assert all(c.dense is not None for c in candidates)
        visible = house.memory.store.memories.visible(scope, branch_id).of_kinds(INDEXED)
        assert set(visible.ids) <= house.memory.index.ids()
        assert len(house.service.chats(LOCAL_USER)) == 1
        house.service.send(LOCAL_USER, story[1], "Hello again", token="t")
    finally:
        house.close()
