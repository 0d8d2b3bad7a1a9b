"""The two file addresses: what they give, to whom, and what they leave behind. Over a real house, short of a browser."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import Message

import chat.arrivals
import chat.transfers
from chat.arrivals import MOST
from chat.errors import ExportGone, ImportNoRoom, ImportRunning
from chat.transfers import MOST_WAITING
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, talk
from tests.ui.asking_as import asked_by, awaited
from tests.ui.test_page import painter
from tests.waiting import PATIENCE_S
from ui.headers import SafeHeaders
from ui.heavy import MOST_EXPORTS
from ui.many_characters import ManyAtOnce
from ui.painter import Painter
from ui.transfers import EXPORTS, IMPORTS, Exports, routes

__all__ = ["talk"]

OURS = {"host": "127.0.0.1:7860"}


@pytest.fixture
def app(talk: Talk) -> Starlette:
    return Starlette(routes=routes(talk.house.service), **SafeHeaders.app_options())


@pytest.fixture
def client(app: Starlette) -> Iterator[TestClient]:
    with ThreadPoolExecutor(1) as alone:  # the browser tests keep Playwright's event loop in the main thread
        yield alone.submit(TestClient, app, headers=OURS).result()


def left_over(talk: Talk) -> list[Path]:
    folder = talk.house.memory.store.folder
    return [path for place in (folder.exports, folder.imports) if place.is_dir() for path in place.iterdir()]


def ticket_of(talk: Talk) -> dict[str, Any]:
    paint = painter(talk)
    return exported(paint, asked_by(), of=talk.chat_id)[paint.surfaces.portable]


def exported(paint: Painter, request: gr.Request, **said: str) -> dict[Any, dict[str, Any]]:
    return awaited(Exports(paint).export(gr.EventData(None, said), request))


def bundle(talk: Talk) -> bytes:
    made = talk.house.service.transfers.export(LOCAL_USER, talk.chat_id)
    raw = made.path.read_bytes()
    made.discard()
    return raw


def answer(response: Any) -> dict[str, Any]:
    """The last line."""
    found: dict[str, Any] = json.loads(response.text.splitlines()[-1])
    return found


def test_a_chat_is_fetched_once_and_leaves_nothing_behind(talk: Talk, client: TestClient) -> None:
    talk.house.service.conversations.rename(LOCAL_USER, talk.chat_id, "../雾 “bell”\r\nX: y")
    value = ticket_of(talk)
    address = f"{EXPORTS}/{value['ticket']}"
    assert client.head(address).status_code == 405
    got = client.get(address)
    assert got.status_code == 200
    assert len(got.content) == value["size"]
    assert json.loads(got.text.splitlines()[0])["chat"] == talk.chat_id
    assert value["name"] == "雾-bell-X-y.keepsake.jsonl"
    assert got.headers["content-disposition"].startswith("attachment; filename*=utf-8''%E9%9B%BE-bell")
    assert (got.headers["cache-control"], got.headers["cross-origin-resource-policy"]) == ("no-store", "same-origin")
    assert left_over(talk) == []
    again = client.get(address)
    assert again.status_code == 404
    assert "Export the conversation again" in again.text


@pytest.mark.parametrize("ticket", ["", "x", "../../keepsake.db", "..%2f..%2fkeepsake.db", "%00", "a" * 5000])
def test_a_ticket_is_no_path(talk: Talk, client: TestClient, ticket: str) -> None:
    assert client.get(f"{EXPORTS}/{ticket}").status_code in (404, 405)


def test_a_ticket_is_of_one_user(talk: Talk) -> None:
    transfers = talk.house.service.transfers
    made = transfers.export(LOCAL_USER, talk.chat_id)
    with pytest.raises(ExportGone):
        transfers.fetch("somebody", made.ticket)
    assert transfers.fetch(LOCAL_USER, made.ticket) == made


def test_what_is_erased_is_erased_from_files_that_wait(talk: Talk) -> None:
    talk.say("The password is heliotrope.")
    made = talk.house.service.transfers.export(LOCAL_USER, talk.chat_id)
    assert b"heliotrope" in made.path.read_bytes()
    talk.house.service.conversations.erase(LOCAL_USER, talk.chat_id)
    assert left_over(talk) == []
    with pytest.raises(ExportGone):
        talk.house.service.transfers.fetch(LOCAL_USER, made.ticket)


def test_files_that_nobody_fetched_go_and_a_fresh_one_stays(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    talk.house.service.transfers.export(LOCAL_USER, talk.chat_id)
    talk.house.upkeep.clear_exports()
    assert len(left_over(talk)) == 1
    monkeypatch.setattr("chat.upkeep.KEPT_S", -1)
    talk.house.upkeep.clear_exports()
    assert left_over(talk) == []


def test_of_what_nobody_fetches_only_the_newest_files_of_each_wait(talk: Talk) -> None:
    transfers = talk.house.service.transfers
    others = transfers.offer("somebody", "card.json", b"{}")
    made = [transfers.export(LOCAL_USER, talk.chat_id) for _ in range(MOST_WAITING + 2)]
    assert [one.path.exists() for one in (others, *made)] == [True, False, False] + [True] * MOST_WAITING
    with pytest.raises(ExportGone):
        transfers.fetch(LOCAL_USER, made[0].ticket)
    assert transfers.fetch(LOCAL_USER, made[2].ticket) == made[2]


def test_so_many_exports_of_one_person_are_written_and_the_next_is_told_to_wait(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    paint, go, write = painter(talk), threading.Event(), talk.house.service.transfers.export

    def slow(*args: Any) -> Any:
        assert go.wait(PATIENCE_S)
        return write(*args)

    monkeypatch.setattr(talk.house.service.transfers, "export", slow)
    talk.house.memory.store.chats.ensure_user("somebody", "")

    async def walk() -> None:
        def ask(request: gr.Request, **said: str) -> asyncio.Future[Any]:
            return asyncio.ensure_future(Exports(paint).export(gr.EventData(None, said), request))

        under_way = [ask(asked_by(), of=talk.chat_id) for _ in range(MOST_EXPORTS)]
        await asyncio.sleep(0)
        refused = (await ask(asked_by(), of="", form="everything"))[paint.surfaces.banner]
        cards = await ManyAtOnce(paint).many(gr.EventData(None, {"token": "t", "operation": "export"}), asked_by())
        assert refused["code"] == cards[paint.surfaces.characters]["error"]["code"] == "exports_running"
        assert (await ask(asked_by("somebody"), of="", form="everything"))[paint.surfaces.portable]["ticket"], "nobody else waits for them"
        go.set()
        assert all([(await one)[paint.surfaces.portable]["ticket"] for one in under_way])
        assert (await ask(asked_by(), of=talk.chat_id))[paint.surfaces.portable]["ticket"]

    awaited(walk())


def test_another_page_can_neither_fetch_nor_bring(talk: Talk, client: TestClient) -> None:
    raw, value = bundle(talk), ticket_of(talk)
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "http://evil.example"}, {"host": "evil.example:7860"}):
        assert client.post(IMPORTS, content=raw, headers=headers).status_code == 403
    for headers in ({"sec-fetch-site": "cross-site"}, {"host": "evil.example:7860"}):
        assert client.get(f"{EXPORTS}/{value['ticket']}", headers=headers).status_code == 403
    assert len(talk.house.service.chats(LOCAL_USER)) == 1
    assert client.get(IMPORTS).status_code == 405
    assert client.get(f"{EXPORTS}/{value['ticket']}").status_code == 200


def test_a_bundle_comes_in_beside_its_chat_and_itself_where_that_is_gone(talk: Talk, client: TestClient) -> None:
    talk.say("My name is Mara.", "Noted.")
    raw = bundle(talk)
    first = answer(client.post(IMPORTS, content=raw))
    assert first["copy"] is True
    assert first["chat"] != talk.chat_id
    talk.house.service.conversations.erase(LOCAL_USER, talk.chat_id)
    assert answer(client.post(IMPORTS, content=raw)) == {"chat": talk.chat_id, "copy": False}
    assert talk.texts()[1:] == ["My name is Mara.", "Noted."]
    assert left_over(talk) == []


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda raw: b"hello\n" + raw, "content"),
        (lambda raw: b"", "content"),
        (lambda raw: raw[: len(raw) // 2], "cut"),
        (lambda raw: raw.replace(b'"version":1', b'"version":2', 1), "newer"),
        (lambda raw: raw.replace(b"Toll", b"Roll"), "content"),
        (lambda raw: raw.replace(b'"made_at":1', b'"made_at":2', 1), "damaged"),
        (lambda raw: raw + b"\n", "damaged"),
    ],
)
def test_what_is_no_bundle_is_refused_with_its_kind(talk: Talk, client: TestClient, change: Any, kind: str) -> None:
    error = answer(client.post(IMPORTS, content=change(bundle(talk))))["error"]
    assert (error["code"], error["params"]["kind"]) == ("import_refused", kind)
    assert error["params"]["reason"]
    assert len(talk.house.service.chats(LOCAL_USER)) == 1
    assert left_over(talk) == []


def test_no_more_is_taken_than_may_be_and_fits(talk: Talk, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = bundle(talk)
    monkeypatch.setattr(chat.transfers, "MAX_BYTES", len(raw) - 1)
    for headers in ({}, {"content-length": ""}):  # told beforehand, and found while it comes
        content: Any = iter([raw[:9], raw[9:]]) if headers else raw
        assert answer(client.post(IMPORTS, content=content))["error"]["params"]["kind"] == "large"
    monkeypatch.undo()
    monkeypatch.setattr(chat.arrivals, "RESERVE_BYTES", 2**60)
    assert answer(client.post(IMPORTS, content=raw))["error"]["code"] == "import_no_room"
    monkeypatch.undo()
    free = iter([2**40, 2**20])
    monkeypatch.setattr(chat.arrivals.shutil, "disk_usage", lambda folder: SimpleNamespace(free=next(free)))
    assert answer(client.post(IMPORTS, content=iter([raw])))["error"]["code"] == "import_no_room", (
        "that no size was announced fills no disk"
    )
    monkeypatch.undo()
    assert "chat" in answer(client.post(IMPORTS, content=raw))
    assert left_over(talk) == []


def test_one_file_of_each_comes_in_at_a_time(talk: Talk, client: TestClient) -> None:
    first = talk.house.service.transfers.incoming(LOCAL_USER, 10)
    with pytest.raises(ImportRunning):
        talk.house.service.transfers.incoming(LOCAL_USER, 10)
    assert answer(client.post(IMPORTS, content=b"x"))["error"]["code"] == "import_running"
    others = [talk.house.service.transfers.incoming(f"another-{number}", 10) for number in range(MOST - 1)]
    with pytest.raises(ImportRunning):
        talk.house.service.transfers.incoming("one too many", 10)
    first.close()
    assert answer(client.post(IMPORTS, content=b"x"))["error"]["code"] == "import_refused", "others' slow files keep nobody out"
    for other in others:
        other.close()


def test_what_several_announce_must_have_room_together(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    transfers = talk.house.service.transfers
    monkeypatch.setattr(chat.arrivals.shutil, "disk_usage", lambda folder: SimpleNamespace(free=chat.arrivals.RESERVE_BYTES + 250))
    first = transfers.incoming(LOCAL_USER, 100)
    with pytest.raises(ImportNoRoom):
        transfers.incoming("another", 100)
    first.close()
    transfers.incoming("another", 100).close()


@pytest.mark.parametrize("when", ["sending", "reading"])
def test_a_page_that_goes_away_takes_the_import_back(talk: Talk, app: Starlette, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    raw = bundle(talk)
    reading = threading.Event()

    def slowly(stream: object, *, look: Any) -> None:
        reading.set()
        while True:
            time.sleep(0.01)
            look(0)

    monkeypatch.setattr("chat.portable.Checked", slowly)
    pieces: list[Message] = [{"type": "http.request", "body": raw[:100], "more_body": True}]
    pieces.append({"type": "http.disconnect"} if when == "sending" else {"type": "http.request", "body": raw[100:], "more_body": False})

    async def receive() -> Message:
        if pieces:
            return pieces.pop(0)
        await asyncio.to_thread(reading.wait)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        pass

    path = IMPORTS
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"", "headers": [], "root_path": ""}
    with ThreadPoolExecutor(1) as alone:
        alone.submit(asyncio.run, app(scope, receive, send)).result()
    assert reading.is_set() == (when == "reading")
    assert len(talk.house.service.chats(LOCAL_USER)) == 1
    assert left_over(talk) == []
    talk.house.service.transfers.incoming(LOCAL_USER, 10).close()


def test_a_start_removes_what_a_crash_left(talk: Talk, tmp_path: Path) -> None:
    from chat.assembly import open_memory
    from tests.chat.conftest import house_settings

    folder = talk.house.memory.store.folder
    other = tmp_path / "crashed"
    for name in (folder.exports, folder.imports):
        lost = other / name.relative_to(folder.root) / "ab"
        lost.mkdir(parents=True)
        (lost / "x").write_text("private", encoding="utf-8")
    open_memory(house_settings(other)).close()
    assert [p for p in other.rglob("*") if p.name == "x"] == []


def test_the_page_is_told_what_an_archive_has_not(talk: Talk) -> None:
    talk.say("I live in Porto.", "Noted.")
    with talk.house.memory.store.database.write() as connection:
        connection.execute("""UPDATE undo_log SET forward = '{"cut' WHERE chat_id = ?""", (talk.chat_id,))
    paint = painter(talk)
    value = exported(paint, asked_by(), of="", form="everything")[paint.surfaces.portable]
    (missing,) = value["left_out"]
    assert (missing["kind"], missing["why"]["code"]) == ("conversations", "export_failed")
    assert value["name"].endswith(".zip")
    assert ticket_of_whole(talk)["left_out"] == []


def ticket_of_whole(talk: Talk) -> dict[str, Any]:
    """The archive of somebody who has nothing."""
    talk.house.memory.store.chats.ensure_user("somebody", "")
    paint = painter(talk)
    return exported(paint, asked_by("somebody"), of="", form="everything")[paint.surfaces.portable]
