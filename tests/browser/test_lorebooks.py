"""A lorebook is made, filled and attached on the page, called up by a reply, and taken out as a file; in English, and in Chinese on a phone.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.stage import Stage, shot, staged, start_chat, toast

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("lorebooks")) as made:
        yield made


def test_a_book_is_made_attached_and_called_up(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    start_chat(page, "Nell")
    page.locator("[data-own=lore]").click()
    dialog = page.locator("dialog[data-dialog=lorebooks]")
    expect(dialog).to_contain_text("None yet")
    shot(page, "lore-none")
    dialog.locator("[data-lore-act=create]").click()
    page.locator("dialog[data-dialog=prompt] input").fill("Harbour <b>")
    page.locator("dialog[data-dialog=prompt]").get_by_role("button", name="Make it").click()
    dialog.locator("[data-lore-in=chat]").check()
    dialog.locator("[data-lore-act=entry]").click()
    dialog.locator("[data-lore=comment]").fill("Gulls")
    dialog.locator("[data-lore=keys]").fill("/(?=gull)/i")
    dialog.locator("[data-lore=content]").fill("Gulls steal bread <img src=x onerror=alert(1)>.")
    dialog.locator("[data-lore-act=save]").click()
    expect(dialog.locator(".k-fault")).to_contain_text("no regular expression")
    dialog.locator("[data-lore=keys]").fill("/g[ua]lls?/i\nseabird")
    shot(page, "lore-entry")
    dialog.locator("[data-lore-act=save]").click()
    expect(dialog.locator("[data-entry='1']")).to_contain_text("Gulls")
    expect(dialog.locator("[data-lore-in=chat]")).to_be_checked()
    shot(page, "lore-book")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Export as V3").click()
    assert json.loads(download.value.path().read_text(encoding="utf-8"))["data"]["entries"][0]["comment"] == "Gulls"
    # An entry that comes when its dialog is shut already.
    page.evaluate("document.querySelector('[data-entry]').click(); document.querySelector('dialog[data-dialog=lorebooks]').close()")
    expect(dialog).to_have_count(0)
    stage.exchange(page, "Look, GULLS!", "They are loud.", 2)
    page.get_by_role("tab", name="Receipt").click()
    expect(page.locator("#k-receipt [data-lore='1']")).to_contain_text("Gulls in “Harbour <b>”")
    assert watched.faults == []


def test_world_info_comes_in_and_a_book_goes_and_comes_back_in_chinese_on_a_phone(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open(viewport={"width": 390, "height": 844})
    page = watched.page
    file = tmp_path / "港口.json"
    entries = {str(n): {"uid": n, "key": [f"词{n}"], "comment": f"条目{n}", "content": "内容", "order": n} for n in range(12)}
    file.write_text(json.dumps({"entries": entries}, ensure_ascii=False), encoding="utf-8")
    page.locator("[data-k-opens]").first.click()
    page.get_by_role("button", name="中文").click()
    page.locator("[data-own=lore]").click()
    dialog = page.locator("dialog[data-dialog=lorebooks]")
    dialog.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="打开世界书").click()
    expect(dialog).to_contain_text("12 条")
    dialog.locator(".k-seek").fill("词11")
    expect(dialog.locator("[data-entry]")).to_have_count(1)
    shot(page, "lore-book-zh")
    dialog.get_by_role("button", name="移除").click()
    toast(page, "可以恢复").get_by_role("button", name="撤销").click()
    expect(dialog.locator("[data-book]", has_text="港口")).to_be_visible()
    assert watched.faults == []
