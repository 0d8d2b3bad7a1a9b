"""The addresses of character cards and their pictures, and the wish for a file. Over a real house, short of a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gradio as gr
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import chat.cards
from personas.cards.reading import read_card
from personas.pictures import is_face
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, talk
from tests.personas.cards.invented import archive, book, card_chunk, entry, picture, png, raw, v2, v3
from tests.ui.asking_as import asked_by
from tests.ui.test_page import painter
from ui.cards import CARDS, FACES, CardFiles
from ui.headers import SafeHeaders
from ui.transfers import EXPORTS, routes
from ui.values import shelf

__all__ = ["talk"]

OURS = {"host": "127.0.0.1:7860"}
HOSTILE = "<img src=x onerror=alert(1)> {{x}} ${1}"


@pytest.fixture
def client(talk: Talk) -> Iterator[TestClient]:
    app = Starlette(routes=routes(talk.house.service), **SafeHeaders.app_options())
    with ThreadPoolExecutor(1) as alone:  # the browser tests keep Playwright's event loop in the main thread
        yield alone.submit(TestClient, app, headers=OURS).result()


def listed(talk: Talk) -> list[dict[str, Any]]:
    service = talk.house.service
    own: list[dict[str, Any]] = shelf(service.chats(LOCAL_USER), service.own_characters.all(LOCAL_USER))["own"]
    return own


def test_a_card_comes_in_and_its_picture_is_a_png_of_our_own(talk: Talk, client: TestClient) -> None:
    told = client.post(CARDS, content=png(card_chunk(v2())))
    assert told.headers["cache-control"] == "no-store"
    taken = told.json()["taken"]
    assert (taken["outcome"], taken["name"], taken["report"]["form"], taken["report"]["container"]) == ("added", "Odile", "v2", "png")
    (one,) = listed(talk)
    got = client.get(f"{FACES}/{one['face']}")
    assert (got.headers["content-type"], got.headers["x-content-type-options"]) == ("image/png", "nosniff")
    assert got.headers["cross-origin-resource-policy"] == "same-origin"
    assert is_face(got.content)
    assert client.get(f"{FACES}/{one['face']}", headers={"if-none-match": got.headers["etag"]}).status_code == 304
    assert client.post(CARDS, content=png(card_chunk(v2()))).json()["taken"]["outcome"] == "same"
    newer = {**v2(), "data": {**v2()["data"], "description": "Older now."}}
    assert client.post(CARDS, content=raw(newer)).json()["taken"]["outcome"] == "named"
    updated = client.post(CARDS, params={"how": "update", "character": one["id"]}, content=raw(newer)).json()["taken"]
    assert (updated["outcome"], updated["id"]) == ("updated", one["id"])
    assert listed(talk)[0]["face"] != one["face"]  # so that no browser shows the one before
    assert len(listed(talk)) == 1


@pytest.mark.parametrize(
    ("file", "code"),
    [
        (b"", "card_unknown"),
        (b"<script>alert(1)</script>", "card_unknown"),
        (raw({**book(entry()), "entries": [{**entry(), "content": "x" * 200_001}]}), "card_too_long"),
        (picture(), "card_picture_empty"),
        (png(card_chunk(v2()))[:-30], "card_damaged"),
        (raw([v2(), v3()]), "card_several"),
        (raw({"kind": "memory", "entries": []}), "lorebook_empty"),
        (raw({**v3(), "data": {**v3()["data"], "first_mes": "x" * 200_001}}), "card_too_long"),
        (raw({**v3(), "data": {**v3()["data"], "first_mes": "x" * 4_300_000}}), "card_too_large"),
        (raw(v3())[:-1] + b',"x":' + b"[" * 200_000 + b"]" * 200_000 + b"}", "card_too_deep"),
        (archive({"../card.json": raw(v3()), "card.json": raw(v3())}), "card_archive_unsafe"),
        (archive({"/etc/passwd": b"x", "card.json": raw(v3())}), "card_archive_unsafe"),
        (archive({"card.json": raw(v3()), "bomb": b"\0" * 30_000_000}), "card_archive_unsafe"),
        (raw({**v3(), "data": {**v3()["data"], "name": "\u202e"}}), "card_nameless"),
    ],
)
def test_what_is_hostile_or_broken_is_refused_at_the_door(talk: Talk, client: TestClient, file: bytes, code: str) -> None:
    told = client.post(CARDS, content=file)
    assert (told.status_code, told.json()["error"]["code"]) == (200, code)
    assert listed(talk) == []


def test_script_in_every_field_stays_text_and_json(talk: Talk, client: TestClient) -> None:
    value = v3()
    data = value["data"]
    data |= {key: HOSTILE for key, was in data.items() if isinstance(was, str)} | {"tags": [HOSTILE], HOSTILE: {HOSTILE: HOSTILE}}
    told = client.post(CARDS, content=raw(value))
    assert told.headers["content-type"] == "application/json"
    assert HOSTILE in {note["place"].removeprefix("data.") for note in told.json()["taken"]["report"]["kept"]}
    (one,) = listed(talk)
    assert (one["name"], one["creator"], one["tags"]) == (HOSTILE, HOSTILE, [HOSTILE])


def test_no_more_is_taken_than_may_be_and_one_at_a_time(talk: Talk, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    file = png(card_chunk(v2()))
    monkeypatch.setattr(chat.cards, "MAX_BYTES", len(file) - 1)
    for content in (file, iter([file[:9], file[9:]])):  # told beforehand, and found while it comes
        assert client.post(CARDS, content=content).json()["error"]["code"] == "card_too_large"
    monkeypatch.undo()
    with talk.house.service.cards.coming(LOCAL_USER, 9):
        assert client.post(CARDS, content=file).json()["error"]["code"] == "import_running"
    assert "taken" in client.post(CARDS, content=file).json()


def test_another_page_can_neither_bring_nor_look(talk: Talk, client: TestClient) -> None:
    client.post(CARDS, content=png(card_chunk(v2())))
    (one,) = listed(talk)
    for headers in ({"sec-fetch-site": "cross-site"}, {"host": "evil.example:7860"}):
        assert client.post(CARDS, content=raw(v3()), headers=headers).status_code == 403
        assert client.get(f"{FACES}/{one['face']}", headers=headers).status_code == 403
    assert client.get(CARDS).status_code == 405
    assert len(listed(talk)) == 1


@pytest.mark.parametrize("name", ["", "x", "builtin:nell-garrow", "..%2f..%2fkeepsake.db", "%00", "a" * 5000])
def test_a_picture_is_of_a_character_and_no_path(talk: Talk, client: TestClient, name: str) -> None:
    assert client.get(f"{FACES}/{name}").status_code == 404


def test_a_character_leaves_by_a_ticket(talk: Talk, client: TestClient) -> None:
    value = {**v2(), "chat": "yesterday"}
    character = client.post(CARDS, content=png(card_chunk(value))).json()["taken"]["id"]
    paint = painter(talk)

    def ask(**said: object) -> dict[str, Any]:
        updates = CardFiles(paint).card(gr.EventData(None, {"token": "t", "character": character, **said}), asked_by())
        told: dict[str, Any] = json.loads(json.dumps({component.elem_id: shown for component, shown in updates.items()}))
        return told

    ways = ask(operation="look")["k-characters"]
    assert (ways["forms"], ways["private"], ways["members"]) == (["png", "v3", "v2"], ["chat"], 0)
    told = ask(operation="export", form="v2")
    assert (told["k-characters"]["shows"], told["k-portable"]["name"]) == ("leaving", "Odile.v2.json")
    assert client.get(f"{EXPORTS}/{told['k-portable']['ticket']}").json() == v2()
    told = ask(operation="export", form="v2", private="yes")
    assert client.get(f"{EXPORTS}/{told['k-portable']['ticket']}").json() == value
    told = ask(operation="export", form="../../x")  # read as the first that there is
    assert read_card(client.get(f"{EXPORTS}/{told['k-portable']['ticket']}").content).picture == picture()
    for other in ("nobody", "builtin:nell-garrow"):
        assert ask(operation="look", character=other)["k-characters"]["error"]["code"] == "character_not_found"
        assert "k-portable" not in ask(operation="export", character=other, form="png")


@pytest.mark.parametrize("file", [raw(book(entry())), raw({"spec": "lorebook_v3", "data": book(entry())})])
def test_a_lorebook_by_itself_is_kept_as_one(talk: Talk, client: TestClient, file: bytes) -> None:
    taken = client.post(CARDS, params={"file": "town.json"}, content=file).json()["taken"]
    assert (taken["outcome"], taken["name"]) == ("lorebook", "Town")
    assert [one.name for one in talk.house.service.lorebooks.all(LOCAL_USER)] == ["Town"]
    assert talk.house.service.own_characters.all(LOCAL_USER) == ()
