"""The page about models as a person uses it: connect, test, choose, talk, fetch a file; in both languages, on a desk and on a phone.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from models.hub_models import OFFERS
from models.llama_child import weights
from tests.browser.conftest import App, make_app, watch
from tests.browser.stage import say, shot, start_chat, wait_for_reply
from tests.models.hub import Hub
from tests.models.openai_endpoint import Answer, OpenAIEndpoint, dead_url

pytestmark = [pytest.mark.browser, pytest.mark.long]
KEY = "sk-planted-2718281828"
OFFER = next(offer for offer in OFFERS if offer.id == "qwen3-0.6b")
SEEN = "localStorage.setItem('keepsake.seen', '1')"


@pytest.fixture
def hub() -> Iterator[Hub]:
    """It names the bundled model's file as the one that is offered."""
    with Hub(weights().read_bytes(), repo=OFFER.repo, file=OFFER.file, slow_s=0.01) as standing_in:
        yield standing_in


@pytest.fixture
def app(tmp_path: Path, hub: Hub) -> Iterator[App]:
    made = make_app(tmp_path, KEEPSAKE_HUB="true", KEEPSAKE_HUB_URL=hub.url)
    made.start()
    yield made
    made.stop()


def test_a_model_is_connected_tested_chosen_and_talks(app: App, browser: Browser, tmp_path: Path) -> None:
    watched = watch(browser)
    page = watched.page
    page.add_init_script(SEEN)
    sent: list[str] = []
    page.on("response", lambda answer: sent.append(answer.text()) if answer.url.endswith("/keepsake/models") else None)
    page.goto(app.url)
    start_chat(page, "Nell")
    page.get_by_role("button", name="Use your own model").click()
    dialog = page.get_by_role("dialog", name="Models")

    dialog.get_by_role("button", name="OpenAI-compatible address").click()
    dialog.get_by_label("Name").fill("<i>Mine</i>")
    dialog.get_by_label("Model", exact=True).fill("qwen3-8b")
    dialog.get_by_label("Address").fill("nonsense")
    dialog.get_by_label("Key", exact=True).fill(KEY)
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("An address is http://")
    expect(dialog.get_by_label("Model", exact=True)).to_have_value("qwen3-8b")  # what was typed is there still
    dialog.get_by_label("Address").fill(dead_url())
    dialog.get_by_role("button", name="Save and test").click()
    expect(dialog.locator(".k-trial")).to_contain_text("Nobody answers at 127.0.0.1", timeout=240_000)
    with OpenAIEndpoint(
        Answer(pieces=("Good ", "evening."), between_s=0.2), Answer(pieces=('{"colour": "green", "legs": 4}',))
    ) as endpoint:
        dialog.get_by_role("button", name="Change").click()
        dialog.get_by_label("Address").fill(endpoint.url)
        dialog.get_by_label("Key", exact=True).fill(KEY)
        dialog.get_by_role("button", name="Save and test").click()
        expect(dialog.locator(".k-trial blockquote")).to_have_text("Good evening.", timeout=240_000)
        expect(dialog.locator(".k-trial")).to_contain_text("JSON by a schema works")
        expect(dialog.locator(".k-way")).to_contain_text("key set")
        expect(dialog.locator(".k-way b")).to_have_text("<i>Mine</i>")
        shot(page, "models-connection")
        dialog.get_by_role("tab", name="Who answers").click()
        expect(dialog.locator("[data-role=chat] .k-leaves")).to_have_text("Nothing leaves this program: the model runs inside of it.")
        dialog.get_by_label("Answers", exact=True).first.select_option(label="<i>Mine</i>")
        expect(dialog.locator("[data-role=chat] .k-leaves")).to_contain_text("another program on this computer")
        dialog.get_by_label("Words are drawn").select_option(label="Daring")
        dialog.get_by_role("tab", name="Sampling").click()
        dialog.get_by_label("In this conversation").select_option(label="Brief")
        shot(page, "models-sampling")
        page.keyboard.press("Escape")
        expect(page.locator(".k-model")).to_contain_text("qwen3-8b (127.0.0.1:")
        endpoint.enqueue(Answer(pieces=("The tide ", "turns.")))
        say(page, "What turns?")
        wait_for_reply(page, 2)
        expect(page.locator("#k-transcript .k-newest")).to_contain_text("The tide turns.")
        body = endpoint.requests[-1].body
        assert (body["max_tokens"], endpoint.requests[-1].authorization) == (96, f"Bearer {KEY}")
    page.locator("#k-chat-menu").click()
    page.locator("dialog [data-deed=models]").click()
    dialog.get_by_role("tab", name="Costs").click()
    expect(dialog.locator(".k-costs").first).to_contain_text("Replies")

    page.set_viewport_size({"width": 390, "height": 844})
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.evaluate("window.keepsake.setLanguage('zh')")
    expect(page.get_by_role("button", name="发送", exact=True)).to_be_visible()
    page.evaluate("window.keepsake.openModels()")
    chinese = page.get_by_role("dialog", name="模型")
    expect(chinese).to_contain_text("它读的内容交给这台电脑上的另一个程序")
    for name in ("连接", "模型文件", "采样", "用量"):
        chinese.get_by_role("tab", name=name).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
    chinese.get_by_role("tab", name="连接").click()
    expect(chinese.locator(".k-way")).to_contain_text("已设密钥")
    shot(page, "models-zh")
    assert KEY not in "".join(sent)
    assert KEY not in page.content()
    assert KEY not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert watched.faults == []


