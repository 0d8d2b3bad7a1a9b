"""One queue for all: what one person asks of it takes nothing from the others. Over raw HTTP, at the real app."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from tests.ui.served import Person, Served, another, first_admin, served
from tests.ui.test_awaited import run
from tests.waiting import PATIENCE_S, until
from ui.crowd import MOST_TABS, MOST_UNDER_WAY, Crowd
from ui.heavy import AT_ONCE_EACH, heavily
from ui.users import current_user, note_user


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


@pytest.fixture(scope="module")
def ben(house: Served, ada: Person) -> Person:
    return another(house, ada)


def joins(who: Person, number: int, data: dict[str, object], tab: str) -> int:
    inputs = [None] * len(who.served.page.fns[number].inputs)
    asked = {"data": inputs, "event_data": data, "fn_index": number, "session_hash": tab, "trigger_id": None}
    return who.client.post("/gradio_api/queue/join", json=asked).status_code


@pytest.mark.long
def test_whoever_waits_in_hundreds_of_tabs_keeps_nobody_else_waiting(
    house: Served, ada: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.following.HEARKEN_S", PATIENCE_S)
    service = house.house.service
    his, hers = (service.create(who.user_id, "builtin:nell-garrow") for who in (ben, ada))
    waits = {"chat": his, "version": service.version(ben.user_id, his)}
    hearken, tick = ben.number("Following.hearken"), ada.number("Following.tick")
    with ThreadPoolExecutor(20) as many:
        answered = list(many.map(lambda n: joins(ben, hearken, waits, f"bens-{n}"), range(320)))
    assert set(answered) == {200, 503}
    assert answered.count(200) <= MOST_UNDER_WAY
    assert '"success":true' in ada.event(tick, {"chat": hers, "version": -1})
    assert joins(ben, tick, {"chat": his}, "bens-own") == 503, "she was answered while his tabs wait"
    service.send(ben.user_id, his, "There is news.", token="t")
    until(lambda: joins(ben, tick, {"chat": his}, "bens-own") == 200, lambda: "once his are answered he is let in again")


@pytest.mark.long
def test_what_nobody_hears_is_not_kept_for_ever(house: Served, ada: Person, ben: Person) -> None:
    service = house.house.service
    his, hers = (service.create(who.user_id, "builtin:nell-garrow") for who in (ben, ada))
    tick = ben.number("Following.tick")
    assert joins(ada, tick, {"chat": hers}, "adas-other") == 200
    kept = house.page._queue.pending_messages_per_session
    for number in range(MOST_TABS + 20):
        assert until(lambda tab=f"left-{number}": said if (said := joins(ben, tick, {"chat": his}, tab)) != 503 else 0) == 200  # type: ignore[misc]
    of_ben = [tab for tab in kept if tab.startswith(f"{ben.user_id}.")]
    assert len(of_ben) <= MOST_TABS
    assert of_ben[-1] == f"{ben.user_id}.left-{MOST_TABS + 19}"
    assert f"{ada.user_id}.adas-other" in kept
    assert '"success":true' in ben.event(tick, {"chat": his}, tab="left-0"), "a tab that was forgotten begins anew"


def test_a_hundred_requests_at_once_are_too_much_of_one_persons_and_nothing_of_the_others() -> None:
    async def walk() -> None:
        asked, answered = Counter[str](), asyncio.Event()

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            asked[current_user(Request(scope))] += 1
            await answered.wait()

        crowd, statuses = Crowd(app), Counter[int]()

        async def send(message: Message) -> None:
            statuses[message.get("status", 0)] += 1

        async def request(user: str) -> None:
            scope: Scope = {"type": "http", "method": "POST", "path": "/keepsake/players", "headers": [], "query_string": b""}
            note_user(scope, user)
            await crowd(scope, lambda: answered.wait(), send)  # type: ignore[arg-type,return-value]

        asking = [asyncio.ensure_future(request(user)) for user in ["ben"] * 100 + ["ada"]]
        for _ in range(100):
            await asyncio.sleep(0)
        assert asked == {"ben": MOST_UNDER_WAY, "ada": 1}
        assert statuses[503] == 100 - MOST_UNDER_WAY
        answered.set()
        await asyncio.gather(*asking)
        await request("ben")
        assert asked["ben"] == MOST_UNDER_WAY + 1

    run(walk())


def test_long_work_of_one_person_takes_the_threads_of_nobody_else() -> None:
    async def walk() -> None:
        go, begun = threading.Event(), Counter[str]()

        def work(user: str) -> str:
            begun[user] += 1
            assert go.wait(PATIENCE_S)
            return user

        bens = [asyncio.ensure_future(heavily("ben", work, "ben")) for _ in range(20)]
        ada = asyncio.ensure_future(heavily("ada", work, "ada"))
        while begun.total() < AT_ONCE_EACH + 1:
            await asyncio.sleep(0.01)
        assert begun == {"ben": AT_ONCE_EACH, "ada": 1}
        go.set()
        assert await ada == "ada"
        assert await asyncio.gather(*bens) == ["ben"] * 20

    run(walk())
