"""What a browser is allowed to do with the page, said in headers so that it holds even where a script is wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from ui.door import Alone

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",  # Gradio compiles its templates in the browser
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


REFUSED = "This address is not served here. If it is a name of this computer, set KEEPSAKE_HOSTNAMES to it and start Keepsake again.\n"
CLOSED = (
    "/gradio_api/file=http",  # Gradio fetches the address behind it: a request to another host in the owner's name
    "/gradio_api/upload",  # whatever it is sent, Gradio keeps; a chat that is imported has an address of its own (`ui.transfers`)
    "/gradio_api/component_server",
)
"""Beginnings of addresses that Gradio would answer and the page never asks for."""
FORWARDED = frozenset({b"forwarded", b"x-real-ip", b"x-original-host", b"x-host", b"via"})
"""What a proxy says of a request beside `x-forwarded-…`."""
NOT_OURS = "This was asked for by another web page. Keepsake answers its own page alone.\n"


def is_local_name(host: str, *, served: Collection[str]) -> bool:
    """Whether a Host header names this program by a number, as localhost, or by a name it was told.

    Any other name may be a web page's that was pointed at 127.0.0.1 after it was loaded (DNS rebinding): it would read every chat.
    """
    name = urlsplit(f"//{host}").hostname or ""
    if name == "localhost" or name in served:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_of_another_page(method: str, headers: Headers) -> bool:
    """Whether a browser says that a page from elsewhere makes this request, also one from another port of this computer.

    Links to the page are followed. What is no browser says nothing of this, and is held to nothing: it is a program of whoever sits at this computer.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:  # browsers say it wherever the connection is trusted, and no page can forge it
        followed = method == "GET" and headers.get("sec-fetch-mode") == "navigate"
        return site not in ("same-origin", "none") and not followed
    origin = headers.get("origin")
    return method not in ("GET", "HEAD") and origin is not None and urlsplit(origin).netloc != headers.get("host")


class Proxies:
    """ASGI middleware before all others: takes the word of a known proxy for where a request comes from, by which name and whether by https, and of nobody else.

    What says so is gone afterwards, as Gradio would believe it of anybody. trusted: addresses and networks, separated by commas; served: names of the page.
    """

    def __init__(self, app: ASGIApp, *, trusted: str, served: Collection[str] = ()) -> None:
        self._app = app
        self._served = frozenset(name.strip().casefold() for name in served)
        self._told = ProxyHeadersMiddleware(self._believed, trusted_hosts=trusted)  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        peer = scope.get("client")
        if peer is not None and peer[0] in self._told.trusted_hosts:
            await self._told({**scope}, receive, send)  # type: ignore[arg-type]
        else:
            await self._app({**scope, "headers": _unforwarded(scope["headers"])}, receive, send)

    async def _believed(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _unforwarded(scope["headers"])
        named = Headers(scope=scope).get("x-forwarded-host", "").split(",")[0].strip()
        if (
            named
            and self._is_served(named)
            and self._is_served(host := Headers(raw=headers).get("host", ""))
            and _name(named) != _name(host)
        ):
            headers = [(b"host", named.encode("latin-1")) if name == b"host" else (name, value) for name, value in headers]
        await self._app({**scope, "headers": headers}, receive, send)

    def _is_served(self, host: str) -> bool:
        try:
            return is_local_name(host, served=self._served)
        except ValueError:
            return False


def _name(host: str) -> str:
    return urlsplit(f"//{host}").hostname or ""


def _unforwarded(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in headers if name not in FORWARDED and not name.startswith(b"x-forwarded-")]


class SafeHeaders:
    """ASGI middleware: answers to its own names and its own page alone, no request to another host, no uploads, no framing, no referrer."""

    def __init__(self, app: ASGIApp, *, served: Collection[str] = ()) -> None:
        self._app = app
        self._served = frozenset(name.strip().casefold() for name in served)

    @classmethod
    def app_options(cls, served: Collection[str] = (), *, proxies: str = "", doors: Sequence[Middleware] = ()) -> dict[str, Any]:
        """The `app_kwargs` of Gradio's `launch()`; served: names the page is reached by; proxies: addresses of those that are believed; doors: say whose a
        request is, the local user's without one."""
        first = [Middleware(Proxies, trusted=proxies, served=tuple(served)), Middleware(cls, served=tuple(served))]
        return {"middleware": [*first, *(doors or [Middleware(Alone)])]}

    def _refusal(self, scope: Scope) -> str:
        """Why a request is not answered; empty if it is."""
        headers = Headers(scope=scope)
        try:
            if "host" in headers and not is_local_name(headers["host"], served=self._served):
                return REFUSED
            if is_of_another_page(scope["method"], headers):
                return NOT_OURS
        except ValueError:
            return REFUSED
        return REFUSED if scope["path"].casefold().startswith(CLOSED) else ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if why := self._refusal(scope):
            await PlainTextResponse(why, status_code=403)(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", POLICY)
                headers.setdefault("Referrer-Policy", "no-referrer")
                headers["X-Content-Type-Options"] = "nosniff"
            await send(message)

        await self._app(scope, receive, with_headers)
