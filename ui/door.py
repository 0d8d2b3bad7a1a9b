"""The door: whose request this is, and which addresses are answered at all. Everything the page and its handlers do lies behind it.

Without accounts everybody is the local user, as `ui.headers` lets nobody in but this computer's own pages. With accounts only what is named here is answered:
an address that Gradio may add, or that we do, is closed until it is named.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from accounts.entrance import Entrance, Visitor
from storage.scope import LOCAL_USER
from ui.requests import LongBodies, has_few_parts, pieces
from ui.users import note_accounts, note_user

DATA, JOIN, CANCEL = "/gradio_api/queue/data", "/gradio_api/queue/join", "/gradio_api/cancel"
LOGIN, SET_UP, LOGOUT, ACCOUNT, PEOPLE = (f"/keepsake/{name}" for name in ("login", "setup", "logout", "account", "people"))
HEALTH, METRICS = "/health", "/metrics"
FOR_ANYBODY = {("GET", LOGIN), ("POST", LOGIN), ("GET", SET_UP), ("POST", SET_UP), ("GET", "/favicon.ico")} | {
    ("GET", "/gradio_api/startup-events"),  # Gradio asks itself at its start; answers true or false
    ("GET", HEALTH),  # these name nobody (`ui.monitoring`)
    ("HEAD", HEALTH),
    ("GET", METRICS),
}
FOR_A_NEW_PASSWORD = {("GET", ACCOUNT), ("POST", ACCOUNT), ("POST", LOGOUT)}
"""All that is open to whoever has a password that an admin made up."""
FOR_ALL = FOR_A_NEW_PASSWORD | {
    ("GET", "/"),
    ("GET", "/theme.css"),
    ("GET", "/keepsake/page.js"),
    ("GET", "/gradio_api/app_id"),
    ("GET", DATA),
    ("POST", JOIN),
    ("POST", CANCEL),
    ("GET", PEOPLE),
    ("POST", PEOPLE),
    ("POST", "/keepsake/imports"),
    ("POST", "/keepsake/cards"),
    ("POST", "/keepsake/learned"),
    ("POST", "/keepsake/listening"),
    ("POST", "/keepsake/passing"),
    ("POST", "/keepsake/carrying"),
    ("POST", "/keepsake/players"),
    ("POST", "/keepsake/stance-drafts"),
    ("POST", "/keepsake/translations"),
    ("POST", "/keepsake/models"),
    ("POST", "/keepsake/models/files"),
    ("GET", "/keepsake/annotation"),
    ("POST", "/keepsake/annotation/do"),
    ("POST", "/keepsake/annotation/dialogues"),
    ("POST", "/keepsake/annotation/table"),
    ("GET", "/keepsake/runs"),
    ("POST", "/keepsake/runs/do"),
    ("POST", "/keepsake/runs/data"),
}
FAMILIES = re.compile(
    r"(/static/|/assets/|/keepsake/exports/|/keepsake/faces/|/keepsake/players/|/keepsake/annotation/files/|/keepsake/runs/files/)[^/]",
    re.ASCII,
)
"""Beginnings of further addresses that are fetched."""
FED = "/keepsake/listen/{chat}"
FEEDS = re.compile(r"/keepsake/listen/[^/]+", re.ASCII)
"""Where lines are brought to a conversation that listens, by the page's user or by a program with a token."""
MOST_EVENT_BYTES = 8 * 2**20
"""Of an event's body. The longest message is a small part of this."""
MOST_BEARER_CHARS = 200
TAB = "session_hash"
"""What Gradio calls a tab by, and hands out its news, its last values and its running handlers for, to whoever names it."""


