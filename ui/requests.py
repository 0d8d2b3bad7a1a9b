"""Bodies of requests, as our own addresses take them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.types import Message, Receive, Scope

from chat.reading_process import HeavyFile, apart
from ui.heavy import heavily
from ui.users import NotLoggedIn, current_user

FILE_HEADERS = {"Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin"}
SILENCE_S = 60.0
"""A browser that sends nothing for so long is gone."""
SLOWEST_BYTES_S = 2_048
"""So is one that sends less than this, once it had that long: whatever comes has a place that others wait for."""
WAITS = "keepsake.waits"
"""In a request's scope what is empty but for while its body waits for another of the same person's."""
LONG_AT_ONCE = 2
LONG_BYTES = 2**18
"""Of a body that counts as long."""

QUICK_BYTES = 2**16
"""What is read in this process."""
SMALL_BYTES = 2**20
"""What is read as JSON whatever it holds; of more bytes of brackets a hundred times as much memory would be made, while nobody else is served."""
_STRING = rb'"(?:[^"\\]++|\\.)*+"'
_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""One that never ends goes to the end, so that nothing is looked through twice."""
MOST_PARTS = 10_000
"""Of an event; the largest that the page sends, of a form with all its fields, has some hundreds."""
_FLAT = re.compile(rb"\s*+\{(?:\s*+" + _STRING + rb"\s*+:\s*+(?:" + _STRING + rb"|[\w.+-]++)\s*+,?+){0,40}+\s*+\}\s*+", re.DOTALL)


def has_few_parts(body: bytes) -> bool:
    """Whether an event of the page is short, or is texts for its most part: what it holds is read again and copied, one part after the other."""
    if len(body) <= QUICK_BYTES:
        return True
    rest, texts = _TEXT.subn(b"", body, count=MOST_PARTS)
    return texts < MOST_PARTS and sum(map(rest.count, (b"[", b"{", b","))) < MOST_PARTS


class BodyRefused(Exception):
    """What was sent is no JSON that is read here."""


class BodyTooLarge(BodyRefused):
    """It is longer than anything that is asked for."""


def is_plain(body: bytes) -> bool:
    """Whether JSON is small, or an object of texts and numbers alone, as our pages send it with a file within."""
    return len(body) <= SMALL_BYTES or _FLAT.fullmatch(body) is not None


async def pieces(request: Request) -> AsyncIterator[bytes]:
    """The body as it comes. Raises ClientDisconnect, TimeoutError."""
    stream = request.stream()
    clock = asyncio.get_running_loop().time
    began, heard = clock(), 0
    while True:
        asked = clock()
        coming = asyncio.ensure_future(anext(stream, None))
        try:
            while not (await asyncio.wait({coming}, timeout=min(asked + SILENCE_S, began + SILENCE_S + heard / SLOWEST_BYTES_S) - clock()))[
                0
            ]:
                if not request.scope.get(WAITS):
                    raise TimeoutError
                asked = began = clock()  # it is we who let it wait
        finally:
            coming.cancel()
        piece = coming.result()
        if piece is None:
            return
        heard += len(piece)
        yield piece


class LongBodies:
    """Lets few long bodies of one person in at a time: the others wait on the wire, where they take no memory of this program's."""

    def __init__(self) -> None:
        self._own: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def hearing(self, user: str, scope: Scope, receive: Receive) -> AsyncIterator[Receive]:
        """What a request hears with while it is answered."""
        waits = scope[WAITS] = list[bool]()
        own = self._own.setdefault(user, asyncio.Semaphore(LONG_AT_ONCE))
        heard, held = 0, False

        async def hear() -> Message:
            nonlocal heard, held
            if heard > LONG_BYTES and not held:
                waits.append(True)
                await own.acquire()
                waits.clear()
                held = True
            message = await receive()
            heard += len(message.get("body", b""))
            return message

        try:
            yield hear
        finally:
            if held:
                own.release()


async def whole(request: Request, *, most: int) -> bytes | None:
    """The body; None where it is longer. All of it is taken from the wire, as a browser hears an answer once it has sent all. Raises ClientDisconnect, TimeoutError."""
    body, large = bytearray(), False
    async for piece in pieces(request):
        if not large:
            body += piece
            large = len(body) > most
    return None if large else bytes(body)


def _user(request: Request) -> str:
    try:
        return current_user(request)
    except NotLoggedIn:
        return ""


def parsed(body: bytes) -> object:
    """Raises BodyRefused."""
    if not is_plain(body):
        raise BodyRefused("it has too much in it")
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BodyRefused("it is no JSON") from error


async def read_json(request: Request, *, most: int) -> object:
    """The body as JSON, read beside the page's own loop. most: bytes. Raises BodyTooLarge, BodyRefused; ClientDisconnect, TimeoutError."""
    body = await whole(request, most=most)
    if body is None:
        raise BodyTooLarge
    try:
        if len(body) <= QUICK_BYTES:
            return await asyncio.to_thread(parsed, body)
        return await heavily(_user(request), apart, parsed, body)
    except HeavyFile as error:
        raise BodyRefused from error


def announced(request: Request) -> int:
    """Bytes that are announced; 0 for a request that does not say."""
    said = request.headers.get("content-length", "")
    return int(said) if said.isascii() and said.isdigit() else 0
