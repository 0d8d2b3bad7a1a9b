"""All characters at once: five hundred of them are looked for by words, tag and language and ordered, in both languages.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from chat.assembly import open_store
from chat.characters import checked
from personas.written import Written, card_of
from storage.scope import LOCAL_USER
from tests.browser.conftest import make_app, watch
from tests.browser.stage import shot
from tests.chat.conftest import house_settings

pytestmark = [pytest.mark.browser, pytest.mark.long]
COUNT = 500


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("gallery")
    store = open_store(house_settings(folder / "data"))
    store.chats.ensure_user(LOCAL_USER, "")
    for n in range(COUNT):
        tags = ("sea", f"harbour {n % 50}") if n % 2 else ("hill <b>",)
        made = Written(name=f"Person {n}", language="zh" if n % 5 == 0 else "en", tagline=f"Keeps lamp {n}.", tags=tags)
        store.characters.add(LOCAL_USER, checked(card_of(made)))
    store.close()
    app = make_app(folder)
    app.start()
    yield app.url
    app.stop()


def test_hundreds_are_found_kept_on_top_and_talked_with_again(browser: Browser, address: str) -> None:
    watched = watch(browser)
    page = watched.page
    page.add_init_script("localStorage.setItem('keepsake.seen', '1')")
    page.goto(address)
    page.locator("[data-own=gallery]").click()
    tiles = page.locator("[data-gallery]")
    expect(tiles).to_have_count(COUNT + 4)
    took = page.evaluate(
        """() => { const box = document.querySelector("[data-gallery-by=words]"); const began = performance.now();
        box.value = "lamp"; box.dispatchEvent(new Event("input")); document.body.offsetHeight; return performance.now() - began; }"""
    )
    print(f"drawn anew in {took:.0f} ms")
    assert took < 2000, "so many are drawn at once"
    expect(tiles).to_have_count(COUNT)
    page.locator("[data-gallery-by=words]").fill("LAMP 49.")
    expect(tiles).to_have_count(5)
    page.locator("[data-gallery-by=words]").fill("")
    page.locator("[data-tag='hill <b>']").click()
    expect(tiles).to_have_count(COUNT // 2)
    page.locator("[data-gallery-by=language]").select_option("zh")
    expect(tiles).to_have_count(COUNT // 10)
    page.locator("[data-tag=sea]").click()
    expect(page.locator(".k-gallery-none")).to_contain_text("Nobody here fits all of this.")
    page.locator("[data-gallery-all]").click()
    expect(tiles).to_have_count(COUNT + 4)
    page.locator("[data-gallery-by=order]").select_option("name")
    expect(tiles.first).to_contain_text("Nell Garrow")
    page.locator("[data-star='builtin:rafferty-moth']").click()
    expect(tiles.first).to_contain_text("Rafferty Moth")
    page.locator("[data-tag='']").click()
    expect(tiles).to_have_count(1)
    page.locator("[data-tag='']").click()
    tiles.first.focus()
    page.keyboard.press("End")
    expect(tiles.last).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(tiles.last).not_to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.locator(".k-title h1")).to_contain_text("Rafferty Moth")
    watched.reload()
    page.locator("[data-own=gallery]").click()
    expect(page.locator("[data-star='builtin:rafferty-moth']")).to_have_attribute("aria-pressed", "true")
    last = page.locator("[data-card='builtin:rafferty-moth'] [data-last]")
    expect(last).to_contain_text("1 conversation")
    shot(page, "gallery")
    last.click()
    expect(page.locator("dialog")).to_have_count(0)
    assert watched.faults == []


def test_it_opens_again_the_moment_it_is_closed(browser: Browser, address: str) -> None:
    """A browser tells that a dialog is closed only later: until then the closed one is in the page."""
    watched = watch(browser)
    page = watched.page
    page.add_init_script("localStorage.setItem('keepsake.seen', '1')")
    page.goto(address)
    page.locator("[data-own=gallery]").click()
    expect(page.locator("dialog[open] [data-gallery]")).to_have_count(COUNT + 4)
    page.evaluate(
        """() => new Promise((told) => {
            const closed = document.querySelector("dialog[open]");
            closed.addEventListener("close", () => setTimeout(told));
            closed.close();
            keepsake.openGallery();
        })"""
    )
    assert page.locator("dialog[data-dialog=gallery]").count() == 1
    page.locator("[data-gallery-by=words]").fill("LAMP 49.")
    expect(page.locator("dialog[open] [data-gallery]")).to_have_count(5)
    page.locator("[data-star]").first.click()
    expect(page.locator("[data-star][aria-pressed=true]")).to_have_count(1)  # what happens outside is heard by the one that is open
    page.locator("[data-star][aria-pressed=true]").click()
    expect(page.locator("[data-star][aria-pressed=true]")).to_have_count(0)
    assert watched.faults == []


def test_it_is_in_chinese_on_a_phone_too(browser: Browser, address: str) -> None:
    watched = watch(browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="zh-CN", color_scheme="dark")
    page = watched.page
    page.add_init_script("localStorage.setItem('keepsake.seen', '1')")
    page.goto(address)
    expect(page.locator(".k-cover b").first).to_have_text("邱麦")  # who speaks the reader's language comes first
    page.locator("[data-k-opens=shelf]").first.click()
    page.locator("[data-own=gallery]").click()
    dialog = page.locator("dialog[data-dialog=gallery]")
    expect(dialog).to_contain_text("504 个角色")
    page.locator("[data-gallery-by=words]").fill("没有这个人")
    expect(dialog).to_contain_text("没有角色符合所有条件")
    page.locator("[data-gallery-by=words]").fill("")
    shot(page, "gallery-zh")
    assert page.locator("dialog .k-dialog-body").evaluate("node => node.scrollWidth <= node.clientWidth")
    assert watched.faults == []
