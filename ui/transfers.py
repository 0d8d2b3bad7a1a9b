"""Addresses of our own beside Gradio's: a file that leaves, a chat that comes in as a file; what was learned (`ui.learning`) and character cards (`ui.cards`) have
theirs.

Gradio's events carry values whole, in memory, and its upload address keeps whatever it is sent. Here a file goes straight from disk to browser and from browser
to disk. `SafeHeaders` stands before these addresses as before all others: no other host name, no other page. Beyond that, what leaves is fetched by a ticket
that only the page was told, once; and no path or name from outside is ever used.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import gradio as gr
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, PlainTextResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from chat.errors import ExportGone
from chat.importing import ChatFiles
from chat.portable import CHECKING, FORMS, WRITING
from chat.portable_fields import SUFFIX
from chat.service import ChatService
from chat.transfers import Incoming, Transfers
from errors import KeepsakeError
from ui import sentences, values
from ui.cards import CARDS, FACES, Faces, TakingCard
from ui.carrying import CARRYING, CarryingAddress
from ui.door import FED
from ui.feeding import LISTENING, Feeding, Tokens
from ui.guard import trouble
from ui.heavy import exporting, heavily
from ui.importing import chat_file, choice, found, wanted
from ui.learning import LEARNED, TakingLearned
from ui.model_uploads import MODEL_FILES, TakingModel
from ui.models import MODELS, Models
from ui.painter import Painter, Updates
from ui.passing import PASSING, Passing
from ui.payload import Payload
from ui.players import PLAYERS, PlayerFaces, Playing
from ui.requests import FILE_HEADERS, announced, pieces
from ui.stance_drafting import STANCE_DRAFTS, stance_drafting
from ui.translating import TRANSLATIONS, translating
from ui.users import current_user

EXPORTS, IMPORTS = "/keepsake/exports", "/keepsake/imports"
EVERYTHING = "everything"
"""Beside the forms of one chat."""
LINES = "application/x-ndjson"
PIECE_BYTES = 2**20
"""Gathered before it is written: a write is a trip to another thread."""
SHOW_S = 0.25
"""Between two looks at how far an import is."""


class Exports:
    """Handler of the page's wish for a file."""

    def __init__(self, painter: Painter) -> None:
        self._surfaces = painter.surfaces
        self._transfers = painter.service.transfers
        self._everything = painter.service.everything

    async def export(self, event: gr.EventData, request: gr.Request) -> Updates:
        """Write the file, and tell the page where to fetch it."""
        user, payload = current_user(request), Payload.of(event)
        form = payload.one_of("form", *FORMS, EVERYTHING)
        chat_id = payload.id("of")

        def work() -> Updates:
            if form == EVERYTHING:
                made, left_out = self._everything.export(user, tell=sentences.of_error)
            else:
                made, left_out = self._transfers.export(user, chat_id, form), ()
            missing = [values.left_out(one.kind, one.name, one.why) for one in left_out]
            return {
                self._surfaces.portable: values.export(made.ticket, name=made.path.name, size=made.size, left_out=missing),
                self._surfaces.banner: values.no_trouble(),
            }

        try:
            return await exporting(user, work)
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {self._surfaces.banner: trouble(error)}


def routes(service: ChatService) -> list[BaseRoute]:
    """For the application that serves the page."""
    return [
        Route(f"{EXPORTS}/{{ticket}}", Sending(service.transfers), methods=["GET"]),
        Route(IMPORTS, Taking(service.transfers, service.chat_files), methods=["POST"]),
        Route(FED, Feeding(service), methods=["POST"]),
        Route(LISTENING, Tokens(service), methods=["POST"]),
        Route(CARRYING, CarryingAddress(service.carrying), methods=["POST"]),
        Route(PASSING, Passing(service.passing), methods=["POST"]),
        Route(MODELS, Models(service), methods=["POST"]),
        Route(MODEL_FILES, TakingModel(service.models), methods=["POST"]),
        Route(LEARNED, TakingLearned(service.learning), methods=["POST"]),
        Route(CARDS, TakingCard(service.cards), methods=["POST"]),
        Route(TRANSLATIONS, translating(service.translations), methods=["POST"]),
        Route(STANCE_DRAFTS, stance_drafting(service.stance_drafts), methods=["POST"]),
        Route(PLAYERS, Playing(service.own_players), methods=["POST"]),
        Route(f"{PLAYERS}/{{player}}", PlayerFaces(service.own_players), methods=["GET"]),
        Route(f"{FACES}/{{character}}", Faces(service.cards), methods=["GET"]),
    ]


