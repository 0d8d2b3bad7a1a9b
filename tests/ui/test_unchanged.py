"""What an event leaves as it is costs nothing: the server keeps of a tab one component each, the page's own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gradio as gr
import pytest

from tests.ui.served import Person, Served, first_admin, sent, served
from tests.waiting import until
from ui.painter import Updates
from ui.unchanged import UNCHANGED, can_stay, in_full

NELL = "builtin:nell-garrow"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("unchanged")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


def told(ada: Person, handler: str, data: dict[str, Any]) -> list[Any]:
    """What the page is told of every output of an event, at last."""
    said = [sent(line) for line in ada.event(ada.number(handler), data).splitlines()]
    output: dict[str, Any] = next(one for one in reversed(said) if one and one["msg"] == "process_completed")["output"]
    values: list[Any] = output["data"]
    return values


def is_value(one: Any) -> bool:
    return one != gr.skip()


def test_a_tab_is_kept_one_component_each_however_much_it_asks(house: Served, ada: Person) -> None:
    own, service = dict(house.page.blocks), house.house.service
    for number in range(3):
        told(ada, "Opening.create", {"character": NELL})
        chat = service.chats(ada.user_id)[0].id
        edition = service.transcript(ada.user_id, chat).edition
        told(ada, "Talk.send", {"chat": chat, "text": f"Hello for the {number}. time.", "token": f"t{number}", "edition": edition})
        told(ada, "Following.follow", {"chat": chat})
        told(ada, "Panels.show", {"chat": chat, "tab": "memories"})
        told(ada, "Following.tick", {"chat": chat, "version": service.version(ada.user_id, chat), "storage": service.unwritable()})
        told(ada, "Talk.stop", {"chat": chat})
    (kept,) = house.page.state_holder.session_data.values()
    assert kept.blocks_config.blocks == own
    assert kept.config_values.keys() <= own.keys()


def test_values_stay_texts_from_event_to_event(house: Served, ada: Person) -> None:
    """Another component than ours would send them as they are (`ui.components.surface`)."""
    for _ in range(3):
        values = [one for one in told(ada, "Opening.create", {"character": NELL}) if is_value(one) and one is not None]
        assert [type(one) for one in values if not isinstance(one, str)] in (
            [],
            [dict],
        )  # the chat last open, which goes to the browser's own storage
        assert sum(isinstance(one, str) for one in values) >= 4


def test_an_event_without_news_tells_the_page_of_nothing(house: Served, ada: Person) -> None:
    told(ada, "Opening.create", {"character": NELL})
    service = house.house.service
    chat = service.chats(ada.user_id)[0].id

    def quiet() -> bool:
        now = {"chat": chat, "version": service.version(ada.user_id, chat), "storage": service.unwritable()}
        return not any(map(is_value, told(ada, "Following.tick", now)))

    until(quiet)


@pytest.fixture
def parts() -> tuple[Any, Any]:
    with gr.Blocks():
        return can_stay(gr.HTML()), can_stay(gr.HTML())


def test_what_is_not_named_is_unchanged_in_the_order_of_the_outputs(parts: tuple[Any, Any]) -> None:
    first, second = parts
    assert in_full(lambda: {second: "b"}, parts)() == [UNCHANGED, "b"]
    assert in_full(dict, parts)() == [UNCHANGED, UNCHANGED]
    assert in_full(dict, [first])() is UNCHANGED
    assert in_full(lambda: {first: None}, [first])() is None
    assert first.postprocess(UNCHANGED) == gr.skip()
    assert first.postprocess("a") == "a"


def test_what_is_no_output_is_refused(parts: tuple[Any, Any]) -> None:
    first, second = parts
    with pytest.raises(ValueError, match="not wired"):
        in_full(lambda: {second: "b"}, [first])()


def test_a_handler_that_answers_piece_by_piece_ends_with_whoever_asks(parts: tuple[Any, Any]) -> None:
    first, _ = parts
    ended = []

    async def frames(word: str) -> AsyncIterator[Updates]:
        try:
            while True:
                yield {first: word}
                yield {}
        finally:
            ended.append(word)

    async def once() -> Updates:
        return {first: "c"}

    async def walk() -> None:
        coming = in_full(frames, parts)("a")
        assert [await anext(coming), await anext(coming)] == [["a", UNCHANGED], [UNCHANGED, UNCHANGED]]
        await coming.aclose()
        assert ended == ["a"]
        assert await in_full(once, parts)() == ["c", UNCHANGED]

    # A thread of its own: the browser tests keep Playwright's event loop in the main one.
    with ThreadPoolExecutor(1) as alone:
        alone.submit(asyncio.run, walk()).result()
