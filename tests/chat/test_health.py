"""How the house stands is told as it is, and what is the house's own to whoever runs it alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chat.health import HealthLooks
from models.reach import Destination, Reach
from storage.backup import Backups
from storage.errors import NotFound
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk
from tests.ui.served import Served, another, first_admin, served
from ui import health_values


def test_it_says_what_is_done_what_failed_and_what_is_kept(talk: Talk) -> None:
    talk.say("My name is Mara.", "Noted.")
    talk.remembered()
    health, store = talk.house.service.health, talk.house.memory.store
    view = health.look(LOCAL_USER, talk.chat_id)
    assert (view.waiting, view.running, view.failed, view.reindexing) == (0, 0, 0, None)
    assert view.memories == len(store.memories.visible(talk.scope, talk.branch_id).ids) > 0
    assert [(m.what, m.reach) for m in view.models] == [("replies", "here")]
    assert view.files is not None
    assert view.files.database_bytes >= store.folder.database.stat().st_size
    assert view.files.index_bytes > 0
    assert (view.files.backup_at, view.files.backups) == (None, 0)
    made = Backups(store.folder, keep=2).make()
    assert made is not None
    after = health.look(LOCAL_USER, talk.chat_id).files
    assert after is not None
    assert (after.backup_at, after.backup_bytes, after.backups) == (made.made_at, made.bytes, 1)
    with store.database.write() as connection:
        connection.execute("UPDATE task SET state = 'failed', error = 'nonsense' WHERE id = (SELECT max(id) FROM task)")
    broken = health.look(LOCAL_USER, talk.chat_id)
    assert broken.failed == 1
    assert "nonsense" in broken.last_error
    value, again = (health_values.health("c", view) for _ in range(2))
    assert value == again
    assert health_values.health("c", broken)["mark"] != value["mark"]
    with pytest.raises(NotFound):
        health.look("stranger", talk.chat_id)


def test_what_leaves_is_told_by_host(talk: Talk) -> None:
    service = talk.house.service.health
    household = replace(
        service._household,
        replies=lambda: Destination(Reach.ELSEWHERE, "api.example.com"),
        memory=lambda: Destination(Reach.NETWORK, "gpu"),
    )
    looks = HealthLooks(talk.house.memory.store, talk.house.memory.engine, household, status=service._status)
    told = health_values.health("c", looks.look(LOCAL_USER, talk.chat_id))
    assert [(m["what"], m["reach"], m["host"]) for m in told["models"]] == [
        ("replies", "elsewhere", "api.example.com"),
        ("memory", "network", "gpu"),
    ]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("health")) as opened:
        yield opened


def test_where_there_are_accounts_the_disk_is_an_admins_business(house: Served, tmp_path: Path) -> None:
    ada = first_admin(house)
    ben = another(house, ada)
    service = house.house.service
    for who, sees in ((ada, True), (ben, False)):
        chat_id = service.create(who.user_id, "builtin:nell-garrow")
        assert (service.health.look(who.user_id, chat_id).files is not None) is sees
        assert str(tmp_path.parent) not in str(service.health.look(who.user_id, chat_id)), "no folder is named"
