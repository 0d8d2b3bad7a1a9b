"""What the server says between pressing a button and letting go of it costs nobody the click."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import watch
from tests.browser.stage import Stage, staged
from tests.ui.served import first_admin, served

pytestmark = pytest.mark.browser
DRAW = """() => new Promise((done) => { keepsake.redrawSoon("shelf"); setTimeout(done, 300); })"""
DRAWN = """(node) => new Promise((done) => { const look = () => (node.isConnected ? setTimeout(look, 20) : done(true)); look(); })"""


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("pressing")) as made:
        yield made


def with_the_mouse(page: Page, button: Locator) -> Callable[[], None]:
    button.hover()
    page.mouse.down()
    return page.mouse.up


def with_the_space_bar(page: Page, button: Locator) -> Callable[[], None]:
    button.focus()
    page.keyboard.down(" ")
    return lambda: page.keyboard.up(" ")


@pytest.mark.parametrize("press", [with_the_mouse, with_the_space_bar])
def test_a_button_is_drawn_anew_when_it_was_let_go_of(stage: Stage, press: Callable[[Page, Locator], Callable[[], None]]) -> None:
    watched = stage.open()
    page = watched.page
    page.wait_for_load_state("networkidle")
    button = page.locator("#k-shelf .k-character", has_text="Nell")
    let_go = press(page, button)
    pressed = button.element_handle()
    page.evaluate(DRAW)
    assert page.evaluate("(node) => node.isConnected", pressed), "the button under the finger is another"
    let_go()
    expect(page.locator("#k-transcript .k-message").first).to_contain_text("Nell")
    assert page.evaluate(DRAWN, pressed), "what was said meanwhile is drawn now"
    assert watched.faults == []


def test_who_never_lets_go_holds_nothing_up(stage: Stage) -> None:
    page = stage.open().page
    page.wait_for_load_state("networkidle")
    button = page.locator("#k-shelf .k-character", has_text="Nell")
    with_the_mouse(page, button)
    pressed = button.element_handle()
    page.evaluate(DRAW)
    assert page.evaluate(DRAWN, pressed)


def test_an_answer_on_the_page_of_runs_waits_until_the_button_was_let_go_of(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with ThreadPoolExecutor(1) as alone:  # Playwright keeps its event loop in the main thread
        opening = served(tmp_path_factory.mktemp("pressing-runs"))
        house = alone.submit(opening.__enter__).result()
        ada = alone.submit(lambda: first_admin(house)).result()
        watched = watch(browser, locale="en-GB")
        page = watched.page
        page.context.add_cookies([{"name": name, "value": value, "url": house.url} for name, value in ada.client.cookies.items()])
        page.goto(f"{house.url}/keepsake/runs")
        expect(page.locator("#r-new")).to_have_attribute("open", "")  # as there is no run yet
        let_go = with_the_mouse(page, page.locator("#r-new summary"))
        page.evaluate("() => { A.ask('runs').then((said) => { window.heard = said; }); }")
        page.wait_for_timeout(500)
        assert page.evaluate("window.heard") is None
        let_go()
        page.wait_for_function("window.heard?.runs")
        expect(page.locator("#r-new")).not_to_have_attribute("open", "")
        assert watched.faults == []
        alone.submit(opening.__exit__, None, None, None).result()
