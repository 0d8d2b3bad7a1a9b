"""What other programs bring to a conversation that listens, and the tokens that they bring it with: two addresses of our own.

`POST /keepsake/listen/CONVERSATION` with JSON lines (`chat.fed_lines`), by whoever is logged in on the page or with a token (`Authorization: Bearer …`). The answer
is JSON and comes when the lines are on the disk: `{"added": 2, "known": 0, "round": 17}`, or `{"error": CODE, "message": {"en": …, "zh": …}}` with what the
sentence names, as `line` and `field`. `POST /keepsake/listening` is the page's own, about tokens: they go no way that Gradio keeps.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from chat.errors import ListenIdTaken, ListenTokenWrong, ListenTooFast, NotListening, ReplyRunning
from chat.fed_lines import MOST_BYTES, FeedTooLarge, fed_lines, too_large
from chat.service import ChatService
from errors import KeepsakeError
from storage.errors import NotFound, StorageFailed, StorageFull
from ui import values
from ui.catalogue import CATALOGUE
from ui.door import FED, address_of, bearer_of
from ui.entry import Entry
from ui.guard import trouble
from ui.payload import MAX_ID_CHARS, Payload
from ui.requests import FILE_HEADERS, pieces
from ui.sentences import filled
from ui.users import NotLoggedIn, current_user, has_accounts

LISTENING = "/keepsake/listening"
MOST_ASKED_BYTES = 16 * 1024
"""Of a request of the page about tokens."""
STATUS: Mapping[type[KeepsakeError], int] = {
    NotLoggedIn: 401,
    ListenTokenWrong: 401,
    NotFound: 404,
    NotListening: 409,
    ListenIdTaken: 409,
    ReplyRunning: 409,
    FeedTooLarge: 413,
    ListenTooFast: 429,
    StorageFull: 507,
    StorageFailed: 503,
}
"""Anything else that a program did wrong is a 400."""
UNEXPECTED = Entry(
    "Something went wrong here and is in the log. Nothing of this request was added; send it again.",
    "这里出了错，已记入日志。这次请求没有添加任何内容，请再发一次。",
)

log = logging.getLogger(__name__)


class Feeding:
    """The address that lines come to."""

    def __init__(self, service: ChatService) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        with suppress(ClientDisconnect, TimeoutError):  # then nothing was added, and nobody is there to be told
            await (await self._taken(request, request.path_params["chat"][:MAX_ID_CHARS]))(scope, receive, send)

    async def _taken(self, request: Request, chat_id: str) -> Response:
        try:
            user = await asyncio.to_thread(self._user, request, chat_id)  # before anything is read of what a stranger sends
            body = bytearray()
            async for piece in pieces(request):
                body += piece
                if len(body) > MOST_BYTES:
                    raise too_large()
            return JSONResponse(await asyncio.to_thread(self._fed, user, chat_id, bytes(body)), headers=FILE_HEADERS)
        except KeepsakeError as error:
            return refusal(error)
        except (ClientDisconnect, TimeoutError):
            raise
        except Exception:
            log.exception("lines that were brought could not be taken in")
            return _told("error", UNEXPECTED, {}, status=500)

    def _user(self, request: Request, chat_id: str) -> str:
        """Whose conversation lines are brought to: the token's owner's where there is one, else of whoever is logged in. Raises ListenTokenWrong, ListenTooFast
        and NotLoggedIn."""
        token = bearer_of(request.headers)
        user = current_user(request) if token is None else self._owner(request, chat_id, token)
        self._service.listen_tokens.pace(chat_id)
        return user

    def _owner(self, request: Request, chat_id: str, token: str) -> str:
        address, accounts = address_of(request), has_accounts(request)
        return self._service.listen_tokens.admit(token, chat_id, address=address, accounts=accounts).user_id

    def _fed(self, user: str, chat_id: str, body: bytes) -> values.Value:
        lines = fed_lines(body)
        self._service.listen_tokens.pace(chat_id, lines=len(lines))
        fed = self._service.listening.hear(user, chat_id, lines)
        return {"added": fed.added, "known": fed.known, "round": fed.round}


class Tokens:
    """The address that the page asks about tokens: `{"do": "list" | "make" | "revoke", "chat": …, "name": …, "token": …}`."""

    def __init__(self, service: ChatService) -> None:
        self._tokens = service.listen_tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        with suppress(ClientDisconnect, TimeoutError):
            body = bytearray()
            async for piece in pieces(request):
                if len(body) <= MOST_ASKED_BYTES:
                    body += piece
            try:
                said = Payload(json.loads(body) if len(body) <= MOST_ASKED_BYTES else None)
            except (ValueError, RecursionError):
                await JSONResponse({}, status_code=400, headers=FILE_HEADERS)(scope, receive, send)
                return
            await JSONResponse(await asyncio.to_thread(self._answer, request, said), headers=FILE_HEADERS)(scope, receive, send)

    def _answer(self, request: Request, said: Payload) -> values.Value:
        try:
            user, chat_id, made = current_user(request), said.id("chat"), ""
            match said.one_of("do", "list", "make", "revoke"):
                case "make":
                    made = self._tokens.make(user, chat_id, name=said.text("name"))
                case "revoke":
                    self._tokens.revoke(user, chat_id, said.id("token"))
            listed = [
                {"id": one.id, "name": one.name, "made": one.created_at, "used": one.used_at} for one in self._tokens.all(user, chat_id)
            ]
            return {"tokens": listed, "made": made, "address": FED.format(chat=chat_id)}
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {"refused": trouble(error)}


def refusal(error: KeepsakeError) -> Response:
    """What a program is told that did something wrong, in both languages."""
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
    entry = CATALOGUE.get(f"error_{error.code}", Entry(str(error), str(error)))
    return _told(error.code, entry, error.params, status=status)


def _told(code: str, entry: Entry, params: Mapping[str, object], *, status: int) -> Response:
    words = {language: filled(getattr(entry, language), params) for language in ("en", "zh")}
    told = {name: value for name, value in params.items() if isinstance(value, str | int)}
    headers = {**FILE_HEADERS}
    if isinstance(seconds := params.get("seconds"), int):
        headers["Retry-After"] = str(seconds)
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse({"error": code, **told, "message": words}, status_code=status, headers=headers)
