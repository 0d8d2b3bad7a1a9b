"""Temporary conversations as the page has them: at an address of our own, since Gradio keeps the last value of each component of each tab in memory.

`POST /keepsake/passing` with an object `{"do": …}`, answered with the conversation as it stands or with why not. A browser that goes away says so itself.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from chat.passing import PassingChats
from chat.views import PassingView
from storage.wall import on_wall
from ui import values
from ui.guard import trouble
from ui.payload import Payload
from ui.requests import FILE_HEADERS, pieces
from ui.users import current_user

PASSING = "/keepsake/passing"
MOST_BYTES = 2**18
"""Of a request: a message of 20,000 characters as JSON, twice."""

ACTS: Mapping[str, Callable[[PassingChats, str, Payload], PassingView]] = {
    "look": lambda chats, user, said: chats.look(user, said.id("token")),
    "begin": lambda chats, user, said: chats.begin(user, said.id("character"), said.maybe("player")),
    "say": lambda chats, user, said: chats.say(user, said.id("token"), said.text("text")),
    "again": lambda chats, user, said: chats.again(user, said.id("token")),
    "halt": lambda chats, user, said: chats.stop(user, said.id("token")),
}


class Passing:
    """The address."""

    def __init__(self, chats: PassingChats) -> None:
        self._chats = chats

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        with suppress(ClientDisconnect, TimeoutError):  # then nobody is there to be told
            body = bytearray()
            async for piece in pieces(request):
                body += piece
                if len(body) > MOST_BYTES:
                    await JSONResponse({}, status_code=413, headers=FILE_HEADERS)(scope, receive, send)
                    return
            try:
                said = Payload(json.loads(body))
            except (ValueError, RecursionError):
                await JSONResponse({}, status_code=400, headers=FILE_HEADERS)(scope, receive, send)
                return
            answer = await asyncio.to_thread(self._answer, request, said)
            await JSONResponse(answer, headers=FILE_HEADERS)(scope, receive, send)

    def _answer(self, request: Request, said: Payload) -> values.Value:
        try:
            user, act = current_user(request), said.one_of("do", "look", "leave", *ACTS)
            if act == "leave":
                self._chats.leave(user, said.id("token"))
                return {"token": ""}
            with on_wall(said.offset()):
                return shown(ACTS[act](self._chats, user, said), mark=said.id("mark"))
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {"token": said.id("token"), "refused": trouble(error)}


def shown(view: PassingView, *, mark: str = "") -> values.Value:
    """mark: of what the page shows; where that is the same, only this is said."""
    job = view.job
    value = values.marked(
        {
            "token": view.token,
            "name": view.character_name,
            "language": view.language,
            "messages": [{"role": m.role, "name": m.name, "text": m.text, "status": m.status} for m in view.messages],
            "job": {"phase": job.phase.value, "text": job.text} if job else None,
            "error": values.error(view.error_code, view.error_params) if view.error_code else None,
        }
    )
    return {"token": view.token, "same": True} if value["mark"] == mark else value
