"""A conversation rewritten on the page: wordings, edits, cuts, branches, undo, the bin, drafts, keys, two tabs, a phone.

With KEEPSAKE_SHOTS=FOLDER what is shown is saved as pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.stage import (
    BEES,
    LEITH,
    Stage,
    deed,
    lives_in,
    mine,
    newest,
    open_episodes,
    shot,
    staged,
    toast,
    wait_for_reply,
    wording,
)

pytestmark = [pytest.mark.browser, pytest.mark.long]

HOSTILE = "<img src=x onerror='window.hacked=1'> ${window.hacked=2} {{3}} <b>"


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(browser, tmp_path_factory.mktemp("rewriting"), KEEPSAKE_CHAT_RETRIES="0") as made:
        yield made


def test_another_reply_keeps_the_first_and_memory_follows_the_one_that_stands(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, ("What do you light at night?", "A crimson lantern."))
    open_episodes(page)
    episodes = page.locator("#k-memories .k-memories")
    expect(episodes).to_contain_text("crimson")
    stage.plays("An indigo lamp.", between_s=0.5)
    newest(page).locator("[data-leaf='1']").click()
    expect(page.locator("#k-live .k-prose")).to_contain_text("An")
    expect(page.locator("#k-transcript .k-messages")).not_to_contain_text("crimson")
    wording(page, "2/2")
    expect(newest(page)).to_contain_text("indigo")
    expect(episodes).to_contain_text("indigo")
    expect(episodes).not_to_contain_text("crimson")
    page.locator("#k-text").press("ArrowLeft")
    wording(page, "1/2")
    expect(newest(page)).to_contain_text("crimson")
    expect(episodes).to_contain_text("crimson")
    expect(episodes).not_to_contain_text("indigo")
    asked = len(stage.endpoint.requests)
    page.locator("#k-text").press("ArrowRight")
    wording(page, "2/2")
    assert len(stage.endpoint.requests) == asked, "going back to a reply asks nobody"
    stage.plays("And a bell.")
    page.locator("#k-text").press("Alt+Enter")
    wording(page, "3/3")
    expect(newest(page).locator(".k-prose")).to_have_text("An indigo lamp. And a bell.")
    assert watched.faults == []


def test_the_receipt_on_the_sheet_is_that_of_the_wording_that_stands(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, BEES)
    deed(page, mine(page).first, "hide")
    expect(mine(page).first).to_contain_text("hidden")
    stage.plays("Weather with wings.")
    newest(page).locator("[data-leaf='1']").click()
    wording(page, "2/2")
    page.get_by_role("tab", name="Receipt").click()
    sheet = page.locator("#k-receipt")
    sheet.locator("summary").last.click()
    expect(sheet).to_contain_text("My brother Tobias keeps bees")
    expect(sheet).not_to_contain_text("I live in Leith")
    newest(page).locator("[data-leaf='-1']").click()
    wording(page, "1/2")
    expect(sheet).to_contain_text("I live in Leith")
    answered = page.locator("#k-transcript .k-character-says", has_text=LEITH[1])
    answered.locator(".k-remembered").click()
    expect(sheet.locator(".k-query")).to_contain_text("Leith")
    deed(page, answered, "delete")
    expect(sheet.locator(".k-query")).to_contain_text("Tobias")
    open_episodes(page)
    expect(page.locator("#k-memories .k-memories")).to_contain_text("Tobias", timeout=240_000)
    page.get_by_role("tab", name="Receipt").click()
    deed(page, mine(page).last, "hide")
    stage.exchange(page, "Who of us keeps bees?", "Somebody does.", 3)
    expect(sheet.locator("[data-reason=hidden]").first).to_contain_text("My brother Tobias keeps bees")
    expect(sheet.locator("[data-reason=hidden]").first).to_contain_text("its message is hidden")
    shot(page, "left-out")
    assert watched.faults == []


def test_an_edit_with_later_turns_asks_once_and_memory_follows(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, BEES)
    lives_in(page, "Leith")
    first = mine(page).first
    first.hover()
    first.locator("[data-deed=edit]").click()
    box = first.locator(".k-editbox")
    expect(box).to_be_focused()
    box.fill("My name is Mara and I live in Perth.")
    box.press("Control+Enter")
    shot(page, "edit")
    first.get_by_role("button", name="Keep later turns").click()
    expect(first.locator(".k-prose")).to_contain_text("Perth")
    expect(mine(page)).to_have_count(2)
    toast(page, "earlier wording is kept")
    lives_in(page, "Perth")
    first.locator("[data-leaf='-1']").click()
    expect(first.locator(".k-prose")).to_contain_text("Leith")
    lives_in(page, "Leith")

    first.hover()
    first.locator("[data-deed=edit]").click()
    box.fill("half a thought")
    box.press("Escape")
    toast(page, "Left without saving").get_by_role("button", name="Back to my text").click()
    expect(box).to_have_value("half a thought")
    box.fill("My name is Mara and I live in Oslo.")
    box.press("Control+Enter")
    first.get_by_role("button", name="Branch from here").click()
    expect(page.locator("#k-branch")).to_contain_text("From round 1")
    expect(mine(page)).to_have_count(1)
    expect(newest(page)).to_contain_text("Oslo")
    toast(page, "You are on a new branch").get_by_role("button", name="Undo").click()
    toast(page, "Taken back: edit on a new branch")
    expect(page.locator("#k-branch")).to_have_count(0)
    expect(mine(page)).to_have_count(2)
    expect(first.locator(".k-prose")).to_contain_text("Leith")
    assert watched.faults == []


def test_what_is_deleted_comes_back(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, BEES)
    deed(page, mine(page).last, "delete_from")
    expect(mine(page)).to_have_count(1)
    toast(page, "Everything from there on was deleted").get_by_role("button", name="Undo").click()
    expect(mine(page)).to_have_count(2)
    expect(newest(page)).to_contain_text("Bees are weather.")
    toast(page, "Taken back: delete from here on")
    page.locator("#k-redo").click()
    expect(mine(page)).to_have_count(1)
    page.locator("#k-chat-menu").click()
    page.locator("dialog [data-deed=bin]").click()
    thrown = page.locator(".k-bin-row")
    expect(thrown).to_contain_text("My brother Tobias")
    expect(thrown).to_contain_text("2 messages")
    expect(page.locator(".k-dialog")).to_contain_text("Nothing in here is erased")
    shot(page, "bin")
    page.get_by_role("button", name="Empty the bin of this conversation").click()
    sure = page.get_by_role("dialog", name="Erase what was deleted here for good?")
    expect(sure.locator("li").first).to_have_text("2 messages")
    expect(sure).to_contain_text("stays, with all its wordings")
    shot(page, "empty")
    sure.get_by_role("button", name="Cancel").click()
    thrown.get_by_role("button", name="Restore").click()
    expect(page.locator(".k-dialog")).to_contain_text("Nothing was deleted on this branch")
    page.keyboard.press("Escape")
    expect(mine(page)).to_have_count(2)

    deed(page, mine(page).first, "hide")
    expect(mine(page).first).to_contain_text("hidden")
    stage.exchange(page, "Do you know me?", "Who are you?", 4)
    prompt = str(stage.endpoint.requests[-1].body["messages"])
    assert "Leith" not in prompt
    assert "Tobias" in prompt
    deed(page, mine(page).first, "show")
    expect(mine(page).first).not_to_contain_text("hidden")
    assert watched.faults == []


def test_branches_are_apart_and_the_tree_leads_back(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, BEES)
    deed(page, page.locator("#k-transcript .k-character-says", has_text="Noted."), "branch")
    expect(page.locator("#k-branch")).to_contain_text("From round 1")
    expect(mine(page)).to_have_count(1)
    stage.exchange(page, "I have a parrot called Plum.", "A parrot!", 3)
    stage.exchange(page, "Good night.", "Good night.", 4)
    expect(page.locator("#k-persona [data-key=pets]")).to_contain_text("Plum", timeout=240_000)

    page.locator("#k-branch").click()
    rows = page.get_by_role("treeitem")
    expect(rows).to_have_count(2)
    expect(rows.last).to_be_focused()
    page.keyboard.press("F2")
    page.get_by_role("textbox", name="Name").fill(HOSTILE)
    page.keyboard.press("Enter")
    expect(rows.last).to_contain_text(HOSTILE)
    shot(page, "tree")
    page.keyboard.press("ArrowUp")
    expect(rows.first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#k-branch")).to_contain_text("Main line")
    expect(newest(page)).to_contain_text("Bees are weather.")
    expect(page.locator("#k-persona [data-key=pets]")).to_have_count(0)

    deed(page, newest(page), "checkpoint")
    page.get_by_role("textbox", name="Name").fill("Before the storm")
    page.keyboard.press("Enter")
    toast(page, "Before the storm").get_by_role("button", name="Branches").click()
    expect(rows).to_have_count(3)
    page.keyboard.press("End")
    page.keyboard.press("Delete")
    expect(rows).to_have_count(2)
    toast(page, "The branch is in the bin").get_by_role("button", name="Undo").click()
    page.keyboard.press("Escape")
    expect(page.locator("#k-branch")).to_have_attribute("title", "3 branches")
    assert page.evaluate("window.hacked") is None
    assert watched.faults == []


def test_a_tab_that_was_overtaken_is_told_and_keeps_its_text(stage: Stage) -> None:
    first = stage.open()
    stage.talk(first.page, LEITH)
    second = stage.open(first.page.url)
    page = second.page
    expect(mine(page)).to_have_count(1)
    page.evaluate("clearInterval(window.keepsake.ticking)")  # it has not noticed yet
    page.locator("#k-text").fill("typed in the second tab")
    deed(first.page, newest(first.page), "hide")
    expect(newest(first.page)).to_contain_text("hidden")
    page.locator("#k-text").press("Enter")
    expect(page.locator("#k-banner")).to_contain_text("changed in another tab")
    expect(newest(page)).to_contain_text("hidden")
    expect(page.locator("#k-text")).to_have_value("typed in the second tab")
    page.get_by_role("button", name="Dismiss this message").click()
    deed(first.page, newest(first.page), "show")
    expect(newest(first.page)).not_to_contain_text("hidden")
    deed(page, mine(page).first, "delete")
    expect(page.locator("#k-banner")).to_contain_text("Nothing was done here")
    expect(mine(page)).to_have_count(1)
    stage.plays("Welcome back.")
    page.locator("#k-text").press("Enter")
    wait_for_reply(page, 3)
    expect(page.locator("#k-banner .k-banner")).to_have_count(0)
    expect(mine(first.page)).to_have_count(2)
    assert first.faults + second.faults == []


def test_a_draft_never_costs_what_was_typed(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH)
    box = page.locator("#k-text")
    box.fill("my own words")
    stage.plays("And what about you?", between_s=0.05)
    page.get_by_role("button", name="Draft my next words").click()
    expect(box).to_have_value("And what about you?")
    expect(page.locator("#k-send[data-does=send]")).to_be_visible()
    expect(page.locator("#k-composer")).to_contain_text("A draft, not sent")
    shot(page, "draft")
    page.get_by_role("button", name="Put my own text back").click()
    expect(box).to_have_value("my own words")
    box.fill("")
    stage.plays("word " * 60, between_s=0.1)
    box.press("Control+Shift+M")
    expect(box).to_have_value(re.compile("word word"))
    box.fill("mine now")
    expect(page.locator("#k-send[data-does=send]")).to_be_visible()
    page.wait_for_timeout(400)
    expect(box).to_have_value("mine now")
    expect(mine(page)).to_have_count(1)
    assert watched.faults == []


def test_keys_do_what_the_sheet_says_and_nothing_while_typing(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, BEES)
    box = page.locator("#k-text")
    stage.plays("Another.")
    box.press("Control+Enter")
    wording(page, "2/2")
    box.press("ArrowUp")
    expect(newest(page).locator(".k-editbox")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".k-editbox")).to_have_count(0)
    box.press("Control+ArrowUp")
    expect(mine(page).last.locator(".k-editbox")).to_be_focused()
    page.keyboard.press("Escape")
    box.fill("a word")
    box.press("ArrowLeft")
    box.press("Control+Shift+Backspace")
    page.evaluate("document.querySelector('#k-text').value = ''")
    for composing in ("ArrowLeft", "ArrowUp"):
        page.evaluate(
            "key => document.querySelector('#k-text').dispatchEvent(new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true }))",
            composing,
        )
    page.wait_for_timeout(300)
    wording(page, "2/2")
    expect(mine(page)).to_have_count(2)
    expect(page.locator(".k-editbox")).to_have_count(0)
    box.fill("")
    box.press("Control+Shift+Backspace")
    expect(mine(page)).to_have_count(1)
    page.locator("#k-scroll").focus()
    page.keyboard.press("Control+z")
    expect(mine(page)).to_have_count(2)
    page.keyboard.press("Control+Shift+Z")
    expect(mine(page)).to_have_count(1)
    page.keyboard.press("Control+m")
    expect(page.locator("#k-panel")).to_be_hidden()
    page.keyboard.press("Control+m")
    expect(page.locator("#k-panel")).to_be_visible()
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard")
    expect(sheet).to_contain_text("Continue this reply")
    shot(page, "keys")
    sheet.get_by_label("Shortcuts are on").uncheck()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.keyboard.press("Control+z")
    page.wait_for_timeout(300)
    expect(mine(page)).to_have_count(1)
    page.keyboard.press("Control+/")
    sheet.get_by_label("Shortcuts are on").check()
    assert watched.faults == []


def test_keys_pressed_before_the_answer_are_all_done_and_each_says_what_it_was(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, BEES)
    deed(page, mine(page).last, "delete")
    expect(mine(page)).to_have_count(1)
    deed(page, mine(page).first, "hide")
    expect(mine(page).first).to_contain_text("hidden")
    page.evaluate("() => { keepsake.undo(); keepsake.undo(); }")
    toast(page, "Taken back: delete")
    expect(mine(page)).to_have_count(2)
    expect(mine(page).first).not_to_contain_text("hidden")
    page.evaluate("() => { keepsake.redo(); keepsake.redo(); }")
    toast(page, "Done again: hide")
    expect(mine(page)).to_have_count(1)
    expect(mine(page).first).to_contain_text("hidden")
    expect(page.locator("#k-banner .k-banner")).to_have_count(0)
    assert watched.faults == []


def test_names_and_last_lines_fit_where_they_are_asked_for_and_shown(stage: Stage) -> None:
    watched = stage.open()
    page = watched.page
    stage.talk(page, LEITH, ("And then?", "a long line of many words " * 8))
    deed(page, newest(page), "checkpoint")
    page.get_by_role("textbox", name="Name").press_sequentially("n" * 99)
    page.keyboard.press("Enter")
    toast(page, "n" * 80).get_by_role("button", name="Branches").click()
    expect(page.get_by_role("treeitem")).to_have_count(2)
    assert page.evaluate(
        """() => { const dialog = document.querySelector(".k-dialog").getBoundingClientRect();
        return [...document.querySelectorAll("[role=treeitem]")].every((row) => row.getBoundingClientRect().right <= dialog.right); }"""
    )
    assert watched.faults == []


def test_a_phone_has_a_sheet_for_everything(stage: Stage) -> None:
    watched = stage.open(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme="dark")
    page = watched.page
    page.locator(".k-cover", has_text="Nell").click()
    stage.exchange(page, *LEITH, 2)
    stage.plays("Another.")
    newest(page).locator("[data-leaf='1']").tap()
    wording(page, "2/2")
    page.evaluate(
        """() => { const leaf = document.querySelector('.k-newest .k-prose'); const box = leaf.getBoundingClientRect();
        const at = (type, x) => leaf.dispatchEvent(new PointerEvent(type, { pointerType: 'touch', bubbles: true, clientX: x, clientY: box.top + 5 }));
        at('pointerdown', 100); at('pointermove', 180); at('pointerup', 200); }"""
    )
    wording(page, "1/2")
    page.evaluate(
        """() => { const leaf = document.querySelector('.k-reader-says .k-prose');
        leaf.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'touch', bubbles: true, clientX: 100, clientY: 100 })); }"""
    )
    sheet = page.locator("dialog.k-sheet")
    expect(sheet).to_contain_text("Branch from here")
    shot(page, "phone-sheet")
    sheet.locator("[data-deed=branch]").tap()
    expect(page.locator("#k-branch")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
    page.locator("#k-branch").tap()
    rows = page.get_by_role("treeitem")
    expect(rows).to_have_count(2)
    shot(page, "phone-tree")
    rows.first.get_by_role("button", name="Go there").tap()
    expect(page.locator("#k-branch")).to_contain_text("Main line")
    page.locator("#k-chat-menu").tap()
    expect(sheet).to_contain_text("Undo: change of branch")
    sheet.locator("[data-deed=undo]").tap()
    expect(page.locator("#k-branch")).to_contain_text("From round 1")
    assert watched.faults == []
