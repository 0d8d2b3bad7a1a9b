"""Bodies of requests, as our own addresses take them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request

FILE_HEADERS = {"Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin"}
SILENCE_S = 60.0
"""A browser that sends nothing for so long is gone."""


async def pieces(request: Request) -> AsyncIterator[bytes]:
    """The body as it comes. Raises ClientDisconnect, TimeoutError."""
    stream = request.stream()
    while True:
        async with asyncio.timeout(SILENCE_S):
            piece = await anext(stream, None)
        if piece is None:
            return
        yield piece


def announced(request: Request) -> int:
    """Bytes that are announced; 0 for a request that does not say."""
    said = request.headers.get("content-length", "")
    return int(said) if said.isascii() and said.isdigit() else 0
