"""A house whose data folder cannot be written: it opens for reading, says so, and goes on where that has changed."""

from __future__ import annotations

import errno
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from chat.assembly import open_house
from errors import KeepsakeError
from models.scripted import ScriptedModel
from storage.errors import StorageFull, StorageReadOnly
from storage.scope import LOCAL_USER
from tests.chat.conftest import TOLD, Talk, house_settings
from tests.storage.test_database import deny_writing
from tests.waiting import until
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
