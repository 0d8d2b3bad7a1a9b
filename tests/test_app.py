"""Starting the program where it cannot start: a clear sentence, and nothing touched."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tqdm import tqdm

from app import LAST_S, open_to_all
from chat.assembly import open_store
from chat.importer import Cast, Importer
from evaluation.bench.long_talk import long_talk
from evaluation.bench.page_client import PageClient
from evaluation.bench.soak import program
from personas.stories import STORIES
from settings import Settings
from storage.database import Database
from storage.folder import DataFolder
from storage.scope import LOCAL_USER, Scope
from tests.ports import free_port
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).resolve().parents[1]


def _start(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_a_taken_port(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = _start(KEEPSAKE_PORT=str(port), KEEPSAKE_DATA_DIR=str(tmp_path / "d"))
    assert done.returncode == 2
    assert f"Port {port}" in done.stderr
    assert "KEEPSAKE_PORT=" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "d").exists()


@pytest.mark.long
def test_a_folder_of_a_newer_version(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    Database(folder.database).close()
    with sqlite3.connect(folder.database) as connection:
        connection.execute("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('keepsake', 'm999_future', 'now')")
    connection.close()
    done = _start(KEEPSAKE_PORT=str(free_port()), KEEPSAKE_DATA_DIR=str(tmp_path))
    assert done.returncode == 2
    assert "newer Keepsake" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.long
def test_a_database_that_is_empty(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.database.touch()
    folder.index.mkdir()
    done = _start(KEEPSAKE_PORT=str(free_port()), KEEPSAKE_DATA_DIR=str(tmp_path))
    assert done.returncode == 2
    assert "is empty, though this data folder has been in use" in done.stderr
    assert "Traceback" not in done.stderr
    assert folder.database.stat().st_size == 0


def test_a_folder_in_use(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.own()
    done = _start(KEEPSAKE_PORT=str(free_port()), KEEPSAKE_DATA_DIR=str(tmp_path))
    folder.release()
    assert done.returncode == 2
    assert f"process {os.getpid()}" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_setting_that_is_not_valid_is_named_and_its_value_is_not_shown(tmp_path: Path) -> None:
    done = _start(KEEPSAKE_PORT="seventy-secret", KEEPSAKE_DATA_DIR=str(tmp_path))
    assert done.returncode == 2
    assert "KEEPSAKE_PORT" in done.stderr
    assert "seventy-secret" not in done.stderr


def test_an_empty_variable_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEEPSAKE_DATA_DIR", "")
    assert Settings(_env_file=None).data_dir.is_absolute()  # type: ignore[call-arg]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "keepsake.home"])
def test_an_address_that_others_reach_is_not_served_without_accounts(host: str) -> None:
    def why(**changes: object) -> str:
        return open_to_all(Settings(_env_file=None, host=host, **changes))  # type: ignore[arg-type, call-arg]

    assert host in why()
    assert "KEEPSAKE_ACCOUNTS=on" in why()
    assert why(accounts=True) == why(open_to_all=True) == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "::1", "localhost", "LOCALHOST"])
def test_this_computers_own_addresses_are_served_to_the_local_user(host: str) -> None:
    settings = Settings(_env_file=None, host=host)  # type: ignore[call-arg]
    assert open_to_all(settings) == ""
    assert settings.accounts is False


def test_it_does_not_start_where_others_reach_it_without_accounts(tmp_path: Path) -> None:
    done = _start(KEEPSAKE_HOST="0.0.0.0", KEEPSAKE_PORT=str(free_port()), KEEPSAKE_DATA_DIR=str(tmp_path / "d"))
    assert done.returncode == 2
    assert "KEEPSAKE_OPEN_TO_ALL=on" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "d").exists()


def test_a_demonstration_with_accounts(tmp_path: Path) -> None:
    done = _start(KEEPSAKE_PORT=str(free_port()), KEEPSAKE_DATA_DIR=str(tmp_path / "d"), KEEPSAKE_DEMO="on", KEEPSAKE_ACCOUNTS="on")
    assert done.returncode == 2
    assert "for one person" in done.stderr
    assert not (tmp_path / "d").exists()


class SilentServer:
    """Takes every request and answers none."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}/v1"
        self.asked: list[socket.socket] = []
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        with suppress(OSError):
            while True:
                self.asked.append(self._listening.accept()[0])

    def close(self) -> None:
        for one in (self._listening, *self.asked):
            one.close()


def _until(true: Callable[[], object]) -> None:
    ends = time.monotonic() + 300
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.05)


def _import(folder: Path, *, rounds: int) -> None:
    """A conversation whose memory is still to be made."""
    store = open_store(Settings(data_dir=folder, _env_file=None))  # type: ignore[call-arg]
    talk = long_talk(2 * rounds, language="en", seed=1, start=datetime(2026, 3, 1, tzinfo=UTC))
    player, character = talk.speakers
    with tqdm(disable=True) as silent:
        Importer(store, talk, Cast(player, character), character_id="builtin:nell-garrow", language="en").write(silent)
    store.close()


@pytest.mark.long
def test_it_ends_when_told_to_whatever_is_under_way_and_loses_nothing(tmp_path: Path) -> None:
    talks, remembers = SilentServer(), SilentServer()
    models = {"KEEPSAKE_MEMORY_MODEL": "openai/slow", "KEEPSAKE_MEMORY_API_BASE": remembers.url, "KEEPSAKE_MEMORY_RETRIES": "5"}
    _import(tmp_path / "data", rounds=20)
    with program(tmp_path, talks.url, **models) as (process, url):
        people = [PageClient(url, f"tab-{number}") for number in range(3)]
        _until(lambda: remembers.asked)  # first: memory makes way for a reply of this machine's own
        people[0].values("k-samples", "sample", {"operation": "add", "name": STORIES[0].key, "token": "s"})
        chats = [person.begin("builtin:nell-garrow") for person in people]
        for person, chat_id in zip(people, chats, strict=True):
            person.say(chat_id, "Are you there?", token="t")
        _until(lambda: len(talks.asked) == 3)
        process.terminate()
        assert process.wait(LAST_S + 60) == 0
    for server in (talks, remembers):
        server.close()
    store = open_store(Settings(data_dir=tmp_path / "data", _env_file=None))  # type: ignore[call-arg]
    for chat_id in chats:
        scope = Scope.of(LOCAL_USER, chat_id)
        newest = store.chats.head(scope, store.chats.chat(scope).branch_id)
        assert newest is not None
        assert newest.text == "Are you there?", "a reply of which nothing came can be asked for again"
    store.tasks.release_all()
    assert store.tasks.lease() is not None, "what was cut off is begun anew"
    store.close()
    assert "cut off" in (tmp_path / "program.log").read_text(encoding="utf-8")
