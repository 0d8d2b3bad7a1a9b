"""A first evening with one's own server and one's own story: a llama.cpp server that demands turns is connected and chosen, a chat of SillyTavern comes in as far as
it is sound, and goes on at the first try; a reply that says an earlier one again is made once more, and that is told.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Watched, make_app, watch
from tests.browser.stage import lives_in, newest, say, shot, staged, start_chat, wait_for_reply, wording
from tests.models.openai_endpoint import Answer
from tests.models.templated_llama import STRICT, serving

pytestmark = [pytest.mark.browser, pytest.mark.long]
SEEN = "localStorage.setItem('keepsake.seen', '1')"
NARRATED = "Rain begins to drum on the roof of the boathouse."
WHISPERED = "Out of the story: keep it slow tonight, the plan is a flood."
THOUGHT = "She lives by the water herself, so the flood will matter to her."
BROKEN = '{"name": "Oda", "is_user": false, "mes": "The oars are'
HALF = "The oars are"
STORY: list[dict[str, object] | str] = [
    {"user_name": "Mara", "character_name": "Oda", "create_date": "2024-05-01@18h29m00s", "chat_metadata": {"note_prompt": ""}},
    {
        "name": "Oda",
        "is_user": False,
        "send_date": "May 1, 2024 6:30pm",
        "mes": "*Oda looks up from her nets.* Who walks out here at this hour?",
    },
    {"name": "Mara", "is_user": True, "send_date": "May 1, 2024 6:31pm", "mes": "My name is Mara and I live in Leith."},
    {
        "name": "Oda",
        "is_user": False,
        "send_date": "May 1, 2024 6:32pm",
        "mes": "Then you know the tide.",
        "swipe_id": 1,
        "swipes": ["Leith? Never heard of it.", "Then you know the tide."],
        "swipe_info": [{"extra": {}}, {"extra": {"reasoning": THOUGHT}}],
        "extra": {"reasoning": THOUGHT},
    },
    BROKEN,
    {
        "name": "System",
        "is_user": False,
        "is_system": False,
        "send_date": "May 1, 2024 6:33pm",
        "mes": NARRATED,
        "extra": {"type": "narrator"},
    },
    {"name": "Mara", "is_user": True, "is_system": True, "send_date": "May 1, 2024 6:34pm", "mes": WHISPERED},
    {
        "name": "Mara",
        "is_user": True,
        "send_date": "May 1, 2024 6:35pm",
        "mes": "I have a brother, Tobias, who mends boats. May I wait here?",
    },
    {"name": "Oda", "is_user": False, "send_date": "May 1, 2024 6:36pm", "mes": "Sit by the stove until it stops."},
]
SAID = (
    "The fog lay on the harbour all week, and nobody went out. *She winds the rope around her arm.* Ask me about the boats and not the weather.",
    "The gulls came back this morning. *She nods at the window.* That is the only news we have had since Sunday.",
)
WARY = "They asked about the weather again."


def in_chinese_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("window.keepsake.setLanguage('zh')")
    expect(page.get_by_role("button", name="发送", exact=True)).to_be_visible()


def test_the_first_evening_with_ones_own_server_and_story(browser: Browser, tmp_path: Path) -> None:
    app = make_app(tmp_path)
    app.start()
    try:
        with serving(STRICT, tmp_path) as address:
            watched = watch(browser)
            watched.page.add_init_script(SEEN)
            watched.page.goto(app.url)
            _connect(watched.page, address)
            _bring(watched.page, tmp_path)
            _as_it_was(watched.page)
            _go_on(watched)
    finally:
        app.stop()


def _connect(page: Page, address: str) -> None:
    page.locator(".k-open-models").click()
    models = page.get_by_role("dialog", name="Models")
    models.get_by_role("tab", name="Connections").click()
    models.get_by_role("button", name="OpenAI-compatible address").click()
    models.get_by_label("Name").fill("At home")
    models.get_by_label("Model", exact=True).fill("smol")
    models.get_by_label("Address").fill(address)
    models.get_by_role("button", name="Save and test").click()
    expect(models.locator(".k-trial blockquote")).to_have_text(re.compile(r"\w"))
    models.get_by_role("tab", name="Who answers").click()
    models.get_by_label("Answers", exact=True).first.select_option(label="At home")
    expect(models.locator("[data-role=chat] .k-leaves")).to_contain_text("another program on this computer")
    page.keyboard.press("Escape")
    expect(models).to_have_count(0)


def _bring(page: Page, folder: Path) -> None:
    file = folder / "Oda - 2024-05-01@18h29m00s.jsonl"
    file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in STORY), encoding="utf-8")
    page.get_by_role("button", name="Import", exact=True).click()
    dialog = page.locator("dialog[data-dialog=import]")
    dialog.locator("input[type=file]").set_input_files(file)
    expect(dialog.locator(".k-mended")).to_have_count(1)
    expect(dialog.locator(".k-mended")).to_contain_text("Line 5 · 1 part could not be read and was left out: it breaks off before its end")
    expect(dialog.locator(".k-found-facts")).to_contain_text("7 messages in")
    expect(dialog.locator("[data-import=player]")).to_have_value("Mara")
    expect(dialog.locator("[data-import=speaker]")).to_have_value("Oda")
    shot(page, "evening-found")
    dialog.locator("[data-choice=take]").click()
    expect(newest(page)).to_contain_text("Sit by the stove until it stops.")


def _as_it_was(page: Page) -> None:
    told = page.locator("#k-transcript")
    expect(told).to_contain_text("Who walks out here at this hour?")
    expect(told).not_to_contain_text(HALF)
    expect(told).not_to_contain_text(THOUGHT)
    hidden = told.locator(".k-hidden")
    expect(hidden).to_have_count(1)
    expect(hidden).to_contain_text(WHISPERED)
    expect(hidden.locator(".k-ghost")).to_have_text("hidden")
    expect(told.locator(".k-moves")).to_have_text(NARRATED)  # nobody says it
    swiped = told.locator(".k-message", has_text="Then you know the tide.")
    expect(swiped.locator(".k-leaf-count")).to_have_text("2/2")
    swiped.locator(".k-remembered").click()
    thoughts = page.locator("#k-receipt details", has_text=THOUGHT)
    expect(thoughts.locator("pre")).to_be_hidden()
    thoughts.locator("summary").click()
    expect(thoughts.locator("pre")).to_have_text(THOUGHT)
    shot(page, "evening-thought")
    page.get_by_role("tab", name="Persona").click()
    lives_in(page, "Leith")
    expect(page.locator("#k-persona")).to_contain_text("Tobias")


def _go_on(watched: Watched) -> None:
    page = watched.page
    before = page.locator("#k-transcript .k-character-says").count()
    say(page, "What is the weather doing, Oda?")
    wait_for_reply(page, before + 1)
    expect(newest(page)).not_to_have_class(re.compile("k-failed"))
    expect(page.locator(".k-model")).to_contain_text("smol (127.0.0.1:")
    newest(page).locator(".k-remembered").click()
    receipt = page.locator("#k-receipt")
    expect(receipt).to_contain_text("What is the weather doing, Oda?")
    receipt.locator("summary", has_text="The prompt as it was sent").click()
    sent = receipt.locator(".k-prompt", has_text="What is the weather doing, Oda?")
    expect(sent).to_contain_text(NARRATED)
    for kept_out in (WHISPERED, THOUGHT, HALF):
        expect(sent).not_to_contain_text(kept_out)
    shot(page, "evening-receipt")
    page.evaluate("window.keepsake.openModels('connections')")
    asked = page.locator(".k-way .k-asked")
    expect(asked).to_contain_text("user and model in turns")
    shot(page, "evening-asked")
    page.locator(".k-way [data-choice^='asked ']").click()
    expect(page.locator("[data-field=alternate]")).to_have_value("yes")
    shot(page, "evening-asked-form")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    in_chinese_on_a_phone(page)
    page.evaluate("window.keepsake.openModels('connections')")
    expect(asked).to_contain_text("用户与模型轮流")
    asked.scroll_into_view_if_needed()
    shot(page, "evening-asked-zh")
    page.locator(".k-way [data-choice^='asked ']").click()
    expect(page.locator("[data-field=alternate]")).to_have_value("yes")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    shot(page, "evening-asked-form-zh")
    assert watched.faults == []


def test_a_reply_that_was_made_again_says_so_in_its_receipt(browser: Browser, tmp_path: Path) -> None:
    with staged(browser, tmp_path) as stage:
        watched = stage.open()
        page = watched.page
        start_chat(page, "Nell")
        stage.exchange(page, "How is the weather?", SAID[0], 2)
        stage.endpoint.enqueue(Answer(pieces=(SAID[0],)), Answer(pieces=(SAID[1],), thoughts=(WARY,)))
        say(page, "And what else?")
        wait_for_reply(page, 3)
        expect(newest(page)).to_contain_text("The gulls came back this morning.")
        wording(page, "1/1")
        expect(page.locator("#k-transcript")).not_to_contain_text(WARY)
        page.get_by_role("tab", name="Receipt").click()
        receipt = page.locator("#k-receipt")
        expect(receipt.get_by_role("note")).to_have_text(
            "The first try said again what this character had said before, so the reply was made once more."
        )
        thoughts = receipt.locator("details", has_text=WARY)
        expect(thoughts.locator("pre")).to_be_hidden()
        thoughts.locator("summary").click()
        expect(thoughts.locator("pre")).to_have_text(WARY)
        shot(page, "again")
        in_chinese_on_a_phone(page)
        page.locator("[data-k-opens=panel]").click()
        expect(receipt.get_by_role("note")).to_contain_text("所以又写了一次")
        shot(page, "again-zh")
        assert WARY not in json.dumps([one.body for one in stage.endpoint.requests])
        assert watched.faults == []
