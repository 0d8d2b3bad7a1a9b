"""How the page looks and reads at a glance: light and dark, lists that say that they go on, buttons that say what they do, texts without stray marks.

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
NAMELESS = """() => [...document.querySelectorAll("button, a[href], input, select, textarea, summary")]
  .filter((one) => one.checkVisibility() && !one.closest("[aria-hidden=true]"))
  .filter((one) => !one.innerText?.trim() && !one.getAttribute("aria-label") && !one.getAttribute("aria-labelledby") && !one.labels?.length)
  .map((one) => one.outerHTML.slice(0, 160))"""


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
    expect(cast).to_have_attribute("data-cut", "end")
    assert "gradient" in str(cast.evaluate("(box) => getComputedStyle(box).maskImage"))
    cast.evaluate("(box) => { box.scrollTop = box.scrollHeight; }")
    expect(cast).to_have_attribute("data-cut", "start")


@pytest.mark.parametrize(("locale", "first"), [("en-GB", "en"), ("zh-CN", "zh")], ids=["en", "zh"])
def test_whoever_can_be_chosen_stands_first_in_the_pages_language(stage: Stage, locale: str, first: str) -> None:
    page = stage.open(locale=locale).page
    expect(page.locator("#k-shelf .k-character").first).to_be_visible()
    for opened in ("openGathering", "openPassing", "openHearing"):
        page.evaluate(f"keepsake.{opened}()")
        languages = page.locator("dialog[open] button > span[lang]").evaluate_all("(all) => all.map((one) => one.lang)")
        assert languages, opened
        assert languages == sorted(languages, key=lambda one: one != first), opened
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)


def test_every_button_says_what_it_does(stage: Stage) -> None:
    page = stage.open(**SMALL).page
    stage.talk(page, ("My name is Mara.", "Noted."))
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert page.evaluate(NAMELESS) == []
    for opened in ("openModels", "openGuide", "openImport", "openBin", "openSamples", "openGathering", "openPassing", "openQueue"):
        page.evaluate(f"keepsake.{opened}()")
        expect(page.locator("dialog[open]").first).to_be_visible()
        assert page.evaluate(NAMELESS) == [], opened
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)


def test_the_guide_has_a_cross_that_closes_it(stage: Stage) -> None:
    page = stage.open().page
    page.get_by_role("button", name="How Keepsake works").click()
    guide = page.get_by_role("dialog", name="How Keepsake works")
    shot(page, "guide")
    guide.locator(".k-guide-close").click()
    expect(guide).to_have_count(0)


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


def test_a_temporary_conversation_opens_at_the_beginning_of_its_greeting(stage: Stage) -> None:
    page = stage.open(**SMALL).page
    expect(page.locator("#k-shelf .k-character").first).to_be_visible()
    page.evaluate("keepsake.openPassing()")
    page.locator(".k-passing-whom").first.click()
    greeting = page.locator("dialog[open] article").first
    expect(greeting).to_be_visible()
    page.wait_for_timeout(300)
    shot(page, "temporary")
    assert greeting.evaluate("(one) => one.parentElement.scrollTop") == 0
    expect(greeting.locator("header")).to_be_in_viewport()
    stage.plays("So I see.")
    page.locator("dialog[open] textarea").fill("Good evening.")
    page.locator("dialog[open] textarea").press("Enter")
    expect(page.locator("dialog[open] article", has_text="So I see.")).to_be_in_viewport(ratio=0.9)


def test_a_part_of_a_text_has_no_asterisks_that_lost_their_other_end(stage: Stage) -> None:
    page = stage.open().page
    expect(page.locator("#k-shelf .k-character").first).to_be_visible()

    def shown(text: object) -> str:
        return str(
            page.evaluate(
                "(text) => { const box = document.createElement('p'); box.append(...keepsake.excerpt(text)); return box.innerHTML; }", text
            )
        )

    assert shown("*She nods.* Yes.") == "<em>She nods.</em> Yes."
    assert shown("… nods.* Yes.") == "… nods. Yes."
    assert shown([["*She ", False], ["nods", True], [".* Yes. *Th", False]]) == "<em>She <mark>nods</mark>.</em> Yes. Th"
    assert shown("2 * 3 = 6") == "2 * 3 = 6"
    assert shown("<b>no</b>") == "&lt;b&gt;no&lt;/b&gt;"


@pytest.mark.parametrize(
    ("locale", "said"), [("en-GB", "SmolLM2 (comes with Keepsake) answers"), ("zh-CN", "自带的 SmolLM2 在回答")], ids=["en", "zh"]
)
def test_the_programs_own_model_is_named_in_the_readers_language(stage: Stage, locale: str, said: str) -> None:
    page = stage.open(locale=locale).page
    expect(page.locator("#k-shelf .k-character").first).to_be_visible()
    assert said in str(page.evaluate("keepsake.t('model_is_small', { model: 'SmolLM2 (bundled)' })"))


def test_health_says_how_far_memory_has_read(stage: Stage) -> None:
    page = stage.open().page
    stage.talk(page, ("My name is Mara.", "Noted."), ("I live in Leith.", "So I hear."))
    page.get_by_role("tab", name="Health").click()
    health = page.locator("#k-health")
    expect(health.locator("[data-state=well]")).to_be_visible(timeout=240_000)
    expect(health).to_contain_text("The newest round is read once the next begins")
    expect(health).to_contain_text("remembered up to round 1")


def test_what_the_cast_says_of_itself_is_not_cut(stage: Stage) -> None:
    page = stage.open(**SMALL).page
    lines = page.locator("#k-shelf .k-character small")
    expect(lines.first).to_be_visible()
    assert lines.evaluate_all("(all) => all.filter((one) => one.scrollHeight > one.clientHeight + 2).map((one) => one.innerText)") == []
