"""Replies that say what they used, and learning from them, on the page.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.stage import BEES, LEITH, Stage, say, shot, staged, wait_for_reply
from tests.models.openai_endpoint import Answer

pytestmark = [pytest.mark.browser, pytest.mark.long]

LONG = ("We mended the nets and talked of the weather over soup. " * 9, "The weather went over us and the soup grew cold. " * 9)
WATCHING = """() => { window.seen = []; new MutationObserver(() => window.seen.push(document.getElementById('k-centre').textContent))
    .observe(document.getElementById('k-centre'), { subtree: true, childList: true, characterData: true }); }"""


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("learning"), KEEPSAKE_CHAT_RETRIES="0", KEEPSAKE_CHAT_CONTEXT_TOKENS="1100") as made:
        yield made


def test_what_a_reply_used_is_shown_and_learned_from(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, BEES, LONG, LONG, LONG)
    page.locator("#k-chat-menu").click()
    page.locator("dialog [data-deed=learning]").click()
    dialog = page.get_by_role("dialog", name="Learning")
    expect(dialog.get_by_role("button", name="Off", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(dialog).to_contain_text("No reply has been taken in yet.")
    dialog.get_by_role("button", name="Learn", exact=True).click()
    expect(dialog.get_by_role("button", name="Learn", exact=True)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")

    page.evaluate(WATCHING)
    number = 7
    for trailer in ("[[memories: 1]]", "[[memories: 1, 2]]", "[[memories: none]]", "[[memories: 1]]"):
        stage.endpoint.enqueue(
            Answer(pieces=["Your ", "brother ", "keeps them.", "\n[[mem", "ories", trailer[10:12], trailer[12:]], between_s=0.03)
        )
        say(page, "Who keeps the bees, did I say?")
        wait_for_reply(page, number)
        number += 1
    assert not any("[[" in text or "ories:" in text for text in page.evaluate("window.seen"))
    page.locator("#k-tab-receipt").click()
    receipt = page.locator("#k-receipt")
    expect(receipt).to_contain_text("1 of these memories, says the model.")
    expect(receipt.locator(".k-cited")).to_have_text("used")
    expect(receipt.locator(".k-candidate").first).to_contain_text("learned")
    shot(page, "citations")

    page.locator("#k-chat-menu").click()
    page.locator("dialog [data-deed=learning]").click()
    expect(dialog).to_contain_text("1 update so far, from 4 replies.", timeout=240_000)  # behind everything else that is remembered
    expect(dialog.locator(".k-curve polyline")).to_have_count(1)
    expect(dialog).to_contain_text("% of the memories shown")
    shot(page, "learning")
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Save as a file").click()
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)
    assert path.name == "keepsake-learned.npz"

    dialog.get_by_role("button", name="Unlearn everything").click()
    page.get_by_role("dialog", name="Unlearn everything?").get_by_role("button", name="Unlearn everything").click()
    expect(dialog).to_contain_text("0 updates so far, from 0 replies.")
    dialog.locator("input[type=file]").set_input_files(path)
    expect(dialog).to_contain_text("1 update so far")
    bad = tmp_path / "bad.npz"
    bad.write_bytes(b"no such thing")
    dialog.locator("input[type=file]").set_input_files(bad)
    expect(dialog.get_by_role("alert")).to_contain_text("Nothing was changed.")
    page.keyboard.press("Escape")
    assert watched.faults == []


def test_it_reads_in_chinese(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH)
    page.set_viewport_size({"width": 390, "height": 780})
    page.evaluate("window.keepsake.setLanguage('zh')")
    page.locator("#k-chat-menu").click()
    page.locator("dialog [data-deed=learning]").click()
    dialog = page.get_by_role("dialog", name="学习")
    expect(dialog).to_contain_text("从回复用到了哪些记忆")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    shot(page, "learning-zh")
    assert watched.faults == []


def test_the_memory_is_asked_and_its_answer_leads_to_the_round(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, ("My brother Tobias keeps <i>bees</i> on the roof.", "Bees are weather."), LONG)
    expect(page.locator("#k-persona")).to_contain_text("Leith", timeout=240_000)  # what was said is remembered
    page.keyboard.press("Control+k")
    dialog = page.get_by_role("dialog", name="Ask the memory")
    box = dialog.get_by_role("textbox", name="Your question")
    expect(box).to_be_focused()

    stage.endpoint.enqueue(Answer(status=500))
    box.fill("Who keeps bees on the roof?")
    page.keyboard.press("Enter")
    expect(dialog.locator(".k-answer")).to_contain_text("bees", timeout=240_000)
    expect(dialog.get_by_role("note")).to_contain_text("The language model openai/scripted did not answer")
    expect(dialog).to_contain_text("Sentences as they stand in memory")
    assert dialog.locator("i").count() == 0  # what was typed is text

    stage.endpoint.enqueue(Answer(pieces=["{"], before_s=12))
    box.fill("What is <b>never</b> told?")
    dialog.get_by_role("button", name="Ask", exact=True).click()
    expect(dialog.get_by_role("status")).to_contain_text("The model is reading", timeout=240_000)
    dialog.get_by_role("button", name="Stop").click()
    expect(dialog.get_by_role("status")).to_have_text("Stopped.")

    answer = '{"notes": [{"excerpt": 1, "says": "It says so."}], "found": true, "answer": "Tobias keeps them.", "excerpts": [1]}'
    stage.endpoint.enqueue(Answer(pieces=[answer]))
    box.fill("Which of my people keeps bees?")
    page.keyboard.press("Enter")
    expect(dialog.locator(".k-answer blockquote")).to_have_text("Tobias keeps them.", timeout=240_000)
    expect(dialog.locator("details .k-noted")).to_have_count(1)
    shot(page, "asking")
    earlier = dialog.get_by_role("button", name="Who keeps bees on the roof?")
    expect(earlier).to_be_visible()
    expect(dialog.get_by_role("button", name="What is <b>never</b> told?")).to_be_visible()
    earlier.click()
    expect(dialog.get_by_role("note")).to_contain_text("did not answer")
    dialog.locator(".k-answer").get_by_role("button", name="Go to round 2").click()
    expect(dialog).to_have_count(0)
    expect(page.locator("#k-transcript article", has_text="My brother Tobias")).to_be_in_viewport()

    page.evaluate("window.keepsake.setLanguage('zh')")
    page.set_viewport_size({"width": 390, "height": 780})
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="问问记忆")).to_contain_text("没有给出回答")  # the question is still there
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    shot(page, "asking-zh")
    assert [fault for fault in watched.faults if "500" not in fault] == []
