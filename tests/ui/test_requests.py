"""Bodies of requests: what a page sends with a large file is read, and what would be made of brackets by the million is not."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

import pytest
from starlette.requests import Request

from tests.pace import STEADY, eightfold
from tests.ui.test_awaited import run
from ui import requests
from ui.requests import SMALL_BYTES, BodyRefused, BodyTooLarge, is_plain, read_json

LARGE = 16 * 2**20


@pytest.mark.parametrize(
    "text",
    [
        lambda size: '{"memories": [{"text": "“\\n\\\\ \\" 花 ["}]} ' * (size // 40),
        lambda size: "x" * size,
        lambda size: '\\"' * (size // 2),
        lambda size: "[{" * (size // 2),
    ],
    ids=range(4),
)
@pytest.mark.parametrize("indent", [None, 1])
def test_a_large_file_as_a_text_is_read(text: Callable[[int], str], indent: int | None) -> None:
    small, large = (
        json.dumps({"do": "take", "of": "", "file": text(size), "edition": -12, "chosen": "1,2", "on": True, "no": None}, indent=indent)
        for size in (LARGE // 8, LARGE)
    )
    bodies = {1: small.encode(), 8: large.encode()}
    assert is_plain(bodies[8])
    assert eightfold(lambda times: is_plain(bodies[times]), 1) < STEADY


@pytest.mark.parametrize(
    "body",
    [
        lambda size: b"[" + b"[]," * (size // 3),
        lambda size: b'{"file": ' + b"[" * size,
        lambda size: b'{"file": {' + b'"a":{},' * (size // 8),
        lambda size: b"{" + b'"a":1,' * (size // 6) + b"}",
        lambda size: b'{"file": "' + b"\\" * (size + 1),
        lambda size: b"{" + b" " * size,
        lambda size: b'{"file": "' + b'\\"' * (size // 2),
    ],
    ids=range(7),
)
def test_a_large_body_of_anything_else_is_not(body: Callable[[int], bytes]) -> None:
    bodies = {1: body(LARGE // 8), 8: body(LARGE)}
    assert not is_plain(bodies[8])
    assert eightfold(lambda times: is_plain(bodies[times]), 1) < STEADY


def test_what_is_small_is_read_whatever_it_holds() -> None:
    assert is_plain(b"[" * SMALL_BYTES)
    assert not is_plain(b"[" * (SMALL_BYTES + 1))


def sent(body: bytes) -> Request:
    waiting = [body]

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": waiting.pop(), "more_body": False}

    return Request({"type": "http", "method": "POST", "headers": []}, receive)


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b"[" + b"[]," * SMALL_BYTES + b"[]]"], ids=range(5))
def test_what_is_no_json_or_of_brackets_by_the_million_is_refused(body: bytes) -> None:
    async def walk() -> None:
        with pytest.raises(BodyRefused):
            await read_json(sent(body), most=LARGE)

    run(walk())


def test_json_is_read_beside_the_loop_up_to_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []
    monkeypatch.setattr(requests, "is_plain", lambda body: threads.append(threading.current_thread()) or is_plain(body))

    async def walk() -> None:
        assert await read_json(sent(b'{"do": "look"}'), most=14) == {"do": "look"}
        with pytest.raises(BodyTooLarge):
            await read_json(sent(b'{"do": "look"}'), most=13)
        assert threads
        assert threading.current_thread() not in threads

    run(walk())
