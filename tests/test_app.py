"""Starting the program where it cannot start: a clear sentence, and nothing touched."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from app import open_to_all
from settings import Settings
from storage.database import Database
from storage.folder import DataFolder
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
    done = _start(KEEPSAKE_PORT="49999", KEEPSAKE_DATA_DIR=str(tmp_path))
    assert done.returncode == 2
    assert "newer Keepsake" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.long
def test_a_database_that_is_empty(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.database.touch()
    folder.index.mkdir()
    done = _start(KEEPSAKE_PORT="49997", KEEPSAKE_DATA_DIR=str(tmp_path))
    assert done.returncode == 2
    assert "is empty, though this data folder has been in use" in done.stderr
    assert "Traceback" not in done.stderr
    assert folder.database.stat().st_size == 0


def test_a_folder_in_use(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.own()
    done = _start(KEEPSAKE_PORT="49998", KEEPSAKE_DATA_DIR=str(tmp_path))
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
    done = _start(KEEPSAKE_HOST="0.0.0.0", KEEPSAKE_PORT="49996", KEEPSAKE_DATA_DIR=str(tmp_path / "d"))
    assert done.returncode == 2
    assert "KEEPSAKE_OPEN_TO_ALL=on" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "d").exists()


def test_a_demonstration_with_accounts(tmp_path: Path) -> None:
    done = _start(KEEPSAKE_PORT="49996", KEEPSAKE_DATA_DIR=str(tmp_path / "d"), KEEPSAKE_DEMO="on", KEEPSAKE_ACCOUNTS="on")
    assert done.returncode == 2
    assert "for one person" in done.stderr
    assert not (tmp_path / "d").exists()
