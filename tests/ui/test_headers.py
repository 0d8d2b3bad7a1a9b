from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from ui.headers import Proxies, SafeHeaders


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
        ("127.0.0.1:7860", "/gradio_api/upload", 403),
        ("127.0.0.1:7860", "/Gradio_API/Upload/?upload_id=1", 403),
        ("127.0.0.1:7860", "/gradio_api/upload_progress", 403),
        ("127.0.0.1:7860", "/gradio_api/component_server", 403),
    ],
)
def test_other_names_and_fetches_from_elsewhere_are_refused(host: str, path: str, status: int) -> None:
    app = Starlette(
        routes=[Route("/", lambda request: PlainTextResponse("hello"))],
        **SafeHeaders.app_options(["keepsake.home"]),
    )
    assert TestClient(app).get(path, headers={"host": host}).status_code == status


@pytest.mark.parametrize("header", ["sec-fetch-site", "origin"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_another_page_gets_nothing_and_does_nothing(header: str, method: str) -> None:
    app = Starlette(
        routes=[Route("/{any:path}", lambda request: PlainTextResponse("hello"), methods=[method])],
        **SafeHeaders.app_options(["keepsake.home"]),
    )
    client = TestClient(app)
    ours, theirs = {
        "sec-fetch-site": (("same-origin", "none"), ("cross-site", "same-site", "")),
        "origin": (("http://127.0.0.1:7860",), ("http://evil.example", "http://127.0.0.1:3000", "http://localhost:7860", "null", "")),
    }[header]
    for value in ours:
        assert client.request(method, "/x", headers={"host": "127.0.0.1:7860", header: value}).status_code == 200
    for value in theirs:
        answer = client.request(method, "/x", headers={"host": "127.0.0.1:7860", header: value})
        # Reading without a word from the browser about where from is decided by what may be read across origins: nothing of ours.
        assert answer.status_code == (200 if header == "origin" and method == "GET" else 403), value
        assert answer.status_code == 200 or "another web page" in answer.text


def test_a_link_from_elsewhere_leads_to_the_page_and_a_form_from_elsewhere_does_not() -> None:
    app = Starlette(routes=[Route("/", lambda request: PlainTextResponse("hello"), methods=["GET", "POST"])], **SafeHeaders.app_options())
    client = TestClient(app)
    headers = {"host": "127.0.0.1:7860", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=headers).status_code == 200
    assert client.post("/", headers=headers).status_code == 403


def seen(client: str, *, trusted: str, **headers: str) -> tuple[str, str, str, list[str]]:
    """By which name, way and from where a request is taken to come, and what is left of what proxies say."""

    async def shown(scope: Scope, receive: Receive, send: Send) -> None:
        told = [name.decode() for name, _ in scope["headers"] if b"forwarded" in name or name == b"x-real-ip"]
        found.append((Headers(scope=scope)["host"], scope["scheme"], scope["client"][0], told))

    found: list[tuple[str, str, str, list[str]]] = []
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in {"host": "127.0.0.1:7860", **headers}.items()]
    scope = {"type": "http", "method": "GET", "path": "/", "scheme": "http", "client": (client, 5), "headers": raw}
    app = Proxies(shown, trusted=trusted, served=["keepsake.home"])
    with ThreadPoolExecutor(1) as alone:
        alone.submit(asyncio.run, app(scope, None, None)).result()  # type: ignore[arg-type]
    return found[0]


FORWARDED = {
    "x_forwarded_host": "keepsake.home",
    "x_forwarded_proto": "https",
    "x_forwarded_for": "203.0.113.9",
    "x_real_ip": "203.0.113.9",
    "forwarded": "for=203.0.113.9;host=keepsake.home",
}


@pytest.mark.parametrize("trusted", ["", "10.0.0.1", "10.0.0.1, 10.1.0.0/16"])
def test_who_is_no_proxy_is_not_believed(trusted: str) -> None:
    assert seen("10.0.0.2", trusted=trusted, **FORWARDED) == ("127.0.0.1:7860", "http", "10.0.0.2", [])


@pytest.mark.parametrize(
    ("client", "trusted"), [("10.0.0.1", "10.0.0.1"), ("10.1.2.3", "10.0.0.1, 10.1.0.0/16"), ("127.0.0.1", "127.0.0.1")]
)
def test_a_proxy_says_who_asks_by_which_name_and_whether_by_https(client: str, trusted: str) -> None:
    assert seen(client, trusted=trusted, **FORWARDED) == ("keepsake.home", "https", "203.0.113.9", [])


@pytest.mark.parametrize(
    ("changed", "host"),
    [
        ({"x_forwarded_host": "evil.example"}, "127.0.0.1:7860"),  # of no name that is served
        ({"x_forwarded_host": "[", "host": "127.0.0.1:1"}, "127.0.0.1:1"),
        ({"host": "evil.example:7860"}, "evil.example:7860"),  # a page that was pointed at this computer: refused by its own name
        ({"host": "keepsake.home:8443"}, "keepsake.home:8443"),  # the proxy passes the name on, with its port
        ({"x_forwarded_host": "keepsake.home:8443, inner"}, "keepsake.home:8443"),
    ],
)
def test_a_name_that_a_proxy_tells_counts_where_it_is_served(changed: dict[str, str], host: str) -> None:
    assert seen("127.0.0.1", trusted="127.0.0.1", **{**FORWARDED, **changed})[0] == host


def test_of_several_addresses_the_last_that_is_no_proxys_counts() -> None:
    forged = {**FORWARDED, "x_forwarded_for": "192.0.2.1, 203.0.113.9, 10.0.0.7"}
    assert seen("10.0.0.1", trusted="10.0.0.0/24", **forged)[2] == "203.0.113.9"
