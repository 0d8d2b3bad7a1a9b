"""The sheets of the right column over a chat that has a past, and over one that is going on.

With KEEPSAKE_SHOTS=FOLDER each sheet is saved as a picture.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from evaluation.bench.conversation import made_rounds
from tests.browser.conftest import ROOT, App, Watched, make_app, watch
from tests.browser.stage import say, start_chat, wait_for_reply
from tests.models.openai_endpoint import Answer, OpenAIEndpoint

pytestmark = [pytest.mark.browser, pytest.mark.long]

CAPACITY = 4
ROUNDS = 66
TOLD = {
    1: "My name is Mara and I live in Perth.",
    3: "I always arrive an hour early.",
    5: "I'm allergic to shellfish.",
    8: "I set two alarms every night.",
    12: "My brother Tobias keeps bees.",
    20: "I can't stand being late.",
    31: "I moved to Leith last week.",
    40: "I feel tired today.",
    44: "I have not answered my friend's message for a month.",
    50: "I haven't spoken to my sister for years.",
    55: "Maybe I will sail to Orkney next month.",
}
"""By round, among everyday rounds."""
TABS = ("story", "persona", "insights", "topics", "memories", "fading", "receipt", "health")


@dataclass
class Stage:
    app: App
    endpoint: OpenAIEndpoint
    browser: Browser

    def open(self, *, guided: bool = True, **context: object) -> Watched:
        """guided: the first visit lies behind this browser."""
        watched = watch(self.browser, **context)
        if guided:
            watched.page.add_init_script("localStorage.setItem('keepsake.seen', '1')")
        watched.page.goto(self.app.url)
        return watched


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with OpenAIEndpoint() as endpoint:
        folder = tmp_path_factory.mktemp("panels")
        app = make_app(
            folder,
            KEEPSAKE_CHAT_MODEL="openai/scripted",
            KEEPSAKE_CHAT_API_BASE=endpoint.url,
            KEEPSAKE_CHAT_API_KEY="k",
            KEEPSAKE_MEMORY_CAPACITY=str(CAPACITY),
        )
        import_past(folder, app)
        app.start()
        yield Stage(app, endpoint, browser)
        app.stop()


def import_past(folder: Path, app: App) -> None:
    start = datetime(2025, 3, 1, 18, tzinfo=UTC)
    lines = []
    for number, made in enumerate(made_rounds(ROUNDS, seed=7, start=start), start=1):
        at = start + timedelta(hours=5 * number)
        lines.append({"name": "Mara", "text": TOLD.get(number, made.user), "date": at.isoformat()})
        lines.append({"name": "Nell Garrow", "text": made.reply, "date": (at + timedelta(minutes=1)).isoformat()})
    file = folder / "past.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "chat.importer", str(file), "--user", "Mara", "--character", "Nell Garrow"],
        cwd=ROOT,
        env={**os.environ, "KEEPSAKE_DATA_DIR": str(app.data), **app.environment},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def past(page: Page) -> None:
    page.locator(".k-chat", has_text=re.compile(r"Nell Garrow")).last.click()
    expect(page.locator("#k-transcript [data-round='66']").first).to_be_visible()


def sheet(page: Page, name: str) -> Locator:
    page.locator(f"#k-tab-{name}").click()
    root = page.locator(f"#k-{name}")
    expect(root).to_be_visible()
    return root


def shot(page: Page, name: str) -> None:
    folder = os.environ.get("KEEPSAKE_SHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.wait_for_timeout(700)
        page.screenshot(path=str(Path(folder) / f"panel-{name}.png"))


def round_of(link: Locator) -> int:
    return int("".join(filter(str.isdigit, link.inner_text())))


def is_at(page: Page, number: int) -> None:
    expect(page.locator(f"#k-transcript .k-reader-says[data-round='{number}']")).to_be_in_viewport()


def test_the_first_visit_is_explained_once(stage: Stage) -> None:
    watched = stage.open(guided=False)
    page = watched.page
    guide = page.locator("#k-transcript .k-guide")
    expect(guide).to_contain_text("Everything stays on this computer")
    expect(guide).to_contain_text("openai/scripted")
    expect(guide).to_contain_text("Characters are fiction")
    shot(page, "first-visit")
    guide.get_by_role("button", name="Use your own model").click()
    expect(page.get_by_role("dialog", name="Models")).to_contain_text("OpenAI-compatible address")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="中文").click()
    expect(guide).to_contain_text("所有内容都留在这台电脑上")
    guide.get_by_role("button", name="知道了").click()
    expect(guide).to_have_count(0)
    watched.reload()
    expect(page.locator(".k-cover").first).to_be_visible()
    expect(guide).to_have_count(0)
    page.get_by_role("button", name="Keepsake 怎么用").click()
    expect(page.locator("dialog.k-guide")).to_contain_text("小屏幕上点书本图标")
    expect(page.locator("dialog.k-guide .k-notice")).to_contain_text("角色是虚构的")
    assert watched.faults == []


def test_everything_that_is_remembered_leads_to_its_round(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    past(page)
    persona = page.locator("#k-persona")
    home = persona.locator("[data-key=residence]")
    expect(home).to_contain_text("Leith")
    home.get_by_text("Before").click()
    expect(home.locator(".k-former")).to_contain_text("Perth")
    home.locator(".k-former .k-value-text").click()
    expect(home.locator("blockquote")).to_contain_text("I live in Perth")
    shot(page, "persona")
    home.locator(".k-former .k-round").click()
    is_at(page, 1)

    story = sheet(page, "story")
    expect(story.locator(".k-chapter h3")).to_have_count(2)
    shot(page, "story")
    story.locator(".k-told").first.press("Enter")
    expect(page.locator("#k-transcript .k-lit").first).to_be_in_viewport()

    insights = sheet(page, "insights")
    reading = insights.locator(".k-insight").first
    expect(reading).to_contain_text("Nell Garrow's reading")
    rounds = [round_of(link) for link in reading.locator(".k-round").all()]
    assert len(set(rounds)) >= 2
    assert set(rounds) <= set(TOLD)
    shot(page, "insights")
    reading.locator(".k-round").last.click()
    is_at(page, rounds[-1])

    topics = sheet(page, "topics")
    expect(topics.locator(".k-topic h3").first).to_be_visible()
    headings = topics.locator(".k-topic h3").all_inner_texts()
    assert not {"Mara", "About Mara", "the player"} & set(headings)
    telling = topics.locator(".k-telling").first
    expect(telling).to_be_visible()
    shot(page, "topics")
    number = round_of(telling.locator(".k-round").first)
    telling.locator(".k-round").first.click()
    is_at(page, number)

    memories = sheet(page, "memories")
    fact = memories.locator(".k-memory").first
    expect(fact).to_be_visible()
    number = round_of(fact.locator(".k-round"))
    shot(page, "memories")
    fact.locator(".k-round").click()
    is_at(page, number)
    assert watched.faults == []


def test_shelves_orders_and_languages_change_in_place(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    past(page)
    memories = sheet(page, "memories")
    rows = memories.locator(".k-memory")
    expect(rows.first).to_be_visible()
    widths = [float(w.rstrip("%")) for w in memories.locator(".k-bar i").evaluate_all("bars => bars.map(bar => bar.style.inlineSize)")]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] == 100
    facts = rows.count()
    expect(memories.locator("[data-choice=fact] small")).to_have_text(str(facts))
    memories.locator("[data-choice=newest]").click()
    expect(memories.locator("[data-choice=newest]")).to_be_focused()
    expect(memories.locator(".k-memories")).to_have_attribute("aria-busy", "false")
    newest = [round_of(link) for link in rows.locator(".k-round").all()]
    assert newest == sorted(newest, reverse=True)
    memories.locator("[data-choice=episode]").click()
    expect(rows.first).to_contain_text("Mara:")
    memories.locator("[data-choice=forgotten]").click()
    lost = memories.locator(".k-shelf-forgotten .k-memory")
    expect(lost.first).to_be_visible()
    expect(memories).to_contain_text("Nothing is erased by forgetting")
    expect(memories).to_contain_text(f"There is room for {CAPACITY} facts and insights")
    shot(page, "forgotten")
    count = lost.count()
    page.get_by_role("button", name="中文").click()
    expect(memories).to_contain_text(f"一共可容 {CAPACITY} 条")
    expect(memories.locator("[data-choice=forgotten]")).to_have_attribute("aria-pressed", "true")
    expect(lost).to_have_count(count)
    shot(page, "forgotten-zh")
    watched.reload()
    expect(page.locator("#k-memories .k-memory").first).to_be_visible()
    expect(page.get_by_role("tab", name="记忆")).to_have_attribute("aria-selected", "true")
    assert watched.faults == []


BAR = "() => document.querySelector('#k-memories .k-bar-line').getBoundingClientRect().toJSON()"
"""Where the line above the memories stands, read at once: it is written anew while memory works."""


def test_sheets_follow_a_live_chat_and_leave_the_reader_in_peace(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    start_chat(page, "Nell")
    expect(page.locator("#k-persona")).to_contain_text("Nothing is known of you yet")
    page.locator("#k-tab-persona").focus()
    for _ in range(TABS.index("memories") - TABS.index("persona")):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Memories")).to_be_focused()
    memories = page.get_by_role("tabpanel", name="Memories")
    expect(memories).to_contain_text("No facts yet")
    top = page.evaluate(BAR)
    for number, line in enumerate(("My name is Ruth.", "I work as a glazier.", "I have a parrot called Plum."), start=1):
        stage.endpoint.enqueue(Answer(pieces=["I ", "see."]))
        say(page, line)
        wait_for_reply(page, number + 1)
        assert page.evaluate(BAR) == top, "nothing above the list may move while memory works"
    expect(memories.locator(".k-memory", has_text="glazier")).to_be_visible()
    stage.endpoint.enqueue(Answer(pieces=["A ", "clever bird."]))
    say(page, "Is it late?")
    wait_for_reply(page, 5)
    expect(memories.locator(".k-memory", has_text="Plum")).to_be_visible()
    persona = sheet(page, "persona")
    expect(persona.locator("[data-key=pets]")).to_contain_text("Plum")
    pets = persona.locator("[data-key=pets] .k-value-text", has_text="Plum")
    pets.click()
    expect(pets).to_have_attribute("aria-expanded", "true")
    expect(pets).to_be_focused()
    receipt = sheet(page, "receipt")
    expect(receipt.locator(".k-query")).to_contain_text("Is it late?")
    expect(receipt).to_contain_text("e5")
    expect(receipt.locator(".k-kind").first).to_have_text(re.compile("word for word|fact|insight"))
    shot(page, "receipt")
    assert watched.faults == []


@pytest.mark.parametrize("answered", [True, False])
def test_a_jump_while_earlier_messages_are_on_their_way_is_not_lost(stage: Stage, answered: bool) -> None:
    """Also where those messages never come."""
    watched = stage.open()
    page = watched.page
    past(page)
    if not answered:

        def hold(route: Route) -> None:
            if '"before"' not in (route.request.post_data or ""):
                route.continue_()

        page.route("**/queue/join*", hold)
    expect(page.get_by_role("button", name="Earlier messages")).to_be_visible()
    page.evaluate("document.querySelector('#k-transcript .k-edge button').click(); window.keepsake.jump(2)")
    is_at(page, 2)
    assert watched.faults == []


def test_a_turned_sheet_is_up_to_date_when_the_reply_ends(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    start_chat(page, "Nell")
    stage.endpoint.enqueue(Answer(pieces=["Good."]))
    say(page, "My name is Ada.")
    wait_for_reply(page, 2)
    stage.endpoint.enqueue(Answer(pieces=["word "] * 30, between_s=0.1))
    say(page, "And yours?")
    expect(page.locator("#k-live")).to_contain_text("word")
    memories = sheet(page, "memories")
    memories.locator("[data-choice=episode]").click()
    wait_for_reply(page, 3)
    expect(memories.locator("[data-choice=episode]")).to_have_attribute("aria-pressed", "true")
    expect(memories.locator(".k-memory", has_text="And yours?")).to_be_visible()
    assert watched.faults == []


WIDE = "W" * 260
RIGHT_TO_LEFT = "اسمي مارا وأعيش في بيت صغير قرب البحر وأحب الشاي في الصباح"


@pytest.mark.long
@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_no_text_breaks_a_sheet(stage: Stage, width: int) -> None:
    watched = stage.open(viewport={"width": width, "height": 844}, color_scheme="dark")
    page = watched.page
    if width < 901:
        page.locator(".k-cover", has_text="Nell").click()
        expect(page.locator("#k-transcript .k-message").first).to_be_visible()
    else:
        start_chat(page, "Nell")
    for number, line in enumerate((f"My dog is called {WIDE}.", RIGHT_TO_LEFT, f"I work as a {WIDE[:90]} inspector."), start=1):
        stage.endpoint.enqueue(Answer(pieces=[WIDE]))
        say(page, line)
        wait_for_reply(page, number + 1)
    if width < 901:
        page.get_by_role("button", name="Memory and receipt").click()
    for name in TABS:
        root = sheet(page, name)
        if name == "memories":
            root.locator("[data-choice=episode]").click()
            expect(root.locator(".k-memory", has_text="مارا")).to_be_visible()
        page.wait_for_timeout(300)
        assert root.evaluate("e => e.scrollWidth <= e.clientWidth + 1"), name
        shot(page, f"dark-{width}-{name}")
    assert page.locator("#k-tabs [role=tablist]").evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
    assert watched.faults == []
