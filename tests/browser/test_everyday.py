"""What is met every day: the notice of a first conversation, wordings that are deleted, how far memory has read, a message read aloud; several characters at once,
and who one begins as with one of them.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watch
from tests.browser.stage import BEES, LEITH, Stage, deed, lives_in, newest, shot, staged, toast, wording

pytestmark = [pytest.mark.browser, pytest.mark.long]
VOICES = """
window.spoken = [];
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "en-GB", localService: true, default: true, name: "here" }, { lang: "zh-CN", localService: false, name: "elsewhere" }],
  speak: (said) => window.spoken.push([said.voice.name, said.text]), cancel: () => window.spoken.push("silence"), addEventListener: () => {} } });
window.SpeechSynthesisUtterance = function (text) { this.text = text; };
"""
"""Headless Chromium has no voices: these stand at the border of the browser, one of this machine and one that is not."""


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("everyday")) as made:
        yield made


def test_a_first_conversation(stage: Stage) -> None:
    watched = watch(stage.browser, locale="en-GB", viewport={"width": 1280, "height": 800})
    page = watched.page
    page.add_init_script(VOICES)
    page.goto(stage.app.url)
    expect(page.locator("#k-transcript .k-guide .k-notice")).to_contain_text("Characters are fiction")
    shot(page, "everyday-guide")
    stage.talk(page, LEITH, BEES)
    row = page.locator(".k-notice-row")
    expect(row).to_contain_text("Fiction by a language model")
    shot(page, "everyday-notice")
    row.get_by_role("button", name="Got it").click()
    expect(row).to_be_hidden()
    lives_in(page, "Leith")
    _how_far_memory_has_read(page)
    _wordings(stage, page)
    _read_aloud(page)


def _how_far_memory_has_read(page: Page) -> None:
    mark = page.locator("#k-transcript .k-message:has(> .k-read-to)")
    expect(mark).to_have_attribute("data-round", "1")
    shot(page, "everyday-read-to")
    page.locator("#k-chat-menu").click()
    page.locator("dialog.k-menu [data-deed=read_to]").click()
    expect(page.locator("#k-transcript .k-lit").first).to_have_attribute("data-round", "1")


def _wordings(stage: Stage, page: Page) -> None:
    stage.plays("Bees are thunder.")
    newest(page).hover()
    newest(page).locator("[data-leaf='1']").click()
    expect(newest(page)).to_contain_text("Bees are thunder.")
    wording(page, "2/2")
    deed(page, newest(page), "put_away")
    expect(newest(page)).to_contain_text("Bees are weather.")
    expect(newest(page).locator(".k-leaf-count")).to_have_text("1/1")
    toast(page, "Wording deleted.").get_by_role("button", name="Undo").click()
    wording(page, "2/2")
    expect(newest(page)).to_contain_text("Bees are thunder.")


def _read_aloud(page: Page) -> None:
    deed(page, newest(page), "speak")
    expect(newest(page).locator(".k-hush")).to_be_visible()
    assert page.evaluate("spoken") == ["silence", ["here", "Bees are thunder."]]
    page.keyboard.press("Escape")
    expect(page.locator(".k-hush")).to_have_count(0)
    assert page.evaluate("spoken.at(-1)") == "silence"


def test_characters_several_at_once_and_who_one_begins_as(stage: Stage) -> None:
    watched = stage.open(locale="zh-CN", viewport={"width": 390, "height": 844})
    page = watched.page
    expect(page.locator(".k-cover").first).to_be_visible()
    for name in ("阿岚", "小满"):
        page.evaluate("(name) => new Promise((done) => keepsake.keepCharacter('create', { name, language: 'zh', tags: '海' }, done))", name)
    page.evaluate("keepsake.openGallery()")
    tiles = page.locator("[data-gallery]")
    expect(tiles).to_have_count(6)
    page.get_by_role("button", name="多选").click()
    for name in ("阿岚", "小满"):
        page.get_by_role("checkbox", name=name).click()
    page.locator("[data-many=tag]").click()
    page.locator("[data-dialog=prompt] input").fill("NSFW")
    page.locator("[data-dialog=prompt]").get_by_role("button", name="加标签", exact=True).click()
    toast(page, "2 个已加标签：NSFW。")
    expect(page.locator(".k-gallery .k-adult")).to_have_count(2)
    shot(page, "everyday-choosing")
    page.locator("[data-many=remove]").click()
    expect(tiles).to_have_count(4)
    toast(page, "2 个已从列表中移除").get_by_role("button", name="撤销").click()
    expect(tiles).to_have_count(6)
    page.locator("[data-many=end]").click()
    expect(page.locator("[data-many]")).to_have_count(0)
    page.locator("[data-tag='hide adult']").click()
    expect(tiles).to_have_count(4)
    expect(page.locator("dialog[data-dialog=gallery]")).to_contain_text("有 2 个标有 18+ 的角色未显示")
    shot(page, "everyday-hidden")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    _begin_as(page)


def test_tags_are_given_all_or_none_and_taken_back_from_who_got_them(stage: Stage) -> None:
    page = stage.open().page
    expect(page.locator(".k-cover").first).to_be_visible()
    for name, tags in (("Ivo", "sea"), ("Una", ",".join(f"t{n}" for n in range(99))), ("Olga", "")):
        page.evaluate(
            "([name, tags]) => new Promise((done) => keepsake.keepCharacter('create', { name, language: 'en', tags }, done))", [name, tags]
        )

    def tags_are(**expected: list[str]) -> None:
        own = "Object.fromEntries(keepsake.shelf.own.filter((one) => one.tags.length < 99).map((one) => [one.name, one.tags]))"
        page.wait_for_function(
            f"(wanted) => {{ const own = {own}; return Object.keys(wanted).every((name) => own[name].join() === wanted[name].join()); }}",
            arg=expected,
        )

    def tag(words: str) -> None:
        page.locator("[data-many=tag]").click()
        page.locator("[data-dialog=prompt] input").fill(words)
        page.locator("[data-dialog=prompt]").get_by_role("button", name="Tag", exact=True).click()

    page.evaluate("keepsake.openGallery()")
    page.get_by_role("button", name="Choose several").click()
    for name in ("Ivo", "Una"):
        page.get_by_role("checkbox", name=name).click()
    tag("rock, sea, pier")
    toast(page, "100 tags")
    tags_are(Ivo=["sea"])
    page.get_by_role("checkbox", name="Una").click()
    page.get_by_role("checkbox", name="Olga").click()
    tag("rock, Sea, pier")
    told = toast(page, "2 tagged: rock, Sea, pier.")
    tags_are(Ivo=["sea", "rock", "pier"], Olga=["rock", "Sea", "pier"])
    told.get_by_role("button", name="Undo").click()
    tags_are(Ivo=["sea"], Olga=[])


def _begin_as(page: Page) -> None:
    page.evaluate("keepsake.playersDo('keep', { name: '安' })")
    page.evaluate("keepsake.playersDo('keep', { name: '小雨' }).then(() => keepsake.openPlayers())")
    page.locator("[data-player^=menu]").first.click()
    page.locator("dialog.k-menu [data-deed=ties]").click()
    page.locator("[data-dialog=ties] [data-tie]").first.check()
    expect(page.locator("[data-dialog=ties] [data-tie]").first).to_be_checked()
    shot(page, "everyday-ties")
    page.keyboard.press("Escape")
    badge = page.locator("[data-dialog=players] .k-tied")
    expect(badge).to_have_count(1)
    tied = re.sub("^和", "", badge.inner_text().strip())
    shot(page, "everyday-tied")
    page.keyboard.press("Escape")
    page.locator(".k-cover", has_text=tied).click()
    expect(page.locator("#k-playing")).to_have_attribute("aria-label", re.compile("小雨|安"))
    page.locator("#k-playing").click()
    expect(page.locator("[data-tie-here]")).to_be_checked()
    shot(page, "everyday-playing")
