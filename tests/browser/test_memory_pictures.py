"""The pictures people come for, as somebody uses them: the story opened down to what was said, the card, a reading called untrue, the curve of a memory,
the health of the house; in both languages and on a phone.

With KEEPSAKE_SHOTS=FOLDER each sheet is saved as a picture, for the documentation.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from evaluation.bench.conversation import made_rounds
from tests.browser.conftest import ROOT, App, make_app, watch

pytestmark = [pytest.mark.browser, pytest.mark.long]

CAPACITY = 12
ROUNDS = 66
TOLD = {
    1: "My name is Mara and I live in Perth.",
    3: "I always arrive an hour early.",
    5: "I'm allergic to shellfish.",
    8: "I set two alarms every night.",
    12: "My brother Tobias keeps bees.",
    20: "I work as a piano tuner.",
    31: "I have a cat called Admiral.",
    44: "What can I eat by the harbour? I told you of the shellfish.",
    62: "I moved to Leith last week.",
    63: "I have a dog called Biscuit.",
}
"""By round, among everyday rounds; the last six are a session of their own."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    folder: Path = tmp_path_factory.mktemp("pictures")
    app = make_app(folder, KEEPSAKE_MEMORY_CAPACITY=str(CAPACITY))
    start = datetime(2025, 3, 1, 18, tzinfo=UTC)
    lines = []
    for number, made in enumerate(made_rounds(ROUNDS, seed=7, start=start), start=1):
        at = start + timedelta(minutes=3 * number, days=3 if number > 60 else 0)
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
    )
    assert done.returncode == 0, done.stderr
    app.start()
    yield app
    app.stop()


SHOWN = ("en-story-rounds", "en-persona-card", "en-forgetting", "zh-forgetting", "zh-insights", "zh-health")
"""Pictures that the documentation has."""


def shot(page: Page, name: str) -> None:
    folder = os.environ.get("KEEPSAKE_SHOTS")
    if folder and name in SHOWN:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.wait_for_timeout(700)
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


def tab(page: Page, name: str) -> None:
    page.locator(f"#k-tab-{name}").click()
    expect(page.locator(f"#k-{name} .k-surface > *").first).to_be_visible()


WORDS = {
    "en-GB": {
        "open": "30 rounds, as spoken",
        "new": "new",
        "changed": "changed",
        "back": "Undo",
        "room": "room for 12",
        "well": "All is well.",
        "nothing": "Nothing.",
    },
    "zh-CN": {
        "open": "30 轮原话",
        "new": "新增",
        "changed": "改变",
        "back": "撤销",
        "room": "可容 12 条",
        "well": "一切正常。",
        "nothing": "没有。",
    },
}


@pytest.mark.parametrize(("locale", "size"), [("en-GB", (1440, 900)), ("zh-CN", (390, 844))], ids=["english-desk", "chinese-phone"])
def test_each_picture_is_used_as_it_is_meant(browser: Browser, app: App, locale: str, size: tuple[int, int]) -> None:
    said, short = WORDS[locale], locale[:2]
    watched = watch(
        browser, locale=locale, viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if short == "zh" else "light"
    )
    page = watched.page
    page.add_init_script("localStorage.setItem('keepsake.seen', '1')")
    page.goto(app.url)
    phone = size[0] < 900
    if phone:
        page.locator(".k-recent button").first.click()
    else:
        page.locator("#k-shelf .k-chat").first.click()
    expect(page.locator("#k-transcript [data-round='66']").first).to_be_visible()

    # A round shows what was remembered from it, and opens the list.
    mark = page.locator("#k-transcript [data-round='63'] .k-kept")
    expect(mark).to_be_visible()
    mark.click()
    expect(page.locator("dialog[data-dialog=round] .k-memory", has_text="Biscuit").first).to_be_visible()
    page.keyboard.press("Escape")
    if phone:
        page.locator("[data-k-opens=panel]").click()

    # Story: a chapter opens to its rounds by keyboard, and stays open where the arrows leave it.
    tab(page, "story")
    story = page.locator("#k-story")
    fold = story.locator(".k-node-chapter .k-fold").nth(1)
    expect(fold).to_have_text(said["open"])
    fold.focus()
    page.keyboard.press("ArrowRight")
    expect(story.locator("[data-round-told='31']")).to_contain_text("Admiral")
    expect(fold).to_have_attribute("aria-expanded", "true")
    expect(fold).to_be_focused()
    expect(story.locator(".k-when").first).to_contain_text("2025")
    shot(page, f"{short}-story-rounds")
    page.keyboard.press("ArrowLeft")
    expect(story.locator("[data-round-told='31']")).to_have_count(0)

    # Persona: what the newest session changed, as words.
    tab(page, "persona")
    persona = page.locator("#k-persona")
    expect(persona.locator(".k-card h2")).to_have_text("Mara")
    expect(persona.locator(".k-change", has_text="Leith")).to_contain_text(said["changed"])
    expect(persona.locator(".k-change", has_text="Leith")).to_contain_text("Perth")
    expect(persona.locator(".k-change", has_text="Biscuit")).to_contain_text(said["new"])
    shot(page, f"{short}-persona-card")

    # Insights: one is called untrue, and that is taken back.
    tab(page, "insights")
    insights = page.locator("#k-insights")
    readings = insights.locator(":is(ol.k-insights > .k-insight):not(.k-denied)")
    expect(readings.first).to_be_visible()
    count = readings.count()
    readings.first.locator(".k-deny").click()
    expect(readings).to_have_count(count - 1)
    expect(insights.locator(".k-denials summary")).to_be_visible()
    page.locator(".k-toast").get_by_role("button", name=said["back"]).click()
    expect(readings).to_have_count(count)
    shot(page, f"{short}-insights")

    # Forgetting: from a memory in the list to its curve, with the table beside it.
    tab(page, "memories")
    memories = page.locator("#k-memories")
    expect(memories.locator(".k-memory").first).to_be_visible()
    memories.locator(".k-memory .k-score").first.click()
    fading = page.locator("#k-fading")
    chart = fading.locator(".k-close svg.k-chart")
    expect(chart).to_be_visible()
    assert "66" in (chart.get_attribute("aria-label") or "")
    expect(fading.locator("[data-group=room] svg")).to_contain_text(said["room"])
    expect(fading.locator("[data-group=lost] .k-fade").first).to_be_visible()
    shot(page, f"{short}-forgetting")
    fading.locator("[data-group=lost] .k-fade-open").first.click()
    expect(chart.locator(".k-mark-lost")).to_have_count(1)
    fading.locator(".k-course-close").click()
    expect(chart).to_have_count(0)

    # Health: one sheet that says how things stand.
    tab(page, "health")
    health = page.locator("#k-health")
    expect(health.locator(".k-state")).to_have_text(said["well"])
    expect(health.locator("[data-part=leaves]")).to_contain_text(said["nothing"])
    expect(health.locator("[data-part=models]")).to_contain_text("SmolLM2")
    expect(health.locator("[data-part=files]")).to_contain_text("MB")
    shot(page, f"{short}-health")
    for name in ("story", "persona", "insights", "fading", "health"):
        root = page.locator(f"#k-{name}")
        tab(page, name)
        assert root.evaluate("e => e.scrollWidth <= e.clientWidth + 1"), name
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
    assert watched.faults == []
