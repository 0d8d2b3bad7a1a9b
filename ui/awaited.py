"""Addresses where a browser waits for a language model. Whoever ends the request stops the model.

Addresses of our own, as Gradio keeps what its events carry, and these answers are kept nowhere.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any
from weakref import WeakValueDictionary

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from errors import KeepsakeError
from ui import values
from ui.guard import trouble
from ui.payload import Payload
from ui.requests import FILE_HEADERS, BodyRefused, read_json
from ui.users import current_user

WAITING = 16
"""Requests that wait in threads of their own, so that a slow model takes none from the page."""
Answer = Callable[[str, Payload, threading.Event], values.Value]
"""For a user, what was sent, and an event that is set when nobody waits any more."""


class Awaited:
    """An address. most_bytes: of what may be sent; at_once: questions that the model is asked at a time."""

    def __init__(self, answer: Answer, *, name: str, most_bytes: int, at_once: int) -> None:
        self._answer = answer
        self._most_bytes = most_bytes
        self._at_once = at_once
        self._own: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._threads = ThreadPoolExecutor(at_once + WAITING, thread_name_prefix=name)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        with suppress(ClientDisconnect, TimeoutError):  # then nobody is there to be told
            try:
                said = Payload(await read_json(request, most=self._most_bytes))
            except BodyRefused:
                await JSONResponse({}, status_code=400, headers=FILE_HEADERS)(scope, receive, send)
                return
            cancel = threading.Event()
            work = asyncio.ensure_future(self._worked(request, said, cancel))
            gone = asyncio.ensure_future(_gone(receive))
            waiting: set[asyncio.Future[Any]] = {work, gone}
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            finally:
                cancel.set()
                gone.cancel()
            await JSONResponse(await work, headers=FILE_HEADERS)(scope, receive, send)

    async def _worked(self, request: Request, said: Payload, cancel: threading.Event) -> values.Value:
        """In a thread, when it is its turn among the same user's: who asks a hundred times takes the threads of nobody else."""
        try:
            user = current_user(request)
        except KeepsakeError as error:
            return {"refused": trouble(error)}
        own = self._own.setdefault(user, asyncio.Semaphore(self._at_once))
        async with own:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._answered, user, said, cancel)

    def _answered(self, user: str, said: Payload, cancel: threading.Event) -> values.Value:
        try:
            return self._answer(user, said, cancel)
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {"refused": trouble(error)}


async def _gone(receive: Receive) -> None:
    """Until the browser ends the request."""
    while (await receive())["type"] != "http.disconnect":
        pass
