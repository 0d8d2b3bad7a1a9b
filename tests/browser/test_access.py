"""The page by touch, by keyboard and for those who see little: at the size of a phone and of a desk, in both languages, light and dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Watched
from tests.browser.stage import BEES, LEITH, Stage, lives_in, staged, wait_for_reply

pytestmark = [pytest.mark.browser, pytest.mark.long]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
SHEETS = ("story", "persona", "insights", "topics", "memories", "receipt")
LEAST = 40
"""Pixels of what is to be touched, each way."""
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
WAYS = ["zh-desk-light", "en-phone-dark"]
"""Each language, size and scheme once."""
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
LOOK = """([where, rules]) => axe.run(document.querySelector(where) ? where : document, rules).then((told) => told.violations.flatMap((rule) =>
  rule.nodes.slice(0, 3).map((node) => `${rule.id}: ${node.target} ${node.failureSummary.slice(-160)}`)))"""


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """With one conversation of two rounds."""
    with staged(browser, tmp_path_factory.mktemp("access")) as stage:
        watched = stage.open()
        stage.talk(watched.page, LEITH, BEES)
        lives_in(watched.page, "Leith")
        watched.page.context.close()
        yield stage


def opened(stage: Stage, way: str) -> Watched:
    language, size, scheme = way.split("-")
    context: dict[str, Any] = {"locale": {"en": "en-GB", "zh": "zh-CN"}[language], "color_scheme": scheme, "reduced_motion": "reduce"}
    return stage.open(**context, **(PHONE if size == "phone" else DESK))


def part(place: str) -> str:
    """What of the page is new there: only that is looked at."""
    if place in SHEETS:
        return "#k-panel"
    return "html" if place in ("first page", "conversation", "editing", "list") else "dialog[open]"


def places(page: Page, *, phone: bool) -> Iterator[str]:
    """Everything the page can show, one after the other; what was opened is closed again."""
    expect(page.locator(".k-cover").first).to_be_visible()
    yield "first page"
    if phone:
        page.locator("[data-k-opens=shelf]").click()
        yield "list"
        page.keyboard.press("Escape")
        page.locator(".k-recent button").first.click()
    else:
        page.locator(".k-chat").first.click()
    expect(page.locator("#k-transcript .k-message").first).to_be_visible()
    yield "conversation"
    if phone:
        page.locator("[data-k-opens=panel]").click()
    for sheet in SHEETS:
        page.locator(f"#k-tab-{sheet}").click()
        expect(page.locator(f"#k-{sheet}")).not_to_contain_text(re.compile("Loading|正在读取"))
        yield sheet
    if phone:
        page.keyboard.press("Escape")
    page.locator("#k-chat-menu").click()
    deeds = [item.get_attribute("data-deed") or "" for item in page.locator("dialog.k-menu [data-deed]:not([aria-disabled])").all()]
    yield "menu"
    page.keyboard.press("Escape")
    for deed in deeds:
        if deed in ("delete", "archive", "favour", "undo", "redo", "listen", "read_to", "pause_memory"):  # these do something at once
            continue
        page.locator("#k-chat-menu").click()
        page.locator(f"dialog.k-menu [data-deed={deed}]").click()
        expect(page.locator("dialog[open]")).to_be_visible()
        page.wait_for_timeout(150)
        yield deed
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    for name in ("openCharacter", "openCards", "openImport", "openPassing", "openHearing", "openFeeds", "openGallery"):
        page.evaluate(f"keepsake.{name}()")
        yield name
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    page.evaluate("keepsake.openGallery()")
    page.locator("[data-own='gallery several']").click()
    page.locator("[data-many=all]").click()
    yield "several at once"
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.locator("#k-transcript .k-message [data-deed=more]").last.dispatch_event("click")
    yield "menu of a message"
    page.locator("dialog.k-menu [data-deed=edit]").click()
    yield "editing"
    page.keyboard.press("Escape")


SMALL = """least => {
  const shown = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !node.closest("[inert], .k-unseen, [aria-hidden=true]");
  const top = [...document.querySelectorAll("dialog[open]")].at(-1);
  const drawer = document.body.dataset.kDrawer && document.getElementById(`k-${document.body.dataset.kDrawer}`);
  const found = [];
  const fields = "button, summary, [role=button], [role=tab], select, input:not([type=hidden]), textarea, a[href]";
  for (const node of (top ?? drawer ?? document.getElementById("k-centre")).querySelectorAll(fields)) {
    const at = node.getBoundingClientRect();
    if (!at.width || !shown(node) || getComputedStyle(node).display === "inline") continue;   // in a line of text, as WCAG 2.5.8 lets them be
    const label = node.matches("[type=checkbox], [type=radio]") ? node.closest("label")?.getBoundingClientRect() : null;
    const around = getComputedStyle(node, "::after");   // what a finger meets may reach beyond what is drawn
    const reach = (side) => (around.position === "absolute" ? parseFloat(around[side]) || 0 : 0);
    const [width, height] = ["width", "height"].map((side) => Math.max(at[side], label?.[side] ?? 0, reach(side)));
    const name = (node.getAttribute("aria-label") ?? node.textContent).trim().slice(0, 24);
    if (Math.min(width, height) < least - 0.5) found.push(`${node.localName}.${node.className} ${name} ${Math.round(width)}x${Math.round(height)}`);
  }
  return found;
}"""
WIDE = """() => {
  const limit = window.innerWidth + 1;
  if (document.documentElement.scrollWidth > limit) return ["the page"];
  return [...document.querySelectorAll("#k-centre *, dialog[open] *")]
    .filter((node) => node.checkVisibility() && !node.closest(".k-unseen, pre, [role=tablist]") && node.getBoundingClientRect().right > limit)
    .map((node) => `${node.localName}.${node.className}`).slice(0, 5);
}"""
HINTS = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((one) => one / 255).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (one, other) => (([low, high]) => (high + 0.05) / (low + 0.05))([light(one), light(other)].sort((a, b) => a - b));
  const behind = (node) => { const own = numbers(getComputedStyle(node).backgroundColor); return own[3] === 0 ? behind(node.parentElement) : own; };
  return [...document.querySelectorAll("input[placeholder], textarea[placeholder]")].filter((node) => node.placeholder && node.checkVisibility()).flatMap((node) => {
    const [hint, typed, ground] = [getComputedStyle(node, "::placeholder"), getComputedStyle(node), behind(node)];
    const [faint, plain] = [hint, typed].map((style) => contrast(numbers(style.color), ground));
    const slants = hint.fontStyle === "italic" || node.matches(":lang(zh)");
    return hint.opacity === "1" && faint >= 4.5 && plain >= 2 * faint && slants ? [] : [`${node.placeholder}: ${faint} of ${plain}, ${hint.fontStyle}`];
  });
}"""
"""Hints in fields that cannot be read, or that look like what is typed."""
MOVING = "document.getAnimations().filter((one) => one.playState === 'running').map((one) => one.animationName ?? one.transitionProperty)"


