"""What a reader is told once, and characters for adults kept out of sight: each user's own."""

from __future__ import annotations

from typing import Any

import gradio as gr

from personas.written import Written
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, talk
from tests.ui.asking_as import asked_by
from tests.ui.test_page import painter
from ui.notices import Heeding

__all__ = ["talk"]


def heed(talk: Talk, operation: object, user: str = LOCAL_USER) -> dict[str, Any]:
    paint = painter(talk)
    shelf: dict[str, Any] = Heeding(paint).heed(gr.EventData(None, {"operation": operation}), asked_by(user))[paint.surfaces.shelf]
    return shelf


def test_each_user_is_told_once(talk: Talk) -> None:
    talk.house.memory.store.chats.ensure_user("somebody", "")
    assert heed(talk, "nothing")["noticed"] is False
    assert heed(talk, "accept")["noticed"] is True
    assert heed(talk, "accept")["noticed"] is True
    assert heed(talk, "nothing", "somebody")["noticed"] is False


def test_characters_for_adults_are_marked_and_kept_out_of_sight_on_every_device(talk: Talk) -> None:
    own = talk.house.service.own_characters
    own.create(LOCAL_USER, Written(name="Ivo", language="en", tags=("NSFW",)))
    own.create(LOCAL_USER, Written(name="Una", language="en", tags=("sea",)))
    shelf = heed(talk, "hide_adult")
    assert shelf["hides_adult"] is True
    assert {one["name"]: one["adult"] for one in shelf["own"]} == {"Ivo": "tags", "Una": ""}
    assert heed(talk, "nothing")["hides_adult"] is True
    assert heed(talk, "show_adult")["hides_adult"] is False


def test_nothing_else_is_an_operation(talk: Talk) -> None:
    for operation in ("", "drop", None, 7, ["accept"], "accept" * 500):
        assert heed(talk, operation)["noticed"] is False
