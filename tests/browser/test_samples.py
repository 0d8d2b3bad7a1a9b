"""The sample stories and the tour, as somebody meets them: in a demonstration, on a phone in Chinese, and from an empty page.

With KEEPSAKE_SHOTS=FOLDER the memory of both is built and its panels are saved as pictures, for the documentation.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import App, make_app, watch
from tests.browser.stage import say, shot, staged, toast

pytestmark = [pytest.mark.browser, pytest.mark.long]
STEPS = ["conversation", "persona", "story", "insights", "topics", "memories", "receipt", "asking", "rewriting"]
BUILT_MS = 900_000
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
INSIDE = """() => [".k-tour-ring", ".k-tour-card"].every((part) => { const box = document.querySelector(part).getBoundingClientRect();
  return box.width > 20 && box.height > 20 && box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1; })"""
APART = """() => { const [ring, card] = [".k-tour-ring", ".k-tour-card"].map((part) => document.querySelector(part).getBoundingClientRect());
  return ring.right <= card.left || card.right <= ring.left || ring.bottom <= card.top || card.bottom <= ring.top; }"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A demonstration whose memory waits: what is looked at here is the page."""
    app = make_app(tmp_path_factory.mktemp("demo"), KEEPSAKE_DEMO="on", KEEPSAKE_WORKER="false")
    app.start()
    yield app
    app.stop()


def tour(page: Page) -> str:
    """The step that is shown; empty where no tour is."""
    return str(page.evaluate("document.querySelector('dialog.k-tour[open]')?.dataset.step ?? ''"))


def at(page: Page, step: str) -> None:
    expect(page.locator(f"dialog.k-tour[data-step={step}]")).to_be_visible()
    page.wait_for_function(INSIDE)


@pytest.mark.parametrize(
    ("locale", "title", "heading", "context"),
    [
        ("en-GB", "The forty-first letter", "The conversation", {"viewport": {"width": 1280, "height": 800}}),
        ("zh-CN", "借来的名字", "对话", PHONE),
    ],
    ids=["en-desktop", "zh-phone"],
)
def test_a_demonstration_opens_in_the_readers_language_with_a_tour_by_keyboard(
    browser: Browser, demo: App, locale: str, title: str, heading: str, context: dict[str, object]
) -> None:
    watched = watch(browser, locale=locale, **context)
    page = watched.page
    page.goto(demo.url)
    expect(page.locator("#k-masthead h1", has_text=title)).to_be_visible()
    expect(page.locator("#k-masthead .k-sample")).to_be_visible()
    at(page, "conversation")
    expect(page.locator("#k-tour-title")).to_have_text(heading)
    drawn = page.evaluate("document.getElementById('k-composer').getBoundingClientRect().top")
    for step in STEPS:
        at(page, step)
        assert page.evaluate("document.activeElement.dataset.tour") == "next", "the focus stays with the tour"
        if step in STEPS[1:7]:
            expect(page.get_by_role("tab", selected=True, include_hidden=True)).to_have_attribute("id", f"k-tab-{step}")
            page.wait_for_function(APART)
        page.keyboard.press("ArrowRight")
    expect(page.locator("dialog.k-tour")).to_have_count(0)
    assert page.evaluate("document.getElementById('k-composer').getBoundingClientRect().top") == drawn, "nothing moved"
    assert page.evaluate("document.body.dataset.kDrawer ?? ''") == "", "and everything stands as it stood"
    watched.reload()
    expect(page.locator("#k-masthead h1", has_text=title)).to_be_visible()
    page.wait_for_timeout(1500)
    assert tour(page) == "", "it has been seen"
    page.locator("#k-chat-menu").click()
    page.locator("dialog.k-menu [data-deed=tour]").click()
    at(page, "conversation")
    page.keyboard.press("ArrowLeft")
    at(page, "conversation")
    page.keyboard.press("ArrowRight")
    at(page, "persona")
    page.keyboard.press("Escape")
    expect(page.locator("dialog.k-tour")).to_have_count(0)
    assert not watched.faults, watched.faults


