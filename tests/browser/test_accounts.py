"""Two people in one house, each in a browser of their own: the first admin in English on a screen, the second in Chinese on a phone in the dark."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from accounts.entrance import Visitor
from tests.accounts.conftest import ADA, BEN
from tests.browser.conftest import Watched, watch
from tests.browser.stage import say, shot, start_chat, wait_for_reply
from tests.ui.served import Served, first_admin, served

pytestmark = [pytest.mark.browser, pytest.mark.long]
LED_OUT_MS = 240_000


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with ThreadPoolExecutor(1) as alone:  # Playwright keeps its event loop in the main thread
        opening = served(tmp_path_factory.mktemp("accounts"))
        house = alone.submit(opening.__enter__).result()
        yield house
        alone.submit(opening.__exit__, None, None, None).result()


def refused(watched: Watched) -> list[str]:
    """Faults but those that a refusal makes the browser note."""
    watched.expects(r"status of 40[01]")
    return watched.unexpected()


def log_in(page: Page, name: str, password: str) -> None:
    page.fill("[name=name]", name)
    page.fill("[name=password]", password)
    page.click("button.firm")


def no_wider_than_the_screen(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def kept(page: Page) -> str:
    return str(page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])"))


def test_two_people_in_one_house(house: Served, browser: Browser) -> None:
    hers = watch(browser, locale="en-GB")
    ada = hers.page
    ada.goto(house.url)
    expect(ada.locator("[name=code]")).to_be_focused()
    ada.fill("[name=code]", "not the code")
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("alert")).to_contain_text("not the code that stands in the terminal")
    ada.fill("[name=code]", house.accounts.entrance.code.upper())
    ada.keyboard.press("Enter")
    ada.fill("[name=name]", "Ada")
    ada.fill("[name=password]", ADA)
    ada.fill("[name=again]", ADA)
    shot(ada, "set-up")
    ada.keyboard.press("Enter")
    start_chat(ada, "Nell")
    say(ada, "The word is heliotrope.")
    wait_for_reply(ada, 2)
    at = ada.url

    ada.click("#k-account")
    ada.click("dialog.k-menu [data-deed=people]")
    ada.fill("section [name=name]", "Ben")
    ada.click("[value=add]")
    made = ada.locator(".secret").inner_text()
    shot(ada, "en-people")

    his = watch(browser, locale="zh-CN", color_scheme="dark", viewport={"width": 390, "height": 800}, has_touch=True)
    ben = his.page
    ben.goto(at)
    expect(ben.get_by_role("heading", name="登录")).to_be_visible()
    no_wider_than_the_screen(ben)
    log_in(ben, "Ben", "not it at all")
    expect(ben.get_by_role("alert")).to_contain_text("名字和密码不符")
    shot(ben, "login")
    log_in(ben, "Ben", made)
    expect(ben.locator("[name=present]")).to_be_focused()
    no_wider_than_the_screen(ben)
    ben.fill("[name=present]", made)
    ben.fill("[name=new]", BEN)
    ben.fill("[name=again]", BEN)
    ben.locator("button.firm").click()
    expect(ben.locator("#k-masthead")).to_be_visible()
    ben.goto(at)
    expect(ben.locator(".k-banner")).to_contain_text("不属于你")
    expect(ben.locator("#k-shelf .k-chat")).to_have_count(0)
    assert "heliotrope" not in ben.content()

    ada.click("li:has-text('Ben') summary")
    ada.click("[value=lock]")
    expect(ada.get_by_role("status")).to_contain_text("Ben is locked")
    ben.wait_for_url("**/keepsake/login**", timeout=LED_OUT_MS)
    assert (refused(hers), refused(his)) == ([], [])


def test_who_logs_out_leaves_nothing_behind_and_who_comes_back_finds_the_draft(house: Served, browser: Browser) -> None:
    if house.accounts.entrance.waits_for_admin():
        house.house.service.create(first_admin(house).user_id, "builtin:nell-garrow")
    watched = watch(browser, locale="en-GB")
    ada = watched.page
    ada.goto(house.url)
    log_in(ada, "Ada", ADA)
    ada.locator("#k-shelf .k-chat").first.click()
    expect(ada.locator("#k-transcript .k-message").first).to_be_visible()
    ada.fill("#k-text", "half a thought about heliotrope")
    at = ada.url

    # The login ends by itself: led to the login, and back to where she was, with what she had typed.
    context: BrowserContext = ada.context
    house.accounts.entrance.log_out_everywhere(_visitor(house, context))
    ada.wait_for_url("**/keepsake/login**", timeout=LED_OUT_MS)
    log_in(ada, "Ada", ADA)
    expect(ada.locator("#k-text")).to_have_value("half a thought about heliotrope")
    assert ada.url == at

    # She logs out: the other tab leaves too, and this browser keeps nothing that was typed.
    other = context.new_page()
    other.goto(at)
    expect(other.locator("#k-text")).to_have_value("half a thought about heliotrope")
    ada.bring_to_front()
    ada.click("#k-account")
    ada.click("dialog.k-menu [data-deed=logout]")
    expect(ada.get_by_role("status")).to_contain_text("You are logged out")
    other.wait_for_url("**/keepsake/login**", timeout=LED_OUT_MS)
    assert "thought" not in kept(ada)
    assert "thought" not in kept(other)
    ada.go_back()
    expect(ada.get_by_role("heading", name="Log in")).to_be_visible()
    assert "heliotrope" not in ada.content()
    assert refused(watched) == []


def _visitor(house: Served, context: BrowserContext) -> Visitor:
    (token,) = [cookie["value"] for cookie in context.cookies() if cookie["name"] == f"keepsake-{house.accounts.port}"]
    visitor = house.accounts.entrance.visitor(token)
    assert visitor is not None
    return visitor
