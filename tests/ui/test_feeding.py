"""Lines that programs bring to a conversation that listens, over HTTP: with a token, as whoever is logged in, and refused."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import httpx
import pytest

from storage.backup import Backups
from tests.ui.served import Person, Served, another, first_admin, served
from tests.waiting import PATIENCE_S

ANN = {"speaker": "Ann", "text": "I keep bees behind the boathouse.", "at": "2026-05-01T18:30:00Z", "id": "1"}
BO = {"speaker": "Bo", "text": "I sold the blue boat last week.", "at": "2026-05-01T18:31:00Z", "id": "2"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("fed")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


@pytest.fixture
def ear(ada: Person) -> str:
    return ada.served.house.service.listening.create(ada.user_id, "builtin:nell-garrow", player="Ann")


def lines(*said: object) -> bytes:
    return b"\n".join(json.dumps(one).encode() for one in said)


def made(ada: Person, ear: str, name: str = "log") -> str:
    answer = ada.client.post("/keepsake/listening", json={"do": "make", "chat": ear, "name": name}).json()
    return str(answer["made"])


def texts(ada: Person, ear: str) -> list[str]:
    return [m.text for m in ada.served.house.service.transcript(ada.user_id, ear).messages]


def post(house: Served, ear: str, body: bytes, token: str) -> httpx.Response:
    return house.client().post(f"/keepsake/listen/{ear}", content=body, headers={"authorization": f"Bearer {token}"})


def test_a_program_with_a_token_brings_lines_once_and_they_are_on_the_disk_when_it_is_told(house: Served, ada: Person, ear: str) -> None:
    token = made(ada, ear)
    answer = post(house, ear, lines(ANN, BO), token)
    assert (answer.status_code, answer.json()) == (200, {"added": 2, "known": 0, "round": 2})
    with house.house.memory.store.database.snapshot() as connection:
        assert connection.execute("SELECT count(*) FROM message WHERE chat_id = ? AND heard = 1", (ear,)).fetchone()[0] == 2
    assert post(house, ear, lines(ANN, BO), token).json() == {"added": 0, "known": 2, "round": 2}
    assert texts(ada, ear) == [ANN["text"], BO["text"]]


def test_whoever_is_logged_in_brings_lines_without_a_token(ada: Person, ear: str) -> None:
    assert ada.client.post(f"/keepsake/listen/{ear}", content=lines(ANN)).json()["added"] == 1


def test_a_token_is_shown_once_kept_as_its_hash_and_revoked(house: Served, ada: Person, ear: str) -> None:
    token = made(ada, ear, name="radio")
    assert len(token) > 40
    with house.house.memory.store.database.snapshot() as connection:
        kept = [tuple(row) for row in connection.execute("SELECT * FROM listen_token WHERE chat_id = ?", (ear,))]
    assert token not in str(kept)
    listed = ada.client.post("/keepsake/listening", json={"do": "list", "chat": ear}).json()
    assert token not in str(listed)
    assert [(one["name"], one["used"]) for one in listed["tokens"]] == [("radio", None)]
    post(house, ear, lines(ANN), token)
    (one,) = ada.client.post("/keepsake/listening", json={"do": "list", "chat": ear}).json()["tokens"]
    assert one["used"] is not None
    after = ada.client.post("/keepsake/listening", json={"do": "revoke", "chat": ear, "token": one["id"]}).json()
    assert after["tokens"] == []
    assert post(house, ear, lines(BO), token).json()["error"] == "listen_token_wrong"
    assert texts(ada, ear) == [ANN["text"]]


def test_a_conversation_has_ten_tokens_at_most(ada: Person, ear: str) -> None:
    for number in range(10):
        made(ada, ear, name=str(number))
    answer = ada.client.post("/keepsake/listening", json={"do": "make", "chat": ear, "name": "x"}).json()
    assert answer["refused"]["code"] == "listen_tokens_many"


def test_what_is_wrong_is_told_by_line_and_field_in_both_languages_and_nothing_is_added(house: Served, ada: Person, ear: str) -> None:
    token = made(ada, ear)
    answer = post(house, ear, lines(ANN, {**BO, "at": "yesterday"}), token)
    assert answer.status_code == 400
    told = answer.json()
    assert (told["error"], told["line"], told["field"]) == ("listen_date", 2, "at")
    assert "Line 2, at" in told["message"]["en"]
    assert "第 2 行" in told["message"]["zh"]
    assert post(house, ear, lines({**ANN, "text": "Other words."}), token).status_code == 200
    taken = post(house, ear, lines(ANN), token)
    assert (taken.status_code, taken.json()["error"], taken.json()["line"]) == (409, "listen_id_taken", 1)
    assert texts(ada, ear) == ["Other words."]


def test_too_much_and_too_fast_are_refused(house: Served, ada: Person, ear: str) -> None:
    token = made(ada, ear)
    assert post(house, ear, lines(*[{"speaker": "Ann", "text": "hi"}] * 501), token).status_code == 413
    assert post(house, ear, b'{"speaker": "Ann", "text": "' + b"a" * 2**20 + b'"}', token).status_code == 413
    house.house.service.listen_tokens.pace(ear, lines=5_000)
    last = post(house, ear, lines(*[{"speaker": "Ann", "text": "hi"}] * 500), token)
    assert (last.status_code, last.json()["error"]) == (429, "listen_too_fast")
    assert int(last.headers["retry-after"]) >= 1
    assert texts(ada, ear) == []


def test_taken_up_it_hears_nothing_and_in_the_bin_the_token_opens_nothing(house: Served, ada: Person, ear: str) -> None:
    service, token = house.house.service, made(ada, ear)
    service.listening.take_up(ada.user_id, ear, edition=service.transcript(ada.user_id, ear).edition)
    assert post(house, ear, lines(ANN), token).json()["error"] == "not_listening"
    service.conversations.delete(ada.user_id, ear)
    assert post(house, ear, lines(ANN), token).status_code == 401


def test_whoever_is_locked_out_is_so_with_a_token_too(house: Served, ada: Person) -> None:
    eve = another(house, ada, "Eve")
    ear = house.house.service.listening.create(eve.user_id, "builtin:nell-garrow")
    token = house.house.service.listen_tokens.make(eve.user_id, ear, name="")
    assert post(house, ear, lines(ANN), token).status_code == 200
    house.house.memory.store.accounts.lock(eve.user_id)
    assert post(house, ear, lines(BO), token).status_code == 401


def test_another_page_of_the_browser_brings_nothing_with_her_cookie_or_a_token(house: Served, ada: Person, ear: str) -> None:
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
        assert ada.client.post(f"/keepsake/listen/{ear}", content=lines(ANN), headers=headers).status_code == 403
        bearer = {"authorization": f"Bearer {made(ada, ear)}", **headers}
        assert house.client().post(f"/keepsake/listen/{ear}", content=lines(ANN), headers=bearer).status_code == 403
    assert texts(ada, ear) == []


def test_an_erased_conversation_takes_its_tokens_along_and_no_backup_brings_one_back(house: Served, ada: Person, ear: str) -> None:
    made(ada, ear)
    store = house.house.memory.store
    backup = Backups(store.folder, keep=3).make()
    assert backup is not None
    with closing(sqlite3.connect(backup.path)) as connection:
        assert connection.execute("SELECT count(*) FROM listen_token").fetchone()[0] == 0
        assert connection.execute("SELECT count(*) FROM chat WHERE id = ?", (ear,)).fetchone()[0] == 1
    house.house.service.conversations.delete(ada.user_id, ear)
    house.house.service.conversations.erase_binned(ada.user_id, ear)
    assert store.database.read().execute("SELECT count(*) FROM listen_token WHERE chat_id = ?", (ear,)).fetchone()[0] == 0


def test_a_tab_that_waits_is_told_when_something_is_heard_and_nothing_before(
    house: Served, ada: Person, ear: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.following.HEARKEN_S", PATIENCE_S)
    service = house.house.service
    waiting = {"chat": ear, "version": service.version(ada.user_id, ear), "marks": {}}
    with ThreadPoolExecutor(1) as tab:
        told = tab.submit(ada.event, ada.number("Following.hearken"), waiting)
        time.sleep(1)
        assert not told.done()
        ada.client.post(f"/keepsake/listen/{ear}", content=lines(ANN))
        assert "I keep bees behind the boathouse." in told.result(), "it would not have ended without news"
