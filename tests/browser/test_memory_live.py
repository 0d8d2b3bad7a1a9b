"""A chat of ten rounds in each language: the panels fill with what was typed, and with nothing else.

With KEEPSAKE_SHOTS=FOLDER each sheet is saved as a picture, for the documentation.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import App, make_app, watch
from tests.browser.stage import say, start_chat, wait_for_reply
from tests.models.openai_endpoint import Answer, OpenAIEndpoint

pytestmark = [pytest.mark.browser, pytest.mark.long]


@dataclass(frozen=True)
class Talk:
    """lines: what is typed, with the reply; known: what the sketch then holds by key; facts: what the facts say, by round."""

    locale: str
    character: str
    lines: tuple[tuple[str, str], ...]
    known: dict[str, str]
    facts: dict[int, str]


ENGLISH = Talk(
    "en-GB",
    "Nell",
    (
        ("My name is Mara.", "Noted. And what brings you out in this weather?"),
        ("I'm thirty-one and I live in Leith.", "Close to the water, then. Do you hear the ships?"),
        ("I work as a piano tuner.", "A trade for patient ears."),
        ("I have a brother, Tobias.", "Bees read the weather better than I do."),
        ("I'm allergic to shellfish.", "Then the broth is not for you. There is bread."),
        ("I have a cat called Admiral.", "The gander outranks him. I will not tell either of them."),
        ("What do you do when the fog comes?", "Ring the bell, once a minute, and wait."),
        ("My favourite colour is rust red.", "Like the old buoys."),
        ("I can't stand liquorice.", "Nor can the gander."),
        ("I'm going to sail to Orkney next month.", "Mind the tide at the north end."),
    ),
    {
        "name": "Mara",
        "age": "thirty-one",
        "residence": "Leith",
        "occupation": "piano tuner",
        "family": "brother, Tobias",
        "allergies": "shellfish",
        "pets": "cat",
        "favorite_color": "rust red",
        "food_disliked": "liquorice",
    },
    {2: "Leith", 3: "piano tuner", 4: "Tobias", 5: "shellfish", 6: "Admiral", 8: "rust red", 9: "liquorice"},
)
CHINESE = Talk(
    "zh-CN",
    "邱麦",
    (
        ("我叫林小雨。", "好名字，听着就是细细的一声。"),
        ("我今年二十九岁，住在杭州西湖边上。", "那你窗外的雨声一定很好听。"),
        ("我在一家医院当护士。", "夜班的走廊，安静得能听见灯响吧。"),
        ("我有个妹妹小雪。", "下面的声音，咕嘟咕嘟。"),
        ("我对花生过敏。", "那话梅糖你放心吃。"),
        ("我养了一只叫煤球的黑猫。", "它的呼噜能接一个孔。"),
        ("起雾的时候你都做什么？", "听，雾里什么都听得见。"),
        ("我最喜欢的颜色是墨绿。", "像这台机器的绒布。"),
        ("我不吃香菜。", "我也一样。"),
        ("下个月我打算去爬黄山。", "替我听听松涛。"),
    ),
    {
        "name": "林小雨",
        "age": "二十九岁",
        "residence": "杭州西湖边上",
        "occupation": "护士",
        "family": "妹妹小雪",
        "allergies": "花生过敏",
        "pets": "煤球的黑猫",
        "favorite_color": "墨绿",
        "food_disliked": "香菜",
    },
    {2: "西湖", 3: "护士", 4: "小雪", 5: "花生", 6: "煤球", 8: "墨绿", 9: "香菜"},
)


SHOWN = ("en-persona", "en-memories", "zh-persona", "zh-receipt")
"""Pictures that the documentation has."""


@pytest.fixture
def endpoint() -> Iterator[OpenAIEndpoint]:
    with OpenAIEndpoint() as served:
        yield served


def sheet(page: Page, name: str) -> None:
    page.locator(f"#k-tab-{name}").click()
    expect(page.locator(f"#k-{name}")).to_be_visible()


def shot(page: Page, name: str) -> None:
    folder = os.environ.get("KEEPSAKE_SHOTS")
    if folder and name in SHOWN:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.wait_for_timeout(700)
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


@pytest.mark.parametrize("talk", [ENGLISH, CHINESE], ids=["english", "chinese"])
def test_ten_rounds_fill_the_panels_with_what_was_typed(browser: Browser, tmp_path: Path, endpoint: OpenAIEndpoint, talk: Talk) -> None:
    app: App = make_app(tmp_path, KEEPSAKE_CHAT_MODEL="openai/scripted", KEEPSAKE_CHAT_API_BASE=endpoint.url, KEEPSAKE_CHAT_API_KEY="k")
    app.start()
    language = talk.locale[:2]
    try:
        watched = watch(browser, locale=talk.locale)
        page = watched.page
        page.goto(app.url)
        expect(page.locator(".k-guide")).to_be_visible()
        start_chat(page, talk.character)
        persona = page.locator("#k-persona")
        for number, (line, reply) in enumerate(talk.lines, start=1):
            endpoint.enqueue(Answer(pieces=[reply]))
            say(page, line)
            wait_for_reply(page, number + 1)
            if number == 2:
                # Without a reload, behind the reply to the second message.
                expect(persona.locator("[data-key=name]")).to_contain_text(talk.known["name"])
        expect(persona.locator("[data-key=food_disliked]")).to_contain_text(talk.known["food_disliked"], timeout=240_000)
        found = {
            entry.get_attribute("data-key"): entry.locator(".k-value-text").all_inner_texts() for entry in persona.locator(".k-entry").all()
        }
        assert found == {key: [value] for key, value in talk.known.items()}
        shot(page, f"{language}-persona")
        sheet(page, "memories")
        facts = page.locator("#k-memories .k-memory")
        expect(facts.first).to_be_visible()
        told: dict[int, list[str]] = {}
        for fact in facts.all():
            link = fact.locator(".k-round").inner_text()
            told.setdefault(int("".join(filter(str.isdigit, link))), []).append(fact.locator(".k-episode").inner_text())
        by_player = {number: texts for number, texts in told.items() if any(talk.known["name"] in t for t in texts)}
        assert set(told) == {1, *talk.facts}, told
        assert set(by_player) == set(told)
        for number, word in talk.facts.items():
            assert any(word in text for text in told[number])
        shot(page, f"{language}-memories")
        sheet(page, "story")
        expect(page.locator("#k-story .k-told").first).to_be_visible()
        shot(page, f"{language}-story")
        sheet(page, "insights")
        expect(page.locator("#k-insights")).to_contain_text(talk.character)
        sheet(page, "receipt")
        expect(page.locator("#k-receipt .k-candidate").first).to_be_visible()
        shot(page, f"{language}-receipt")
        sheet(page, "persona")
        persona.locator("[data-key=allergies] .k-round").click()
        expect(page.locator("#k-transcript .k-reader-says[data-round='5']")).to_be_in_viewport()
        persona.locator("[data-key=allergies] .k-value-text").click()
        expect(persona.locator("[data-key=allergies] blockquote")).to_contain_text(talk.known["allergies"])
        watched.reload()
        expect(persona.locator("[data-key=name]")).to_contain_text(talk.known["name"])
        assert watched.faults == []
    finally:
        app.stop()


def test_the_guide_is_shown_once_and_found_again(browser: Browser, tmp_path: Path) -> None:
    app = make_app(tmp_path)
    app.start()
    try:
        watched = watch(browser)
        page = watched.page
        page.goto(app.url)
        guide = page.locator("#k-transcript .k-guide")
        expect(guide).to_contain_text("SmolLM2")
        guide.get_by_role("button", name="Got it").click()
        expect(guide).to_have_count(0)
        watched.reload()
        expect(page.locator(".k-cover").first).to_be_visible()
        expect(guide).to_have_count(0)
        page.get_by_role("button", name="How Keepsake works").click()
        expect(page.locator("dialog.k-guide")).to_contain_text("Everything stays on this computer")
        page.keyboard.press("Escape")
        expect(page.locator("dialog.k-guide")).not_to_be_visible()
        assert watched.faults == []
    finally:
        app.stop()
