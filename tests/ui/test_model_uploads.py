"""The address that takes a model's file: for admins alone where there are accounts, straight to disk, and nothing left of what did not come to its end."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.models.gguf_files import CHAT, head
from tests.ui.served import Person, Served, another, first_admin, served
from tests.waiting import until
from ui.model_uploads import MODEL_FILES
from ui.models import MODELS

WHOLE = head(CHAT) + bytes(3_000_000)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("uploads")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


def folder_of(house: Served) -> Path:
    return house.house.service.models.choice.folder.folder


def left(house: Served) -> list[str]:
    return sorted(path.name for path in folder_of(house).rglob("*") if path.is_file())


def test_an_admin_brings_a_file_and_it_can_be_used(house: Served, ada: Person) -> None:
    asked = {"do": "upload", "name": "tiny.gguf", "size": len(WHOLE)}
    assert "refused" not in ada.client.post(MODELS, json=asked).json()
    assert ada.client.post(MODEL_FILES, params={"name": "tiny.gguf"}, content=WHOLE).json() == {"done": "tiny.gguf"}
    assert (folder_of(house) / "tiny.gguf").read_bytes() == WHOLE
    (file,) = ada.client.post(MODELS, json={"do": "look"}).json()["house"]["files"]
    assert (file["name"], file["chats"]) == ("tiny.gguf", True)
    assert ada.client.post(MODELS, json=asked).json()["refused"]["code"] == "upload_there"
    assert ada.client.post(MODEL_FILES, params={"name": "tiny.gguf"}, content=WHOLE).json()["refused"]["code"] == "upload_there"
    (folder_of(house) / "tiny.gguf").unlink()


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("../../keepsake.gguf", WHOLE, "upload_name"),
        ("x.exe", WHOLE, "upload_name"),
        ("", WHOLE, "upload_name"),
        ("x.gguf", b"", "upload_too_large"),
        ("x.gguf", b"PK\x03\x04" + bytes(2_000_000), "upload_no_model"),
        ("x.gguf", head({"general.architecture": "llama"}), "upload_no_chat"),
    ],
)
def test_what_is_refused_says_why_and_leaves_nothing(house: Served, ada: Person, name: str, content: bytes, code: str) -> None:
    assert ada.client.post(MODEL_FILES, params={"name": name}, content=content).json()["refused"]["code"] == code
    assert left(house) == []


def test_nobody_else_brings_one(house: Served, ada: Person) -> None:
    for role in ("player", "reviewer"):
        person = another(house, ada, name=role, role=role)
        said = person.client.post(MODEL_FILES, params={"name": "x.gguf"}, content=WHOLE).json()
        assert said["refused"]["code"] == "not_for_you"
        assert person.client.post(MODELS, json={"do": "upload", "name": "x.gguf", "size": 9}).json()["refused"]["code"] == "not_for_you"
    assert house.client().post(MODEL_FILES, params={"name": "x.gguf"}, content=b"GGUF").status_code == 401
    elsewhere = {"sec-fetch-site": "cross-site"}
    assert ada.client.post(MODEL_FILES, params={"name": "x.gguf"}, content=b"GGUF", headers=elsewhere).status_code == 403
    assert left(house) == []


def test_a_browser_that_goes_away_takes_its_file_along(house: Served, ada: Person) -> None:
    at = urlsplit(house.url)
    cookies = "; ".join(f"{name}={value}" for name, value in ada.client.cookies.items())
    request = (
        f"POST {MODEL_FILES}?name=gone.gguf HTTP/1.1\r\nHost: {at.netloc}\r\nCookie: {cookies}\r\nSec-Fetch-Site: same-origin\r\n"
        f"Content-Type: application/octet-stream\r\nContent-Length: {len(WHOLE)}\r\n\r\n"
    )
    with socket.create_connection((at.hostname or "", at.port or 0)) as wire:
        wire.sendall(request.encode() + WHOLE[:1_000_000])
        until(lambda: left(house) != [])
        assert ada.client.post(MODELS, json={"do": "upload", "name": "x.gguf", "size": 9}).json()["refused"]["code"] == "upload_running"
    until(lambda: left(house) == [])
    assert ada.client.post(MODEL_FILES, params={"name": "gone.gguf"}, content=WHOLE).json() == {"done": "gone.gguf"}
