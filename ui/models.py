"""The page about language models, at an address of its own: a key that is typed there never passes through Gradio, which keeps what it is sent.

`POST /keepsake/models` with an object `{"do": …}`, answered with how everything stands or with why not. Everybody may look, keep presets of their own and choose one
for a conversation; what is the house's (connections, roles, files) is changed by admins where there are accounts, and by the one user where there are none.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress

from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from chat.model_room import ModelRoom
from chat.service import ChatService
from errors import KeepsakeError
from models.connection import KINDS, ROLES, Connection
from models.dialect import Dialect
from models.errors import ConnectionUnfit
from models.sampling import Sampling
from ui import model_values, values
from ui.guard import trouble
from ui.payload import Payload
from ui.requests import FILE_HEADERS, pieces
from ui.users import current_user, visitor_of

MODELS = "/keepsake/models"
MOST_BYTES = 2**16
MOST_KEY_CHARS = 1000


class NotForYou(KeepsakeError):
    """Somebody who is no admin wanted to change what is the house's."""

    code = "not_for_you"


def _keep(room: ModelRoom, user: str, said: Payload) -> None:
    """What a key is for and how long it may be is checked here; nothing of it is in any error."""
    key = said.text("key")
    if len(key) > MOST_KEY_CHARS or any(ord(sign) < 33 or ord(sign) > 126 for sign in key):
        raise ConnectionUnfit("A key is letters, digits and signs, without spaces. Nothing was changed.")
    try:
        wanted = Connection(
            id=said.id("connection") or "new",
            name=" ".join(said.text("name").split())[:60] or said.text("model").strip()[:60] or "?",
            kind=next(kind for kind in KINDS if kind == said.one_of("kind", *KINDS)),
            model=said.text("model").strip(),
            base=said.text("base").strip().rstrip("/"),
            key_env=said.text("key_env").strip(),
            context_tokens=said.number("context_tokens", least=512, most=1_000_000, otherwise=8192),
            reply_tokens=said.number("reply_tokens", least=16, most=8192, otherwise=400),
            timeout_s=said.number("timeout_s", least=5, most=600, otherwise=120),
            threads=said.number("threads", most=64),
        )
    except ValidationError as error:
        raise ConnectionUnfit("Something that a connection needs is missing or too long. Nothing was changed.") from error
    room.keep(wanted, key=key or ("" if said.id("forget_key") == "yes" else None))


def _speak(room: ModelRoom, user: str, said: Payload) -> None:
    """What a model's server takes, as somebody set it."""
    role = next((role for role in ROLES if role == said.id("role")), None)
    names = [name for name in re.split(r"[\s,，、;]+", said.text("without")) if name]
    try:
        dialect = Dialect.model_validate(
            {
                **{name: said.id(name) for name in ("system", "limit", "form")},
                "alternate": said.id("alternate") == "yes",
                "without": tuple(dict.fromkeys(names)),
                "window": said.number("window", most=10_000_000),
                "reply": said.number("reply", most=1_000_000),
            }
        )
    except ValidationError as error:
        raise ConnectionUnfit("Something of how it is asked is not known or out of its bounds. Nothing was changed.") from error
    room.speak(said.id("connection"), role, dialect)


def _choose(room: ModelRoom, user: str, said: Payload) -> None:
    role = next(role for role in ROLES if role == said.one_of("role", *ROLES))
    room.choose(role, said.id("connection"), preset=said.id("preset"), user_id=user)


def _keep_preset(room: ModelRoom, user: str, said: Payload) -> None:
    asked = said.numbers("values", tuple(Sampling.model_fields))
    room.keep_preset(user, said.id("preset"), said.text("name"), asked)


Act = Callable[[ModelRoom, str, Payload], object]
HOUSE_ACTS: Mapping[str, Act] = {
    "keep": _keep,
    "remove": lambda room, user, said: room.remove(said.id("connection")),
    "choose": _choose,
    "speak": _speak,
    "try": lambda room, user, said: room.try_out(said.id("connection")),
    "fetch": lambda room, user, said: room.downloads.start(said.id("offer")),
    "upload": lambda room, user, said: room.uploads.check(said.text("name"), said.number("size", most=2**53)),
    "halt": lambda room, user, said: room.downloads.stop(),
    "discard": lambda room, user, said: room.downloads.discard(said.id("offer")),
}
"""For who may change what is the house's."""
OWN_ACTS: Mapping[str, Act] = {
    "keep_preset": _keep_preset,
    "remove_preset": lambda room, user, said: room.remove_preset(user, said.id("preset")),
    "prefer": lambda room, user, said: room.prefer(user, said.id("chat"), said.id("preset")),
}
"""For everybody."""


class Models:
    """The address."""

    def __init__(self, service: ChatService) -> None:
        self._service = service

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
            user, visitor = current_user(request), visitor_of(request)
            may = visitor is None or visitor.role == "admin"
            act = said.one_of("do", "look", *HOUSE_ACTS, *OWN_ACTS)
            if act in HOUSE_ACTS and not may:
                raise NotForYou("Only an admin may change which models there are. Nothing was changed.")
            if act != "look":
                (HOUSE_ACTS.get(act) or OWN_ACTS[act])(self._service.models, user, said)
            return self._standing(user, said, may=may)
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {"refused": trouble(error)}

    def _standing(self, user: str, said: Payload, *, may: bool) -> values.Value:
        room = self._service.models
        shown = model_values.models(
            room.view(user, said.id("chat")), room.house() if may else None, values.model_status(self._service.status(user))
        )
        return {"same": True} if shown["mark"] == said.id("mark") else shown
