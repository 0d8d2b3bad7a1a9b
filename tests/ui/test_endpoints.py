"""Every address and every event of the real app, over raw HTTP: logged out, and as somebody with another's ids.

Addresses, events, operations and the names of what an event carries are listed from the app and its sources, so that a new one is walked too, or fails here until
it can be.
"""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from accounts.throttle import ADDRESS
from models.scripted import Script
from tests.accounts.conftest import ADA
from tests.ui.adas import SECRETS, Adas, places, state
from tests.ui.served import Person, Served, another, first_admin, served
from tests.waiting import PATIENCE_S
from ui.characters import LINES
from ui.door import FOR_ANYBODY
from ui.headers import REFUSED
from ui.passing import ACTS, PASSING

UI = Path(__file__).resolve().parents[2] / "ui"
READS = re.compile(
    r"(?:payload|Payload\.of\(event\)|Payload\((?:prefs|dict\(request\.query_params\))\))\.(?:id|ids|text|number|marks|one_of)\(\s*\"(\w+)\""
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


@pytest.fixture(scope="module")
def adas(ada: Person) -> Adas:
    return Adas(ada)


@pytest.fixture(scope="module")
def ben(house: Served, ada: Person, adas: Adas) -> Person:
    return another(house, ada)


def ask(client: httpx.Client, method: str, path: str, **more: Any) -> httpx.Response:
    """With a body that any of them could take."""
    body = {"session_hash": "adas-tab", "fn_index": 1, "data": [], "event_id": "x", "event_data": {}}
    with client.stream(method, path, **({"json": body} if method == "POST" else {}), **more) as answer:
        said = b""
        for piece in answer.iter_bytes():
            said += piece
            if len(said) > 2**20 or "event-stream" in answer.headers.get("content-type", ""):
                break
        answer._content = said
        return answer


def assert_nothing_of_hers(text: str, what: object) -> None:
    for secret in SECRETS:
        assert secret.casefold() not in text.casefold(), (what, secret)


def test_the_walk_knows_every_name_that_an_event_can_carry(adas: Adas) -> None:
    read = {name for path in UI.glob("*.py") for name in READS.findall(path.read_text(encoding="utf-8"))}
    assert len(read) > 25
    assert read | {*LINES} <= set(adas.carried("", ""))


def test_nobody_comes_in_without_a_login(house: Served, ada: Person, adas: Adas) -> None:
    before = state(ada, adas)
    client = house.client()
    walked = places(house, adas, ada)
    assert len(walked) > 70
    open_to_all = set()
    for method, path in walked:
        answer = ask(client, method, path)
        assert_nothing_of_hers(answer.text, path)
        if (method, path) in FOR_ANYBODY:
            open_to_all.add((method, path))
        elif path == "/":
            assert (answer.status_code, answer.headers["location"]) == (303, "/keepsake/login")
        else:
            assert answer.status_code in (401, 403), (method, path, answer.status_code)
            assert method == "HEAD" or answer.text in ('{"detail":"You are not logged in."}', REFUSED), path
    assert open_to_all == FOR_ANYBODY
    for number in house.page.fns:
        asked = {"data": [], "event_data": adas.carried(adas.chat, ""), "fn_index": number, "session_hash": "x", "trigger_id": None}
        assert client.post("/gradio_api/queue/join", json=asked).status_code == 401
    assert not house.page._queue.pending_messages_per_session.get("x")
    assert state(ada, adas) == before


def test_the_door_knows_every_address_of_ours(house: Served, ada: Person, adas: Adas) -> None:
    ours = [(method, path) for method, path in places(house, adas, ada) if path.startswith("/keepsake/") and method != "HEAD"]
    assert len(ours) > 10
    for method, path in ours:
        if path != "/keepsake/logout" and not path.startswith("/keepsake/exports/"):  # that would be used up
            assert "This address is not served." not in ask(ada.client, method, path).text, (method, path)


@pytest.mark.parametrize("cookie", ["", "x", "x" * 5000, '"', "é"])
def test_a_cookie_that_is_no_token_is_none(house: Served, ada: Person, cookie: str) -> None:
    name = f"keepsake-{house.accounts.port}"
    client = house.client()
    assert client.get("/theme.css", headers={b"cookie": f"{name}={cookie}".encode()}).status_code == 401  # type: ignore[dict-item]
    token = ada.client.cookies[name]
    assert client.get("/theme.css", headers={"cookie": f"{name}={token}"}).status_code == 200
    assert client.get("/theme.css", headers={"cookie": f"__Host-{name}={token}"}).status_code == 401


def test_another_gets_nothing_of_hers_by_any_address(house: Served, ada: Person, ben: Person, adas: Adas) -> None:
    before = state(ada, adas)
    answered = set()
    for method, path in places(house, adas, ada):
        if path == "/keepsake/logout":
            continue  # it would be Ben's own
        answer = ask(ben.client, method, path)
        assert_nothing_of_hers(answer.text, path)
        if answer.status_code < 400:
            answered.add((method, path))
    assert answered <= {
        ("GET", "/health"), ("HEAD", "/health"),
        ("GET", "/"), ("GET", "/theme.css"), ("GET", "/keepsake/page.js"), ("GET", "/favicon.ico"), ("GET", "/gradio_api/app_id"), ("GET", "/gradio_api/startup-events"),
        ("GET", "/gradio_api/queue/data"), ("POST", "/gradio_api/queue/join"), ("POST", "/gradio_api/cancel"), ("GET", "/keepsake/login"),
        ("POST", "/keepsake/login"), ("GET", "/keepsake/setup"), ("POST", "/keepsake/setup"), ("GET", "/keepsake/account"), ("POST", "/keepsake/imports"),
        ("POST", "/keepsake/learned"), ("POST", "/keepsake/cards"), ("POST", "/keepsake/passing"), ("POST", "/keepsake/carrying"),
        ("POST", "/keepsake/stance-drafts"),
        ("POST", "/keepsake/translations"),
        ("POST", "/keepsake/players"), ("POST", "/keepsake/models"), ("POST", "/keepsake/models/files"), ("POST", "/keepsake/listening"),
        ("GET", "/keepsake/annotation"), ("POST", "/keepsake/annotation/do"), ("POST", "/keepsake/annotation/dialogues"), ("POST", "/keepsake/annotation/table"),
        ("POST", "/keepsake/runs/do"), ("POST", "/keepsake/runs/data"),
    }, answered  # fmt: skip
    for form in (
        {"do": "role", "role": "admin"},
        {"do": "renew"},
        {"do": "lock"},
        {"do": "remove", "name": "Ada"},
        {"do": "add", "name": "Eve", "role": "admin"},
    ):
        for user in (ada.user_id, ben.user_id):
            refused = ben.client.post("/keepsake/people", data={"user": user, **form})
            assert refused.status_code == 403
            assert "Ada" not in refused.text
    assert ben.client.get("/keepsake/people").status_code == 403
    assert state(ada, adas) == before
    fetched = ada.client.get(f"/keepsake/exports/{adas.ticket}")
    assert "heliotrope" in fetched.text, "her own ticket was not used up"


def test_another_gets_nothing_of_hers_by_any_event(house: Served, ada: Person, ben: Person, adas: Adas) -> None:
    before = state(ada, adas)
    own = house.house.service.create(ben.user_id, "builtin:nell-garrow")
    walked = 0
    for number in house.page.fns:
        for operation in house.operations(number):
            for chat in (adas.chat, adas.binned, own):
                said = ben.event(number, adas.carried(chat, operation))
                assert '"success":true' in said, (house.page.fns[number].name, operation, said[-300:])
                assert_nothing_of_hers(said, (house.page.fns[number].name, operation))
                walked += 1
    assert walked > 200
    assert state(ada, adas) == before


def test_another_hears_adds_and_opens_nothing_of_what_she_listens_to(house: Served, ada: Person, ben: Person, adas: Adas) -> None:
    before = state(ada, adas)
    line = {"speaker": "Eve", "text": "I was here."}
    assert ben.client.post(f"/keepsake/listen/{adas.ear}", json=line).status_code == 404
    stranger = house.client()
    for token in ("-", "x", "kl_" + "x" * 43, adas.listen_token + "x"):
        refused = stranger.post(f"/keepsake/listen/{adas.ear}", json=line, headers={"authorization": f"Bearer {token}"})
        assert (refused.status_code, refused.json()["error"]) == (401, "listen_token_wrong")
        assert_nothing_of_hers(refused.text, token)
    bearer = {"authorization": f"Bearer {adas.listen_token}"}
    for chat in (adas.chat, adas.binned):
        assert stranger.post(f"/keepsake/listen/{chat}", json=line, headers=bearer).status_code == 401, "it opens one conversation"
    for method, path in places(house, adas, ada):
        if path != f"/keepsake/listen/{adas.ear}" and (method, path) not in FOR_ANYBODY and path != "/":
            assert ask(stranger, method, path, headers=bearer).status_code in (401, 403), (path, "it opens nothing else")
    for doing in ("list", "make", "revoke"):
        said = ben.client.post("/keepsake/listening", json={"do": doing, "chat": adas.ear, "name": "x", "token": "x"}).json()
        assert said["refused"]["code"] == "chat_not_found"
    ear = {"chat": adas.ear, "listens": "yes", "speaker": "Eve", "text": "I was here.", "token": "t", "version": -1}
    for handler in ("Talk.send", "Following.hearken"):
        assert_nothing_of_hers(ben.event(ben.number(handler), ear), handler)
    for operation in ("listen", "take_up"):
        assert_nothing_of_hers(ben.event(ben.number("Rewrites.act"), {**ear, "operation": operation, "edition": 0}), operation)
    assert state(ada, adas) == before


def test_another_carries_nothing_of_hers_away_and_nothing_to_her(house: Served, ada: Person, ben: Person, adas: Adas) -> None:
    own = house.house.service.create(ben.user_id, "builtin:nell-garrow")
    file = json.dumps({"format": "keepsake-memory", "version": 1})
    before = state(ada, adas)
    for doing in ("look", "begin", "export", "read", "take"):
        for chat in (adas.chat, adas.binned, adas.ear):
            asked = {"do": doing, "chat": chat, "chosen": adas.memory, "form": "json", "file": file, "character": "", "edition": 0}
            said = ben.client.post("/keepsake/carrying", json=asked)
            assert said.json()["refused"]["code"] == "chat_not_found", (doing, said.text)
            assert_nothing_of_hers(said.text, doing)
    stolen = {"do": "begin", "chat": own, "chosen": adas.memory, "character": adas.character}
    assert "refused" in ben.client.post("/keepsake/carrying", json=stolen).json()
    assert state(ada, adas) == before


def heard(who: Person, query: str) -> str:
    """What is told to a tab. Gradio breaks off where it knows none of that name."""
    said = []
    with suppress(httpx.RemoteProtocolError), who.client.stream("GET", f"/gradio_api/queue/data?{query}") as stream:
        said += stream.iter_text()
    return "".join(said)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../config", "/static/%2e%2e/config", "/assets/..%2f..%2fconfig", "//config", "/CONFIG", "/config/", "/gradio_api//config", "/Gradio_API/info",
        "/static/../gradio_api/file={database}", "/assets/%2e%2e/%2e%2e/%2e%2e/{database}", "/static//{database}", "/gradio_api/file={database}",
        "/gradio_api/file%3d{database}", "/gradio_api/queue/data/", "/keepsake/exports/../../{database}", "/keepsake/people/..", "/%67radio_api/info",
    ],
)  # fmt: skip
def test_no_spelling_of_an_address_leads_around_the_door(house: Served, ben: Person, path: str) -> None:
    spelt = path.format(database=house.house.memory.store.folder.database)
    for cookies in ({}, dict(ben.client.cookies)):
        connection = http.client.HTTPConnection("127.0.0.1", house.accounts.port, timeout=PATIENCE_S)  # sends a path as it is
        connection.request("GET", spelt, headers={"cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())})
        answer = connection.getresponse()
        assert answer.status in ((401, 403) if not cookies else (403, 404)), (spelt, answer.status)
        assert b"SQLite format" not in answer.read()
        connection.close()


def test_a_proxy_on_this_computer_is_believed(house: Served, ada: Person) -> None:
    client = house.client()
    https = {"x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9", "origin": house.url.replace("http:", "https:")}
    said = client.post("/keepsake/login", data={"name": "Ada", "password": ADA}, headers=https)
    assert said.headers["set-cookie"].startswith(f"__Host-keepsake-{house.accounts.port}=")
    assert said.headers["set-cookie"].endswith("Secure")
    for _ in range(ADDRESS.free + 1):
        last = client.post("/keepsake/login", data={"name": f"{_}", "password": "x"}, headers=https)
    assert last.status_code == 429
    elsewhere = {**https, "x-forwarded-for": "203.0.113.10"}
    assert client.post("/keepsake/login", data={"name": "Ada", "password": ADA}, headers=elsewhere).status_code == 303


def test_a_tab_is_of_one_person(house: Served, ada: Person, ben: Person, adas: Adas) -> None:
    """Gradio hands what a tab is told to whoever names the tab."""
    opening = ada.number("Opening.open")
    asked = {"data": [], "event_data": {"chat": adas.chat}, "fn_index": opening, "session_hash": "shared", "trigger_id": None}
    joined = ada.client.post("/gradio_api/queue/join", json=asked).json()["event_id"]
    for name in ("shared", f"{ada.user_id}.shared"):
        assert_nothing_of_hers(heard(ben, f"session_hash={name}"), name)
        body = {"session_hash": name, "fn_index": opening, "event_id": "x"}
        assert ben.client.post("/gradio_api/cancel", json=body).status_code == 200
    # A name that comes twice is rewritten in both places.
    assert_nothing_of_hers(heard(ben, f"session_hash=x&session_hash={ada.user_id}.shared"), "twice")
    for raw in (
        f'{{"session_hash": "x", "session_hash": "{ada.user_id}.shared", "fn_index": 1, "event_id": "{joined}"}}',
        "[]",
        "{}",
        "nonsense",
        '{"session_hash": 1}',
    ):
        answer = ben.client.post("/gradio_api/queue/join", content=raw, headers={"content-type": "application/json"})
        assert answer.status_code in (200, 400, 422), raw
        assert_nothing_of_hers(answer.text, raw)
    assert "heliotrope" in heard(ada, "session_hash=shared")


def test_she_herself_gets_what_is_hers(house: Served, ada: Person, adas: Adas) -> None:
    """The walks above can find what they look for."""
    telling = set()
    for number in house.page.fns:
        said = ada.event(number, {**adas.carried(adas.chat, ""), "text": "", "tab": "memories"})
        if any(secret in said for secret in SECRETS):
            telling.add(str(house.page.fns[number].name))
    assert {"open", "went", "tick", "around", "show", "receipt", "form", "bin", "look", "load"} <= telling, telling


def test_another_page_does_nothing_with_her_cookies(house: Served, ada: Person, adas: Adas) -> None:
    adas.settle(ada)  # what was asked for before may still be remembered
    before = state(ada, adas)
    foreign: list[dict[str, str]] = [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": house.url, "sec-fetch-site": "cross-site"},
        {"origin": "http://127.0.0.1:1", "sec-fetch-site": "same-site"},
    ]
    for headers in foreign:
        for method, path in places(house, adas, ada):
            if method == "POST":
                assert ask(ada.client, method, path, headers=headers).status_code == 403, (path, headers)
    silent = httpx.Client(base_url=house.url, cookies=ada.client.cookies)
    assert silent.post("/keepsake/logout").status_code == 403, "whoever says nothing of where from is refused"
    assert silent.post("/keepsake/logout", headers={"sec-fetch-site": "none"}).status_code == 403
    assert state(ada, adas) == before
    assert ada.client.get("/theme.css").status_code == 200


def test_a_temporary_conversation_is_of_one_person(ada: Person, ben: Person) -> None:
    def asked(who: Person, **said: str) -> dict[str, Any]:
        answer: dict[str, Any] = who.client.post(PASSING, json=said).raise_for_status().json()
        return answer

    token = asked(ada, do="begin", character="builtin:nell-garrow")["token"]
    asked(ada, do="say", token=token, text="The word is heliotrope.")
    for act in ("look", "leave", *ACTS):
        if act != "begin":
            assert_nothing_of_hers(str(asked(ben, do=act, token=token, text="x")), act)
    assert "heliotrope" in str(asked(ada, do="look", token=token)), "nobody else ended it"
    asked(ada, do="leave", token=token)


def test_a_stream_ends_with_its_login(house: Served, ada: Person, adas: Adas) -> None:
    cai = another(house, ada, name="Cai")
    chat = house.house.service.create(cai.user_id, "builtin:nell-garrow")
    going: Any = house.house.model
    going.enqueue(Script(tuple("word " for _ in range(400)), between_s=0.05))
    house.house.service.send(cai.user_id, chat, "Tell me all of it.", token="t")
    asked = {"data": [], "event_data": {"chat": chat}, "fn_index": cai.number("Following.follow"), "session_hash": "c", "trigger_id": None}
    assert cai.client.post("/gradio_api/queue/join", json=asked).status_code == 200
    frames_after = 0
    locked = False
    with cai.client.stream("GET", "/gradio_api/queue/data", params={"session_hash": "c"}) as stream:
        for line in stream.iter_lines():
            frames_after += locked and bool(line)
            if "process_generating" in line and not locked:
                ada.client.post("/keepsake/people", data={"do": "lock", "user": cai.user_id})
                locked = True
    assert locked
    assert frames_after <= 2, "what was on its way already"
    assert cai.client.get("/theme.css").status_code == 401
    house.house.service.stop(cai.user_id, chat)


def test_nothing_that_was_shown_stays_in_the_browser(ben: Person) -> None:
    assert ben.client.get("/", headers={"accept": "text/html"}).headers["cache-control"] == "no-store"
    said = json.loads(ben.client.get("/gradio_api/app_id").text)
    assert "app_id" in said
