"""A player's own personas on the page: made, chosen, kept in a conversation, and had back, in both languages."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.stage import Stage, mine, say, shot, staged, toast, wait_for_reply

pytestmark = [pytest.mark.browser, pytest.mark.long]
WORDS = {
    "en": {
        "new": "New persona",
        "save": "Save",
        "saved": "Ann is saved.",
        "follow": "Follow the default",
        "changed": "Who you are here has changed",
    },
    "zh": {"new": "新建身份", "save": "保存", "saved": "安已保存。", "follow": "跟着默认走", "changed": "你在这里的身份已更换"},
}
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("players")) as made:
        yield made


def make(page: Page, name: str, description: str, *, button: str, save: str) -> None:
    page.get_by_role("button", name=button).last.click()
    page.locator("#k-player-name").fill(name)
    page.locator("#k-player-description").fill(description)
    page.locator("[data-dialog=player]").get_by_role("button", name=save, exact=True).click()
    expect(page.locator("[data-dialog=player]")).to_have_count(0)


def picture(folder: Path) -> Path:
    file = io.BytesIO()
    Image.new("RGB", (300, 200), "#8f3a2c").save(file, "JPEG")
    path = folder / "face.jpg"
    path.write_bytes(file.getvalue())
    return path


@pytest.mark.parametrize(("language", "locale", "name", "other"), [("en", "en-GB", "Ann", "Mara"), ("zh", "zh-CN", "安", "小满")])
def test_who_one_is_from_the_first_page_to_the_bin(stage: Stage, tmp_path: Path, language: str, locale: str, name: str, other: str) -> None:
    words = WORDS[language]
    small = {"viewport": {"width": 390, "height": 844}} if language == "zh" else {"viewport": {"width": 1280, "height": 800}}
    watched = stage.open(locale=locale, **small)
    page = watched.page
    with page.context:
        page.evaluate('() => fetch(\'keepsake/players\', {method: \'POST\', body: \'{"do": "default", "player": ""}\'})')
        watched.reload()
        page.locator(".k-begins-as:visible").click()
        if not page.locator("[data-dialog=players]").count():
            page.locator("dialog.k-menu [data-deed=players]").click()
        # Made, with a picture, by the keyboard where there is one.
        page.locator(".k-new-player").click()
        expect(page.locator(".k-player-face .k-monogram")).to_have_text("·")
        page.locator("#k-player-name").fill(name)
        expect(page.locator(".k-player-face .k-monogram")).to_have_text(name[0])
        page.locator("#k-player-description").fill(f"Keeps bees. {HOSTILE}")
        page.locator("#k-player-picture").set_input_files(picture(tmp_path))
        expect(page.locator(".k-player-face img")).to_be_visible()
        expect(page.locator("[data-dialog=player] .k-part-head [role=status]")).to_have_text(re.compile(r"\d"))
        shot(page, f"player-form-{language}")
        page.locator("#k-player-description").press("Control+Enter")
        toast(page, words["saved"])
        make(page, other, "Dives.", button=words["new"], save=words["save"])
        expect(page.locator("[data-dialog=players] small", has_text=HOSTILE).last).to_be_visible()
        row = page.locator("[data-dialog=players] .k-own-row", has_text=name).first
        if not row.locator(".k-badge").count():  # the very first is the default
            row.locator(".k-plain").click()
            page.locator("dialog.k-menu [data-deed=default]").click()
        expect(row.locator(".k-badge")).to_be_visible()
        shot(page, f"players-{language}")
        page.keyboard.press("Escape")
        expect(page.locator(".k-begins-as:visible")).to_contain_text(name)
        shot(page, f"player-welcome-{language}")
        # In a conversation.
        page.locator("#k-transcript .k-cover", has_text="Nell" if language == "en" else "邱麦").first.click()
        chip = page.locator("#k-playing")
        expect(chip).to_have_attribute("aria-label", re.compile(name))
        stage.plays("Indeed.")
        say(page, "Hm.")
        before = 2
        wait_for_reply(page, before)
        expect(mine(page).last.locator("header b")).to_have_text(name)
        assert HOSTILE in stage.endpoint.requests[-1].body["messages"][0]["content"]
        chip.click()
        page.locator("[data-dialog=playing] [role=radio]", has_text=other).first.click()
        expect(page.locator("[data-dialog=playing] [role=radio][aria-checked=true]")).to_contain_text(other)
        shot(page, f"playing-{language}")
        page.keyboard.press("Escape")
        expect(chip).to_have_attribute("aria-label", re.compile(other))
        stage.plays("Ah.")
        say(page, "Yes.")
        wait_for_reply(page, before + 1)
        assert [b.inner_text() for b in mine(page).locator("header b").all()] == [name, other]
        # Not kept, it follows the default; taken back, it is kept again.
        chip.click()
        page.locator("[data-dialog=playing]").get_by_role("button", name=words["follow"]).click()
        expect(page.locator("[data-dialog=playing] [role=radio][aria-checked=true]")).to_contain_text(name)
        page.keyboard.press("Escape")
        page.keyboard.press("Control+z")
        expect(chip).to_have_attribute("aria-label", re.compile(other))
        shot(page, f"player-chat-{language}")
        assert watched.faults == []


@pytest.mark.parametrize(
    ("locale", "usual"), [("en-GB", "As in any new conversation (by default: {name})"), ("zh-CN", "和新对话一样（默认：{name}）")]
)
def test_a_temporary_conversation_begins_as_whom_its_box_says(stage: Stage, locale: str, usual: str) -> None:
    page = stage.open(locale=locale).page
    expect(page.locator(".k-cover").first).to_be_visible()
    page.evaluate("Promise.all(keepsake.players.listed.map((one) => keepsake.playersDo('remove', { player: one.id })))")
    for name in ("Edda", "Lou"):
        page.evaluate("(name) => keepsake.playersDo('keep', { name })", name)
    page.evaluate("keepsake.playersDo('default', { player: keepsake.players.listed.find((one) => one.name === 'Edda').id })")
    page.evaluate(
        "keepsake.playersDo('tie', { player: keepsake.players.listed.find((one) => one.name === 'Lou').id, character: 'builtin:nell-garrow' })"
    )
    box = page.locator("#k-passing-as")

    def begun_as(whom: str, character: str) -> str:
        page.evaluate("keepsake.openPassing()")
        expect(box.locator("option:checked")).to_have_text(usual.format(name="Edda"))
        if whom:
            box.select_option(label=whom)
        page.locator(f".k-passing-whom[data-character='{character}']").click()
        stage.plays("Hm.")
        talk = page.locator("[data-dialog=passing] textarea")
        talk.fill("Hello.")
        talk.press("Enter")
        name = page.locator("[data-dialog=passing] .k-reader-says header b").inner_text()
        page.locator(".k-passing-leave").click()
        page.locator("[data-dialog=confirm] .k-grave").click()
        expect(page.locator("[data-dialog=passing]")).to_have_count(0)
        return name

    assert begun_as("", "builtin:nell-garrow") == "Lou"
    assert begun_as("", "builtin:rafferty-moth") == "Edda"
    assert begun_as("Edda", "builtin:nell-garrow") == "Edda"
