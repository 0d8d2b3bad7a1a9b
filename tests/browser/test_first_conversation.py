"""The whole path with nothing replaced: the bundled model, the bundled embedder, SQLite, Chroma, Chromium."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, expect

from evaluation.bench.conversation import made_rounds
from tests.browser.conftest import ROOT, App, Cold, watch
from tests.browser.stage import REPLY_MS, open_episodes, say, start_chat, wait_for_reply

pytestmark = [pytest.mark.browser, pytest.mark.long]

EARLY = "By the way, my aunt Wilhelmina breeds blue lobsters in a flooded quarry near Tarn."
QUESTION = "What does my aunt Wilhelmina breed?"


def memory_of(app: App) -> int:
    """Bytes held by the program and its children: private memory and its share of what is common."""
    assert app.process is not None
    parent = psutil.Process(app.process.pid)
    return sum(p.memory_full_info().pss for p in (parent, *parent.children(recursive=True)))


def test_a_person_talks_leaves_and_comes_back(browser: Browser, tmp_path: Path) -> None:
    app = Cold(tmp_path / "data", {})
    app.start()
    try:
        watched = watch(browser)
        page = watched.page
        page.goto(app.url)
        start_chat(page, "Nell")
        say(page, "My dog is called Biscuit, and thunder frightens him.")
        wait_for_reply(page, 2)
        open_episodes(page)
        expect(page.locator("#k-memories")).to_contain_text("Biscuit")
        page.get_by_role("tab", name="Receipt").click()
        expect(page.locator("#k-receipt")).to_contain_text("My dog is called Biscuit")
        say(page, "What is he called?")  # now the first round is final, and the parser is loaded to read it
        wait_for_reply(page, 3)
        page.get_by_role("tab", name="Persona").click()
        expect(page.locator("#k-persona [data-key=pets]")).to_contain_text("dog", timeout=240_000)
        assert memory_of(app) < 1.2e9
        address = page.url
        page.close()
        again = watch(browser)
        again.page.goto(address)
        expect(again.page.locator("#k-transcript")).to_contain_text("My dog is called Biscuit")
        expect(again.page.locator("#k-transcript .k-character-says")).to_have_count(3)
        again.page.get_by_role("button", name="中文").click()
        again.page.locator("#k-shelf .k-open-models").click()
        models = again.page.get_by_role("dialog", name="模型")
        expect(models.locator("[data-role=chat]")).to_contain_text("自带的 SmolLM2")
        again.page.keyboard.press("Escape")
        for tab in ("回执", "状态"):
            again.page.get_by_role("tab", name=tab).click()
            expect(again.page.locator("#k-house")).to_contain_text("自带的 SmolLM2")
        assert "bundled" not in again.page.locator("#k-house").inner_text()
        assert watched.faults + again.faults == []
    finally:
        assert app.stop() == 0


def test_what_was_said_two_hundred_turns_ago_is_found_again(browser: Browser, tmp_path: Path) -> None:
    app = Cold(tmp_path / "data", {})
    _import_long_story(tmp_path, app.data)
    app.start()
    try:
        watched = watch(browser)
        page = watched.page
        page.goto(app.url)
        page.locator(".k-chat", has_text="Ada").first.click()
        messages = page.locator("#k-transcript .k-message")
        expect(messages.first).to_be_visible()
        shown = messages.count()
        assert 0 < shown <= 60
        page.get_by_role("button", name="Earlier messages").click()
        expect(messages).to_have_count(shown + 60)
        for line in ("Good evening.", QUESTION):  # the first reply meets an embedder that is not there yet, and other tests beside it
            say(page, line)
            expect(page.locator("#k-live")).not_to_be_empty()
            expect(page.locator("#k-send[data-does=send]")).to_be_visible(timeout=REPLY_MS)
        expect(page.locator("#k-transcript .k-character-says").last).to_be_visible()
        page.get_by_role("tab", name="Receipt").click()
        panel = page.locator("#k-receipt")
        expect(panel).to_contain_text(QUESTION, timeout=REPLY_MS)
        expect(panel.locator(".k-candidate").first).to_contain_text("Wilhelmina")
        best = panel.locator(".k-candidate", has_text=EARLY).first
        expect(best).to_have_attribute("data-delivered", "true")
        page.get_by_text("The prompt as it was sent").click()
        prompt = page.locator(".k-prompt")
        expect(prompt).to_contain_text(EARLY)
        sent = prompt.inner_text()
        assert sent.index(EARLY) < sent.rindex(QUESTION)
        best.get_by_role("button", name=re.compile("round 4")).click()
        expect(page.locator("#k-transcript .k-reader-says[data-round='4']")).to_contain_text("Wilhelmina")
        expect(page.locator("#k-transcript .k-reader-says[data-round='4']")).to_be_in_viewport()
        assert watched.faults == []
    finally:
        app.stop()


def _import_long_story(folder: Path, data: Path) -> None:
    """Two hundred turns in twenty sessions, laid out like LoCoMo's, through the command a person uses."""
    start = datetime.fromisoformat("2023-02-01T18:00:00+00:00")
    conversation: dict[str, object] = {"speaker_a": "Ada", "speaker_b": "Bruno"}
    turns = list(made_rounds(100, seed=42, start=start))
    for session in range(1, 21):
        at = start + timedelta(days=3 * session)
        conversation[f"session_{session}_date_time"] = f"{at:%I:%M} {'pm' if at.hour > 11 else 'am'} on {at.day} {at:%B}, {at:%Y}".lstrip(
            "0"
        )
        rows = []
        for number, made in enumerate(turns[(session - 1) * 5 : session * 5]):
            said = EARLY if (session, number) == (1, 3) else made.user
            rows += [
                {"speaker": "Ada", "dia_id": f"D{session}:{2 * number + 1}", "text": said},
                {"speaker": "Bruno", "dia_id": f"D{session}:{2 * number + 2}", "text": made.reply},
            ]
        conversation[f"session_{session}"] = rows
    file = folder / "story.json"
    file.write_text(json.dumps([{"sample_id": "made-1", "conversation": conversation}]), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "chat.importer", str(file), "--user", "Ada", "--character", "Bruno"],
        cwd=ROOT,
        env={**os.environ, "KEEPSAKE_DATA_DIR": str(data)},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "200 new of 200" in done.stdout