class Alone:
    """ASGI middleware where there are no accounts: every request is the local user's."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        note_user(scope, LOCAL_USER)
        await self._app(scope, receive, send)


class Door:
    """ASGI middleware: nobody comes in without a login, nobody reaches another's tab, and what is open closes when its login ends."""

    def __init__(self, app: ASGIApp, *, entrance: Entrance, port: int) -> None:
        self._app = app
        self._entrance = entrance
        self._port = port
        self._long_bodies = LongBodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:  # nothing of ours is a websocket
            await send({"type": "websocket.close", "code": 1008, "reason": ""})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        place = (scope["method"], scope["path"])
        feeds = scope["method"] == "POST" and FEEDS.fullmatch(scope["path"]) is not None
        if feeds and bearer_of(headers) is not None:  # a program: no browser sends this unasked, and the address looks whose the token is
            note_accounts(scope)
            await self._app(scope, receive, send)
            return
        if scope["method"] not in ("GET", "HEAD") and not is_own_page(headers):
            await PlainTextResponse("This was not asked for by Keepsake's own page.\n", status_code=403)(scope, receive, send)
            return
        token = token_of(scope, self._port)
        visitor = await asyncio.to_thread(self._entrance.visitor, token) if token else None
        if visitor is not None:
            note_user(scope, visitor.user_id, visitor)
        if place in FOR_ANYBODY:
            await self._app(scope, receive, send)
        elif visitor is None:
            await self._to_login(scope)(scope, receive, send)
        elif visitor.must_change and place not in FOR_A_NEW_PASSWORD:
            await _elsewhere(scope, ACCOUNT)(scope, receive, send)
        elif place in FOR_ALL or feeds or (scope["method"] == "GET" and FAMILIES.match(scope["path"])):
            async with self._long_bodies.hearing(visitor.user_id, scope, receive) as hear:
                await self._inside(visitor, scope, hear, send)
        else:
            await PlainTextResponse("This address is not served.\n", status_code=404)(scope, receive, send)

    def _to_login(self, scope: Scope) -> Response:
        if self._entrance.waits_for_admin():
            return _elsewhere(scope, SET_UP)
        asked = scope["query_string"].decode("latin-1")
        return _elsewhere(scope, LOGIN + ("?to=" + quote(f"/?{asked}", safe="") if scope["path"] == "/" and asked else ""))

    async def _inside(self, visitor: Visitor, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            scope, receive = await _with_own_tab(visitor.user_id, scope, receive)
        except ValueError as error:
            await JSONResponse({"detail": str(error)}, status_code=400)(scope, receive, send)
            return
        except (ClientDisconnect, TimeoutError):
            return
        if scope["path"] == DATA:
            receive, send = self._while_it_holds(visitor, receive, send)
        await self._app(scope, receive, _unkept(send))

    def _while_it_holds(self, visitor: Visitor, receive: Receive, send: Send) -> tuple[Receive, Send]:
        """What goes out piece by piece ends with the login: each piece is looked at before it leaves."""
        ended = False

        async def hear() -> Message:
            return {"type": "http.disconnect"} if ended else await receive()

        async def say(message: Message) -> None:
            nonlocal ended
            if ended:
                return
            if message["type"] == "http.response.body" and message.get("body"):
                now = await asyncio.to_thread(self._entrance.still, visitor.login)
                if now is None or now.must_change:
                    ended = True
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
                    return
            await send(message)

        return hear, say


def bearer_of(headers: Headers) -> str | None:
    """The token that a program brings; None for none, which is not the same as an empty one."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip()[:MOST_BEARER_CHARS] if kind.casefold() == "bearer" else None


def is_own_page(headers: Headers) -> bool:
    """Whether a browser says that our own page asks for this. One that says nothing is refused: every browser tells the origin of what changes something."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site != "same-origin":
        return False
    if origin is not None:
        return origin != "null" and urlsplit(origin).netloc.casefold() == headers.get("host", "").casefold()
    return site is not None


def cookie_name(scope: Scope, port: int) -> str:
    """Over https a name that browsers let no other host and no unencrypted page set. The port, as cookies of one host are sent to all its ports."""
    return f"__Host-keepsake-{port}" if scope.get("scheme") == "https" else f"keepsake-{port}"


def token_of(scope: Scope, port: int) -> str:
    """The token in a request's cookies; empty without one."""
    try:
        found = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(cookie_name(scope, port))
    except CookieError:
        return ""
    return found.value[:200] if found is not None else ""


def address_of(request: Request) -> str:
    """Where a request comes from, as the web server tells it (`KEEPSAKE_PROXIES`)."""
    return request.client.host if request.client is not None else ""


def _elsewhere(scope: Scope, address: str) -> Response:
    """A person is led on; a program, and a page that is open still, is told."""
    if scope["method"] in ("GET", "HEAD") and (scope["path"] == "/" or "text/html" in Headers(scope=scope).get("accept", "")):
        return RedirectResponse(address, status_code=303, headers={"Cache-Control": "no-store"})
    return JSONResponse({"detail": "You are not logged in."}, status_code=401, headers={"Cache-Control": "no-store"})


def _unkept(send: Send) -> Send:
    """What somebody was shown is not shown by their browser to the next, save for what is the same for all."""

    async def say(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if not headers.get("content-type", "").startswith(("text/css", "text/javascript", "application/javascript", "font/", "image/")):
                headers["Cache-Control"] = "no-store"
        await send(message)

    return say


async def _with_own_tab(user_id: str, scope: Scope, receive: Receive) -> tuple[Scope, Receive]:
    """The request as one of a tab of this user's: whatever tab it names, it is looked for among theirs alone. Raises ValueError for one that cannot be read,
    ClientDisconnect."""
    path = scope["path"]
    if scope["query_string"]:
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        owned = [(name, own_tab(user_id, value) if name == TAB else value) for name, value in pairs]
        scope = {**scope, "query_string": urlencode(owned).encode("ascii")}
    if path in (JOIN, CANCEL):
        return await _with_own_body(user_id, path, scope, receive)
    return scope, receive


async def _with_own_body(user_id: str, path: str, scope: Scope, receive: Receive) -> tuple[Scope, Receive]:
    raw = bytearray()
    async for piece in pieces(Request(scope, receive)):
        raw += piece
        if len(raw) > MOST_EVENT_BYTES:
            raise ValueError("This is too large.")
    if not await asyncio.to_thread(has_few_parts, bytes(raw)):
        raise ValueError("This has too many parts.")
    try:
        body = json.loads(bytes(raw))
    except (ValueError, RecursionError) as error:
        raise ValueError("This is no JSON.") from error
    if not isinstance(body, dict) or not isinstance(body.get(TAB), str):
        raise ValueError("This names no tab.")
    if path == JOIN:
        body.pop("event_id", None)  # Gradio would go on with the running handler of that name, whoever's it is; the page never names one
    owned = json.dumps({**body, TAB: own_tab(user_id, body[TAB])}).encode("ascii")
    headers = [(name, value) for name, value in scope["headers"] if name not in (b"content-length", b"transfer-encoding")]
    return {**scope, "headers": [*headers, (b"content-length", str(len(owned)).encode("ascii"))]}, _then(owned, receive)


def own_tab(user_id: str, tab: str) -> str:
    """What Gradio knows a tab of somebody's by."""
    return f"{user_id}.{tab}"


def _then(body: bytes, receive: Receive) -> Callable[[], Awaitable[Message]]:
    """Hears a body that is there already, then what the client does."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def hear() -> Message:
        return waiting.pop() if waiting else await receive()

    return hear
