"""Menus and dialogs in little room: nothing is chosen by a second click, what is cut at an edge says so, and what a dialog is answered with stays in sight.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.stage import LEITH, Stage, newest, shot, staged, wording

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("menus")) as made:
        yield made


def overlap(page: Page, one: Locator, other: Locator) -> bool:
    return bool(
        page.evaluate(
            """([a, b]) => { const [one, other] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
            return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom; }""",
            [one.element_handle(), other.element_handle()],
        )
    )


def in_sight(page: Page, node: Locator) -> bool:
    """Whether a click in the middle of it meets it."""
    return bool(
        node.evaluate(
            "node => { const at = node.getBoundingClientRect(); return node.contains(document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)); }"
        )
    )


@pytest.mark.parametrize("height", [900, 640, 400])
def test_a_double_click_on_the_dots_of_a_message_opens_its_menu_and_chooses_nothing(stage: Stage, height: int) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH)
    stage.plays("Another.")
    newest(page).locator("[data-leaf='1']").click()
    wording(page, "2/2")
    page.set_viewport_size({"width": 1200, "height": height})
    message = newest(page)
    message.hover()
    dots = message.locator("[data-deed=more]")
    dots.dblclick()
    menu = page.locator("dialog.k-menu")
    expect(menu).to_be_visible()
    shot(page, f"menu-{height}")
    assert not overlap(page, menu, dots)
    box = menu.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= height
    page.wait_for_timeout(300)
    expect(menu).to_be_visible()
    expect(page.locator(".k-toast")).to_have_count(0)
    # All of it can be reached, and where some is out of sight the menu says at which end.
    listed = menu.locator(".k-menu-list")
    if height == 400:
        expect(listed).to_have_attribute("data-cut", "end")
        menu.locator("[data-deed=delete]").scroll_into_view_if_needed()
        expect(listed).to_have_attribute("data-cut", "start")
    else:
        expect(listed).not_to_have_attribute("data-cut", "end")
    menu.locator("[data-deed=put_away]").click()
    wording(page, "1/1")
    expect(page.locator(".k-toast")).to_have_count(1)


def test_the_menu_of_a_narrow_page_is_a_sheet_that_a_second_tap_does_not_reach_and_that_says_where_it_goes_on(stage: Stage) -> None:
    watched = stage.open(viewport={"width": 390, "height": 480}, has_touch=True, is_mobile=True)
    page = watched.page
    page.locator(".k-cover", has_text="Nell").click()
    stage.exchange(page, *LEITH, 2)
    dots = newest(page).locator("[data-deed=more]")
    dots.dblclick()
    sheet = page.locator("dialog.k-sheet")
    expect(sheet).to_be_visible()
    page.wait_for_timeout(300)
    expect(sheet).to_be_visible()
    expect(sheet.locator(".k-menu-list")).to_have_attribute("data-cut", "end")
    shot(page, "menu-phone")
    sheet.locator("[data-deed=delete]").scroll_into_view_if_needed()
    expect(sheet.locator(".k-menu-list")).to_have_attribute("data-cut", "start")
    assert in_sight(page, sheet.locator("[data-deed=delete]"))


def test_what_a_long_dialog_is_answered_with_is_in_sight_from_its_beginning(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open(viewport={"width": 900, "height": 520})
    page = watched.page
    lines = [{"name": "Mara" if n % 2 else "Vesper", "is_user": bool(n % 2), "mes": f"Line {n} of the evening."} for n in range(8)]
    chat = tmp_path / "evening.jsonl"
    chat.write_text("\n".join(json.dumps(line) for line in [{"user_name": "unused", "character_name": "unused"}, *lines]), encoding="utf-8")
    page.locator("[data-k-opens=left], [data-k-opens]").first.click()
    page.get_by_role("button", name="Import", exact=True).click()
    page.locator("dialog[data-dialog=import] input[type=file]").set_input_files(chat)
    take = page.locator("dialog[data-dialog=import] [data-choice=take]")
    expect(take).to_be_visible()
    body = page.locator("dialog[data-dialog=import] .k-dialog-body")
    expect(body).to_have_attribute("data-cut", "end")
    assert in_sight(page, take)
    page.wait_for_timeout(400)  # it comes up from below
    shot(page, "import-preview")
    foot = take.bounding_box()
    body.evaluate("node => { node.scrollTop = node.scrollHeight; }")
    expect(body).to_have_attribute("data-cut", "start")
    shot(page, "import-preview-end")
    assert foot is not None
    there = take.bounding_box()
    assert there is not None
    assert abs(there["y"] - foot["y"]) < 3, "it does not move as the rest is read"
    fault = page.locator("dialog[data-dialog=import] .k-found > p.k-quiet").last
    assert not overlap(page, fault, take), "and nothing lies under it for good"


def test_a_sheet_says_whose_message_it_is_about_without_the_signs_of_gestures(stage: Stage) -> None:
    watched = stage.open(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = watched.page
    page.locator(".k-cover", has_text="Nell").tap()
    page.locator("#k-transcript .k-character-says [data-deed=more]").first.tap()
    head = page.locator("dialog.k-menu .k-menu-list > p")
    expect(head).to_contain_text("Nell Garrow: The bell stops.")
    expect(head).not_to_contain_text("*")
    assert page.locator("dialog.k-menu .k-menu-list").evaluate("list => list.getBoundingClientRect().right <= innerWidth"), (
        "however long its line is"
    )
    assert watched.faults == []


def test_a_sheet_names_who_said_it_as_its_language_writes_it(stage: Stage) -> None:
    watched = stage.open(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="zh-CN")
    page = watched.page
    page.locator(".k-cover", has_text="Nell").tap()
    page.locator("#k-transcript .k-character-says [data-deed=more]").first.tap()
    expect(page.locator("dialog.k-menu .k-menu-list > p")).to_contain_text("Nell Garrow：The bell stops.")
