"""Memory that goes from one conversation to another, as the page asks for it: at an address of our own, as a file of memory comes along.

`POST /keepsake/carrying` with an object `{"do": …}`, answered with what there is, what was done, or why not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from chat import views
from chat.carried_file import MOST_BYTES, MOST_THINGS
from chat.carrying import FORMS, Carrying
from chat.errors import MemoryFileRefused
from storage.wall import on_wall
from ui import values
from ui.guard import trouble
from ui.heavy import heavily
from ui.payload import Payload
from ui.requests import FILE_HEADERS, BodyRefused, BodyTooLarge, read_json
from ui.users import current_user

CARRYING = "/keepsake/carrying"
MOST_ASKED_BYTES = 3 * MOST_BYTES
"""Of a request: a file as a text within JSON, and what was chosen of it."""


class CarryingAddress:
    def __init__(self, carrying: Carrying) -> None:
        self._carrying = carrying

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        with suppress(ClientDisconnect, TimeoutError):  # then nobody is there to be told
            await (await self._answered(request))(scope, receive, send)

    async def _answered(self, request: Request) -> Response:
        try:
            said = Payload(await read_json(request, most=MOST_ASKED_BYTES))
        except BodyTooLarge:
            too_large = MemoryFileRefused("This file is too large. Nothing was changed.", kind="large", where="", reason="")
            return JSONResponse({"refused": trouble(too_large)}, headers=FILE_HEADERS)
        except BodyRefused:
            return JSONResponse({}, status_code=400, headers=FILE_HEADERS)
        answer = (
            heavily(current_user(request), self._answer, request, said)
            if said.text("file")
            else asyncio.to_thread(self._answer, request, said)
        )
        return JSONResponse(await answer, headers=FILE_HEADERS)

    def _answer(self, request: Request, said: Payload) -> values.Value:
        try:
            with on_wall(said.offset()):
                return self._done(current_user(request), said)
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {"refused": trouble(error)}

    def _done(self, user: str, said: Payload) -> values.Value:
        chat, of = said.id("chat"), said.id("of")
        match said.one_of("do", "look", "begin", "export", "read", "take"):
            case "begin":
                chosen = said.ids("chosen", most=MOST_THINGS)
                return {"begun": self._carrying.begin(user, chat, chosen, character_id=said.id("character"), of=of)}
            case "export":
                made = self._carrying.export(user, chat, said.one_of("form", *FORMS), of)
                return {"ticket": made.ticket, "name": made.path.name, "size": made.size}
            case "read":
                return {"offer": offer(self._carrying.look_into(user, chat, _raw(said), of))}
            case "take":
                places = [int(n) for n in said.ids("chosen", most=MOST_THINGS) if n.isascii() and n.isdigit()]
                taken = self._carrying.take(user, chat, _raw(said), places, edition=said.number("edition"), of=of)
                return {"taken": {"edition": taken.edition, "new": taken.new, "there": taken.there}}
        return {"offer": offer(self._carrying.look(user, chat, of))}


def _raw(said: Payload) -> bytes:
    return said.text("file").encode("utf-8", "replace")


def offer(view: views.CarryingView) -> values.Value:
    return {
        "title": view.title,
        "character": view.character,
        "character_id": view.character_id,
        "player": view.player,
        "language": view.language,
        "rounds": view.rounds,
        "same": view.same,
        "things": _things(view.things),
    }


def _things(things: Sequence[views.OfferedView]) -> list[Mapping[str, object]]:
    return [
        {
            "id": one.id,
            "kind": one.kind,
            "text": one.text,
            "key": one.key,
            "at": values.moment(one.said_at),
            "first": one.first_round,
            "last": one.last_round,
            "title": one.title,
            "state": one.state,
            "pinned": one.pinned,
            "may": one.may,
            "own": one.own,
            "there": one.there,
        }
        for one in things
    ]
