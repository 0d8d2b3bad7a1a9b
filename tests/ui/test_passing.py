"""The address of temporary conversations: what it answers, and that Gradio never holds a word of them."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from models.scripted import Script
from tests.chat.conftest import Talk, talk
from tests.ui.test_page import painter
from tests.ui.test_transfers import app, client
from tests.waiting import until
from ui.passing import MOST_BYTES, PASSING

__all__ = ["app", "client", "talk"]


def asked(client: TestClient, **said: object) -> dict[str, Any]:
    answer: dict[str, Any] = client.post(PASSING, json=said).raise_for_status().json()
    return answer


def test_a_conversation_from_its_greeting_to_its_end(talk: Talk, client: TestClient) -> None:
    begun = asked(client, do="begin", character="builtin:nell-garrow")
    token = begun["token"]
    assert [m["role"] for m in begun["messages"]] == ["character"]
    assert asked(client, do="look", token=token, mark=begun["mark"]) == {"token": token, "same": True}
    talk.model.enqueue(Script(("The <b>tide</b>.",)))
    said = asked(client, do="say", token=token, text="What turns?")
    said = until(lambda: now if (now := asked(client, do="look", token=token))["job"] is None else None)
    assert [m["text"] for m in said["messages"]][1:] == ["What turns?", "The <b>tide</b>."]
    assert asked(client, do="say", token=token, text=" ")["refused"]["code"] == "message_empty"
    assert asked(client, do="again", token=token)["refused"]["code"] == "nothing_to_answer"
    assert asked(client, do="leave", token=token) == {"token": ""}
    assert asked(client, do="look", token=token)["refused"]["code"] == "passing_gone"
    assert "passing" not in set(vars(painter(talk).surfaces))


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 100_000, b"\xff", b"1", b'"x"', b'{"do": 5}', b'{"do": "drop", "token": []}'])
def test_what_is_no_request_does_nothing(client: TestClient, body: bytes) -> None:
    answer = client.post(PASSING, content=body)
    assert answer.status_code in (200, 400)
    assert answer.status_code == 400 or answer.json()["refused"]["code"] == "passing_gone"
    assert answer.headers["cache-control"] == "no-store"


def test_too_much_is_not_read(client: TestClient) -> None:
    assert client.post(PASSING, content=b"x" * (MOST_BYTES + 1)).status_code == 413
    assert client.get(PASSING).status_code == 405


def test_another_page_has_none(client: TestClient) -> None:
    answer = client.post(PASSING, json={"do": "begin", "character": "builtin:nell-garrow"}, headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403


def test_it_is_an_address_of_the_page(app: Starlette) -> None:
    assert PASSING in {getattr(route, "path", "") for route in app.routes}
