"""The dialog that asks the memory, short of a browser: what it is given, and what a forged request gets."""

from __future__ import annotations

import json
import time
from typing import Any

import gradio as gr

from chat.views import AskedPhase
from models.errors import ModelError
from models.structured import AnswerUnreadable
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, talk
from tests.ui.asking_as import asked_by
from tests.ui.test_page import painter
from ui.asking import Asking
from ui.catalogue import CATALOGUE
from ui.painter import Painter

__all__ = ["talk"]


def shown(paint: Painter, what: str, **said: object) -> dict[str, Any]:
    updates = getattr(Asking(paint), what)(gr.EventData(None, said), asked_by())
    value: dict[str, Any] = json.loads(json.dumps(updates.get(paint.surfaces.asking, {})))
    return value


def answered(paint: Painter, talk: Talk, text: str, *, token: str = "t") -> dict[str, Any]:
    value = shown(paint, "ask", chat=talk.chat_id, text=text, token=token)
    while not value["final"]:
        time.sleep(0.01)
        value = shown(paint, "look", chat=talk.chat_id, token=token) or value
    return value


def test_an_answer_comes_as_plain_values_and_only_once(talk: Talk) -> None:
    talk.say("My boat is called <b>Gannet</b>.")
    talk.say("And the weather holds.")
    talk.remembered()
    paint = painter(talk)
    value = answered(paint, talk, "What is my boat called?")
    answer = value["answer"]
    assert (value["phase"], answer["found"], answer["by"], answer["parts"][0]["rounds"]) == ("done", True, "sentences", [1])
    assert str(answer).count("<b>Gannet</b>") == 1, "text, put into the page as text, and once"
    assert answer["parts"][0]["said_by"]
    assert all(set(note) == {"text", "kind", "round", "said_by", "at", "happened", "quote", "cited"} for note in answer["notes"])
    again = Asking(paint).look(gr.EventData(None, {"chat": talk.chat_id, "token": "t", "marks": {"asking": value["mark"]}}), asked_by())
    assert paint.surfaces.asking not in again
    assert talk.house.service.job(LOCAL_USER, talk.chat_id) is not None  # the reply before is what it was


def test_what_is_refused_is_said_in_the_dialog(talk: Talk) -> None:
    paint = painter(talk)
    for said in (
        {"chat": talk.chat_id, "text": "Why? " * 400, "token": "long"},
        {"chat": talk.chat_id, "text": "", "token": "empty"},
        {"chat": "another's", "text": "Why?", "token": "t"},
        {"chat": {"forged": 1}, "text": ["Why?"], "token": 7},
    ):
        value = shown(paint, "ask", **said)
        assert f"error_{value['refused']['code']}" in CATALOGUE
    assert shown(paint, "look", chat=talk.chat_id, token="unknown")["refused"]["code"] == "question_gone"
    assert shown(paint, "stop", chat=talk.chat_id, token="unknown")["refused"]["code"] == "question_gone"


def test_every_phase_and_every_reason_has_a_sentence() -> None:
    assert {f"asked_{phase.value}" for phase in AskedPhase} <= set(CATALOGUE)
    codes = {kind.code for kind in (ModelError, *ModelError.__subclasses__(), AnswerUnreadable)} - {"model_error"}
    assert {key.removeprefix("unanswered_") for key in CATALOGUE if key.startswith("unanswered_")} >= codes
    assert {key for key in CATALOGUE if key.startswith("missing_")} == {"missing_nothing", "missing_weak", "missing_uncited"}
