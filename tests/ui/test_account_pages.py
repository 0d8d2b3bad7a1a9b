"""The pages about accounts, by what they send and what they set; short of a browser and of Gradio."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import accounts.errors
from accounts.errors import AccountError
from accounts.throttle import ACCOUNT
from storage.scope import LOCAL_USER
from storage.store import Store
from tests.accounts.conftest import ADA, BEN, Door, door_of
from ui.accounts.pages import MOST_WAITING, AccountPages
from ui.accounts.rendering import HERE, sentence, why_not
from ui.accounts.words import WORDS
from ui.door import Door as Doorkeeper
from ui.headers import SafeHeaders
from ui.users import current_user

HOST = "http://127.0.0.1:7860"
COOKIE = "keepsake-7860"


@pytest.fixture
def door(store: Store) -> Door:
    return door_of(store)


def app_of(door: Door) -> Starlette:
    pages = AccountPages(door.entrance, door.people, 7860)
    who = Route("/", lambda request: PlainTextResponse(current_user(request)))
    keeper = Middleware(Doorkeeper, entrance=door.entrance, port=7860)
    return Starlette(routes=[*pages.routes(), who], **SafeHeaders.app_options(doors=[keeper]))


@pytest.fixture
def browser(door: Door) -> Iterator[Any]:
    """Makes browsers, each with cookies of its own."""
    with ThreadPoolExecutor(1) as alone:  # the browser tests keep Playwright's event loop in the main thread

        def opened(base: str = HOST) -> TestClient:
            client = TestClient(app_of(door), base_url=base, headers={"origin": base, "accept": "text/html"}, follow_redirects=False)
            return alone.submit(lambda: client).result()

        yield opened


def logged_in(browser: Any, name: str = "Ada", password: str = ADA, **more: str) -> TestClient:
    client: TestClient = browser(**more)
    answer = client.post("/keepsake/login", data={"name": name, "password": password})
    assert answer.status_code == 303, answer.text
    return client


def test_everybody_is_led_to_the_set_up_until_there_is_an_admin(door: Door, browser: Any) -> None:
    client = browser()
    for path in ("/", "/keepsake/login", "/keepsake/account"):
        assert client.get(path).headers["location"] == "/keepsake/setup"
    assert client.post("/keepsake/login", data={"name": "Ada", "password": ADA}).headers["location"] == "/keepsake/setup"
    door.ada()
    assert client.get("/keepsake/setup").headers["location"] == "/keepsake/login"
    assert client.post("/keepsake/setup", data={"code": "x"}).headers["location"] == "/keepsake/login"


def test_the_set_up_tells_of_old_conversations_to_whoever_has_the_code_alone(store: Store, door: Door, browser: Any) -> None:
    store.chats.create(LOCAL_USER, character_id="c1", title="", language="en", user_name="You")
    client = browser()
    asks = 'name="whose"'
    assert asks not in client.get("/keepsake/setup").text
    wrong = client.post("/keepsake/setup", data={"code": "nonsense"})
    assert (wrong.status_code, asks in wrong.text, 'name="password"' in wrong.text) == (400, False, False)
    right = client.post("/keepsake/setup", data={"code": door.entrance.code})
    assert asks in right.text
    form = {"code": door.entrance.code, "name": "Ada", "password": ADA, "again": ADA}
    silent = client.post("/keepsake/setup", data=form)
    assert (silent.status_code, "Say whose" in silent.text) == (400, True)
    assert door.entrance.waits_for_admin(), "nothing is taken over in silence"
    for bad in ({"again": "another"}, {"password": "short", "again": "short"}, {"name": " "}):
        refused = client.post("/keepsake/setup", data={**form, "whose": "mine", **bad})
        assert (refused.status_code, 'role="alert"' in refused.text) == (400, True)
        assert ADA not in refused.text
    done = client.post("/keepsake/setup", data={**form, "whose": "mine"})
    assert (done.status_code, done.headers["location"]) == (303, "/")
    assert client.get("/").text == LOCAL_USER


def test_what_was_there_before_can_be_left_alone(store: Store, door: Door, browser: Any) -> None:
    store.chats.create(LOCAL_USER, character_id="c1", title="", language="en", user_name="You")
    client = browser()
    client.post("/keepsake/setup", data={"code": door.entrance.code, "name": "Ada", "password": ADA, "again": ADA, "whose": "nobody"})
    assert client.get("/").text not in ("", LOCAL_USER)
    assert len(store.chats.of_user(LOCAL_USER)) == 1


def test_the_cookie_is_out_of_reach_of_scripts_other_sites_and_plain_http(door: Door, browser: Any) -> None:
    door.ada()
    said = browser().post("/keepsake/login", data={"name": "Ada", "password": ADA}).headers["set-cookie"]
    assert re.fullmatch(rf"{COOKIE}=[\w-]{{43}}; HttpOnly; Max-Age=86400; Path=/; SameSite=lax", said), said
    https = browser(base="https://127.0.0.1:7860")
    said = https.post("/keepsake/login", data={"name": "Ada", "password": ADA}).headers["set-cookie"]
    assert re.fullmatch(rf"__Host-{COOKIE}=[\w-]{{43}}; HttpOnly; Max-Age=86400; Path=/; SameSite=lax; Secure", said), said
    assert https.get("/").status_code == 200


def test_logging_in_makes_a_new_session_and_ends_the_one_before(door: Door, browser: Any) -> None:
    ada = door.ada()
    door.ben(ada)
    client = logged_in(browser)
    first = client.cookies[COOKIE]
    planted = browser()
    planted.cookies.set(COOKIE, "planted-by-somebody-else-0123456789-0123456")
    assert (
        planted.post("/keepsake/login", data={"name": "Ada", "password": ADA}).cookies[COOKIE]
        != "planted-by-somebody-else-0123456789-0123456"
    )
    client.post("/keepsake/login", data={"name": "Ben", "password": BEN})
    assert client.get("/").text != ada.user_id
    assert door.entrance.visitor(first) is None


@pytest.mark.parametrize(
    ("to", "goes"),
    [
        ("/?chat=abc", "/?chat=abc"), ("", "/"), ("//evil.example/?x", "/"), ("https://evil.example", "/"), ("/\\evil.example", "/"), ("/keepsake/logout", "/"),
        ("/?x\r\nSet-Cookie: a=b", "/"), ("/?" + "x" * 600, "/"), ("/?é", "/"),
    ],
)  # fmt: skip
def test_whoever_logs_in_goes_on_where_they_were_and_nowhere_else(door: Door, browser: Any, to: str, goes: str) -> None:
    door.ada()
    client = browser()
    assert client.get("/?chat=abc").headers["location"] == "/keepsake/login?to=%2F%3Fchat%3Dabc"
    answer = client.post("/keepsake/login", params={"to": to}, data={"name": "Ada", "password": ADA})
    assert (answer.status_code, answer.headers["location"]) == (303, goes)


def test_a_refusal_says_the_same_of_every_name(door: Door, browser: Any) -> None:
    ada = door.ada()
    door.people.lock(ada, door.ben(ada).user_id)
    client = browser()
    pages = set()
    for name, password in (("Ada", "not it at all"), ("Ben", BEN), ("Nobody", ADA)):
        answer = client.post("/keepsake/login", data={"name": name, "password": password})
        assert answer.status_code == 401
        assert password not in answer.text
        pages.add(re.sub(r'nonce[=-]"?[\w-]+', "", answer.text).replace(name, ""))
    assert len(pages) == 1
    for _ in range(ACCOUNT.free):
        last = client.post("/keepsake/login", data={"name": "Nobody", "password": "x"})
    assert last.status_code == 429
    assert re.search(r"in \d+ seconds", last.text)


def test_logging_out_ends_this_browser_or_all(door: Door, browser: Any) -> None:
    door.ada()
    one, two, three = (logged_in(browser) for _ in range(3))
    gone = one.post("/keepsake/logout", data={"where": "here"})
    assert gone.headers["location"] == "/keepsake/login?logged_out"
    assert COOKIE not in one.cookies
    assert (one.get("/").status_code, two.get("/").status_code) == (303, 200)
    two.post("/keepsake/logout", data={"where": "everywhere"})
    assert three.get("/").status_code == 303
    assert one.get("/keepsake/logout").status_code != 200, "a link logs nobody out"


def test_a_password_that_an_admin_made_opens_nothing_but_its_change(door: Door, browser: Any) -> None:
    ada = door.ada()
    made = door.people.add(ada, name="Ben", role="admin")
    ben = logged_in(browser, "Ben", made)
    for path in ("/", "/keepsake/people"):
        assert ben.get(path).headers["location"] == "/keepsake/account"
    assert ben.get("/keepsake/people", headers={"accept": "*/*"}).status_code == 401
    assert ben.post("/keepsake/people", data={"do": "add", "name": "Eve", "role": "admin"}).status_code == 401
    for form in (
        {"present": "x", "new": BEN, "again": BEN},
        {"present": made, "new": made, "again": made},
        {"present": made, "new": BEN, "again": "x"},
    ):
        assert ben.post("/keepsake/account", data=form).status_code == 400
    assert ben.post("/keepsake/account", data={"present": made, "new": BEN, "again": BEN}).headers["location"] == "/"
    assert ben.get("/").status_code == 200


def test_one_can_remove_oneself_with_ones_password(door: Door, browser: Any) -> None:
    ada = door.ada()
    ben = door.ben(ada)
    client = logged_in(browser, "Ben", BEN)
    assert client.post("/keepsake/account", data={"do": "remove", "present": "not it"}).status_code == 400
    assert door.erased == []
    gone = client.post("/keepsake/account", data={"do": "remove", "present": BEN})
    assert gone.headers["location"] == "/keepsake/login?account_gone"
    assert door.erased == [ben.user_id]
    assert client.get("/").status_code == 303


def test_to_remove_an_account_its_name_is_written_once_more(door: Door, browser: Any) -> None:
    ben = door.ben(door.ada())
    ada = logged_in(browser)
    for name in ("", "ben", "Ada"):
        refused = ada.post("/keepsake/people", data={"do": "remove", "user": ben.user_id, "name": name})
        assert (refused.status_code, door.erased) == (400, [])
    assert ada.post("/keepsake/people", data={"do": "remove", "user": "nobody", "name": ""}).status_code == 400
    done = ada.post("/keepsake/people", data={"do": "remove", "user": ben.user_id, "name": "Ben"})
    assert (done.status_code, door.erased) == (200, [ben.user_id])
    assert "Ben is removed" in done.text


def test_what_somebody_is_called_is_text(door: Door, browser: Any) -> None:
    ada = door.ada()
    door.people.add(ada, name='"><script>x()</script>', role="player")
    door.people.add(ada, name="{{ 7 * 7 }} {% raw %}", role="player")
    client = logged_in(browser)
    text = client.get("/keepsake/people").text
    assert "<script>x" not in text
    assert "&lt;script&gt;x()" in text
    assert "{{ 7 * 7 }}" in text
    typed = client.post("/keepsake/people", data={"do": "add", "name": "<img src=x onerror=y()>" * 3, "role": "player"}).text
    assert "<img src=x" not in typed


def test_a_page_lets_the_browser_load_nothing_and_keep_nothing(door: Door, browser: Any) -> None:
    door.ada()
    answer = browser().get("/keepsake/login")
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert (policy["form-action"], policy["frame-ancestors"], policy["base-uri"]) == ("'self'", "'none'", "'none'")
    assert answer.headers["cache-control"] == "no-store"
    nonce = re.search(r"'nonce-([\w-]+)'", policy["script-src"])
    assert nonce is not None
    assert answer.text.count(f'nonce="{nonce[1]}"') == 3
    assert browser().get("/keepsake/login").headers["content-security-policy"] != answer.headers["content-security-policy"]


def test_a_page_speaks_the_readers_language(door: Door, browser: Any) -> None:
    door.ada()
    client = browser()
    assert '<html lang="en"' in client.get("/keepsake/login").text
    assert '<html lang="zh-CN"' in client.get("/keepsake/login", headers={"accept-language": "zh-CN,zh;q=0.9"}).text
    assert "登录" in client.get("/keepsake/login?language=zh").text
    assert "登录" in client.get("/keepsake/login").text, "it was chosen"
    refused = client.post("/keepsake/login", data={"name": "Ada", "password": "x"})
    assert WORDS["error_login_refused"].zh in refused.text
    assert '<html lang="zh-CN"' in client.get("/keepsake/login?language=fr").text


@pytest.mark.parametrize("body", [b"", b"x" * 20_000, b"name=%ff%fe&password=%00", b"&" * 3000, "名=é".encode(), b"name=Ada&name=Ben"])
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json"])
def test_a_form_that_is_none_is_refused(door: Door, browser: Any, body: bytes, kind: str) -> None:
    door.ada()
    answer = browser().post("/keepsake/login", content=body, headers={"content-type": kind})
    assert answer.status_code in (401, 429)


def test_a_request_that_did_not_come_through_the_door_is_nobodys() -> None:
    with pytest.raises(Exception, match="not logged in"):
        current_user(Request({"type": "http", "headers": [], "keepsake.visitor": None}))


def test_nothing_is_a_websocket(door: Door, browser: Any) -> None:
    door.ada()
    client = logged_in(browser)
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/", headers={"origin": HOST}):
        pass


def test_a_crowd_at_the_door_is_told_to_come_again_and_counts_for_nothing(door: Door) -> None:
    door.ada()
    pages = AccountPages(door.entrance, door.people, 7860)
    pages.waiting.update(object() for _ in range(MOST_WAITING))
    app = Starlette(routes=pages.routes(), **SafeHeaders.app_options(doors=[Middleware(Doorkeeper, entrance=door.entrance, port=7860)]))
    with ThreadPoolExecutor(1) as alone:
        client = alone.submit(lambda: TestClient(app, base_url=HOST, headers={"origin": HOST})).result()
        assert client.post("/keepsake/login", data={"name": "Ada", "password": "x"}).status_code == 503
    assert door.store.database.read().execute("SELECT coalesce(sum(count), 0) FROM login_failure").fetchone()[0] == 0


CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.mark.parametrize("key", WORDS)
def test_a_sentence_says_the_same_in_both_languages(key: str) -> None:
    entry = WORDS[key]
    assert entry.en.strip() == entry.en != ""
    assert entry.zh.strip() == entry.zh != ""
    if key != "other_language":
        assert not CHINESE.search(entry.en)
        assert CHINESE.search(entry.zh) or entry.en == entry.zh
    for form in entry.en.split("|"):
        assert set(re.findall(r"\{(\w+)\}", form)) | {"n"} == set(re.findall(r"\{(\w+)\}", entry.zh)) | {"n"}


def test_every_refusal_has_a_sentence_and_no_sentence_is_unused() -> None:
    kinds = [
        kind
        for kind in vars(accounts.errors).values()
        if isinstance(kind, type) and issubclass(kind, AccountError) and kind is not AccountError
    ]
    codes = {kind.code for kind in kinds}
    assert {key.removeprefix("error_") for key in WORDS if key.startswith("error_")} == codes | {"unexpected", "erasure_unfinished"}
    written = "\n".join(path.read_text(encoding="utf-8") for path in [*(HERE / "templates").glob("*.html"), *HERE.glob("*.py")])
    for key in WORDS:
        family = key.partition("_")[0]
        assert f'"{key}"' in written.replace(f'"{key}": Entry', "") or family in ("error", "role", "done"), key


def test_an_error_nobody_expected_tells_nothing() -> None:
    assert why_not("en", ValueError("/home/somebody")) == sentence("en", "error_unexpected")


def test_light_or_dark_as_it_was_chosen_comes_before_the_page_is_drawn(door: Door, browser: Any) -> None:
    door.ada()
    head = browser().get("/keepsake/login").text.split("</head>", 1)[0]
    assert "keepsake.theme" in head
    assert ':root[data-theme="dark"]' in head
