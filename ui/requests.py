"""Bodies of requests, as our own addresses take them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator

from starlette.requests import Request

FILE_HEADERS = {"Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin"}
SILENCE_S = 60.0
"""A browser that sends nothing for so long is gone."""

SMALL_BYTES = 2**20
"""What is read as JSON whatever it holds; of more bytes of brackets a hundred times as much memory would be made, while nobody else is served."""
_STRING = rb'"(?:[^"\\]++|\\.)*+"'
_FLAT = re.compile(rb"\s*+\{(?:\s*+" + _STRING + rb"\s*+:\s*+(?:" + _STRING + rb"|[\w.+-]++)\s*+,?+){0,40}+\s*+\}\s*+", re.DOTALL)


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
    while True:
        async with asyncio.timeout(SILENCE_S):
            piece = await anext(stream, None)
        if piece is None:
            return
        yield piece


async def whole(request: Request, *, most: int) -> bytes | None:
    """The body; None where it is longer. All of it is taken from the wire, as a browser hears an answer once it has sent all. Raises ClientDisconnect, TimeoutError."""
    body, large = bytearray(), False
    async for piece in pieces(request):
        if not large:
            body += piece
            large = len(body) > most
    return None if large else bytes(body)


async def read_json(request: Request, *, most: int) -> object:
    """The body as JSON, read beside the page's own loop. most: bytes. Raises BodyTooLarge, BodyRefused; ClientDisconnect, TimeoutError."""
    body = await whole(request, most=most)
    if body is None:
        raise BodyTooLarge
    return await asyncio.to_thread(_parsed, body)


def _parsed(body: bytes) -> object:
    if not is_plain(body):
        raise BodyRefused
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BodyRefused from error


def announced(request: Request) -> int:
    """Bytes that are announced; 0 for a request that does not say."""
    said = request.headers.get("content-length", "")
    return int(said) if said.isascii() and said.isdigit() else 0
