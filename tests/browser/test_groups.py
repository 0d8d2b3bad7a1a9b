"""A conversation with two characters on the page: begun, one sent out, a secret told, brought back, everyone answers, whose memory is shown; in Chinese on a phone.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.stage import Stage, say, shot, staged, wait_for_reply

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("groups")) as made:
        yield made


def member(page: Page, name: str) -> Locator:
    return page.locator(f"#k-composer [data-member='{name}']")


def gather(page: Page, *names: str, title: str = "") -> None:
    page.locator(".k-open-gathering:visible").first.click()
    begin = page.locator("dialog [data-dialog=gathering], dialog[data-dialog=gathering]").locator(".k-firmly")
    for name in names:
        expect(begin).to_be_disabled() if name == names[0] else None
        page.locator("dialog .k-gathering .k-character", has_text=name).click()
    page.locator("dialog .k-field").fill(title)
    begin.click()
    expect(page.locator("#k-composer .k-member[data-member]")).to_have_count(len(names))


def do(page: Page, name: str, what: str) -> None:
    member(page, name).click()
    page.locator(f"dialog.k-menu [data-deed={what}]").click()


def told(page: Page) -> Locator:
    return page.locator("#k-transcript .k-message:not(.k-moves) header b")


def test_a_box_for_many_names_shows_no_half_line(stage: Stage) -> None:
    watched = stage.open(viewport={"width": 1200, "height": 800})
    page = watched.page
    gather(page, "Nell", "Rafferty", "邱麦")
    box = page.locator("#k-text")
    expect(box).to_have_attribute("placeholder", re.compile("Rafferty Moth"))
    assert box.evaluate("box => box.scrollHeight <= box.clientHeight"), "nothing of it is cut below the edge"
    assert box.evaluate("box => box.clientHeight < 2 * parseFloat(getComputedStyle(box).lineHeight) + 2"), "it is one line"
    box.fill("A line that is long enough to be broken. " * 4)
    assert box.evaluate("box => box.clientHeight > 2 * parseFloat(getComputedStyle(box).lineHeight)"), "what is typed is broken into lines"
    assert watched.faults == []


def test_each_of_two_knows_what_it_witnessed(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    gather(page, "Nell", "Rafferty")
    expect(page.locator("#k-masthead h1")).to_have_text("Nell Garrow, Rafferty Moth")
    stage.plays("Then we are three.")
    say(page, "Good evening. My name is Mara.")
    wait_for_reply(page, 2)
    expect(member(page, "Rafferty Moth")).to_have_attribute("data-next", "true")
    do(page, "Rafferty Moth", "out")
    expect(page.locator("#k-transcript .k-moves")).to_have_text(re.compile("Rafferty Moth leaves"))
    expect(member(page, "Rafferty Moth")).to_have_attribute("data-here", "false")
    stage.plays("It stays between us.")
    say(page, "I live in the lighthouse at Skerry.")
    wait_for_reply(page, 3)
    expect(page.locator("#k-transcript [data-heard='Nell Garrow']")).to_have_count(2)
    do(page, "Rafferty Moth", "back")
    expect(page.locator("#k-transcript .k-moves")).to_have_count(2)
    page.locator("#k-composer .k-all").click()
    expect(page.locator("#k-composer .k-all")).to_have_attribute("aria-pressed", "true")
    stage.plays("I say nothing.", "Should I know?")
    say(page, "Well, Nell?")
    wait_for_reply(page, 5)
    assert told(page).all_inner_texts()[-2:] == ["Nell Garrow", "Rafferty Moth"]
    secret = [call for call in stage.endpoint.requests if "Skerry" in str(call)]
    assert len(secret) == 2
    stage.plays("Since you ask.")
    do(page, "Rafferty Moth", "speak")
    wait_for_reply(page, 6)
    assert "Skerry" not in str(stage.endpoint.requests[-1])
    expect(page.locator("#k-persona [data-key=residence]")).to_have_count(1, timeout=180_000)
    shot(page, "en-groups")
    page.locator("#k-tabs [data-mind='Rafferty Moth']").click()
    expect(page.locator("#k-tabs [data-mind='Rafferty Moth']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#k-persona [data-key=residence]")).to_have_count(0)
    page.get_by_role("tab", name="Receipt").click()
    expect(page.locator("#k-receipt .k-speaker")).to_have_text(re.compile("Rafferty Moth"))
    page.keyboard.press("Escape")
    page.locator("#k-undo").click()
    expect(page.locator("#k-transcript .k-character-says")).to_have_count(5)
    assert watched.faults == []


def test_in_chinese_on_a_phone(stage: Stage) -> None:
    watched = stage.open(viewport={"width": 390, "height": 844}, has_touch=True, locale="zh-CN", color_scheme="dark")
    page = watched.page
    gather(page, "邱麦", "殷玉盏", title="雨夜")
    expect(page.locator("#k-masthead h1")).to_have_text("雨夜")
    do(page, "殷玉盏", "out")
    expect(page.locator("#k-transcript .k-moves")).to_have_text(re.compile("殷玉盏离开了"))
    stage.plays("我谁也不告诉。")
    say(page, "我把手镯藏在钢琴里。")
    wait_for_reply(page, 2)
    expect(page.locator("#k-transcript .k-heard").last).to_have_text("只有邱麦听见")
    shot(page, "zh-groups")
    page.locator("#k-composer .k-all").scroll_into_view_if_needed()
    box = page.locator("#k-composer").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 390
    assert watched.faults == []


def test_another_comes_into_a_conversation_with_one(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, ("I stole the harbour bell.", "Did you."))
    page.locator("#k-chat-menu").click()
    page.locator("dialog.k-menu [data-deed=join]").click()
    expect(page.locator("dialog[data-dialog=joining]")).to_contain_text("goes on in a copy")
    page.locator("[data-joins='builtin:rafferty-moth']").click()
    expect(page.locator("#k-transcript .k-moves")).to_have_text(re.compile("Rafferty Moth joins"))
    expect(page.locator("#k-transcript [data-heard='Nell Garrow']")).to_have_count(3)
    stage.plays("Good evening.")
    say(page, "Good evening, Rafferty.")
    wait_for_reply(page, 3)
    assert "bell" not in str(stage.endpoint.requests[-1].body)
    page.locator("#k-composer .k-join").click()
    page.locator("[data-joins='builtin:yin-yuzhan']").click()
    expect(page.locator("#k-composer .k-member[data-member]")).to_have_count(3)
    page.locator(".k-toast", has_text="knows nothing of what was said before").locator(".k-link").click()
    expect(page.locator("#k-composer .k-member[data-member]")).to_have_count(2)
    assert watched.faults == []