@pytest.mark.parametrize("way", WAYS)
def test_everything_can_be_read_reached_and_touched(stage: Stage, way: str) -> None:
    page = opened(stage, way).page
    phone = "phone" in way
    found: dict[str, list[str]] = {}
    page.evaluate(AXE)
    for place in places(page, phone=phone):
        wrong = page.evaluate(LOOK, [part(place), RULES])
        if phone:
            wrong += [f"small: {one}" for one in page.evaluate(SMALL, LEAST)]
        wrong += [f"wide: {one}" for one in page.evaluate(WIDE)]
        wrong += [f"hint: {one}" for one in page.evaluate(HINTS)]
        wrong += [f"moves: {one}" for one in page.evaluate(MOVING)]  # asked to stand still
        if wrong:
            found[place] = wrong
    assert found == {}, "\n".join(f"{place}: {one}" for place, wrong in found.items() for one in wrong)


SEEN = """() => {
  const [node, style] = [document.activeElement, getComputedStyle(document.activeElement)];
  const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const paper = node.closest(".k-paper");
  return [node.id || node.dataset.deed || node.getAttribute("aria-label") || node.textContent.slice(0, 20), outlined || paper !== null || node === document.body];
}"""


def test_the_keyboard_reaches_everything_and_is_seen(stage: Stage) -> None:
    page = opened(stage, "en-desk-light").page
    page.locator(".k-chat").first.click()
    expect(page.locator("#k-text")).to_be_focused()
    reached: list[str] = []
    for _ in range(80):
        page.keyboard.press("Tab")
        name, seen = page.evaluate(SEEN)
        assert seen, f"the focus is on {name} and nothing shows it"
        reached.append(name)
    for wanted in ("k-text", "k-send", "k-draft", "k-tab-persona", "k-chat-menu", "k-scroll", "more", "Search", "Bin"):
        assert wanted in reached, wanted
    assert reached.count("k-text") >= 1  # and round again: no place holds it


def test_a_reply_that_grows_moves_nothing_above_it(stage: Stage) -> None:
    page = opened(stage, "en-phone-light").page
    page.locator(".k-recent button").first.click()
    expect(page.locator("#k-transcript .k-message").first).to_be_visible()
    page.evaluate(
        """() => { window.shifts = []; new PerformanceObserver((list) => list.getEntries().forEach((one) => {
        if (!one.hadRecentInput) window.shifts.push(one.value); })).observe({ type: "layout-shift" }); }"""
    )
    stage.plays(" ".join(f"word{number}" + ("\n\n" if number % 12 == 0 else "") for number in range(60)), between_s=0.03)
    count = page.locator("#k-transcript .k-character-says").count()
    page.locator("#k-text").fill("Tell me.")
    page.locator("#k-send").click()
    wait_for_reply(page, count + 1)
    assert sum(page.evaluate("shifts")) < 0.1
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
