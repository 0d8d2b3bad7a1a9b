"""Marking on the page of conversations, and that closing the tab at any moment loses nothing of a form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.stage import start_chat
from tests.browser.test_annotation import enter, make_project
from tests.ui.served import Person, Served, another, first_admin, served

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with ThreadPoolExecutor(1) as alone:  # Playwright keeps its event loop in the main thread
        opening = served(tmp_path_factory.mktemp("marking"))
        house = alone.submit(opening.__enter__).result()
        yield house
        alone.submit(opening.__exit__, None, None, None).result()


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


SELECT = """() => {
    const text = document.createTreeWalker(document.querySelector("#k-transcript .k-prose p"), NodeFilter.SHOW_TEXT).nextNode();
    const range = document.createRange();
    range.setStart(text, 0);
    range.setEnd(text, 15);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
}"""


def test_a_message_is_marked_and_found_on_the_workbench(house: Served, ada: Person, browser: Browser) -> None:
    another(house, ada, name="Ann", role="annotator")
    watched = enter(house, browser, "Ann")
    page = watched.page
    page.add_init_script("localStorage.setItem('keepsake.seen', '1')")
    page.goto(house.url)
    start_chat(page, "Nell")
    message = page.locator("#k-transcript .k-message").first
    page.evaluate(SELECT)
    message.locator("[data-deed=more]").click()
    page.locator("dialog.k-menu [data-deed=mark]").click()
    page.locator("dialog[data-dialog=confirm] .k-firmly").click()
    expect(page.locator(".k-marked[data-marked=point]")).to_be_visible()
    expect(page.locator(".k-toast")).to_contain_text("The bell stops.")
    page.locator(".k-toast", has_text="Marked").get_by_role("button", name="Undo").click()
    expect(page.locator(".k-marked")).to_have_count(0)
    message.hover()
    message.locator(".k-toolbar > [data-deed=mark]").click()  # one click, now that she has agreed
    expect(page.locator(".k-marked[data-marked=point]")).to_be_visible()

    # A probe's form survives its tab.
    message.locator("[data-deed=more]").click()
    page.locator("dialog.k-menu [data-deed=mark_probe]").click()
    expect(page.locator("#k-probe-q")).to_be_focused()
    page.keyboard.type("What stopped?")
    page = anew(page)
    message = page.locator("#k-transcript .k-message").first
    expect(page.locator(".k-marked[data-marked=point]")).to_be_visible()
    message.hover()
    message.locator("[data-deed=more]").click()
    page.locator("dialog.k-menu [data-deed=mark_probe]").click()
    expect(page.locator("#k-probe-q")).to_have_value("What stopped?")
    page.locator("#k-probe-a").fill("The bell.")
    page.locator("#k-probe-topic").fill("bell")
    page.locator("dialog[data-dialog=probe] .k-firmly").click()
    expect(page.locator(".k-marked[data-marked=probe]")).to_be_visible()
    page.locator(".k-marked[data-marked=point]").click()
    page.locator("dialog.k-menu [data-deed=workbench]").click()
    expect(page.locator("#a-points [data-point]")).to_have_count(1)
    assert watched.unexpected() == []  # the page was left for the workbench with requests under way


def anew(page: Page) -> Page:
    """The tab is closed as it stands, and its address opened in another."""
    at, context = page.url, page.context
    page.close()
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(at)
    return page


def test_a_form_is_found_again_wherever_its_tab_was_closed(house: Served, ada: Person, browser: Browser) -> None:
    another(house, ada, name="Bo", role="annotator")
    make_project(ada, "The pier", 40, overlap=1)
    watched = enter(house, browser, "Bo")
    page = watched.page
    page.locator("[data-does=take]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#turn-40")).to_be_attached()
    page.keyboard.press("n")
    expect(page.locator("#a-text")).to_be_focused()
    page = anew(page)
    expect(page.locator("#a-text")).to_have_value("")  # a form with nothing in it is open still
    expect(page.locator("#a-text")).to_be_focused()
    typed = ""
    for piece, wait in (("M", 0), ("aren keeps ", 150), ("the boat", 450), (" Patience", 0)):
        page.keyboard.type(piece)
        typed += piece
        page.wait_for_timeout(wait)
        page = anew(page)
        expect(page.locator("#a-text")).to_have_value(typed)
        expect(page.locator("#a-text")).to_be_focused()
        page.keyboard.press("End")
    page.keyboard.press("Alt+2")
    page.locator("#a-note").fill("her father's")
    page.locator("#a-unclear").check()
    page = anew(page)
    expect(page.locator("#a-note")).to_have_value("her father's")
    expect(page.locator("#a-unclear")).to_be_checked()
    expect(page.locator("[data-category=Preference]")).to_have_attribute("aria-checked", "true")

    # The whole browser goes, with all that it keeps: what stood there a moment before is on the server.
    expect(page.locator("#a-text")).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.type(", still")
    expect(page.locator("#a-kept")).to_have_text("Kept")
    at = page.url
    page.context.close()
    other = enter(house, browser, "Bo")
    other.page.goto(at)
    other.reload()
    expect(other.page.locator("#a-text")).to_have_value(re.compile("still"))
    other.page.keyboard.press("Enter")
    expect(other.page.locator("#a-points [data-point]")).to_have_count(1)
    again = anew(other.page)
    expect(again.locator("#a-points [data-point]")).to_have_count(1)
    expect(again.locator("#a-text")).to_have_count(0)
