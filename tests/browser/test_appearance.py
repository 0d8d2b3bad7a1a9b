"""How the page looks and reads at a glance: light and dark, lists that say that they go on.

With KEEPSAKE_SHOTS=FOLDER both looks are saved as pictures.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.stage import Stage, shot, staged, start_chat

pytestmark = [pytest.mark.browser, pytest.mark.long]
SMALL = {"viewport": {"width": 1280, "height": 720}}
IS_DARK = (
    "() => getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) < 200"
)


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("appearance")) as made:
        yield made


def looks(page: Page, *, dark: bool) -> None:
    page.wait_for_function(f"() => ({IS_DARK})() === {str(dark).lower()}")


@pytest.mark.parametrize(
    ("locale", "words"), [("en-GB", ("System", "Light", "Dark")), ("zh-CN", ("系统", "浅色", "深色"))], ids=["en", "zh"]
)
def test_light_or_dark_is_chosen_beside_the_language_and_remembered_on_every_page(
    stage: Stage, locale: str, words: tuple[str, str, str]
) -> None:
    watched = stage.open(locale=locale, color_scheme="light", **SMALL)
    page = watched.page
    system, light, dark = (page.locator(".k-themes").get_by_role("button", name=word) for word in words)
    expect(system).to_have_attribute("aria-pressed", "true")
    looks(page, dark=False)
    shot(page, f"{locale[:2]}-light")
    dark.click()
    expect(dark).to_have_attribute("aria-pressed", "true")
    expect(dark).to_be_focused()
    looks(page, dark=True)
    shot(page, f"{locale[:2]}-dark")
    watched.reload()
    looks(page, dark=True)
    expect(dark).to_have_attribute("aria-pressed", "true")
    for place in ("/keepsake/annotation", "/keepsake/runs"):
        beside = page.context.new_page()
        beside.goto(stage.app.url.rstrip("/") + place)
        looks(beside, dark=True)
        shot(beside, f"{locale[:2]}-dark-{place.rsplit('/', 1)[-1]}")
    light.click()
    looks(beside, dark=False)
    page.emulate_media(color_scheme="dark")
    looks(page, dark=False)
    system.click()
    looks(page, dark=True)
    assert watched.faults == []


def test_lists_of_the_left_column_fade_where_they_go_on(stage: Stage) -> None:
    page = stage.open(**SMALL).page
    cast = page.locator("#k-shelf .k-whom")
    expect(cast).to_have_attribute("data-more", "down")
    assert "gradient" in str(cast.evaluate("(box) => getComputedStyle(box).maskImage"))
    cast.evaluate("(box) => { box.scrollTop = box.scrollHeight; }")
    expect(cast).to_have_attribute("data-more", "up")


def test_what_leaves_is_not_offered_where_something_comes_in(stage: Stage) -> None:
    page = stage.open().page
    start_chat(page, "Nell")
    page.locator("#k-shelf .k-import").click()
    expect(page.locator("dialog[data-dialog=import]")).to_be_visible()
    expect(page.locator("dialog[data-dialog=import] [data-choice=everything]")).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator("#k-shelf .k-open-export").click()
    leaving = page.locator("dialog[data-dialog=export]")
    expect(leaving.locator("[data-choice=bundle]")).to_be_visible()
    expect(leaving.locator("[data-choice=everything]")).to_be_visible()
