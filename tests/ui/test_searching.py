"""Search as the page asks for it and is answered."""

from __future__ import annotations

import json
from typing import Any

import gradio as gr

from tests.chat.conftest import Talk, talk
from tests.ui.asking_as import asked_by
from tests.ui.test_page import painter
from ui.painter import Painter
from ui.searching import Searching

__all__ = ["talk"]


def asked(paint: Painter, **said: object) -> dict[str, Any]:
    updates = Searching(paint).find(gr.EventData(None, said), asked_by())
    value: dict[str, Any] = json.loads(json.dumps({getattr(k, "elem_id", k): v for k, v in updates.items()}))
    return value


def test_what_was_found_comes_in_pieces_of_text_with_the_token_of_the_question(talk: Talk) -> None:
    talk.say("My boat is <b>Gannet</b>.")
    talk.remembered()
    found = asked(painter(talk), text="gannet", of="", token="7")["k-searching"]
    assert (found["token"], found["messages_in_all"]) == ("7", 1)
    (one,) = found["messages"]
    assert one["pieces"] == [["My boat is <b>", False], ["Gannet", True], ["</b>.", False]]
    assert (one["chat_id"], one["round"], one["kind"]) == (talk.chat_id, 1, "message")
    talk.say("I live in a small flat in Porto.")
    talk.say("And you?")
    talk.remembered()
    found = asked(painter(talk), text="porto", of=talk.chat_id, token="8")["k-searching"]
    assert {row["kind"] for row in found["memories"]} >= {"fact"}
    assert ["Porto", True] in found["memories"][0]["pieces"]


def test_a_forged_question_finds_nothing_and_is_told(talk: Talk) -> None:
    paint = painter(talk)
    assert asked(paint, text="fog", of="not a chat", token="1")["k-banner"]["code"] == "chat_not_found"
    for said in ({}, {"text": 5, "of": [], "token": {}}, {"text": "\ud800", "of": ""}, {"text": "x" * 100_000}):
        found = asked(paint, **said)["k-searching"]
        assert (found["messages"], found["memories"]) == ([], [])
