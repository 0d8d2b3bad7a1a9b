"""What browser tests do over and over: talk on the page, look at what stands there, and play a scripted model against it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import App, Watched, make_app, watch
from tests.models.openai_endpoint import Answer, OpenAIEndpoint

REPLY_MS = 240_000
"""The bundled model on two busy cores."""
LEITH = ("My name is Mara and I live in Leith.", "Noted.")
BEES = ("My brother Tobias keeps bees.", "Bees are weather.")


def start_chat(page: Page, name: str) -> None:
    page.locator("#k-shelf .k-character", has_text=name).click()
    expect(page.locator("#k-transcript .k-message").first).to_be_visible()


def say(page: Page, text: str) -> None:
    page.locator("#k-text").fill(text)
    page.locator("#k-text").press("Enter")
    expect(page.locator("#k-transcript .k-reader-says", has_text=text[:60]).last).to_be_visible()


def open_episodes(page: Page) -> None:
    page.get_by_role("tab", name=re.compile("^(Memories|记忆)$")).click()
    page.locator("#k-memories [data-choice=episode]").click()


def wait_for_reply(page: Page, count: int) -> None:
    """Until the transcript holds `count` messages of the character and nothing is being written."""
    expect(page.locator("#k-transcript .k-character-says")).to_have_count(count, timeout=REPLY_MS)
    expect(page.locator("#k-send[data-does=send]")).to_be_visible(timeout=REPLY_MS)


def shot(page: Page, name: str) -> None:
    folder = os.environ.get("KEEPSAKE_SHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.wait_for_timeout(500)
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


def mine(page: Page) -> Locator:
    return page.locator("#k-transcript .k-reader-says")


def newest(page: Page) -> Locator:
    return page.locator("#k-transcript .k-newest")


def wording(page: Page, said: str) -> None:
    expect(newest(page).locator(".k-leaf-count")).to_have_text(said)


def deed(page: Page, message: Locator, name: str) -> None:
    """From the menu of a message."""
    message.hover()
    message.locator("[data-deed=more]").click()
    page.locator(f"dialog.k-menu [data-deed={name}]").click()


def toast(page: Page, words: str) -> Locator:
    found = page.locator(".k-toast", has_text=words)
    expect(found).to_be_visible()
    return found


def lives_in(page: Page, place: str) -> None:
    expect(page.locator("#k-persona [data-key=residence] .k-value-text").first).to_have_text(place, timeout=240_000)


@dataclass
class Stage:
    app: App
    endpoint: OpenAIEndpoint
    browser: Browser

    def open(self, url: str = "", **context: object) -> Watched:
        watched = watch(self.browser, **context)
        watched.page.add_init_script("localStorage.setItem('keepsake.seen', '1')")
        watched.page.goto(url or self.app.url)
        return watched

    def plays(self, *replies: str, between_s: float = 0.0) -> None:
        self.endpoint.enqueue(*(Answer(pieces=[f"{word} " for word in reply.split(" ")], between_s=between_s) for reply in replies))

    def talk(self, page: Page, *lines: tuple[str, str]) -> None:
        """A new chat in which each line was said and answered."""
        start_chat(page, "Nell")
        for number, (line, reply) in enumerate(lines, start=2):
            self.exchange(page, line, reply, number)

    def exchange(self, page: Page, line: str, reply: str, count: int) -> None:
        """A line is said and answered; then the transcript holds `count` messages of the character."""
        self.plays(reply)
        say(page, line)
        wait_for_reply(page, count)


@contextlib.contextmanager
def staged(browser: Browser, folder: Path, **environment: str) -> Iterator[Stage]:
    """An app with a folder of its own, in which the scripted model answers."""
    with OpenAIEndpoint() as endpoint:
        model = {"KEEPSAKE_CHAT_MODEL": "openai/scripted", "KEEPSAKE_CHAT_API_BASE": endpoint.url, "KEEPSAKE_CHAT_API_KEY": "k"}
        app = make_app(folder, **model, **environment)
        app.start()
        yield Stage(app, endpoint, browser)
        app.stop()
