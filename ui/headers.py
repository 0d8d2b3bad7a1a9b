"""What a browser is allowed to do with the page, said in headers so that it holds even where a script is wrong."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class SafeHeaders:
    """ASGI middleware: answers to its own names and its own page alone, no request to another host, no uploads, no framing, no referrer."""

    def __init__(self, app: ASGIApp, *, served: Collection[str] = ()) -> None:
        self._app = app
        self._served = frozenset(name.strip().casefold() for name in served)

    @classmethod
    def app_options(cls, served: Collection[str] = (), *, doors: Sequence[Middleware] = ()) -> dict[str, Any]:
        """The `app_kwargs` of Gradio's `launch()`; served: names the page is reached by; doors: say whose a request is, the local user's without one."""
        return {"middleware": [Middleware(cls, served=tuple(served)), *(doors or [Middleware(Alone)])]}

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
