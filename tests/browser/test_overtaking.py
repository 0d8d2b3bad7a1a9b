"""Two answers at once, of which the older arrives last: the page goes on showing what the newer says."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import watch
from tests.ui.served import Person, first_admin, served
from tests.waiting import until
from ui.painter import Painter, Updates

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def ada(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with ThreadPoolExecutor(1) as alone:  # Playwright keeps its event loop in the main thread
        opening = served(tmp_path_factory.mktemp("overtaking"))
        house = alone.submit(opening.__enter__).result()
        yield alone.submit(lambda: first_admin(house)).result()
        alone.submit(opening.__exit__, None, None, None).result()


def test_a_list_that_was_overtaken_does_not_take_the_newer_ones_place(
    ada: Person, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = watch(browser, locale="en-GB")
    page = watched.page
    page.add_init_script("localStorage.setItem('keepsake.seen', '1')")
    page.context.add_cookies([{"name": n, "value": value, "url": ada.served.url} for n, value in ada.client.cookies.items()])
    page.goto(ada.served.url)
    expect(page.locator(".k-cover").first).to_be_visible()
    shelf, overtaken, calls = Painter.shelf, threading.Event(), []

    def late(self: Painter, user: str) -> Updates:
        read = shelf(self, user)
        calls.append(read)
        if len(calls) == 1:
            overtaken.wait()  # the other is read, sent and shown meanwhile
        return read

    monkeypatch.setattr(Painter, "shelf", late)
    make = "(name) => { keepsake.keepCharacter('create', { name, language: 'en', tags: '' }, () => { window.made = [...(window.made ?? []), name]; }); }"
    names = "keepsake.shelf.own.map((one) => one.name).sort().join()"
    page.evaluate(make, "Ivo")
    until(lambda: calls)
    page.evaluate(make, "Una")
    page.wait_for_function(f"{names} === 'Ivo,Una'")
    overtaken.set()
    page.wait_for_function("window.made?.join() === 'Una,Ivo'")
    page.wait_for_timeout(500)
    assert page.evaluate(names) == "Ivo,Una"
    assert watched.faults == []
