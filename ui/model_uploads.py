"""The address that takes a model's file from the browser: as the body of a request, from there to disk, for who may change the house's models."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from chat.model_room import ModelRoom
from errors import KeepsakeError
from models.uploads import Upload
from ui.guard import trouble
from ui.models import NotForYou
from ui.payload import Payload
from ui.requests import FILE_HEADERS, announced, pieces
from ui.users import current_user, visitor_of

MODEL_FILES = "/keepsake/models/files"
PIECE_BYTES = 4 * 2**20
"""Gathered before it is written: a write is a trip to another thread."""
MOST_UNREAD = 64 * 2**20
"""Of a file that is refused, what is read to its end: a browser hears an answer once it has sent all. Of a larger one the connection is closed; the page has asked before
(`upload` at `ui.models`), so that it mostly never begins."""


class TakingModel:
    """`POST /keepsake/models/files?name=NAME`. Answered with the name it has in the folder, or why it was refused. A request that ends takes the file back."""

    def __init__(self, room: ModelRoom) -> None:
        self._room = room

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        with suppress(ClientDisconnect, TimeoutError):  # then nobody is there to be told
            try:
                answer: dict[str, object] = {"done": await self._take(request)}
            except Exception as error:  # the page's border: logged by `trouble` if unknown, and shown to the reader
                if isinstance(error, ClientDisconnect | TimeoutError):
                    raise
                answer = {"refused": trouble(error)}
                await _read_on(request)
            await JSONResponse(answer, headers=FILE_HEADERS)(scope, receive, send)

    async def _take(self, request: Request) -> str:
        current_user(request)
        visitor = visitor_of(request)
        if visitor is not None and visitor.role != "admin":
            raise NotForYou("Only an admin may change which models there are. Nothing was changed.")
        name = Payload(dict(request.query_params)).text("name")
        upload = await asyncio.to_thread(self._room.uploads.begin, name, announced(request))
        try:
            await _receive(request, upload)
            return await asyncio.to_thread(upload.finish)
        finally:
            await asyncio.to_thread(upload.close)


async def _receive(request: Request, upload: Upload) -> None:
    gathered = bytearray()
    first = True
    async for piece in pieces(request):
        gathered += piece
        if first or len(gathered) >= PIECE_BYTES:
            first = False
            await asyncio.to_thread(upload.write, bytes(gathered))
            gathered.clear()
    if gathered:
        await asyncio.to_thread(upload.write, bytes(gathered))


async def _read_on(request: Request) -> None:
    """The rest of a body that nobody wants, unless it is long."""
    if announced(request) > MOST_UNREAD:
        return
    with suppress(KeepsakeError, RuntimeError):  # a stream that was read to its end
        async for _ in pieces(request):
            pass
