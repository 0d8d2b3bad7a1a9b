"""All that is one person's, as one archive of files that come back one by one."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from chat.assembly import House, open_house
from chat.portable import Portable
from errors import KeepsakeError
from models.scripted import ScriptedModel
from personas.cards.reading import read_card
from personas.written import Written
from storage.errors import StorageFull
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, house_settings

SECRET = "the cinnabar key"


def both(error: KeepsakeError) -> tuple[str, str]:
    return str(error), f"原因：{error.code}"


def archive(house: House, user_id: str = LOCAL_USER) -> zipfile.ZipFile:
    made, _ = house.service.everything.export(user_id, tell=both)
    fetched = house.service.transfers.fetch(user_id, made.ticket)
    content = fetched.path.read_bytes()
    assert len(content) == made.size
    fetched.discard()
    return zipfile.ZipFile(io.BytesIO(content))


def test_every_file_of_the_archive_comes_back_by_itself(talk: Talk, tmp_path: Path) -> None:
    talk.say("I live in Porto.", "Noted.")
    talk.remembered()
    service = talk.house.service
    service.conversations.rename(LOCAL_USER, talk.chat_id, "../../etc/Märchen 故事")
    book = service.lorebooks.create(LOCAL_USER, "The harbour")
    service.own_players.create(LOCAL_USER, name="Ros", description="A surveyor.", picture=None)
    service.own_characters.create(LOCAL_USER, Written(name="Ivo Brandt", language="en", description="Mends clocks."))
    found = archive(talk.house)
    assert found.testzip() is None
    names = found.namelist()
    assert all(not name.startswith("/") and ".." not in name for name in names)
    assert {name.split("/")[0] for name in names} == {"README.txt", "conversations", "characters", "lorebooks", "personas.json"}
    (bundle,) = (name for name in names if name.startswith("conversations/"))
    (card,) = (name for name in names if name.startswith("characters/"))
    assert bundle == "conversations/001-etc-Märchen-故事.keepsake.jsonl"
    portable = Portable(talk.house.memory.store)
    records = found.read(bundle).splitlines(keepends=True)
    assert records[1:-1] == list(portable.lines(LOCAL_USER, talk.chat_id))[1:-1], "but for when it was made"
    assert read_card(found.read(card)).card.name == "Ivo Brandt"
    (lore,) = (name for name in names if name.startswith("lorebooks/"))
    assert found.read(lore) == service.lorebooks.raw(LOCAL_USER, book)
    assert json.loads(found.read("personas.json")) == [{"name": "Ros", "description": "A surveyor.", "picture": ""}]
    other = open_house(house_settings(tmp_path / "other"), model=ScriptedModel())
    path = tmp_path / "one.keepsake.jsonl"
    path.write_bytes(found.read(bundle))
    assert Portable(other.memory.store).load(LOCAL_USER, path) == talk.chat_id
    assert "I live in Porto." in [m.text for m in other.service.transcript(LOCAL_USER, talk.chat_id).messages]
    other.close()


def test_nobody_gets_anything_of_anybody_else(talk: Talk) -> None:
    talk.say(f"I hid {SECRET}.", "Noted.")
    talk.house.service.own_players.create(LOCAL_USER, name="Ros", description=SECRET, picture=None)
    talk.house.memory.store.chats.ensure_user("somebody-else", "")
    foreign = archive(talk.house, "somebody-else")
    assert set(foreign.namelist()) == {"README.txt", "personas.json"}
    assert all(SECRET.encode() not in foreign.read(name) for name in foreign.namelist())


def test_what_is_in_the_bin_stays_here_and_nothing_waits_in_the_folder(talk: Talk) -> None:
    talk.house.service.conversations.delete(LOCAL_USER, talk.chat_id)
    assert not [name for name in archive(talk.house).namelist() if name.startswith("conversations/")]
    exports = talk.house.memory.store.folder.exports
    assert not exports.exists() or not list(exports.iterdir())


def damage(house: House, chat_id: str) -> None:
    """Somebody's disk lost the end of a row."""
    with house.memory.store.database.write() as connection:
        connection.execute("""UPDATE undo_log SET forward = '{"cut' WHERE chat_id = ?""", (chat_id,))


def test_what_cannot_be_written_is_named_in_both_languages_and_nothing_else_stays_behind(talk: Talk) -> None:
    talk.say(f"I hid {SECRET}.", "Noted.")
    service, broken = talk.house.service, talk.chat_id
    service.conversations.rename(LOCAL_USER, broken, "The broken one")
    whole = service.create(LOCAL_USER, service.characters()[0].id)
    service.conversations.rename(LOCAL_USER, whole, "The whole one")
    service.own_characters.create(LOCAL_USER, Written(name="Ivo Brandt", language="en", description="Mends clocks."))
    damage(talk.house, broken)
    found = archive(talk.house)
    assert found.testzip() is None
    assert {name.split("/")[0] for name in found.namelist()} == {
        "README.txt",
        "LEFT-OUT.txt",
        "conversations",
        "characters",
        "personas.json",
    }
    (bundle,) = (name for name in found.namelist() if name.startswith("conversations/"))
    assert "The-whole-one" in bundle, "no half of the broken one either"
    named = found.read("LEFT-OUT.txt").decode()
    assert "Conversation / 对话: The broken one" in named
    assert "could not be exported" in named
    assert "原因：export_failed" in named
    assert "LEFT-OUT.txt" in (about := found.read("README.txt").decode())
    assert "conversations/  1:" in about
    _, left_out = service.everything.export(LOCAL_USER, tell=both)
    assert [(one.kind, one.name, one.why.code) for one in left_out] == [("conversations", "The broken one", "export_failed")]


def test_a_card_and_a_lorebook_that_cannot_be_read_are_named_and_the_others_are_there(talk: Talk) -> None:
    service, store = talk.house.service, talk.house.memory.store
    for name in ("Ivo Brandt", "Ada Brandt"):
        service.own_characters.create(LOCAL_USER, Written(name=name, language="en", description="Mends clocks."))
    for name in ("The harbour", "The heath"):
        service.lorebooks.create(LOCAL_USER, name)
    with store.database.write() as connection:
        connection.execute("""UPDATE character SET card = '{"cut' WHERE name = 'Ivo Brandt'""")
        connection.execute("""UPDATE lorebook SET book = '{"cut' WHERE name = 'The harbour'""")
    _, left_out = service.everything.export(LOCAL_USER, tell=both)
    assert [(one.kind, one.name, one.why.code) for one in left_out] == [
        ("characters", "Ivo Brandt", "export_failed"),
        ("lorebooks", "The harbour", "export_failed"),
    ]
    names = archive(talk.house).namelist()
    assert [name for name in names if name.startswith("characters/")] == ["characters/001-Ada-Brandt.png"]
    assert [name for name in names if name.startswith("lorebooks/")] == ["lorebooks/001-The-heath.lorebook.json"]
    cards = {one.id: one.name for one in store.characters.all(LOCAL_USER)}
    _, left_out = service.everything.export_cards(LOCAL_USER, list(cards), tell=both)
    assert [one.name for one in left_out] == ["Ivo Brandt"]


def test_a_full_disk_stops_the_archive_and_leaves_nothing_half_written(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: zipfile.ZipFile, *_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    talk.say("I live in Porto.", "Noted.")
    monkeypatch.setattr(zipfile.ZipFile, "write", full)
    with pytest.raises(StorageFull):
        talk.house.service.everything.export(LOCAL_USER, tell=both)
    assert not list(talk.house.memory.store.folder.exports.iterdir())
