"""Whose clock an event of the page is answered by: that of the browser that sent it, and this program's where it says none that there is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import datetime

import gradio as gr
import pytest

from storage.scope import Scope
from storage.wall import offset_of, wall_now
from tests.ui.asking_as import awaited
from tests.ui.served import Person, Served, first_admin, served
from tests.waiting import until
from ui.clock import by_the_clock

NELL = "builtin:nell-garrow"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("clock")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


def offsets(ada: Person, chat_id: str) -> list[int]:
    store = ada.served.house.memory.store
    scope = Scope.of(ada.user_id, chat_id)
    return [offset_of(m.said_at) for m in reversed(store.chats.path(scope, store.chats.chat(scope).branch_id, limit=60))]


def begun(ada: Person, **said: object) -> str:
    """A conversation that the page begins."""
    before = {chat.id for chat in ada.served.house.service.chats(ada.user_id)}
    ada.event(ada.number("Opening.create"), {"character": NELL, **said})
    (new,) = [chat.id for chat in ada.served.house.service.chats(ada.user_id) if chat.id not in before]
    return new


@pytest.mark.parametrize("offset", [480, -300, 330, 840, -840])
def test_what_the_page_says_has_the_browsers_wall(ada: Person, offset: int) -> None:
    assert offsets(ada, begun(ada, offset=offset)) == [offset]


@pytest.mark.parametrize("offset", [841, -841, 480.5, "480", True, None, [], {"a": 480}, 1e300, 10**40])
def test_what_is_no_wall_on_earth_is_read_as_none(ada: Person, offset: object) -> None:
    here = offset_of(datetime.now().astimezone())
    assert offsets(ada, begun(ada, offset=offset)) == [here]


def test_nothing_is_left_of_one_events_wall_in_the_next(ada: Person) -> None:
    assert offsets(ada, begun(ada, offset=480)) == [480]
    assert offsets(ada, begun(ada)) == [offset_of(datetime.now().astimezone())]


def test_a_message_and_its_reply_have_it(ada: Person) -> None:
    chat = begun(ada, offset=480)
    service = ada.served.house.service
    edition = service.transcript(ada.user_id, chat, limit=1).edition
    ada.event(ada.number("Talk.send"), {"chat": chat, "text": "Hello from New York.", "token": "t", "edition": edition, "offset": -300})
    until(lambda: len(offsets(ada, chat)) >= 3)
    assert offsets(ada, chat) == [480, -300, -300]


def test_a_handler_that_waits_answers_by_that_clock_too() -> None:
    async def handler(event: gr.EventData) -> int:
        return offset_of(await asyncio.to_thread(wall_now))

    assert awaited(by_the_clock(handler)(gr.EventData(None, {"offset": 345}))) == 345
