"""What a chat remembers: looked at as the panels and recall show it, and made anew."""

from __future__ import annotations

import pytest

from chat import views
from chat.controls import MemoryControls
from chat.service import ChatService
from memory.engine import Cue
from storage.records import Kind
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk


def service(talk: Talk) -> ChatService:
    return talk.house.service


def controls(talk: Talk) -> MemoryControls:
    return talk.house.service.controls


def facts(talk: Talk) -> dict[str, views.MemoryView]:
    return {m.text: m for m in service(talk).memories(LOCAL_USER, talk.chat_id, shelf="fact").memories}


def fact(talk: Talk, word: str) -> views.MemoryView:
    (found,) = [m for text, m in facts(talk).items() if word in text]
    return found


def known(talk: Talk) -> dict[str, list[views.ValueView]]:
    return {e.key: list(e.values) for e in service(talk).persona(LOCAL_USER, talk.chat_id).entries}


def recalled(talk: Talk, cue: str) -> list[str]:
    found = talk.house.memory.engine.recall(talk.scope, talk.branch_id, Cue(cue, 99))
    memories = talk.house.memory.store.memories.get(talk.scope, [c.memory_id for c in found.candidates])
    return [memories[c.memory_id].text for c in found.candidates if memories[c.memory_id].kind is not Kind.EPISODE]


def rebuilt(talk: Talk) -> None:
    controls(talk).rebuild(LOCAL_USER, talk.chat_id)
    talk.remembered()


def replayed(talk: Talk) -> None:
    """Every task once more, with nothing known of what was read."""
    with talk.house.memory.store.database.write() as connection:
        connection.execute("DELETE FROM extraction")
        connection.execute("DELETE FROM derivation")
        connection.execute("UPDATE task SET state = 'queued', attempts = 0, not_before = 0")
    talk.house.memory.worker.wake()
    talk.remembered()


def derived_under_other_ids(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a new version of extraction does it."""
    monkeypatch.setattr("memory.reading.messages.VERSION", "reader-next")
    rebuilt(talk)
