"""A conversation of another program's comes in by the page, in both languages: what was found is shown, who is who is asked, and a damaged file is refused.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.stage import Stage, lives_in, newest, shot, staged, toast, wording

pytestmark = [pytest.mark.browser, pytest.mark.long]

TAVERN = [
    {"user_name": "unused", "character_name": "unused"},
    {"name": "Vesper <b>", "is_user": False, "send_date": "2024-05-01T18:30:00.000Z", "mes": "The lamp is lit."},
    {"name": "Mara", "is_user": True, "send_date": "2024-05-01T18:31:00.000Z", "mes": "I live in Leith."},
    {
        "name": "Vesper <b>",
        "is_user": False,
        "send_date": "2024-05-02T18:32:00.000Z",
        "mes": "A windy place.",
        "swipe_id": 1,
        "swipes": ["Noted.", "A windy place."],
    },
]


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("importing")) as made:
        yield made


def choose(page: Page, path: Path) -> None:
    page.locator("dialog[data-dialog=import] input[type=file]").set_input_files(path)


def test_a_chat_of_another_program_comes_in(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open()
    page = watched.page
    chat = tmp_path / "Vesper - 2024-05-01.jsonl"
    chat.write_text("\n".join(json.dumps(line) for line in TAVERN), encoding="utf-8")
    bad = tmp_path / "bad.jsonl"
    bad.write_text("\n".join([*(json.dumps(line) for line in TAVERN), '{"name": "Mara", "mes"']), encoding="utf-8")

    page.get_by_role("button", name="Import", exact=True).click()
    choose(page, bad)
    expect(page.locator(".k-refusal")).to_contain_text("Line 5 · it breaks off before its end")
    expect(page.locator(".k-refusal")).to_contain_text("Nothing was imported")
    choose(page, chat)
    dialog = page.locator("dialog[data-dialog=import]")
    expect(dialog).to_contain_text("A chat of a role-play program")
    expect(dialog).to_contain_text("3 messages in 2 rounds")
    expect(dialog).to_contain_text("1 May 2024 to 2 May 2024")
    expect(dialog.locator("[data-import=player]")).to_have_value("Mara")
    expect(dialog.locator("[data-import=speaker]")).to_have_value("Vesper <b>")
    shot(page, "found")
    dialog.locator("[data-choice=take]").click()
    toast(page, "Imported")
    expect(newest(page)).to_contain_text("A windy place.")
    wording(page, "2/2")
    expect(page.locator("#k-shelf [data-own]", has_text="Vesper <b>")).to_be_visible()
    lives_in(page, "Leith")

    page.get_by_role("button", name="Import", exact=True).click()
    choose(page, chat)
    dialog.locator("[data-choice=take]").click()
    expect(dialog).to_contain_text("was imported before and is here")
    dialog.get_by_role("button", name="Open it").click()
    expect(dialog).to_have_count(0)
    assert watched.faults == []


def test_names_that_the_file_has_not_are_asked_for_in_chinese_and_on_a_phone(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open(viewport={"width": 390, "height": 844})
    page = watched.page
    page.evaluate("localStorage.setItem('keepsake.language', 'zh')")
    diary = tmp_path / "日记.json"
    diary.write_text(
        json.dumps({"2024-05-01": [{"query": "我住在利斯。", "response": "那里风大。"}]}, ensure_ascii=False), encoding="utf-8"
    )
    damaged = tmp_path / "damaged.txt"
    damaged.write_text("阿宁：你好\n2024-13-01\n小雨：你好\n", encoding="utf-8")
    page.locator("[data-k-opens=left], [data-k-opens]").first.click()
    page.get_by_role("button", name="中文").click()
    page.get_by_role("button", name="导入", exact=True).click()
    choose(page, damaged)
    expect(page.locator(".k-refusal")).to_contain_text("第 2 行 · 没有这个日期")
    choose(page, diary)
    dialog = page.locator("dialog[data-dialog=import]")
    expect(dialog).to_contain_text("按日记录的问答")
    dialog.locator("[data-import=player_name]").fill("阿宁")
    dialog.locator("[data-choice=take]").click()
    expect(dialog).to_contain_text("请填写")
    dialog.locator("[data-import=character_name]").fill("小雨")
    shot(page, "found-zh")
    dialog.locator("[data-choice=take]").click()
    expect(newest(page)).to_contain_text("那里风大。")
    assert watched.faults == []
