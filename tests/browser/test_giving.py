"""A player gives a conversation to a project on its page: sees the copy, blacks out, consents, and takes it back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, expect

from models.scripted import Script, ScriptedModel
from tests.browser.stage import shot
from tests.browser.test_annotation import enter
from tests.ui.served import Served, another, first_admin, served
from tests.ui.test_collecting import ask, items, talk

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with ThreadPoolExecutor(1) as alone:  # Playwright keeps its event loop in the main thread
        opening = served(tmp_path_factory.mktemp("giving"), ScriptedModel(otherwise=Script(("I ", "see."))))
        house = alone.submit(opening.__enter__).result()
        yield house
        alone.submit(opening.__exit__, None, None, None).result()


def test_what_is_given_is_what_was_shown(house: Served, browser: Browser) -> None:
    ada = first_admin(house)
    pia = another(house, ada, name="Pia")
    fields = {
        "name": "Letters",
        "overlap": 1,
        "lease_hours": 24,
        "categories": ["Profile"],
        "guideline": "",
        "briefing": "Read by one.",
        "target_rounds": 1,
    }
    project = str(ask(ada, "make_project", project=fields)["project"]["id"])
    chat = house.house.service.create(pia.user_id, "builtin:nell-garrow")
    talk(house, pia, chat, "My name is Pia Sandoval. Write to pia@example.org, and call the shop Tolland.")

    hers = enter(house, browser, "Pia", viewport={"width": 390, "height": 844})
    page = hers.page
    page.goto(f"{house.url}/keepsake/annotation#give")
    page.locator("#a-invitations [data-does=look]").click()
    words = page.locator("#a-words-out")
    expect(words).to_have_value(re.compile("pia@example.org"))
    copy = page.locator("#a-copy")
    expect(copy).to_contain_text("call the shop Tolland")
    expect(copy).not_to_contain_text("pia@example.org")
    words.press("Control+End")
    page.keyboard.type("\nTolland")
    page.get_by_role("button", name="Show what it would be").click()
    expect(copy).not_to_contain_text("Tolland")
    shot(page, "giving-phone")
    page.locator("#a-give").click()
    expect(page.locator("#a-trouble")).to_be_visible()
    assert items(ada, project) == [], "not without consent"

    # Something is said meanwhile: what is agreed to is what is shown.
    talk(house, pia, chat, "My number is 030 9988 7766.")
    page.locator("#a-agree").check()
    page.locator("#a-give").click()
    expect(copy).to_contain_text("My number is")
    expect(copy).not_to_contain_text("9988")
    assert items(ada, project) == []
    page.locator("#a-agree").check()
    page.locator("#a-give").click()
    expect(page.locator("#a-given [data-given]")).to_have_count(1)
    (item,) = items(ada, project)
    assert "Tolland" not in str(ask(ada, "dialogue", item=item["id"]))

    page.locator("#a-given [data-given] button").first.click()
    page.locator("dialog button.grave").click()
    expect(page.locator("#a-given [data-given]")).to_have_count(0)
    assert items(ada, project) == []
