"""The dialog about learning, short of a browser: what it is given, what it may ask for, and the address that takes a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gradio as gr
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, talk
from tests.ui.asking_as import asked_by
from tests.ui.test_page import painter
from ui.headers import SafeHeaders
from ui.learning import LEARNED, Learning
from ui.painter import Painter
from ui.transfers import EXPORTS, routes

__all__ = ["talk"]


@pytest.fixture
def client(talk: Talk) -> Iterator[TestClient]:
    app = Starlette(routes=routes(talk.house.service), **SafeHeaders.app_options())
    with ThreadPoolExecutor(1) as alone:
        yield alone.submit(TestClient, app, headers={"host": "127.0.0.1:7860"}).result()


def teach(paint: Painter, **said: object) -> dict[str, Any]:
    updates = Learning(paint).teach(gr.EventData(None, said), asked_by())
    value: dict[str, Any] = json.loads(json.dumps(updates.get(paint.surfaces.learning, {})))
    return value


def test_it_is_off_until_a_person_turns_it_on(talk: Talk) -> None:
    paint = painter(talk)
    first = Learning(paint).look(gr.EventData(None, {}), asked_by())[paint.surfaces.learning]
    assert (first["mode"], first["exploring"], first["updates"], first["shares"], first["fell"]) == ("off", False, 0, [], None)
    assert teach(paint, operation="choose", mode="learning")["mode"] == "learning"
    assert teach(paint, operation="choose", mode="learning", exploring="yes")["exploring"] is True
    assert teach(paint, operation="choose", mode="frozen")["mode"] == "frozen"
    assert teach(paint, operation="reset")["mode"] == "frozen"
    assert teach(paint, operation="strange", mode="learning")["mode"] == "frozen"
    assert teach(paint, operation="choose", mode={"forged": 1})["mode"] == "off"


def test_what_was_learned_leaves_and_comes_back(talk: Talk, client: TestClient) -> None:
    paint = painter(talk)
    teach(paint, operation="choose", mode="learning")
    made = Learning(paint).teach(gr.EventData(None, {"operation": "export"}), asked_by())[paint.surfaces.portable]
    got = client.get(f"{EXPORTS}/{made['ticket']}")
    assert (got.status_code, len(got.content), got.headers["content-type"]) == (200, made["size"], "application/octet-stream")
    assert client.post(LEARNED, content=got.content).json()["learning"]["mode"] == "learning"


@pytest.mark.parametrize("size", [0, 100, 3_000_000])
def test_what_is_no_such_file_is_refused_in_a_sentence(talk: Talk, client: TestClient, size: int) -> None:
    answer = client.post(LEARNED, content=b"x" * size).json()
    assert answer["error"]["code"] == "learned_refused"
    assert answer["error"]["params"]["reason"]
    assert talk.house.service.learning.view(LOCAL_USER).updates == 0


def test_another_page_cannot_teach(client: TestClient) -> None:
    assert client.post(LEARNED, content=b"", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.get(LEARNED).status_code == 405