def test_a_model_is_fetched_stopped_taken_up_and_talks(app: App, hub: Hub, browser: Browser) -> None:
    watched = watch(browser, locale="zh-CN")
    page = watched.page
    page.add_init_script(SEEN)
    page.goto(app.url)
    page.locator(".k-open-models").click()
    dialog = page.get_by_role("dialog", name="模型")
    dialog.get_by_role("tab", name="模型文件").click()
    offer = dialog.locator(f"[data-offer='{OFFER.id}']")
    expect(offer).to_contain_text("Apache-2.0")
    hub.slow_s = 0.03
    offer.get_by_role("button", name="下载").click()
    asks = page.get_by_role("dialog", name=f"下载 {OFFER.name}？")
    expect(asks).to_contain_text("许可证：Apache-2.0")
    asks.get_by_role("button", name="下载").click()
    expect(offer.locator("progress")).to_be_visible()
    expect(offer.locator(".k-meter")).to_have_text(re.compile(r"^[1-9]\d* MB，共 98 MB$"), timeout=240_000)
    offer.get_by_role("button", name="停止").click()
    expect(offer).to_contain_text("停在", timeout=240_000)
    shot(page, "models-fetching-zh")
    hub.slow_s = 0.0
    offer.get_by_role("button", name="继续下载").click()
    page.get_by_role("dialog", name=f"下载 {OFFER.name}？").get_by_role("button", name="下载").click()
    expect(offer).to_contain_text("已在文件夹里", timeout=240_000)
    assert any(asked.startswith("bytes=") for asked in hub.ranges_asked)

    page.evaluate("window.keepsake.setLanguage('en')")
    page.keyboard.press("Escape")
    page.locator(".k-open-models").click()
    english = page.get_by_role("dialog", name="Models")
    english.get_by_role("tab", name="Files").click()
    english.locator(f"[data-file='{OFFER.file}']").get_by_role("button", name="Connect").click()
    expect(english).to_contain_text("of memory with this window")
    english.get_by_role("button", name="Save", exact=True).click()
    english.get_by_role("tab", name="Who answers").click()
    english.get_by_label("Answers", exact=True).first.select_option(label=OFFER.file.removesuffix(".gguf"))
    page.keyboard.press("Escape")  # at once: it is chosen all the same
    expect(page.locator(".k-open-models")).to_be_focused()
    start_chat(page, "Nell")
    expect(page.locator(".k-model")).to_contain_text(f"Answers come from {OFFER.file.removesuffix('.gguf')}")
    say(page, "Good evening.")
    wait_for_reply(page, 2)
    assert watched.faults == []
