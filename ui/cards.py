"""Character cards as files: an address that takes them, one that gives the small pictures, and the wish for a file."""

from __future__ import annotations

import asyncio
import hashlib
import json
from contextlib import ExitStack
from functools import partial
from pathlib import PurePath
from typing import Any

import gradio as gr
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from chat import views
from chat.cards import FORMS, Cards, too_large
from errors import KeepsakeError
from storage.errors import CharacterNotFound
from ui import values
from ui.characters import refused
from ui.guard import trouble
from ui.heavy import heavily
from ui.painter import Painter, Updates
from ui.payload import MAX_ID_CHARS, Payload
from ui.requests import FILE_HEADERS, announced, pieces
from ui.users import current_user

CARDS, FACES = "/keepsake/cards", "/keepsake/faces"
FACE_HEADERS = {**FILE_HEADERS, "Cache-Control": "private, max-age=86400"}
"""A picture's address changes with it; asked for anew each time the list is drawn, it would flicker."""


class CardFiles:
    """Handler of the dialog in which a character leaves as a card."""

    def __init__(self, painter: Painter) -> None:
        self._surfaces = painter.surfaces
        self._cards = painter.service.cards

    def card(self, event: gr.EventData, request: gr.Request) -> Updates:
        """What a character may go out as; or the file, and where to fetch it."""
        user, payload = current_user(request), Payload.of(event)
        token, character = payload.id("token"), payload.id("character")
        try:
            if payload.id("operation") != "export":
                return {self._surfaces.characters: ways(token, self._cards.look(user, character))}
            made = self._cards.export(user, character, payload.one_of("form", *FORMS), private=payload.id("private") == "yes")
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {self._surfaces.characters: refused(token, error)}
        return {
            self._surfaces.characters: {"token": token, "shows": "leaving", "n": values.number()},
            self._surfaces.portable: values.export(made.ticket, name=made.path.name, size=made.size),
        }


class TakingCard:
    """`POST /keepsake/cards` with a card's file as its body; `how` and `character` in the query as `Cards.take` has them. Answered with what came of it and
    what was done with what is in the file, or why it was refused."""

    def __init__(self, cards: Cards) -> None:
        self._cards = cards

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            answer = {"taken": taken(await self._take(request))}
        except (ClientDisconnect, TimeoutError):  # then nobody is there to be told
            return
        except Exception as error:  # noqa: BLE001  # as above
            answer = {"error": trouble(error)}
        await Response(json.dumps(answer), media_type="application/json", headers=FILE_HEADERS)(scope, receive, send)

    async def _take(self, request: Request) -> views.CardTakenView:
        user, asked = current_user(request), request.query_params
        how = asked.get("how", "")
        raw, most, refusal = bytearray(), 0, None
        with ExitStack() as held:
            try:
                most = held.enter_context(self._cards.coming(user, announced(request)))
            except KeepsakeError as error:
                refusal = error
            async for piece in pieces(request):  # all of it: a browser hears an answer once it has sent all
                if refusal is None:
                    raw += piece
                    refusal = too_large() if len(raw) > most else None
            if refusal is not None:
                raise refusal
            take = partial(
                self._cards.take,
                how=how if how in ("beside", "update", "look") else "ask",
                character_id=asked.get("character", "")[:MAX_ID_CHARS],
                name=PurePath(asked.get("file", "")[:MAX_ID_CHARS]).stem,
            )
            return await heavily(user, take, user, bytes(raw))


class Faces:
    """`GET /keepsake/faces/CHARACTER`: the avatar of one of the user's characters, a PNG that was drawn here."""

    def __init__(self, cards: Cards) -> None:
        self._cards = cards

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            picture = await asyncio.to_thread(self._cards.face, current_user(request), request.path_params["character"][:MAX_ID_CHARS])
        except CharacterNotFound as error:
            await PlainTextResponse(f"{error}\n", status_code=404, headers=FILE_HEADERS)(scope, receive, send)
            return
        mark = f'"{hashlib.blake2b(picture, digest_size=9).hexdigest()}"'
        headers = {**FACE_HEADERS, "ETag": mark}
        known = request.headers.get("if-none-match") == mark
        answer = Response(status_code=304, headers=headers) if known else Response(picture, media_type="image/png", headers=headers)
        await answer(scope, receive, send)


def taken(view: views.CardTakenView) -> dict[str, Any]:
    report = view.report
    return {
        "outcome": view.outcome,
        "id": view.id,
        "name": view.name,
        "there": view.there,
        "creator": view.creator,
        "notes": view.notes,
        "report": {
            "form": report.form,
            "container": report.container,
            "used": list(report.used),
            **{kind: [_note(note) for note in getattr(report, kind)] for kind in ("kept", "coerced", "mended", "dropped")},
            "unlisted": report.unlisted,
        },
    }


def ways(token: str, view: views.CardOutView) -> values.Value:
    return {
        "token": token,
        "shows": "ways",
        "forms": list(view.forms),
        "private": list(view.private),
        "left_out": list(view.left_out),
        "members": view.members,
        "n": values.number(),
    }


def _note(note: views.CardNoteView) -> dict[str, Any]:
    return {"code": note.code, "place": note.place, "count": note.n, "detail": note.detail}
