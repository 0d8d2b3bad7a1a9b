"""The real program in a process of its own, and Chromium in front of it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

from tests.browser.forking import Forge, Forked
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium_path() -> str | None:
    return os.environ.get("KEEPSAKE_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium_path()
    if path is None:
        message = "NO BROWSER: install Chromium or set KEEPSAKE_CHROMIUM; the page was NOT tested"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    expect.set_options(timeout=240_000)  # other tests run beside these: what is waited for is that it comes, not when
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()
    if forge.cache_info().currsize:
        forge().close()
        forge.cache_clear()


GOING = re.compile(
    r"AbortError|errored out|net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)|503 \(Service"
)
"""What Gradio's client logs about its own requests when its page goes away, and a browser when the program goes before its page, as at the end of a test: its queue
answers 503 while it stops, then nobody answers."""
WATCHED: list[Watched] = []
"""Of the test that runs."""


@pytest.fixture(autouse=True)
def tidy(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close the pages of a test behind it: each goes on asking its server for news, at six per cent of a core. Whatever a test looked at, a page of it that
    complained, warned, or asked another host for something fails it."""
    WATCHED.clear()
    yield
    if "browser" in request.fixturenames:
        for context in request.getfixturevalue("browser").contexts:
            context.close()
    faults = [fault for watched in WATCHED for fault in watched.unexpected()]
    assert faults == [], faults


@dataclass
class Watched:
    """A page and everything it should not have done, it and whatever was opened beside it."""

    page: Page
    faults: list[str] = field(default_factory=list)
    provoked: list[str] = field(default_factory=list)

    def expects(self, pattern: str) -> None:
        """Faults that the test itself brings about, as a browser notes every answer that refuses something."""
        self.provoked.append(pattern)

    def unexpected(self) -> list[str]:
        return [fault for fault in self.faults if not GOING.search(fault) and not any(re.search(one, fault) for one in self.provoked)]

    def reload(self) -> None:
        """Reload. What Gradio's client logs about its own requests while the old page goes away is not a fault of the new one."""
        before = list(self.faults)
        self.page.reload()
        self.faults[:] = before + [f for f in self.faults[len(before) :] if not GOING.search(f)]


def watch(browser: Browser, **context: object) -> Watched:
    opened = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **context})  # type: ignore[arg-type]
    page = opened.new_page()
    page.set_default_timeout(120_000)
    watched = Watched(page)
    WATCHED.append(watched)

    def console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            watched.faults.append(f"console: {message.text}")

    def request(made: Request) -> None:
        here = urlsplit(page.url)
        there = urlsplit(made.url)
        if there.scheme in ("data", "blob"):
            return
        if there.hostname != "127.0.0.1" or (here.scheme == "http" and not made.is_navigation_request() and there.netloc != here.netloc):
            watched.faults.append(f"request: {made.url}")

    opened.on("console", console)
    opened.on("weberror", lambda error: watched.faults.append(f"error: {error.error}"))
    opened.on("request", request)
    return watched


@cache
def forge() -> Forge:
    """One for all tests of a process."""
    return Forge()


@dataclass
class App:
    """The program on a data folder."""

    data: Path
    environment: dict[str, str]
    port: int = 0
    process: Forked | subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        self.port = free_port()
        log = self.data.parent / f"app-{self.port}.log"
        environment = {**os.environ, "KEEPSAKE_DATA_DIR": str(self.data), "KEEPSAKE_PORT": str(self.port), **self.environment}
        self.process = self.begun(environment, log)
        started = time.monotonic()
        while True:
            assert self.process.poll() is None, log.read_text()
            assert time.monotonic() - started < 180, "the page did not answer"
            try:
                with urllib.request.urlopen(self.url, timeout=2) as answer:
                    answer.read()
                break
            except OSError:
                time.sleep(0.1)

    def begun(self, environment: dict[str, str], log: Path) -> Forked | subprocess.Popen[bytes]:
        return forge().start(environment, log)

    def kill(self) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """The pages that show it go first: they would complain of its end, a reply cut short among their complaints."""
        assert self.process is not None
        for watched in WATCHED:
            if watched.page.url.startswith(self.url):
                watched.page.context.close()
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(240)


class Cold(App):
    """Started as a person does: `python app.py`, with nothing imported yet."""

    def begun(self, environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
        with log.open("wb") as written:
            return subprocess.Popen(
                [sys.executable, "app.py"], cwd=ROOT, env=environment, stdout=written, stderr=written, start_new_session=True
            )


def make_app(folder: Path, **environment: str) -> App:
    return App(folder / "data", environment)
