"""A conversation leaves the page, as a file or for the bin, and comes back in; a file that is none is refused with its line and the reason.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.stage import BEES, LEITH, Stage, lives_in, mine, newest, shot, staged, toast, wording

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("portable")) as made:
        yield made


def exported(page: Page, folder: Path) -> Path:
    page.locator("#k-chat-menu").click()
    with page.expect_download() as download:
        page.locator("dialog [data-deed=export]").click()
        page.locator("dialog [data-choice=bundle]").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def choose(page: Page, path: Path) -> None:
    page.locator("dialog[data-dialog=import] input[type=file]").set_input_files(path)


def left_over(stage: Stage, *, within: float = 240.0) -> list[Path]:
    """What still lies in the folders of transfers; a file goes when its last byte has left, a moment after the page has it."""
    end = time.monotonic() + within
    while True:
        found = [path for name in ("exports", "imports") for path in (stage.app.data / "cache" / name).glob("*")]
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.1)


def test_a_conversation_leaves_as_a_file_and_comes_back_whole(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, BEES)
    stage.plays("Bees are patience.")
    newest(page).locator("[data-leaf='1']").click()
    wording(page, "2/2")
    lives_in(page, "Leith")
    path = exported(page, tmp_path)
    assert path.name == "Nell-Garrow.keepsake.jsonl"
    toast(page, "Nell-Garrow.keepsake.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[-1])["records"] == len(lines) - 1
    assert left_over(stage) == []

    page.get_by_role("button", name="Import", exact=True).click()
    shot(page, "import")
    choose(page, path)
    toast(page, "a second one beside it")
    expect(page.locator(".k-chat")).to_have_count(2)
    expect(mine(page)).to_have_count(2)
    wording(page, "2/2")
    lives_in(page, "Leith")
    newest(page).locator("[data-leaf='-1']").click()
    expect(newest(page)).to_contain_text("weather")
    assert left_over(stage) == []

    page.locator("#k-chat-menu").click()
    page.locator("dialog [data-deed=delete]").click()
    page.get_by_role("button", name="Have one in a file?").click()
    choose(page, path)
    expect(mine(page)).to_have_count(2)
    expect(page.locator(".k-chat")).to_have_count(2)
    assert watched.faults == []


def test_a_file_that_is_not_right_is_refused_with_line_and_reason(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH)
    whole = exported(page, tmp_path)
    chats = page.locator(".k-chat").count()
    lines = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if '"type":"message"' in line)
    bad = tmp_path / "<img src=x onerror=alert(1)>.jsonl"
    bad.write_text("".join([*lines[:at], lines[at].replace('"depth":', '"deep":'), *lines[at + 1 :]]), encoding="utf-8")
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(lines[:-1]), encoding="utf-8")
    other = tmp_path / "other.txt"
    other.write_text("hello\n", encoding="utf-8")
    page.get_by_role("button", name="Import", exact=True).click()
    refusal = page.locator(".k-refusal")
    for path, words, reason in (
        (bad, "says what it may not", f"Line {at + 1}: "),
        (cut, "end of this file is missing", f"Line {len(lines) - 1}: "),
    ):
        choose(page, path)
        expect(refusal).to_contain_text(words)
        expect(refusal).to_contain_text(reason)
        expect(refusal).to_contain_text("Nothing was imported")
        shot(page, f"refused-{path.stem[:3]}")
    choose(page, other)
    expect(refusal).to_contain_text("Line 1 · it is no message")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="中文").click()
    page.get_by_role("button", name="导入", exact=True).click()
    choose(page, cut)
    expect(refusal).to_contain_text("缺少结尾")
    expect(refusal).to_contain_text(f"第 {len(lines) - 1} 行")
    page.keyboard.press("Escape")
    assert page.locator(".k-chat").count() == chats
    assert left_over(stage) == []
    assert watched.faults == []


def test_a_dropped_file_comes_in_and_can_be_stopped(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH)
    text = exported(page, tmp_path).read_text(encoding="utf-8")
    chats = page.locator(".k-chat").count()
    drop = """([text, name]) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name));
        const send = (kind) => document.querySelector('#k-scroll').dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
        send('dragover');
        const shown = getComputedStyle(document.querySelector('.k-veil')).display;
        send('drop');
        return shown;
    }"""
    held: list[object] = []
    page.route("**/keepsake/imports*", lambda route: held.append(route))
    assert page.evaluate(drop, [text, "a.keepsake.jsonl"]) == "grid"
    dialog = page.get_by_role("dialog", name="Import a conversation")
    expect(dialog).to_contain_text("Reading the file")
    shot(page, "importing")
    dialog.get_by_role("button", name="Cancel").click()
    toast(page, "The import was cancelled.")
    expect(dialog.get_by_role("button", name="Choose a file")).to_be_focused()
    page.unroute("**/keepsake/imports*")
    assert page.locator(".k-chat").count() == chats
    page.evaluate(drop, [text, "a.keepsake.jsonl"])
    toast(page, "a second one beside it")
    expect(page.locator(".k-chat")).to_have_count(chats + 1)
    assert watched.faults == []


def test_a_conversation_goes_to_the_bin_and_comes_back(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH)
    page.locator("#k-chat-menu").click()
    page.locator("dialog [data-deed=rename]").click()
    page.get_by_role("textbox", name="Name").fill("The causeway")
    page.keyboard.press("Enter")
    expect(page.locator("#k-masthead h1")).to_have_text("The causeway")
    row = page.locator(".k-chat-row", has_text="The causeway")
    row.hover()
    row.get_by_role("button", name="What to do with The causeway").click()
    page.locator("dialog [data-deed=delete]").click()
    expect(row).to_have_count(0)
    expect(page.locator(".k-cover").first).to_be_visible()
    toast(page, "The causeway is in the bin").get_by_role("button", name="Undo").click()
    expect(mine(page)).to_have_count(1)
    page.locator("#k-chat-menu").click()
    page.locator("dialog [data-deed=delete]").click()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Bin", exact=True).click()
    page.locator(".k-bin-row", has_text="The causeway").get_by_role("button", name="Erase for good").click()
    sure = page.get_by_role("dialog", name="Erase The causeway for good?")
    expect(sure).to_contain_text("The causeway: 3 messages, ")
    shot(page, "erase")
    sure.get_by_role("button", name="Erase for good").click()
    expect(page.locator(".k-bin-row", has_text="The causeway")).to_have_count(0)
    assert watched.faults == []


HOSTILE = "<img src=x onerror='window.hacked=1'> ${window.hacked=2} {{3}} <b>"


def test_what_is_found_noted_and_filed_is_shown_as_text_and_leads_where_it_was_said(stage: Stage, tmp_path: Path) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, (f"The lamp {HOSTILE} is lit.", "Noted."), ("我把钥匙藏在老灯塔的台阶下面。", "It is safe."))
    page.locator("#k-chat-menu").click()
    page.locator("dialog [data-deed=note]").click()
    page.get_by_role("textbox", name="Author's note").fill(f"Slow {HOSTILE}")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#k-note-open")).to_be_visible()
    stage.exchange(page, "And the tide?", "Going out.", 4)
    page.locator("#k-transcript .k-remembered").last.click()
    spent = page.locator("#k-receipt .k-spent")
    expect(spent.locator("[data-section=note]").last).to_contain_text("tokens")
    # Drawn anew in the same breath, as a step of memory may do: what was just unfolded stays so.
    assert page.evaluate(
        """() => {
            document.querySelector("#k-receipt .k-prompt summary").click();
            window.keepsake.redraw("receipt");
            return document.querySelector("#k-receipt .k-prompt").open;
        }"""
    )
    expect(page.locator("#k-receipt [data-exact=same]")).to_be_visible()
    expect(page.locator("#k-receipt .k-prompt")).to_contain_text("[Note by the author: Slow ")
    page.locator("#k-undo").click()
    expect(page.locator("#k-note-open")).to_be_visible()  # what was said is taken back first
    with page.expect_download() as download:
        page.locator("#k-chat-menu").click()
        page.locator("dialog [data-deed=export]").click()
        page.locator("dialog [data-choice=jsonl]").click()
    download.value.save_as(tmp_path / "out.jsonl")
    said = [json.loads(line).get("mes") for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert said[4:6] == ["我把钥匙藏在老灯塔的台阶下面。", "It is safe."]

    row = page.locator(".k-chat-row", has=page.locator("[aria-current]"))
    row.hover()
    row.locator("[data-chat-menu]").click()
    page.locator("dialog [data-deed=file]").click()
    page.locator("dialog [data-deed=folder_new]").click()
    page.get_by_role("textbox", name="Name").fill(HOSTILE[:70])
    page.keyboard.press("Enter")
    expect(page.locator(".k-fold-name")).to_contain_text("<img src=x")
    page.locator("#k-shelf .k-character", has_text="Rafferty").click()
    expect(page.locator("#k-masthead h1")).to_have_text("Rafferty Moth")
    page.keyboard.press("Control+Shift+F")
    page.keyboard.type("灯塔")
    hit = page.locator(".k-hit", has_text="钥匙")
    expect(hit.first.locator("mark")).to_have_text("灯塔")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#k-masthead h1")).to_have_text("Nell Garrow")
    expect(page.locator("#k-transcript .k-lit").first).to_contain_text("老灯塔")
    page.set_viewport_size({"width": 390, "height": 800})
    page.keyboard.press("Control+Shift+F")
    page.locator("dialog .k-field").fill("onerror")
    expect(page.locator(".k-hit-text").first).to_contain_text("<img src=x")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.keyboard.press("Escape")
    assert page.evaluate("window.hacked") is None
    assert watched.faults == []


def test_a_temporary_conversation_is_gone_when_it_is_left(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    page.locator(".k-open-passing").click()
    page.get_by_role("dialog").get_by_role("button", name="Nell Garrow").click()
    box = page.get_by_role("textbox", name="Your message")
    stage.plays("Then it stays between us.")
    box.last.fill(f"A heliotrope secret {HOSTILE}")
    box.last.press("Enter")
    talk = page.locator(".k-passing-talk")
    expect(talk).to_contain_text("Then it stays between us.")
    expect(talk).to_contain_text("<img src=x")
    page.keyboard.press("Escape")
    sure = page.get_by_role("dialog", name="Leave this conversation?")
    sure.get_by_role("button", name="Leave, and let it be gone").click()
    expect(page.locator("dialog")).to_have_count(0)
    toast(page, "Nothing of it was kept")
    assert not [path for path in stage.app.data.rglob("*") if path.is_file() and b"heliotrope" in path.read_bytes()]
    assert page.evaluate("JSON.stringify(localStorage) + location.href").count("heliotrope") == 0
    assert page.evaluate("window.hacked") is None
    assert watched.faults == []
