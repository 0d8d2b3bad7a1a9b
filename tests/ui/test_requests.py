"""Bodies of requests: what a page sends with a large file is read, and what would be made of brackets by the million is not."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable

import pytest
from starlette.requests import Request
from starlette.types import Message, Scope

from tests.pace import STEADY, eightfold
from tests.ui.test_awaited import run
from ui import requests
from ui.requests import (
    LONG_AT_ONCE,
    LONG_BYTES,
    MOST_PARTS,
    QUICK_BYTES,
    SMALL_BYTES,
    BodyRefused,
    BodyTooLarge,
    LongBodies,
    has_few_parts,
    is_plain,
    pieces,
    read_json,
)

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


def test_an_event_of_texts_is_read_and_one_of_parts_is_not() -> None:
    assert has_few_parts(json.dumps({"event_data": {"text": '[{,"\\' * 200_000, "marks": {"a": "b"}}}).encode())
    for many in (
        b"[" + b"[]," * MOST_PARTS * 3 + b"[]]",
        b"[" + b"1," * MOST_PARTS * 9 + b"1]",
        b"[" * QUICK_BYTES * 2,
        b'[""' + b',""' * MOST_PARTS * 3 + b"]",
    ):
        assert not has_few_parts(many)
    assert has_few_parts(b"[" * QUICK_BYTES), "what is short is read whatever it holds"


@pytest.mark.parametrize("piece", [b'"\\', b'\\"', b'"', b"[", b'"",'], ids=range(5))
def test_an_event_is_looked_through_once(piece: bytes) -> None:
    assert eightfold(lambda times: has_few_parts(piece * (100_000 * times)), 1) < STEADY


def test_a_third_long_body_of_one_person_waits_on_the_wire_and_another_persons_does_not() -> None:
    async def walk() -> None:
        bodies, taken = LongBodies(), Counter[str]()
        answered = {user: asyncio.Event() for user in ("ben", "ada")}

        async def receive() -> Message:
            return {"type": "http.request", "body": b"x" * (LONG_BYTES // 2 + 1), "more_body": True}

        async def request(user: str, pieces: int) -> None:
            async with bodies.hearing(user, {}, receive) as hear:
                for _ in range(pieces):
                    await hear()
                taken[user] += 1
                await answered[user].wait()

        asking = [asyncio.ensure_future(request("ben", 4)) for _ in range(LONG_AT_ONCE + 3)]
        asking += [asyncio.ensure_future(request("ada", 4)), asyncio.ensure_future(request("ben", 2))]
        for _ in range(100):
            await asyncio.sleep(0)
        assert taken == {"ben": LONG_AT_ONCE + 1, "ada": 1}, "two long ones and the short one"
        for event in answered.values():
            event.set()
        await asyncio.gather(*asking)
        assert taken == {"ben": LONG_AT_ONCE + 4, "ada": 1}

    run(walk())


def test_a_body_that_comes_a_byte_at_a_time_is_not_waited_for_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "SILENCE_S", 0.2)

    async def walk() -> None:
        async def receive() -> Message:
            await asyncio.sleep(0.001)
            return {"type": "http.request", "body": b"x", "more_body": True}

        with pytest.raises(TimeoutError):
            async for _ in pieces(Request({"type": "http", "method": "POST", "headers": []}, receive)):
                pass

    run(walk())


def test_a_body_that_waits_for_another_of_the_same_persons_is_not_taken_for_a_silent_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "SILENCE_S", 0.05)

    async def walk() -> None:
        async def receive() -> Message:
            return {"type": "http.request", "body": b"x" * (LONG_BYTES + 1), "more_body": next(more)}

        async def request(*, until: asyncio.Event) -> int:
            scope: Scope = {"type": "http", "method": "POST", "headers": []}
            async with bodies.hearing("ben", scope, receive) as hear:
                heard = [len(piece) async for piece in pieces(Request(scope, hear))]
                waited.append(until)
                await until.wait()
                return sum(heard)

        bodies, waited, go = LongBodies(), list[asyncio.Event](), asyncio.Event()
        more = iter([True, False] * (LONG_AT_ONCE + 1))
        asking = []
        for _ in range(LONG_AT_ONCE + 1):
            asking.append(asyncio.ensure_future(request(until=go)))
            await asyncio.sleep(0.2)
        assert len(waited) == LONG_AT_ONCE
        go.set()
        assert await asyncio.gather(*asking) == [2 * (LONG_BYTES + 1)] * (LONG_AT_ONCE + 1)

    run(walk())
