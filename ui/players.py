"""A player's own personas as the page has them: at addresses of our own, as a picture comes along and the same list is wanted in several places.

`POST /keepsake/players` with an object `{"do": …}`, answered with the list as it is then, or with why not. `GET /keepsake/players/PERSONA` is its picture.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from chat import views
from chat.errors import PlayerPictureUnusable
from chat.limits import MAX_PICTURE_BYTES
from chat.players import OwnPlayers
from storage.errors import PlayerNotFound
from ui import values
from ui.cards import FACE_HEADERS
from ui.characters import MOST_STAMP
from ui.guard import trouble
from ui.heavy import heavily
from ui.payload import MAX_ID_CHARS, Payload
from ui.requests import FILE_HEADERS, BodyRefused, BodyTooLarge, read_json
from ui.users import current_user

PLAYERS = "/keepsake/players"
MOST_BYTES = MAX_PICTURE_BYTES * 4 // 3 + 2**20
"""Of a request: a picture in base64, and the texts."""


def _kept(acts: OwnPlayers, user: str, said: Payload) -> str:
    """Save what a form says; the id of what was saved."""
    player, picture = said.id("player"), _picture(said.text("picture"))
    if not player:
        return acts.create(user, name=said.text("name"), description=said.text("description"), picture=picture)
    acts.change(
        user,
        player,
        name=said.text("name"),
        description=said.text("description"),
        picture=picture,
        keep_picture=said.one_of("keep", "", "yes") == "yes",
        stamp=said.number("stamp", most=MOST_STAMP),
    )
    return player


def _tied(acts: OwnPlayers, user: str, said: Payload) -> str:
    acts.tie(user, said.id("player"), said.id("character"))
    return said.id("player")


def _untied(acts: OwnPlayers, user: str, said: Payload) -> str:
    acts.untie(user, said.id("character"))
    return ""


def _done(act: Callable[[OwnPlayers, str, str], None]) -> Callable[[OwnPlayers, str, Payload], str]:
    def do(acts: OwnPlayers, user: str, said: Payload) -> str:
        act(acts, user, said.id("player"))
        return said.id("player")

    return do


ACTS: Mapping[str, Callable[[OwnPlayers, str, Payload], str]] = {
    "list": lambda acts, user, said: "",
    "keep": _kept,
    "duplicate": lambda acts, user, said: acts.duplicate(user, said.id("player")),
    "default": _done(OwnPlayers.make_default),
    "tie": _tied,
    "untie": _untied,
    "remove": _done(OwnPlayers.remove),
    "restore": _done(OwnPlayers.restore),
    "erase": _done(OwnPlayers.erase),
}
"""What a page may ask for; each gives the id of what it was done with."""


class Playing:
    """The address."""

    def __init__(self, own: OwnPlayers) -> None:
        self._own = own

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        with suppress(ClientDisconnect, TimeoutError):  # then nobody is there to be told
            await (await self._answered(request))(scope, receive, send)

    async def _answered(self, request: Request) -> Response:
        try:
            said = Payload(await read_json(request, most=MOST_BYTES))
        except BodyTooLarge:
            return JSONResponse({"refused": trouble(_too_large())}, headers=FILE_HEADERS)
        except BodyRefused:
            return JSONResponse({}, status_code=400, headers=FILE_HEADERS)
        answer = (
            heavily(current_user(request), self._answer, request, said)
            if said.text("picture")
            else asyncio.to_thread(self._answer, request, said)
        )
        return JSONResponse(await answer, headers=FILE_HEADERS)

    def _answer(self, request: Request, said: Payload) -> values.Value:
        try:
            user, act = current_user(request), said.one_of("do", "list", "weigh", *ACTS)
            if act == "weigh":
                return {"tokens": self._own.weigh(said.text("description"))}
            done = ACTS[act](self._own, user, said)
            return {**players(self._own.all(user)), "done": done}
        except Exception as error:  # noqa: BLE001  # the page's border: logged by `trouble` if unknown, and shown to the reader
            return {"refused": trouble(error)}


class PlayerFaces:
    """`GET /keepsake/players/PERSONA`: the picture of one of the user's personas, a PNG that was drawn here."""

    def __init__(self, own: OwnPlayers) -> None:
        self._own = own

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            picture = await asyncio.to_thread(self._own.face, current_user(request), request.path_params["player"][:MAX_ID_CHARS])
        except PlayerNotFound as error:
            await PlainTextResponse(f"{error}\n", status_code=404, headers=FILE_HEADERS)(scope, receive, send)
            return
        mark = f'"{hashlib.blake2b(picture, digest_size=9).hexdigest()}"'
        headers = {**FACE_HEADERS, "ETag": mark}
        known = request.headers.get("if-none-match") == mark
        answer = Response(status_code=304, headers=headers) if known else Response(picture, media_type="image/png", headers=headers)
        await answer(scope, receive, send)


def players(view: views.PlayersView) -> values.Value:
    def one(player: views.PlayerView) -> values.Value:
        return {
            "id": player.id,
            "name": player.name,
            "description": player.description,
            "stamp": player.stamp,
            "face": values.player_face(player.id, player.face),
            "conversations": player.conversations,
        }

    return {
        "listed": [one(p) for p in view.listed],
        "removed": [one(p) for p in view.removed],
        "default": view.default,
        "ties": dict(view.ties),
        "room": view.room,
    }


def _picture(text: str) -> bytes | None:
    """A file in base64; None for nothing."""
    if not text:
        return None
    if len(text) > MAX_PICTURE_BYTES * 4 // 3 + 4:
        raise _too_large()
    try:
        return base64.b64decode(text.encode("ascii", "replace"), validate=True) or b"\0"
    except binascii.Error:
        return b"\0"  # no picture


def _too_large() -> PlayerPictureUnusable:
    most = MAX_PICTURE_BYTES // 2**20
    return PlayerPictureUnusable(f"This picture has more than {most} MB. Choose a smaller one; nothing was saved.", field="picture")
