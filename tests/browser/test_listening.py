"""A conversation that listens, on the page: who speaks is chosen, lines stand without an answer, and what another program brings is there at once."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import make_app
from tests.browser.stage import toast, watch

pytestmark = [pytest.mark.browser, pytest.mark.long]
LINES = (("Zoe", "I play the cello in the harbour band."), ("Ivo", "I have a dog called Pepper."))


def test_lines_are_written_and_brought_and_taken_up(browser: Browser, tmp_path: Path) -> None:
    app = make_app(tmp_path)
    app.start()
    try:
        page = watch(browser).page
        page.add_init_script("localStorage.setItem('keepsake.seen', '1')")
        page.goto(app.url)
        page.locator(".k-open-hearing").first.click()
        page.locator("[data-listener='builtin:nell-garrow']").click()
        page.locator("#k-hear-player").fill("Mara")
        page.get_by_role("button", name="Begin to listen").click()
        expect(page.locator("[data-speaker=Mara]")).to_have_attribute("aria-checked", "true")
        box, said = page.locator("#k-text"), page.locator("#k-transcript .k-message")
        box.fill("I moved to Porto in January.")
        box.press("Enter")
        expect(said).to_have_count(1)
        expect(box).to_have_value("")
        page.locator(".k-add-speaker").click()
        name = page.locator("dialog[data-dialog=prompt] input")
        name.fill("Ivo")
        name.press("Enter")
        expect(page.locator("[data-speaker=Ivo]")).to_have_attribute("aria-checked", "true")
        box.fill("I keep bees behind the boathouse.")
        box.press("Enter")
        expect(said).to_have_count(2)
        expect(said.last.locator("b").first).to_have_text("Ivo")
        box.press("Alt+1")
        expect(page.locator("[data-speaker=Mara]")).to_have_attribute("aria-checked", "true")
        expect(page.locator("#k-waiting, .k-waiting button")).to_have_count(0)

        page.locator("#k-chat-menu").click()
        page.locator("dialog.k-menu [data-deed=feeds], dialog.k-menu button", has_text="another program").first.click()
        page.locator("[data-choice=make]").click()
        token = page.locator(".k-token pre").first.inner_text()
        address = page.locator("dialog[data-dialog=feeds] pre").first.inner_text()
        page.keyboard.press("Escape")
        body = "\n".join(json.dumps({"speaker": speaker, "text": text}) for speaker, text in LINES).encode()
        asked = urllib.request.Request(address, data=body, headers={"Authorization": f"Bearer {token}"}, method="POST")
        with urllib.request.urlopen(asked, timeout=240) as answer:
            assert json.loads(answer.read())["added"] == 2
        expect(said).to_have_count(4)
        expect(page.locator("[data-speaker=Zoe]")).to_be_visible()
        expect(page.locator("#k-transcript .k-remembered").last).to_be_visible()
        page.locator("#k-transcript .k-remembered").last.click()
        expect(page.locator("#k-receipt")).to_contain_text("Nobody answered it")

        page.locator("#k-chat-menu").click()
        page.locator("dialog.k-menu button", has_text="Talk with Nell Garrow from here").click()
        toast(page, "remembers what was heard")
        expect(page.locator("#k-send[data-does=send]")).to_have_text(re.compile("Send"))
        expect(page.locator(".k-speakers")).to_be_hidden()
        page.close()
    finally:
        app.stop()
