"""Days are those of whoever speaks: said in a browser somewhere on Earth, shown as that day in a browser anywhere else.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.stage import Stage, shot, staged

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("clock")) as made:
        yield made


def shows(page: Page, day: str) -> None:
    page.get_by_role("tab", name="Memories").click()
    expect(page.locator("#k-memories .k-memory", has_text="brass lamp").first).to_contain_text(f"when: {day}", timeout=240_000)


def test_yesterday_is_the_day_before_where_it_is_said_and_wherever_it_is_read(stage: Stage) -> None:
    zone, ahead = (
        ("Pacific/Kiritimati", 14) if datetime.now(UTC).hour >= 10 else ("Etc/GMT+12", -12)
    )  # where it is not the day that it is in UTC
    page = stage.open(locale="en-GB", timezone_id=zone).page
    stage.talk(page, ("Yesterday I bought a brass lamp.", "Brass keeps."), ("Good night.", "Good night."))
    yesterday = (datetime.now(timezone(timedelta(hours=ahead))) - timedelta(days=1)).date()
    day = page.evaluate("(iso) => keepsake.calendar(iso)", yesterday.isoformat())
    shows(page, day)
    shot(page, f"clock-{zone.replace('/', '-')}")
    with closing(sqlite3.connect(stage.app.data / "keepsake.db")) as connection:
        assert connection.execute("SELECT DISTINCT utc_offset FROM message").fetchall() == [(ahead * 60,)]
    for elsewhere in ("Asia/Shanghai", "America/New_York", "UTC"):
        reader = stage.open(page.url, locale="en-GB", timezone_id=elsewhere).page
        shows(reader, day)
        shot(reader, f"clock-read-{elsewhere.replace('/', '-')}")
