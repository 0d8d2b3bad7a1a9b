"""Addresses where a browser waits for a model: whoever asks much takes nobody's turn, whoever goes away leaves nothing behind, and the house can close."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Coroutine
from typing import Any

import pytest

from chat.at_once import AtOnce
from tests.ui.asking_as import awaited
from tests.waiting import PATIENCE_S
from ui import values
from ui.awaited import WAITING, Awaited
from ui.payload import Payload
from ui.users import note_user

AT_ONCE = 2
MANY = 3 * (AT_ONCE + WAITING)


class Browser:
    """One request, and whether it is ended. user: empty for somebody who did not come through the door."""

    def __init__(self, user: str, body: bytes = b"{}") -> None:
        self.scope: dict[str, Any] = {"type": "http", "method": "POST", "path": "/", "headers": [], "query_string": b""}
        if user:
            note_user(self.scope, user)
        self.sent: list[Any] = []
        self._body = [body]
        self._gone = asyncio.Event()

    def go(self) -> None:
        self._gone.set()

    async def receive(self) -> dict[str, Any]:
        if self._body:
            return {"type": "http.request", "body": self._body.pop(), "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def answer(self) -> Any:
        return json.loads(b"".join(one.get("body", b"") for one in self.sent))


class Silent:
    """A model that answers Ada, and is silent to everybody else."""

    def __init__(self) -> None:
        self.asked = 0
        self.most = 0
        self._lock = threading.Lock()

    def __call__(self, user: str, said: Payload, cancel: threading.Event) -> values.Value:
        if user == "ada":
            return {"text": "Good night."}
        with self._lock:
            self.asked += 1
            self.most = max(self.most, self.asked)
        cancel.wait()
        with self._lock:
            self.asked -= 1
        return {"stopped": cancel.is_set()}


def run(walk: Coroutine[Any, Any, None]) -> None:
    awaited(walk)


@pytest.fixture
def model() -> Silent:
    return Silent()


def address(model: Silent) -> Awaited:
    return Awaited(model, name="test", most_bytes=100, at_once=AT_ONCE)


async def comes(condition: Any) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.01)


def test_who_asks_a_hundred_times_takes_nobodys_turn_and_leaves_nothing_behind(model: Silent) -> None:
    async def walk() -> None:
        awaited = address(model)
        bens = [Browser("ben") for _ in range(MANY)]
        asking = [asyncio.ensure_future(awaited(ben.scope, ben.receive, ben.send)) for ben in bens]  # type: ignore[arg-type]
        await comes(lambda: model.asked == AT_ONCE)
        ada = Browser("ada")
        async with asyncio.timeout(PATIENCE_S):
            await awaited(ada.scope, ada.receive, ada.send)  # type: ignore[arg-type]
        assert ada.answer == {"text": "Good night."}
        assert model.most == AT_ONCE
        for ben in bens:
            ben.go()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*asking)
        assert model.asked == 0
        again = Browser("ben")
        asked_again = asyncio.ensure_future(awaited(again.scope, again.receive, again.send))  # type: ignore[arg-type]
        await comes(lambda: model.asked == 1)
        again.go()
        await asked_again

    run(walk())


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 90, b"\xff", b" " * 101])
def test_what_is_no_request_asks_nobody(model: Silent, body: bytes) -> None:
    async def walk() -> None:
        browser = Browser("ben", body)
        await address(model)(browser.scope, browser.receive, browser.send)  # type: ignore[arg-type]
        assert browser.sent[0]["status"] == 400
        assert model.most == 0

    run(walk())


def test_brackets_by_the_million_ask_nobody(model: Silent) -> None:
    async def walk() -> None:
        browser = Browser("ben", b'{"of": [' + b"[]," * 2**20 + b"[]]}")
        await Awaited(model, name="test", most_bytes=2**23, at_once=AT_ONCE)(browser.scope, browser.receive, browser.send)  # type: ignore[arg-type]
        assert browser.sent[0]["status"] == 400
        assert model.most == 0

    run(walk())


def test_who_did_not_come_through_the_door_is_refused(model: Silent) -> None:
    async def walk() -> None:
        browser = Browser("")
        await address(model)(browser.scope, browser.receive, browser.send)  # type: ignore[arg-type]
        assert browser.answer["refused"]["code"] == "not_logged_in"
        assert model.most == 0

    run(walk())


def test_closing_ends_what_is_silent_what_waits_and_what_comes_later() -> None:
    turns, ended, began = AtOnce(1), [], threading.Event()

    class Stopped(Exception):
        """As those who ask stop."""

    def ask() -> None:
        cancel = threading.Event()

        def breathe() -> None:
            if cancel.is_set():
                raise Stopped

        with pytest.raises(Stopped), turns.turn(breathe, cancel):  # noqa: PT012  # it is within the turn that it stops
            began.set()
            cancel.wait()
            breathe()
        ended.append(1)

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert began.wait(PATIENCE_S)
    turns.close(timeout=PATIENCE_S)
    for thread in threads:
        thread.join(PATIENCE_S)
    ask()
    assert len(ended) == 4, "each would have waited for ever"
