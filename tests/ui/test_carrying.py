"""The address by which memory goes from one conversation to another: what it answers, and to whom."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from chat.carried_file import MOST_BYTES
from storage.scope import LOCAL_USER, Scope
from storage.wall import offset_of
from tests.chat.conftest import Talk, talk
from tests.chat.remembering import facts
from tests.ui.test_transfers import app, client
from ui.carrying import CARRYING
from ui.transfers import EXPORTS

__all__ = ["app", "client", "talk"]


def asked(client: TestClient, **said: object) -> dict[str, Any]:
    answer: dict[str, Any] = client.post(CARRYING, json=said).raise_for_status().json()
    return answer


@pytest.fixture
def student(talk: Talk) -> Talk:
    for line in (
        "My name is Mara and I'm thirty-four years old.",
        "I dropped out of medical school after two years.",
        "My sister Ida is a nurse.",
        "Hm.",
    ):
        talk.say(line, "Noted.")
    talk.remembered()
    return talk


def test_what_is_chosen_comes_along_into_a_new_conversation(student: Talk, client: TestClient) -> None:
    offer = asked(client, do="look", chat=student.chat_id)["offer"]
    assert (offer["character"], offer["rounds"], offer["same"]) == ("Nell Garrow", 4, True)
    chosen = next(one for one in offer["things"] if "medical school" in one["text"] and one["kind"] == "fact")
    assert (chosen["state"], chosen["may"], chosen["own"], chosen["first"]) == ("living", True, True, 2)
    begun = asked(client, do="begin", chat=student.chat_id, character=offer["character_id"], chosen=chosen["id"])["begun"]
    there = replace(student, chat_id=begun)
    there.remembered()
    words = chosen["text"].partition(": ")[2]
    assert list(facts(there)) == [f"the player: {words}"], "the name was not chosen"
    assert asked(client, do="begin", chat=student.chat_id, chosen="")["refused"]["code"] == "nothing_to_carry"
    assert (
        asked(client, do="begin", chat=student.chat_id, character="nobody", chosen=chosen["id"])["refused"]["code"] == "character_not_found"
    )


def test_a_conversation_that_begins_with_memory_begins_on_the_speakers_wall(student: Talk, client: TestClient) -> None:
    offer = asked(client, do="look", chat=student.chat_id)["offer"]
    for offset in (330, -300):
        begun = asked(
            client, do="begin", chat=student.chat_id, chosen=offer["things"][0]["id"], character=offer["character_id"], offset=offset
        )
        scope = Scope.of(LOCAL_USER, begun["begun"])
        chats = student.house.memory.store.chats
        (greeting,) = chats.path(scope, chats.chat(scope).branch_id, limit=9)
        assert offset_of(greeting.said_at) == offset


def test_a_file_goes_out_once_and_comes_in_with_what_is_chosen(student: Talk, client: TestClient) -> None:
    made = asked(client, do="export", chat=student.chat_id, form="json")
    assert made["name"].endswith(".memory.json")
    raw = client.get(f"{EXPORTS}/{made['ticket']}").text
    assert client.get(f"{EXPORTS}/{made['ticket']}").status_code == 404
    assert asked(client, do="export", chat=student.chat_id, form="markdown")["name"].endswith(".memory.md")
    there = replace(student, chat_id=student.house.service.create(LOCAL_USER, "builtin:nell-garrow"))
    offer = asked(client, do="read", chat=there.chat_id, file=raw)["offer"]
    school = next(one["id"] for one in offer["things"] if "medical school" in one["text"])
    taken = asked(client, do="take", chat=there.chat_id, file=raw, chosen=school, edition=0)["taken"]
    assert (taken["new"], taken["there"]) == (1, 0)
    there.remembered()
    assert len(facts(there)) + len(there.house.service.persona(LOCAL_USER, there.chat_id).entries) == 1
    offer = asked(client, do="read", chat=there.chat_id, file=raw)["offer"]
    assert {one["id"] for one in offer["things"] if one["there"]} == {school}
    stale = asked(client, do="take", chat=there.chat_id, file=raw, chosen=school, edition=0)
    assert stale["refused"]["code"] == "changed_elsewhere"


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 100_000, b"\xff", b"1", b'{"do": 5}', b'{"do": "read", "file": {}}'])
def test_what_is_no_request_does_nothing(client: TestClient, body: bytes) -> None:
    answer = client.post(CARRYING, content=body)
    assert answer.status_code in (200, 400)
    assert "offer" not in answer.json()
    assert answer.headers["cache-control"] == "no-store"


def test_a_file_that_is_none_says_why(student: Talk, client: TestClient) -> None:
    refused = asked(client, do="read", chat=student.chat_id, file="nonsense")["refused"]
    assert (refused["code"], refused["params"]["kind"]) == ("memory_file_refused", "json")
    large = asked(client, do="read", chat=student.chat_id, file=" " * (MOST_BYTES + 1))["refused"]
    assert large["params"]["kind"] == "large"
    assert asked(client, do="look", chat="0" * 32)["refused"]["code"] == "chat_not_found"
