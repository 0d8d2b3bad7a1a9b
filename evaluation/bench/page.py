"""The page in a real browser with a conversation of 2,000 messages: how soon it opens, whether anything holds it up while replies stream and memory works,
and what scrolling back through all of it costs. Needs Chromium."""

from __future__ import annotations

import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from tqdm import tqdm

from chat.assembly import Memory, open_memory
from chat.cast import character_named
from chat.importer import Cast, Importer
from evaluation.bench.long_talk import LANGUAGES, long_talk
from evaluation.bench.page_house import PIECES_A_SECOND
from evaluation.records import Figure
from settings import Settings
from storage.scope import LOCAL_USER

START = datetime(2024, 3, 1, tzinfo=UTC)
MESSAGES = 2_000
TIMES = 7
REPLIES = 5
OPEN_LIMIT_S = 1.5
TASK_LIMIT_S = 0.1
SHEETS = ("story", "persona", "insights", "topics", "memories", "receipt")
SIZES = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
]
WAIT_MS = 120_000
PROBE = (Path(__file__).parent / "page_probe.js").read_text(encoding="utf-8")


@dataclass
class Streamed:
    """What was seen while replies streamed. Seconds."""

    tasks: list[float] = field(default_factory=list)
    """Long tasks (over 50 ms), as the browser counts them."""
    gaps: list[float] = field(default_factory=list)
    """Between two frames, where over 50 ms."""
    waits: list[float] = field(default_factory=list)
    """From a key to the next frame, as the browser counts them: over 16 ms."""
    shifts: list[float] = field(default_factory=list)
    """A reply's layout shifts, summed."""
    sheets: list[float] = field(default_factory=list)
    """From choosing a sheet until it shows what it holds."""
    receipts: list[float] = field(default_factory=list)
    """From the end of a reply until its receipt is there."""

    def add(self, told: dict[str, Any]) -> None:
        self.tasks += [entry[1] / 1000 for entry in told["tasks"]]
        self.gaps += [entry[1] / 1000 for entry in told["gaps"]]
        self.waits += [entry[1] / 1000 for entry in told["events"]]


def chromium_path() -> str:
    """Raises RuntimeError where there is none: these figures cannot be had otherwise."""
    found = os.environ.get("KEEPSAKE_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if found is None:
        raise RuntimeError("no browser: install Chromium or set KEEPSAKE_CHROMIUM")
    return found


def page_figures(
    *, messages: int = MESSAGES, times: int = TIMES, replies: int = REPLIES, remembered: int | None = None
) -> Iterator[Figure]:
    """times: how often each opening is measured; remembered: tasks of the measured conversation that memory has done, None for all. The other
    conversation's wait in the queue, so memory is at work all the while."""
    with tempfile.TemporaryDirectory() as name:
        chats = prepare(Path(name), messages=messages, remembered=remembered)
        with _served(Path(name)) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
            for size in SIZES:
                yield from opening(browser, url, chats, size, times=times)
            for size in SIZES:
                yield from streaming(browser, url, chats["en"], size, replies=replies)
                yield from worked(browser, url, chats["en"], size, replies=replies)
            yield from scrolling_back(browser, url, chats["en"], messages=messages)
            browser.close()


def figure(metric: str, value: float, *, n: int, category: str, unit: str) -> Figure:
    return Figure(task="efficiency", dataset="made", system="keepsake", category=category, unit=unit, metric=metric, value=value, n=n)


def prepare(folder: Path, *, messages: int, remembered: int | None) -> dict[str, str]:
    """Two conversations of so many messages each, by language: the English one remembered, the Chinese one's rounds in the queue."""
    chats = {}
    memory = open_memory(Settings(data_dir=folder))
    try:
        for language, words in LANGUAGES.items():
            character = character_named(memory.store, LOCAL_USER, words.character, language=language)
            talk = long_talk(messages, language=language, seed=1, start=START)
            importer = Importer(memory.store, talk, Cast(words.player, words.character), character_id=character, language=language)
            with tqdm(disable=True) as progress:
                importer.write(progress)
            chats[language] = importer.chat_id
            if language == "en":
                _remember(memory, remembered)
    finally:
        memory.close()
    return chats


def _remember(memory: Memory, tasks: int | None) -> None:
    done = 0
    while done != tasks and (task := memory.store.tasks.lease()) is not None:
        memory.engine.run(task)
        memory.store.tasks.finish(task)
        done += 1


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "evaluation.bench.page_house", str(folder), str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).resolve().parents[2])
    try:
        assert process.stdout is not None
        if "READY" not in process.stdout.readline():
            raise RuntimeError("the page was not served")
        url = f"http://127.0.0.1:{port}/"
        with urllib.request.urlopen(url, timeout=30) as answer:
            answer.read()
        yield url
    finally:
        process.terminate()
        process.wait(60)


def _page(browser: Browser, size: str) -> Page:
    """In a browser context of its own, with nothing cached."""
    page = browser.new_context(viewport=SIZES[size], has_touch=size == "phone").new_page()  # type: ignore[arg-type]
    page.set_default_timeout(WAIT_MS)
    page.add_init_script(PROBE)
    page.add_init_script("localStorage.setItem('keepsake.seen', '1')")
    return page