class Sending:
    """`GET /keepsake/exports/TICKET`: the file, once."""

    def __init__(self, transfers: Transfers) -> None:
        self._transfers = transfers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        if request.method != "GET":  # a look ahead must not use the ticket up
            await PlainTextResponse("", status_code=405)(scope, receive, send)
            return
        try:
            found = await asyncio.to_thread(self._transfers.fetch, current_user(request), request.path_params["ticket"])
        except ExportGone as error:
            await PlainTextResponse(f"{error}\n", status_code=404, headers=FILE_HEADERS)(scope, receive, send)
            return
        kind = LINES if found.path.name.endswith(SUFFIX) else "application/octet-stream"
        try:
            await FileResponse(found.path, media_type=kind, filename=found.path.name, headers=FILE_HEADERS)(scope, receive, send)
        finally:
            await asyncio.to_thread(found.discard)


class _Stopped(Exception):
    """The page does not want the import any more."""


class _Progress:
    """How far an import is; written by the thread that reads the file."""

    def __init__(self) -> None:
        self.stage = ""
        self.done = 0
        self.stopped = False

    def look(self, stage: str, done: int) -> None:
        self.stage, self.done = stage, done
        if self.stopped:
            raise _Stopped


class Taking:
    """`POST /keepsake/imports` with a file as its body. Answered with lines of JSON: how far it is, and in the end the chat or why not.

    A bundle comes in as it is. Of another program's file the answer is what it holds, until the query says what is wanted of it (`ui.importing`).
    When the page goes away, or ends the request, the import is taken back.
    """

    def __init__(self, transfers: Transfers, files: ChatFiles) -> None:
        self._transfers = transfers
        self._files = files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        with suppress(ClientDisconnect, TimeoutError):  # then nobody is there to be told
            try:
                user = current_user(request)
                incoming = await asyncio.to_thread(self._transfers.incoming, user, announced(request))
            except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
                async for _ in pieces(request):
                    pass  # a browser hears an answer once it has sent all
                await _refuse(send, error)
                return
            try:
                await _receive(request, incoming)
                await self._import(user, incoming, Payload(dict(request.query_params)), receive, send)
            except KeepsakeError as error:
                await _refuse(send, error)
            finally:
                await asyncio.to_thread(incoming.close)

    def _work(self, user: str, incoming: Incoming, payload: Payload, progress: _Progress) -> dict[str, Any]:
        """What is answered in the end."""
        if incoming.is_bundle:
            taken = self._transfers.take(user, incoming, look=progress.look)
            return {"chat": taken.chat_id, "copy": taken.is_copy}
        file = chat_file(incoming.path, payload)
        progress.look(CHECKING, 0)
        if not wanted(payload):
            return {"found": found(self._files.look(file))}

        def look(done: int, total: int) -> None:
            progress.look(WRITING, incoming.size * done // max(total, 1))

        arrived = self._files.take(user, file, choice(payload), look=look)
        return {"chat": arrived.chat_id, "copy": False, "there": arrived.there}

    async def _import(self, user: str, incoming: Incoming, payload: Payload, receive: Receive, send: Send) -> None:
        progress = _Progress()
        work = asyncio.ensure_future(heavily(user, self._work, user, incoming, payload, progress))
        gone = asyncio.ensure_future(_gone(receive))
        await _begin(send)
        try:
            while not work.done() and not gone.done():
                await _line(send, {"stage": progress.stage, "done": progress.done, "total": incoming.size})
                await asyncio.wait({work, gone}, timeout=SHOW_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            progress.stopped = True
            gone.cancel()
            await asyncio.wait({work})
        await _line(send, _outcome(work), last=True)


async def _receive(request: Request, incoming: Incoming) -> None:
    """Write the body into its file. Raises ImportRefused, StorageFull or StorageFailed, once all was sent; ClientDisconnect, TimeoutError."""
    gathered = bytearray()
    refused: KeepsakeError | None = None
    async for piece in pieces(request):
        if refused is not None:
            continue
        gathered += piece
        if len(gathered) >= PIECE_BYTES:
            try:
                await asyncio.to_thread(incoming.write, bytes(gathered))
            except KeepsakeError as error:
                refused = error
            gathered.clear()
    if refused is not None:
        raise refused
    await asyncio.to_thread(incoming.write, bytes(gathered))
    await asyncio.to_thread(incoming.ended)


async def _gone(receive: Receive) -> None:
    """Until the browser ends the request."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _outcome(work: asyncio.Future[dict[str, Any]]) -> dict[str, Any]:
    error = work.exception()
    if error is None:
        return work.result()
    if isinstance(error, _Stopped):
        return {"stopped": True}
    return {"error": trouble(error) if isinstance(error, Exception) else values.unexpected()}


async def _begin(send: Send) -> None:
    headers = [(name.lower().encode(), value.encode()) for name, value in {**FILE_HEADERS, "Content-Type": LINES}.items()]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def _line(send: Send, value: dict[str, Any], *, last: bool = False) -> None:
    await send({"type": "http.response.body", "body": json.dumps(value).encode() + b"\n", "more_body": not last})


async def _refuse(send: Send, error: Exception) -> None:
    await _begin(send)
    await _line(send, {"error": trouble(error)}, last=True)
