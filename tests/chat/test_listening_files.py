"""A conversation that listens leaves as a file and comes back, is searched and erased like any other; and files with any speakers come in as one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from chat.errors import ImportNames
from chat.importer import main as importer
from chat.importing import ChatFile, Choice
from chat.portable import FORMS
from chat.transfers import Transfers
from storage.scope import LOCAL_USER, Scope
from tests.chat.conftest import Talk
from tests.chat.portable_story import panels, rows_of
from tests.chat.test_listening import NELL, TOLD, fed, hear, memories
from tests.chat.test_listening import ear as ear


def left(ear: Talk, form: str) -> bytes:
    transfers: Transfers = ear.house.service.transfers
    return transfers.export(LOCAL_USER, ear.chat_id, form).path.read_bytes()


def test_the_bundle_brings_all_of_it_and_no_token(ear: Talk, tmp_path: Path) -> None:
    hear(ear, *fed(*TOLD))
    service = ear.house.service
    service.listen_tokens.make(LOCAL_USER, ear.chat_id, name="Zanzibar")
    edition = service.listening.take_up(LOCAL_USER, ear.chat_id, edition=service.transcript(LOCAL_USER, ear.chat_id).edition)
    service.rewriting.undo(LOCAL_USER, ear.chat_id, edition=edition)
    service.end_session(LOCAL_USER, ear.chat_id)
    ear.remembered()
    bundle = tmp_path / "heard.keepsake.jsonl"
    bundle.write_bytes(left(ear, next(iter(FORMS))))
    assert b"Zanzibar" not in bundle.read_bytes()
    incoming = service.transfers.incoming(LOCAL_USER, 0)
    incoming.write(bundle.read_bytes())
    incoming.ended()
    copy = service.transfers.take(LOCAL_USER, incoming, look=lambda stage, done: None).chat_id
    incoming.close()
    database = ear.house.memory.store.folder.database
    before, after = rows_of(database, ear.chat_id), rows_of(database, copy)
    assert {t: len(rows) for t, rows in before.items() if t != "derivation"} == {
        t: len(rows) for t, rows in after.items() if t != "derivation"
    }
    view = service.transcript(LOCAL_USER, copy)
    assert view.listening is not None
    assert (view.listening.on, view.listening.feeds, view.redo) == (True, 0, "take_up")
    assert all(m.heard for m in view.messages)
    ear.house.memory.engine.reconcile()
    replace(ear, chat_id=copy).remembered()
    assert panels(ear.house.memory, Scope.of(LOCAL_USER, copy)) == panels(ear.house.memory, ear.scope)
    assert not view.messages[0].has_receipt, "the first line calls nothing up"
    receipt = service.receipt(LOCAL_USER, copy, view.messages[-1].id)
    assert receipt is not None
    assert receipt.query == TOLD[-1][1]


@pytest.mark.parametrize("form", [*FORMS][1:])
def test_as_text_every_line_has_its_speaker(ear: Talk, form: str) -> None:
    hear(ear, *fed(*TOLD))
    told = left(ear, form).decode()
    for speaker, text in TOLD:
        assert speaker in told
        assert text.split(",")[0].rstrip("?.") in told


def test_what_was_heard_is_searched(ear: Talk) -> None:
    hear(ear, *fed(*TOLD))
    found = ear.house.service.search.find(LOCAL_USER, "cello")
    assert [hit.round for hit in found.messages] == [6]


def test_erased_nothing_of_it_is_left(ear: Talk) -> None:
    hear(ear, *fed(*TOLD))
    ear.remembered()
    service = ear.house.service
    service.listen_tokens.make(LOCAL_USER, ear.chat_id, name="Zanzibar")
    service.conversations.delete(LOCAL_USER, ear.chat_id)
    service.conversations.erase_binned(LOCAL_USER, ear.chat_id)
    database = ear.house.memory.store.folder.database
    with closing(sqlite3.connect(database)) as connection:
        for table in ("message", "memory", "receipt", "recall_event", "listen_token"):
            assert connection.execute(f"SELECT count(*) FROM {table} WHERE chat_id = ?", (ear.chat_id,)).fetchone() == (0,), table


TALK = (
    "Ann: I keep bees behind the boathouse.\nBo: I sold the blue boat last week.\nCy: I play the cello.\nDi: I moved to Porto.\nEd: Nice.\n"
)


def write(folder: Path, text: str, name: str = "talk.txt") -> ChatFile:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return ChatFile(path, name)


def test_a_file_of_any_speakers_is_heard_by_a_character_of_the_readers_choice(talk: Talk, tmp_path: Path) -> None:
    file, files = write(tmp_path, TALK), talk.house.service.chat_files
    one = files.look(file).found[0]
    assert (len(one.speakers), one.heard) == (5, 4)
    arrived = files.take(LOCAL_USER, file, Choice(one.key, player="Cy", character_id=NELL, listens=True), look=lambda done, total: None)
    again = files.take(LOCAL_USER, file, Choice(one.key, player="Cy", character_id=NELL, listens=True), look=lambda done, total: None)
    assert (again.chat_id, again.there) == (arrived.chat_id, True)
    view = talk.house.service.transcript(LOCAL_USER, arrived.chat_id)
    assert [(m.name, m.role, m.round) for m in view.messages] == [
        ("Ann", "character", 1),
        ("Bo", "character", 2),
        ("Cy", "user", 3),
        ("Di", "character", 4),
        ("Ed", "character", 4),
    ]
    assert view.player is not None
    assert view.player.name == "Cy"


def test_a_diary_of_one_voice_is_heard_by_a_new_character(talk: Talk, tmp_path: Path) -> None:
    file, files = write(tmp_path, "Ann: I keep bees behind the boathouse.\nAnn: I moved to Porto.\n"), talk.house.service.chat_files
    key = files.look(file).found[0].key
    with pytest.raises(ImportNames):
        files.take(LOCAL_USER, file, Choice(key, player="Ann", listens=True), look=lambda done, total: None)
    with pytest.raises(ImportNames):
        files.take(LOCAL_USER, file, Choice(key, player="Zoe", character_name="Keeper", listens=True), look=lambda done, total: None)
    chat_id = files.take(LOCAL_USER, file, Choice(key, character_name="Keeper", listens=True), look=lambda done, total: None).chat_id
    view = talk.house.service.transcript(LOCAL_USER, chat_id)
    assert {m.role for m in view.messages} == {"character"}, "nobody is the player"
    assert talk.house.service.head(LOCAL_USER, chat_id).character_name == "Keeper"


def test_the_command_imports_as_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("KEEPSAKE_DATA_DIR", str(tmp_path / "data"))
    file = write(tmp_path, TALK)
    assert importer([str(file.path), "--listen", "--user", "Cy", "--character", "Nell Garrow"]) == 0
    assert "5 new of 5 messages" in capsys.readouterr().out
    with closing(sqlite3.connect(tmp_path / "data" / "keepsake.db")) as connection:
        assert connection.execute("SELECT count(*), sum(heard), max(round) FROM message").fetchone() == (5, 5, 4)
        assert connection.execute("SELECT settings ->> '$.listens', character_id FROM chat").fetchone() == (1, NELL)


def test_lines_go_on_behind_what_was_imported(talk: Talk, tmp_path: Path) -> None:
    file, files = write(tmp_path, TALK), talk.house.service.chat_files
    key = files.look(file).found[0].key
    chat_id = files.take(
        LOCAL_USER, file, Choice(key, player="Ann", character_id=NELL, listens=True), look=lambda done, total: None
    ).chat_id
    one = replace(talk, chat_id=chat_id)
    assert hear(one, *fed(("Ed", "Hm."))).round == 5, "an import ends its session, and with it its last round"
    one.remembered()
    assert memories(one)
