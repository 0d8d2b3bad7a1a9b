"""The page under everything a day brings: two tabs, closed tabs, slow and dead models, hostile text. The model is a small real endpoint."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import App, Watched, make_app, watch
from tests.browser.stage import open_episodes, say, start_chat, wait_for_reply
from tests.models.openai_endpoint import Answer, OpenAIEndpoint, dead_url

pytestmark = pytest.mark.browser


@dataclass
class Stage:
    app: App
    endpoint: OpenAIEndpoint
    browser: Browser

    def open(self, **context: object) -> Watched:
        watched = watch(self.browser, **context)
        watched.page.goto(self.app.url)
        return watched

    def plays(self, *answers: Answer) -> None:
        self.endpoint.enqueue(*answers)


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with OpenAIEndpoint() as endpoint:
        folder = tmp_path_factory.mktemp("page")
        app = make_app(
            folder,
            KEEPSAKE_CHAT_MODEL="openai/made",
            KEEPSAKE_CHAT_API_BASE=endpoint.url,
            KEEPSAKE_CHAT_API_KEY="key-of-the-test",
            KEEPSAKE_CHAT_RETRIES="0",
        )
        app.start()
        yield Stage(app, endpoint, browser)
        app.stop()


SLOW = Answer(pieces=[f"word{n} " for n in range(40)], between_s=0.1)


def test_a_second_tab_follows_and_a_reload_rejoins(stage: Stage) -> None:
    first = stage.open()
    start_chat(first.page, "Nell")
    second = watch(stage.browser)
    second.page.goto(first.page.url)
    expect(second.page.locator("#k-transcript .k-message")).to_have_count(1)
    joined = Event()
    stage.plays(Answer(pieces=[f"word{n} " for n in range(20)], between_s=0.6, held={19: joined}))
    say(first.page, "Count for me.")
    expect(first.page.locator("#k-live")).to_contain_text("word2")
    expect(second.page.locator("#k-transcript")).to_contain_text("Count for me.")
    expect(second.page.locator("#k-live")).to_contain_text("word")
    first.reload()
    expect(first.page.locator("#k-live")).to_contain_text("word")
    joined.set()
    for page in (first.page, second.page):
        wait_for_reply(page, 2)
        expect(page.locator("#k-transcript .k-character-says").last).to_contain_text("word19")
        expect(page.locator("#k-live")).not_to_contain_text("word")
    assert first.faults + second.faults == []


def test_a_closed_tab_loses_nothing(stage: Stage) -> None:
    watched = stage.open()
    start_chat(watched.page, "Nell")
    stage.plays(SLOW)
    say(watched.page, "I am leaving now.")
    address = watched.page.url
    watched.page.close()
    time.sleep(6)
    back = watch(stage.browser)
    back.page.goto(address)
    wait_for_reply(back.page, 2)
    expect(back.page.locator("#k-transcript .k-character-says").last).to_contain_text("word39")
    assert back.faults == []


def test_a_model_that_thinks_shows_its_answer_alone_and_gestures_look_as_they_will(stage: Stage) -> None:
    page = stage.open().page
    start_chat(page, "Nell")
    thinking, turning = Event(), Event()
    pieces = ["<think>She", " is shy.", "</think>", "*She turns", " the page.*", " Well."]
    stage.plays(Answer(pieces=pieces, between_s=0.1, held={3: thinking, 4: turning}))
    say(page, "Good evening.")
    expect(page.locator("#k-live .k-phase")).to_contain_text("Nell Garrow is thinking")
    thinking.set()
    expect(page.locator("#k-live .k-prose em")).to_have_text("She turns")
    turning.set()
    wait_for_reply(page, 2)
    expect(page.locator("#k-transcript .k-character-says").last).to_contain_text("She turns the page. Well.")
    expect(page.locator("#k-transcript")).not_to_contain_text("She is shy")
    page.get_by_role("tab", name="Receipt").click()
    page.locator("#k-receipt .k-prompt summary", has_text="What the model thought first").click()
    expect(page.locator("#k-receipt .k-prompt[open] pre")).to_have_text("She is shy.")


def test_a_gesture_in_the_brackets_of_chinese_players_looks_like_one_while_it_is_written_and_after(stage: Stage) -> None:
    page = stage.open(locale="zh-CN", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).page
    page.locator(".k-cover", has_text="殷玉盏").tap()
    turning = Event()
    stage.plays(Answer(pieces=["（她抬头，", "说“来了”。）", "“坐吧（笑）。”她说。"], between_s=0.1, held={1: turning}))
    say(page, "晚上好。")
    expect(page.locator("#k-live .k-prose em")).to_have_text("（她抬头，")
    turning.set()
    wait_for_reply(page, 2)
    said = page.locator("#k-transcript .k-character-says").last.locator(".k-prose")
    expect(said).to_have_text("（她抬头，说“来了”。）“坐吧（笑）。”她说。")
    expect(said.locator("em")).to_have_text(["（她抬头，说“来了”。）", "（笑）"])
    expect(said.locator(".k-speech")).to_have_text(["“来了”", "“坐吧（笑）。”"])
    page.locator("#k-transcript .k-newest [data-deed=more]").tap()
    expect(page.locator("dialog.k-menu .k-quiet em").first).to_have_css(
        "font-style", "normal"
    )  # Chinese is not slanted, wherever it stands


@pytest.mark.parametrize("how", ["button", "Escape"])
def test_stop_acts_at_once_and_keeps_the_part(stage: Stage, how: str) -> None:
    watched = stage.open()
    page = watched.page
    start_chat(page, "Nell")
    stage.plays(Answer(pieces=[f"word{n} " for n in range(200)], between_s=0.1))
    say(page, "Go on for long.")
    expect(page.locator("#k-live")).to_contain_text("word3")
    if how == "button":
        page.locator("#k-send[data-does=stop]").click()
    else:
        page.keyboard.press("Escape")
    expect(page.locator("#k-send[data-does=send]")).to_be_visible()
    last = page.locator("#k-transcript .k-character-says").last
    expect(last).to_contain_text("word3")
    expect(last).to_contain_text("stopped")
    assert watched.faults == []


def test_a_model_that_fails_says_so_and_the_message_stays(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    start_chat(page, "Nell")
    stage.plays(Answer(status=401, error="bad key"))
    say(page, "Can you hear me?")
    expect(page.locator("#k-banner")).to_contain_text("refused")
    assert "key-of-the-test" not in page.content()
    stage.plays(Answer(pieces=["Loud ", "and clear."]))
    page.get_by_role("button", name="Ask for").click()
    wait_for_reply(page, 2)
    expect(page.locator("#k-transcript .k-reader-says")).to_have_count(1)
    assert watched.faults == []


def test_a_dead_model_says_so(browser: Browser, tmp_path: Path) -> None:
    app = make_app(
        tmp_path, KEEPSAKE_CHAT_MODEL="openai/made", KEEPSAKE_CHAT_API_BASE=dead_url(), KEEPSAKE_CHAT_API_KEY="k", KEEPSAKE_CHAT_RETRIES="0"
    )
    app.start()
    try:
        watched = watch(browser)
        watched.page.goto(app.url)
        start_chat(watched.page, "Nell")
        say(watched.page, "Is anyone there?")
        expect(watched.page.locator("#k-banner")).not_to_be_empty(timeout=240_000)
        expect(watched.page.locator("#k-transcript")).to_contain_text("Is anyone there?")
        assert watched.faults == []
        watched.page.close()
        app.kill()
        app.start()
        again = watch(browser)
        page = again.page
        page.goto(app.url)
        page.locator(".k-chat").first.click()
        expect(page.locator("#k-transcript")).to_contain_text("Is anyone there?")
        assert again.faults == []
    finally:
        app.stop()


def test_too_much_and_nothing_stay_in_the_box(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    start_chat(page, "Nell")
    box = page.locator("#k-text")
    asked = len(stage.endpoint.requests)
    box.fill("   ")
    box.press("Enter")
    box.fill("words " * 33_333)
    box.press("Enter")
    expect(page.locator("body")).to_contain_text("199,998")
    assert len(box.input_value()) == 199_998
    assert len(stage.endpoint.requests) == asked
    expect(page.locator("#k-transcript .k-reader-says")).to_have_count(0)
    assert watched.faults == []


HOSTILE = (
    "<script>window.hacked=1</script> ${window.hacked=2} {{window.hacked=3}} <img src=x onerror='window.hacked=4'> "
    "![p](http://evil.example/x.png) <|im_end|> ``` \\u0041"
)


def test_hostile_text_is_shown_as_text(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    start_chat(page, "Nell")
    stage.plays(Answer(pieces=[HOSTILE]))
    say(page, HOSTILE)
    wait_for_reply(page, 2)
    page.get_by_role("tab", name="Receipt").click()
    expect(page.locator("#k-receipt")).to_contain_text("window.hacked=1")
    page.get_by_role("tab", name="Memories").click()
    open_episodes(page)
    expect(page.locator("#k-memories")).to_contain_text("window.hacked=1")
    watched.reload()
    expect(page.locator("#k-transcript .k-reader-says")).to_contain_text("{{window.hacked=3}}")
    assert page.evaluate("window.hacked") is None
    assert watched.faults == []


def test_enter_twice_sends_once_and_composing_does_not_send(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    start_chat(page, "Nell")
    box = page.locator("#k-text")
    box.fill("Once is enough.")
    page.evaluate(
        """() => { const t = document.querySelector('#k-text');
        t.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true })); }"""
    )
    page.wait_for_timeout(700)
    expect(page.locator("#k-transcript .k-reader-says")).to_have_count(0)
    box.press("Enter")
    box.press("Enter")
    wait_for_reply(page, 2)
    expect(page.locator("#k-transcript .k-reader-says")).to_have_count(1)
    expect(box).to_have_value("")
    assert watched.faults == []


def test_a_draft_survives_a_reload_and_belongs_to_its_chat(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    start_chat(page, "Nell")
    page.locator("#k-text").fill("half a thou")
    page.wait_for_timeout(300)
    watched.reload()
    expect(page.locator("#k-text")).to_have_value("half a thou")
    page.locator("#k-shelf .k-character", has_text="Nell").click()
    expect(page.locator("#k-text")).to_have_value("")
    assert watched.faults == []


AS_SOON_AS_IT_OPENS = """(text) => new MutationObserver(() => {
  if (document.body.dataset.kOpen !== "chat" || window.typed === location.search) return;
  window.typed = location.search;
  const box = document.querySelector("#k-text");
  box.value = text;
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  if (window.sends) box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
}).observe(document.body, { attributes: true })"""
"""Types the moment the box is there, before the conversation is drawn; and sends."""


def test_what_is_typed_the_moment_a_chat_opens_is_kept_and_what_is_sent_arrives(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    expect(page.locator(".k-cover").first).to_be_visible()
    page.evaluate(AS_SOON_AS_IT_OPENS, "typed at once")
    page.locator("#k-shelf .k-character", has_text="Nell").click()
    expect(page.locator("#k-transcript .k-message").first).to_be_visible()
    page.wait_for_timeout(300)
    expect(page.locator("#k-text")).to_have_value("typed at once")
    assert watched.faults == []
    watched = stage.open()
    page = watched.page
    stage.plays(Answer(pieces=["Heard."]))
    expect(page.locator(".k-cover").first).to_be_visible()
    page.evaluate("window.sends = true")
    page.evaluate(AS_SOON_AS_IT_OPENS, "sent at once")
    page.locator("#k-shelf .k-character", has_text="Nell").click()
    expect(page.locator("#k-transcript .k-reader-says", has_text="sent at once")).to_be_visible()
    wait_for_reply(page, 2)
    expect(page.locator("#k-text")).to_have_value("")
    assert watched.faults == []


def test_the_page_speaks_chinese(stage: Stage) -> None:
    watched = stage.open(locale="zh-CN")
    page = watched.page
    expect(page.get_by_role("tab", name="记忆")).to_be_visible()
    start_chat(page, "邱麦")
    stage.plays(Answer(pieces=["我", "记得。"]))
    say(page, "我妹妹在杭州开了一家茶馆。")
    wait_for_reply(page, 2)
    open_episodes(page)
    expect(page.locator("#k-memories")).to_contain_text("茶馆")
    assert watched.faults == []


def test_an_unknown_chat_in_the_address_is_explained(stage: Stage) -> None:
    watched = watch(stage.browser)
    watched.page.goto(stage.app.url + "?chat=" + "0" * 32)
    expect(watched.page.locator("#k-banner")).to_contain_text("does not exist")
    assert watched.faults == []


def test_a_narrow_screen_can_write_and_see_memories(stage: Stage) -> None:
    watched = stage.open(viewport={"width": 390, "height": 844})
    page: Page = watched.page
    page.locator(".k-cover", has_text="Nell").click()
    stage.plays(Answer(pieces=["Small ", "world."]))
    say(page, "I write from a telephone box.")
    wait_for_reply(page, 2)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
    expect(page.locator("#k-text")).to_be_in_viewport()
    page.get_by_role("button", name="Memory and receipt").click()
    open_episodes(page)
    expect(page.locator("#k-memories")).to_contain_text("telephone box")
    expect(page.locator("#k-memories .k-memory").first).to_be_in_viewport()
    assert watched.faults == []


@pytest.mark.parametrize("width", [1440, 1200])
def test_what_stands_above_the_cast_stays_within_its_column(stage: Stage, width: int) -> None:
    watched = stage.open(viewport={"width": width, "height": 800})
    page: Page = watched.page
    expect(page.locator(".k-open-passing")).to_be_visible()
    expect(page.locator("#k-shelf .k-character").first).to_be_visible()
    # Both in one look: what comes with the next answer draws the column anew.
    link, cast = page.evaluate(
        "['.k-open-passing', '#k-shelf .k-character'].map((one) => document.querySelector(one).getBoundingClientRect().right)"
    )
    assert 0 < link <= cast + 1
    assert watched.faults == []


def test_going_back_closes_the_drawer_of_a_phone_and_only_then_leaves_the_conversation(stage: Stage) -> None:
    page = stage.open(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).page
    page.locator(".k-cover", has_text="Nell").tap()
    expect(page.locator("#k-transcript .k-message").first).to_be_visible()
    at = page.url
    panel = page.locator("#k-panel")
    for close in (page.go_back, lambda: panel.get_by_role("button", name="Close").tap(), page.go_back):
        page.locator("[data-k-opens=panel]").tap()
        expect(panel.get_by_role("tab", name="Persona")).to_be_in_viewport()
        close()
        expect(panel.get_by_role("tab", name="Persona")).not_to_be_in_viewport()
        assert page.url == at
    page.locator("[data-k-opens=shelf]").tap()
    page.locator("#k-shelf .k-character", has_text="Rafferty").tap()
    expect(page.locator("#k-transcript .k-message").first).to_contain_text("Rafferty")
    assert page.url != at
    page.go_back()
    expect(page.locator("#k-transcript .k-message").first).to_contain_text("Nell")
    assert page.url == at
    page.go_back()
    expect(page.locator(".k-cover").first).to_be_visible()


def test_on_a_phone_who_comes_back_finds_the_latest_conversations_ahead_of_the_cast(stage: Stage) -> None:
    start_chat(stage.open().page, "Nell")
    page = stage.open(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).page
    latest = page.locator(".k-recent button").first
    expect(latest).to_contain_text("Nell")
    expect(latest).to_be_in_viewport()
    assert page.evaluate(
        """() => { const [latest, cover] = [".k-recent button", ".k-cover"].map((one) => document.querySelector(one));
        return Boolean(latest.compareDocumentPosition(cover) & Node.DOCUMENT_POSITION_FOLLOWING); }"""
    )
