"""Memory on the page: switched off and on, and taken along into another conversation and out as a file and in again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.stage import LEITH, lives_in, say, staged, toast, wait_for_reply

pytestmark = [pytest.mark.browser, pytest.mark.long]


def from_menu(page: Page, deed: str) -> None:
    page.locator("#k-chat-menu").click()
    page.locator(f"dialog.k-menu [data-deed={deed}]").click()


def test_memory_is_switched_off_and_says_so_and_catches_up(browser: Browser, tmp_path: Path) -> None:
    with staged(browser, tmp_path) as stage:
        page = stage.open().page
        stage.talk(page, LEITH)
        page.locator("#k-tabs [data-remember=off]").click()
        toast(page, "Nothing is remembered here now")
        row = page.locator(".k-off-row")
        expect(row).to_be_visible()
        expect(page.locator("#k-masthead .k-memory-off")).to_be_visible()
        stage.exchange(page, "My brother Tobias keeps bees.", "Bees are weather.", 3)
        page.get_by_role("tab", name="Receipt").click()
        expect(page.locator("#k-receipt .k-degraded")).to_contain_text("Memory was off")
        page.get_by_role("tab", name="Memories").click()
        expect(page.locator("#k-memories .k-working")).to_contain_text("Off:")
        row.get_by_role("button").click()
        expect(row).to_be_hidden()
        stage.exchange(page, "Hm.", "Yes?", 4)
        expect(page.locator("#k-memories .k-memory", has_text="Tobias")).to_have_count(1, timeout=240_000)
        page.close()


def test_what_is_remembered_comes_along_and_goes_by_a_file(browser: Browser, tmp_path: Path) -> None:
    with staged(browser, tmp_path) as stage:
        page = stage.open(timezone_id="Asia/Kolkata").page
        stage.talk(page, LEITH)
        stage.exchange(page, "My brother Tobias keeps bees.", "Bees are weather.", 3)
        stage.exchange(page, "Hm.", "Yes?", 4)
        # The dialog looks once, when it opens: what it is to offer is known before.
        page.get_by_role("tab", name="Memories").click()
        expect(page.locator("#k-memories .k-memory", has_text="Tobias")).to_have_count(1, timeout=240_000)
        page.get_by_role("tab", name="Persona").click()
        lives_in(page, "Leith")
        first = page.url
        from_menu(page, "carrying")
        dialog = page.locator("dialog[data-dialog=carrying]")
        dialog.locator("[data-unfold=fact]").click()
        bees = dialog.locator(".k-offered-things label", has_text="Tobias").locator("input")
        expect(bees).to_be_checked()
        bees.uncheck()
        with page.expect_download() as going:
            dialog.locator("[data-way=export]").click()
            dialog.locator("[data-choice=json]").click()
        file = tmp_path / "a.memory.json"
        going.value.save_as(file)

        from_menu(page, "carrying")
        dialog.locator("[data-unfold=fact]").click()
        dialog.locator(".k-offered-things label", has_text="Tobias").locator("input").uncheck()
        with page.expect_request("**/keepsake/carrying") as asked:
            dialog.locator("[data-act=begin]").click()
        assert asked.value.post_data_json["offset"] == 330  # it begins on the wall of whoever speaks
        expect(page).not_to_have_url(first, timeout=240_000)
        lives_in(page, "Leith")
        expect(page.locator("#k-persona .k-carried").first).to_contain_text("from “Nell Garrow”, round 1")
        page.get_by_role("tab", name="Memories").click()
        expect(page.locator("#k-memories .k-memory", has_text="Leith")).to_have_count(1)
        expect(page.locator("#k-memories .k-memory", has_text="Tobias")).to_have_count(0)
        page.locator("#k-memories .k-memory", has_text="Leith").locator(".k-score").click()
        course = page.locator("#k-fading .k-close")
        expect(course.locator("svg.k-chart")).to_have_attribute("aria-label", re.compile("^Score from before this conversation to round 0"))
        expect(course.locator("header .k-carried")).to_contain_text("from “Nell Garrow”, round 1")
        expect(page.locator("#k-fading .k-fade footer .k-carried").first).to_contain_text("from “Nell Garrow”, round 1")
        course.locator(".k-item-menu").click()
        expect(page.locator("dialog.k-menu [data-deed=course]")).to_be_visible()
        expect(page.locator("dialog.k-menu").locator("[data-deed=source], [data-deed=round], [data-deed=rederive]")).to_have_count(0)
        page.keyboard.press("Escape")
        page.get_by_role("tab", name="Memories").click()

        from_menu(page, "carrying")
        dialog.locator("[data-way=import]").click()
        dialog.locator("input[type=file]").set_input_files(file)
        expect(dialog.locator("[data-act=take]")).to_be_enabled()
        held: list[Route] = []  # the dialog is closed before the answer is there
        page.route("**/keepsake/carrying", lambda route: held.append(route))
        with page.expect_request("**/keepsake/carrying"):
            dialog.locator("[data-act=take]").click()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        held[0].continue_()
        page.unroute("**/keepsake/carrying")
        told = toast(page, "came along")
        expect(page.locator("#k-memories .k-memory", has_text="Tobias")).to_have_count(1)
        told.get_by_role("button", name="Undo").click()
        expect(page.locator("#k-memories .k-memory", has_text="Tobias")).to_have_count(0)

        from_menu(page, "carrying")
        dialog.locator("[data-way=import]").click()
        dialog.locator("input[type=file]").set_input_files(file)
        expect(dialog.locator("[data-act=take]")).to_be_enabled()
        dialog.locator("[data-act=take]").click()
        toast(page, "came along")
        expect(page.locator("#k-memories .k-memory", has_text="Tobias")).to_have_count(1)
        stage.plays("He is my brother's bee.")
        say(page, "Who keeps bees?")
        wait_for_reply(page, 2)
        page.get_by_role("tab", name="Receipt").click()
        carried = page.locator("#k-receipt .k-candidate", has_text="Tobias").locator(".k-carried")
        expect(carried).to_contain_text("round 2")
        carried.click()
        expect(page).to_have_url(re.compile(re.escape(first.rsplit("/", 1)[-1].split("?")[-1])), timeout=240_000)
        page.close()


def offered(id: str, **changes: object) -> dict[str, object]:
    thing = {"id": id, "kind": "fact", "text": f"Thing {id}.", "key": "", "at": "2026-01-02T12:00:00+00:00", "first": 1, "last": 1}
    return {**thing, "title": "Elsewhere", "state": "living", "pinned": False, "may": True, "own": True, "there": False, **changes}


@pytest.mark.parametrize(
    ("locale", "own", "file", "only_its_own"),
    [
        ("en-GB", ("forgotten here", "left out here"), ("forgotten there", "left out there", "here already"), "the rest is this one’s own"),
        ("zh-CN", ("这里已淡忘", "这里已排除"), ("那边已淡忘", "那边已排除", "这里已有"), "其余的是这个角色自己的"),
    ],
)
def test_what_a_file_brings_is_told_from_where_it_comes_in(
    browser: Browser, tmp_path: Path, locale: str, own: tuple[str, ...], file: tuple[str, ...], only_its_own: str
) -> None:
    things = [offered("1", state="forgotten"), offered("2", state="left_out"), offered("3", own=False, may=False)]
    here = {"title": "Nell", "character": "Nell", "character_id": "builtin:nell-garrow", "player": "", "language": "en", "rounds": 1}
    file_name = tmp_path / "a.json"
    file_name.write_text("{}")

    def answer(route: Route) -> None:
        reads = route.request.post_data_json["do"] == "read"
        more = [offered("4", there=True)] if reads else []
        route.fulfill(json={"offer": {**here, "same": not reads, "things": [*things, *more]}})

    with staged(browser, tmp_path) as stage:
        page = stage.open(locale=locale).page
        stage.talk(page)
        page.route("**/keepsake/carrying", answer)
        from_menu(page, "carrying")
        dialog = page.locator("dialog[data-dialog=carrying]")
        dialog.locator("[data-unfold=fact]").click()
        for words in own:
            expect(dialog).to_contain_text(words)
        dialog.locator("#k-carrying-with").select_option("builtin:rafferty-moth")
        expect(dialog).to_contain_text(only_its_own)
        dialog.locator("[data-way=import]").click()
        dialog.locator("input[type=file]").set_input_files(file_name)
        for words in file:
            expect(dialog).to_contain_text(words)
        for words in (*own, only_its_own):
            expect(dialog).not_to_contain_text(words)
        page.close()
