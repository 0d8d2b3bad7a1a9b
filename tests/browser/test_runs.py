"""A run of the evaluation, from the list of conversations: started, watched to its end, opened down to a receipt, and compared with another."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import watch
from tests.browser.stage import shot
from tests.evaluation.test_retrieval import QUESTIONS, TALK
from tests.ui.served import Person, Served, first_admin, served

pytestmark = [pytest.mark.browser, pytest.mark.long]
SLOW = 240_000


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with ThreadPoolExecutor(1) as alone:  # Playwright keeps its event loop in the main thread
        opening = served(tmp_path_factory.mktemp("runs"))
        house = alone.submit(opening.__enter__).result()
        yield house
        alone.submit(opening.__exit__, None, None, None).result()


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


def test_a_run_is_started_watched_opened_to_a_receipt_and_compared(house: Served, ada: Person, browser: Browser, tmp_path: Path) -> None:
    data = tmp_path / "bees.json"
    data.write_text(json.dumps([{"sample_id": "<b>roof</b>", "conversation": TALK, "qa": QUESTIONS}]), encoding="utf-8")
    begin = {"task": "retrieval", "data": {"kind": "file", "name": "bees.json"}, "systems": ["sparse-turns"], "name": "Words alone"}
    ada.client.post("/keepsake/runs/data", params={"name": "bees.json"}, content=data.read_bytes()).raise_for_status()
    ada.client.post("/keepsake/runs/do", json={"do": "begin", "run": begin}).raise_for_status()
    watched = watch(browser, locale="en-GB")
    page = watched.page
    page.context.add_cookies([{"name": name, "value": value, "url": house.url} for name, value in ada.client.cookies.items()])
    page.goto(f"{house.url}/keepsake/runs")
    expect(page.locator("#r-runs [data-run]")).to_have_count(1, timeout=SLOW)

    page.locator("#r-new summary").press("Enter")
    expect(page.locator("#r-systems input[value=sparse-turns]")).to_be_attached(timeout=SLOW)
    page.locator("#r-file").set_input_files(data)
    expect(page.locator("#r-data")).to_have_value("file:bees-2.json")
    page.locator("#r-data").select_option("file:bees.json")
    page.locator("#r-systems input:checked").evaluate_all("boxes => boxes.forEach((box) => box.click())")
    for name in ("sparse-turns", "dense-turns"):
        page.locator(f"#r-systems input[value={name}]").check()
    page.locator("#r-name").fill("<i>Both</i>")
    page.locator("#r-begin").press("Enter")
    both = page.locator("#r-runs [data-run]", has_text="<i>Both</i>")
    expect(both).to_have_count(1, timeout=SLOW)
    expect(page.locator("#r-runs [data-state=done]")).to_have_count(2, timeout=SLOW)
    expect(both.locator(".run-head")).to_contain_text("dense-turns")

    both.locator("a.button").press("Enter")
    expect(page.locator("figure.plot img").first).to_be_visible(timeout=SLOW)
    expect(page.locator("table.figures").first).to_contain_text("sparse-turns")
    if folder := os.environ.get("KEEPSAKE_SHOTS"):
        page.screenshot(path=str(Path(folder) / "runs-en.png"))
    page.locator("#r-questions").press("Enter")
    page.locator("td a", has_text="Where does Clara keep bees?").press("Enter")
    expect(page.locator("#r-gold")).to_contain_text("keeps bees on a roof")
    first = page.locator("[data-system=sparse-turns] [data-rank='1']")
    expect(first).to_contain_text("right")
    first.locator("summary").first.press("Enter")
    expect(first.locator("details[open]")).to_contain_text("its words")

    page.go_back()
    page.go_back()
    page.locator("#r-compare summary").press("Enter")
    expect(page.locator("#r-other option").first).to_contain_text("Words alone")
    page.locator("#r-compare-go").press("Enter")
    expect(page.locator("#r-compared table").first).to_contain_text("sparse-turns", timeout=SLOW)
    expect(page.locator("#r-compared table").first).to_contain_text("+0.000")
    assert watched.faults == []


def test_light_or_dark_is_chosen_on_any_page_and_holds_on_all(house: Served, ada: Person, browser: Browser) -> None:
    watched = watch(browser, locale="en-GB", color_scheme="light")
    page = watched.page
    shows = "() => [document.documentElement.dataset.theme ?? '', getComputedStyle(document.documentElement).backgroundColor]"
    page.goto(f"{house.url}/keepsake/login")
    theme = page.get_by_role("combobox", name="Light or dark")
    expect(theme).to_have_value("system")
    shot(page, "theme-login")
    _, light = page.evaluate(shows)
    theme.select_option("dark")
    chosen, dark = page.evaluate(shows)
    assert chosen == "dark"
    assert dark != light
    page.context.add_cookies([{"name": name, "value": value, "url": house.url} for name, value in ada.client.cookies.items()])
    for place in ("annotation", "runs"):
        page.goto(f"{house.url}/keepsake/{place}")
        expect(page.get_by_role("combobox", name="Light or dark")).to_have_value("dark")
        assert page.evaluate(shows) == ["dark", dark]
        shot(page, f"theme-{place}")
    page.get_by_role("combobox", name="Light or dark").select_option("system")
    page.reload()
    assert page.evaluate(shows) == ["", light]
    assert watched.faults == []
