from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message

from ui.headers import SafeHeaders


def headers_of(path: str) -> dict[str, str]:
    app = Starlette(routes=[Route("/", lambda request: PlainTextResponse("hello"))], **SafeHeaders.app_options())
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [],
        "http_version": "1.1",
    }
    # A thread of its own: the browser tests keep Playwright's event loop in the main one.
    with ThreadPoolExecutor(1) as alone:
        alone.submit(asyncio.run, app(scope, receive, send)).result()
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def test_every_answer_forbids_other_hosts_and_framing() -> None:
    for path in ("/", "/missing"):
        headers = headers_of(path)
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == policy["connect-src"] == "'self'"
        assert policy["frame-ancestors"] == policy["object-src"] == "'none'"
        assert all("http" not in sources and "*" not in sources for sources in policy.values())
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("host", "path", "status"),
    [
        ("127.0.0.1:7860", "/", 200),
        ("localhost:7860", "/", 200),
        ("[::1]:7860", "/", 200),
        ("keepsake.home", "/", 200),
        ("evil.example:7860", "/", 403),
        ("127.0.0.1.evil.example", "/", 403),
        ("[", "/", 403),
        ("127.0.0.1:7860", "/gradio_api/file=https://evil.example/x.png", 403),
    ],
)
def test_other_names_and_fetches_from_elsewhere_are_refused(host: str, path: str, status: int) -> None:
    app = Starlette(
        routes=[Route("/", lambda request: PlainTextResponse("hello"))],
        **SafeHeaders.app_options(["keepsake.home"]),
    )
    assert TestClient(app).get(path, headers={"host": host}).status_code == status
