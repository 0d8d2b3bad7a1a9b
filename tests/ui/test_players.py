"""The addresses of personas: what they answer, and to whom."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from starlette.testclient import TestClient

from chat.limits import MAX_PICTURE_BYTES
from tests.chat.conftest import Talk, talk
from tests.chat.test_players import drawn
from tests.ui.test_transfers import app, client
from ui.players import MOST_BYTES, PLAYERS

__all__ = ["app", "client", "talk"]


def asked(client: TestClient, **said: object) -> dict[str, Any]:
    answer: dict[str, Any] = client.post(PLAYERS, json=said).raise_for_status().json()
    return answer


def test_a_persona_from_its_making_to_its_end(talk: Talk, client: TestClient) -> None:
    picture = base64.b64encode(drawn("red", kind="AVIF")).decode()
    made = asked(client, do="keep", name="Ann <b>", description="Keeps bees.", picture=picture)
    (one,) = made["listed"]
    assert (one["name"], made["default"], made["done"]) == ("Ann <b>", one["id"], one["id"])
    face = client.get(f"{PLAYERS}/{one['face']}")
    assert (face.status_code, face.headers["content-type"], face.headers["x-content-type-options"]) == (200, "image/png", "nosniff")
    assert client.get(f"{PLAYERS}/{one['face']}", headers={"if-none-match": face.headers["etag"]}).status_code == 304
    assert asked(client, do="weigh", description="Keeps bees.")["tokens"] > 0
    changed = asked(client, do="keep", player=one["id"], name="Ann", description="", keep="yes", stamp=one["stamp"])
    assert client.get(f"{PLAYERS}/{changed['listed'][0]['face']}").content == face.content
    assert asked(client, do="keep", player=one["id"], name="Ann", stamp=one["stamp"])["refused"]["code"] == "player_changed"
    assert [p["name"] for p in asked(client, do="duplicate", player=one["id"])["listed"]] == ["Ann", "Ann (2)"]
    assert asked(client, do="default", player="")["default"] == ""
    assert [p["id"] for p in asked(client, do="remove", player=one["id"])["removed"]] == [one["id"]]
    assert asked(client, do="restore", player=one["id"])["removed"] == []
    asked(client, do="remove", player=one["id"])
    assert asked(client, do="erase", player=one["id"])["removed"] == []
    assert client.get(f"{PLAYERS}/{one['face']}").status_code == 404


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"name": " "}, "player_unnamed"),
        ({"name": "x" * 61}, "player_text_too_long"),
        ({"name": "Ann", "picture": "no base64!"}, "player_picture_unusable"),
        ({"name": "Ann", "picture": base64.b64encode(b"<svg/>").decode()}, "player_picture_unusable"),
        ({"name": "Ann", "picture": "A" * (MAX_PICTURE_BYTES * 4 // 3 + 100)}, "player_picture_unusable"),
        ({"name": "Ann", "player": "0" * 32}, "player_not_found"),
        ({"name": ["Ann"], "picture": {}}, "player_unnamed"),
    ],
)
def test_what_cannot_be_kept_says_why(client: TestClient, said: dict[str, object], code: str) -> None:
    assert asked(client, do="keep", **said)["refused"]["code"] == code
    assert asked(client, do="list")["listed"] == []


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[" * 100_000, b"\xff", b"1", b'{"do": 5}', b"x" * (MOST_BYTES + 1), b"[" + b"[]," * 2**19 + b"[]]"]
)
def test_what_is_no_request_does_nothing(client: TestClient, body: bytes) -> None:
    answer = client.post(PLAYERS, content=body)
    assert answer.status_code in (200, 400)
    assert answer.headers["cache-control"] == "no-store"
    assert asked(client, do="list")["listed"] == []
