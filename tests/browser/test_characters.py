"""A person's own characters on the page: made, talked with, changed, duplicated, removed, found; in Chinese on a phone.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import make_app
from tests.browser.test_first_conversation import say, wait_for_reply
from tests.browser.test_rewriting import HOSTILE, Stage, shot, toast
from tests.models.openai_endpoint import OpenAIEndpoint

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with OpenAIEndpoint() as endpoint:
        app = make_app(
            tmp_path_factory.mktemp("characters"),
            KEEPSAKE_CHAT_MODEL="openai/scripted",
            KEEPSAKE_CHAT_API_BASE=endpoint.url,
            KEEPSAKE_CHAT_API_KEY="k",
            KEEPSAKE_CHAT_RETRIES="0",
        )
        app.start()
        yield Stage(app, endpoint, browser)
        app.stop()


def field(page: Page, name: str) -> Locator:
    return page.locator(f"dialog [data-field={name}]")


def says(page: Page, name: str) -> Locator:
    return page.locator(f"#k-of-{name}-says")


def own(page: Page, name: str) -> Locator:
    return page.locator(".k-own-row", has=page.locator("b", has_text=re.compile(f"^{re.escape(name)}$")))


def deed(page: Page, name: str, what: str) -> None:
    own(page, name).locator("[aria-haspopup=menu]").click()
    page.locator(f"dialog.k-menu [data-deed={what}]").click()


def test_a_character_is_made_talked_with_changed_and_removed(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    page.locator("#k-shelf").get_by_role("button", name="New character").press("Enter")
    dialog = page.get_by_role("dialog", name="New character")
    expect(field(page, "name")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(says(page, "name")).to_have_text("A character needs a name.")
    page.keyboard.type("Ivo Brandt")
    expect(says(page, "name")).to_be_empty()
    page.keyboard.press("Tab")
    page.keyboard.type("Mends clocks that nobody wound.")
    field(page, "tagline").fill("x" * 201)
    expect(says(page, "tagline")).to_have_text("This has 201 characters; 200 is the most. Shorten it.")
    field(page, "tagline").fill("Mends clocks that nobody wound.")
    field(page, "description").fill("Ivo mends clocks in a cellar under the tram depot.")
    field(page, "first_mes").fill(f"*He looks up.* Which hour have you lost, {{{{user}}}}? {HOSTILE}")
    preview = dialog.get_by_role("region", name="How it will look")
    expect(preview).to_contain_text("Mends clocks that nobody wound.")
    expect(preview.locator("em")).to_have_text("He looks up.")
    expect(preview).to_contain_text(f"Which hour have you lost, You? {HOSTILE}")
    expect(preview.get_by_role("status")).to_contain_text("tokens of every prompt go to this character")
    shot(page, "character")

    page.keyboard.press("Escape")
    asked = page.get_by_role("dialog", name="Leave without saving?")
    expect(asked).to_be_visible()
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    field(page, "description").press("Control+Enter")
    expect(dialog).to_have_count(0)
    toast(page, "Ivo Brandt is ready to talk.").get_by_role("button", name="Talk").click()
    greeting = page.locator("#k-transcript .k-character-says").first
    expect(greeting).to_contain_text(f"Which hour have you lost, You? {HOSTILE}")
    stage.plays("A common one.")
    say(page, "The hour after supper.")
    wait_for_reply(page, 2)
    assert "under the tram depot" in stage.endpoint.requests[-1].body["messages"][0]["content"]
    page.get_by_role("tab", name="Insights").click()
    expect(page.locator("#k-insights")).to_contain_text("Ivo Brandt has no stances")

    deed(page, "Ivo Brandt", "edit")
    expect(field(page, "description")).to_have_value("Ivo mends clocks in a cellar under the tram depot.")
    field(page, "description").fill("Ivo repairs organs now.")
    page.keyboard.press("Escape")
    page.get_by_role("dialog", name="Leave without saving?").get_by_role("button", name="Leave").click()
    expect(page.locator("dialog")).to_have_count(0)
    deed(page, "Ivo Brandt", "edit")
    expect(field(page, "description")).to_have_value("Ivo mends clocks in a cellar under the tram depot.")
    field(page, "description").fill("Ivo repairs organs now.")
    page.get_by_role("dialog", name="Edit the character").get_by_role("button", name="Save").click()
    toast(page, "Ivo Brandt is saved.")
    stage.plays("Pipes, all of them.")
    say(page, "What is on your bench?")
    wait_for_reply(page, 3)
    assert "Ivo repairs organs now." in stage.endpoint.requests[-1].body["messages"][0]["content"]
    expect(greeting).to_contain_text("Which hour have you lost, You?")

    deed(page, "Ivo Brandt", "duplicate")
    expect(own(page, "Ivo Brandt (2)")).to_be_visible()
    deed(page, "Ivo Brandt", "remove")
    expect(own(page, "Ivo Brandt")).to_have_count(0)
    toast(page, "Ivo Brandt is out of the list.").get_by_role("button", name="Undo").click()
    expect(own(page, "Ivo Brandt")).to_have_count(1)
    deed(page, "Ivo Brandt", "remove")
    expect(own(page, "Ivo Brandt")).to_have_count(0)
    stage.plays("It does.")
    say(page, "Does it go on?")
    wait_for_reply(page, 4)

    deed(page, "Ivo Brandt (2)", "edit")
    field(page, "name").fill("Nell Garrow")
    field(page, "name").press("Control+Enter")
    toast(page, "Nell Garrow is saved.").get_by_role("button", name="Talk").click()
    expect(page.locator("#k-transcript .k-character-says")).to_have_count(1)
    expect(page.locator("#k-transcript .k-character-says .k-monogram")).to_have_text("N")  # not the face of the cast's
    deed(page, "Nell Garrow", "edit")
    field(page, "name").fill("Ivo Brandt (2)")
    field(page, "name").press("Control+Enter")
    expect(page.locator(".k-title h1")).to_have_text("Nell Garrow")  # as the conversation began
    deed(page, "Ivo Brandt (2)", "duplicate")
    expect(own(page, "Ivo Brandt (3)")).to_be_visible()
    deed(page, "Ivo Brandt (3)", "remove")
    expect(own(page, "Ivo Brandt (3)")).to_have_count(0)
    page.locator(".k-open-bin").click()
    binned = page.get_by_role("dialog", name="Bin")
    expect(
        binned.locator(".k-bin-row", has_text="1 conversation with it is still there").get_by_role("button", name="Erase")
    ).to_have_count(0)
    second = binned.locator(".k-bin-row", has_text="Ivo Brandt (3)")
    second.get_by_role("button", name="Erase").click()
    page.get_by_role("dialog", name="Erase").get_by_role("button", name="Erase").click()
    expect(second).to_have_count(0)
    binned.get_by_role("button", name="Restore: Ivo Brandt").click()
    page.keyboard.press("Escape")
    expect(own(page, "Ivo Brandt")).to_have_count(1)
    assert page.evaluate("window.hacked") is None
    assert watched.faults == []


def test_it_reads_in_chinese_on_a_phone_and_many_are_looked_through(stage: Stage) -> None:
    watched = stage.open(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    page = watched.page
    expect(page.locator(".k-welcome")).to_be_visible()
    page.evaluate("window.keepsake.setLanguage('zh')")
    page.locator("[data-k-opens=shelf]").click()
    page.locator("#k-shelf").get_by_role("button", name="新建角色").click()
    expect(field(page, "language")).to_have_value("zh")
    for name in ("name", "tagline", "description", "personality", "scenario", "first_mes", "mes_example"):
        field(page, name).fill(HOSTILE)
    page.locator("dialog summary", has_text="更多").click()
    field(page, "tags").fill(f"{HOSTILE}，河边")
    field(page, "system_prompt").fill("x" * 20_001)
    page.get_by_role("button", name="保存").click()
    expect(says(page, "system_prompt")).to_have_text("这里有 20,001 个字，最多 20,000 个，请缩短。")
    expect(field(page, "system_prompt")).to_be_focused()
    field(page, "system_prompt").fill("")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("dialog .k-dialog-body").evaluate("node => node.scrollWidth <= node.clientWidth")
    shot(page, "character-zh")
    page.get_by_role("button", name="保存").click()
    toast(page, "可以聊天了")
    page.locator("[data-k-opens=shelf]").click()
    expect(own(page, HOSTILE)).to_be_visible()
    seek = page.get_by_role("searchbox", name="按名字或标签查找")
    expect(seek).to_have_count(0)
    for number in range(2, 10):
        deed(page, HOSTILE, "duplicate")
        expect(own(page, f"{HOSTILE} ({number})")).to_have_count(1)
    seek.fill("(4)")
    expect(page.locator(".k-own-row")).to_have_count(1)
    seek.fill("河边")
    expect(page.locator(".k-own-row")).to_have_count(9)
    seek.fill("没有")
    expect(page.get_by_text("没有这个名字或标签的角色。")).to_be_visible()
    page.evaluate("window.keepsake.clearToasts()")
    shot(page, "characters-zh")
    seek.fill("(4)")
    page.locator(".k-own-row .k-character").click()
    expect(page.locator("#k-transcript .k-character-says").first).to_contain_text(HOSTILE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("window.hacked") is None
    assert watched.faults == []
