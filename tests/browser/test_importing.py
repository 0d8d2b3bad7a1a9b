"""A conversation of another program's comes in by the page, in both languages: what was found is shown, who is who is asked, what had to be left out is told with
its place, and only a file without a message is refused.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.stage import Stage, lives_in, mine, newest, shot, staged, toast, wording
from tests.chat.test_import_peers import AGNAI, RISU
from tests.personas.cards.invented import v3

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


def damaged(tmp_path: Path) -> Path:
    """A chat of which a line in the middle and the last are broken, and a date is none."""
    lines = [json.dumps(line) for line in TAVERN]
    bad_date = json.dumps({**TAVERN[2], "send_date": "the day before"})
    path = tmp_path / "bad.jsonl"
    path.write_text(
        "\n".join([*lines[:2], '{"name": "Mara", "is_user": tru', bad_date, lines[3], '{"name": "Mara", "mes"']), encoding="utf-8"
    )
    return path


def wordless(tmp_path: Path) -> Path:
    path = tmp_path / "wordless.jsonl"
    path.write_text(json.dumps(TAVERN[0]) + "\n" + '{"name": "Mara", "mes"', encoding="utf-8")
    return path


def test_a_chat_of_another_program_comes_in(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open()
    page = watched.page
    chat = tmp_path / "Vesper - 2024-05-01.jsonl"
    chat.write_text("\n".join(json.dumps(line) for line in TAVERN), encoding="utf-8")

    page.get_by_role("button", name="Import", exact=True).click()
    choose(page, wordless(tmp_path))
    expect(page.locator(".k-refusal")).to_contain_text("Line 2 · it breaks off before its end")
    expect(page.locator(".k-refusal")).to_contain_text("Nothing was imported")
    choose(page, chat)
    dialog = page.locator("dialog[data-dialog=import]")
    expect(dialog).to_contain_text("A chat of a role-play program")
    expect(dialog).to_contain_text("3 messages in 2 rounds")
    expect(dialog).to_contain_text("1 May 2024 to 2 May 2024")
    expect(dialog).not_to_contain_text("left out")
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


def test_of_a_damaged_file_comes_in_what_is_sound(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open()
    page = watched.page
    page.get_by_role("button", name="Import", exact=True).click()
    choose(page, damaged(tmp_path))
    dialog = page.locator("dialog[data-dialog=import]")
    facts = dialog.locator(".k-found-facts")
    expect(facts).to_contain_text("3 messages in 2 rounds")
    expect(facts.locator("li", has_text="Line 3")).to_contain_text("1 part could not be read and was left out: it is not valid JSON")
    expect(facts.locator("li", has_text="Line 6")).to_contain_text("was left out: it breaks off before its end")
    expect(facts.locator("li", has_text="the day before")).to_contain_text("Line 4")
    shot(page, "found-damaged")
    dialog.locator("[data-choice=take]").click()
    expect(newest(page)).to_contain_text("A windy place.")
    expect(page.locator("#k-transcript .k-message")).to_have_count(3)
    expect(mine(page)).to_have_text(re.compile("I live in Leith"))
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("window.keepsake.setLanguage('zh')")
    page.evaluate("window.keepsake.openImport()")
    choose(page, damaged(tmp_path))
    expect(facts.locator("li", has_text="第 3 行")).to_contain_text("1 处无法读取，已略过：不是有效的 JSON")
    expect(facts.locator("li", has_text="第 6 行")).to_contain_text("文件在结束前中断")
    expect(facts.locator("li", has_text="the day before")).to_contain_text("1 条消息的日期无法识别")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    shot(page, "found-damaged-zh")
    assert watched.faults == []


def test_a_json_file_goes_where_it_belongs_whatever_was_chosen_for_it(stage: Stage, tmp_path: Path) -> None:
    """Chats of other programs look as different from one another as from a card; a chat that names its character like a card is none."""
    watched = stage.open()
    page = watched.page
    files = {name: tmp_path / f"{name}.json" for name in ("agnai", "risu", "card", "neither")}
    for name, value in (
        ("agnai", {**AGNAI, "greeting": "Hm?", "scenario": "A pier."}),
        ("risu", RISU),
        ("card", v3()),
        ("neither", {"a": 1}),
    ):
        files[name].write_text(json.dumps(value), encoding="utf-8")
    imports, cards = (page.locator(f"dialog[data-dialog={name}]") for name in ("import", "cards"))

    page.get_by_role("button", name="Import", exact=True).click()
    choose(page, files["risu"])
    expect(imports).to_contain_text("3 messages in")
    page.keyboard.press("Escape")
    expect(imports).to_have_count(0)
    page.evaluate("keepsake.openCards()")
    cards.locator("input[type=file]").set_input_files(files["agnai"])
    expect(imports).to_contain_text("2 messages in 2 rounds")
    expect(cards).to_have_count(0)
    imports.get_by_role("button", name="Another file").click()
    choose(page, files["neither"])
    expect(imports.locator(".k-refusal")).to_contain_text("its layout is not known")
    expect(cards).to_have_count(0)
    choose(page, files["card"])
    expect(cards).to_contain_text("Odile is in your list.")
    expect(imports).to_have_count(0)
    assert watched.faults == []


def test_names_that_the_file_has_not_are_asked_for_in_chinese_and_on_a_phone(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open(viewport={"width": 390, "height": 844})
    page = watched.page
    page.evaluate("localStorage.setItem('keepsake.language', 'zh')")
    diary = tmp_path / "日记.json"
    diary.write_text(
        json.dumps({"2024-05-01": [{"query": "我住在利斯。", "response": "那里风大。"}]}, ensure_ascii=False), encoding="utf-8"
    )
    page.locator("[data-k-opens=left], [data-k-opens]").first.click()
    page.get_by_role("button", name="中文").click()
    page.get_by_role("button", name="导入", exact=True).click()
    choose(page, wordless(tmp_path))
    expect(page.locator(".k-refusal")).to_contain_text("第 2 行 · 文件在结束前中断")
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


NEVER_TOLD = "window.addEventListener('close', (event) => event.stopImmediatePropagation(), true)"
"""A browser tells that a dialog was closed when it comes to it: here, never."""


def test_why_a_file_is_neither_card_nor_chat_is_told_in_a_dialog_that_is_open(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open()
    page = watched.page
    page.evaluate(NEVER_TOLD)
    neither = tmp_path / "neither.json"
    neither.write_text('["nothing of either"]', encoding="utf-8")
    page.get_by_role("button", name="Import", exact=True).click()
    choose(page, neither)
    expect(page.locator("dialog[data-dialog=import] .k-refusal")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(1)