def opening(browser: Browser, url: str, chats: dict[str, str], size: str, *, times: int) -> Iterator[Figure]:
    """Seconds from following the address until the newest message is in view and the box takes text: in a browser that has never been here, in one that has, and
    from another conversation."""
    at = f"{url}?chat={chats['en']}"
    found: dict[str, list[float]] = {"cold": [], "again": [], "switch": []}
    long: list[float] = []
    worked: list[float] = []
    for _ in range(times):
        page = _page(browser, size)
        tools = page.context.new_cdp_session(page)
        tools.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(at)
        found["cold"].append(_shown(page))
        worked.append(next(m["value"] for m in tools.send("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration"))
        page.wait_for_timeout(500)
        long.append(max((entry[1] / 1000 for entry in page.evaluate("probe.told()")["tasks"]), default=0.0))
        page.reload()
        found["again"].append(_shown(page))
        page.wait_for_timeout(500)
        for there in ("zh", "en"):
            found["switch"].append(page.evaluate("chat => probe.goTo(chat)", chats[there]) / 1000)
            page.wait_for_timeout(300)
        page.context.close()
    for way, seconds in found.items():
        category = f"open, {way}, {size}"
        yield figure("open_median_seconds", statistics.median(seconds), n=len(seconds), category=category, unit="opening")
        yield figure("open_best_seconds", min(seconds), n=len(seconds), category=category, unit="opening")
        yield figure("open_max_seconds", max(seconds), n=len(seconds), category=category, unit="opening")
        yield figure("open_limit_seconds", OPEN_LIMIT_S, n=len(seconds), category=category, unit="opening")
    category = f"open, cold, {size}"
    yield figure("longest_task_median_seconds", statistics.median(long), n=len(long), category=category, unit="opening")
    # What the page itself works, whoever else has the processors meanwhile.
    yield figure("processor_median_seconds", statistics.median(worked), n=len(worked), category=category, unit="opening")


def _shown(page: Page) -> float:
    page.wait_for_function("probe.shown !== null")
    return float(page.evaluate("probe.shown")) / 1000


def streaming(browser: Browser, url: str, chat: str, size: str, *, replies: int) -> Iterator[Figure]:
    """While replies stream, the player types and turns through the sheets (on a phone: types)."""
    page = _opened(browser, url, chat, size)
    seen = _replied(page, size, replies=replies)
    page.context.close()
    yield from _of_streaming(seen, size)


def worked(browser: Browser, url: str, chat: str, size: str, *, replies: int) -> Iterator[Figure]:
    """The same once more, traced: the seconds that the page's thread itself worked in its longest tasks. A browser counts a task as long while its thread waits for
    a processor as well, which server, worker and model share with it here."""
    page = _opened(browser, url, chat, size)
    browser.start_tracing(page=page, categories=["toplevel"])
    try:
        _replied(page, size, replies=replies)
    finally:
        events = json.loads(browser.stop_tracing())["traceEvents"]
    page.context.close()
    tasks = _processor_seconds(events)
    category = f"streaming, {size}"
    yield figure("longest_task_processor_seconds", max(tasks, default=0.0), n=replies, category=category, unit="reply")
    yield figure(
        "tasks_over_limit_processor", float(sum(task > TASK_LIMIT_S for task in tasks)), n=replies, category=category, unit="reply"
    )


def _processor_seconds(events: list[dict[str, Any]]) -> list[float]:
    """What each task of the pages' main threads took of a processor."""
    main = {(e["pid"], e["tid"]) for e in events if e.get("name") == "thread_name" and e["args"].get("name") == "CrRendererMain"}
    tasks = [e for e in events if e.get("ph") == "X" and e["name"] == "ThreadControllerImpl::RunTask" and (e["pid"], e["tid"]) in main]
    if not any("tdur" in e for e in tasks):
        raise RuntimeError("this browser's trace does not say what its tasks take of a processor")
    return [e.get("tdur", 0) / 1e6 for e in tasks]


def _opened(browser: Browser, url: str, chat: str, size: str) -> Page:
    page = _page(browser, size)
    page.goto(f"{url}?chat={chat}")
    _shown(page)
    page.wait_for_timeout(1500)
    return page


def _replied(page: Page, size: str, *, replies: int) -> Streamed:
    seen = Streamed()
    for number in range(replies):
        page.evaluate("probe.clear()")
        page.locator("#k-text").fill(f"Tell me the whole of it, from the beginning, the {number + 1}th time.")
        page.locator("#k-text").press("Enter")
        page.wait_for_function("document.querySelector('#k-live .k-prose')?.textContent.length > 40")
        page.locator("#k-text").click()
        for sheet in SHEETS if size == "desktop" else ():
            page.keyboard.type("so ", delay=40)
            seen.sheets.append(_turned(page, sheet))
            page.locator("#k-text").focus()
        page.keyboard.type("and then it was evening on the breakwater ", delay=60)
        page.wait_for_function("document.querySelector('#k-send').dataset.does === 'send'")
        ready = "document.querySelector('#k-receipt .k-surface')?.innerText.includes(wanted)"
        waited = page.evaluate(f"wanted => probe.until(() => {ready})", f"the {number + 1}th time") if size == "desktop" else None
        if waited is not None:
            seen.receipts.append(waited / 1000)
        page.wait_for_timeout(300)
        told = page.evaluate("probe.told()")
        seen.add(told)
        seen.shifts.append(sum(entry[1] for entry in told["shifts"]))
        page.locator("#k-text").fill("")
    return seen


def _turned(page: Page, sheet: str) -> float:
    """Seconds until a sheet that was chosen shows what it holds."""
    full = f"!document.querySelector('#k-{sheet}').innerText.includes(keepsake.t('loading')) && document.querySelector('#k-{sheet}').innerText.length > 20"
    turn = f"() => {{ document.querySelector('#k-tab-{sheet}').click(); return probe.until(() => {full}); }}"
    return float(page.evaluate(turn)) / 1000


def _of_streaming(seen: Streamed, size: str) -> Iterator[Figure]:
    n = len(seen.shifts)
    category = f"streaming, {size}"
    over = sum(task > TASK_LIMIT_S for task in seen.tasks)
    for metric, value in (
        ("pieces_a_second", PIECES_A_SECOND),
        ("long_tasks", float(len(seen.tasks))),
        ("tasks_over_limit", float(over)),
        ("longest_task_seconds", max(seen.tasks, default=0.0)),
        ("longest_frame_seconds", max(seen.gaps, default=0.0)),
        ("longest_input_seconds", max(seen.waits, default=0.0)),
        ("layout_shift_max", max(seen.shifts)),
    ):
        yield figure(metric, value, n=n, category=category, unit="reply")
    for metric, values in (("sheet", seen.sheets), ("receipt", seen.receipts)):
        if values:
            yield figure(f"{metric}_median_seconds", statistics.median(values), n=len(values), category=category, unit=metric)
            yield figure(f"{metric}_max_seconds", max(values), n=len(values), category=category, unit=metric)


def scrolling_back(browser: Browser, url: str, chat: str, *, messages: int) -> Iterator[Figure]:
    """Window by window up to the first message, then down by wheel, and a reply with as much on the page as there can be."""
    page = _page(browser, "desktop")
    page.goto(f"{url}?chat={chat}")
    _shown(page)
    page.wait_for_timeout(1000)
    page.evaluate("probe.clear()")
    windows: list[float] = []
    passed: set[str] = set()
    more = "document.querySelector('#k-transcript .k-edge:first-child button:not(:disabled)')"
    first = "document.querySelector('#k-transcript .k-message').dataset.id"
    while page.evaluate(f"{more} !== null"):
        windows.append(page.evaluate(f"() => {{ const was = {first}; {more}.click(); return probe.until(() => {first} !== was); }}") / 1000)
        passed |= set(page.evaluate("[...document.querySelectorAll('#k-transcript .k-message')].map((node) => node.dataset.id)"))
        page.wait_for_function(f"{more} !== null || document.querySelector('#k-transcript .k-edge:first-child').childElementCount === 0")
    told = page.evaluate("probe.told()")
    if len(passed) < messages:
        raise RuntimeError(f"{len(passed)} of {messages} messages were there")
    category = "scrolling back"
    yield figure("messages", float(len(passed)), n=1, category=category, unit="window")
    yield figure("window_median_seconds", statistics.median(windows), n=len(windows), category=category, unit="window")
    yield figure("window_max_seconds", max(windows), n=len(windows), category=category, unit="window")
    yield from _tasks(told, category)
    yield figure("nodes", float(told["nodes"]), n=1, category=category, unit="window")
    yield from _wheeled(page)
    page.context.close()


def _wheeled(page: Page) -> Iterator[Figure]:
    page.evaluate("probe.clear()")
    page.locator("#k-scroll").hover()
    for _ in range(60):
        page.mouse.wheel(0, 1500)
        page.wait_for_timeout(16)
    yield from _tasks(page.evaluate("probe.told()"), "wheel")
    page.locator(".k-latest").click()
    page.evaluate("probe.clear()")
    page.locator("#k-text").fill("And now?")
    page.locator("#k-text").press("Enter")
    page.wait_for_function("document.querySelector('#k-live .k-prose')?.textContent.length > 400")
    page.locator("#k-send").click()
    page.wait_for_function("document.querySelector('#k-send').dataset.does === 'send'")
    page.wait_for_timeout(500)
    yield from _tasks(page.evaluate("probe.told()"), "a reply afterwards")


def _tasks(told: dict[str, Any], category: str) -> Iterator[Figure]:
    tasks = [entry[1] / 1000 for entry in told["tasks"]]
    yield figure("tasks_over_limit", float(sum(task > TASK_LIMIT_S for task in tasks)), n=1, category=category, unit="page")
    yield figure("longest_task_seconds", max(tasks, default=0.0), n=1, category=category, unit="page")
    yield figure(
        "longest_frame_seconds", max((entry[1] / 1000 for entry in told["gaps"]), default=0.0), n=1, category=category, unit="page"
    )
