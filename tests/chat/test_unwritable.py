"""A house whose data folder cannot be written: it opens for reading, says so, and goes on where that has changed."""

from __future__ import annotations

import errno
import threading
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from chat.assembly import open_house
from errors import KeepsakeError
from models.scripted import ScriptedModel
from storage.errors import StorageDamaged, StorageFull, StorageReadOnly
from storage.scope import LOCAL_USER
from tests.chat.conftest import TOLD, Talk, house_settings
from tests.storage.test_database import break_table, deny_writing
from tests.ui.test_page import painter
from tests.waiting import PATIENCE_S, until
from ui.monitoring import Monitoring


def health(talk: Talk) -> httpx.Response:
    return TestClient(Starlette(routes=Monitoring(talk.house.service, metrics=False).routes())).get("/health")


def closed_index(folder: Path) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("why", "error", "code"), [(errno.ENOSPC, StorageFull, "storage_full"), (errno.EROFS, StorageReadOnly, "storage_read_only")]
)
def test_it_is_read_and_searched_says_so_and_goes_on_without_a_restart(
    tmp_path: Path, why: int, error: type[KeepsakeError], code: str
) -> None:
    settings, model = house_settings(tmp_path / "data"), ScriptedModel()
    house = open_house(settings, model=model)
    house.start(worker=True)
    talk = Talk(house, model, house.service.create(LOCAL_USER, "builtin:nell-garrow"))
    for line in TOLD:
        talk.say(line, "Noted.")
    talk.remembered()
    before = talk.texts()
    house.close()
    index = sorted(path.name for path in house.memory.store.folder.index.iterdir())
    with pytest.MonkeyPatch.context() as denied:
        deny_writing(denied, why)
        denied.setattr("storage.index._client_of", closed_index)
        house = open_house(settings, model=model)
        house.start(worker=True)
        talk = Talk(house, model, talk.chat_id, sent=talk.sent)
        assert talk.texts() == before
        found = house.service.search.find(LOCAL_USER, "walnuts")
        assert found.messages
        assert found.memories
        assert house.service.unwritable() == code
        told = health(talk)
        assert (told.status_code, told.json()["ready"], told.json()["storage"]) == (200, True, code)
        with pytest.raises(error):
            talk.send("Does it go on?")
        house.upkeep.look_for_room()
        assert house.service.unwritable() == code
        assert sorted(path.name for path in house.memory.store.folder.index.iterdir()) == index, "it was not taken for damaged"
    house.upkeep.look_for_room()
    assert health(talk).json()["storage"] is None
    talk.say("What must I not eat?", "Walnuts.")
    assert talk.texts()[-2:] == ["What must I not eat?", "Walnuts."]
    until(lambda: not house.memory.index.gone)
    house.close()


def test_damage_that_is_found_while_it_runs_is_shown_and_nothing_more_is_acknowledged(tmp_path: Path) -> None:
    settings, model = house_settings(tmp_path / "data"), ScriptedModel()
    house = open_house(settings, model=model)
    talk = Talk(house, model, house.service.create(LOCAL_USER, "builtin:nell-garrow"))
    talk.say("My sister Imke keeps bees in Norden.", "Noted.")
    before = talk.texts()
    house.close()
    house = open_house(settings, model=model)
    try:
        talk = Talk(house, model, talk.chat_id, sent=talk.sent)
        assert house.service.unwritable() == ""
        assert house.memory.store.database.checkpoint()
        break_table(house.memory.store.folder.database, "task")
        house.memory.store.database._edition += 1  # as another thread's connection, which has nothing of that page in its memory
        told = health(talk)
        assert (told.status_code, told.json()["ready"], told.json()["storage"]) == (503, False, "storage_damaged")
        assert told.json()["last_error"] == "storage_damaged"
        assert house.service.unwritable() == "storage_damaged"
        paint = painter(talk)
        assert paint.shelf(LOCAL_USER)[paint.surfaces.shelf]["storage"] == "storage_damaged"
        house.start(worker=True)
        assert talk.texts() == before, "what can be read is read"
        with pytest.raises(StorageDamaged):
            talk.send("Does it go on?")
        house.upkeep.look_for_room()
        assert house.service.unwritable() == "storage_damaged"
    finally:
        house.close()
    with pytest.raises(StorageDamaged, match="table task"):
        open_house(settings, model=model)


def test_damage_that_the_look_at_a_large_file_finds_late_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def slow(path: Path) -> str:
        go_on.wait(PATIENCE_S)
        return "table message: broken"

    monkeypatch.setattr("storage.checking.page_fault", slow)
    monkeypatch.setattr("storage.checking.check_pages.__kwdefaults__", {"waited_s": 0.0})
    house = open_house(house_settings(tmp_path / "data"), model=ScriptedModel())
    assert house.service.unwritable() == ""
    go_on.set()
    until(lambda: house.service.unwritable() == "storage_damaged")
    house.close()
