"""Settings of memory put together on the page, compared in a run and called by what differs; the table of probes taken in as a file."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.accounts.conftest import ADA
from tests.browser.test_annotation import do, enter, make_project, shot
from tests.ui.served import Served, first_admin, served

pytestmark = [pytest.mark.browser, pytest.mark.long]
TABLE = "language,topic,p,q,a\r\nen,kite,I mended the kite.,What did I mend?,The kite.\r\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with ThreadPoolExecutor(1) as alone:  # Playwright keeps its event loop in the main thread
        opening = served(tmp_path_factory.mktemp("settings"))
        house = alone.submit(opening.__enter__).result()
        yield house
        alone.submit(opening.__exit__, None, None, None).result()


def test_settings_are_compared_and_a_table_is_taken_in(house: Served, browser: Browser, tmp_path: Path) -> None:
    ada = first_admin(house)
    project = make_project(ada, "The pier", 40)
    hers = enter(house, browser, "Ada", secret=ADA, color_scheme="dark")
    page = hers.page
    page.goto(f"{house.url}/keepsake/annotation#probes={project}")
    expect(page.locator("#a-runs")).to_be_visible()
    for text, told in ((TABLE.replace("What did I mend?", ""), "Row 2, column q"), (TABLE, "1 item added.")):
        path = tmp_path / "table.csv"
        path.write_text(text, encoding="utf-8", newline="")
        page.locator("input[type=file]").set_input_files(path)
        expect(page.locator("#a-toasts" if "added" in told else "#a-trouble")).to_contain_text(told)
    expect(page.locator("[data-probe]")).to_have_count(1)

    page.locator("summary", has=page.locator("xpath=../form//*[@id='a-run']")).click()
    one, other = (page.locator("#a-settings fieldset").nth(n) for n in (0, 1))
    expect(one.locator("legend")).to_have_text("1. as it comes")
    expect(other.locator("legend")).to_have_text("2. 60 memories kept")
    expect(one.locator("[data-part=alpha]")).to_be_hidden()
    other.locator("summary").click()
    expect(other.locator("[data-part=alpha]")).to_be_visible()
    expect(other.locator("[data-part=story]")).to_be_hidden()
    expect(other.locator("[data-part=reading]")).to_have_count(0)
    other.locator("[data-part=alpha]").fill("99")
    page.locator("#a-distances").fill("4, 8")
    page.locator("#a-run").click()
    expect(page.locator("#a-trouble")).to_contain_text("Setting 2: “α, weight of being new” is a number from 0 to 10.")
    other.locator("[data-part=forgetting]").select_option("fifo")
    expect(other.locator("[data-part=alpha]")).to_be_hidden()
    other.locator("[data-part=capacity]").fill("8")
    page.locator("#a-setting-add").click()
    third = page.locator("#a-settings fieldset").nth(2)
    expect(third.locator("[data-part=capacity]")).to_be_focused()
    third.locator("[data-part=name]").fill("by meaning")
    third.locator("[data-part=forgetting]").select_option("keepsake")
    third.locator("[data-part=recipe]").select_option("dense")
    expect(third.locator("legend")).to_have_text("3. by meaning")
    shot(page, "probe-settings")
    page.locator("#a-run").click()
    expect(page.locator("#a-runs [data-state=done]")).to_be_visible(timeout=300_000)
    rows = page.locator("#a-runs tbody th")
    expect(rows).to_have_text([
        *["as it comes"] * 2,
        *["8 memories kept · forgets: first in, first out"] * 2,
        *["by meaning8 memories kept · recalls: meaning alone"] * 2,
    ])  # fmt: skip
    expect(page.locator("#a-runs .keys-of-plot .key")).to_have_text(
        ["as it comes", "8 memories kept · forgets: first in, first out", "by meaning"]
    )
    page.locator("#a-runs").scroll_into_view_if_needed()
    shot(page, "probe-settings-run")
    assert do(ada, "probe_runs", project=project)["runs"][0]["found"] == 6  # type: ignore[index]
    page.close()
    assert hers.faults == []