def test_a_sample_is_added_from_an_empty_page_gone_on_with_and_removed(browser: Browser, tmp_path: Path) -> None:
    with staged(browser, tmp_path, KEEPSAKE_WORKER="false") as stage:
        watched = stage.open(locale="en-GB")
        page = watched.page
        page.evaluate("localStorage.setItem('keepsake.tour', 'seen')")
        page.locator("#k-transcript .k-open-samples").click()
        page.locator("[data-sample=letter] [data-deed=add]").click()
        expect(page.locator("#k-masthead h1", has_text="The forty-first letter")).to_be_visible()
        page.locator("#k-tab-receipt").click()
        expect(page.locator("#k-receipt")).to_contain_text("was brought in")
        row = page.locator("#k-shelf .k-chat-row")
        expect(row.locator(".k-sample")).to_have_text("Sample")
        line = row.locator(".k-chat-line")
        expect(line).to_contain_text("Building its memory: 0%")
        assert line.evaluate("node => node.scrollWidth <= node.clientWidth"), "none of it is cut"
        expect(page.locator("#k-panel .k-sample-work")).to_contain_text("Building its memory: 0%")
        for sheet in ("story", "persona", "insights", "topics", "memories", "fading"):
            page.locator(f"#k-tab-{sheet}").click()
            expect(page.locator(f"#k-{sheet}")).to_contain_text("this sheet fills as it goes on")
            shot(page, f"sample-{sheet}")

        def remove() -> None:
            row.hover()
            row.locator("[data-chat-menu]").click()
            page.locator("dialog.k-menu [data-deed=remove_sample]").click()

        remove()
        toast(page, "is gone, with everything that was remembered of it")
        expect(row).to_have_count(0)
        toast(page, "is gone").get_by_role("button", name="Add it again").click()
        expect(page.locator("#k-masthead h1", has_text="The forty-first letter")).to_be_visible()
        stage.plays("Noted.")
        say(page, "I have brought you a lamp.")
        expect(page.locator("#k-send[data-does=send]")).to_be_visible()
        expect(page.locator("#k-transcript .k-character-says").last).to_contain_text("Noted.")
        remove()
        toast(page, "put into the bin").get_by_role("button", name="Undo").click()
        expect(page.locator("#k-transcript .k-reader-says").last).to_contain_text("I have brought you a lamp.")
        assert not watched.faults, watched.faults


@pytest.mark.skipif(
    "KEEPSAKE_SHOTS" not in os.environ, reason="pictures for the documentation: they need the memory of both stories, which takes minutes"
)
def test_pictures_of_the_demonstration(browser: Browser, tmp_path: Path) -> None:
    folder = Path(os.environ["KEEPSAKE_SHOTS"])
    app = make_app(tmp_path, KEEPSAKE_DEMO="on")
    app.start()
    lines = {"en-GB": "Nell, do you still have my line about counting steps?", "zh-CN": "师傅，那筐冻梨您还记得吗？"}
    try:
        for locale, line in lines.items():
            watched = watch(browser, locale=locale, viewport={"width": 1280, "height": 800})
            page = watched.page
            page.add_init_script("localStorage.setItem('keepsake.tour', 'seen')")
            page.goto(app.url)
            expect(page.locator("#k-shelf .k-sample")).to_have_count(2)
            page.wait_for_timeout(4000)  # until the page has heard how far they are
            for row in page.locator("#k-shelf .k-chat-line").all():
                expect(row).not_to_contain_text("%", timeout=BUILT_MS)
            for sheet in ("story", "insights", "persona"):
                page.locator(f"#k-tab-{sheet}").click()
                expect(page.locator(f"#k-{sheet} [data-first], #k-{sheet} .k-round, #k-{sheet} li").first).to_be_visible()
                page.wait_for_timeout(800)
                page.screenshot(path=str(folder / f"demo-{locale[:2]}-{sheet}.png"))
            say(page, line)
            expect(page.locator("#k-send[data-does=send]")).to_be_visible(timeout=180_000)
            page.locator("#k-tab-receipt").click()
            page.wait_for_timeout(2500)
            page.screenshot(path=str(folder / f"demo-{locale[:2]}-receipt.png"))
            assert not watched.faults, watched.faults
    finally:
        app.stop()
